/// Names of algorithms as people write them, for those that OpenSSL has.
enum AlgorithmName {
  /// `sha256` is SHA-256.
  static func digest(_ name: String) -> String {
    let upper = name.uppercased()
    return upper.hasPrefix("SHA") && !upper.contains("-") ? "SHA-" + upper.dropFirst(3) : upper
  }

  static func signature(_ name: String) -> String {
    let lower = name.lowercased()
    if lower == "rsassapss" { return "RSA-PSS" }
    if lower.contains("rsa") { return "RSA PKCS#1 v1.5" }
    return lower.contains("ecdsa") ? "ECDSA" : name
  }

  /// Digests whose collisions can be made: MD5 and SHA-1 in names and object identifiers.
  static func isWeak(_ digest: String) -> Bool {
    ["MD5", "SHA-1", "1.2.840.113549.2.5", "1.3.14.3.2.26"].contains(digest)
  }

  /// Signature algorithms of certificates with such digests (RFC 3279, 2.2.1 and 2.2.3).
  static func isWeakSignature(_ identifier: String) -> Bool {
    ["1.2.840.113549.1.1.4", "1.2.840.113549.1.1.5", "1.2.840.10045.4.1", "1.2.840.10040.4.3"].contains(identifier)
  }

  static let digests = [
    "1.3.14.3.2.26": "SHA-1", "2.16.840.1.101.3.4.2.4": "SHA-224", "2.16.840.1.101.3.4.2.1": "SHA-256",
    "2.16.840.1.101.3.4.2.2": "SHA-384", "2.16.840.1.101.3.4.2.3": "SHA-512",
  ]
}
