/// What is known of a session before its first frame.
package struct LivenessContext: Sendable {
  /// Nil in a model set without one: then nobody can be told from anybody.
  package let calibration: Calibration?
  /// The person who is expected.
  package let portrait: FaceTemplate?
  package let camera: CameraFacts?

  package init(calibration: Calibration?, portrait: FaceTemplate? = nil, camera: CameraFacts? = nil) {
    self.calibration = calibration
    self.portrait = portrait
    self.camera = camera
  }
}
