/// A visible digital seal: signed data in a bar code on a visa or an emergency travel document (ICAO Doc 9303-13).
///
/// Decoding verifies nothing but the encoding; ``SealReport`` judges it. A seal does not prevent copies of it.
public struct DigitalSeal: Sendable, Hashable, JSONConvertible {
  /// An entry of the message zone.
  public struct Feature: Sendable, Hashable, JSONConvertible {
    public let tag: Int
    public let bytes: [UInt8]
    /// Such as `passport-number`; nil if the profile does not have the tag.
    public let name: String?
    /// As text: the lines of a zone; a number or `unlimited` for entries; a period of ISO 8601 or `until-expiry`,
    /// `decided-at-border`, `transit` for a stay; binary values in hexadecimal. Nil if the profile does not have the
    /// tag, or does not allow the bytes.
    public let value: String?
    /// Whether it has lines of a machine-readable zone.
    public let isZone: Bool

    public var jsonValue: JSONValue {
      [
        "tag": .integer(tag), "name": .optional(name), "value": .optional(value), "bytes": .string(hexadecimal(bytes)),
      ]
    }
  }

  /// The version of the header, 3 or 4; its byte is one less.
  public let version: Int
  /// A code of up to three letters, see ``CountryName``.
  public let issuingState: String
  /// The signer identifier: the two letters of the signer's country, and two characters for the signer in it.
  public let signerCountry: String
  public let signerName: String
  /// The serial number of the signer's certificate in hexadecimal, possibly with leading zeros.
  public let certificateReference: String
  /// The day on which the document was issued.
  public let dateOfIssue: CalendarDate
  /// The day on which the seal was signed.
  public let dateOfSignature: CalendarDate
  /// The document feature definition reference and the document type category, which select the profile.
  public let featureDefinition: Int
  public let documentCategory: Int
  /// `visa` or `emergency-travel-document`; nil for any other profile.
  public var profileName: String? { profile?.name }
  /// In the order of the seal.
  public let features: [Feature]
  /// Two numbers of equal size, r and s of ECDSA.
  public let signature: [UInt8]
  let profile: SealProfile?
  /// Header and message zone.
  let signed: [UInt8]

  /// Larger than the content of any bar code that can have a seal: QR has 2,953 bytes.
  private static let maximumBytes = 4096
  private static let magic: UInt8 = 0xDC
  private static let signatureTag = 0xFF

  /// Whether the content of a bar code claims to be a seal, by its first byte.
  package static func isSeal(_ payload: [UInt8]) -> Bool { payload.first == magic }

  /// - Parameter payload: the content of the bar code.
  /// - Throws: ``VerifyError/Code/unknownFormat`` for other content or another version, otherwise
  ///   ``VerifyError/Code/damaged``.
  public init(payload: [UInt8]) throws {
    guard Self.isSeal(payload) else { throw VerifyError(.unknownFormat, "the code is not a visible digital seal") }
    guard payload.count <= Self.maximumBytes else {
      throw VerifyError(.damaged, "the seal has \(payload.count) bytes; bar codes have at most \(Self.maximumBytes)")
    }
    var reader = ByteReader(payload)
    try reader.skip(1)
    version = try reader.u8() + 1
    guard [3, 4].contains(version) else {
      throw VerifyError(.unknownFormat, "the seal is of version \(version); only 3 and 4 are known")
    }
    issuingState = try C40.decoded(reader.bytes(2)).filter { $0 != " " }
    let signer = try Self.signer(&reader, version)
    (signerCountry, signerName) = (String(signer.prefix(2)), String(signer.dropFirst(2).prefix(2)))
    certificateReference = String(signer.dropFirst(version == 3 ? 4 : 6))
    let isLetter: (UInt8) -> Bool = { 65...90 ~= $0 }
    let isDigit: (UInt8) -> Bool = { 48...57 ~= $0 }
    guard signerCountry.utf8.allSatisfy(isLetter), signerName.utf8.allSatisfy({ isLetter($0) || isDigit($0) }),
      certificateReference.utf8.allSatisfy({ isDigit($0) || 65...70 ~= $0 })
    else { throw VerifyError(.damaged, "the seal does not name its signer and the certificate: \(signer)") }
    dateOfIssue = try Self.date(&reader)
    dateOfSignature = try Self.date(&reader)
    let (definition, category) = (try reader.u8(), try reader.u8())
    guard 1...254 ~= definition, 1...254 ~= category else {
      throw VerifyError(.damaged, "the seal's profile has the numbers \(definition) and \(category)")
    }
    let profile = SealProfile.all.first { $0.definition == definition && $0.category == category }
    (featureDefinition, documentCategory, self.profile) = (definition, category, profile)
    var features: [Feature] = []
    var end = reader.position
    while case let tag = try reader.u8(), tag != Self.signatureTag {
      let length = try version == 3 ? reader.u8() : Self.length(&reader)
      let bytes = Array(try reader.bytes(length))
      let kind = profile?.features.first { $0.tag == tag }
      features.append(
        Feature(
          tag: tag, bytes: bytes, name: kind?.name, value: try? kind?.value(of: bytes), isZone: kind?.zoneFormat != nil)
      )
      end = reader.position
    }
    self.features = features
    signed = Array(payload.prefix(end))
    signature = Array(try reader.bytes(Self.length(&reader)))
    // Bar codes have their own padding, which is not part of their content (2.5).
    guard reader.remaining == 0 else {
      throw VerifyError(.damaged, "there are \(reader.remaining) bytes after the seal's signature")
    }
  }

