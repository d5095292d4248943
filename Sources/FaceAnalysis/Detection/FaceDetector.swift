/// Finds faces in a picture. One object serves one thread.
package protocol FaceDetector: AnyObject {
  /// From this score on a detection is taken for a face without doubt.
  var sureScore: Double { get }

  /// The faces in the whole picture or a square of it, the largest first, ties from left to right and top to bottom.
  ///
  /// - Parameters:
  ///   - search: which sizes and turns to look for.
  func faces(in picture: PixelBuffer, search: FaceSearch) throws -> [DetectedFace]
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
}
