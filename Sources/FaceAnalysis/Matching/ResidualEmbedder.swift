/// dlib's network in OpenVINO: both chips in one run.
final class ResidualEmbedder: FaceEmbedder {
  private let request: InferenceRequest
  /// The mean colour of dlib's training chips, which its network subtracts (dlib, `input_rgb_image_sized`).
  private static let bias: [Float] = [-122.782, -117.001, -104.298]

  init(_ model: CompiledModel) throws {
    request = try InferenceRequest(model)
    guard request.input.count == NetworkConversion.batch * 3 * FaceChips.side * FaceChips.side else {
      throw VerifyError(.modelMismatch, "the embedding network's input has \(request.input.count) numbers")
    }
  }

  func embed(_ chips: FaceChips) throws -> [Float] {
    let half = request.input.count / 2
    chips.near.normalisePlanar(bias: Self.bias, scale: 1 / 256, into: .init(rebasing: request.input[..<half]))
    chips.wide.normalisePlanar(bias: Self.bias, scale: 1 / 256, into: .init(rebasing: request.input[half...]))
    try request.run()
    let numbers = try request.output(0, count: 2 * 128)
    return mean(numbers[..<128], numbers[128...])
  }
}
