/// Finds the parts of a detected face. One object serves one thread.
protocol LandmarkEstimator: AnyObject {
  /// Nil if there is no face after all.
  func landmarks(of face: DetectedFace, in picture: PixelBuffer) throws -> FaceLandmarks?
}
