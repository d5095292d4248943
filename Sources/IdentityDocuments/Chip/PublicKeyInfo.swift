internal import COpenSSL

/// The kind and size of the key in a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7).
public struct PublicKeyInfo: Sendable, Hashable, JSONConvertible {
  /// `RSA`, `RSA-PSS`, `EC`, `DH`…
  public let algorithm: String
  /// Bits of the modulus or of the curve's field.
  public let bits: Int
  /// The curve's name, such as `brainpoolP256r1`; also for explicit parameters that equal a known curve's.
  public let curve: String?
  /// Whether the public exponent of an RSA key is odd and above 1; nil for other keys.
  let hasGoodExponent: Bool?

  /// - Parameter bytes: DER; domain parameters may be numbered as in Doc 9303-11.
  /// - Throws: ``VerifyError/Code/damaged`` if OpenSSL cannot read a key.
  public init(_ bytes: [UInt8]) throws {
    if let known = try? Self.standardised(bytes) {
      self = known
      return
    }
    func text<Tuple>(_ characters: inout Tuple) -> String {
      withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    var info = copenssl_key_info()
    guard copenssl_key_describe(bytes, bytes.count, &info) == 1 else {
      throw VerifyError(.damaged, "the bytes are no public key that can be read")
    }
    algorithm = text(&info.algorithm)
    bits = Int(info.bits)
    let curve = text(&info.curve)
    // OpenSSL identifies a curve by all its parameters except the cofactor.
    let cofactor = try? Self.cofactor(bytes)
    self.curve = curve.isEmpty || cofactor.map { $0 != Int(info.cofactor) } ?? false ? nil : curve
    hasGoodExponent = ["RSA", "RSA-PSS"].contains(algorithm) ? info.has_good_exponent == 1 : nil
  }

  private init(algorithm: String, bits: Int, curve: String?) {
    (self.algorithm, self.bits, self.curve, hasGoodExponent) = (algorithm, bits, curve, nil)
  }

  /// Whether the key is plausible: the modulus is odd, without small factors and not a prime power, the point is on the
  /// curve and of its order (NIST SP 800-56B, 6.4.2; SP 800-56A, 5.6.2.3). True for kinds of keys that are not checked.
  static func isSound(_ bytes: [UInt8]) -> Bool { copenssl_key_is_sound(bytes, bytes.count) == 1 }

  /// Returns the cofactor of a curve with explicit parameters; nil if absent, -1 if out of range.
  ///
  /// - Throws: if the key has no explicit curve parameters.
  private static func cofactor(_ bytes: [UInt8]) throws -> Int? {
    var reader = TLVReader(bytes)
    var algorithm = try reader.next(.sequence).requiredChild(.sequence).children()
    _ = try algorithm.next(.objectIdentifier)
    var parameters = try algorithm.next(.sequence).children()
    for tag in [TLVTag.integer, .sequence, .sequence, .octetString, .integer] { _ = try parameters.next(tag) }
    return try parameters.nextIfPresent(.integer).map { (try? $0.integer()) ?? -1 }
  }

  /// Decodes a key whose algorithm is standardizedDomainParameters (BSI TR-03110-3, A.2.1.1) with a number.
  private static func standardised(_ bytes: [UInt8]) throws -> PublicKeyInfo? {
    var reader = TLVReader(bytes)
    var algorithm = try reader.next(.sequence).requiredChild(.sequence).children()
    guard try algorithm.next(.objectIdentifier).objectIdentifier() == "0.4.0.127.0.7.1.2" else { return nil }
    let number = try algorithm.next(.integer).integer()
    return parameters[number].map { PublicKeyInfo(algorithm: $0, bits: $1, curve: $2) }
  }

  /// Doc 9303-11, table 6, with OpenSSL's curve names.
  private static let parameters: [Int: (String, Int, String?)] = [
    0: ("DH", 1024, nil), 1: ("DH", 2048, nil), 2: ("DH", 2048, nil), 8: ("EC", 192, "prime192v1"),
    9: ("EC", 192, "brainpoolP192r1"), 10: ("EC", 224, "secp224r1"), 11: ("EC", 224, "brainpoolP224r1"),
    12: ("EC", 256, "prime256v1"), 13: ("EC", 256, "brainpoolP256r1"), 14: ("EC", 320, "brainpoolP320r1"),
    15: ("EC", 384, "secp384r1"), 16: ("EC", 384, "brainpoolP384r1"), 17: ("EC", 512, "brainpoolP512r1"),
    18: ("EC", 521, "secp521r1"),
  ]

  public var jsonValue: JSONValue {
    ["algorithm": .string(algorithm), "bits": .integer(bits), "curve": .optional(curve)]
  }
}
