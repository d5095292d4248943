/// Password authenticated connection establishment (ICAO Doc 9303-11, 4.4).
struct ChipPACE {
  let channel: ChipChannel
  let randomness: ChipRandomness

  /// A variant that a chip supports (9.2.1 and 9.2.3).
  struct Variant: Sendable, Hashable {
    enum Mapping: Int, Sendable {
      case genericDH = 1
      case genericECDH
      case integratedDH
      case integratedECDH
      case chipAuthentication = 6
    }

    let info: SecurityInfo
    let mapping: Mapping
    let cipher: ChipCipher
    /// The number of the standardised domain parameters.
    let parameters: Int

    /// - Returns: nil for another protocol, version or parameters: proprietary ones (9.2.2) are not supported.
    init?(_ info: SecurityInfo) {
      let numbers = info.numbers
      guard info.kind == .pace, numbers.count == 3, let mapping = Mapping(rawValue: numbers[1]),
        let cipher = ChipCipher(rawValue: numbers[2]), info.version == 2, let parameters = info.parameter,
        let domain = DomainParameters(standard: parameters),
        domain.isCurve == [.genericECDH, .integratedECDH, .chipAuthentication].contains(mapping),
        // Chip authentication mapping exists for AES only (9.2.3); the point encoding needs a prime of 3 modulo 4,
        // which that of NIST P-224 (10) is not (appendix B).
        mapping != .chipAuthentication || cipher != .tripleDES, mapping != .integratedECDH || parameters != 10
      else { return nil }
      (self.info, self.mapping, self.cipher, self.parameters) = (info, mapping, cipher, parameters)
    }

    private var isIntegrated: Bool { mapping == .integratedDH || mapping == .integratedECDH }

    /// Preferred is the mapping that also authenticates the chip, then the longest key.
    static func preferred(of infos: [SecurityInfo]) -> Variant? {
      let variants = infos.compactMap(Variant.init)
      func rank(_ variant: Variant) -> Int {
        (variant.mapping == .chipAuthentication ? 100 : 0) + 10 * variant.cipher.rawValue
          + (variant.isIntegrated ? 0 : 1)
      }
      return variants.dropFirst().reduce(variants.first) { best, next in
        best.map { rank(next) > rank($0) } ?? true ? next : best
      }
    }
  }

  enum Outcome {
    /// Secure messaging has started; with chip authentication mapping, the chip's data.
    case opened(ChipAuthenticationMapping?)
    case passwordRefused(ChipStatus)
    /// Nothing was tried: the chip has only this many attempts left.
    case attemptsRunOut(Int)
    /// The chip does not accept the variant; the password was not used.
    case notStarted(ChipStatus)
  }

  /// The tags of dynamic authentication data (4.4.4.2).
  private enum Tag {
    static let nonce: UInt8 = 0x80
    static let mapping: UInt8 = 0x81
    static let agreement: UInt8 = 0x83
    static let token: UInt8 = 0x85
    /// Encrypted chip authentication data.
    static let chipAuthentication: UInt8 = 0x8A
  }

  /// - Parameters:
  ///   - isAmbiguous: whether the chip supports the protocol with several domain parameters.
  ///   - mayUseLastAttempt: whether to go on if one more wrong password would block the chip.
  func open(
    _ variant: Variant, _ password: ChipPassword, isAmbiguous: Bool, mayUseLastAttempt: Bool
  ) throws -> Outcome {
    let key = try variant.cipher.key(from: password.secret, for: .password)
    return try open(
      variant, passwordKey: key, reference: password.kind, isAmbiguous: isAmbiguous,
      mayUseLastAttempt: mayUseLastAttempt)
  }

