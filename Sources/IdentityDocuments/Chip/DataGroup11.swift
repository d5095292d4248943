/// EF.DG11: additional personal details (ICAO Doc 9303-10, 4.7.11). Every field is optional.
public struct DataGroup11: Sendable, Hashable, JSONConvertible {
  /// The full name in national characters, as stored: `PRIMARY<<SECONDARY`.
  public let fullName: String?
  public let otherNames: [String]
  public let personalNumber: String?
  public let dateOfBirth: PartialDate?
  /// Components, such as town and state.
  public let placeOfBirth: [String]
  public let address: [String]
  public let telephone: String?
  public let profession: String?
  public let title: String?
  public let personalSummary: String?
  /// An image.
  public let proofOfCitizenship: [UInt8]?
  public let otherTravelDocumentNumbers: [String]
  public let custodyInformation: String?

  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(_ bytes: [UInt8]) throws {
    let fields = try DetailFields(bytes, tag: 0x6B)
    fullName = fields.text(0x5F0E)
    otherNames = fields.repeated(0x5F0F)
    personalNumber = fields.text(0x5F10)
    dateOfBirth = try fields.value(0x5F2B).map(PartialDate.init(chip:))
    placeOfBirth = fields.parts(0x5F11)
    address = fields.parts(0x5F42)
    telephone = fields.text(0x5F12)
    profession = fields.text(0x5F13)
    title = fields.text(0x5F14)
    personalSummary = fields.text(0x5F15)
    proofOfCitizenship = fields.value(0x5F16).map(Array.init)
    otherTravelDocumentNumbers = fields.parts(0x5F17)
    custodyInformation = fields.text(0x5F18)
  }

  public var jsonValue: JSONValue {
    [
      "fullName": .optional(fullName), "otherNames": otherNames.memberJSON, "personalNumber": .optional(personalNumber),
      "dateOfBirth": .optional(dateOfBirth?.description), "placeOfBirth": placeOfBirth.memberJSON,
      "address": address.memberJSON, "telephone": .optional(telephone), "profession": .optional(profession),
      "title": .optional(title), "personalSummary": .optional(personalSummary),
      "proofOfCitizenshipSha256": .optional(proofOfCitizenship.map { sha256($0) }),
      "otherTravelDocumentNumbers": otherTravelDocumentNumbers.memberJSON,
      "custodyInformation": .optional(custodyInformation),
    ]
  }
}

/// EF.DG12: additional document details (ICAO Doc 9303-10, 4.7.12). Every field is optional.
public struct DataGroup12: Sendable, Hashable, JSONConvertible {
  public let issuingAuthority: String?
  public let dateOfIssue: PartialDate?
  /// Names of other persons on the document, as stored.
  public let otherPersons: [String]
  public let endorsements: String?
  public let taxOrExitRequirements: String?
  public let imageOfFront: [UInt8]?
  public let imageOfRear: [UInt8]?
  /// When the document was personalised; the chip stores no time zone.
  public let personalisationTime: DateTime?
  public let personalisationSystem: String?

  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(_ bytes: [UInt8]) throws {
    let fields = try DetailFields(bytes, tag: 0x6C)
    issuingAuthority = fields.text(0x5F19)
    dateOfIssue = try fields.value(0x5F26).map(PartialDate.init(chip:))
    otherPersons = fields.repeated(0x5F1A)
    endorsements = fields.text(0x5F1B)
    taxOrExitRequirements = fields.text(0x5F1C)
    imageOfFront = fields.value(0x5F1D).map(Array.init)
    imageOfRear = fields.value(0x5F1E).map(Array.init)
    personalisationTime = try fields.value(0x5F55).map(Self.time)
    personalisationSystem = fields.text(0x5F56)
  }

