/// Finds documents by their edges: a network determines where documents and their edges are likely (`training/outlines`),
/// and straight edges of the picture there determine the corners. Not thread-safe.
package final class DocumentFinder {
  /// The side of the network's input in pixels; the picture is scaled to fit, at the upper left.
  private static let side = 256
  /// The side in pixels of the cell to which each network output applies.
  private static let cell = 2
  private static let cells = side / cell
  /// Around the picture: the middle of the values.
  private static let empty: Float = 127.5
  private static let mostDocuments = 8

  private let request: InferenceRequest

  package init(_ models: DocumentModels) throws {
    request = try InferenceRequest(models.copy()[0], of: "the document finder", inputs: 3 * Self.side * Self.side)
  }

  /// Returns the documents of a picture, the most likely first: of ID-1, or of ID-2, from which the shape of ID-3 differs by
  /// 0.1 % (ISO/IEC 7810, 5.1). Their longer sides are the upper and lower ones, as near to upright as they can be.
  package func outlines(in picture: PixelBuffer) throws -> [PageOutline] {
    let scale = Double(Self.side) / Double(max(picture.width, picture.height))
    let width = max(1, Int((Double(picture.width) * scale).rounded()))
    let height = max(1, Int((Double(picture.height) * scale).rounded()))
    let small = picture.resized(width: width, height: height)
    request.input.update(repeating: Self.empty)
    for channel in 0..<3 {
      for y in 0..<height {
        let (row, out) = (3 * y * width + channel, (channel * Self.side + y) * Self.side)
        for x in 0..<width { request.input[out + x] = Float(small.rgb[row + 3 * x]) }
      }
    }
    try request.run()
    let output = try request.output(0, count: 2 * Self.cells * Self.cells)
    let (columns, rows) = (width.dividedUp(by: Self.cell), height.dividedUp(by: Self.cell))
    /// The part of a map that is in the picture.
    func map(_ number: Int) -> [Float] {
      (0..<rows).flatMap { y in
        let start = (number * Self.cells + y) * Self.cells
        return output[start..<start + columns]
      }
    }
    let found = try picture.documentOutlines(inside: map(0), edge: map(1), width: columns, most: Self.mostDocuments)
    return found.compactMap { PageOutline(corners: $0.corners, ratio: $0.ratio) }
  }
}