  func open(
    _ variant: Variant, passwordKey: SecretBytes, reference: ChipPassword.Kind, isAmbiguous: Bool,
    mayUseLastAttempt: Bool
  ) throws -> Outcome {
    guard let domain = DomainParameters(standard: variant.parameters) else { throw ChipCipher.failure }
    // 4.4.4.1
    let template = BER.object([0x80], variant.info.protocolBytes) + BER.object([0x83], [reference.rawValue])
    func set(withParameters: Bool) throws -> ChipStatus {
      let data = template + (withParameters ? BER.object([0x84], [UInt8(variant.parameters)]) : [])
      return try channel.send(
        ChipCommand(instruction: ChipCommand.manageSecurityEnvironment, p1: 0xC1, p2: 0xA4, data: data)
      ).status
    }
    var status = try set(withParameters: isAmbiguous)
    // Some chips, as Ukrainian passports until 2022, require the parameters although they are unambiguous: 6A80, 6A87 or
    // 6A88. Others know none.
    if status.first == 0x6A { status = try set(withParameters: !isAmbiguous) }
    if let left = status.attemptsLeft {
      // One more wrong password would block the chip; zero attempts are none.
      guard left > 0 else { return .passwordRefused(status) }
      guard left > 1 || mayUseLastAttempt else { return .attemptsRunOut(left) }
    } else if status != .success {
      return .notStarted(status)
    }

    let nonce = try nonce(variant, passwordKey)
    let (mapped, chipKey) = try map(variant, domain, nonce)
    // 4.4.3.3 and 9.6: key agreement with the mapped generator.
    let secret = try randomness.secret(mapped)
    let own = mapped.encoded(try mapped.publicKey(of: secret))
    let other = try exchange(Tag.agreement, own, answer: Tag.agreement + 1, isLast: false)
    guard !mapped.isSame(own, other) else {
      throw VerifyError(.damaged, "the chip repeated the key that was sent to it")
    }
    let messaging = try ChipSecureMessaging(
      variant.cipher, secret: try mapped.sharedSecret(secret, with: other))
    return try authenticate(variant, messaging, mapped, own: own, other: other, chipKey: chipKey, domain: domain)
  }

  /// 4.4.3.1: the nonce, decrypted with the key from the password.
  private func nonce(_ variant: Variant, _ key: SecretBytes) throws -> SecretBytes {
    let encrypted = try exchange(Tag.nonce, nil, answer: Tag.nonce, isLast: false)
    // Whole blocks of the cipher. Integrated mapping demands more; see random(_:_:_:bits:).
    guard 1...32 ~= encrypted.count, encrypted.count % variant.cipher.blockSize == 0 else {
      throw VerifyError(
        .damaged, "the chip's nonce has \(encrypted.count) bytes, not whole blocks of \(variant.cipher.blockSize)")
    }
    var nonce = try variant.cipher.decrypt(encrypted, key: key)
    return SecretBytes(moving: &nonce)
  }

  /// 4.4.3.3: the domain parameters with the mapped generator, and the chip's key of generic mapping.
  private func map(
    _ variant: Variant, _ domain: DomainParameters, _ nonce: SecretBytes
  ) throws -> (DomainParameters, [UInt8]?) {
    switch variant.mapping {
    case .genericDH, .genericECDH, .chipAuthentication:
      let secret = try randomness.secret(domain)
      let own = domain.encoded(try domain.publicKey(of: secret))
      let other = try exchange(Tag.mapping, own, answer: Tag.mapping + 1, isLast: false)
      guard !domain.isSame(own, other) else {
        throw VerifyError(.damaged, "the chip repeated the key that was sent to it")
      }
      return (try domain.mapped(nonce: nonce, secret, with: other), other)
    case .integratedDH, .integratedECDH:
      let own = try randomness.bytes(variant.cipher.keySize)
      _ = try exchange(Tag.mapping, own, answer: nil, isLast: false)
      return (try domain.mapped(random: Self.random(variant.cipher, nonce, own, bits: domain.bits)), nil)
    }
  }

  /// The pseudo-random number of integrated mapping (4.4.3.3.2).
  static func random(
    _ cipher: ChipCipher, _ nonce: SecretBytes, _ key: [UInt8], bits: Int
  ) throws -> SecretBytes {
    let isLong = cipher.keySize > 16
    guard nonce.count == (isLong ? 32 : 16) else {
      throw VerifyError(.damaged, "the chip's nonce has \(nonce.count) bytes, which integrated mapping does not allow")
    }
    // The constants c0 and c1, for nonces of 128 and of 256 bits.
    let first = decodedHexadecimal(
      isLong
        ? "d463d65234124ef7897054986dca0a174e28df758cbaa03f240616414d5a1676" : "a668892a7c41e3ca739f40b057d85904")
    let second = decodedHexadecimal(
      isLong
        ? "54bd7255f0aaf831bec3423fcf39d69b6cbf066677d0faae5aadd99df8e53517" : "a4e136ac725f738b01c1f60217c188ad")
    guard let first, let second else { throw ChipCipher.failure }
    var key = key
    var state = SecretBytes(moving: &key)
    var input = nonce.copy()
    var output: [UInt8] = []
    defer { wipe(&input) }
    func next(_ data: [UInt8]) throws -> SecretBytes {
      var bytes = try cipher.encrypt(data, key: state)
      return SecretBytes(moving: &bytes).prefix(cipher.keySize)
    }
    state = try next(input)
    // The smallest number of blocks with 64 bits more than the prime.
    for _ in 0..<(bits + 64 + 8 * nonce.count - 1) / (8 * nonce.count) {
      output += try cipher.encrypt(second, key: state)
      state = try next(first)
    }
    return SecretBytes(moving: &output)
  }

