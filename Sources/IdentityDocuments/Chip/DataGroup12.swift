/// EF.DG12: more about the document (ICAO Doc 9303-10, 4.7.12). Every field may be absent.
public struct DataGroup12: Sendable, Hashable {
  public let issuingAuthority: String?
  public let dateOfIssue: PartialDate?
  /// Names of other persons in the document, as they are stored.
  public let otherPersons: [String]
  public let endorsements: String?
  public let taxOrExitRequirements: String?
  public let imageOfFront: [UInt8]?
  public let imageOfRear: [UInt8]?
  /// When the document was personalised; the chip names no time zone.
  public let personalisationTime: DateTime?
  public let personalisationSystem: String?

  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(_ bytes: [UInt8]) throws {
    let fields = try DetailFields(bytes, tag: 0x6C, name: "EF.DG12")
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

  /// 14 digits, as characters or packed two a byte.
  private static func time(_ value: ArraySlice<UInt8>) throws -> DateTime {
    guard let digits = PartialDate.digits(value, count: 14) else {
      throw VerifyError(.damaged, "the time of personalisation is not 14 digits")
    }
    func two(_ index: Int) -> Int { 10 * digits[index] + digits[index + 1] }
    do {
      return try DateTime(
        year: 100 * two(0) + two(2), month: two(4), day: two(6), hour: two(8), minute: two(10), second: two(12))
    } catch {
      throw VerifyError(.damaged, "the time of personalisation is none of the calendar's")
    }
  }
}
