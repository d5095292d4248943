/// Chip authentication, version 1 (ICAO Doc 9303-11, 6.2): a key agreement with the chip's static key, whose result
/// replaces the keys of secure messaging. A chip without the secret part cannot go on.
///
/// The result convinces only whoever performed it: both sides could have computed all messages.
public struct ChipAuthentication: Sendable, Hashable {
  /// The protocol's name, such as `id-CA-ECDH-AES-CBC-CMAC-128`.
  public let protocolName: String
  /// SubjectPublicKeyInfo of the chip's static key, from EF.DG14.
  public let publicKey: [UInt8]
  /// Whether the chip answered under the new keys.
  public internal(set) var status: CheckStatus
  /// Why it failed or could not be checked; empty if it passed.
  public internal(set) var text: String

  /// A key of the chip with the protocol to use it (9.2.5 and 9.2.6).
  struct Variant {
    let cipher: ChipCipher
    let name: String
    /// The protocol's object identifier in DER; nil if the chip lists only its key.
    let protocolBytes: [UInt8]?
    let key: [UInt8]
    let keyIdentifier: Int?

    /// Returns the variant with the longest key of secure messaging; nil if the chip has none that is supported.
    static func preferred(of infos: [SecurityInfo]) -> Variant? {
      var variants: [Variant] = []
      for key in infos where key.kind == .chipAuthenticationPublicKey {
        guard let bytes = key.subjectPublicKeyInfo, let agreement = key.numbers.last else { continue }
        let protocols = infos.filter {
          // id-CA-DH and id-CA-ECDH have the number of id-PK-DH and id-PK-ECDH.
          $0.kind == .chipAuthentication && $0.version == 1 && $0.numbers.count == 3 && $0.numbers[1] == agreement
            && ($0.parameter == key.parameter || $0.parameter == nil)
        }
        for info in protocols {
          guard let cipher = ChipCipher(rawValue: info.numbers[2]) else { continue }
          variants.append(
            Variant(
              cipher: cipher, name: info.name, protocolBytes: info.protocolBytes, key: bytes,
              keyIdentifier: key.parameter))
        }
        // 6.2.1: without ChipAuthenticationInfo, the protocol is the one with triple DES.
        if !infos.contains(where: { $0.kind == .chipAuthentication }) {
          variants.append(
            Variant(
              cipher: .tripleDES, name: agreement == 1 ? "id-CA-DH-3DES-CBC-CBC" : "id-CA-ECDH-3DES-CBC-CBC",
              protocolBytes: nil, key: bytes, keyIdentifier: key.parameter))
        }
      }
      return variants.dropFirst().reduce(variants.first) { best, next in
        best.map { next.cipher.rawValue > $0.cipher.rawValue } ?? true ? next : best
      }
    }
  }

  /// Performs the protocol and switches secure messaging to the new keys.
  ///
  /// - Parameter confirm: sends a command under the new keys; it throws ``VerifyError/Code/damaged`` if the chip does
  ///   not have them.
  /// - Throws: the transport's error or the budget's.
  static func perform(
    _ variant: Variant, _ channel: ChipChannel, _ randomness: ChipRandomness, confirm: () throws -> Void
  ) throws -> Self {
    var result = Self(protocolName: variant.name, publicKey: variant.key, status: .notChecked, text: "")
    let (domain, publicKey): (DomainParameters, [UInt8])
    do {
      (domain, publicKey) = try DomainParameters.reading(key: variant.key)
    } catch let error as VerifyError {
      result.text = error.message
      return result
    }
    let secret = try randomness.secret(domain)
    let own = domain.encoded(try domain.publicKey(of: secret))
    let shared: SecretBytes
    do {
      shared = try domain.sharedSecret(secret, with: publicKey)
    } catch let error as VerifyError {
      result.text = error.message
      return result
    }
    func failed(_ text: String) -> Self {
      (result.status, result.text) = (.failed, text)
      return result
    }
    do {
      if let status = try agree(variant, channel, own) {
        return failed("the chip refuses chip authentication: status \(status)")
      }
      channel.messaging = try ChipSecureMessaging(variant.cipher, secret: shared)
      try confirm()
    } catch let error as VerifyError where error.code == .damaged {
      return failed("the chip does not have the new keys: \(error.message)")
    }
    result.status = .passed
    return result
  }

