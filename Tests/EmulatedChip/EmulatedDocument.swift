import FaceVerifyBase
package import IdentityDocuments

/// Writes DER (ITU-T X.690).
enum DER {
  static func sequence(_ parts: [UInt8]...) -> [UInt8] { tlv(0x30, Array(parts.joined())) }
  static func set(_ parts: [[UInt8]]) -> [UInt8] {
    tlv(0x31, Array(parts.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
  }
  static func integer(_ value: Int) -> [UInt8] {
    let digits = withUnsafeBytes(of: UInt64(value).bigEndian) { Array($0.drop { $0 == 0 }) }
    return unsigned(digits)
  }
  static func unsigned(_ digits: [UInt8]) -> [UInt8] {
    let digits = Array(digits.drop { $0 == 0 })
    return tlv(0x02, (digits.first ?? 0x80 >= 0x80 ? [0] : []) + digits)
  }
  static func octets(_ value: [UInt8]) -> [UInt8] { tlv(0x04, value) }
  static func bits(_ value: [UInt8], unused: UInt8 = 0) -> [UInt8] { tlv(0x03, [unused] + value) }
  static func time(_ text: String) -> [UInt8] { tlv(0x17, Array((text + "000000Z").utf8)) }
  static func oid(_ dotted: String) -> [UInt8] { tlv(0x06, oidBytes(dotted)) }
  static func oidBytes(_ dotted: String) -> [UInt8] {
    let numbers = dotted.split(separator: ".").compactMap { Int($0) }
    return ([40 * numbers[0] + numbers[1]] + numbers.dropFirst(2)).flatMap { number in
      var groups = [UInt8(number & 0x7F)]
      var rest = number >> 7
      while rest > 0 {
        groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
        rest >>= 7
      }
      return groups
    }
  }
}

/// A state that issues documents: a CSCA, a document signer, and its signed data (Doc 9303-12; RFC 5652), with keys on
/// NIST P-256. Signatures are made by `Arithmetic.swift`.
package struct EmulatedState: Sendable {
  package static let shared = EmulatedState()

  /// The certificate of the CSCA.
  package let authority: [UInt8]
  private let signer: [UInt8]
  static let authoritySecret = [UInt8](repeating: 0x11, count: 32)
  private static let signerSecret = [UInt8](repeating: 0x22, count: 32)
  static let algorithm = DER.sequence(DER.oid("1.2.840.10045.4.3.2"))
  private static let digest = "2.16.840.1.101.3.4.2.1"
  private static let curve = Curve(12)

  static func hash(_ bytes: [UInt8], _ digest: String = "SHA256") -> [UInt8] {
    DigestAlgorithm.hash(of: bytes, by: digest) ?? []
  }

  static func sign(_ bytes: [UInt8], _ secret: [UInt8]) -> [UInt8] {
    let hash = hash(bytes)
    let plain = curve.sign(hash, secret: secret, nonce: [1] + Self.hash(secret + hash).dropFirst())
    return DER.sequence(DER.unsigned(Array(plain.prefix(32))), DER.unsigned(Array(plain.suffix(32))))
  }

  static func publicKey(_ point: [UInt8], curve: String = "1.2.840.10045.3.1.7") -> [UInt8] {
    DER.sequence(DER.sequence(DER.oid("1.2.840.10045.2.1"), DER.oid(curve)), DER.bits(point))
  }

  static func name(_ common: String, country: String = "UT") -> [UInt8] {
    func attribute(_ type: String, _ tag: UInt32, _ text: String) -> [UInt8] {
      DER.set([DER.sequence(DER.oid(type), tlv(tag, Array(text.utf8)))])
    }
    return DER.sequence(attribute("2.5.4.6", 0x13, country), attribute("2.5.4.3", 0x0C, common))
  }

  static func identifier(_ secret: [UInt8]) -> [UInt8] {
    Array(hash(curve.encoded(curve.multiply(secret, curve.generator)), "SHA1"))
  }

  /// An extension of a certificate.
  static func part(_ number: String, _ critical: Bool, _ value: [UInt8]) -> [UInt8] {
    DER.sequence(DER.oid(number), critical ? [1, 1, 0xFF] : [], DER.octets(value))
  }

  /// A certificate issued by the CSCA.
  static func certificate(
    _ subject: [UInt8], serial: [UInt8], dates: [String], publicKey: [UInt8], extensions: [UInt8]
  ) -> [UInt8] {
    let body = DER.sequence(
      tlv(0xA0, DER.integer(2)), DER.unsigned(serial), algorithm, name("CSCA"),
      DER.sequence(DER.time(dates[0]), DER.time(dates[1])), subject, publicKey, tlv(0xA3, DER.sequence(extensions)))
    return DER.sequence(body, algorithm, DER.bits(sign(body, authoritySecret)))
  }

  private static func certificate(
    _ subject: String, serial: UInt8, secret: [UInt8], isAuthority: Bool
  ) -> [UInt8] {
    var extensions = part("2.5.29.14", false, DER.octets(identifier(secret)))
    extensions += part("2.5.29.35", false, DER.sequence(tlv(0x80, identifier(authoritySecret))))
    if isAuthority {
      extensions += part("2.5.29.19", true, DER.sequence([1, 1, 0xFF], DER.integer(0)))
      extensions += part("2.5.29.15", true, DER.bits([0x06], unused: 1))
    } else {
      extensions += part("2.5.29.15", true, DER.bits([0x80], unused: 7))
      let period = ["20220101000000Z", "20350101000000Z"].map { Array($0.utf8) }
      extensions += part("2.5.29.16", false, DER.sequence(tlv(0x80, period[0]), tlv(0x81, period[1])))
      extensions += part(
        "2.23.136.1.1.6.2", false, DER.sequence(DER.integer(0), DER.set([tlv(0x13, Array("P".utf8))])))
    }
    let point = curve.encoded(curve.multiply(secret, curve.generator))
    return certificate(
      name(subject), serial: [serial], dates: isAuthority ? ["200101", "400101"] : ["220101", "350101"],
      publicKey: publicKey(point), extensions: extensions)
  }

  private init() {
    authority = Self.certificate("CSCA", serial: 7, secret: Self.authoritySecret, isAuthority: true)
    signer = Self.certificate("DS", serial: 8, secret: Self.signerSecret, isAuthority: false)
  }

  /// Signed data with a content type.
  func signed(_ content: [UInt8], type: String) -> [UInt8] {
    func attribute(_ number: Int, _ value: [UInt8]) -> [UInt8] {
      DER.sequence(DER.oid("1.2.840.113549.1.9.\(number)"), DER.set([value]))
    }
    let attributes = DER.set([
      attribute(3, DER.oid(type)), attribute(4, DER.octets(Self.hash(content))), attribute(5, DER.time("230505")),
    ])
    let digest = DER.sequence(DER.oid(Self.digest))
    let info = DER.sequence(
      DER.integer(1), DER.sequence(Self.name("CSCA"), DER.integer(8)), digest, [0xA0] + attributes.dropFirst(),
      Self.algorithm, DER.octets(Self.sign(attributes, Self.signerSecret)))
    let data = DER.sequence(
      DER.integer(3), DER.set([digest]), DER.sequence(DER.oid(type), tlv(0xA0, DER.octets(content))),
      tlv(0xA0, signer), DER.set([info]))
    return DER.sequence(DER.oid("1.2.840.113549.1.7.2"), tlv(0xA0, data))
  }

  /// EF.SOD over data groups.
  func documentSecurity(_ groups: [Int: [UInt8]]) -> [UInt8] {
    let hashes = groups.sorted { $0.key < $1.key }.map {
      DER.sequence(DER.integer($0.key), DER.octets(Self.hash($0.value)))
    }
    let object = DER.sequence(
      DER.integer(0), DER.sequence(DER.oid(Self.digest)), tlv(0x30, Array(hashes.joined())))
    return tlv(0x77, signed(object, type: "2.23.136.1.1.1"))
  }

  package func trust() -> TrustStore {
    var store = TrustStore()
    store.add(authority, name: "csca.cer")
    return store
  }
}

/// The files of an emulated chip, and the secrets of its keys.
package struct EmulatedDocument {
  static let bsi = "0.4.0.127.0.7.2.2."
  package static let zone =
    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10"
  /// The document number and dates of the zone, as ``ChipPassword`` takes them.
  static func password() throws -> ChipPassword {
    try ChipPassword(documentNumber: "L898902C3", dateOfBirth: "740812", dateOfExpiry: "120415")
  }

  /// How EF.DG15 signs.
  package enum Signing: Sendable, Equatable {
    case rsa(bits: Int, digest: String)
    case ecdsa(curve: Int, digest: Int)
  }

  /// The key of chip authentication: the number of its domain parameters, and the cipher of the protocol.
  package struct Agreement: Sendable, Equatable {
    var parameters: Int
    var cipher: Int
    var hasInfo = true
    var keyIdentifier: Int?
    var form = Form.named

    package init(
      parameters: Int, cipher: Int, hasInfo: Bool = true, keyIdentifier: Int? = nil, form: Form = .named
    ) {
      (self.parameters, self.cipher, self.hasInfo) = (parameters, cipher, hasInfo)
      (self.keyIdentifier, self.form) = (keyIdentifier, form)
    }

    /// How the key states its domain parameters.
    package enum Form: Sendable {
      /// By the curve's name; modulo a prime by prime, generator and order (RFC 3279, 2.3.3).
      case named
      /// By their number in Doc 9303-11.
      case standardised
      /// By all parameters of the curve; modulo a prime without the order (PKCS #3).
      case explicit
    }
  }

  /// Mapping and cipher, as in the object identifier, and domain parameters.
  package struct Variant: Sendable, Equatable {
    var mapping: Int
    var cipher: Int
    var parameters: Int

    package init(mapping: Int, cipher: Int, parameters: Int) {
      (self.mapping, self.cipher, self.parameters) = (mapping, cipher, parameters)
    }

    var encoded: [UInt8] {
      DER.sequence(
        DER.oid(EmulatedDocument.bsi + "4.\(mapping).\(cipher)"), DER.integer(2), DER.integer(parameters))
    }
  }

  package var variants: [Variant] = []
  package var signing: Signing?
  /// The object identifier in EF.DG14 of the algorithm that signs, in place of the one of ecdsa-plain-signatures; empty
  /// if EF.DG14 does not name it.
  var signatureAlgorithm: String?
  package var agreement: Agreement?
  var portraitSize = 600
  package var zone = Self.zone
  /// EF.DG2; nil for bytes without a portrait.
  package var portrait: [UInt8]?

  package init() {}

  /// What EF.DG14 announces in place of the variants.
  var announced: [Variant]?

  /// Files by identifier, of the master file and of the application.
  private(set) var master: [UInt16: [UInt8]] = [:]
  private(set) var application: [UInt16: [UInt8]] = [:]
  var isExtended = false

  /// EF.DG2 with a picture in one record (ISO/IEC 19794-5:2005).
  package static func dataGroup2(_ jpeg: [UInt8]) -> [UInt8] {
    func four(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian, Array.init) }
    let face = [0, 0, 1, 2, 3] + [UInt8](repeating: 0, count: 11) + [1, 0] + [UInt8](repeating: 0, count: 10) + jpeg
    let record = Array("FAC\u{0}010\u{0}".utf8) + four(18 + face.count) + [0, 1] + four(4 + face.count) + face
    let template = tlv(0x7F60, tlv(0xA1, tlv(0x88, [0, 8])) + tlv(0x5F2E, record))
    return tlv(0x75, tlv(0x7F61, tlv(0x02, [1]) + template))
  }

  static let agreementSecret = [UInt8](repeating: 0x5A, count: 20)
  static let signingSecret = [UInt8](repeating: 0x3C, count: 20)

  /// The object identifiers of named curves (SEC 2; RFC 5639).
  static let curves = [
    8: "1.2.840.10045.3.1.1", 9: "1.3.36.3.3.2.8.1.1.3", 10: "1.3.132.0.33", 11: "1.3.36.3.3.2.8.1.1.5",
    12: "1.2.840.10045.3.1.7", 13: "1.3.36.3.3.2.8.1.1.7", 14: "1.3.36.3.3.2.8.1.1.9", 15: "1.3.132.0.34",
    16: "1.3.36.3.3.2.8.1.1.11", 17: "1.3.36.3.3.2.8.1.1.13", 18: "1.3.132.0.35",
  ]

  private static func key(_ agreement: Agreement) -> [UInt8] {
    let group = EmulatedGroup(agreement.parameters)
    let element = group.times(agreementSecret, group.base) ?? []
    let content = group.curve == nil ? DER.unsigned(element) : element
    let number = agreement.parameters
    if agreement.form == .standardised {
      return DER.sequence(DER.sequence(DER.oid("0.4.0.127.0.7.1.2"), DER.integer(number)), DER.bits(content))
    }
    let isExplicit = agreement.form == .explicit
    if let curve = curves[number] {
      guard isExplicit, let values = StandardParameters.curves[number]?.map(hexBytes) else {
        return EmulatedState.publicKey(content, curve: curve)
      }
      let parameters = DER.sequence(
        DER.integer(1), DER.sequence(DER.oid("1.2.840.10045.1.1"), DER.unsigned(values[0])),
        DER.sequence(DER.octets(values[1]), DER.octets(values[2])), DER.octets([4] + values[3] + values[4]),
        DER.unsigned(values[5]), DER.integer(1))
      return DER.sequence(DER.sequence(DER.oid("1.2.840.10045.2.1"), parameters), DER.bits(content))
    }
    let values = (StandardParameters.groups[number] ?? []).map(hexBytes)
    let (prime, order, generator) = (DER.unsigned(values[0]), DER.unsigned(values[1]), DER.unsigned(values[2]))
    return DER.sequence(
      DER.sequence(
        DER.oid(isExplicit ? "1.2.840.113549.1.3.1" : "1.2.840.10046.2.1"),
        DER.sequence(prime, generator, isExplicit ? [] : order)), DER.bits(content))
  }

  private var agreementInfos: [[UInt8]] {
    guard let agreement else { return [] }
    let kind = agreement.parameters < 8 ? 1 : 2
    let number = agreement.keyIdentifier.map(DER.integer) ?? []
    var infos = [DER.sequence(DER.oid(Self.bsi + "1.\(kind)"), Self.key(agreement), number)]
    if agreement.hasInfo {
      infos.append(DER.sequence(DER.oid(Self.bsi + "3.\(kind).\(agreement.cipher)"), DER.integer(1), number))
    }
    return infos
  }

  /// Makes the files.
  package mutating func issue() {
    let infos = variants.map(\.encoded)
    master = [:]
    if !infos.isEmpty { master[0x011C] = DER.set(infos) }
    if isExtended { master[0x2F01] = [0x47, 3, 0, 0, 0x40] + tlv(0x7F66, DER.integer(2048) + DER.integer(4096)) }
    var groups: [Int: [UInt8]] = [1: tlv(0x61, tlv(0x5F1F, Array(zone.utf8)))]
    groups[2] = portrait ?? tlv(0x75, (0..<portraitSize).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) })
    var options = (announced ?? variants).map(\.encoded) + agreementInfos
    switch signing {
    case .rsa(let bits, _):
      groups[15] = tlv(0x6F, EmulatedRSA.key(bits).publicKey)
    case .ecdsa(let number, let digest):
      let curve = Curve(number)
      let point = curve.encoded(curve.multiply(Self.signingSecret, curve.generator))
      groups[15] = tlv(0x6F, EmulatedState.publicKey(point, curve: Self.curves[number] ?? ""))
      let algorithm = signatureAlgorithm ?? "0.4.0.127.0.7.1.1.4.1.\(digest)"
      if !algorithm.isEmpty {
        options.append(DER.sequence(DER.oid("2.23.136.1.1.5"), DER.integer(1), DER.oid(algorithm)))
      }
    case nil: break
    }
    if !options.isEmpty { groups[14] = tlv(0x6E, DER.set(options)) }
    if variants.contains(where: { $0.mapping == 6 }) {
      master[0x011D] = EmulatedState.shared.signed(
        DER.set(infos + cardSecurityInfos), type: "0.4.0.127.0.7.3.2.1")
    }
    application = [0x011D: EmulatedState.shared.documentSecurity(groups)]
    let tags = groups.keys.sorted().map { UInt8(ElementaryFile.dataGroupTags[$0 - 1].rawValue) }
    application[0x011E] = tlv(
      0x60, tlv(0x5F01, Array("0107".utf8)) + tlv(0x5F36, Array("040000".utf8)) + tlv(0x5C, tags))
    for (number, file) in groups { application[0x0100 | UInt16(number)] = file }
  }

  private var cardSecurityInfos: [[UInt8]] {
    variants.filter { $0.mapping == 6 }.map {
      DER.sequence(
        DER.oid(Self.bsi + "1.2"), Self.key(Agreement(parameters: $0.parameters, cipher: 2, form: .standardised)),
        DER.integer($0.parameters))
    }
  }

  mutating func replace(_ identifier: UInt16, _ file: [UInt8]?) { application[identifier] = file }
  mutating func replaceMaster(_ identifier: UInt16, _ file: [UInt8]?) { master[identifier] = file }
}

