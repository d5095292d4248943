/// Writes dlib's face recognition network as OpenVINO's intermediate representation (IR, version 11).
///
/// It runs once, when models are installed, and gives the same bytes on every machine. The batch is two: a face chip
/// and its mirror image.
package enum NetworkConversion {
  package static let batch = 2

  /// - Parameter dat: the bytes of `dlib_face_recognition_resnet_model_v1.dat`.
  /// - Returns: the `.xml` and the `.bin` file.
  package static func intermediateRepresentation(dat: [UInt8]) throws -> (xml: String, bin: [UInt8]) {
    var layers = try DlibNetworkFile.layers(in: dat)[...]
    guard layers.count == 30 else {
      throw VerifyError(.modelMismatch, "the network has \(layers.count) layers, not 30: this is not dlib's model")
    }
    var graph = Graph()
    var x = graph.parameter("chips", [batch, 3, 150, 150])
    x = graph.relu(graph.convolution(x, layers.removeFirst()))
    x = graph.pool("MaxPool", x, kernel: 3, stride: 2)
    while layers.count > 1 {
      let first = layers.removeFirst()
      let second = layers.removeFirst()
      let branch = graph.convolution(graph.relu(graph.convolution(x, first)), second)
      // Where a block halves the picture, its shortcut is the mean of 2×2 pixels.
      let shortcut = first.stride == 2 ? graph.pool("AvgPool", x, kernel: 2, stride: 2) : x
      x = graph.relu(graph.add(branch, shortcut))
    }
    let last = layers.removeFirst()
    let result = graph.fullyConnected(graph.meanOverPixels(x), last)
    graph.result(result)
    return (graph.xml(name: "dlib_face_recognition_resnet_model_v1"), graph.bin)
  }

  /// An IR file under construction: one XML element a layer, the constants behind each other in `bin`.
  private struct Graph {
    struct Value {
      let layer: Int
      let port: Int
      let shape: [Int]
    }

    private var elements: [String] = []
    private var edges: [String] = []
    var bin: [UInt8] = []

    private mutating func add(
      _ type: String, name: String? = nil, attributes: String = "", inputs: [Value] = [], output: [Int]?,
      precision: String = "FP32"
    ) -> Value {
      let id = elements.count
      func port(_ index: Int, _ shape: [Int], _ precision: String?) -> String {
        let dimensions = shape.map { "<dim>\($0)</dim>" }.joined()
        return "<port id=\"\(index)\"\(precision.map { " precision=\"\($0)\"" } ?? "")>\(dimensions)</port>"
      }
      var element = "<layer id=\"\(id)\" name=\"\(name ?? "\(type)_\(id)")\" type=\"\(type)\" version=\"opset1\">"
      if !attributes.isEmpty { element += "<data \(attributes)/>" }
      if !inputs.isEmpty {
        element += "<input>\(inputs.enumerated().map { port($0, $1.shape, nil) }.joined())</input>"
      }
      if let output { element += "<output>\(port(inputs.count, output, precision))</output>" }
      elements.append(element + "</layer>")
      for (index, input) in inputs.enumerated() {
        edges.append(
          "<edge from-layer=\"\(input.layer)\" from-port=\"\(input.port)\" to-layer=\"\(id)\" to-port=\"\(index)\"/>")
      }
      return Value(layer: id, port: inputs.count, shape: output ?? [])
    }

    mutating func parameter(_ name: String, _ shape: [Int]) -> Value {
      add("Parameter", name: name, attributes: "shape=\"\(list(shape))\" element_type=\"f32\"", output: shape)
    }

    private mutating func constant(_ bytes: [UInt8], type: String, precision: String, shape: [Int]) -> Value {
      let offset = bin.count
      bin += bytes
      return add(
        "Const",
        attributes:
          "element_type=\"\(type)\" shape=\"\(list(shape))\" offset=\"\(offset)\" size=\"\(bytes.count)\"",
        output: shape, precision: precision)
    }

    private mutating func constant(_ numbers: [Float], shape: [Int]) -> Value {
      constant(
        numbers.flatMap { number in withUnsafeBytes(of: number.bitPattern.littleEndian, Array.init) },
        type: "f32", precision: "FP32", shape: shape)
    }

    private mutating func constant(_ numbers: [Int64]) -> Value {
      constant(
        numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian, Array.init) },
        type: "i64", precision: "I64", shape: [numbers.count])
    }

    mutating func convolution(_ x: Value, _ layer: DlibNetworkFile.Layer) -> Value {
      let weights = constant(layer.weights, shape: [layer.outputs, layer.inputs, layer.kernel, layer.kernel])
      let bias = constant(layer.bias, shape: [1, layer.outputs, 1, 1])
      let side = (x.shape[2] + 2 * layer.padding - layer.kernel) / layer.stride + 1
      let shape = [x.shape[0], layer.outputs, side, side]
      let pads = "\(layer.padding), \(layer.padding)"
      let sums = add(
        "Convolution",
        attributes:
          "strides=\"\(layer.stride), \(layer.stride)\" dilations=\"1, 1\" pads_begin=\"\(pads)\" "
          + "pads_end=\"\(pads)\" auto_pad=\"explicit\"",
        inputs: [x, weights], output: shape)
      return sum(sums, bias)
    }

    private mutating func sum(_ x: Value, _ y: Value) -> Value {
      add("Add", attributes: "auto_broadcast=\"numpy\"", inputs: [x, y], output: x.shape)
    }

    mutating func relu(_ x: Value) -> Value { add("ReLU", inputs: [x], output: x.shape) }

    mutating func pool(_ type: String, _ x: Value, kernel: Int, stride: Int) -> Value {
      let side = (x.shape[2] - kernel) / stride + 1
      return add(
        type,
        attributes:
          "strides=\"\(stride), \(stride)\" kernel=\"\(kernel), \(kernel)\" pads_begin=\"0, 0\" pads_end=\"0, 0\" "
          + (type == "AvgPool" ? "exclude-pad=\"true\" " : "") + "rounding_type=\"floor\" auto_pad=\"explicit\"",
        inputs: [x], output: [x.shape[0], x.shape[1], side, side])
    }

    /// The sum of two branches of unequal size, the smaller one filled up with zeros at the end of each axis.
    mutating func add(_ x: Value, _ y: Value) -> Value {
      let shape = zip(x.shape, y.shape).map(max)
      return sum(padded(x, to: shape), padded(y, to: shape))
    }

    private mutating func padded(_ x: Value, to shape: [Int]) -> Value {
      guard x.shape != shape else { return x }
      let begin = constant([0, 0, 0, 0])
      let end = constant(zip(shape, x.shape).map { Int64($0 - $1) })
      return add("Pad", attributes: "pad_mode=\"constant\"", inputs: [x, begin, end], output: shape)
    }

    mutating func meanOverPixels(_ x: Value) -> Value {
      let axes = constant([2, 3])
      return add(
        "ReduceMean", attributes: "keep_dims=\"false\"", inputs: [x, axes], output: Array(x.shape.prefix(2)))
    }

    mutating func fullyConnected(_ x: Value, _ layer: DlibNetworkFile.Layer) -> Value {
      let weights = constant(layer.weights, shape: [layer.outputs, layer.inputs])
      return add(
        "MatMul", attributes: "transpose_a=\"false\" transpose_b=\"true\"", inputs: [x, weights],
        output: [x.shape[0], layer.outputs])
    }

    mutating func result(_ x: Value) {
      _ = add("Result", name: "embeddings", inputs: [x], output: nil)
    }

    func xml(name: String) -> String {
      """
      <?xml version="1.0"?>
      <net name="\(name)" version="11">
      <layers>
      \(elements.joined(separator: "\n"))
      </layers>
      <edges>
      \(edges.joined(separator: "\n"))
      </edges>
      <rt_info/>
      </net>

      """
    }

    private func list(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: ",") }
  }
}
