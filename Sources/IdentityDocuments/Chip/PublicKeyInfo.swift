internal import COpenSSL

/// What kind of key a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7) holds.
public struct PublicKeyInfo: Sendable, Hashable {
  /// `RSA`, `RSA-PSS`, `EC`, `DH`…
  public let algorithm: String
  /// Bits of the modulus or of the curve's field.
  public let bits: Int
  /// The curve's name, such as `brainpoolP256r1`; explicit parameters that are a known curve's have its name too.
  public let curve: String?
  /// Whether the public exponent of an RSA key is odd and above 1; nil for other keys.
  let hasGoodExponent: Bool?

  /// - Parameter bytes: DER, also with domain parameters that Doc 9303-11 numbers.
  /// - Throws: ``VerifyError/Code/damaged`` if OpenSSL can read no key in them.
  public init(_ bytes: [UInt8]) throws {
    if let known = try? Self.standardised(bytes) {
      self = known
      return
    }
    var info = copenssl_key_info()
    guard copenssl_key_describe(bytes, bytes.count, &info) == 1 else {
      throw VerifyError(.damaged, "the bytes are no public key that can be read")
    }
    algorithm = CText.string(&info.algorithm)
    bits = Int(info.bits)
    let curve = CText.string(&info.curve)
    // OpenSSL knows a curve by all its parameters but the cofactor.
    let cofactor = try? Self.cofactor(bytes)
    self.curve = curve.isEmpty || cofactor.map { $0 != Int(info.cofactor) } ?? false ? nil : curve
    hasGoodExponent = algorithm.hasPrefix("RSA") ? info.has_good_exponent == 1 : nil
  }

  private init(algorithm: String, bits: Int, curve: String?) {
    self.algorithm = algorithm
    self.bits = bits
    self.curve = curve
    hasGoodExponent = nil
  }

  /// Whether it can be a key: the modulus is odd and has neither small factors nor only one, the point is on the curve
  /// and of its order (NIST SP 800-56B, 6.4.2; SP 800-56A, 5.6.2.3). Of kinds that are not looked at, it is true.
  static func isSound(_ bytes: [UInt8]) -> Bool { copenssl_key_is_sound(bytes, bytes.count) == 1 }

  /// Of a curve that is written with all its parameters, the cofactor; nil if it has none, -1 if it is no number that a
  /// curve has.
  ///
  /// - Throws: if the key is no such one.
  private static func cofactor(_ bytes: [UInt8]) throws -> Int? {
    var reader = TLVReader(bytes)
    var algorithm = try reader.next(.sequence).requiredChild(.sequence).children()
    _ = try algorithm.next(.objectIdentifier)
    var parameters = try algorithm.next(.sequence).children()
    for tag in [TLVTag.integer, .sequence, .sequence, .octetString, .integer] { _ = try parameters.next(tag) }
    return try parameters.nextIfPresent(.integer).map { (try? $0.integer()) ?? -1 }
  }

  /// A key whose algorithm is standardizedDomainParameters (BSI TR-03110-3, A.2.1.1) and a number.
  private static func standardised(_ bytes: [UInt8]) throws -> PublicKeyInfo? {
    var reader = TLVReader(bytes)
    var algorithm = try reader.next(.sequence).requiredChild(.sequence).children()
    guard try algorithm.next(.objectIdentifier).objectIdentifier() == "0.4.0.127.0.7.1.2" else { return nil }
    let number = try algorithm.next(.integer).integer()
    return parameters[number].map { PublicKeyInfo(algorithm: $0, bits: $1, curve: $2) }
  }

  /// Doc 9303-11, table 6, with OpenSSL's names of the curves.
  private static let parameters: [Int: (String, Int, String?)] = [
    0: ("DH", 1024, nil), 1: ("DH", 2048, nil), 2: ("DH", 2048, nil), 8: ("EC", 192, "prime192v1"),
    9: ("EC", 192, "brainpoolP192r1"), 10: ("EC", 224, "secp224r1"), 11: ("EC", 224, "brainpoolP224r1"),
    12: ("EC", 256, "prime256v1"), 13: ("EC", 256, "brainpoolP256r1"), 14: ("EC", 320, "brainpoolP320r1"),
    15: ("EC", 384, "secp384r1"), 16: ("EC", 384, "brainpoolP384r1"), 17: ("EC", 512, "brainpoolP512r1"),
    18: ("EC", 521, "secp521r1"),
  ]
}
