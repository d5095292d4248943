/// The standard by which a face record is written.
public struct FaceRecordStandard: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let iso19794Edition2005 = Self(rawValue: "iso-19794-5-2005")
  public static let iso19794Edition2011 = Self(rawValue: "iso-19794-5-2011")
  public static let iso39794 = Self(rawValue: "iso-39794-5")
}
