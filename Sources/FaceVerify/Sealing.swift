/// AES-256 in Galois/Counter Mode (NIST SP 800-38D) for small values, with a 32-byte key.
package enum Sealing {
  /// - Parameter context: authenticated, not encrypted: a sealed value can be opened only in the same context.
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
