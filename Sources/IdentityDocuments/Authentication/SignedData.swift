/// Signed data of the Cryptographic Message Syntax (RFC 5652). The signature is verified once, by the initialiser.
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
  /// What identifies the signer's certificate, and the whole, if that certificate is missing.
  private let incomplete: (key: String, bytes: [UInt8])?

  struct Signer: Sendable {
    let certificate: Certificate?
    let digest: DigestAlgorithm
    let algorithm: SignatureAlgorithm?
    let signingTime: DateTime?
  }

  /// Reads a file of a chip.
  ///
  /// - Parameters:
  ///   - mayHaveTag: whether it may be EF.SOD with its tag 77.
  /// - Throws: ``VerifyError/Code/damaged``, ``VerifyError/Code/unknownFormat`` or ``VerifyError/Code/tooLarge``.
  init(file bytes: [UInt8], mayHaveTag: Bool) throws {
    let most = DocumentSecurityObject.maximumBytes
    guard bytes.count <= most else {
      throw VerifyError(.tooLarge, "the file has \(bytes.count) bytes, the limit is \(most)")
    }
    let hasTag = mayHaveTag && bytes.first == 0x77
    try self.init(hasTag ? Array(ElementaryFile.object(in: bytes, tag: 0x77).value) : bytes)
  }

  /// - Throws: ``VerifyError/Code/damaged``.
  init(_ bytes: [UInt8]) throws {
    do {
      // Some states write indefinite lengths.
      do { try self.init(definite: bytes) } catch { try self.init(definite: BER.definite(bytes)) }
    } catch {
      let problem = (error as? VerifyError)?.message ?? "\(error)"
      throw VerifyError(.damaged, "the bytes are no signed data of the Cryptographic Message Syntax: \(problem)")
    }
  }

  /// A signature outside of the Cryptographic Message Syntax, whose rules do not apply to it.
  ///
  /// - Parameter signature: nil without the signer's certificate.
  init(_ content: [UInt8], signature: SignatureCheck?, by signer: Signer) {
    (contentType, certificates, violations) = ("", [], [])
    (self.content, self.signature, self.signer, incomplete) = (content, signature, signer, nil)
  }

  /// Returns the signed data with a signer's certificate of the trust store, if they have none (optional in RFC 5652,
  /// 5.1). Only the one whose key signed is used: another of the same name proves nothing.
  func completed(by trust: TrustStore) -> SignedData {
    guard let (key, bytes) = incomplete else { return self }
    return (trust.documentSigners[key] ?? []).prefix(16).lazy.compactMap {
      try? SignedData(definite: bytes, supplied: $0)
    }.first { $0.signature == .valid && !$0.violations.contains { $0.reason == .signerNotIdentified } } ?? self
  }

  private init(definite bytes: [UInt8], supplied: Certificate? = nil) throws {
    var reader = TLVReader(bytes)
    let whole = try reader.next(.sequence)
    var outer = try whole.children()
    guard try outer.next(.objectIdentifier).objectIdentifier() == "1.2.840.113549.1.7.2" else {
      throw whole.damaged("the content type is not signed data")
    }
    var inner = try outer.next(0xA0).children()
    var fields = try inner.next(.sequence).children()
    _ = try fields.next(.integer).integer()
    try fields.next(.set).forEachChild { _ = try $0.requiredChild(.objectIdentifier).objectIdentifier() }
    var signed = try fields.next(.sequence).children()
    contentType = try signed.next(.objectIdentifier).objectIdentifier()
    content = try signed.next(0xA0).onlyChild().octets()
    var candidates: [Candidate] = []
    try fields.nextIfPresent(0xA0)?.forEachChild {
      if $0.tag == .sequence { candidates.append(Candidate($0)) }
    }
    if let supplied { candidates.append(Candidate(supplied)) }
    _ = try fields.nextIfPresent(0xA1)
    var signers = try fields.next(.set).children()
    let first = try signers.next().map(SignerInfo.init)
    var signerCount = 1
    while try signers.next() != nil { signerCount += 1 }
    guard [reader, outer, inner, fields, signed].allSatisfy(\.isAtEnd) else {
      throw whole.damaged("there are bytes after the signed data or its fields")
    }
    certificates = candidates.compactMap(\.certificate)
    guard let first else {
      (signer, signature, violations, incomplete) = (nil, nil, [], nil)
      return
    }

    let (certificate, match) = first.certificate(among: candidates)
    let signer = Signer(
      certificate: certificate, digest: DigestAlgorithm(first.digest),
      algorithm: try? SignatureAlgorithm(first.algorithm),
      signingTime: try? first.values(SignerInfo.signingTime).first?.first?.time())
    var isStrict = false
    // With an unknown algorithm, OpenSSL would verify by key type alone.
    if let certificate, signer.algorithm?.kind != nil {
      signature = first.verify(content, contentType, key: certificate.publicKey, &isStrict)
    } else {
      signature = certificate == nil ? nil : .unsupported
    }
    var found: [Violation] = []
    if signer.signingTime == nil, !first.values(SignerInfo.signingTime).isEmpty {
      found.append(Violation(.signedAttributesWrong, "the signing time cannot be read"))
    }
    if signerCount > 1 { found.append(Violation(.severalSigners, "there are \(signerCount) signers, not one")) }
    if let match { found.append(match) }
    if first.attributes == nil {
      found.append(Violation(.signedAttributesMissing, "the signer has no signed attributes"))
    } else if !first.hasRightAttributes {
      found.append(
        Violation(.signedAttributesWrong, "an attribute is missing, repeated or misplaced, or does not have one value"))
    }
    if let own = signer.algorithm?.digest, own != signer.digest {
      found.append(
        Violation(.digestsDiffer, "the digest of the signature is \(own), that of the signer \(signer.digest)"))
    } else if signature == .valid, !isStrict {
      found.append(Violation(.signedAttributesUnsorted, "the signed attributes are not in the order of DER"))
    }
    (self.signer, violations) = (signer, found)
    let key = certificate == nil ? first.keyIdentifier ?? first.serialNumber : nil
    incomplete = key.map { ($0, bytes) }
  }
}

