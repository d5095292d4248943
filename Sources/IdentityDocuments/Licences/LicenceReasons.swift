/// What is wrong with a licence's code, its layout or one of its elements.
public struct LicenceFinding: Sendable, Hashable {
  /// The identifier of an element ("DAQ"), the type of a subfile ("DL"), or "header".
  public let place: String
  public let reason: DocumentReason

  public init(place: String, reason: DocumentReason) {
    self.place = place
    self.reason = reason
  }
}

extension DocumentReason {
  // MARK: Of the layout: what is read stays what it is.

  /// The first character is not "@".
  public static let complianceIndicatorMissing = DocumentReason(rawValue: "compliance-indicator-missing")
  /// Line feed, record separator or carriage return do not stand where they must.
  public static let separatorWrong = DocumentReason(rawValue: "separator-wrong")
  /// The file type is not "ANSI " but that of the standard's predecessor.
  public static let fileTypeWrong = DocumentReason(rawValue: "file-type-wrong")
  /// The header has not the length that its version has.
  public static let headerLengthWrong = DocumentReason(rawValue: "header-length-wrong")
  /// The number of entries is not that of the subfiles.
  public static let entryCountWrong = DocumentReason(rawValue: "entry-count-wrong")
  /// No subfile begins at its offset.
  public static let offsetWrong = DocumentReason(rawValue: "offset-wrong")
  /// The subfile is longer or shorter than its length.
  public static let lengthWrong = DocumentReason(rawValue: "length-wrong")
  /// A subfile that the header names is not there.
  public static let subfileMissing = DocumentReason(rawValue: "subfile-missing")
  /// The subfile is none of the standard, nor of this jurisdiction.
  public static let subfileTypeWrong = DocumentReason(rawValue: "subfile-type-wrong")
  /// The subfile does not end with a carriage return.
  public static let terminatorMissing = DocumentReason(rawValue: "terminator-missing")
  /// Something stands there that does not begin with the identifier of an element.
  public static let malformedElement = DocumentReason(rawValue: "malformed-element")

  // MARK: Of an element.

  /// The version is none that is known here.
  public static let unknownVersion = DocumentReason(rawValue: "unknown-version")
  /// No version of the standard has the element.
  public static let unknownElement = DocumentReason(rawValue: "unknown-element")
  /// The standard has the element, but not in this version, or not on this kind of card.
  public static let elementMisplaced = DocumentReason(rawValue: "element-misplaced")
  /// What the element says, its jurisdiction alone defines.
  public static let jurisdictionSpecific = DocumentReason(rawValue: "jurisdiction-specific")
  /// The standard demands the element.
  public static let elementMissing = DocumentReason(rawValue: "element-missing")
  /// The element is there twice; failed if it says two things.
  public static let elementRepeated = DocumentReason(rawValue: "element-repeated")
  /// The value is none of those that the standard has.
  public static let illegalValue = DocumentReason(rawValue: "illegal-value")
  /// A value of fixed length is shorter or longer by padding than it must be.
  public static let paddingWrong = DocumentReason(rawValue: "padding-wrong")
  /// The date is written in the other country's order. It can be no other date.
  public static let dateOrderWrong = DocumentReason(rawValue: "date-order-wrong")
  /// The date cannot be together with another one: born after the issue, expired before it.
  public static let datesDisagree = DocumentReason(rawValue: "dates-disagree")
  /// The value cannot be together with the issuer of the header, or that of another element.
  public static let valuesDisagree = DocumentReason(rawValue: "values-disagree")
  /// The address is in another jurisdiction than the issuer's: it may be.
  public static let addressElsewhere = DocumentReason(rawValue: "address-elsewhere")
  /// The name is not parted by commas, so that family and given names cannot be told.
  public static let nameUndivided = DocumentReason(rawValue: "name-undivided")
  /// The name was cut to fit.
  public static let nameTruncated = DocumentReason(rawValue: "name-truncated")
}
