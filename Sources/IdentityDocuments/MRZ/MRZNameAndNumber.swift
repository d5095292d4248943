/// The parsed name field of a machine-readable zone (ICAO 9303-3, 4.6).
struct MRZName: Sendable, Hashable {
  let surname: String
  let givenNames: String
  let isTruncated: Bool
  let hasDigits: Bool
  /// Whether there are fillers where the standard has none: before a name, or two before another name than the given
  /// names.
  let hasOddFillers: Bool

  init(_ text: MRZText, _ layout: MRZLayout) {
    let field = text[layout.name]
    let primary: ArraySlice<UInt8>
    let secondary: ArraySlice<UInt8>
    if let givenNames = layout.givenNames {
      primary = field[...]
      secondary = text[givenNames][...]
      isTruncated = primary.last != MRZText.filler || secondary.last != MRZText.filler
    } else {
      let end =
        field.indices.dropLast().first(where: { field[$0] == MRZText.filler && field[$0 + 1] == MRZText.filler })
        ?? field.endIndex
      primary = field[..<end]
      secondary = field[end...]
      isTruncated = field.last != MRZText.filler
    }
    // Given names follow two fillers, unless they have a field of their own.
    let parts = layout.givenNames == nil ? [primary, secondary.dropFirst(2)] : [primary, secondary]
    hasOddFillers = parts.contains { Self.hasOddFillers($0) }
    surname = Self.text(primary)
    givenNames = Self.text(secondary)
    hasDigits = [primary, secondary].contains { part in part.contains { 48...57 ~= $0 } }
  }

  /// Single fillers separate the components of a name, and the rest of its field has fillers alone.
  private static func hasOddFillers(_ part: ArraySlice<UInt8>) -> Bool {
    let components = MRZText.trimmed(part).split(separator: MRZText.filler, omittingEmptySubsequences: false)
    return components.dropLast().contains { $0.isEmpty }
  }

  private static func text(_ characters: ArraySlice<UInt8>) -> String {
    characters.split(separator: MRZText.filler).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }
}

/// The document number of a machine-readable zone with its check digit.
///
/// A number of more than nine characters has a filler as its check digit and continues at the beginning of the optional
/// data, followed there by the check digit and a filler (ICAO 9303-5, 4.2.2.3 note j; 9303-6, 4.2.2.2 note j).
struct MRZNumber: Sendable, Hashable {
  /// Without trailing fillers.
  let number: [UInt8]
  let isLong: Bool
  let covered: [UInt8]
  let digit: MRZSpan
  /// The remaining optional data.
  let optionalData: MRZSpan

  init(_ text: MRZText, _ layout: MRZLayout) {
    let first = text[layout.documentNumber]
    let optional = layout.optionalData
    let tail = text[optional].prefix { $0 != MRZText.filler }
    isLong =
      layout.mayHaveLongNumber && text[layout.documentNumberDigit] == [MRZText.filler]
      && first.last != MRZText.filler && tail.count >= 2
    if isLong {
      number = first + tail.dropLast()
      covered = number
      let end = optional.columns.lowerBound + tail.count
      digit = MRZSpan(optional.line, end - 1..<end)
      optionalData = MRZSpan(optional.line, min(end + 1, optional.columns.upperBound)..<optional.columns.upperBound)
    } else {
      number = MRZText.trimmed(first)
      covered = first
      digit = layout.documentNumberDigit
      optionalData = optional
    }
  }
}
