/// A value of a document and its reliability.
public struct DocumentField: Sendable, Hashable, JSONConvertible {
  /// nil if the document has none.
  public let value: String?
  /// Passed: a check digit, the chip's signature, or a confident reading verifies the value. Failed: the value must not
  /// be used, because a check digit is wrong, a code is unknown, or the chip's data were changed. Not checked: nothing
  /// verifies the value.
  public let status: CheckStatus
  /// nil if the status is ``CheckStatus/passed``.
  public let reason: DocumentReason?

  public static func passed(_ value: String?) -> Self { Self(value: value, status: .passed, reason: nil) }
  public static func failed(_ value: String?, _ reason: DocumentReason) -> Self {
    Self(value: value, status: .failed, reason: reason)
  }
  public static func notChecked(_ value: String?, _ reason: DocumentReason) -> Self {
    Self(value: value, status: .notChecked, reason: reason)
  }

  /// The value of a field that the document lacks.
  public static let absent = notChecked(nil, .absent)

  /// Returns another value with the same reliability.
  func with(_ value: String?) -> Self { Self(value: value, status: status, reason: reason) }

  public var jsonValue: JSONValue {
    ["value": .optional(value), "status": .string(status.rawValue), "reason": .optional(reason?.rawValue)]
  }
}

/// The name of a field of ``DocumentData``: its key in JSON.
public struct DocumentFieldName: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  public static let documentNumber = Self(rawValue: "documentNumber")
  /// All dates are formatted by ``PartialDate``.
  public static let dateOfExpiry = Self(rawValue: "dateOfExpiry")
  public static let dateOfBirth = Self(rawValue: "dateOfBirth")
  /// Whole years on the day of the report.
  public static let age = Self(rawValue: "age")
  public static let personalNumber = Self(rawValue: "personalNumber")
  /// M, F or X.
  public static let sex = Self(rawValue: "sex")
  /// A code of up to three letters (ICAO 9303-3, section 5).
  public static let issuingStateCode = Self(rawValue: "issuingStateCode")
  /// The state's name in English.
  public static let issuingState = Self(rawValue: "issuingState")
  /// From the chip's data group 12, or a licence's code.
  public static let dateOfIssue = Self(rawValue: "dateOfIssue")
  public static let nationalityCode = Self(rawValue: "nationalityCode")
  public static let nationality = Self(rawValue: "nationality")
  public static let givenNames = Self(rawValue: "givenNames")
  public static let surname = Self(rawValue: "surname")
  public static let surnameAndGivenNames = Self(rawValue: "surnameAndGivenNames")
  /// One or two characters: `P`, `PD`, `I`.
  public static let documentCode = Self(rawValue: "documentCode")
  public static let documentNumberCheckDigit = Self(rawValue: "documentNumberCheckDigit")
  public static let dateOfBirthCheckDigit = Self(rawValue: "dateOfBirthCheckDigit")
  public static let dateOfExpiryCheckDigit = Self(rawValue: "dateOfExpiryCheckDigit")
  public static let optionalDataCheckDigit = Self(rawValue: "optionalDataCheckDigit")
  public static let compositeCheckDigit = Self(rawValue: "compositeCheckDigit")
  public static let optionalData = Self(rawValue: "optionalData")
  public static let optionalData2 = Self(rawValue: "optionalData2")
  /// Whole months from the day of the report to the expiry; 0 once the document has expired.
  public static let monthsToExpiry = Self(rawValue: "monthsToExpiry")
  /// ``MRZFormat`` of the zone.
  public static let mrzFormat = Self(rawValue: "mrzFormat")
  /// The lines of the zone, with line ends between them.
  public static let mrzLines = Self(rawValue: "mrzLines")
  /// The same with every check digit recalculated.
  public static let mrzLinesWithCorrectCheckDigits = Self(rawValue: "mrzLinesWithCorrectCheckDigits")
  /// The subject of the document signer's certificate, and its period of validity.
  public static let signerSubject = Self(rawValue: "signerSubject")
  public static let signerValidFrom = Self(rawValue: "signerValidFrom")
  public static let signerValidTo = Self(rawValue: "signerValidTo")
  /// From the chip's data group 11.
  public static let placeOfBirth = Self(rawValue: "placeOfBirth")
  /// From the chip's data group 11, the whole address; from a licence's code, the street.
  public static let address = Self(rawValue: "address")
  /// City, state or province, and postal code of the address in a licence's code.
  public static let city = Self(rawValue: "city")
  public static let subdivision = Self(rawValue: "subdivision")
  public static let postalCode = Self(rawValue: "postalCode")
  /// From the printed text, see ``VisualZone``.
  public static let issuingAuthority = Self(rawValue: "issuingAuthority")
  /// From the printed text of a licence of the EU: its categories with commas between them.
  public static let vehicleCategories = Self(rawValue: "vehicleCategories")
  /// From the printed text: six digits, which open a chip.
  public static let cardAccessNumber = Self(rawValue: "cardAccessNumber")
  /// The state or province that issued a licence, by the issuer's number: two letters.
  public static let issuingJurisdiction = Self(rawValue: "issuingJurisdiction")

  /// All names, in display order.
  public static let allCases: [Self] = [
    .documentNumber, .dateOfExpiry, .dateOfBirth, .age, .personalNumber, .sex, .issuingStateCode, .issuingState,
    .dateOfIssue, .nationalityCode, .nationality, .givenNames, .surname, .surnameAndGivenNames, .documentCode,
    .documentNumberCheckDigit, .dateOfBirthCheckDigit, .dateOfExpiryCheckDigit, .optionalDataCheckDigit,
    .compositeCheckDigit, .optionalData, .optionalData2, .monthsToExpiry, .mrzFormat, .mrzLines,
    .mrzLinesWithCorrectCheckDigits, .signerSubject, .signerValidFrom, .signerValidTo, .placeOfBirth, .address,
    .city, .subdivision, .postalCode, .issuingJurisdiction, .issuingAuthority, .vehicleCategories, .cardAccessNumber,
  ]

  /// The number of characters that the identity-check SDK specifications reserve for the value; nil if they set no limit.
  /// Documents have longer values, which are never truncated here.
  public var limit: Int? {
    switch self {
    case .surname, .givenNames, .documentNumber: 100
    case .issuingStateCode, .nationalityCode, .subdivision: 3
    case .postalCode: 15
    case .placeOfBirth: 255
    case .address, .city: 64
    case .optionalData, .optionalData2: 50
    default: nil
    }
  }
}

