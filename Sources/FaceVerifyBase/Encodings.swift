/// Returns two lower-case hexadecimal digits per byte.
package func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// Decodes hexadecimal digits of either case; returns nil for any other text.
package func decodedHexadecimal(_ text: String) -> [UInt8]? { decodedHexadecimal(Array(text.utf8)) }

/// Decodes hexadecimal digits of either case; returns nil for any other text. No copies of the bytes are left in memory.
package func decodedHexadecimal(_ text: some Collection<UInt8>) -> [UInt8]? {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count / 2)
  var high: UInt8?
  for character in text {
    guard let digit = hexadecimalDigit(character) else { return nil }
    if let first = high { bytes.append(first << 4 | digit) }
    high = high == nil ? digit : nil
  }
  return high == nil ? bytes : nil
}

/// Whether the text consists of hexadecimal digits without capital letters.
package func isLowerCaseHexadecimal(_ text: some StringProtocol) -> Bool {
  text.utf8.allSatisfy { hexadecimalDigit($0) != nil && $0 & 0xE0 != 0x40 }
}

/// The value of an ASCII hexadecimal digit of either case; nil for another character.
package func hexadecimalDigit(_ character: UInt8) -> UInt8? {
  switch character {
  case 0x30...0x39: character - 0x30
  case 0x41...0x46, 0x61...0x66: (character & 0xDF) - 0x37
  default: nil
  }
}

/// The two encodings of RFC 4648 with 64 characters.
package enum Base64 {
  /// Section 4, with padding.
  case standard
  /// Section 5: `-` and `_` in place of `+` and `/`, without padding.
  case url

  private var alphabet: [UInt8] {
    Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + (self == .url ? "-_" : "+/")).utf8)
  }

  package func encode(_ bytes: [UInt8]) -> String {
    let alphabet = alphabet
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for index in 0...part.count { text.append(alphabet[bits >> (18 - 6 * index) & 63]) }
      if self == .standard { text += repeatElement(UInt8(ascii: "="), count: 3 - part.count) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes text that is exactly what ``encode(_:)`` returns; nil for any other.
  package func decode(_ text: String) -> [UInt8]? {
    Self.decodeLeniently(text.utf8).flatMap { encode($0) == text ? $0 : nil }
  }

  /// Decodes text of either alphabet, with or without padding, ignoring white space; nil if malformed.
  package static func decodeLeniently(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (buffer, bits, isPadded): (UInt32, UInt32, Bool) = (0, 0, false)
    for character in text {
      let digit: UInt8
      switch character {
      case 0x41...0x5A: digit = character - 0x41
      case 0x61...0x7A: digit = character - 0x61 + 26
      case 0x30...0x39: digit = character - 0x30 + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): digit = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): digit = 63
      case UInt8(ascii: "="):
        isPadded = true
        continue
      case 0x09, 0x0A, 0x0D, 0x20: continue
      default: return nil
      }
      guard !isPadded else { return nil }
      buffer = buffer << 6 | UInt32(digit)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
    }
    return bits < 6 ? bytes : nil
  }
}

/// The PEM encoding of certificates, revocation lists and signed data (RFC 7468).
package enum PEM {
  private static let maximumBlocks = 10_000

  /// Returns text without its byte order mark; other bytes unchanged.
  package static func unmarked(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Returns the labels and contents of all blocks, and the number of lost parts: blocks that cannot be read or are not
  /// terminated, and binary data outside blocks. Nil if there is no block.
  package static func blocks(in bytes: [UInt8]) -> (blocks: [(label: String, content: [UInt8])], unread: Int)? {
    guard bytes.prefix(1 << 16).contains(UInt8(ascii: "-")), bytes.first != 0x30 else { return nil }
    let (begin, end) = ("-----BEGIN ", "-----END ")
    func label(_ line: ArraySlice<UInt8>, _ start: String) -> String? {
      guard line.starts(with: start.utf8) else { return nil }
      return String(decoding: line.dropFirst(start.utf8.count).prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)
    }
    var (blocks, unread): ([(label: String, content: [UInt8])], Int) = ([], 0)
    var block: (label: String, body: [UInt8])?
    var isBinary = false
    for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      if let label = label(line, begin) {
        if block != nil { unread += 1 }
        block = (label, [])
      } else if let label = label(line, end) {
        if let block, block.label == label, let content = Base64.decodeLeniently(block.body), !content.isEmpty,
          blocks.count < maximumBlocks
        {
          blocks.append((label, content))
        } else {
          unread += 1
        }
        block = nil
      } else if block != nil {
        block?.body.append(contentsOf: line)
      } else {
        // RFC 7468, 5.2: explanatory text is allowed outside blocks.
        isBinary = isBinary || line.contains { $0 < 32 && $0 != 9 && $0 != 12 }
      }
    }
    return blocks.isEmpty ? nil : (blocks, unread + (block == nil ? 0 : 1) + (isBinary ? 1 : 0))
  }
}

/// UUIDs (RFC 9562) in lower case.
package enum UUIDText {
  /// Returns a random UUID (version 4).
  package static func random() -> String {
    var bytes = randomBytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexadecimal(bytes[$0]) }.joined(separator: "-")
  }

  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy(isLowerCaseHexadecimal)
  }
}

/// Returns bytes of the system's cryptographic random number generator.
package func randomBytes(_ count: Int) -> [UInt8] {
  var random = SystemRandomNumberGenerator()
  return (0..<count).map { _ in .random(in: 0...255, using: &random) }
}