/// A certificate of signed data. Its identification is known even if the rest cannot be parsed.
private struct Candidate {
  let certificate: Certificate?
  private(set) var issuer: DistinguishedName?
  private(set) var serialNumber: String?

  init(_ certificate: Certificate) {
    (self.certificate, issuer, serialNumber) = (certificate, certificate.issuer, certificate.serialNumber)
  }

  init(_ whole: TLV) {
    certificate = try? Certificate(whole)
    if let certificate {
      (issuer, serialNumber) = (certificate.issuer, certificate.serialNumber)
      return
    }
    guard var outer = try? whole.children(), var fields = try? outer.next(.sequence).children() else { return }
    _ = try? fields.nextIfPresent(0xA0)
    serialNumber = (try? fields.next(.integer).value).map(Certificate.hexadecimalNumber)
    _ = try? fields.next(.sequence)
    issuer = try? DistinguishedName(fields.next(.sequence))
  }
}

/// A signer of signed data (RFC 5652, 5.3).
private struct SignerInfo {
  /// Attributes (RFC 5652, 11).
  static let contentType = "1.2.840.113549.1.9.3"
  static let messageDigest = "1.2.840.113549.1.9.4"
  static let signingTime = "1.2.840.113549.1.9.5"
  private static let countersignature = "1.2.840.113549.1.9.6"

  /// The signer's certificate is identified by issuer and serial number, or by its key identifier.
  var issuer: DistinguishedName?
  var serialNumber, keyIdentifier: String?
  /// The object identifier of the digest, in dotted form.
  let digest: String
  let digestAlgorithm: TLV
  let algorithm: TLV
  /// The signed attributes, in DER; nil if there are none.
  let attributes: [Attribute]?
  let unsignedAttributes: [Attribute]
  let signature: [UInt8]

  typealias Attribute = (encoded: [UInt8], type: String, values: [TLV])

  init(_ info: TLV) throws {
    var fields = try info.children()
    _ = try fields.next(.integer).integer()
    if let key = try fields.nextIfPresent(0x80) {
      keyIdentifier = hexadecimal(key.value)
    } else {
      var parts = try fields.next(.sequence).children()
      issuer = try? DistinguishedName(parts.next(.sequence))
      serialNumber = Certificate.hexadecimalNumber(try parts.next(.integer).value)
    }
    digestAlgorithm = try fields.next(.sequence)
    digest = try digestAlgorithm.requiredChild(.objectIdentifier).objectIdentifier()
    attributes = try fields.nextIfPresent(0xA0).map(Self.attributes)
    algorithm = try fields.next(.sequence)
    signature = try (fields.next() ?? info).octets()
    unsignedAttributes = try fields.nextIfPresent(0xA1).map(Self.attributes) ?? []
    guard fields.isAtEnd else { throw info.damaged("the signer has other fields") }
  }

