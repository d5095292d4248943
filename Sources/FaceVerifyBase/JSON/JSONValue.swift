internal import FoundationEssentials
internal import Glibc

/// A JSON value (RFC 8259). Unmeasured values are kept as `null`.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Returns a measured number rounded to `decimals` places; null for nil.
  package static func rounded(_ value: Double?, _ decimals: Int) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    let scale = pow(10, Double(decimals))
    // Adding 0 turns -0 into 0.
    return .number((value * scale).rounded() / scale + 0)
  }

  /// Returns a measured number rounded to `digits` significant digits; null for nil.
  package static func significant(_ value: Double?, _ digits: Int) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    guard value != 0 else { return .number(0) }
    // Scaled by a positive power of ten, which is exact, so that the result has no spurious digits.
    let exponent = digits - 1 - Int(floor(log10(abs(value))))
    let scale = pow(10, Double(abs(exponent)))
    return .number(exponent >= 0 ? (value * scale).rounded() / scale : (value / scale).rounded() * scale)
  }

  package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  package static func optional(_ number: Int?) -> JSONValue { number.map(JSONValue.integer) ?? .null }

  /// The canonical text: sorted keys, indented by two spaces, with a final newline.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    // Cannot fail: numbers are finite.
    guard let data = try? encoder.encode(self) else { return "null\n" }
    let text = String(decoding: data, as: UTF8.self) + "\n"
    // Unprintable characters occur only within strings, where any character may be escaped (RFC 8259, 7), so that
    // values cannot control a terminal. Newlines are the encoder's; those in values are already escaped.
    guard text.unicodeScalars.contains(where: { !$0.isPrintable && $0 != "\n" }) else { return text }
    return text.unicodeScalars.reduce(into: "") { text, scalar in
      guard !scalar.isPrintable && scalar != "\n" else { return text.unicodeScalars.append(scalar) }
      for unit in UTF16.encode(scalar) ?? .init() {
        text += "\\u" + hexadecimal([UInt8(unit >> 8), UInt8(unit & 0xFF)])
      }
    }
  }

  /// A member; nil if it is missing, or this is not an object.
  package subscript(name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }

  /// Returns the object with a member; anything else unchanged.
  package func with(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members[name] = value
    return .object(members)
  }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
  /// The elements; empty if this is not an array.
  package var elements: [JSONValue] { if case .array(let values) = self { values } else { [] } }
}

extension JSONValue: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { first, _ in first })
  }
}

/// A value with a canonical JSON form: equal results give equal bytes, in every process and every language.
public protocol JSONConvertible {
  var jsonValue: JSONValue { get }
}

extension JSONConvertible {
  /// The canonical text: sorted keys, indented by two spaces, with a final newline.
  public var json: String { jsonValue.text }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  public var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}
