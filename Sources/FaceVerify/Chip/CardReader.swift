/// A smart card reader of this machine, as PC/SC lists it.
public struct CardReader: Sendable, Hashable, JSONConvertible {
  /// The name, unique among the connected readers; a number at its end may change when readers are plugged in again.
  public let name: String
  public let hasCard: Bool
  /// The card's answer to reset (ISO/IEC 7816-3, 8), up to 33 bytes; empty without a card that answers.
  public let answerToReset: [UInt8]

  init(_ state: PCSC.State) {
    (name, hasCard, answerToReset) = (state.reader, state.hasCard, state.answerToReset)
  }

  /// Whether the answer to reset is one that readers compose for contactless cards (PC/SC part 3, 3.1.3.2.3.1: 3B 8N 80
  /// 01, N historical bytes, a check byte).
  public var isContactless: Bool {
    guard answerToReset.count >= 5, answerToReset[0] == 0x3B, answerToReset[1] & 0xF0 == 0x80 else { return false }
    return answerToReset[2] == 0x80 && answerToReset[3] == 0x01
      && answerToReset.count == 5 + Int(answerToReset[1] & 0x0F)
  }

  /// Returns the connected readers, in the order of PC/SC.
  ///
  /// - Throws: ``VerifyError/Code/absent`` if libpcsclite is not installed or pcscd does not run,
  ///   ``VerifyError/Code/unreadable`` if it denies access.
  public static func all() throws -> [CardReader] { try all(PCSC()) }

  static func all(_ service: PCSC) throws -> [CardReader] {
    try service.states(of: service.readers()).filter { !$0.isGone }.map(CardReader.init)
  }

  public var jsonValue: JSONValue {
    [
      "name": .string(name), "hasCard": .bool(hasCard),
      "answerToReset": answerToReset.isEmpty ? .null : .string(hexadecimal(answerToReset)),
      "isContactless": .bool(isContactless),
    ]
  }
}
