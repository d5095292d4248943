/// Finds the landmarks of a detected face. Not thread-safe.
package protocol LandmarkEstimator: AnyObject {
  /// Returns the landmarks without the contours of the eyes; nil if the detection turns out not to be a face.
  func landmarks(of face: DetectedFace, in picture: PixelBuffer) throws -> FaceLandmarks?

  /// Returns the landmarks with the contours of the eyes, which only faces that are kept need.
  func addingEyes(to landmarks: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks

  /// Returns the same face in the next picture of a stream if it is near its last position; nil if it is not, or if the
  /// detector must find it again.
  func landmarks(following last: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks?
}

extension LandmarkEstimator {
  package func addingEyes(to landmarks: FaceLandmarks, in picture: PixelBuffer) throws -> FaceLandmarks { landmarks }
}
