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
  /// The stored bytes of the fields that could not be read, in hexadecimal, by the name in JSON.
  public let unreadable: [String: String]

  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat`` if the data objects cannot be read. A
  ///   field whose value cannot be read is nil or empty, and in ``unreadable``.
  public init(_ bytes: [UInt8]) throws {
    var fields = try DetailFields(bytes, tag: 0x6B)
    fullName = fields.text(0x5F0E, "fullName")
    otherNames = fields.repeated(0x5F0F, "otherNames")
    personalNumber = fields.text(0x5F10, "personalNumber")
    dateOfBirth = fields.read(0x5F2B, "dateOfBirth") { PartialDate(chip: $0.value) }
    placeOfBirth = fields.parts(0x5F11, "placeOfBirth")
    address = fields.parts(0x5F42, "address")
    telephone = fields.text(0x5F12, "telephone")
    profession = fields.text(0x5F13, "profession")
    title = fields.text(0x5F14, "title")
    personalSummary = fields.text(0x5F15, "personalSummary")
    proofOfCitizenship = fields.value(0x5F16)
    otherTravelDocumentNumbers = fields.parts(0x5F17, "otherTravelDocumentNumbers")
    custodyInformation = fields.text(0x5F18, "custodyInformation")
    unreadable = fields.unreadable
  }

  public var jsonValue: JSONValue {
    [
      "fullName": .optional(fullName), "otherNames": otherNames.memberJSON, "personalNumber": .optional(personalNumber),
      "dateOfBirth": .optional(dateOfBirth?.description), "placeOfBirth": placeOfBirth.memberJSON,
      "address": address.memberJSON, "telephone": .optional(telephone), "profession": .optional(profession),
      "title": .optional(title), "personalSummary": .optional(personalSummary),
      "proofOfCitizenshipSha256": .optional(proofOfCitizenship.map { sha256($0) }),
      "otherTravelDocumentNumbers": otherTravelDocumentNumbers.memberJSON,
      "custodyInformation": .optional(custodyInformation), "unreadable": unreadable.memberJSON,
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
  /// As ``DataGroup11/unreadable``.
  public let unreadable: [String: String]

  /// - Throws: as ``DataGroup11/init(_:)``.
  public init(_ bytes: [UInt8]) throws {
    var fields = try DetailFields(bytes, tag: 0x6C)
    issuingAuthority = fields.text(0x5F19, "issuingAuthority")
    dateOfIssue = fields.read(0x5F26, "dateOfIssue") { PartialDate(chip: $0.value) }
    otherPersons = fields.repeated(0x5F1A, "otherPersons")
    endorsements = fields.text(0x5F1B, "endorsements")
    taxOrExitRequirements = fields.text(0x5F1C, "taxOrExitRequirements")
    imageOfFront = fields.value(0x5F1D)
    imageOfRear = fields.value(0x5F1E)
    personalisationTime =
      fields.read(0x5F55, "personalisationTime", Self.time) ?? fields.read(0x5F85, "personalisationTime", Self.time)
    personalisationSystem = fields.text(0x5F56, "personalisationSystem")
    unreadable = fields.unreadable
  }

  /// Decodes 14 digits, as characters or packed two per byte.
  private static func time(_ object: TLV) -> DateTime? {
    guard let digits = PartialDate.digits(object.value, count: 14) else { return nil }
    func two(_ index: Int) -> Int { 10 * digits[index] + digits[index + 1] }
    return try? DateTime(
      year: 100 * two(0) + two(2), month: two(4), day: two(6), hour: two(8), minute: two(10), second: two(12))
  }

  public var jsonValue: JSONValue {
    [
      "issuingAuthority": .optional(issuingAuthority), "dateOfIssue": .optional(dateOfIssue?.description),
      "otherPersons": otherPersons.memberJSON, "endorsements": .optional(endorsements),
      "taxOrExitRequirements": .optional(taxOrExitRequirements),
      "imageOfFrontSha256": .optional(imageOfFront.map { sha256($0) }),
      "imageOfRearSha256": .optional(imageOfRear.map { sha256($0) }),
      "personalisationTime": .optional(personalisationTime?.description),
      "personalisationSystem": .optional(personalisationSystem), "unreadable": unreadable.memberJSON,
    ]
  }
}

/// The fields of EF.DG11 and EF.DG12: a list of tags, then the data objects, some of them in a set A0.
struct DetailFields {
  private var objects: [TLV] = []
  private(set) var unreadable: [String: String] = [:]
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

  private func all(_ tag: TLVTag) -> [TLV] { objects.filter { $0.tag == tag && !$0.value.isEmpty } }

  func value(_ tag: TLVTag) -> [UInt8]? { all(tag).first.map { Array($0.value) } }

  /// Returns the value of a field; nil if it is absent, or unreadable, which is noted.
  mutating func read<Value>(_ tag: TLVTag, _ name: String, _ decode: (TLV) -> Value?) -> Value? {
    all(tag).first.flatMap { noted($0, name, decode) }
  }

  private mutating func noted<Value>(_ object: TLV, _ name: String, _ decode: (TLV) -> Value?) -> Value? {
    let value = decode(object)
    if value == nil { unreadable[name] = hexadecimal(object.value) }
    return value
  }

  // Doc 9303-10, 4.7.11: UTF-8. In another encoding, which the chip does not state, the text would be a guess.
  private static func utf8(_ object: TLV) -> String? { String(validating: object.value, as: UTF8.self) }

  mutating func text(_ tag: TLVTag, _ name: String) -> String? { read(tag, name, Self.utf8) }

  mutating func repeated(_ tag: TLVTag, _ name: String) -> [String] {
    all(tag).compactMap { noted($0, name, Self.utf8) }
  }

  /// Returns the parts of a text that are separated by `<`.
  mutating func parts(_ tag: TLVTag, _ name: String) -> [String] {
    (text(tag, name) ?? "").split(separator: "<").map(String.init)
  }
}

extension PartialDate {
  /// Decodes a date of EF.DG11 or EF.DG12: eight digits, as characters (Doc 9303-10, 4.7.11) or packed two per byte, as
  /// several states store them. Parts of zeros or fillers are unknown (Doc 9303-3, 4.8).
  ///
  /// - Returns: nil for any other content.
  init?(chip value: ArraySlice<UInt8>) {
    // Packed digits may have the value of a filler: the encoding is decided first, by the length.
    let isText = value.count == 8
    let text = value.map { isText && [UInt8(ascii: "<"), UInt8(ascii: " ")].contains($0) ? UInt8(ascii: "0") : $0 }[...]
    guard let digits = Self.digits(text, count: 8) else { return nil }
    let (year, month, day) = (
      digits[..<4].reduce(0) { 10 * $0 + $1 }, 10 * digits[4] + digits[5], 10 * digits[6] + digits[7]
    )
    guard year + month + day > 0 else { return nil }
    self.init(year: year == 0 ? nil : year, month: month == 0 ? nil : month, day: day == 0 ? nil : day)
  }

  /// Returns the digits of a number stored as characters or packed two per byte; nil if it is malformed.
  static func digits(_ value: ArraySlice<UInt8>, count: Int) -> [Int]? {
    if value.count == count { return TLV.digits(value) }
    guard 2 * value.count == count else { return nil }
    let digits = value.flatMap { [Int($0 >> 4), Int($0 & 15)] }
    return digits.allSatisfy { $0 < 10 } ? digits : nil
  }
}
