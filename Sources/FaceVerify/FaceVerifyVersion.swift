/// The version of this library (semantic versioning).
public enum FaceVerifyVersion {
  public static let string = "0.2.0"
}
