/// The machine-readable zone of a travel document or visa, parsed from its text (ICAO 9303, parts 3 to 7).
///
/// Parsing never repairs: errors stay as printed and are listed in ``findings``. A zone with wrong check digits or
/// unknown codes is a result; only text without the shape of a zone is an error.
public struct MachineReadableZone: Sendable, Hashable, JSONConvertible {
  public let format: MRZFormat
  /// Two or three lines, as printed.
  public let lines: [String]
  /// The same with every check digit recalculated; nothing else is changed.
  public let linesWithCorrectCheckDigits: [String]

  /// One or two characters: `P`, `PD`, `I`, `ID`.
  public let documentCode: String
  /// Up to three letters, see ``CountryName``.
  public let issuingState: String
  /// Up to three letters, see ``CountryName``. The old French identity card prints none; its holders are French.
  public let nationality: String
  /// The primary identifier, its components separated by spaces; empty if there is none.
  public let surname: String
  /// The secondary identifier, its components separated by spaces; empty if there is none.
  public let givenNames: String
  /// Whether the name fills its field up to a letter in the last position: it must then be treated as truncated (ICAO
  /// 9303-4, 4.2.3), even if it just fits.
  public let isNameTruncated: Bool
  /// Without trailing fillers; complete if it continues in the optional data. Fillers within it represent spaces or
  /// special characters.
  public let documentNumber: String
  public let dateOfBirth: MRZDate
  /// nil if the character has no known meaning on this document. Mexican voter's cards have H for male and M for female.
  public let sex: MRZSex?
  /// Absent if the document does not expire, or does not state it.
  public let dateOfExpiry: MRZDate
  /// The first optional data, without trailing fillers and without the rest of a long document number.
  public let optionalData: String
  /// The second optional data of TD1; nil in other formats.
  public let optionalData2: String?

  /// The check digits of the document number, the dates of birth and of expiry, the optional data, and the composite:
  /// always five.
  public let checkDigits: [MRZCheckDigit]
  /// Problems found, in the order of the fields; empty if there are none.
  public let findings: [MRZFinding]
  /// Fields that are not wrong, but cannot be judged, in the order of the fields: an unknown nationality, since states
  /// have codes of their own for people; a letter for the sex that a card has in its language; a name with fillers where
  /// ICAO 9303-3, 4.6, has none, so that its parts are uncertain; no date of birth, or none of expiry in a passport or
  /// visa, all of which expire (9303-4 and 9303-7, 4.2.2).
  public let remarks: [MRZFinding]

  package let layout: MRZLayout
  /// The continuation of a long document number, with its check digit.
  private let continuation: MRZSpan?

  /// Parses a zone, with or without line ends between the lines.
  ///
  /// - Parameters:
  ///   - text: two lines of 36 or 44 characters, or three of 30; only capital letters, digits and `<`.
  ///   - reference: the day that determines the centuries of dates: births are not after it (nor after the expiry),
  ///     expiries at most 50 years after it, with an unknown year if that would be before 2000.
  /// - Throws: ``VerifyError/Code/unknownFormat`` if the lines match no format, ``VerifyError/Code/damaged`` at a
  ///   character outside the alphabet, including small letters and spaces.
  public init(_ text: String, on reference: CalendarDate) throws { self.init(try MRZText(text), reference) }