  /// Sends the ephemeral key. Returns the status by which the chip refused it, or nil.
  private static func agree(_ variant: Variant, _ channel: ChipChannel, _ own: [UInt8]) throws -> ChipStatus? {
    let number = variant.keyIdentifier.map { identifier in
      // An unsigned number, as short as possible.
      let digits = Array(withUnsafeBytes(of: UInt64(clamping: identifier).bigEndian) { Array($0) }.drop { $0 == 0 })
      return BER.object([0x84], digits.isEmpty ? [0] : digits)
    }
    func manage(_ p2: UInt8, _ data: [UInt8]) throws -> ChipStatus {
      try channel.send(
        ChipCommand(instruction: ChipCommand.manageSecurityEnvironment, p1: 0x41, p2: p2, data: data)
      ).status
    }
    guard variant.cipher != .tripleDES, let protocolBytes = variant.protocolBytes else {
      // 6.2.4.1: MSE:Set KAT.
      let status = try manage(0xA6, BER.object([0x91], own) + (number ?? []))
      return status == .success ? nil : status
    }
    // 6.2.4.2: MSE:Set AT, then GENERAL AUTHENTICATE.
    let status = try manage(0xA4, BER.object([0x80], protocolBytes) + (number ?? []))
    guard status == .success else { return status }
    let response = try channel.send(
      ChipCommand(
        instruction: ChipCommand.generalAuthenticate, p1: 0, p2: 0,
        data: BER.object([0x7C], BER.object([0x80], own)), expected: ChipCommand.largestShortResponse))
    return response.status == .success ? nil : response.status
  }
}

/// The data of PACE with chip authentication mapping (ICAO Doc 9303-11, 4.4.3.5): the chip's ephemeral mapping key is
/// the product of these data and its static key, which only the owner of its secret can arrange.
public struct ChipAuthenticationMapping: Sendable, Hashable {
  /// The number of the standardised domain parameters.
  public let parameters: Int
  /// The chip's mapping key.
  public let chipKey: [UInt8]
  /// The chip authentication data; nil if the chip sent none.
  public let data: [UInt8]?

  /// Verifies the data with the static keys in EF.CardSecurity, which passive authentication must authenticate.
  func verify(_ infos: SecurityInfos) -> Check<ChipProof.StepName> {
    func step(_ status: CheckStatus, _ reason: ChipProof.Reason?, _ text: String) -> Check<ChipProof.StepName> {
      Check(.chipAuthenticationMapping, status, reason, text)
    }
    guard let data else {
      return step(.failed, .chipRefused, "the chip sent no data of chip authentication mapping")
    }
    guard let domain = DomainParameters(standard: parameters) else {
      return step(.notChecked, .keyUnusable, "the domain parameters \(parameters) are not known")
    }
    var copy = data
    let scalar = SecretBytes(moving: &copy)
    // Keys with other domain parameters are no elements of the group.
    let products = infos.infos.compactMap(\.subjectPublicKeyInfo)
      .compactMap { try? DomainParameters.reading(key: $0).publicKey }.compactMap { domain.multiply(scalar, $0) }
    guard !products.isEmpty else {
      return step(.notChecked, .keyUnusable, "EF.CardSecurity has no key with the domain parameters \(parameters)")
    }
    let isProved = products.contains { isEqual($0, chipKey) }
    return isProved
      ? step(.passed, nil, "the chip has the secret of its key in EF.CardSecurity")
      : step(.failed, .signatureWrong, "the chip does not have the secret of its key in EF.CardSecurity")
  }
}
