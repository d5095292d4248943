/// Finds the parts of a detected face. One object serves one thread.
package protocol LandmarkEstimator: AnyObject {
  /// Nil if there is no face after all.
  func landmarks(of face: DetectedFace, in picture: PixelBuffer) throws -> FaceLandmarks?

  /// The same face in the next picture of a stream, where it is near its last place; nil if it is not, or if a detector
  /// must find it anew.
  func landmarks(following last: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks?
}