  /// Whether a text is meant as a zone, and not as the name of a file: it has a filler, or is a line without one.
  package static func isText(_ text: String) -> Bool {
    text.contains("<") || text.utf8.count == 30 && text.utf8.allSatisfy(MRZCharacters.any.contains)
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
    let isCard = text.format == .td1 || text.format == .td2
    dateOfExpiry = MRZDate.expiry(
      layout.dateOfExpiry.map { text[$0] } ?? [], around: reference,
      isPermanent: isCard && CountryName.ofPermanentCards.contains(issuingState))
    checkDigits = MRZDigits.judge(text, layout)
    // A misprinted or misread expiry must not move the birth to another century.
    let isExpiryRight = checkDigits.contains { $0.field == .dateOfExpiry && $0.status == .passed }
    let limit = isExpiryRight ? dateOfExpiry.date?.latest.map { min($0, reference) } : nil
    dateOfBirth = MRZDate.birth(text[layout.dateOfBirth], notAfter: limit ?? reference)
    let letter = text.value(layout.sex)
    // On another Mexican card, M may be male or female.
    let meanings = layout == .mexicanCard ? ["H": "M", "M": "F"] : isCard && issuingState == "MEX" ? ["M": ""] : [:]
    sex = letter.isEmpty ? .unspecified : MRZSex(rawValue: meanings[letter] ?? letter)
    optionalData = text.value(number.optionalData)
    optionalData2 = layout.optionalData2.map { text.value($0) }

    var (findings, remarks): ([MRZFinding], [MRZFinding]) = ([], [])
    func find(_ field: MRZField, _ reason: DocumentReason) { findings.append(MRZFinding(field: field, reason: reason)) }
    func remark(_ field: MRZField, _ reason: DocumentReason) { remarks.append(.init(field: field, reason: reason)) }
    if text.isEmpty(layout.documentCode) {
      find(.documentCode, .empty)
    } else if !text.format.allows(documentCode: text[layout.documentCode]) {
      find(.documentCode, .invalidCharacters)
    }
    func isLetters(_ text: String) -> Bool { text.utf8.allSatisfy { 65...90 ~= $0 } }
    for (field, code) in [(MRZField.issuingState, issuingState), (.nationality, nationality)] {
      let isUnknown = CountryName.english(code) == nil
      if code.isEmpty {
        find(field, .empty)
      } else if isUnknown && field == .nationality && isLetters(code) {
        remark(field, .unknownCode)
      } else if isUnknown || field == .issuingState && CountryName.ofPersons.contains(code) {
        find(field, .unknownCode)
      }
    }
    if surname.isEmpty && givenNames.isEmpty { find(.name, .empty) }
    if name.hasDigits { find(.name, .invalidCharacters) }
    if name.hasOddFillers { remark(.name, .invalidCharacters) }
    if documentNumber.isEmpty { find(.documentNumber, .empty) }
    if !dateOfBirth.isValid { find(.dateOfBirth, .invalidDate) }
    if dateOfBirth.isAbsent { remark(.dateOfBirth, .empty) }
    if sex == nil {
      if isCard && isLetters(letter) { remark(.sex, .unverified) } else { find(.sex, .invalidCharacters) }
    }
    if !dateOfExpiry.isValid { find(.dateOfExpiry, .invalidDate) }
    // Cards without an end have fillers; zeros say nothing.
    if dateOfExpiry.isAbsent && (!isCard || dateOfExpiry.printed.contains("0")) { remark(.dateOfExpiry, .empty) }
    for digit in checkDigits where digit.status == .failed {
      find(digit.field, digit.printed == "<" ? .checkDigitMissing : .checkDigitWrong)
    }
    (self.findings, self.remarks) = (findings, remarks)
  }

  /// Whether several fields contradict the layout, as in lines that are cut off or shifted, or the check digit over two
  /// lines those of each, as in lines of different documents: then no field can be trusted, since one check digit in ten
  /// is right by chance.
  package var isMisaligned: Bool {
    let fields = Set(findings.map(\.field))
    let mayBeOptional = !optionalData.isEmpty || optionalData2?.isEmpty == false
    return fields.subtracting([.optionalData, .composite]).count > 1
      || fields == [.composite] && !mayBeOptional && Set(layout.composite.map(\.line)).count > 1
  }

  /// The type of document, by its code, which begins with P, V, or A, C and I (ICAO 9303, parts 4 to 7).
  public var documentType: DocumentType { DocumentKind.of(code: documentCode)?.type ?? .unknown }

  /// nil if the document's code is of no known kind.
  public var documentClass: DocumentClass? {
    layout == .russianPassport ? .internalPassport : DocumentClass(code: documentCode)
  }

