internal import CVision

extension PixelBuffer {
  /// Finds cards and pages of the sizes of ISO/IEC 7810 by their edges, the most likely first.
  ///
  /// - Parameters:
  ///   - inside: The likelihoods of square cells, by rows of `width`, to be inside a document.
  ///   - edge: The same to be on its edge.
  ///   - most: The maximum number of documents.
  /// - Returns: Four corners of each, clockwise on the screen from any of them, which may be outside the picture, and the
  ///   ratio of its width to its height if the first is the upper left one.
  /// - Throws: ``VerifyError/Code/internalFailure`` if memory runs out.
  package func documentOutlines(
    inside: [Float], edge: [Float], width: Int, most: Int
  ) throws -> [(corners: [Point], ratio: Double)] {
    precondition(inside.count == edge.count && !edge.isEmpty && edge.count % width == 0, "both have the same rows")
    var found = [cvision_outline](repeating: .init(), count: most)
    var count = 0
    try inside.withUnsafeBufferPointer { inside in
      try edge.withUnsafeBufferPointer { edge in
        let likely = cvision_likelihoods(
          inside: inside.baseAddress, edge: edge.baseAddress, width: Int32(clamping: width),
          height: Int32(clamping: edge.count / width))
        try ImageCodec.checked { message in
          withImage { cvision_find_outlines($0, likely, &found, most, &count, message) }
        }
      }
    }
    return found.prefix(count).map { outline in
      let c = outline.corners
      let corners = [(c.0, c.1), (c.2, c.3), (c.4, c.5), (c.6, c.7)].map { Point(x: Double($0), y: Double($1)) }
      return (corners, Double(outline.ratio))
    }
  }

  /// The longest side of a rectified picture: the backend's coordinates have 16 bits.
  package static let rectifiedSide = 8192

  /// Returns the quadrilateral rectified to an upright rectangle, its first corner at the upper left; black outside the
  /// picture, and as a whole for corners too far outside.
  package func rectified(_ corners: [Point], width: Int, height: Int) -> PixelBuffer {
    precondition(corners.count == 4, "a quadrilateral has four corners")
    let across = corners[0].distance(to: corners[1]) + corners[3].distance(to: corners[2])
    // Means of squares first where the result has much fewer pixels: sampling alone uses few of them.
    let reduction = Int(max(1, min(across / 2 / Double(width), 64)))
    let side = max(reduction, max(self.width, self.height).dividedUp(by: 2 * Self.rectifiedSide))
    let numbers = corners.flatMap { [Float($0.x / Double(side)), Float($0.y / Double(side))] }
    return reduced(by: side).made(width, height) {
      cvision_rectify_colour($0, numbers, Int32(clamping: width), Int32(clamping: height), $1)
    }
  }
}
