/// The parsed name field of a machine-readable zone (ICAO 9303-3, 4.6).
struct MRZName: Sendable, Hashable {
  let surname: String
  let givenNames: String
  let isTruncated: Bool
  /// Whether there are digits that denote no letter.
  let hasDigits: Bool
  /// Whether there are fillers where the standard has none: before one of several names, or two before another name
  /// than the given names.
  let hasOddFillers: Bool

  init(_ text: MRZText, _ layout: MRZLayout) {
    let whole = text[layout.name]
    // States without surnames put fillers before the only name, one or many: <<RAMESH<KUMAR, <<<<<<<KEIKO<INOUE.
    let names = whole.drop { $0 == MRZText.filler }
    let isOnly = layout.givenNames == nil && names.count < whole.count && !Self.hasOddFillers(names)
    let field = isOnly ? [MRZText.filler, MRZText.filler] + names : whole
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
      isTruncated = whole.last != MRZText.filler
    }
    // Given names follow two fillers, unless they have a field of their own.
    let parts = layout.givenNames == nil ? [primary, secondary.dropFirst(2)] : [primary, secondary]
    hasOddFillers = parts.contains { Self.hasOddFillers($0) }
    let letters = layout == .russianPassport ? MRZTransliteration.russianLetters : [:]
    surname = Self.text(primary, letters)
    givenNames = Self.text(secondary, letters)
    hasDigits = [primary, secondary].contains { part in part.contains { 48...57 ~= $0 && letters[$0] == nil } }
  }

  /// Single fillers separate the components of a name, and the rest of its field has fillers alone.
  private static func hasOddFillers(_ part: ArraySlice<UInt8>) -> Bool {
    let components = MRZText.trimmed(part).split(separator: MRZText.filler, omittingEmptySubsequences: false)
    return components.dropLast().contains { $0.isEmpty }
  }

  private static func text(_ characters: ArraySlice<UInt8>, _ letters: [UInt8: String]) -> String {
    characters.split(separator: MRZText.filler).map { name in
      name.map { letters[$0] ?? String(UnicodeScalar($0)) }.joined()
    }.joined(separator: " ")
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
  /// The same with the filler in the place of the check digit, which Portuguese and Swedish cards include; nil if the
  /// number is not long.
  let coveredWithFiller: [UInt8]?
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
      coveredWithFiller = first + [MRZText.filler] + tail.dropLast()
      let end = optional.columns.lowerBound + tail.count
      digit = MRZSpan(optional.line, end - 1..<end)
      optionalData = MRZSpan(optional.line, min(end + 1, optional.columns.upperBound)..<optional.columns.upperBound)
    } else {
      number = MRZText.trimmed(first)
      covered = first
      coveredWithFiller = nil
      digit = layout.documentNumberDigit
      optionalData = optional
    }
  }
}
