/// The protocols that a chip speaks: EF.DG14, EF.CardAccess, or what EF.CardSecurity signs.
public struct SecurityInfos: Sendable, Hashable {
  /// In the order of the chip.
  public let infos: [SecurityInfo]

  /// id-SecurityObject (BSI TR-03110-3, A.1.2.5): the type of what EF.CardSecurity signs.
  static let contentType = "0.4.0.127.0.7.3.2.1"
  static let contentTypeBytes: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x03, 0x02, 0x01]
  private static let maximumInfos = 100

  /// - Parameter bytes: EF.DG14 with its tag 6E, or a bare set as EF.CardAccess is.
  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(_ bytes: [UInt8]) throws {
    var reader = TLVReader(bytes)
    guard var object = try reader.next() else { throw VerifyError(.damaged, "the list of protocols is empty") }
    if object.tag == 0x6E { object = try object.requiredChild(.set) }
    guard object.tag == .set else {
      throw VerifyError(.unknownFormat, "the list of protocols begins with the tag \(object.tag), not 31 or 6E")
    }
    var infos: [SecurityInfo] = []
    var members = try object.children()
    while let member = try members.next() {
      guard infos.count < Self.maximumInfos else { throw VerifyError(.tooLarge, "the list of protocols is too long") }
      infos.append(try SecurityInfo(member))
    }
    self.infos = infos
  }
}
