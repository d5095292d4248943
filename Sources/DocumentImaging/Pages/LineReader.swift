internal import Glibc

/// Reads the characters of one line with a network trained for it (`training/mrz`).
final class LineReader {
  /// Width and height of the network's input strip in pixels.
  private static let width = 960
  private static let height = 32
  /// The height of a capital in the strip, in pixels; the network was trained around it.
  private static let capHeight = 18.0
  /// Columns of the strip per network output.
  static let stride = 4
  static let slices = width / stride
  /// 0-9, A-Z, `<`; the next index means no character.
  static let characters = 37

  private let request: InferenceRequest

  init(_ model: CompiledModel) throws {
    request = try InferenceRequest(model, of: "the line reader", inputs: Self.width * Self.height)
  }

  /// Returns the probability of each character in each slice along the line: `slices` rows of ``characters`` + 1
  /// values.
  func read(_ line: TextLine, in page: PageLuma) throws -> LineSlices {
    // A widely spaced line is compressed to fit, with a margin at both ends.
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
    // Normalised by the mean and deviation of the line's own strip: its surroundings may be another surface.
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
