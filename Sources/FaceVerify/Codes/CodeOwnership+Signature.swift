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
        let signature = decodedBase64URL(bytes[(start + separator.count)...])
      else { return false }
      return key.verifies(signature, of: Array(bytes[..<start]))
    }
  }

  /// Decodes base64url (RFC 4648, 5) without padding; nil if malformed.
  private static func decodedBase64URL(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var out: [UInt8] = []
    var bits = 0
    var count = 0
    for letter in text {
      let value: Int
      switch letter {
      case 0x41...0x5A: value = Int(letter) - 0x41
      case 0x61...0x7A: value = Int(letter) - 0x61 + 26
      case 0x30...0x39: value = Int(letter) - 0x30 + 52
      case UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "_"): value = 63
      default: return nil
      }
      bits = (bits << 6 | value) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        out.append(UInt8(bits >> count & 0xFF))
      }
    }
    // The unused bits of the last character must be 0.
    return count < 6 && bits & (1 << count - 1) == 0 ? out : nil
  }
}
