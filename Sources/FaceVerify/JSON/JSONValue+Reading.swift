/// Accessors for values of unknown type.
extension JSONValue {
  /// A member; nil if it is missing, or this is not an object.
  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
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
