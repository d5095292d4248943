/// The kind of a document.
public struct DocumentType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  public static let passport = DocumentType(rawValue: "PASSPORT")
  public static let visa = DocumentType(rawValue: "VISA")
  public static let idCard = DocumentType(rawValue: "ID_CARD")
  public static let drivingLicense = DocumentType(rawValue: "DRIVING_LICENSE")
  public static let unknown = DocumentType(rawValue: "UNKNOWN")
}
