/// Identifies the issuer's codes by their content alone.
public struct CodeOwnership: Sendable {
  /// Returns whether a reading is the issuer's; nil if that cannot be determined.
  public let owns: @Sendable (CodeReading) -> Bool?

  public init(_ owns: @escaping @Sendable (CodeReading) -> Bool?) { self.owns = owns }

  /// Matches texts with a prefix, case-sensitively.
  public static func prefix(_ prefix: String) -> CodeOwnership {
    CodeOwnership { $0.text.map { Array($0.utf8).starts(with: prefix.utf8) } }
  }

  /// Matches the whole text against a pattern; `*` matches any sequence of characters, `?` exactly one. Regular
  /// expressions are not supported: a printed code could make some of them run for hours.
  public static func pattern(_ pattern: String) -> CodeOwnership {
    let pattern = Array(pattern.unicodeScalars)
    return CodeOwnership { $0.text.map { matches(Array($0.unicodeScalars), pattern) } }
  }

  private static func matches(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    var (t, p) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == "*" {
        star = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
        p += 1
        t += 1
      } else if let last = star {
        // The last star matches one more character.
        p = last.pattern + 1
        t = last.text + 1
        star = (last.pattern, t)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}
