/// The shape of a JSON value. One description serves for the checking of records and for their published JSON Schema.
indirect enum RecordShape: Sendable {
  case any
  case bool
  /// An integer of at least 0.
  case count
  case countIn(ClosedRange<Int>)
  case number
  case numberIn(ClosedRange<Double>)
  case text
  /// Text of at most this number of Unicode scalars.
  case shortText(Int)
  /// Printable ASCII: equal names have equal bytes.
  case name
  /// One of these texts.
  case oneOf([String])
  case uuid
  /// A calendar date, YYYY-MM-DD.
  case day
  /// Bytes in lower-case hexadecimal; nil for any number of bytes.
  case hex(ClosedRange<Int>?)
  /// A fixed number of bytes in base64 (RFC 4648, 4).
  case base64(Int)
  case list(RecordShape)
  /// An object with arbitrary names.
  case map(RecordShape)
  /// - Parameters:
  ///   - members: required members.
  ///   - optional: optional members.
  ///   - isOpen: whether further members are allowed.
  case object(_ members: [String: RecordShape], optional: [String: RecordShape] = [:], isOpen: Bool = false)
  case orNull(RecordShape)

  /// Appends a sentence for each deviation of a value from this shape.
  func check(_ value: JSONValue, at path: String, _ problems: inout [String]) {
    func require(_ isRight: Bool, _ what: @autoclosure () -> String) {
      if !isRight { problems.append("\(path) is not \(what())") }
    }
    switch self {
    case .any: break
    case .bool: require(value.bool != nil, "true or false")
    case .count: require(value.integer ?? -1 >= 0, "a count")
    case .countIn(let range):
      require(value.integer.map(range.contains) ?? false, "a count of \(range.lowerBound) to \(range.upperBound)")
    case .number: require(value.double != nil, "a number")
    case .numberIn(let range):
      require(value.double.map(range.contains) ?? false, "a number of \(range.lowerBound) to \(range.upperBound)")
    case .text: require(value.string != nil, "text")
    case .shortText(let longest):
      require(value.string.map { $0.unicodeScalars.count <= longest } ?? false, "text of at most \(longest) characters")
    case .name:
      require(value.string?.utf8.allSatisfy { (0x20...0x7E).contains($0) } ?? false, "printable ASCII")
    case .oneOf(let texts):
      require(texts.contains(value.string ?? ""), texts.map { "\"\($0)\"" }.joined(separator: " or "))
    case .uuid:
      require(value.string.map(UUIDText.isValid) ?? false, "a UUID in lower case")
    case .day: require(value.string.flatMap { CalendarDate($0) } != nil, "a day, YYYY-MM-DD")
    case .hex(let bytes):
      require(
        value.string.map {
          isLowerCaseHexadecimal($0) && $0.utf8.count.isMultiple(of: 2) && bytes?.contains($0.utf8.count / 2) != false
        } ?? false,
        (bytes.map { "\($0.lowerBound) to \($0.upperBound) " } ?? "") + "bytes in lower-case hexadecimal digits")
    case .base64(let bytes):
      require(value.string.flatMap(Base64.standard.decode)?.count == bytes, "\(bytes) bytes in base64")
    case .list(let shape):
      guard case .array(let values) = value else { return require(false, "an array") }
      for (i, value) in values.enumerated() { shape.check(value, at: "\(path)[\(i)]", &problems) }
    case .map(let shape):
      guard case .object(let values) = value else { return require(false, "an object") }
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        shape.check(value, at: "\(path).\(name)", &problems)
      }
    case .object(let members, let optional, let isOpen):
      guard case .object(let values) = value else { return require(false, "an object") }
      for name in members.keys.sorted() where values[name] == nil { problems.append("\(path).\(name) is missing") }
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        if let shape = members[name] ?? optional[name] {
          shape.check(value, at: "\(path).\(name)", &problems)
        } else if !isOpen {
          problems.append("\(path).\(name) is not known")
        }
      }
    case .orNull(let shape): if value != .null { shape.check(value, at: path, &problems) }
    }
  }

  /// The shape as JSON Schema (draft 2020-12).
  var schema: JSONValue {
    switch self {
    case .any: true
    case .bool: ["type": "boolean"]
    case .count: ["type": "integer", "minimum": 0]
    case .countIn(let range):
      ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    case .number: ["type": "number"]
    case .numberIn(let range):
      ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
    case .text: ["type": "string"]
    case .shortText(let longest): ["type": "string", "maxLength": .integer(longest)]
    case .name: ["type": "string", "pattern": "^[ -~]*$"]
    case .oneOf(let texts): ["enum": .array(texts.map(JSONValue.string))]
    case .uuid: ["type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"]
    case .day: ["type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"]
    case .hex(let bytes):
      [
        "type": "string",
        "pattern": .string("^([0-9a-f]{2})\(bytes.map { "{\($0.lowerBound),\($0.upperBound)}" } ?? "*")$"),
      ]
    case .base64(let bytes):
      [
        "type": "string", "contentEncoding": "base64", "minLength": .integer((bytes + 2) / 3 * 4),
        "maxLength": .integer((bytes + 2) / 3 * 4),
      ]
    case .list(let shape): ["type": "array", "items": shape.schema]
    case .map(let shape): ["type": "object", "additionalProperties": shape.schema]
    case .object(let members, let optional, let isOpen):
      [
        "type": "object", "required": .array(members.keys.sorted().map(JSONValue.string)),
        "properties": .object(members.merging(optional) { first, _ in first }.mapValues(\.schema)),
        "additionalProperties": .bool(isOpen),
      ]
    case .orNull(let shape): ["anyOf": [shape.schema, ["type": "null"]]]
    }
  }
}
