/// Finds the landmarks of a detected face. Not thread-safe.
package protocol LandmarkEstimator: AnyObject {
  /// Returns nil if the detection turns out not to be a face.
  func landmarks(of face: DetectedFace, in picture: PixelBuffer) throws -> FaceLandmarks?

  /// Returns the same face in the next picture of a stream if it is near its last position; nil if it is not, or if the
  /// detector must find it again.
  func landmarks(following last: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks?
}
