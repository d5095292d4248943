/// Why a field of a machine readable zone cannot be relied on.
public struct MRZReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// The check digit is not that of the characters.
  public static let checkDigitWrong = MRZReason(rawValue: "check-digit-wrong")
  /// A filler stands where a check digit must be.
  public static let checkDigitMissing = MRZReason(rawValue: "check-digit-missing")
  /// No State, organization or other entity has the code.
  public static let unknownCode = MRZReason(rawValue: "unknown-code")
  /// The calendar has no such day.
  public static let invalidDate = MRZReason(rawValue: "invalid-date")
  /// The characters are none that the field may have, as a digit in a name.
  public static let invalidCharacters = MRZReason(rawValue: "invalid-characters")
  /// Nothing but fillers, in a field that must be filled.
  public static let empty = MRZReason(rawValue: "empty")
}