  /// 4.4.3.4 and 4.4.3.5: authentication tokens over both keys, and the chip's authentication data.
  private func authenticate(
    _ variant: Variant, _ messaging: ChipSecureMessaging, _ mapped: DomainParameters, own: [UInt8], other: [UInt8],
    chipKey: [UInt8]?, domain: DomainParameters
  ) throws -> Outcome {
    func token(_ key: [UInt8]) throws -> [UInt8] {
      let point: UInt8 = mapped.isCurve ? 0x86 : 0x84
      let input = BER.object(
        [0x7F, 0x49], BER.object([0x06], variant.info.protocolBytes) + BER.object([point], mapped.encoded(key)))
      return try messaging.token(input)
    }
    let response = try general(BER.object([Tag.token], try token(other)), isLast: true)
    if response.status.refusesPassword { return .passwordRefused(response.status) }
    let fields = try Self.fields(response, of: variant.info.name)
    guard let proof = fields[Tag.token + 1], isEqual(proof, try token(own)) else {
      throw VerifyError(.damaged, "the chip did not prove in PACE that it knows the password")
    }
    channel.messaging = messaging
    guard variant.mapping == .chipAuthentication else { return .opened(nil) }
    guard let encrypted = fields[Tag.chipAuthentication], let chipKey, !encrypted.isEmpty else {
      return .opened(ChipAuthenticationMapping(parameters: variant.parameters, chipKey: chipKey ?? [], data: nil))
    }
    // 4.4.3.5: the initialisation vector is the encrypted number -1.
    let cipher = variant.cipher
    let vector = try cipher.encrypt(
      [UInt8](repeating: 0xFF, count: cipher.blockSize), key: messaging.encryptionKey)
    let data = try cipher.unpadded(cipher.decrypt(encrypted, key: messaging.encryptionKey, vector: vector))
    return .opened(ChipAuthenticationMapping(parameters: variant.parameters, chipKey: chipKey, data: data))
  }

  /// Sends dynamic authentication data of one field, and returns the field with the answer's tag; an absent answer if
  /// there is none to expect.
  private func exchange(_ tag: UInt8, _ value: [UInt8]?, answer: UInt8?, isLast: Bool) throws -> [UInt8] {
    let response = try general(value.map { BER.object([tag], $0) } ?? [], isLast: isLast)
    guard response.status == .success else {
      throw VerifyError(.unreadable, "the chip stops PACE with the status \(response.status)")
    }
    guard let answer else { return [] }
    guard let field = try Self.fields(response, of: "PACE")[answer], !field.isEmpty else {
      throw VerifyError(.damaged, "the chip's response in PACE lacks the data object \(hexadecimal([answer]))")
    }
    return field
  }

  /// GENERAL AUTHENTICATE (4.4.4.2): all but the last command of the protocol have the bit of command chaining.
  private func general(_ data: [UInt8], isLast: Bool) throws -> ChipResponse {
    let data = BER.object([0x7C], data)
    // The answer is as long as the command, or holds the chip's authentication data.
    return try channel.send(
      ChipCommand(
        classByte: isLast ? 0 : ChipCommand.chaining, instruction: ChipCommand.generalAuthenticate, p1: 0, p2: 0,
        data: data,
        expected: data.count > ChipCommand.largestShortData
          ? ChipCommand.largestExtended : ChipCommand.largestShortResponse))
  }

  private static func fields(_ response: ChipResponse, of name: String) throws -> [UInt8: [UInt8]] {
    guard response.status == .success else {
      throw VerifyError(.unreadable, "the chip does not complete \(name): status \(response.status)")
    }
    var reader = TLVReader(response.data)
    var fields: [UInt8: [UInt8]] = [:]
    for field in try reader.next(0x7C).mapChildren(atMost: 8, \.self) {
      guard let tag = UInt8(exactly: field.tag.rawValue), fields[tag] == nil else {
        throw field.damaged("a field of the chip's response is repeated or unknown")
      }
      fields[tag] = Array(field.value)
    }
    return fields
  }
}
