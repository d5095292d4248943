/// What has a canonical JSON form: the same result gives the same bytes, in every process and every language.
public protocol JSONConvertible {
  var jsonValue: JSONValue { get }
}

extension JSONConvertible {
  /// The canonical text: keys in order, two spaces a level, a line end at the end.
  public var json: String { jsonValue.text }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  public var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}
