/// Finds faces in a picture. One object serves one thread.
package protocol FaceDetector: AnyObject {
  /// From this score on a detection is taken for a face without doubt.
  var sureScore: Double { get }

  /// The faces in the whole picture or a square of it, the largest first, ties from left to right and top to bottom.
  ///
  /// - Parameters:
  ///   - search: which sizes and turns to look for.
  func faces(in picture: PixelBuffer, search: FaceSearch, budget: Budget) throws -> [DetectedFace]

  /// Whether a face that the landmarks doubt is also seen in a close view.
  ///
  /// - Parameter turn: degrees clockwise that bring it upright.
  func confirms(_ box: Rectangle, turn: Int, in picture: PixelBuffer) throws -> Bool
}

extension FaceDetector {
  package func confirms(_ box: Rectangle, turn: Int, in picture: PixelBuffer) throws -> Bool { true }
}

/// One pass over a picture. Passes go from the cheapest, which finds nearly every selfie, to the most patient.
package enum FaceSearch: Sendable, Equatable {
  /// The whole frame, as it stands.
  case frame
  /// The whole frame with a margin around it, for a face that fills or leaves the picture.
  case margin
  /// The whole frame turned clockwise by 90, 180 or 270 degrees.
  case turned(Int)
  /// Overlapping squares of this many pixels a side, for small faces.
  case tiles(Int)

  /// The middles of the squares of ``tiles(_:)``, row by row. They overlap by a quarter at least, three times the largest
  /// face that only this level finds.
  static func middles(ofTiles side: Int, in picture: PixelBuffer) -> [Point] {
    func starts(_ length: Int) -> [Int] {
      guard length > side else { return [(length - side) / 2] }
      let count = (length - side + side * 3 / 4 - 1) / (side * 3 / 4) + 1
      return (0..<count).map { $0 * (length - side) / (count - 1) }
    }
    let half = Double(side) / 2
    return starts(picture.height).flatMap { y in
      starts(picture.width).map { x in Point(x: Double(x) + half, y: Double(y) + half) }
    }
  }
}
