/// Text in a fixed array of a C structure.
enum CText {
  static func string<Tuple>(_ characters: inout Tuple) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
