extension JSONValue {
  /// Limits for parsing untrusted JSON.
  public struct Limits: Sendable {
    public var maximumBytes: Int
    /// Maximum nesting depth of arrays and objects.
    public var maximumDepth: Int

    public init(maximumBytes: Int = 16 << 20, maximumDepth: Int = 32) {
      (self.maximumBytes, self.maximumDepth) = (maximumBytes, maximumDepth)
    }
  }

  /// Parses one JSON text (RFC 8259) strictly, as I-JSON (RFC 7493): UTF-8 without a byte order mark, no duplicate
  /// members, lone surrogates or noncharacters, only numbers within the range of a 64-bit float.
  ///
  /// - Throws: ``VerifyError/Code/damaged``, with the byte offset, or ``VerifyError/Code/tooLarge``.
  public init(parsing bytes: [UInt8], limits: Limits = Limits()) throws {
    guard bytes.count <= limits.maximumBytes else {
      throw VerifyError(.tooLarge, "the JSON has \(bytes.count) bytes, the limit is \(limits.maximumBytes)")
    }
    var parser = JSONParser(bytes: bytes, maximumDepth: limits.maximumDepth)
    self = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.next == nil else { throw parser.error("data follow the JSON text") }
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  let maximumDepth: Int
  var position = 0

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  func error(_ what: String) -> VerifyError { VerifyError(.damaged, "not JSON at byte \(position): \(what)") }

  mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  /// Consumes a character if it is next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func value(depth: Int) throws -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < maximumDepth else {
        throw VerifyError(.tooLarge, "the JSON is more than \(maximumDepth) levels deep")
      }
      let isObject = next == UInt8(ascii: "{")
      position += 1
      return isObject ? try object(depth: depth + 1) : try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return try number()
    }
  }

  private mutating func literal(_ text: String, _ value: JSONValue) throws -> JSONValue {
    guard bytes[position...].starts(with: text.utf8) else { throw error("a value is missing") }
    position += text.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws -> JSONValue {
    var values: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(values) }
    while true {
      values.append(try value(depth: depth))
      skipSpace()
      if take("]") { return .array(values) }
      guard take(",") else { throw error("a comma or ] is missing") }
    }
  }

  private mutating func object(depth: Int) throws -> JSONValue {
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      let name = try string()
      skipSpace()
      guard take(":") else { throw error("a colon is missing") }
      // Swift compares names by canonical equivalence; names that differ only in composition are rejected as
      // duplicates.
      guard members.updateValue(try value(depth: depth), forKey: name) == nil else {
        throw error("the member \"\(name.prefix(64))\" is a duplicate")
      }
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw error("a comma or } is missing") }
    }
  }

  private mutating func string() throws -> String {
    guard take("\"") else { throw error("a string is missing") }
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: text, as: UTF8.self) else { throw error("a string is not UTF-8") }
        guard !text.unicodeScalars.contains(where: \.isNoncharacter) else { throw error("a string has a noncharacter") }
        position += 1
        return text
      case UInt8(ascii: "\\"):
        position += 1
        text += try escaped()
      case ..<0x20: throw error("a string has a control character")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw error("a string does not end")
  }

  private mutating func escaped() throws -> [UInt8] {
    guard let byte = next else { throw error("a string does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var units = [try codeUnit()]
      if UTF16.isLeadSurrogate(units[0]), take("\\"), take("u") { units.append(try codeUnit()) }
      guard let text = String(validating: units, as: UTF16.self) else { throw error("a surrogate is alone") }
      return Array(text.utf8)
    default: throw error("an escape is unknown")
    }
  }

  private mutating func codeUnit() throws -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap(hexadecimalDigit) else { throw error("\\u has four hexadecimal digits") }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  private mutating func number() throws -> JSONValue {
    let start = position
    func digits(_ parser: inout Self) throws -> Int {
      let first = parser.position
      while let byte = parser.next, (0x30...0x39).contains(byte) { parser.position += 1 }
      guard parser.position > first else { throw parser.error("a value is missing") }
      return parser.position - first
    }
    let isNegative = take("-")
    let startsWithZero = next == UInt8(ascii: "0")
    let count = try digits(&self)
    guard !startsWithZero || count == 1 else { throw error("a number begins with 0") }
    var isWhole = true
    if take(".") {
      isWhole = false
      _ = try digits(&self)
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      _ = try digits(&self)
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // -0 is not the integer 0, which is encoded as "0" (RFC 8785, 3.2.2.3). Integers above 15 digits may not be exact
    // floats.
    if isWhole, count <= 15, let value = Int(text), value != 0 || !isNegative { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw error("a number is too large") }
    return .number(value)
  }
}

extension Unicode.Scalar {
  fileprivate var isNoncharacter: Bool { (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE }
}
