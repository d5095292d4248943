/// Finds faces in a picture. Not thread-safe.
package protocol FaceDetector: AnyObject {
  /// A detection with at least this score is accepted as a face without confirmation.
  var sureScore: Double { get }

  /// Returns the faces in the whole picture or in squares of it, the largest first, ties from left to right and top to
  /// bottom.
  ///
  /// - Parameters:
  ///   - search: The sizes and rotations to search.
  func faces(in picture: PixelBuffer, search: FaceSearch, budget: Budget) throws -> [DetectedFace]

  /// Returns whether a face that the landmarks doubt is also found in a close view.
  ///
  /// - Parameter turn: The clockwise rotation in degrees that makes the face upright.
  func confirms(_ box: Rectangle, turn: Int, in picture: PixelBuffer) throws -> Bool
}

extension FaceDetector {
  package func confirms(_ box: Rectangle, turn: Int, in picture: PixelBuffer) throws -> Bool { true }
}

/// One search pass over a picture. Passes run from the cheapest, which finds nearly every selfie, to the most thorough.
package enum FaceSearch: Sendable, Equatable {
  /// The whole frame, unrotated.
  case frame
  /// The whole frame with a margin around it, for a face that fills the picture or extends beyond it.
  case margin
  /// The whole frame turned clockwise by 90, 180 or 270 degrees.
  case turned(Int)
  /// Overlapping squares with this side in pixels, for small faces.
  case tiles(Int)
  /// One square, with the picture turned clockwise by a multiple of 90 degrees.
  case square(Square)

  /// A square of a picture in which a face is expected, in pixels.
  package struct Square: Sendable, Equatable {
    let centre: Point
    let side: Double
    /// The clockwise rotation in degrees that makes the face upright: 0, 90, 180 or 270.
    let turn: Int

    package init(centre: Point, side: Double, turn: Int) {
      (self.centre, self.side, self.turn) = (centre, side, turn)
    }

    /// Returns the square in a picture that is `factor` times as small.
    func reduced(by factor: Int) -> Square {
      let scale = 1 / Double(factor)
      return Square(centre: centre.scaled(by: scale), side: side * scale, turn: turn)
    }
  }

  /// Returns the centres of the squares of ``tiles(_:)``, row by row. Adjacent squares overlap by at least a quarter,
  /// more than the largest face that only this level finds (a fifth: the next level's squares are twice as large).
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
