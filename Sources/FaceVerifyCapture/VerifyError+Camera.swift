public import FaceVerify

extension VerifyError.Code {
  /// There is no such device, or it delivers no frames.
  public static let notACamera = Self(rawValue: "not-a-camera")
  /// The user has no permission for the camera.
  public static let cameraNotPermitted = Self(rawValue: "camera-not-permitted")
  /// Another program uses the camera.
  public static let cameraBusy = Self(rawValue: "camera-busy")
  /// The camera was disconnected, or stopped delivering frames.
  public static let cameraLost = Self(rawValue: "camera-lost")
}
