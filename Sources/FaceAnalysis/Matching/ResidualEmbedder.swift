/// dlib's network in OpenVINO: chip and mirrored chip in one run.
final class ResidualEmbedder: FaceEmbedder {
  private let request: InferenceRequest
  /// The mean colour of dlib's training chips, which its network subtracts (dlib, `input_rgb_image_sized`).
  private static let meanColour: [Float] = [122.782, 117.001, 104.298]

  init(_ model: CompiledModel) throws {
    request = try InferenceRequest(model)
    guard request.input.count == NetworkConversion.batch * 3 * FaceChip.side * FaceChip.side else {
      throw VerifyError(.modelMismatch, "the embedding network's input has \(request.input.count) numbers")
    }
  }

  func embed(chip: PixelBuffer) throws -> [Float] {
    let one = request.input.count / 2
    let bias = Self.meanColour.map { -$0 }
    chip.normalisePlanar(bias: bias, scale: 1 / 256, into: .init(rebasing: request.input[..<one]))
    for row in 0..<3 * FaceChip.side {
      let start = row * FaceChip.side
      for x in 0..<FaceChip.side {
        request.input[one + start + x] = request.input[start + FaceChip.side - 1 - x]
      }
    }
    try request.run()
    let numbers = try request.output(0, count: 2 * 128)
    return mean(numbers[..<128], numbers[128...])
  }
}
