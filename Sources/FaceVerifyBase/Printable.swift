/// Text from outside, from a chip, a certificate, a zone, the name of a file: whoever wrote it must not be able to write
/// lines of ours, to hide or turn around what stands beside it, or to steer a terminal.
extension Unicode.Scalar {
  /// Whether it shows itself, and does nothing else. Not so: controls (C0, DEL, C1), ends of lines, what turns text
  /// around (U+202E and its like), and what cannot be seen, such as U+200B, tags and fillers.
  package var isPrintable: Bool {
    if value < 0x7F { return value >= 0x20 }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return false
    default: return !properties.isDefaultIgnorableCodePoint
    }
  }
}

extension StringProtocol {
  /// The text as it can stand in a line for people, on a terminal, in a log, on a page or in a message: what is not
  /// printable is written as `\u{1B}`. What is printable already stays as it is.
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
