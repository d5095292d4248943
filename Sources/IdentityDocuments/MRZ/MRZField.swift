/// A data element of a machine readable zone (ICAO 9303, parts 4 to 7, section 4.2.2).
public struct MRZField: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  public static let documentCode = MRZField(rawValue: "document-code")
  public static let issuingState = MRZField(rawValue: "issuing-state")
  /// Primary and secondary identifier.
  public static let name = MRZField(rawValue: "name")
  public static let documentNumber = MRZField(rawValue: "document-number")
  public static let nationality = MRZField(rawValue: "nationality")
  public static let dateOfBirth = MRZField(rawValue: "date-of-birth")
  public static let sex = MRZField(rawValue: "sex")
  public static let dateOfExpiry = MRZField(rawValue: "date-of-expiry")
  /// Optional data; in a passport the personal number.
  public static let optionalData = MRZField(rawValue: "optional-data")
  /// The second field of optional data, of TD1 alone.
  public static let optionalData2 = MRZField(rawValue: "optional-data-2")
  /// What the last check digit covers.
  public static let composite = MRZField(rawValue: "composite")
}
