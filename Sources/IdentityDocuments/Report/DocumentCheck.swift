/// One check of a document.
public struct DocumentCheck: Sendable, Hashable {
  public struct Name: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// No field is in error, and those that make out the holder and the document are OK.
    public static let validation = Name(rawValue: "validation")
    /// The document is valid on the day of the report.
    public static let expiry = Name(rawValue: "expiry")
    /// The machine readable zones of page and chip say the same.
    public static let mrzMatchesChip = Name(rawValue: "mrz-matches-chip")
    /// As the passive authentication came out.
    public static let passiveAuthentication = Name(rawValue: "passive-authentication")
  }

  public let name: Name
  public let status: CheckStatus
  /// nil if passed.
  public let reason: DocumentReason?
}
