internal import CVision

/// A rotated rectangle around a line of text.
package struct TextRegion {
  package var centre: Point
  /// The side along ``angle`` and the other one; pixels. As detected, the longer one comes first.
  package var length, height: Double
  /// Radians, clockwise on the screen. As detected, it is the text's direction or the opposite; of single characters,
  /// that of the x-axis or the y-axis.
  package var angle: Double

  /// Returns the lines of text in the output of a network that detects them.
  ///
  /// - Parameter most: The maximum number of lines.
  package static func all(
    in likelihood: UnsafeBufferPointer<Float>, width: Int, height: Int, most: Int
  ) throws -> [TextRegion] {
    guard likelihood.count == width * height else {
      throw VerifyError(.modelMismatch, "a likelihood map of \(width)×\(height) has \(likelihood.count) numbers")
    }
    var found = [cvision_text_region](repeating: .init(), count: most)
    var count = 0
    try ImageCodec.checked {
      cvision_text_regions(likelihood.baseAddress, Int32(width), Int32(height), &found, most, &count, $0)
    }
    return found.prefix(count).map { region in
      let (width, height, angle) = (Double(region.width), Double(region.height), Double(region.angle))
      return TextRegion(
        centre: Point(x: Double(region.x), y: Double(region.y)), length: max(width, height),
        height: min(width, height), angle: width >= height ? angle : angle + .pi / 2)
    }
  }
}