  /// Reads the signer identifier and the certificate reference (2.2.1): nine characters in version 3; in version 4 two
  /// hexadecimal digits precede the reference and state its length.
  private static func signer(_ reader: inout ByteReader, _ version: Int) throws -> String {
    var (count, ahead) = (9, reader)
    if version == 4 {
      let digits = try C40.decoded(ahead.bytes(4)).dropFirst(4)
      guard digits.utf8.count == 2, let length = Int(digits, radix: 16), length > 0 else {
        throw VerifyError(.damaged, "the seal's certificate reference has no length")
      }
      count = 6 + length
    }
    let text = try C40.decoded(reader.bytes((count + 2) / 3 * 2))
    guard text.utf8.count == count else {
      throw VerifyError(.damaged, "the seal's signer has \(text.utf8.count) characters, not \(count)")
    }
    return text
  }

  /// Reads a day: the digits of month, day and year as one number in three bytes (2.3.1).
  private static func date(_ reader: inout ByteReader) throws -> CalendarDate {
    let number = try 0x1_0000 * reader.u8() + reader.u16()
    let (month, day, year) = (number / 1_000_000, number / 10_000 % 100, number % 10_000)
    guard let date = CalendarDate(year: year, month: month, day: day) else {
      throw VerifyError(.damaged, "the seal has a date that does not exist: month \(month), day \(day), year \(year)")
    }
    return date
  }

  /// Reads a length in DER: in one byte below 128, else with as few bytes as possible (ITU-T X.690, 10.1).
  private static func length(_ reader: inout ByteReader) throws -> Int {
    let start = reader.position
    let length = try TLVReader.length(from: &reader)
    let minimum = length < 0x80 ? 1 : length < 0x100 ? 2 : length < 0x1_0000 ? 3 : length < 0x100_0000 ? 4 : 5
    guard reader.position - start == minimum else {
      throw VerifyError(.damaged, "a length in the seal is not encoded in DER (at byte \(start))")
    }
    return length
  }

  /// The format and the lines of the zone; nil if there is none.
  var zone: (format: MRZFormat, text: String)? {
    for feature in features {
      if let format = profile?.features.first(where: { $0.tag == feature.tag })?.zoneFormat, let text = feature.value {
        return (format, text)
      }
    }
    return nil
  }

  /// Returns the value of the first feature with a name.
  public func value(of name: String) -> String? { features.first { $0.name == name }?.value }

  /// Whether a certificate is the one that the header names, by subject and serial number (2.2.1; 9303-12, 7.1.3).
  func names(_ certificate: Certificate) -> Bool {
    func number(_ digits: String) -> Substring { digits.drop { $0 == "0" } }
    return certificate.sealSigner.map { $0 == (signerCountry, signerName) } ?? false
      && number(certificate.serialNumber) == number(certificateReference)
  }

  /// Verifies the signature with a key. The key determines the digest: the smallest of SHA-2 with as many bits as the
  /// curve's order (2.4).
  ///
  /// - Returns: no algorithm if the key is not for ECDSA, or has more than 512 bits.
  func verify(with key: [UInt8]) -> (SignatureCheck, SignatureAlgorithm?) {
    let digests = [224, 256, 384, 512]
    guard let info = try? PublicKeyInfo(key), info.algorithm == "EC",
      let index = digests.firstIndex(where: { info.bits <= $0 })
    else { return (.unsupported, nil) }
    // ecdsa-with-SHA224 to ecdsa-with-SHA512 (RFC 5758, 3.2).
    var reader = TLVReader(BER.object([0x30], [0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, UInt8(index + 1)]))
    guard let identifier = try? reader.next(.sequence) else { return (.unsupported, nil) }
    let algorithm = try? SignatureAlgorithm(identifier)
    guard signature.count == 2 * ((info.bits + 7) / 8) else { return (.invalid, algorithm) }
    return (SignatureAlgorithm.verify(BER.signature(plain: signature), of: signed[...], by: key, identifier), algorithm)
  }

  public var jsonValue: JSONValue {
    [
      "version": .integer(version), "issuingState": .string(issuingState), "signerCountry": .string(signerCountry),
      "signerName": .string(signerName), "certificateReference": .string(certificateReference),
      "dateOfIssue": .string(dateOfIssue.description), "dateOfSignature": .string(dateOfSignature.description),
      "featureDefinition": .integer(featureDefinition), "documentCategory": .integer(documentCategory),
      "profile": .optional(profileName), "features": features.jsonValue,
    ]
  }
}