  /// The personal number: the optional data of a passport, if not empty (ICAO 9303-4, 4.2.2.2).
  public var personalNumber: String? { format == .td3 && !optionalData.isEmpty ? optionalData : nil }

  /// Returns the status of a field: failed if it has a problem, passed if its own check digit is right, otherwise not
  /// checked.
  public func status(of field: MRZField) -> CheckStatus {
    if findings.contains(where: { $0.field == field }) { return .failed }
    return checkDigit(of: field)?.status ?? .notChecked
  }

  /// Returns the check digit of a field; nil for fields that have none in any format.
  public func checkDigit(of field: MRZField) -> MRZCheckDigit? { checkDigits.first { $0.field == field } }

  /// Returns the spans that a field is read from, including its check digit.
  package func spans(of field: MRZField) -> [MRZSpan] {
    layout.spans(of: field) + (field == .documentNumber ? [continuation].compactMap { $0 } : [])
  }

  public var jsonValue: JSONValue {
    [
      "format": .string(format.rawValue), "lines": lines.memberJSON,
      "linesWithCorrectCheckDigits": linesWithCorrectCheckDigits.memberJSON,
      "documentCode": .string(documentCode), "documentType": .string(documentType.rawValue),
      "documentClass": .optional(documentClass?.rawValue),
      "issuingState": .string(issuingState), "nationality": .string(nationality), "surname": .string(surname),
      "givenNames": .string(givenNames), "nameIsTruncated": .bool(isNameTruncated),
      "documentNumber": .string(documentNumber), "dateOfBirth": .optional(dateOfBirth.date?.description),
      "sex": .optional(sex?.rawValue), "dateOfExpiry": .optional(dateOfExpiry.date?.description),
      "optionalData": .string(optionalData), "optionalData2": .optional(optionalData2),
      "personalNumber": .optional(personalNumber), "checkDigits": checkDigits.jsonValue,
      "findings": findings.jsonValue, "remarks": remarks.jsonValue,
    ]
  }
}

/// A data element of a machine-readable zone (ICAO 9303, parts 4 to 7, section 4.2.2).
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
  /// The second field of optional data, only in TD1.
  public static let optionalData2 = MRZField(rawValue: "optional-data-2")
  /// All that the last check digit covers.
  public static let composite = MRZField(rawValue: "composite")
}

/// A problem with a field of a machine-readable zone.
public struct MRZFinding: Sendable, Hashable, JSONConvertible {
  public let field: MRZField
  public let reason: DocumentReason

  public init(field: MRZField, reason: DocumentReason) { (self.field, self.reason) = (field, reason) }

  public var jsonValue: JSONValue { ["field": .string(field.rawValue), "reason": .string(reason.rawValue)] }
}

/// Why a field of a machine-readable zone is unreliable.
extension DocumentReason {
  /// The check digit does not match the characters.
  public static let checkDigitWrong = DocumentReason(rawValue: "check-digit-wrong")
  /// A filler is in place of a required check digit.
  public static let checkDigitMissing = DocumentReason(rawValue: "check-digit-missing")
  /// No State, organization or other entity has the code, or only persons without a nationality.
  public static let unknownCode = DocumentReason(rawValue: "unknown-code")
  /// The calendar has no such day, or the event cannot have been on it: a birth or an issue in the future.
  public static let invalidDate = DocumentReason(rawValue: "invalid-date")
  /// The field has a character that it must not have, such as a digit in a name.
  public static let invalidCharacters = DocumentReason(rawValue: "invalid-characters")
  /// Only fillers, in a mandatory field.
  public static let empty = DocumentReason(rawValue: "empty")
}

/// The sex of the holder (ICAO 9303-4, 4.2.2.2).
public enum MRZSex: String, Sendable, Hashable, CaseIterable, Codable {
  case female = "F"
  case male = "M"
  /// `<` in the machine-readable zone, X in the visual inspection zone.
  case unspecified = "X"
}
