import FaceVerify

/// Text for pages.
enum HTML {
  /// Text that stands for itself, in a page and in an attribute.
  static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.printable.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// A picture in the page itself (RFC 2397 and 4648).
  static func dataAddress(png bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var out: [UInt8] = Array("data:image/png;base64,".utf8)
    out.reserveCapacity(out.count + (bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let number = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for i in 0..<4 {
        out.append(i <= part.count ? digits[number >> (18 - 6 * i) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
