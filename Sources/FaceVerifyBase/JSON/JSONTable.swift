/// A value whose JSON object is written and read by one table of members.
package protocol JSONTable: JSONConvertible, JSONMemberValue {
  /// What the object is, for messages.
  static var subject: String { get }
  static var memberTable: [JSONMember<Self>] { get }
  /// A value with the defaults of all members.
  static var blank: Self { get }
  /// - Throws: ``VerifyError/Code/badArgument``, naming the member, for an unknown or missing one, or a wrong type.
  init(_ json: JSONValue) throws
}

extension JSONTable {
  package var tableJSON: JSONValue { .object(Self.memberTable.members(of: self)) }
  package var memberJSON: JSONValue { jsonValue }

  package init(_ json: JSONValue) throws { try self.init(members: json) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws { try self.init(json) }
  package init(members json: JSONValue) throws {
    self = .blank
    try Self.memberTable.read(json, of: Self.subject, into: &self).end()
  }
}

/// A member of an object in JSON: how it is written and read.
package struct JSONMember<Root> {
  let name: String
  /// nil for a member that is only read.
  let write: (Root) -> JSONValue?
  let read: (inout Root, JSONValue?, MemberReader) throws -> Void

  /// - Parameters:
  ///   - isRequired: whether it is an error if the member is missing or null; otherwise the default remains.
  ///   - isWritten: false for a member that is only read.
  package init<Value: JSONMemberValue>(
    _ name: String, _ path: WritableKeyPath<Root, Value>, isRequired: Bool = false, isWritten: Bool = true
  ) {
    self.init(
      name, isRequired: isRequired, write: { isWritten ? $0[keyPath: path].memberJSON : nil },
      read: { $0[keyPath: path] = try Value($1, at: name, in: $2) })
  }

  /// - Parameter read: by default, the member is only written, and ignored in what is read.
  package init(
    _ name: String, isRequired: Bool = false, write: @escaping (Root) -> JSONValue?,
    read: @escaping (inout Root, JSONValue, MemberReader) throws -> Void = { _, _, _ in }
  ) {
    (self.name, self.write) = (name, write)
    self.read = { root, json, reader in
      if let json { return try read(&root, json, reader) }
      if isRequired { throw reader.missing("\(name) is") }
    }
  }
}

extension Array {
  package func members<Root>(of value: Root) -> [String: JSONValue] where Element == JSONMember<Root> {
    reduce(into: [:]) { members, member in members[member.name] = member.write(value) }
  }

  /// Reads the members of an object, and returns a reader of the others.
  @discardableResult
  package func read<Root>(_ json: JSONValue, of subject: String, into value: inout Root) throws -> MemberReader
  where Element == JSONMember<Root> {
    var reader = try MemberReader(json, of: subject)
    for member in self { try member.read(&value, reader.take(member.name), reader) }
    return reader
  }
}

/// A value of a member of a JSON object.
package protocol JSONMemberValue {
  var memberJSON: JSONValue { get }
  /// - Throws: the reader's error about the member for a value of another type.
  init(_ json: JSONValue, at name: String, in reader: MemberReader) throws
}

extension Bool: JSONMemberValue {
  package var memberJSON: JSONValue { .bool(self) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    self = try reader.known(json.bool, name, "true or false")
  }
}

extension Int: JSONMemberValue {
  package var memberJSON: JSONValue { .integer(self) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    self = try reader.known(json.integer, name, "a whole number")
  }
}

extension Double: JSONMemberValue {
  package var memberJSON: JSONValue { .number(self) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    self = try reader.known(json.double, name, "a number")
  }
}

extension String: JSONMemberValue {
  package var memberJSON: JSONValue { .string(self) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    self = try reader.known(json.string, name, "a text")
  }
}

extension Optional: JSONMemberValue where Wrapped: JSONMemberValue {
  package var memberJSON: JSONValue { self?.memberJSON ?? .null }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    self = try Wrapped(json, at: name, in: reader)
  }
}

extension Array: JSONMemberValue where Element: JSONMemberValue {
  package var memberJSON: JSONValue { .array(map(\.memberJSON)) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    guard case .array(let values) = json else { throw reader.wrong(name, "a list") }
    self = try values.enumerated().map { try Element($1, at: "\(name)[\($0)]", in: reader) }
  }
}

extension Set: JSONMemberValue where Element: JSONMemberValue & RawRepresentable<String> {
  package var memberJSON: JSONValue { sorted { $0.rawValue < $1.rawValue }.memberJSON }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    self = Set(try [Element](json, at: name, in: reader))
  }
}

extension Dictionary: JSONMemberValue where Key == String, Value: JSONMemberValue {
  package var memberJSON: JSONValue { .object(mapValues(\.memberJSON)) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    guard case .object(let members) = json else { throw reader.wrong(name, "an object") }
    self = [:]
    for (key, value) in members { self[key] = try Value(value, at: "\(name).\(key)", in: reader) }
  }
}

extension JSONMemberValue where Self: RawRepresentable<String> {
  package var memberJSON: JSONValue { .string(rawValue) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    self = try reader.known(json.string.flatMap(Self.init(rawValue:)), name, "a text")
  }
}

extension JSONMemberValue where Self: RawRepresentable<String> & CaseIterable {
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    self = try reader.known(
      json.string.flatMap(Self.init(rawValue:)), name, "one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))"
    )
  }
}

/// Reads members of an object, and rejects those left unread.
package struct MemberReader {
  private var left: [String: JSONValue]
  private let subject: String

  package init(_ json: JSONValue, of subject: String) throws {
    guard case .object(let members) = json else { throw VerifyError(.badArgument, "\(subject) must be a JSON object") }
    (left, self.subject) = (members, subject)
  }

  package func wrong(_ name: String, _ wanted: String) -> VerifyError {
    VerifyError(.badArgument, "\(subject): \(name) must be \(wanted)")
  }

  /// - Parameter what: what is missing, with its verb: "name is", "name and limit are".
  package func missing(_ what: String) -> VerifyError { VerifyError(.badArgument, "\(subject): \(what) required") }

  fileprivate func known<Value>(_ value: Value?, _ name: String, _ wanted: @autoclosure () -> String) throws -> Value {
    guard let value else { throw wrong(name, wanted()) }
    return value
  }

  /// nil if missing or null.
  package mutating func take(_ name: String) -> JSONValue? {
    left.removeValue(forKey: name).flatMap { $0 == .null ? nil : $0 }
  }

  package mutating func value<Value: JSONMemberValue>(_ name: String, as type: Value.Type = Value.self) throws -> Value?
  {
    try take(name).map { try Value($0, at: name, in: self) }
  }

  /// - Throws: ``VerifyError/Code/badArgument`` if a member is left.
  package func end() throws {
    guard let name = left.keys.sorted().first else { return }
    throw VerifyError(.badArgument, "\(subject) has no member \"\(name)\"")
  }
}
