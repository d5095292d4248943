internal import Glibc

/// Tells photos of documents from photos of their prints and of displays that show them, by the screens of printers and
/// the pixels of displays, in patches at the photo's resolution (`training/originals`). Not thread-safe.
package final class CopyDetector {
  /// How likely a document is a copy, 0 to 1. The larger of both is the likelihood of any copy.
  package struct Scores: Sendable {
    package let print: Double
    package let display: Double

    package init(print: Double, display: Double) { (self.print, self.display) = (print, display) }
  }

  /// Pixels of the photo per millimetre of the document below which copies are not detected. (Chosen: on held simulated
  /// pages, the AUC is 0.97 for prints and 0.96 for displays from here on, 0.93 and 0.93 from 6 on.)
  package static let minimumResolution = 10.0
  /// Above it, the photo is reduced by half: the network was trained with up to 30 pixels per millimetre.
  package static let maximumResolution = 30.0

  /// The side of a patch in pixels, and the number of patches along the document's sides.
  private static let side = 64
  private static let (columns, rows) = (6, 4)
  /// The network judges groups of patches, spread over the document.
  private static let group = 4
  private static let groups = columns * rows / group
  private static let classes = 3
  /// The minimum number of groups on the document and in the picture. (Chosen.)
  private static let fewest = 3

  private let request: InferenceRequest

  package init(_ models: DocumentModels) throws {
    request = try InferenceRequest(
      models.copy()[0], of: "the detector of copies", inputs: Self.columns * Self.rows * 3 * Self.side * Self.side)
  }

  /// Returns the scores of a document; nil if too little of it is in the picture.
  ///
  /// - Parameter outline: The document in pixels of the picture.
  package func scores(of outline: PageOutline, in picture: PixelBuffer) throws -> Scores? {
    let corners = Self.patches(of: outline, in: picture)
    let groups = corners.count / Self.group
    guard groups >= Self.fewest else { return nil }
    // Groups without patches are not used.
    request.input.update(repeating: 0)
    for (number, corner) in corners.prefix(groups * Self.group).enumerated() {
      copy(corner, of: picture, to: number % groups * Self.group + number / groups)
    }
    try request.run()
    let output = try request.output(0, count: Self.groups * Self.classes)
    var mean = [Double](repeating: 0, count: Self.classes)
    for i in 0..<(groups * Self.classes) { mean[i % Self.classes] += Double(output[i]) / Double(groups) }
    let top = mean.max() ?? 0
    let likelihood = mean.map { exp($0 - top) }
    let total = likelihood.reduce(0, +)
    let (print, display) = (likelihood[1] / total, likelihood[2] / total)
    return print > display
      ? Scores(print: print + display, display: display) : Scores(print: print, display: print + display)
  }

  private func copy(_ corner: (x: Int, y: Int), of picture: PixelBuffer, to number: Int) {
    let area = Self.side * Self.side
    for y in 0..<Self.side {
      let row = 3 * ((corner.y + y) * picture.width + corner.x)
      let out = number * 3 * area + y * Self.side
      for x in 0..<Self.side {
        for channel in 0..<3 {
          request.input[out + channel * area + x] = Float(picture.rgb[row + 3 * x + channel]) / 255
        }
      }
    }
  }

  /// Returns the upper left corners of the patches: they are entirely on the document, and in the picture.
  private static func patches(of outline: PageOutline, in picture: PixelBuffer) -> [(x: Int, y: Int)] {
    var corners: [(x: Int, y: Int)] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let middle = outline.point(
          outline.width * (Double(column) + 0.5) / Double(columns), outline.height * (Double(row) + 0.5) / Double(rows))
        let (x, y) = (Int(middle.x) - side / 2, Int(middle.y) - side / 2)
        let isInside = x >= 0 && y >= 0 && x + side <= picture.width && y + side <= picture.height
        let isOnDocument = [(x, y), (x + side, y), (x, y + side), (x + side, y + side)].allSatisfy {
          outline.contains(Point(x: Double($0.0), y: Double($0.1)))
        }
        if isInside && isOnDocument { corners.append((x, y)) }
      }
    }
    return corners
  }
}