/// RSA keys for signatures of active authentication.
struct EmulatedRSA: Sendable {
  let modulus: [UInt8]
  let secret: [UInt8]

  var publicKey: [UInt8] {
    DER.sequence(
      DER.sequence(DER.oid("1.2.840.113549.1.1.1"), [5, 0]),
      DER.bits(DER.sequence(DER.unsigned(modulus), DER.integer(65537))))
  }

  /// The representative raised to the secret exponent.
  func sign(_ representative: [UInt8]) -> [UInt8] {
    let modulus = Modulus(modulus)
    return modulus.bytes(of: modulus.power(modulus.number(representative), secret))
  }

  /// ISO/IEC 9796-2, scheme 1: recoverable random bytes, hash of them and the challenge, trailer.
  func sign(challenge: [UInt8], digest: String, isShortTrailer: Bool = false) -> [UInt8] {
    let trailers: [String: UInt8] = ["SHA1": 0x33, "SHA256": 0x34, "SHA512": 0x35, "SHA384": 0x36, "SHA224": 0x38]
    let trailer: [UInt8] = isShortTrailer ? [0xBC] : [trailers[digest] ?? 0, 0xCC]
    let size = modulus.count - 1 - trailer.count - EmulatedState.hash([], digest).count
    let recoverable = (0..<size).map { UInt8(truncatingIfNeeded: $0 * 5 + 1) }
    return sign([0x6A] + recoverable + EmulatedState.hash(recoverable + challenge, digest) + trailer)
  }

