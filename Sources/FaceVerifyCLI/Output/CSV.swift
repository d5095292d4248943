import FaceVerify

/// Comma-separated values (RFC 4180): fields with a comma, a quote or a line break are quoted.
enum CSV {
  static func text(_ records: [[String]]) -> String {
    records.map { $0.map(field).joined(separator: ",") + "\n" }.joined()
  }

  /// Formats one field. Unprintable characters are escaped, and an apostrophe is prepended to text that a spreadsheet
  /// would evaluate as a formula; numbers are unchanged.
  static func field(_ text: String) -> String {
    var text = text.printable
    if isFormula(text) { text = "'" + text }
    // Unicode scalars: a combining mark after a quote would form one character with it.
    guard text.unicodeScalars.contains(where: { [",", ";", "\""].contains($0) }) else { return text }
    let body = text.unicodeScalars.flatMap { $0 == "\"" ? ["\"", $0] : [$0] }
    return "\"" + String(String.UnicodeScalarView(body)) + "\""
  }

  /// OWASP, "CSV Injection": =, +, -, @, and their full-width forms; a field never contains a tab or line break.
  private static func isFormula(_ text: some StringProtocol) -> Bool {
    "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains { $0 == text.unicodeScalars.first }
      && Double(String(text)) == nil
  }

  /// Returns the records of a file with a header line: fields by name, with the line number. Errors are of the code
  /// ``VerifyError/Code/unknownFormat``.
  static func records(_ bytes: [UInt8]) throws -> [(line: Int, fields: [String: String])] {
    var lines = try parse(bytes)[...]
    guard let head = lines.popFirst() else { throw VerifyError(.unknownFormat, "it is empty") }
    let names = head.fields.map { String($0.trimmed) }
    if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw VerifyError(.unknownFormat, "two columns are called \"\(name)\"")
    }
    return try lines.compactMap { line, fields in
      if fields == [""] { return nil }
      guard fields.count == names.count else {
        throw VerifyError(
          .unknownFormat, "line \(line) has \(fields.count) fields, and the first line names \(names.count) columns")
      }
      let values = fields.map { field in
        let text = field.trimmed
        return String(text.first == "'" && isFormula(text.dropFirst()) ? text.dropFirst() : text)
      }
      return (line, Dictionary(uniqueKeysWithValues: zip(names, values)))
    }
  }

  struct Row {
    let line: Int
    let fields: [String: String]
    let root: String

    /// The value of a column; nil if it is empty or missing.
    subscript(column: String) -> String? { fields[column].flatMap { $0.isEmpty ? nil : $0 } }
    func path(_ column: String) -> String? { self[column].map { $0.hasPrefix("/") ? $0 : root + "/" + $0 } }
    var isSimulated: Bool { ["yes", "true", "1"].contains(self["simulated"]?.lowercased()) }
  }

  /// Returns a value per line of a file; errors name the file and the line.
  static func rows<Value>(of file: String, root: String, _ body: (Row) throws -> Value) throws -> [Value] {
    let bytes = try Input.bytes(file, maximumBytes: 1 << 28)
    return try VerifyError.naming(file) {
      try records(bytes).map { line, fields in
        try VerifyError.naming("line \(line)") { try body(Row(line: line, fields: fields, root: root)) }
      }
    }
  }

  private static func parse(_ bytes: [UInt8]) throws -> [(line: Int, fields: [String])] {
    var records: [(line: Int, fields: [String])] = []
    var fields: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    var wasQuoted = false
    var (line, begin) = (1, 1)
    // A byte order mark, as some programs write.
    var i = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    func endField() {
      fields.append(String(decoding: field, as: UTF8.self))
      field = []
      wasQuoted = false
    }
    func endRecord() {
      endField()
      records.append((begin, fields))
      fields = []
    }
    while i < bytes.count {
      let byte = bytes[i]
      i += 1
      switch byte {
      case UInt8(ascii: "\"") where isQuoted:
        if i < bytes.count, bytes[i] == UInt8(ascii: "\"") {
          field.append(byte)
          i += 1
        } else {
          isQuoted = false
        }
      case UInt8(ascii: "\"") where field.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
      case UInt8(ascii: ",") where !isQuoted: endField()
      case UInt8(ascii: "\r") where !isQuoted && i < bytes.count && bytes[i] == UInt8(ascii: "\n"): continue
      case UInt8(ascii: "\n"):
        line += 1
        if isQuoted {
          field.append(byte)
        } else {
          endRecord()
          begin = line
        }
      default: field.append(byte)
      }
    }
    guard !isQuoted else { throw VerifyError(.unknownFormat, "the quote in line \(begin) is not closed") }
    if !field.isEmpty || !fields.isEmpty || wasQuoted { endRecord() }
    return records
  }
}

extension String {
  fileprivate var trimmed: Substring {
    var text = self[...]
    while text.first?.isWhitespace ?? false { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}
