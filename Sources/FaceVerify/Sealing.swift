/// AES-256 in Galois/counter mode (NIST SP 800-38D) for small values, under a key of 32 bytes.
package enum Sealing {
  /// - Parameter context: authenticated, not encrypted: a sealed value opens in its own place alone.
  package static func seal(_ data: [UInt8], key: [UInt8], context: [UInt8]) throws -> [UInt8] {
    let cipher = try GalleryCipher(Gallery.Key(key))
    return try data.withUnsafeBytes { try cipher.seal($0, with: context) }
  }

  /// - Returns: nil unless it was sealed with this key and context.
  package static func open(_ sealed: [UInt8], key: [UInt8], context: [UInt8]) throws -> [UInt8]? {
    guard sealed.count >= GalleryCipher.extra else { return nil }
    let cipher = try GalleryCipher(Gallery.Key(key))
    var data = [UInt8](repeating: 0, count: sealed.count - GalleryCipher.extra)
    let isGenuine = sealed.withUnsafeBytes { sealed in
      data.withUnsafeMutableBytes { cipher.open(sealed, with: context, into: $0) }
    }
    return isGenuine ? data : nil
  }
}