/// Why a field or a check of a document did not pass.
public struct DocumentReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// The document has no such field, or the field is empty.
  public static let absent = DocumentReason(rawValue: "absent")
  /// A character was read with too little confidence.
  public static let lowConfidence = DocumentReason(rawValue: "low-confidence")
  /// No check digit, signature or confidence verifies the value.
  public static let unverified = DocumentReason(rawValue: "unverified")
  /// Longer than the standard of the document allows; it is never truncated.
  public static let valueTooLong = DocumentReason(rawValue: "value-too-long")
  /// The chip's data group does not match what was signed.
  public static let dataGroupAltered = DocumentReason(rawValue: "data-group-altered")
  /// Two sources differ, and no authenticated chip decides between them; or two data groups of one chip.
  public static let sourcesDiffer = DocumentReason(rawValue: "sources-differ")
  /// Two sides of the document show different people.
  public static let portraitsDiffer = DocumentReason(rawValue: "portraits-differ")
  /// The faces on two sides are neither alike nor different enough to decide.
  public static let portraitsUnclear = DocumentReason(rawValue: "portraits-unclear")
  /// A field failed.
  public static let fieldError = DocumentReason(rawValue: "field-error")
  /// No machine-readable zone was read, neither from the page nor from the chip.
  public static let noData = DocumentReason(rawValue: "no-data")
  /// The date of expiry has passed.
  public static let expired = DocumentReason(rawValue: "expired")
  /// The date of expiry is missing, unreliable, or only partly known.
  public static let expiryUnknown = DocumentReason(rawValue: "expiry-unknown")
  /// Only one of two sources was read, so there is nothing to compare.
  public static let oneSource = DocumentReason(rawValue: "one-source")
  /// No chip was given.
  public static let noChip = DocumentReason(rawValue: "no-chip")
  /// A page was given, but its machine-readable zone cannot be read, so it verifies nothing.
  public static let pageUnreadable = DocumentReason(rawValue: "page-unreadable")
  /// A check of the page's picture failed: it may be a copy, cut off, blurred or under glare.
  public static let pageRejected = DocumentReason(rawValue: "page-rejected")
  /// No portrait was found on the page with the zone.
  public static let noPortrait = DocumentReason(rawValue: "no-portrait")
  /// The visible digital seal is not genuine, not in date, or of another document.
  public static let sealInvalid = DocumentReason(rawValue: "seal-invalid")
  /// The chip was given, but its machine-readable zone, EF.DG1, is missing or cannot be read.
  public static let chipUnreadable = DocumentReason(rawValue: "chip-unreadable")
  /// The chip's EF.SOD is missing or cannot be read, or its signature cannot be checked.
  public static let sodUnusable = DocumentReason(rawValue: "sod-unusable")
  /// The chip's portrait, EF.DG2, is missing, cannot be read, or shows no face.
  public static let portraitUnreadable = DocumentReason(rawValue: "portrait-unreadable")
  /// A mandatory file is missing (``ChipContents/missing``), or the chip did not finish proving that it is not a copy.
  public static let chipIncomplete = DocumentReason(rawValue: "chip-incomplete")
  /// The chip was read live, and failed what its signed data announce: see ``ChipProof``.
  public static let cloneSuspected = DocumentReason(rawValue: "clone-suspected")
  /// The chip's signature or hashes are wrong; see the passive authentication.
  public static let authenticationFailed = DocumentReason(rawValue: "authentication-failed")
  /// The chip could not be shown to be genuine; see the passive authentication.
  public static let authenticationNotChecked = DocumentReason(rawValue: "authentication-not-checked")
}
