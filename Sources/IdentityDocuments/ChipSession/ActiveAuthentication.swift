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
  static func perform(_ channel: ChipChannel, _ randomness: ChipRandomness, isExtended: Bool) throws -> Self {
    let challenge = try randomness.bytes(challengeSize)
    let command = ChipCommand(
      instruction: ChipCommand.internalAuthenticate, p1: 0, p2: 0, data: challenge,
      expected: isExtended ? ChipCommand.largestExtended : ChipCommand.largestShortResponse)
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
  ///   - dataGroup14: the file that names the digest of ECDSA (9.2.4); not needed for RSA.
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

  /// The digests of RSA by the trailer's first byte (ISO/IEC 9796-2, 8.1.2; ISO/IEC 10118-3); the trailer BC is SHA-1
  /// (9303-11, 6.1.2.2).
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
    message = Array(message.prefix(size))
    guard let start = Self.messageStart(message) else { return wrong }
    var digest = "SHA1"
    switch message.last {
    case 0xBC: message.removeLast()
    case 0xCC:
      let trailer = message[size - 2]
      guard !Self.unsupportedTrailers.contains(trailer) else {
        return step(.notChecked, .algorithmUnknown, "the signature's digest, number \(trailer), is not supported")
      }
      guard let known = Self.trailers[trailer] else { return wrong }
      digest = known
      message.removeLast(2)
    default: return wrong
    }
    let hashSize = DigestAlgorithm.hash(of: [], by: digest)?.count ?? 0
    guard hashSize > 0, start + hashSize <= message.count else { return wrong }
    let recovered = message[start..<message.count - hashSize]
    guard let hash = DigestAlgorithm.hash(of: recovered + challenge, by: digest),
      isEqual(hash, Array(message.suffix(hashSize)))
    else { return wrong }
    return step(.passed, nil, "the chip signed the challenge (RSA, \(digest))")
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

  /// The digests of ecdsa-plain-signatures by their number (BSI TR-03111, 5.2.1.1), with the object identifiers of
  /// ECDSA (RFC 5480, appendix A; RFC 3279, 2.2.3) in DER.
  private static let digests: [String: (name: String, algorithm: [UInt8])] = {
    let sha1: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01]
    func sha2(_ number: UInt8) -> [UInt8] { [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, number] }
    let plain = "0.4.0.127.0.7.1.1.4.1."
    return [
      plain + "1": ("SHA-1", sha1), plain + "2": ("SHA-224", sha2(1)), plain + "3": ("SHA-256", sha2(2)),
      plain + "4": ("SHA-384", sha2(3)), plain + "5": ("SHA-512", sha2(4)),
    ]
  }()

  /// ECDSA with the plain format of BSI TR-03111, 5.2.1: r and s, as long as the order (9303-11, 6.1.2.3).
  private func verifyECDSA(
    _ key: [UInt8], _ info: PublicKeyInfo, _ infos: SecurityInfos?, _ step: MakeStep
  ) -> Check<ChipProof.StepName> {
    guard let named = infos?.infos.first(where: { $0.kind == .activeAuthentication })?.signatureAlgorithm,
      let digest = Self.digests[named]
    else {
      return step(.notChecked, .algorithmUnknown, "EF.DG14 names no digest that is known for active authentication")
    }
    let half = signature.count / 2
    guard signature.count % 2 == 0, half == (info.bits + 7) / 8 else {
      return step(.failed, .signatureWrong, "the chip's signature has \(signature.count) bytes (ECDSA)")
    }
    let value = BER.signature(plain: signature)
    let algorithm = BER.object([0x30], BER.object([0x06], digest.algorithm))
    let result = copenssl_verify(
      key, key.count, algorithm, algorithm.count, nil, 0, value, value.count, challenge, challenge.count)
    switch SignatureCheck(result) {
    case .valid: return step(.passed, nil, "the chip signed the challenge (ECDSA, \(digest.name))")
    case .unsupported: return step(.notChecked, .keyUnusable, "the EC key in EF.DG15 is not supported")
    default: return step(.failed, .signatureWrong, "the chip's signature of the challenge is wrong (ECDSA)")
    }
  }

  public var jsonValue: JSONValue {
    [
      "challenge": .string(hexadecimal(challenge)), "signature": .string(hexadecimal(signature)),
      "status": .optional(status?.description),
    ]
  }
}
