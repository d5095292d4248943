extension JSONValue {
  /// The JSON Canonicalization Scheme (RFC 8785): a unique encoding without white space, members sorted by the UTF-16
  /// code units of their names, numbers as in ECMAScript. Non-finite numbers, which JSON does not have, become null.
  public var canonical: [UInt8] {
    var bytes: [UInt8] = []
    appendCanonical(to: &bytes)
    return bytes
  }

  private func appendCanonical(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): Self.append(Double(value), to: &bytes)
    case .number(let value): Self.append(value, to: &bytes)
    case .string(let text): Self.append(text, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (i, value) in values.enumerated() {
        if i > 0 { bytes.append(UInt8(ascii: ",")) }
        value.appendCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      let sorted = members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
      for (i, (name, value)) in sorted.enumerated() {
        if i > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value.appendCanonical(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// RFC 8785, 3.2.2.2: only control characters, the quotation mark and the backslash are escaped.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "\\\"".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case 0x08: bytes += "\\b".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0A: bytes += "\\n".utf8
      case 0x0C: bytes += "\\f".utf8
      case 0x0D: bytes += "\\r".utf8
      case ..<0x20: bytes += "\\u00\(hexadecimal([byte]))".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// ECMA-262, Number::toString with radix 10. Swift's description has the same (shortest round-trip) digits, but
  /// places the point and the exponent differently.
  private static func append(_ number: Double, to bytes: inout [UInt8]) {
    guard number.isFinite else { return bytes.append(contentsOf: "null".utf8) }
    guard number != 0 else { return bytes.append(UInt8(ascii: "0")) }
    let parts = abs(number).description.split(separator: "e")
    let decimals = parts[0].split(separator: ".")
    let written = decimals.joined()
    let leadingZeros = written.prefix { $0 == "0" }.count
    // At most 17 digits.
    var digits = written.dropFirst(leadingZeros)
    while digits.last == "0" { digits.removeLast() }
    /// The number is 0.`digits` times ten to this power.
    let power = decimals[0].count - leadingZeros + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    switch power {
    case digits.count...21: bytes += (digits + zeros(power - digits.count)).utf8
    case 1...21: bytes += (digits.prefix(power) + "." + digits.dropFirst(power)).utf8
    case -5...0: bytes += ("0." + zeros(-power) + digits).utf8
    default:
      bytes += digits.prefix(1).utf8
      if digits.count > 1 { bytes += ("." + digits.dropFirst()).utf8 }
      bytes += "e\(power > 0 ? "+" : "-")\(abs(power - 1))".utf8
    }
  }
}
