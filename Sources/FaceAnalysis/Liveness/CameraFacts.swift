/// What the caller knows of the camera that frames come from; a file has none.
public struct CameraFacts: Sendable, Hashable {
  /// The driver's name, such as "uvcvideo" or "v4l2 loopback".
  public var driver: String
  /// The device's name, such as "Integrated Camera".
  public var name: String

  public init(driver: String, name: String) {
    self.driver = driver
    self.name = name
  }
}
