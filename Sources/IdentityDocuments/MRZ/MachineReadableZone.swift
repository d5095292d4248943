/// The machine readable zone of a travel document or visa, read from its text (ICAO 9303, parts 3 to 7).
///
/// Reading never repairs: what is wrong stays as printed and is named in ``findings``. A zone with wrong check digits
/// or unknown codes is a result; only text that has not the shape of a zone is an error.
public struct MachineReadableZone: Sendable, Hashable {
  public let format: MRZFormat
  /// Two or three lines, as printed.
  public let lines: [String]
  /// The same with every check digit calculated anew; nothing else is changed.
  public let linesWithCorrectCheckDigits: [String]

  /// One or two characters: `P`, `PD`, `I`, `ID`.
  public let documentCode: String
  /// Up to three letters, see ``CountryName``.
  public let issuingState: String
  /// Up to three letters, see ``CountryName``. The old French identity card has none printed; its holders are French.
  public let nationality: String
  /// The primary identifier, its parts parted by spaces; empty if there is none.
  public let surname: String
  /// The secondary identifier, its parts parted by spaces; empty if there is none.
  public let givenNames: String
  /// The name fills its field up to a letter in the last place: it must be taken as cut off (ICAO 9303-4, 4.2.3), even
  /// if it just fits.
  public let isNameTruncated: Bool
  /// Without fillers at the end; whole where it goes on in the optional data. Fillers inside stand for spaces or
  /// special characters.
  public let documentNumber: String
  public let dateOfBirth: MRZDate
  /// nil if the character is none that the standard has.
  public let sex: MRZSex?
  /// Absent where the document does not expire, or does not say.
  public let dateOfExpiry: MRZDate
  /// The first optional data, without fillers at the end and without what belongs to a long document number.
  public let optionalData: String
  /// The second optional data, of TD1; nil in other formats.
  public let optionalData2: String?

  /// The check digits of the document number, the dates of birth and of expiry, the optional data, and the composite:
  /// always five.
  public let checkDigits: [MRZCheckDigit]
  /// What is wrong, in the order of the fields. Empty if all is well.
  public let findings: [MRZFinding]

  package let layout: MRZLayout
  /// Where a long document number goes on, with its check digit.
  private let continuation: MRZSpan?

  /// Reads a zone from text, with or without line ends between the lines.
  ///
  /// - Parameters:
  ///   - text: two lines of 36 or 44 characters, or three of 30; capital letters, digits and `<` alone.
  ///   - reference: the day on which the document is looked at, for the centuries of its dates: births are not after it
  ///     (nor after the expiry), expiries at most 50 years after it.
  /// - Throws: ``VerifyError/Code/unknownFormat`` if the lines are of no format, ``VerifyError/Code/damaged`` at a
  ///   character that no zone has, small letters and spaces among them.
  public init(_ text: String, on reference: CalendarDate) throws {
    self.init(try MRZText(text), reference)
  }

  private init(_ text: MRZText, _ reference: CalendarDate) {
    let layout = MRZLayout.of(text.format, firstLine: text.lines[0])
    self.layout = layout
    format = text.format
    lines = text.strings
    linesWithCorrectCheckDigits = MRZDigits.corrected(text, layout).strings

    documentCode = text.value(layout.documentCode)
    issuingState = text.value(layout.issuingState)
    nationality = layout.nationality.map { text.value($0) } ?? issuingState
    let name = MRZName(text, layout)
    surname = name.surname
    givenNames = name.givenNames
    isNameTruncated = name.isTruncated
    let number = MRZNumber(text, layout)
    documentNumber = String(decoding: number.number, as: UTF8.self)
    continuation =
      number.isLong
      ? MRZSpan(number.digit.line, layout.optionalData.columns.lowerBound..<number.digit.columns.upperBound) : nil
    dateOfExpiry = MRZDate.expiry(layout.dateOfExpiry.map { text[$0] } ?? [], around: reference)
    checkDigits = MRZDigits.judge(text, layout)
    // An expiry that was not printed or read rightly must not move the birth to another century.
    let isExpiryRight = checkDigits.contains { $0.field == .dateOfExpiry && $0.status == .passed }
    let limit = isExpiryRight ? dateOfExpiry.date?.latest.map { min($0, reference) } : nil
    dateOfBirth = MRZDate.birth(text[layout.dateOfBirth], notAfter: limit ?? reference)
    sex =
      switch text[layout.sex] {
      case [UInt8(ascii: "F")]: .female
      case [UInt8(ascii: "M")]: .male
      case [UInt8(ascii: "X")], [MRZText.filler]: .unspecified
      default: nil
      }
    optionalData = text.value(number.optionalData)
    optionalData2 = layout.optionalData2.map { text.value($0) }

    var findings: [MRZFinding] = []
    func find(_ field: MRZField, _ reason: MRZReason) { findings.append(MRZFinding(field: field, reason: reason)) }
    if text.isEmpty(layout.documentCode) { find(.documentCode, .empty) }
    for (field, code) in [(MRZField.issuingState, issuingState), (.nationality, nationality)] {
      if code.isEmpty { find(field, .empty) } else if CountryName.english(code) == nil { find(field, .unknownCode) }
    }
    if surname.isEmpty { find(.name, .empty) }
    if name.hasDigits { find(.name, .invalidCharacters) }
    if documentNumber.isEmpty { find(.documentNumber, .empty) }
    if !dateOfBirth.isValid { find(.dateOfBirth, .invalidDate) }
    if sex == nil { find(.sex, .invalidCharacters) }
    if !dateOfExpiry.isValid { find(.dateOfExpiry, .invalidDate) }
    for digit in checkDigits where digit.status == .failed {
      find(digit.field, digit.printed == "<" ? .checkDigitMissing : .checkDigitWrong)
    }
    self.findings = findings
  }

  /// The kind of document, by the first letter of its code: P, V, or A, C and I (ICAO 9303, parts 4 to 7).
  public var documentType: DocumentType {
    switch documentCode.first {
    case "P": .passport
    case "V": .visa
    case "A", "C", "I": .idCard
    default: .unknown
    }
  }

  /// Optional data that are a personal number: those of passports, where they are not empty (ICAO 9303-4, 4.2.2.2).
  public var personalNumber: String? { format == .td3 && !optionalData.isEmpty ? optionalData : nil }

  /// How a field came out: failed if anything is wrong with it, passed if its own check digit is right, else not
  /// checked, for nothing vouches for it.
  public func status(of field: MRZField) -> CheckStatus {
    if findings.contains(where: { $0.field == field }) { return .failed }
    return checkDigit(of: field)?.status ?? .notChecked
  }

  /// nil for fields that have no check digit in any format.
  public func checkDigit(of field: MRZField) -> MRZCheckDigit? { checkDigits.first { $0.field == field } }

  /// The characters that a field was read from, with its check digit.
  package func spans(of field: MRZField) -> [MRZSpan] {
    layout.spans(of: field) + (field == .documentNumber ? [continuation].compactMap { $0 } : [])
  }
}

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

/// What is wrong with a field of a machine readable zone.
public struct MRZFinding: Sendable, Hashable {
  public let field: MRZField
  public let reason: MRZReason

  public init(field: MRZField, reason: MRZReason) {
    self.field = field
    self.reason = reason
  }
}

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

/// The sex of the holder (ICAO 9303-4, 4.2.2.2).
public enum MRZSex: String, Sendable, Hashable, CaseIterable, Codable {
  case female = "F"
  case male = "M"
  /// `<` in the machine readable zone, X in the visual one.
  case unspecified = "X"
}
