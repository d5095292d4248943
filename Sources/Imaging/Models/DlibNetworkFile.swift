/// Parser for dlib's face recognition network, `dlib_face_recognition_resnet_model_v1.dat`, as written by
/// `dlib::serialize`: the parts in the order of the forward pass, each preceded by its name.
package struct DlibNetworkFile {
  /// One convolution with its normalisation folded in, or the final fully connected layer (kernel 0).
  package struct Layer {
    package var inputs, outputs, kernel: Int
    var stride, padding: Int
    /// [outputs][inputs][kernel][kernel]
    package var weights: [Float]
    /// Empty in the fully connected layer.
    package var bias: [Float]
  }

  private var reader: ByteReader
  private var layers: [Layer] = []

  package static func layers(in bytes: [UInt8]) throws -> [Layer] {
    var file = DlibNetworkFile(reader: ByteReader(bytes, order: .littleEndian))
    try file.readHead()
    while file.reader.remaining > 0 { try file.readPart() }
    return file.layers
  }

  /// The versions of all layers, outermost first, and the input.
  private mutating func readHead() throws {
    let input = "input_rgb_image_sized"
    try skipIntegers(1)
    guard try text() == "loss_metric_2" else { throw Self.foreign }
    try skipIntegers(4)  // margin and threshold: mantissa, exponent
    var version = 0
    while true {
      let number = try integer()
      if number == input.utf8.count, reader.take(input) { break }
      version = number
    }
    try skipIntegers(6 + 2)  // the mean colour, the size
    // Since version 3, the layer above the input, alone of all layers, has a sample expansion factor: pictures per
    // input.
    try readPart(hasFactor: version == 3)
  }

  private mutating func readPart(hasFactor: Bool = false) throws {
    switch try text() {
    case "con_4": try readConvolution()
    case "affine_": try readNormalisation()
    case "fc_2": try readFullyConnected()
    case "max_pool_2", "avg_pool_2": try skipIntegers(6)
    case "relu_", "add_prev_": break
    default: throw Self.foreign
    }
    try reader.skip(3)  // the layer's state, as '0' and '1'
    for _ in 0..<3 { _ = try tensor() }  // gradients and output, empty
    if hasFactor { try skipIntegers(1) }
  }

  private mutating func readConvolution() throws {
    let values = try tensor()
    let outputs = try integer()
    let kernel = try integer()
    guard try integer() == kernel else { throw Self.foreign }
    let stride = try integer()
    guard try integer() == stride else { throw Self.foreign }
    let padding = try integer()
    guard try integer() == padding else { throw Self.foreign }
    try skipIntegers(5 + 5 + 8)  // offsets of weights and bias in the values; learning rates
    guard (1...1024).contains(outputs), (1...7).contains(kernel), values.count.isMultiple(of: outputs) else {
      throw Self.foreign
    }
    let each = values.count / outputs - 1
    guard each > 0, each % (kernel * kernel) == 0 else { throw Self.foreign }
    layers.append(
      Layer(
        inputs: each / (kernel * kernel), outputs: outputs, kernel: kernel, stride: stride, padding: padding,
        weights: Array(values.prefix(outputs * each)), bias: Array(values.suffix(outputs))))
  }

  /// Folds a factor and a summand per channel into the preceding convolution.
  private mutating func readNormalisation() throws {
    let values = try tensor()
    try skipIntegers(5 + 5 + 1)
    guard var layer = layers.popLast(), values.count == 2 * layer.outputs else { throw Self.foreign }
    let each = layer.weights.count / layer.outputs
    for i in layer.weights.indices { layer.weights[i] *= values[i / each] }
    for i in layer.bias.indices { layer.bias[i] = layer.bias[i] * values[i] + values[layer.outputs + i] }
    layers.append(layer)
  }

  private mutating func readFullyConnected() throws {
    let outputs = try integer()
    let inputs = try integer()
    let values = try tensor()
    try skipIntegers(5 + 5 + 1 + 8)
    guard outputs > 0, inputs > 0, values.count.isMultiple(of: inputs), values.count / inputs == outputs else {
      throw Self.foreign
    }
    var weights = values
    for output in 0..<outputs {
      for input in 0..<inputs { weights[output * inputs + input] = values[input * outputs + output] }
    }
    layers.append(Layer(inputs: inputs, outputs: outputs, kernel: 0, stride: 1, padding: 0, weights: weights, bias: []))
  }

  // MARK: dlib's values

  /// A byte with the number of bytes that follow, and the sign in its highest bit.
  private mutating func integer() throws -> Int {
    let head = try reader.u8()
    let count = head & 0x0f
    guard (1...8).contains(count) else { throw Self.foreign }
    var value = 0
    for i in 0..<count { value |= try reader.u8() << (8 * i) }
    return head & 0x80 == 0 ? value : 0 &- value
  }

  private mutating func skipIntegers(_ count: Int) throws {
    for _ in 0..<count { _ = try integer() }
  }

  private mutating func text() throws -> String { String(decoding: try reader.bytes(try integer()), as: UTF8.self) }

  /// Four dimensions, then 32-bit floats.
  private mutating func tensor() throws -> [Float] {
    guard try integer() == 2 else { throw Self.foreign }
    var count = 1
    for _ in 0..<4 {
      let size = try integer()
      guard (0...10_000_000).contains(size), case let product = count.multipliedReportingOverflow(by: size),
        !product.overflow
      else { throw Self.foreign }
      count = product.partialValue
    }
    guard count <= reader.remaining / 4 else { throw VerifyError(.damaged, "the network's file is truncated") }
    return try reader.bytes(4 * count).withUnsafeBytes { bytes in
      (0..<count).map { index in
        let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
        return Float(bitPattern: UInt32(littleEndian: bits))
      }
    }
  }

  private static var foreign: VerifyError { VerifyError(.modelMismatch, "this is not dlib's face recognition network") }
}
