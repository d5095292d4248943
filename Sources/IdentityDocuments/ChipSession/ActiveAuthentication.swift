internal import COpenSSL

/// Active authentication (ICAO Doc 9303-11, 6.1): the chip signs a challenge with a key that cannot be read from it.
/// Kept with the data groups 14 and 15, challenge and signature let anyone verify it again.
public struct ActiveAuthentication: Sendable, Hashable, JSONConvertible {
  /// Eight random bytes, made for this reading.
  public let challenge: [UInt8]
  /// The chip's answer; empty if it refused.
  public let signature: [UInt8]
  /// The status of the chip's answer; nil if it ended secure messaging in place of an answer.
  public let status: ChipStatus?

  /// Bytes of a challenge (6.1.2).
  static let challengeSize = 8

  public init(challenge: [UInt8], signature: [UInt8], status: ChipStatus? = .success) {
    (self.challenge, self.signature, self.status) = (challenge, signature, status)
  }

  /// INTERNAL AUTHENTICATE (6.1.3.1). The channel is broken if the chip ended secure messaging.
  static func perform(_ channel: ChipChannel, _ randomness: ChipRandomness, expected: Int) throws -> Self {
    let challenge = try randomness.bytes(challengeSize)
    let command = ChipCommand(
      instruction: ChipCommand.internalAuthenticate, p1: 0, p2: 0, data: challenge, expected: expected)
    do {
      let response = try channel.send(command)
      let isSigned = response.status == .success
      return Self(challenge: challenge, signature: isSigned ? response.data : [], status: response.status)
    } catch let error as VerifyError where error.code == .damaged {
      return Self(challenge: challenge, signature: [], status: nil)
    }
  }

  /// Verifies the signature with the chip's public key, which must be authenticated by passive authentication.
  ///
  /// - Parameters:
  ///   - dataGroup15: the file with the key.
  ///   - dataGroup14: the file that names the digest of ECDSA (9.2.4). The text of the result says if it does not name
  ///     the one in use; the result does not depend on it.
  public func verify(dataGroup15: [UInt8], dataGroup14: SecurityInfos?) -> Check<ChipProof.StepName> {
    func step(_ status: CheckStatus, _ reason: ChipProof.Reason?, _ text: String) -> Check<ChipProof.StepName> {
      Check(.activeAuthentication, status, reason, text)
    }
    guard challenge.count == Self.challengeSize, status == .success else {
      let answer = status.map { "status \($0)" } ?? "it ended secure messaging"
      return step(.failed, .chipRefused, "the chip did not sign the challenge: \(answer)")
    }
    guard let object = try? ElementaryFile.object(in: dataGroup15, tag: 0x6F),
      let key = (try? object.requiredChild(.sequence)).map({ Array($0.encoded) }), let info = try? PublicKeyInfo(key)
    else { return step(.notChecked, .keyUnusable, "the key in EF.DG15 cannot be read") }
    guard PublicKeyInfo.isSound(key) else {
      return step(.notChecked, .keyUnusable, "the key in EF.DG15 is not a plausible one")
    }
    switch info.algorithm {
    case "RSA": return verifyRSA(key, step)
    case "EC": return verifyECDSA(key, info, dataGroup14, step)
    default: return step(.notChecked, .keyUnusable, "the key in EF.DG15 is of the kind \(info.algorithm)")
    }
  }

  private typealias MakeStep = (CheckStatus, ChipProof.Reason?, String) -> Check<ChipProof.StepName>

  /// The digests of RSA by the trailer's first byte (ISO/IEC 9796-2, 8.1.2; ISO/IEC 10118-3). The trailer BC names none:
  /// it is SHA-1 (9303-11, 6.1.2.2), and in some chips another one.
  private static let trailers: [UInt8: String] = [
    0x33: "SHA1", 0x34: "SHA256", 0x35: "SHA512", 0x36: "SHA384", 0x38: "SHA224",
  ]

  /// RIPEMD-160, RIPEMD-128 and Whirlpool.
  private static let unsupportedTrailers: Set<UInt8> = [0x31, 0x32, 0x37]

  /// ISO/IEC 9796-2, digital signature scheme 1, with partial recovery of the message (9303-11, 6.1.2.2).
  private func verifyRSA(_ key: [UInt8], _ step: MakeStep) -> Check<ChipProof.StepName> {
    var message = [UInt8](repeating: 0, count: Int(COPENSSL_GROUP_LARGEST))
    let size = copenssl_rsa_recover(key, key.count, signature, signature.count, &message)
    let wrong = step(.failed, .signatureWrong, "the chip's signature of the challenge is wrong (RSA)")
    guard size > 0 else {
      // A key outside of the limits gives nothing for any signature.
      let isUsable = copenssl_rsa_recover(key, key.count, [1], 1, &message) > 0
      return isUsable ? wrong : step(.notChecked, .keyUnusable, "the RSA key in EF.DG15 has an unsupported size")
    }
    // It may be shorter than the modulus: the hash covers all of it.
    message = Array(message.prefix(size).drop { $0 == 0 })
    guard let start = Self.messageStart(message) else { return wrong }
    var digests = ["SHA1"] + Self.trailers.values.filter { $0 != "SHA1" }.sorted()
    switch message.popLast() {
    case 0xBC: break
    case 0xCC:
      let trailer = message.popLast() ?? 0
      guard !Self.unsupportedTrailers.contains(trailer) else {
        return step(.notChecked, .algorithmUnknown, "the signature's digest, number \(trailer), is not supported")
      }
      digests = Self.trailers[trailer].map { [$0] } ?? []
    default: return wrong
    }
    for digest in digests {
      let hashSize = DigestAlgorithm.hash(of: [], by: digest)?.count ?? 0
      guard hashSize > 0, start + hashSize <= message.count else { continue }
      let recovered = message[start..<message.count - hashSize]
      if let hash = DigestAlgorithm.hash(of: recovered + challenge, by: digest),
        isEqual(hash, Array(message.suffix(hashSize)))
      {
        return step(.passed, nil, "the chip signed the challenge (RSA, \(digest))")
      }
    }
    return wrong
  }