  /// Decodes 14 digits, as characters or packed two per byte.
  private static func time(_ value: ArraySlice<UInt8>) throws -> DateTime {
    guard let digits = PartialDate.digits(value, count: 14) else {
      throw VerifyError(.damaged, "the time of personalisation is not 14 digits")
    }
    func two(_ index: Int) -> Int { 10 * digits[index] + digits[index + 1] }
    let time = try? DateTime(
      year: 100 * two(0) + two(2), month: two(4), day: two(6), hour: two(8), minute: two(10), second: two(12))
    guard let time else { throw VerifyError(.damaged, "the time of personalisation does not exist") }
    return time
  }

  public var jsonValue: JSONValue {
    [
      "issuingAuthority": .optional(issuingAuthority), "dateOfIssue": .optional(dateOfIssue?.description),
      "otherPersons": otherPersons.memberJSON, "endorsements": .optional(endorsements),
      "taxOrExitRequirements": .optional(taxOrExitRequirements),
      "imageOfFrontSha256": .optional(imageOfFront.map { sha256($0) }),
      "imageOfRearSha256": .optional(imageOfRear.map { sha256($0) }),
      "personalisationTime": .optional(personalisationTime?.description),
      "personalisationSystem": .optional(personalisationSystem),
    ]
  }
}

/// The fields of EF.DG11 and EF.DG12: a list of tags, then the data objects, some of them in a set A0.
struct DetailFields {
  private var objects: [TLV] = []
  /// More than the standard defines; bounds a chip that repeats a field endlessly.
  private static let maximumFields = 1000

  init(_ bytes: [UInt8], tag: TLVTag) throws {
    try ElementaryFile.object(in: bytes, tag: tag).forEachChild { child in
      if child.tag == 0xA0 {
        try child.forEachChild { try add($0) }
      } else {
        try add(child)
      }
    }
  }

  private mutating func add(_ object: TLV) throws {
    guard objects.count < Self.maximumFields else {
      throw VerifyError(.tooLarge, "there are more than \(Self.maximumFields) fields")
    }
    objects.append(object)
  }

  func value(_ tag: TLVTag) -> ArraySlice<UInt8>? { objects.first { $0.tag == tag && !$0.value.isEmpty }?.value }
  func text(_ tag: TLVTag) -> String? { objects.first { $0.tag == tag && !$0.value.isEmpty }?.text }
  func repeated(_ tag: TLVTag) -> [String] { objects.filter { $0.tag == tag && !$0.value.isEmpty }.map(\.text) }

  /// Returns the parts of a text that are separated by `<`.
  func parts(_ tag: TLVTag) -> [String] { (text(tag) ?? "").split(separator: "<").map(String.init) }
}

/// A date of EF.DG11 or EF.DG12, whose month and day may be unknown (zeros or fillers, Doc 9303-3, 4.8).
extension PartialDate {
  /// Decodes eight digits, as characters (Doc 9303-10) or packed two per byte (as some states do).
  init(chip value: ArraySlice<UInt8>) throws {
    // "<<" denotes an unknown part.
    let text = value.map { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: " ") ? UInt8(ascii: "0") : $0 }[...]
    guard let digits = Self.digits(text, count: 8) else { throw VerifyError(.damaged, "a date is not eight digits") }
    let (month, day) = (10 * digits[4] + digits[5], 10 * digits[6] + digits[7])
    let year = digits[..<4].reduce(0) { 10 * $0 + $1 }
    guard let date = PartialDate(year: year, month: month == 0 ? nil : month, day: day == 0 ? nil : day) else {
      throw VerifyError(.damaged, "a date does not exist")
    }
    self = date
  }

  /// Returns the digits of a number stored as characters or packed two per byte; nil if it is malformed.
  static func digits(_ value: ArraySlice<UInt8>, count: Int) -> [Int]? {
    if value.count == count { return TLV.digits(value) }
    guard 2 * value.count == count else { return nil }
    let digits = value.flatMap { [Int($0 >> 4), Int($0 & 15)] }
    return digits.allSatisfy { $0 < 10 } ? digits : nil
  }
}
