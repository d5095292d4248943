import FaceVerifyBase
package import IdentityDocuments

/// A visible digital seal with any parts wrong, its signer's certificate, and the state's other files: encoded by the
/// standard (Doc 9303-13; 9303-12, 7.1.3), without code of the product.
package struct EmulatedSeal: Sendable {
  // MARK: The seal

  package var magic: UInt8 = 0xDC
  package var version: UInt8 = 3
  package var issuer = "UTO"
  /// The identifier of the signer, and in the certificate its country and name.
  package var signer = "UTTS"
  package var reference = "5B"
  /// In place of that of the reference, which precedes it in version 4.
  package var referenceLength: String?
  /// Month, day, year, as one number.
  package var issued = 03_01_2026
  package var signed = 03_02_2026
  package var definition: UInt8
  package var category: UInt8
  package var features: [(tag: UInt8, bytes: [UInt8])]
  /// In place of the shortest encoding.
  package var length: (@Sendable (Int) -> [UInt8])?
  /// In place of the signer's.
  package var signingSecret: [UInt8]?
  /// In place of that of the curve.
  package var digest: String?
  package var trailing: [UInt8] = []
  package var signatureChange: (@Sendable ([UInt8]) -> [UInt8])?

  // MARK: The certificate of its signer

  /// The number of domain parameters in Doc 9303-11.
  package var curve = 12
  package var serial: [UInt8] = [0x5B]
  package var dates = ["260101", "281231"]
  package var purposes: [String]? = ["2.23.136.1.1.11.1"]
  package var documentTypes: [String]?
  package var keyUsage: UInt8?
  package var keyPeriod: [String]?
  /// In place of country and name of ``signer``.
  package var subject: [String]?
  package var publicKey: [UInt8]?
  private let secret = [UInt8](repeating: 0x33, count: 24)

  private init(definition: UInt8, category: UInt8, features: [(tag: UInt8, bytes: [UInt8])]) {
    (self.definition, self.category, self.features) = (definition, category, features)
  }

  /// Of Doc 9303-7, appendix B.1.
  package static let visaZone = """
    V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<
    L898902C<3UTO6908061F9406236ZE184226B<<<<<<<
    """
  /// Of Doc 9303-8, appendix B.
  package static let sheetZone = """
    PUUTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<
    D231458907UTO7408122F2606277<<<<<<<8
    """

  package static func visa(_ zone: String = visaZone) -> EmulatedSeal {
    let lines = zone.split(separator: "\n")
    return EmulatedSeal(
      definition: 0x5D, category: 1,
      features: [
        (lines[0].count == 44 ? 1 : 2, c40(String(lines[0] + lines[1].prefix(28)))), (3, [2]), (4, [90, 0, 0]),
        (5, c40("L898902C ")),
      ])
  }

  package static func sheet(_ zone: String = sheetZone) -> EmulatedSeal {
    EmulatedSeal(definition: 0x5E, category: 3, features: [(2, c40(zone.filter { $0 != "\n" }))])
  }

  package func replacing(_ tag: UInt8, _ bytes: [UInt8]?) -> EmulatedSeal {
    var seal = self
    seal.features = features.compactMap { $0.tag == tag ? bytes.map { (tag, $0) } : $0 }
    return seal
  }

  package static func c40(_ text: String) -> [UInt8] {
    let characters = Array(text.utf8)
    let values = characters.map { character -> Int in
      switch character {
      case 48...57: Int(character) - 44
      case 65...90: Int(character) - 51
      default: 3
      }
    }
    return stride(from: 0, to: values.count, by: 3).flatMap { start -> [UInt8] in
      let triple = Array(values[start..<min(start + 3, values.count)])
      if triple.count == 1 { return [254, triple[0] == 3 ? 33 : characters[start] + 1] }
      let number = 1600 * triple[0] + 40 * triple[1] + (triple.count == 3 ? triple[2] : 0) + 1
      return [UInt8(number / 256), UInt8(number % 256)]
    }
  }

  /// Header and message zone.
  package var content: [UInt8] {
    func date(_ number: Int) -> [UInt8] { [16, 8, 0].map { UInt8(number >> $0 & 255) } }
    func size(_ count: Int) -> [UInt8] {
      if let length { return length(count) }
      // Version 3 has a length of one byte, version 4 that of DER.
      return version < 3
        ? [UInt8(count)] : Array(tlv(1, [UInt8](repeating: 0, count: count)).dropFirst().dropLast(count))
    }
    let digits = String(reference.count, radix: 16, uppercase: true)
    let counted = version < 3 ? "" : referenceLength ?? (digits.count == 1 ? "0" : "") + digits
    let padded = issuer + String(repeating: " ", count: 3 - issuer.count)
    var bytes = [magic, version] + Self.c40(padded) + Self.c40(signer + counted + reference)
    bytes += date(issued) + date(signed) + [definition, category]
    for feature in features { bytes += [feature.tag] + size(feature.bytes.count) + feature.bytes }
    return bytes
  }

  package var payload: [UInt8] {
    let digest = digest ?? [10: "SHA224", 16: "SHA384", 17: "SHA512", 18: "SHA512"][curve] ?? "SHA256"
    let (hash, key) = (EmulatedState.hash(content, digest), signingSecret ?? secret)
    let nonce = [1] + EmulatedState.hash(key + hash).dropFirst(10)
    let plain = Curve(curve).sign(hash, secret: key, nonce: nonce)
    return content + tlv(0xFF, signatureChange?(plain) ?? plain) + trailing
  }

  package var certificate: [UInt8] {
    var extensions = EmulatedState.part(
      "2.5.29.35", false, DER.sequence(tlv(0x80, EmulatedState.identifier(EmulatedState.authoritySecret))))
    if let documentTypes {
      let codes = documentTypes.map { tlv(0x13, Array($0.utf8)) }
      extensions += EmulatedState.part(
        "2.23.136.1.1.6.2", false, DER.sequence(DER.integer(0), DER.set(codes)))
    }
    if let keyUsage { extensions += EmulatedState.part("2.5.29.15", true, DER.bits([keyUsage])) }
    if let keyPeriod {
      extensions += EmulatedState.part(
        "2.5.29.16", false,
        DER.sequence(tlv(0x80, Array(keyPeriod[0].utf8)), tlv(0x81, Array(keyPeriod[1].utf8))))
    }
    if let purposes {
      extensions += EmulatedState.part("2.5.29.37", true, tlv(0x30, Array(purposes.map(DER.oid).joined())))
    }
    let group = Curve(curve)
    let point = group.encoded(group.multiply(secret, group.generator))
    let names = subject ?? [String(signer.prefix(2)), String(signer.suffix(2))]
    return EmulatedState.certificate(
      EmulatedState.name(names[1], country: names[0]), serial: serial, dates: dates,
      publicKey: publicKey ?? EmulatedState.publicKey(point, curve: EmulatedDocument.curves[curve] ?? ""),
      extensions: extensions)
  }

  /// A revocation list of the CSCA with the signer's certificate.
  package var revocationList: [UInt8] {
    let identifier = EmulatedState.identifier(EmulatedState.authoritySecret)
    let body = DER.sequence(
      DER.integer(1), EmulatedState.algorithm, EmulatedState.name("CSCA"), DER.time("260501"), DER.time("260801"),
      DER.sequence(DER.sequence(DER.unsigned(serial), DER.time("260401"))),
      tlv(0xA0, DER.sequence(EmulatedState.part("2.5.29.35", false, DER.sequence(tlv(0x80, identifier))))))
    return DER.sequence(
      body, EmulatedState.algorithm, DER.bits(EmulatedState.sign(body, EmulatedState.authoritySecret)))
  }

  /// The CSCA's certificate, and the signer's.
  package func trust() -> TrustStore {
    var store = EmulatedState.shared.trust()
    store.add(certificate, name: "signer.cer")
    return store
  }

  /// An RSA key, which signs no seals.
  package static var rsaKey: [UInt8] { EmulatedRSA.key(2048).publicKey }
}