  /// The position after the header: bits 01, 1 for partial recovery, and padding up to the nibble A (ISO/IEC 9796-2,
  /// 9.2).
  private static func messageStart(_ message: [UInt8]) -> Int? {
    guard let first = message.first, first >> 4 == 6 else { return nil }
    if first & 15 == 0x0A { return 1 }
    guard first & 15 == 0x0B, let end = message.dropFirst().firstIndex(where: { $0 != 0xBB }), message[end] == 0xBA
    else { return nil }
    return end + 1
  }

  /// The digests of ECDSA with the object identifiers that name them, ecdsa-plain-signatures (BSI TR-03111, 5.2.1.1) and
  /// those of X9.62 (RFC 3279, 2.2.3; RFC 5758, 3.2), the latter also in DER. Older chips use SHA-1.
  private static let digests: [(name: String, identifiers: Set<String>, algorithm: [UInt8])] =
    ["SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512"].enumerated().map { index, name in
      let last: [UInt8] = index == 0 ? [1] : [3, UInt8(index)]
      let dotted = "1.2.840.10045.4." + last.map(String.init).joined(separator: ".")
      return (name, ["0.4.0.127.0.7.1.1.4.1.\(index + 1)", dotted], [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04] + last)
    }

  /// ECDSA in any digest: a chip may name none, no digest (id-ecPublicKey), or in EF.DG14 another one than it uses. The
  /// challenge is the terminal's, so that a digest's weaknesses help nobody.
  private func verifyECDSA(
    _ key: [UInt8], _ info: PublicKeyInfo, _ infos: SecurityInfos?, _ step: MakeStep
  ) -> Check<ChipProof.StepName> {
    let named = infos?.infos.first(where: { $0.kind == .activeAuthentication })?.signatureAlgorithm
    var isUnsupported = false
    for value in signatures(size: (info.bits + 7) / 8) {
      for digest in Self.digests {
        let algorithm = BER.object([0x30], BER.object([0x06], digest.algorithm))
        let result = SignatureCheck(
          copenssl_verify(
            key, key.count, algorithm, algorithm.count, nil, 0, value, value.count, challenge, challenge.count))
        let isNamed = named.map(digest.identifiers.contains) ?? false
        if case .valid = result {
          let origin = isNamed ? "" : ", which EF.DG14 does not name"
          return step(.passed, nil, "the chip signed the challenge (ECDSA, \(digest.name)\(origin))")
        }
        // Systems may disable SHA-1: this matters only if the chip uses it.
        if case .unsupported = result { isUnsupported = isUnsupported || isNamed || digest.name == "SHA-256" }
      }
    }
    return isUnsupported
      ? step(.notChecked, .keyUnusable, "the EC key in EF.DG15 or its digest is not supported")
      : step(.failed, .signatureWrong, "the chip's signature of the challenge is wrong (ECDSA)")
  }

  /// The signature's possible meanings, as ECDSA-Sig-Value in DER: r and s as long as the order (BSI TR-03111, 5.2.1), or
  /// without leading zeros; or itself a sequence of them (RFC 3279, 2.2.3), as in Portuguese identity cards.
  private func signatures(size: Int) -> [[UInt8]] {
    var pairs = Set([signature.count / 2, size, signature.count - size]).filter { 1..<signature.count ~= $0 }.map {
      (signature[..<$0], signature[$0...])
    }
    var reader = TLVReader(signature)
    if let numbers = try? reader.next(.sequence).mapChildren(atMost: 2, { Array($0.value)[...] }), numbers.count == 2 {
      pairs.append((numbers[0], numbers[1]))
    }
    return pairs.compactMap { pair in
      let numbers = [pair.0, pair.1].map { $0.drop { $0 == 0 } }
      guard numbers.allSatisfy({ $0.count <= size }) else { return nil }
      return BER.signature(plain: numbers.flatMap { [UInt8](repeating: 0, count: size - $0.count) + $0 })
    }
  }

  public var jsonValue: JSONValue {
    [
      "challenge": .string(hexadecimal(challenge)), "signature": .string(hexadecimal(signature)),
      "status": .optional(status?.description),
    ]
  }
}