  private static func attributes(_ list: TLV) throws -> [Attribute] {
    try list.mapChildren { member in
      var parts = try member.children()
      let type = try parts.next(.objectIdentifier)
      let values = try parts.next(.set).mapChildren(\.self)
      guard parts.isAtEnd, member.tag == .sequence else { throw member.damaged("an attribute has other fields") }
      // The signature is over DER (RFC 5652, 5.4), even if BER is stored.
      let content = BER.object([0x31], Array(values.map(\.der).joined()))
      return (BER.object([0x30], BER.object([0x06], Array(type.value)) + content), try type.objectIdentifier(), values)
    }
  }

  func values(_ type: String) -> [[TLV]] { (attributes ?? []).filter { $0.type == type }.map(\.values) }

  /// Returns the value of an attribute that occurs once, with one value.
  private func value(_ type: String) -> TLV? {
    let all = values(type)
    return all.count == 1 && all[0].count == 1 ? all[0][0] : nil
  }

  /// Whether content type and digest occur once, with one value each, and the signing time at most once, all of them
  /// signed, and countersignatures are unsigned (RFC 5652, 11).
  var hasRightAttributes: Bool {
    value(Self.contentType) != nil && value(Self.messageDigest) != nil
      && (values(Self.signingTime).isEmpty || value(Self.signingTime) != nil) && values(Self.countersignature).isEmpty
      && !unsignedAttributes.contains { [Self.contentType, Self.messageDigest, Self.signingTime].contains($0.type) }
  }

  /// Returns the signer's certificate, nil if it is missing or cannot be read, and the violation if the signer does not
  /// identify it exactly.
  func certificate(among candidates: [Candidate]) -> (Certificate?, Violation?) {
    func isSerial(_ one: Candidate) -> Bool { serialNumber != nil && serialNumber == one.serialNumber }
    if let exact = candidates.first(where: { one in
      keyIdentifier.map { $0 == one.certificate?.subjectKeyIdentifier }
        ?? (isSerial(one) && one.issuer.map { issuer?.isSame(as: $0) ?? false } ?? false)
    }) {
      return (exact.certificate, nil)
    }
    guard let found = candidates.last(where: isSerial) ?? (candidates.count == 1 ? candidates[0] : nil) else {
      return (nil, nil)
    }
    let isSpelledDifferently =
      found.certificate != nil && isSerial(found) && issuer?.comparisonKey == found.issuer?.comparisonKey
    let violation =
      isSpelledDifferently
      ? Violation(.signerNameDiffers, "the signer's issuer is spelled differently than in its certificate")
      : Violation(.signerNotIdentified, "the certificate is not the one that the signer names")
    return (found.certificate, violation)
  }

  /// Verifies the signature strictly, and then with the signed attributes in the order of DER.
  func verify(_ content: [UInt8], _ contentType: String, key: [UInt8], _ isStrict: inout Bool) -> SignatureCheck {
    func check(_ bytes: [UInt8]) -> SignatureCheck {
      SignatureAlgorithm.verify(signature, of: bytes[...], by: key, algorithm, digest: digestAlgorithm)
    }
    guard let attributes else {
      isStrict = true
      return check(content)
    }
    guard let hash = DigestAlgorithm.hash(of: content, by: digest) else { return .unsupported }
    guard let signed = value(Self.messageDigest), signed.tag == .octetString, signed.value.elementsEqual(hash) else {
      return .wrongDigest
    }
    guard let type = value(Self.contentType), (try? type.objectIdentifier()) == contentType,
      type.tag == .objectIdentifier
    else { return .invalid }
    let parts = attributes.map(\.encoded)
    isStrict = true
    let found = check(BER.object([0x31], Array(parts.joined())))
    guard found == .invalid else { return found }
    isStrict = false
    return check(BER.object([0x31], Array(parts.sorted { $0.lexicographicallyPrecedes($1) }.joined())))
  }
}

extension TLV {
  /// The only data object in the value.
  fileprivate func onlyChild() throws -> TLV {
    var members = try children()
    guard let child = try members.next(), members.isAtEnd else { throw damaged("there is not one field") }
    return child
  }

  /// The object with a minimal length; a constructed one as stored, because its value may be anything.
  fileprivate var der: [UInt8] {
    tag.isConstructed || tag.rawValue > 0xFF ? Array(encoded) : BER.object([UInt8(tag.rawValue)], Array(value))
  }

