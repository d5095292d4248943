internal import COpenSSL

/// Signed data of the Cryptographic Message Syntax (RFC 5652), parsed by OpenSSL, which also accepts the indefinite
/// lengths that some states write. The signature is verified once, by the initialiser.
struct SignedData: Sendable {
  /// In dotted form.
  let contentType: String
  let content: [UInt8]
  /// The certificates that can be read. Only the size of the whole bounds their number.
  let certificates: [Certificate]
  let signer: Signer?
  /// The result of verifying the signature with the signer's certificate; nil if that is missing.
  let signature: SignatureCheck?
  /// Violations of RFC 5652.
  let violations: [Violation]

  struct Signer: Sendable {
    let certificate: Certificate?
    let digest: DigestAlgorithm
    let algorithm: SignatureAlgorithm?
    let signingTime: DateTime?
  }

  /// - Throws: ``VerifyError/Code/damaged``.
  init(_ bytes: [UInt8]) throws {
    var used = 0
    guard let handle = copenssl_cms_read(bytes, bytes.count, &used) else {
      throw VerifyError(.damaged, "the bytes are no signed data of the Cryptographic Message Syntax")
    }
    defer { copenssl_cms_free(handle) }
    guard used == bytes.count else {
      throw VerifyError(.damaged, "there are \(bytes.count - used) bytes behind the signed data")
    }
    var type = [CChar](repeating: 0, count: 128)
    copenssl_cms_content_type(handle, &type, type.count)
    contentType = String(decoding: type.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var start: UnsafePointer<UInt8>?
    let size = copenssl_cms_content(handle, &start)
    content = Array(UnsafeBufferPointer(start: start, count: size))
    var certificates: [Int: Certificate] = [:]
    for index in 0..<copenssl_cms_certificate_count(handle) {
      var der = [UInt8](repeating: 0, count: copenssl_cms_certificate(handle, index, nil, 0))
      _ = copenssl_cms_certificate(handle, index, &der, der.count)
      certificates[index] = try? Certificate(der)
    }
    self.certificates = certificates.sorted { $0.key < $1.key }.map(\.value)

    var signer = copenssl_signer()
    guard copenssl_cms_signer(handle, &signer) == 1 else {
      (self.signer, signature, violations) = (nil, nil, [])
      return
    }
    let certificate = signer.found == Int32(COPENSSL_SIGNER_NONE) ? nil : certificates[signer.certificate]
    let der = withUnsafeBytes(of: &signer.signature) { Array($0.prefix(signer.signature_size)) }
    var reader = TLVReader(der)
    let algorithm = try? reader.next().map(SignatureAlgorithm.init)
    let found = Signer(
      certificate: certificate, digest: DigestAlgorithm(CText.string(&signer.digest)), algorithm: algorithm,
      signingTime: Self.time(CText.string(&signer.signing_time)))
    var isStrict: CInt = 0
    // With an unknown algorithm, OpenSSL would verify by key type alone.
    signature = certificate.map { _ in
      algorithm?.kind == nil
        ? .unsupported : SignatureCheck(copenssl_cms_verify(handle, signer.certificate, &isStrict))
    }
    self.signer = found
    violations = Self.violations(signer, found, isStrict: isStrict == 1 || signature != .valid)
  }

  private static func violations(_ raw: copenssl_signer, _ signer: Signer, isStrict: Bool) -> [Violation] {
    var (raw, found): (copenssl_signer, [Violation]) = (raw, [])
    var reader = TLVReader(withUnsafeBytes(of: &raw.issuer) { Array($0.prefix(raw.issuer_size)) })
    let issuer = try? reader.next().map(DistinguishedName.init)
    if signer.signingTime == nil, raw.signing_time.0 != 0 {
      found.append(Violation(.signedAttributesWrong, "the signing time cannot be read"))
    }
    if raw.count > 1 { found.append(Violation(.severalSigners, "\(raw.count) signers are named, one is wanted")) }
    switch Int(raw.found) {
    case Int(COPENSSL_SIGNER_BY_SERIAL_NUMBER) where issuer?.comparisonKey == signer.certificate?.issuer.comparisonKey:
      found.append(
        Violation(
          .signerNameDiffers, "the signer's issuer is named in another order or writing than in its certificate"))
    case Int(COPENSSL_SIGNER_BY_SERIAL_NUMBER), Int(COPENSSL_SIGNER_ONLY_ONE):
      found.append(Violation(.signerNotIdentified, "the certificate is not the one that the signer names"))
    default: break
    }
    switch Int(raw.attributes) {
    case Int(COPENSSL_ATTRIBUTES_NONE):
      found.append(Violation(.signedAttributesMissing, "the signer has no signed attributes"))
    case Int(COPENSSL_ATTRIBUTES_WRONG):
      found.append(Violation(.signedAttributesWrong, "a signed attribute is missing, is a duplicate or has two values"))
    default: break
    }
    if let own = signer.algorithm?.digest, own != signer.digest {
      found.append(
        Violation(.digestsDiffer, "the signature is made with \(own), while the signer names \(signer.digest)"))
    } else if !isStrict {
      found.append(Violation(.signedAttributesUnsorted, "the signed attributes are not in the order of DER"))
    }
    return found
  }

  private static func time(_ text: String) -> DateTime? {
    guard let digits = TLV.digits(Array(text.utf8)), digits.count == 14 else { return nil }
    func two(_ index: Int) -> Int { 10 * digits[index] + digits[index + 1] }
    return try? DateTime(
      year: 100 * two(0) + two(2), month: two(4), day: two(6), hour: two(8), minute: two(10), second: two(12))
  }
}

/// A violated rule.
struct Violation: Sendable, Hashable {
  let reason: PassiveAuthentication.Reason
  /// One line.
  let text: String

  init(_ reason: PassiveAuthentication.Reason, _ text: String) {
    self.reason = reason
    self.text = text
  }
}

/// The result of a signature check.
enum SignatureCheck: Sendable {
  case valid
  case invalid
  /// The signature was made for other content.
  case wrongDigest
  /// The algorithm or key is unknown; nothing was checked.
  case unsupported

  init(_ code: CInt) {
    switch Int(code) {
    case Int(COPENSSL_VALID): self = .valid
    case Int(COPENSSL_WRONG_DIGEST): self = .wrongDigest
    case Int(COPENSSL_UNSUPPORTED): self = .unsupported
    default: self = .invalid
    }
  }
}

/// Text in a fixed-size array of a C structure.
enum CText {
  static func string<Tuple>(_ characters: inout Tuple) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
