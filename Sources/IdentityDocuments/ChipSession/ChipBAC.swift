/// Basic access control (ICAO Doc 9303-11, 4.3): mutual authentication with keys from the machine-readable zone.
struct ChipBAC {
  let channel: ChipChannel
  let randomness: ChipRandomness

  private static let cipher = ChipCipher.tripleDES
  /// Bytes of a challenge, of key material, and of a key seed (4.3.1, 9.7.2).
  private static let challengeSize = 8
  private static let materialSize = 16
  private static let seedSize = 16

  /// Opens the selected application and starts secure messaging.
  ///
  /// - Returns: nil if it is open; otherwise the status by which the chip refused the password.
  func open(_ password: ChipPassword) throws -> ChipStatus? {
    let key = password.secret.prefix(Self.seedSize)
    let encryption = try Self.cipher.key(from: key, for: .encryption)
    let authentication = try Self.cipher.key(from: key, for: .authentication)

    // 4.3.4.1
    let challenge = try channel.send(
      ChipCommand(instruction: ChipCommand.getChallenge, p1: 0, p2: 0, expected: Self.challengeSize))
    guard challenge.status == .success, challenge.data.count == Self.challengeSize else {
      throw VerifyError(.unreadable, "the chip gives no challenge for BAC: status \(challenge.status)")
    }
    // 4.3.1, steps 2 and 3
    let own = try randomness.bytes(Self.challengeSize)
    var material = try randomness.bytes(Self.materialSize)
    var message = own + challenge.data + material
    defer {
      wipe(&material)
      wipe(&message)
    }
    let cryptogram = try Self.cipher.encrypt(message, key: encryption)
    let code = try Self.cipher.mac(Self.cipher.padded(cryptogram), key: authentication)
    // 4.3.4.2
    let response = try channel.send(
      ChipCommand(
        instruction: ChipCommand.externalAuthenticate, p1: 0, p2: 0, data: cryptogram + code,
        expected: cryptogram.count + code.count))
    if response.status.refusesPassword { return response.status }
    guard response.status == .success, response.data.count == cryptogram.count + code.count else {
      throw VerifyError(.unreadable, "the chip does not complete BAC: status \(response.status)")
    }
    // 4.3.1, step 5
    let answer = Array(response.data.prefix(cryptogram.count))
    guard
      isEqual(
        Array(response.data.suffix(code.count)), try Self.cipher.mac(Self.cipher.padded(answer), key: authentication))
    else { throw VerifyError(.damaged, "the chip did not prove in BAC that it knows the password") }
    var opened = try Self.cipher.decrypt(answer, key: encryption)
    defer { wipe(&opened) }
    guard Array(opened.prefix(Self.challengeSize)) == challenge.data,
      Array(opened[Self.challengeSize..<2 * Self.challengeSize]) == own
    else { throw VerifyError(.damaged, "the chip answered another challenge of BAC: the response was repeated") }
    var both = zip(material, opened.suffix(Self.materialSize)).map { $0 ^ $1 }
    // 9.8.6.3: the last four bytes of both challenges.
    channel.messaging = try ChipSecureMessaging(
      Self.cipher, secret: SecretBytes(moving: &both), counter: Array(challenge.data.suffix(4) + own.suffix(4)))
    return nil
  }
}