  /// The value of an octet string, which BER allows to be divided (ITU-T X.690, 8.7).
  fileprivate func octets() throws -> [UInt8] {
    if tag == .octetString { return Array(value) }
    guard tag == 0x24 else { throw damaged("an octet string is missing") }
    return Array(try mapChildren { try $0.octets() }.joined())
  }
}

/// The Basic Encoding Rules beyond what ``TLVReader`` accepts.
enum BER {
  /// Rewrites the indefinite lengths (ITU-T X.690, 8.1.3.6) of signed data as definite ones. All else is unchanged,
  /// certificates included, because their signatures cover DER: one of indefinite length is truncated to its TBS part,
  /// and cannot be parsed.
  ///
  /// - Throws: ``VerifyError/Code/damaged``.
  static func definite(_ bytes: [UInt8]) throws -> [UInt8] {
    var reader = ByteReader(bytes)
    return try rewritten(&reader, depth: 0) + reader.rest()
  }

  private static func rewritten(_ reader: inout ByteReader, depth: Int) throws -> [UInt8] {
    guard depth < TLV.maximumDepth else { throw VerifyError(.damaged, "data objects are nested too deep") }
    let start = reader
    let tag = try TLVReader.tag(from: &reader)
    func bytes(to end: ByteReader) throws -> [UInt8] {
      var whole = start
      return Array(try whole.bytes(end.position - start.position))
    }
    let header = try bytes(to: reader)
    var (ahead, content) = (reader, [UInt8]())
    func member(_ reader: inout ByteReader) throws -> [UInt8] {
      var before = reader
      let bytes = try rewritten(&reader, depth: depth + 1)
      guard depth == 3, tag == 0xA0, bytes.first == 0x30 else { return bytes }
      let original = Array(try before.bytes(reader.position - before.position))
      guard original[1] == 0x80 else { return original }
      var certificate = TLVReader(bytes)
      var fields = try certificate.next(.sequence).children()
      return object([0x30], Array(try fields.next(.sequence).encoded))
    }
    guard tag.isConstructed, try ahead.u8() == 0x80 else {
      let length = try TLVReader.length(from: &reader)
      var value = try reader.section(length)
      guard tag.isConstructed else { return try bytes(to: reader) }
      var whole = value
      let original = Array(whole.rest())
      while value.remaining > 0 { content += try member(&value) }
      return content == original ? try bytes(to: reader) : object(header, content)
    }
    reader = ahead
    // Two zero bytes end the value.
    while try ahead.u16() != 0 {
      content += try member(&reader)
      ahead = reader
    }
    reader = ahead
    return object(header, content)
  }

  /// Returns a data object in DER.
  static func object(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
    guard content.count >= 0x80 else { return tag + [UInt8(content.count)] + content }
    let length = withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0.drop { $0 == 0 }) }
    return tag + [0x80 | UInt8(length.count)] + length + content
  }

  /// Returns ECDSA-Sig-Value in DER (RFC 3279, 2.2.3).
  ///
  /// - Parameter plain: r and s, of equal size (BSI TR-03111, 5.2.1).
  static func signature(plain: [UInt8]) -> [UInt8] {
    let half = plain.count / 2
    return object([0x30], integer(plain[..<half]) + integer(plain[half...]))
  }

  /// Returns ECDSA-Sig-Value or Dss-Sig-Value (RFC 3279, 2.2.2) in DER, given either form: numbers may have redundant
  /// zero octets, or lack the one of a positive number.
  static func signature(_ bytes: [UInt8]) -> [UInt8] {
    var reader = TLVReader(bytes)
    guard var numbers = try? reader.next(.sequence).children(), reader.isAtEnd,
      let r = try? numbers.next(.integer).value, let s = try? numbers.next(.integer).value, numbers.isAtEnd
    else { return signature(plain: bytes) }
    return object([0x30], integer(r) + integer(s))
  }

  /// Returns an unsigned number in DER.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let digits = bytes.drop { $0 == 0 }
    return object([0x02], (digits.first ?? 0x80 >= 0x80 ? [0] : []) + digits)
  }
}

struct Violation: Sendable, Hashable {
  let reason: PassiveAuthentication.Reason
  /// One line.
  let text: String

  init(_ reason: PassiveAuthentication.Reason, _ text: String) { (self.reason, self.text) = (reason, text) }
}
