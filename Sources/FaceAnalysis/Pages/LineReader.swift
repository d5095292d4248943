internal import Glibc

/// Reads the characters of one line with the network that was trained for it (`training/mrz`).
final class LineReader {
  /// Columns and rows of the strip that the network sees.
  private static let width = 960
  private static let height = 32
  /// Rows of the strip that a capital takes; the network was trained around it.
  private static let capHeight = 18.0
  /// Columns of the strip for which the network gives one answer.
  static let stride = 4
  static let slices = width / stride
  /// 0-9, A-Z, `<`; behind them: no character.
  static let characters = 37

  private let request: InferenceRequest

  init(_ model: CompiledModel) throws {
    request = try InferenceRequest(model)
    guard request.input.count == Self.width * Self.height else {
      throw VerifyError(.modelMismatch, "the line reader's input has \(request.input.count) numbers")
    }
  }

  /// How likely each slice along the line shows each character; `slices` rows of ``characters`` + 1 probabilities.
  func read(_ line: TextLine, in page: PageLuma) throws -> LineSlices {
    // A line that is set wide is made narrower, so that it fits with some room at both ends.
    let room = 3 * line.capHeight
    let down = line.capHeight / Self.capHeight
    let along = max(down, (line.length + 2 * room) / Double(Self.width))
    let level = page.level(pixelsApart: down)
    var sum: Float = 0
    var squares: Float = 0
    for y in 0..<Self.height {
      let v = (Double(y) + 0.5 - Double(Self.height) / 2) * down
      for x in 0..<Self.width {
        let u = (Double(x) + 0.5) * along - line.length / 2 - room
        let value = level.value(at: line.point(u, v))
        request.input[y * Self.width + x] = value
        sum += value
        squares += value * value
      }
    }
    // What lies beyond the text may be another surface: mean and deviation are those of the line's own part.
    let count = Float(Self.width * Self.height)
    let mean = sum / count
    let scale = 1 / ((max(0, squares / count - mean * mean)).squareRoot() + 1)
    for i in request.input.indices { request.input[i] = (request.input[i] - mean) * scale }
    try request.run()
    let output = try request.output(0, count: (Self.characters + 1) * Self.slices)
    var rows = [Float](repeating: 0, count: output.count)
    for t in 0..<Self.slices {
      for c in 0...Self.characters { rows[t * (Self.characters + 1) + c] = exp(output[c * Self.slices + t]) }
    }
    return LineSlices(
      probabilities: rows, line: line, start: -line.length / 2 - room, step: along * Double(Self.stride))
  }
}
