internal import COpenSSL

/// The AlgorithmIdentifier of a signature (RFC 5280, 4.1.1.2; RFC 4055, 3.1).
struct SignatureAlgorithm: Sendable {
  enum Kind: String {
    case pkcs1 = "RSA PKCS#1 v1.5"
    case pss = "RSA-PSS"
    case ecdsa = "ECDSA"
    case dsa = "DSA"
  }

  /// In dotted form.
  let objectIdentifier: String
  let kind: Kind?
  /// Nil if the algorithm does not imply one, such as `rsaEncryption` in signed data.
  let digest: DigestAlgorithm?
  /// The digest of the mask of RSA-PSS, if that is another one.
  private(set) var maskDigest: DigestAlgorithm?
  /// Why the parameters are invalid for the algorithm; nil if they are valid.
  let parameterProblem: String?

  init(_ identifier: TLV) throws {
    var fields = try identifier.children()
    objectIdentifier = try fields.next(.objectIdentifier).objectIdentifier()
    let known = Self.known[objectIdentifier]
    kind = known?.kind
    guard known?.kind == .pss else {
      digest = known?.digest.map(DigestAlgorithm.init)
      // An identifier of a key in place of a signature's algorithm has the parameters of the key.
      let hasNone = Self.isNull(try fields.next())
      parameterProblem =
        known?.digest == nil || hasNone ? nil : "the signature algorithm has undefined parameters"
      return
    }
    (digest, maskDigest, parameterProblem) = try Self.pss(fields.next())
  }

  /// Verifies a signature.
  ///
  /// - Parameters:
  ///   - key: SubjectPublicKeyInfo in DER.
  ///   - identifier: the AlgorithmIdentifier.
  ///   - digest: that of the digest, which applies if the algorithm implies none.
  static func verify(
    _ signature: [UInt8], of bytes: ArraySlice<UInt8>, by key: [UInt8], _ identifier: TLV, digest: TLV? = nil
  ) -> SignatureCheck {
    let kind = (try? SignatureAlgorithm(identifier))?.kind
    let signature = kind == .ecdsa || kind == .dsa ? BER.signature(signature) : signature
    let (algorithm, digest) = (Array(identifier.encoded), digest.map { Array($0.encoded) })
    return bytes.withUnsafeBufferPointer { bytes in
      SignatureCheck(
        copenssl_verify(
          key, key.count, algorithm, algorithm.count, digest, digest?.count ?? 0, signature, signature.count,
          bytes.baseAddress, bytes.count))
    }
  }

  /// Decodes RSASSA-PSS-params. Defaults: SHA-1, MGF1 with SHA-1, a salt of 20 bytes, trailer field 1.
  private static func pss(_ parameters: TLV?) throws -> (DigestAlgorithm, DigestAlgorithm?, String?) {
    let sha1 = "1.3.14.3.2.26"
    let hash = try parameters?.child(0xA0).map { try digest(of: $0.requiredChild(.sequence)) }
    var (maskFunction, maskHash) = (mgf1, sha1)
    if var fields = try parameters?.child(0xA1)?.requiredChild(.sequence).children() {
      maskFunction = try fields.next(.objectIdentifier).objectIdentifier()
      maskHash = try fields.next().map(digest) ?? sha1
    }
    let trailer = try parameters?.child(0xA3)?.requiredChild(.integer).integer() ?? 1
    let problem: String? =
      if maskFunction != mgf1 {
        "the mask of RSA-PSS is not made by MGF1"
      } else if trailer != 1 {
        "the trailer field of RSA-PSS is \(trailer), not 1"
      } else {
        nil
      }
    return (DigestAlgorithm(hash ?? sha1), maskHash == hash ?? sha1 ? nil : DigestAlgorithm(maskHash), problem)
  }

  private static func digest(of identifier: TLV) throws -> String {
    var fields = try identifier.children()
    let type = try fields.next(.objectIdentifier).objectIdentifier()
    guard isNull(try fields.next()) else {
      throw VerifyError(.damaged, "a digest algorithm has undefined parameters")
    }
    return type
  }

  /// Whether the parameters are absent, or NULL, which some states also write for ECDSA (RFC 4055, 2.1 and 5; RFC 5758,
  /// 3.2).
  private static func isNull(_ parameters: TLV?) -> Bool {
    parameters.map { $0.tag == 0x05 && $0.value.isEmpty } ?? true
  }

  /// Returns the name of the digest that a signature algorithm implies.
  fileprivate static func digest(under identifier: String) -> String? { known[identifier]?.digest }

