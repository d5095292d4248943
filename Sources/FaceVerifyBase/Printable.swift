/// Untrusted text, from a chip, a certificate, a zone or a file name: its author must not be able to inject lines, to
/// hide or reverse adjacent text, or to control a terminal.
extension Unicode.Scalar {
  /// Visible and without side effects on a terminal. Excluded are controls (C0, DEL, C1), line separators,
  /// bidirectional controls (U+202E and similar), and invisible characters such as U+200B, tags and fillers.
  package var isPrintable: Bool {
    if value < 0x7F { return value >= 0x20 }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return false
    default: return !properties.isDefaultIgnorableCodePoint
    }
  }
}

extension StringProtocol {
  /// The text made safe for a line on a terminal, in a log, on a page or in a message: characters that are not
  /// printable are escaped as `\u{1B}`. Printable text is unchanged.
  package var printable: String {
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(self) }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isPrintable {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
  }
}
