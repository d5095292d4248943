import FaceVerify

/// Text for HTML pages.
enum HTML {
  /// The text escaped for elements and attributes.
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

  /// A picture as a data URL (RFC 2397 and 4648).
  static func dataAddress(png bytes: [UInt8]) -> String {
    "data:image/png;base64," + Base64.standard.encode(bytes)
  }
}
