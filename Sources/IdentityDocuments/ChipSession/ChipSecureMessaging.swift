/// Secure messaging (ICAO Doc 9303-11, 9.8): commands and responses are encrypted, and their authentication codes cover
/// a counter. Any error ends it: the chip forgets its keys too (9.8.3).
final class ChipSecureMessaging {
  let cipher: ChipCipher
  let encryptionKey: SecretBytes
  private let macKey: SecretBytes
  /// The send sequence counter: 8 bytes for DES, 16 for AES.
  private(set) var counter: [UInt8]

  /// - Parameters:
  ///   - secret: the shared secret of the key agreement, or the key seed of BAC.
  ///   - counter: nil for zero, as after PACE and chip authentication (9.8.6.3, 9.8.7.3).
  init(_ cipher: ChipCipher, secret: SecretBytes, counter: [UInt8]? = nil) throws {
    self.cipher = cipher
    encryptionKey = try cipher.key(from: secret, for: .encryption)
    macKey = try cipher.key(from: secret, for: .authentication)
    self.counter = counter ?? [UInt8](repeating: 0, count: cipher.blockSize)
  }

  /// The tags of secure messaging data objects (9.8.4; ISO/IEC 7816-4, 10.2).
  private enum Tag {
    /// A cryptogram of data objects, for commands with an odd instruction.
    static let objects: TLVTag = 0x85
    /// The padding indicator 01 and a cryptogram.
    static let cryptogram: TLVTag = 0x87
    static let mac: TLVTag = 0x8E
    static let expected: TLVTag = 0x97
    static let status: TLVTag = 0x99
  }

  /// Bytes of data that fit a protected command, and that a protected response of a size holds.
  func capacity(of bytes: Int) -> Int {
    // A status object of 4 bytes, or an expected length of at most 4, a code of 10, and a header of at most 5 with its
    // indicator; padding takes at least one byte.
    let blocks = max(0, bytes - 4 - 10 - (bytes <= 256 ? 4 : 6)) / cipher.blockSize
    return max(1, blocks * cipher.blockSize - 1)
  }

  /// Protects a command (9.8.4).
  func protect(_ command: ChipCommand) throws -> ChipCommand {
    increment()
    var protected = command
    protected.classByte |= ChipCommand.secure
    var objects: [UInt8] = []
    if !command.data.isEmpty {
      let cryptogram = try cipher.encrypt(cipher.padded(command.data), key: encryptionKey, vector: try vector())
      objects +=
        command.instruction & 1 == 0 ? BER.object([0x87], [0x01] + cryptogram) : BER.object([0x85], cryptogram)
    }
    if let expected = command.expected {
      let bytes = [UInt8(expected >> 8 & 255), UInt8(expected & 255)]
      objects += BER.object([0x97], expected > ChipCommand.largestShortResponse ? bytes : [bytes[1]])
    }
    // The header is padded to whole blocks by itself (9.8.4).
    let header = cipher.padded([protected.classByte, command.instruction, command.p1, command.p2])
    protected.data = objects + BER.object([0x8E], try code(header + objects))
    protected.expected =
      command.expected ?? 0 > ChipCommand.largestShortResponse || protected.data.count > ChipCommand.largestShortData
      ? ChipCommand.largestExtended : ChipCommand.largestShortResponse
    return protected
  }

  /// Verifies and decrypts a response (9.8.5).
  ///
  /// - Throws: ``VerifyError/Code/damaged``.
  func open(_ response: ChipResponse) throws -> ChipResponse {
    increment()
    guard !response.data.isEmpty else {
      throw VerifyError(
        .damaged, "the chip ended secure messaging with the status \(response.status); hold it still and start again")
    }
    var reader = TLVReader(response.data)
    var objects: [UInt8] = []
    var cryptogram: TLV?
    for tag in [Tag.cryptogram, Tag.objects] where cryptogram == nil { cryptogram = try reader.nextIfPresent(tag) }
    if let cryptogram { objects += cryptogram.encoded }
    let status = try reader.next(Tag.status)
    objects += status.encoded
    let mac = try reader.next(Tag.mac)
    guard reader.isAtEnd else { throw mac.damaged("data follow the authentication code of the chip's response") }
    guard isEqual(Array(mac.value), try code(objects)) else {
      throw VerifyError(
        .damaged, "the authentication code of the chip's response is wrong: it was changed, repeated or made by others")
    }
    guard status.value.elementsEqual([response.status.first, response.status.second]) else {
      throw VerifyError(.damaged, "the status \(response.status) of the chip's response is not the authenticated one")
    }
    guard let cryptogram else { return ChipResponse(data: [], status: response.status) }
    var bytes = Array(cryptogram.value)
    if cryptogram.tag == Tag.cryptogram {
      guard bytes.first == 0x01 else { throw cryptogram.damaged("the padding indicator of the chip's data is not 01") }
      bytes.removeFirst()
    }
    guard !bytes.isEmpty else { throw cryptogram.damaged("the chip's cryptogram is empty") }
    let data = try cipher.unpadded(cipher.decrypt(bytes, key: encryptionKey, vector: try vector()))
    return ChipResponse(data: data, status: response.status)
  }

  /// Returns the code of an authentication token (4.4.3.4).
  func token(_ data: [UInt8]) throws -> [UInt8] { try cipher.token(data, key: macKey) }

  /// The counter, and then data padded to whole blocks.
  private func code(_ data: [UInt8]) throws -> [UInt8] {
    try cipher.mac(cipher.padded(counter + data), key: macKey)
  }

  /// The initialisation vector: zeros for DES (9.8.6.1), the encrypted counter for AES (9.8.7.1).
  private func vector() throws -> [UInt8]? {
    cipher == .tripleDES ? nil : try cipher.encrypt(counter, key: encryptionKey)
  }

  /// The counter is incremented before each command and each response (9.8.2).
  private func increment() {
    for index in counter.indices.reversed() {
      counter[index] &+= 1
      if counter[index] != 0 { return }
    }
  }
}
