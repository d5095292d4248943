/// Values of members that may be missing, or be something else.
extension JSONValue {
  /// A member; nil if there is none, or this is no object.
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
  /// Its elements; none if it is no array.
  package var elements: [JSONValue] { if case .array(let values) = self { values } else { [] } }
}
