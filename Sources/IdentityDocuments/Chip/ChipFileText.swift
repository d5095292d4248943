/// Decodes chip files that were stored as text.
enum ChipFileText {
  /// Returns the bytes encoded by hexadecimal or base64 text, the bytes themselves if they are not text, and nil for
  /// other text. Chip files have tags and lengths that are not printable, so the two are never confused.
  static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
    let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 10 || $0 == 13 || $0 == 9 }
    guard isText else { return bytes }
    let digits = bytes.filter { ![0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ":")].contains($0) }
    let decoded = decodedHexadecimal(digits) ?? Base64.decodeLeniently(bytes)
    return decoded?.isEmpty ?? true ? nil : decoded
  }
}