  static func key(_ bits: Int) -> EmulatedRSA {
    let (modulus, secret) = keys[bits] ?? ("", "")
    return EmulatedRSA(modulus: hexBytes(modulus), secret: hexBytes(secret))
  }

  /// Made by `openssl genpkey` for these tests.
  private static let keys: [Int: (String, String)] = [
    1024: (
      "e22415084e9648f3f55364663c376197e5489f1b0936659d8e489c356970bcd24b8d46c5be8f9620ea7c0020fe25ac95"
        + "5655ceb8a85d1764c3a84aba9e79a5072597ce04de642ab0d0c0af3ef157c25831e05176f5e55c4ed2d3e19ab2b8fe8c"
        + "5068ddf872e08ae2999742b3defab252b5464add17ba0ece0ebdc4a11feade9f",
      "5a5a8250cc5d7d8e83c1ab06b21e8a8ecf1c81fda263aa9c16026aef684e94130dfec77d30d35bef90e0b4887a23015e"
        + "b59d19386c84ad592457b46bf5efb28074f1ddfc651a818e5fcacac6205e309f2cea4b5f2b8a33083e5e94b7bf46d3ea"
        + "e924c3aaab9e7844b6c9dd58391044bc02e954f49d3233b3702562d0d744e3e1"
    ),
    1536: (
      "c342874e280ac7841cd765413cba86a6716c0dd16a5147680855dd8d800ed2524b6d06703486d49546804848b550b278"
        + "b5cdce57266e9bc08f3bbe492cd83a31c8fab0795a7f64d5e0242f380edd8e3ab9167c37edb30362614aca147f1d0221"
        + "9f8c4b2de3a51568a492e55a6ef5aa605291a6ccef76dc2b080c53ec6dbd8bd52768516909c345ed7da4d3c0c107c72e"
        + "4f6789279d5b8e097ed817035649af8fca9ffbf8b194451a7543b80fa8c0b7e9b15c62911e4f6346772a536831603c3f",
      "abdf28a8841890ec5a52c2defcac970f75310eacb1efdf71d43c78ab2ff85beb7257025ecbed8ebbe2f5d22aa5e6e561"
        + "d96dd1dde6875ff3cc60632b981cb084d80aca41d785e1655d499c82b49b12b1dfefc9e1950a88c5152cb6d9f9d5b7e4"
        + "049af466a990903e9897fc88a7e16ad701003f33924eaf2133580fd87b31428f5d07342f15264427dc9400e95affdba5"
        + "097278c292311bad92084460ea0625ba3940f7f175f800668fe0a870aa64e9573f77140b7bc455c756ecf792c07dbab9"
    ),
    2048: (
      "95488f7630ccbbab9cf23678b3ce4ccdd190939f4a67b399dc57b657c5666b359b96acebd723a23ad278ebc00d357141"
        + "46e03e8d4a09648ee1d656d05490e25437e4dcce35e077c6190ca2854d44e48fb7e4cad6f09ccd2488b4f054a81211fb"
        + "c04d8b528b5a0f0c161d4a1fb7a5d925ca592da3383088a487ea7a749fff41dec5b4350c4d0333579e6fc67b53776f64"
        + "2b7e12a03fe91a7e2e00204c44a67da0730f56a1f3597fe53e9a49b4f7accbe6f8c4327800be102ad9ca4a2a97856202"
        + "35e6d8f6e01183d499f5604e30fcdf0719752d2f59154f7d5756af1f6868d5bb7f780ab4f79b16b72377546371211096"
        + "eae867187f9a290ed5a10023544453bd",
      "17b890b1456656e0d95ec4888ffbb54914267eca96325dbfd25b2eaa8a3fb0c3f32df15ac55410747bdac28d411c0f9b"
        + "c18522f36503129340b00419f50213b0b1b4006114ff0ed12fcc49ebd8201d18782e570be9ee648b8c5c81fed5b90f59"
        + "fb4fe7164df5d8c3c124d4d12ee79fd6692d9bfa9e5459f618f1c9950c126db717e23b61897e48ab5f732995da646563"
        + "adcb5c4cf2ad0f53f32716d8a9c9a8bf56c05ba1003bfae8923d45aa3798d7f3486e9cc8a1507f06d7eefa6ab5cd6122"
        + "a9ff0064abea4ad371506db9c9b66913006c0a808696f0c1759caa1f65b960681a272ea0ea504c318ef41e2c2f549af3"
        + "55632241bd2d71d49c7f9d4ead3a04c1"
    ),
    3072: (
      "b897589c3167c36c540fabde13776fbca6f382198bcb98cf3a7e841dea880b8018f78088320f958156a03fe52f95c644"
        + "ccfc5efcadcb3d9eac124b228d913923b42319a8e68dfba0f7355e0d724e0cdfbd18cce551ecc0c27ce7e06ac2c14668"
        + "20375ec6514ca56eeca5d95b0d90b9b59d403ceb2a8b750a496a0bb5e7910cf76f620ac316e3975d13c313da369f7fa5"
        + "c7a7884209cc1a19a239aaa00c00a6cdbdc5a486de6fb88a572b1f6bad923edb9b844e7692dd4e9c364b579e8a589771"
        + "5450b9dd842861c81ee086d0e9ac21a5c034827d2c8d0daffcacee7dad9f3141c30424495882123ba39aa55b8b62fc33"
        + "a85e394df383db7ceadc6a95ba27bc15cbad010d31054b65a08afc38630bfb39a35bd969d68490e60c252d6b68f1083d"
        + "50f946e0fafaa92f391ab5b27d2c71fea250b357746a52b4d189188fba90202d7755bb043e9424954c03341cbab61a17"
        + "2a20c5b8b7da72c4f1d3f1e4c00cc728bb65cdfef43f76a6def14f0d9ee6011c84d46dbb0c61074a1ee66e1686958f85",
      "15e73b87f922cf610cce793dd6407f5d3ad03d394bc9c25da09abf918f314a700e465c158d1f2545de2210c2e0b51c7c"
        + "3078a7cac2d29182c0f740bc1e61438ef5828eba6875238d13985d0b2a6b918280fd2edeed2c332940ca00ea9a2675f4"
        + "c811d9e89d60036758a44b58cf10c3c085a2c837bd6a23deaf1c6abc50787939e919109eda99f1ed84f94a6343c50450"
        + "07135d8b3c7f5fff77acf10ea1adf81d04ae2d9a254dcb6f7aed6e8287eb8912e4eebba2bd458e5ce1e269c8b1b0d673"
        + "540148eb1a32994954b039d68730f74790d6a0a66096eebfbb742b349082688c75796985541be154cd9612472e4c6491"
        + "f798bdd1bb0bdacb9f3befd3421f562c1fe92052105871e3ab370ef312836896ed733aab44769abf34b55d2d66140f66"
        + "4c97741e822a40476c95cca1628f9736bb8ac67a55756b7914ac687ea93e898bc71305127e6bd6096e0965a3984f041d"
        + "2445b6d49a6289b03e3f8df581649ddf6fb6bbd4d6b8dfded9bf4a8271115e0e82775b7063e0deda19bb84340c699c51"
    ),
  ]
}
