internal import COpenSSL

/// What kind of key a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7) holds.
public struct PublicKeyInfo: Sendable, Hashable {
  /// `RSA`, `RSA-PSS`, `EC`, `DH`…
  public let algorithm: String
  /// Bits of the modulus or of the curve's field.
  public let bits: Int
  /// The curve's name, such as `brainpoolP256r1`; explicit parameters that are a known curve's have its name too.
  public let curve: String?

  /// - Parameter bytes: DER.
  /// - Throws: ``VerifyError/Code/damaged`` if OpenSSL can read no key in them.
  public init(_ bytes: [UInt8]) throws {
    var info = copenssl_key_info()
    guard copenssl_key_describe(bytes, bytes.count, &info) == 1 else {
      throw VerifyError(.damaged, "the bytes are no public key that can be read")
    }
    algorithm = CText.string(&info.algorithm)
    bits = Int(info.bits)
    let curve = CText.string(&info.curve)
    self.curve = curve.isEmpty ? nil : curve
  }
}
