extension CodeOwnership {
  /// Requires the text to end with a separator and an Ed25519 signature of all bytes before the separator, in base64url
  /// without padding. Only the key's owner can create such a code; anyone can copy one.
  ///
  /// - Parameter separator: For example `&s=`; the last occurrence counts.
  public static func signed(by key: PublicKey, separator: String) -> CodeOwnership {
    let separator = Array(separator.utf8)
    return CodeOwnership { reading in
      let bytes = reading.bytes
      guard key.purpose == .signing, !separator.isEmpty, bytes.count >= separator.count else { return nil }
      let starts = 0...(bytes.count - separator.count)
      guard let start = starts.last(where: { bytes[$0...].starts(with: separator) }),
        let signature = Base64.url.decode(String(decoding: bytes[(start + separator.count)...], as: UTF8.self))
      else { return false }
      return key.verifies(signature, of: Array(bytes[..<start]))
    }
  }
}
