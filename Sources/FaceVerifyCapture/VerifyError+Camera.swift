public import FaceVerify

extension VerifyError.Code {
  /// There is no such device, or it gives no pictures.
  public static let notACamera = Self(rawValue: "not-a-camera")
  /// This user may not use the camera.
  public static let cameraNotPermitted = Self(rawValue: "camera-not-permitted")
  /// Another program uses the camera.
  public static let cameraBusy = Self(rawValue: "camera-busy")
  /// The camera went away, or gave no more pictures.
  public static let cameraLost = Self(rawValue: "camera-lost")
}
