internal import CVision

/// dlib's frontal HOG detector. One thread at a time.
final class DlibDetector {
  private let detector: OpaquePointer

  init() throws {
    detector = try dlibObject { cvision_hog_create(&$0, $1) }
  }

  deinit { cvision_hog_free(detector) }

  func detect(in image: PixelBuffer) throws -> [(box: Rectangle, score: Double)] {
    var boxes = [cvision_box](repeating: cvision_box(), count: 64)
    var count = 0
    try dlibCall { message in
      image.rgb.withUnsafeBufferPointer { pixels in
        cvision_hog_detect(
          detector,
          cvision_image(rgb: pixels.baseAddress, width: Int32(image.width), height: Int32(image.height)),
          &boxes, boxes.count, &count, message)
      }
    }
    return boxes.prefix(count).map {
      (Rectangle(x: $0.x, y: $0.y, width: $0.width, height: $0.height), $0.score)
    }
  }
}

/// dlib's 5-point landmark predictor. Shared by threads.
final class DlibPoints: Sendable {
  // Never changed after creation; dlib's prediction is a const function.
  private nonisolated(unsafe) let predictor: OpaquePointer

  init(model bytes: [UInt8]) throws {
    predictor = try dlibObject { cvision_points5_create(bytes, bytes.count, &$0, $1) }
  }

  deinit { cvision_points5_free(predictor) }

  func points(in image: PixelBuffer, box: Rectangle) throws -> [Point] {
    var numbers = [Double](repeating: 0, count: 10)
    try dlibCall { message in
      image.rgb.withUnsafeBufferPointer { pixels in
        cvision_points5_predict(
          predictor,
          cvision_image(rgb: pixels.baseAddress, width: Int32(image.width), height: Int32(image.height)),
          cvision_box(x: box.x, y: box.y, width: box.width, height: box.height, score: 0),
          &numbers, message)
      }
    }
    // dlib counts from the first pixel's centre.
    return (0..<5).map { Point(x: numbers[2 * $0] + 0.5, y: numbers[2 * $0 + 1] + 0.5) }
  }
}

/// dlib's own run of the face recognition network. One thread at a time.
package final class DlibNetwork {
  private let network: OpaquePointer

  package init(model bytes: [UInt8]) throws {
    network = try dlibObject { cvision_resnet_create(bytes, bytes.count, &$0, $1) }
  }

  deinit { cvision_resnet_free(network) }

  /// The 128 numbers of a 150×150 chip.
  package func embed(_ chip: PixelBuffer) throws -> [Float] {
    guard chip.width == 150, chip.height == 150 else { throw VerifyError(.badArgument, "a chip is 150×150 pixels") }
    var vector = [Float](repeating: 0, count: 128)
    try dlibCall { cvision_resnet_embed(network, chip.rgb, &vector, $0) }
    return vector
  }

  /// One convolution, or the last, fully connected layer (kernel 0).
  struct Layer {
    let inputs, outputs, kernel, stride, padding: Int
    let weights: [Float]
    let bias: [Float]
  }

  /// The network's layers in the order of the forward pass, normalisation folded into the convolutions.
  func layers() throws -> [Layer] {
    var found = [cvision_layer](repeating: cvision_layer(), count: 64)
    var count = 0
    try dlibCall { cvision_resnet_layers(network, &found, found.count, &count, $0) }
    return found.prefix(count).map { layer in
      let outputs = Int(layer.outputs)
      let each = Int(layer.inputs) * max(1, Int(layer.kernel) * Int(layer.kernel))
      return Layer(
        inputs: Int(layer.inputs), outputs: outputs, kernel: Int(layer.kernel), stride: Int(layer.stride),
        padding: Int(layer.padding),
        weights: Array(UnsafeBufferPointer(start: layer.weights, count: outputs * each)),
        bias: layer.bias.map { Array(UnsafeBufferPointer(start: $0, count: outputs)) } ?? [])
    }
  }
}

private func dlibCall(_ body: (UnsafeMutablePointer<CChar>?) -> cvision_status) throws {
  var message = [CChar](repeating: 0, count: Int(CVISION_MESSAGE))
  let status = message.withUnsafeMutableBufferPointer { body($0.baseAddress) }
  guard status == CVISION_OK else {
    let line = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    throw VerifyError(.internalFailure, "dlib: \(line)")
  }
}

private func dlibObject(
  _ make: (inout OpaquePointer?, UnsafeMutablePointer<CChar>?) -> cvision_status
) throws -> OpaquePointer {
  var made: OpaquePointer?
  try dlibCall { make(&made, $0) }
  guard let made else { throw VerifyError(.internalFailure, "dlib gave nothing back") }
  return made
}
