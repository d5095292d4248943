/// The name of a field of ``DocumentData``, as it stands in JSON.
public struct DocumentFieldName: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  public static let documentNumber = Self(rawValue: "documentNumber")
  /// As ``PartialDate`` writes it, as all dates here.
  public static let dateOfExpiry = Self(rawValue: "dateOfExpiry")
  public static let dateOfBirth = Self(rawValue: "dateOfBirth")
  /// Whole years on the day of the report.
  public static let age = Self(rawValue: "age")
  public static let personalNumber = Self(rawValue: "personalNumber")
  /// M, F or X.
  public static let sex = Self(rawValue: "sex")
  /// Up to three letters of ICAO 9303-3, section 5.
  public static let issuingStateCode = Self(rawValue: "issuingStateCode")
  /// In English.
  public static let issuingState = Self(rawValue: "issuingState")
  /// From the chip's data group 12.
  public static let dateOfIssue = Self(rawValue: "dateOfIssue")
  public static let nationalityCode = Self(rawValue: "nationalityCode")
  public static let nationality = Self(rawValue: "nationality")
  public static let givenNames = Self(rawValue: "givenNames")
  public static let surname = Self(rawValue: "surname")
  public static let surnameAndGivenNames = Self(rawValue: "surnameAndGivenNames")
  public static let documentClassCode = Self(rawValue: "documentClassCode")
  public static let documentNumberCheckDigit = Self(rawValue: "documentNumberCheckDigit")
  public static let dateOfBirthCheckDigit = Self(rawValue: "dateOfBirthCheckDigit")
  public static let dateOfExpiryCheckDigit = Self(rawValue: "dateOfExpiryCheckDigit")
  public static let optionalDataCheckDigit = Self(rawValue: "optionalDataCheckDigit")
  public static let finalCheckDigit = Self(rawValue: "finalCheckDigit")
  public static let optionalData = Self(rawValue: "optionalData")
  public static let optionalData2 = Self(rawValue: "optionalData2")
  public static let cardAccessNumber = Self(rawValue: "cardAccessNumber")
  /// Whole months from the day of the report to the expiry; 0 once it is past.
  public static let remainderTerm = Self(rawValue: "remainderTerm")
  /// 0 is ID-1, 1 is ID-2, 2 is ID-3.
  public static let mrzType = Self(rawValue: "mrzType")
  /// The lines, with line ends between them.
  public static let mrzStrings = Self(rawValue: "mrzStrings")
  public static let mrzStringsWithCorrectCheckSums = Self(rawValue: "mrzStringsWithCorrectCheckSums")
  public static let dsCertificateSubject = Self(rawValue: "dsCertificateSubject")
  public static let dsCertificateValidFrom = Self(rawValue: "dsCertificateValidFrom")
  public static let dsCertificateValidTo = Self(rawValue: "dsCertificateValidTo")
  /// From the chip's data group 11.
  public static let placeOfBirth = Self(rawValue: "placeOfBirth")
  /// From the chip's data group 11.
  public static let address = Self(rawValue: "address")

  /// All, in the order in which they are shown.
  public static let all: [Self] = [
    .documentNumber, .dateOfExpiry, .dateOfBirth, .age, .personalNumber, .sex, .issuingStateCode, .issuingState,
    .dateOfIssue, .nationalityCode, .nationality, .givenNames, .surname, .surnameAndGivenNames, .documentClassCode,
    .documentNumberCheckDigit, .dateOfBirthCheckDigit, .dateOfExpiryCheckDigit, .optionalDataCheckDigit,
    .finalCheckDigit, .optionalData, .optionalData2, .cardAccessNumber, .remainderTerm, .mrzType, .mrzStrings,
    .mrzStringsWithCorrectCheckSums, .dsCertificateSubject, .dsCertificateValidFrom, .dsCertificateValidTo,
    .placeOfBirth, .address,
  ]

  /// The most characters that the value may have, as clients store it; nil if they set none.
  public var limit: Int? {
    switch self {
    case .surname, .givenNames, .documentNumber: 100
    case .issuingStateCode, .nationalityCode: 3
    case .placeOfBirth: 255
    case .address: 64
    case .optionalData, .optionalData2: 50
    default: nil
    }
  }
}
