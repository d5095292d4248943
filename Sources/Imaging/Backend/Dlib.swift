internal import CVision

/// dlib's frontal HOG detector. Not thread-safe.
package final class DlibDetector {
  private let detector: OpaquePointer

  package init() throws { detector = try dlibObject { cvision_hog_create(&$0, $1) } }

  deinit { cvision_hog_free(detector) }

  package func detect(in image: PixelBuffer) throws -> [(box: Rectangle, score: Double)] {
    var boxes = [cvision_box](repeating: cvision_box(), count: 64)
    var count = 0
    try dlibCall { message in
      image.withImage { cvision_hog_detect(detector, $0, &boxes, boxes.count, &count, message) }
    }
    return boxes.prefix(count).map { (Rectangle(x: $0.x, y: $0.y, width: $0.width, height: $0.height), $0.score) }
  }
}

/// dlib's 5-point landmark predictor. Thread-safe.
package final class DlibPoints: Sendable {
  // Immutable after creation; dlib's prediction is a const function.
  private nonisolated(unsafe) let predictor: OpaquePointer

  package init(model bytes: [UInt8]) throws {
    predictor = try dlibObject { cvision_points5_create(bytes, bytes.count, &$0, $1) }
  }

  deinit { cvision_points5_free(predictor) }

  package func points(in image: PixelBuffer, box: Rectangle) throws -> [Point] {
    var numbers = [Double](repeating: 0, count: 10)
    try dlibCall { message in
      image.withImage {
        let box = cvision_box(x: box.x, y: box.y, width: box.width, height: box.height, score: 0)
        return cvision_points5_predict(predictor, $0, box, &numbers, message)
      }
    }
    // dlib's coordinates are relative to the centre of the first pixel.
    return (0..<5).map { Point(x: numbers[2 * $0] + 0.5, y: numbers[2 * $0 + 1] + 0.5) }
  }
}

/// dlib's face recognition network, run with BLAS. Not thread-safe.
package final class DlibNetwork {
  private let network: OpaquePointer

  /// - Parameter bytes: `dlib_face_recognition_resnet_model_v1.dat`.
  package init(model bytes: [UInt8]) throws {
    let layers = try DlibNetworkFile.layers(in: bytes)
    // A single array for all pointers: they must stay valid until all layers are copied.
    let values = layers.flatMap { $0.weights + $0.bias }
    network = try values.withUnsafeBufferPointer { values in
      var offset = 0
      func next(_ count: Int) -> UnsafePointer<Float>? {
        defer { offset += count }
        return count == 0 ? nil : values.baseAddress.map { $0 + offset }
      }
      let parts = layers.map { layer in
        cvision_layer(
          inputs: Int32(layer.inputs), outputs: Int32(layer.outputs), kernel: Int32(layer.kernel),
          stride: Int32(layer.stride), padding: Int32(layer.padding), weights: next(layer.weights.count),
          bias: next(layer.bias.count))
      }
      return try dlibObject { cvision_resnet_create(parts, parts.count, &$0, $1) }
    }
  }

  deinit { cvision_resnet_free(network) }

  /// Returns the 128-number embedding of a 150×150 chip.
  package func embed(_ chip: PixelBuffer) throws -> [Float] {
    guard chip.width == 150, chip.height == 150 else { throw VerifyError(.badArgument, "a chip is 150×150 pixels") }
    var vector = [Float](repeating: 0, count: 128)
    try dlibCall { cvision_resnet_embed(network, chip.rgb, &vector, $0) }
    return vector
  }
}

private func dlibCall(_ body: (UnsafeMutablePointer<CChar>?) -> cvision_status) throws {
  if let failure = ImageCodec.failure(of: body) { throw VerifyError(.internalFailure, "dlib: \(failure.message)") }
}

private func dlibObject(
  _ make: (inout OpaquePointer?, UnsafeMutablePointer<CChar>?) -> cvision_status
) throws -> OpaquePointer {
  var made: OpaquePointer?
  try dlibCall { make(&made, $0) }
  guard let made else { throw VerifyError(.internalFailure, "dlib returned no object") }
  return made
}
