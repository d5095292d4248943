/// A value of one of a standard's lists: its number there and its name.
public struct CodedValue: Sendable, Hashable, CustomStringConvertible {
  public let code: Int
  /// Kebab case; `reserved` for a number that the standard does not name.
  public let name: String
  public var description: String { name }

  init(_ code: Int, _ names: [String]) {
    self.code = code
    name = names.indices.contains(code) ? names[code] : "reserved"
  }
}
