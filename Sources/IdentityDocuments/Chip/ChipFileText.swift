/// Decodes chip files that were stored as text.
enum ChipFileText {
  /// Returns the bytes encoded by hexadecimal or base64 text, the bytes themselves if they are not text, and nil for
  /// other text. Chip files have tags and lengths that are not printable, so the two are never confused.
  static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
    let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 10 || $0 == 13 || $0 == 9 }
    guard isText else { return bytes }
    return hexadecimal(bytes) ?? base64(bytes)
  }

  /// Decodes two digits per byte; white space and colons between them are ignored.
  private static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text where !isBlank(character) && character != UInt8(ascii: ":") {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil && !bytes.isEmpty ? bytes : nil
  }

  /// Decodes base64 or base64url (RFC 4648, section 4 or 5).
  static func base64(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    var isPadded = false
    for character in text where !isBlank(character) {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): digit = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): digit = 63
      case UInt8(ascii: "="):
        isPadded = true
        continue
      default: return nil
      }
      guard !isPadded else { return nil }
      buffer = buffer << 6 | UInt32(digit)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    return bits < 6 && !bytes.isEmpty ? bytes : nil
  }

  private static func isBlank(_ character: UInt8) -> Bool {
    character == 0x20 || character == 10 || character == 13 || character == 9
  }
}
