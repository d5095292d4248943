/// Why a field of a document is not OK, or a check of it not passed.
public struct DocumentReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// The same as the finding of the machine readable zone: `check-digit-wrong`, `unknown-code` ….
  public init(_ reason: MRZReason) { rawValue = reason.rawValue }

  /// The document has no such field, or says nothing in it.
  public static let absent = DocumentReason(rawValue: "absent")
  /// A character was read with too little confidence.
  public static let lowConfidence = DocumentReason(rawValue: "low-confidence")
  /// Neither a check digit nor a signature nor a confidence vouches for it.
  public static let unverified = DocumentReason(rawValue: "unverified")
  /// Longer than the field may be; it is never cut.
  public static let valueTooLong = DocumentReason(rawValue: "value-too-long")
  /// The chip's data group is not the one that was signed.
  public static let dataGroupAltered = DocumentReason(rawValue: "data-group-altered")
  /// Chip and page differ, and the chip is not shown to be genuine.
  public static let sourcesDiffer = DocumentReason(rawValue: "sources-differ")
  /// A field is in error.
  public static let fieldError = DocumentReason(rawValue: "field-error")
  /// No machine readable zone was read, neither from the page nor from the chip.
  public static let noData = DocumentReason(rawValue: "no-data")
  /// The date of expiry is past.
  public static let expired = DocumentReason(rawValue: "expired")
  /// The date of expiry is not there, not reliable, or known in part.
  public static let expiryUnknown = DocumentReason(rawValue: "expiry-unknown")
  /// There is but one of page and chip.
  public static let oneSource = DocumentReason(rawValue: "one-source")
  /// No chip was read.
  public static let noChip = DocumentReason(rawValue: "no-chip")
  /// The chip's signature or hashes are wrong, see the passive authentication.
  public static let authenticationFailed = DocumentReason(rawValue: "authentication-failed")
  /// The chip could not be shown to be genuine, see the passive authentication.
  public static let authenticationNotChecked = DocumentReason(rawValue: "authentication-not-checked")
}
