/// A problem with a licence's code, its layout or one of its elements.
public struct LicenceFinding: Sendable, Hashable {
  /// The identifier of an element ("DAQ"), the type of a subfile ("DL"), or "header".
  public let place: String
  public let reason: DocumentReason

  public init(place: String, reason: DocumentReason) { (self.place, self.reason) = (place, reason) }
}

extension DocumentReason {
  // MARK: Of the layout: what is read stays what it is.

  /// The first character is not "@".
  public static let complianceIndicatorMissing = DocumentReason(rawValue: "compliance-indicator-missing")
  /// A line feed, record separator or carriage return is not where it must be.
  public static let separatorWrong = DocumentReason(rawValue: "separator-wrong")
  /// The file type is that of the standard's predecessor, not "ANSI ".
  public static let fileTypeWrong = DocumentReason(rawValue: "file-type-wrong")
  /// The header does not have the length of its version.
  public static let headerLengthWrong = DocumentReason(rawValue: "header-length-wrong")
  /// The number of entries does not match the subfiles.
  public static let entryCountWrong = DocumentReason(rawValue: "entry-count-wrong")
  /// No subfile begins at its offset.
  public static let offsetWrong = DocumentReason(rawValue: "offset-wrong")
  /// The subfile is longer or shorter than its length.
  public static let lengthWrong = DocumentReason(rawValue: "length-wrong")
  /// A subfile that the header names is missing.
  public static let subfileMissing = DocumentReason(rawValue: "subfile-missing")
  /// The subfile type is neither in the standard nor the jurisdiction's own.
  public static let subfileTypeWrong = DocumentReason(rawValue: "subfile-type-wrong")
  /// The subfile does not end with a carriage return.
  public static let terminatorMissing = DocumentReason(rawValue: "terminator-missing")
  /// Text does not begin with the identifier of an element.
  public static let malformedElement = DocumentReason(rawValue: "malformed-element")

  // MARK: Of an element.

  /// The version is unknown.
  public static let unknownVersion = DocumentReason(rawValue: "unknown-version")
  /// No version of the standard has the element.
  public static let unknownElement = DocumentReason(rawValue: "unknown-element")
  /// The element is in the standard, but not in this version or not for this kind of card.
  public static let elementMisplaced = DocumentReason(rawValue: "element-misplaced")
  /// Only the jurisdiction defines the meaning of the element.
  public static let jurisdictionSpecific = DocumentReason(rawValue: "jurisdiction-specific")
  /// A mandatory element is missing.
  public static let elementMissing = DocumentReason(rawValue: "element-missing")
  /// The element occurs twice; failed if the values differ.
  public static let elementRepeated = DocumentReason(rawValue: "element-repeated")
  /// The standard does not define the value.
  public static let illegalValue = DocumentReason(rawValue: "illegal-value")
  /// Padding makes a value of fixed length too short or too long.
  public static let paddingWrong = DocumentReason(rawValue: "padding-wrong")
  /// The date is in the other country's order; it can be no other date.
  public static let dateOrderWrong = DocumentReason(rawValue: "date-order-wrong")
  /// The date contradicts another one: born after the issue, expired before it.
  public static let datesDisagree = DocumentReason(rawValue: "dates-disagree")
  /// The value contradicts the issuer in the header, or another element.
  public static let valuesDisagree = DocumentReason(rawValue: "values-disagree")
  /// The address is in another jurisdiction than the issuer's, which is allowed.
  public static let addressElsewhere = DocumentReason(rawValue: "address-elsewhere")
  /// The name is not divided by commas, so family and given names cannot be distinguished.
  public static let nameUndivided = DocumentReason(rawValue: "name-undivided")
  /// The name was truncated.
  public static let nameTruncated = DocumentReason(rawValue: "name-truncated")
}
