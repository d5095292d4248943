/// The lines of a machine-readable zone, restricted to its alphabet: digits, capital letters and the filler `<` (ICAO
/// 9303-3, 4.3).
struct MRZText: Sendable, Hashable {
  static let filler = UInt8(ascii: "<")

  let format: MRZFormat
  var lines: [[UInt8]]

  /// - Throws: ``VerifyError/Code/unknownFormat`` if number and length of the lines match no format;
  ///   ``VerifyError/Code/damaged`` at the first character outside the alphabet.
  init(_ text: String) throws {
    let bytes = text.utf8
    // The longest zone has 90 characters; the rest allows for line ends, and for a message about a line that is too
    // long.
    guard bytes.count <= 200 else {
      throw VerifyError(.unknownFormat, "\(bytes.count) bytes are no machine readable zone: it has at most 90")
    }
    var lines = bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }).map(Array.init)
    if lines.count == 1, let all = lines.first {
      let count = [90: 3, 72: 2, 88: 2][all.count] ?? 1
      lines = stride(from: 0, to: all.count, by: all.count / count).map { Array(all[$0..<$0 + all.count / count]) }
    }
    for (number, line) in lines.enumerated() {
      for (column, character) in line.enumerated() where !MRZCharacters.any.contains(character) {
        let shown =
          switch character {
          case 32: "a space"
          case 33...126: "\"\(Character(UnicodeScalar(character)))\""
          default: "a byte"
          }
        throw VerifyError(
          .damaged, "line \(number + 1), column \(column + 1): \(shown) is not in the alphabet A-Z, 0-9 and <")
      }
    }
    let lengths = lines.map(\.count)
    guard let length = lengths.first, lengths.allSatisfy({ $0 == length }),
      let format = MRZFormat.allCases.first(where: {
        $0.lineCount == lines.count && $0.lineLength == length
          && $0.isVisa == (lines.count == 2 && lines[0].first == UInt8(ascii: "V"))
      })
    else {
      if let name = Self.unsupported(Array(lines.joined())) {
        throw VerifyError(.unknownFormat, "\(name) is not supported")
      }
      let found = lengths.map(String.init).joined(separator: ", ")
      throw VerifyError(
        .unknownFormat,
        "a machine readable zone has three lines of 30 characters, or two of 36 or 44; these have \(found)")
    }
    self.format = format
    self.lines = lines
  }

  /// Returns the name of a zone that is not of ICAO 9303, if a text is known to be one, or one of its lines: the single
  /// line of a driving licence of ISO/IEC 18013 (D1FRA, D1NLD), or the lines of 9, 30 and 30 characters of a Swiss one,
  /// of which the second names the state (FACHE; Federal Roads Office, instructions on the driving licence as a card).
  static func unsupported(_ text: [UInt8]) -> String? {
    let line = text.count == 69 ? text.dropFirst(9) : text[...]
    let code = String(decoding: trimmed(line.dropFirst(2).prefix(3)), as: UTF8.self)
    guard line.count == 30 || line.count == 60, let state = CountryName.english(code) else { return nil }
    if line.starts(with: "FACHE".utf8) || line.starts(with: "FALIE".utf8) {
      return "the three-line zone of a driving licence of \(state)"
    }
    let isOneLine = text.count == 30 && text[0] == UInt8(ascii: "D") && 48...57 ~= text[1]
    return isOneLine ? "the one-line zone of a driving licence of \(state)" : nil
  }

  init(blank format: MRZFormat) {
    self.format = format
    lines = Array(repeating: Array(repeating: Self.filler, count: format.lineLength), count: format.lineCount)
  }

  subscript(_ span: MRZSpan) -> [UInt8] { Array(lines[span.line][span.columns]) }

  /// Returns the characters without trailing fillers.
  func value(_ span: MRZSpan) -> String { String(decoding: Self.trimmed(self[span]), as: UTF8.self) }

  static func trimmed(_ characters: some BidirectionalCollection<UInt8>) -> [UInt8] {
    Array(characters.reversed().drop { $0 == filler }.reversed())
  }

  func isEmpty(_ span: MRZSpan) -> Bool { self[span].allSatisfy { $0 == Self.filler } }

  /// Writes from the beginning of a field; characters that do not fit are dropped.
  mutating func put(_ characters: some Sequence<UInt8>, at span: MRZSpan) {
    for (column, character) in zip(span.columns, characters) { lines[span.line][column] = character }
  }

  var strings: [String] { lines.map { String(decoding: $0, as: UTF8.self) } }
}
