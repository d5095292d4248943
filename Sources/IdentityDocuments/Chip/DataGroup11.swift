/// EF.DG11: more about the holder (ICAO Doc 9303-10, 4.7.11). Every field may be absent.
public struct DataGroup11: Sendable, Hashable {
  /// The full name in the state's own letters: `PRIMARY<<SECONDARY`, as it is stored.
  public let fullName: String?
  public let otherNames: [String]
  public let personalNumber: String?
  public let dateOfBirth: PartialDate?
  /// Parts, such as town and state.
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
    let fields = try DetailFields(bytes, tag: 0x6B, name: "EF.DG11")
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
}