  private static let mgf1 = "1.2.840.113549.1.1.8"

  /// Sources: RFC 3279, 4055, 5758, 5480; RFC 3370; TeleTrusT for RIPEMD-160; NIST for DSA and SHA-3; BSI TR-03111,
  /// 5.2.1.1.
  private static let known: [String: (kind: Kind, digest: String?)] = {
    var known: [String: (Kind, String?)] = [
      "1.2.840.113549.1.1.1": (.pkcs1, nil), "1.2.840.113549.1.1.10": (.pss, nil), "1.2.840.10045.2.1": (.ecdsa, nil),
      "1.2.840.10040.4.1": (.dsa, nil), "1.3.14.3.2.29": (.pkcs1, "SHA-1"), "1.3.36.3.3.1.2": (.pkcs1, "RIPEMD-160"),
      "1.2.840.10045.4.1": (.ecdsa, "SHA-1"), "1.2.840.10040.4.3": (.dsa, "SHA-1"),
      "2.16.840.1.101.3.4.3.1": (.dsa, "SHA-224"), "2.16.840.1.101.3.4.3.2": (.dsa, "SHA-256"),
    ]
    let rsa = [2: "MD2", 3: "MD4", 4: "MD5", 5: "SHA-1", 11: "SHA-256", 12: "SHA-384", 13: "SHA-512", 14: "SHA-224"]
    for (number, digest) in rsa { known["1.2.840.113549.1.1.\(number)"] = (.pkcs1, digest) }
    let sha2 = [1: "SHA-224", 2: "SHA-256", 3: "SHA-384", 4: "SHA-512"]
    for (number, digest) in sha2 { known["1.2.840.10045.4.3.\(number)"] = (.ecdsa, digest) }
    let sha3 = ["SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512"]
    for (index, digest) in sha3.enumerated() {
      known["2.16.840.1.101.3.4.3.\(9 + index)"] = (.ecdsa, digest)
      known["2.16.840.1.101.3.4.3.\(13 + index)"] = (.pkcs1, digest)
    }
    return known
  }()
}

/// A digest algorithm and its strength.
package struct DigestAlgorithm: Sendable, Hashable, CustomStringConvertible {
  /// The usual name, such as `SHA-256`; the dotted object identifier if there is none.
  let name: String

  /// - Parameter identifier: the name, or the object identifier in dotted form.
  init(_ identifier: String) { name = Self.names[identifier] ?? identifier }

  package var description: String { name }

  /// Returns a hash by the algorithm with an object identifier in dotted form; nil if OpenSSL does not know it.
  package static func hash(of bytes: [UInt8], by identifier: String) -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: 64)
    let count = copenssl_digest(identifier, bytes, bytes.count, &digest)
    return count == 0 ? nil : Array(digest.prefix(count))
  }

  /// Whether collisions are found within seconds (Wang and others 2004; RFC 6149, 6150, 6151). If a signature algorithm
  /// is given in place of a digest, OpenSSL uses that algorithm's digest.
  var isBroken: Bool { ["MD2", "MD4", "MD5"].contains(SignatureAlgorithm.digest(under: name) ?? name) }
  /// Whether Doc 9303-12, 4.4, permits the digest; no other may be used.
  var isPermitted: Bool { ["SHA-224", "SHA-256", "SHA-384", "SHA-512"].contains(name) }

  private static let names = [
    "1.2.840.113549.2.2": "MD2", "1.2.840.113549.2.4": "MD4", "1.2.840.113549.2.5": "MD5", "1.3.14.3.2.26": "SHA-1",
    "1.3.36.3.2.1": "RIPEMD-160", "2.16.840.1.101.3.4.2.4": "SHA-224", "2.16.840.1.101.3.4.2.1": "SHA-256",
    "2.16.840.1.101.3.4.2.2": "SHA-384", "2.16.840.1.101.3.4.2.3": "SHA-512", "2.16.840.1.101.3.4.2.7": "SHA3-224",
    "2.16.840.1.101.3.4.2.8": "SHA3-256", "2.16.840.1.101.3.4.2.9": "SHA3-384", "2.16.840.1.101.3.4.2.10": "SHA3-512",
    "2.16.840.1.101.3.4.2.11": "SHAKE128", "2.16.840.1.101.3.4.2.12": "SHAKE256",
  ]
}

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
    case Int(COPENSSL_UNSUPPORTED): self = .unsupported
    default: self = .invalid
    }
  }
}
