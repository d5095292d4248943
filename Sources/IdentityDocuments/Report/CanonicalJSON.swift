/// JSON by the canonicalization scheme of RFC 8785, of the little that is needed here: objects and strings.
enum CanonicalJSON {
  /// - Parameter members: names that are ASCII, each once, and values that are JSON.
  static func object(_ members: [(name: String, value: String)]) -> String {
    "{" + members.sorted { $0.name < $1.name }.map { text($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
  }

  /// RFC 8785, 3.2.2.2: control characters, the quotation mark and the backslash are escaped, nothing else.
  static func text(_ value: String) -> String {
    var result = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{8}": result += "\\b"
      case "\t": result += "\\t"
      case "\n": result += "\\n"
      case "\u{c}": result += "\\f"
      case "\r": result += "\\r"
      case "\u{0}"..."\u{1f}": result += "\\u00" + hexadecimal([UInt8(scalar.value)])
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
