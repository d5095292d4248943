/// The characters allowed at each position of a machine-readable zone, for reading it from a picture.
package struct MRZGrammar: Sendable, Hashable {
  package let format: MRZFormat
  /// Positions of the fields.
  package let layout: MRZLayout
  /// By line and column: the characters that the standard allows.
  package let standard: [[MRZCharacters]]
  /// By line and column: the characters that documents in circulation have, deviations included. A stricter reader
  /// would alter the printed text.
  package let tolerated: [[MRZCharacters]]

  /// The formats of ICAO 9303, and national ones.
  package static let all = (MRZFormat.allCases.map(MRZLayout.standard) + MRZLayout.national).map { MRZGrammar($0) }

  init(_ layout: MRZLayout) {
    let format = layout.format
    self.format = format
    self.layout = layout
    var standard = Array(
      repeating: Array(repeating: MRZCharacters.any, count: format.lineLength), count: format.lineCount)
    var tolerated = standard
    func allow(_ span: MRZSpan?, _ usual: MRZCharacters, alsoSeen: MRZCharacters = []) {
      guard let span else { return }
      for column in span.columns {
        standard[span.line][column] = usual
        tolerated[span.line][column] = usual.union(alsoSeen)
      }
    }
    let name: MRZCharacters = [.letters, .filler]
    let date: MRZCharacters = [.digits, .filler]
    // The second character of cards and visas is the issuer's choice: digits occur.
    let code = layout.documentCode
    allow(code, format == .td3 ? name : .any)
    let first = MRZSpan(code.line, code.columns.prefix(1))
    switch format {
    case .td3: allow(first, MRZCharacters("P"))
    case .mrvA, .mrvB: allow(first, MRZCharacters("V"))
    // Residence permits and registration papers have other letters (T, E).
    case .td1, .td2: allow(first, MRZCharacters("ACI"), alsoSeen: .letters.subtracting(MRZCharacters("V")))
    }
    allow(layout.issuingState, name)
    // Old Romanian identity cards have digits in the nationality.
    allow(layout.nationality, name, alsoSeen: .digits)
    allow(layout.name, layout == .russianPassport ? [name, MRZCharacters("2346789")] : name)
    allow(layout.givenNames, name)
    allow(layout.dateOfBirth, date)
    allow(layout.dateOfExpiry, date)
    // Some documents print X, as in the visual inspection zone, and a few print N.
    allow(layout.sex, MRZCharacters(layout == .mexicanCard ? "HM<" : "FM<"), alsoSeen: MRZCharacters("FXN"))
    // A filler if the number continues elsewhere or the field is empty.
    allow(layout.documentNumberDigit, layout.mayHaveLongNumber ? date : .digits, alsoSeen: .filler)
    allow(layout.dateOfBirthDigit, .digits, alsoSeen: .filler)
    allow(layout.dateOfExpiryDigit, .digits, alsoSeen: .filler)
    allow(layout.optionalDataDigit, date)
    allow(layout.compositeDigit, .digits)
    for (column, character) in layout.beginning.enumerated() {
      allow(MRZSpan(0, column..<column + 1), MRZCharacters(String(character)))
    }
    self.standard = standard
    self.tolerated = tolerated
  }
}

/// A set of the 37 characters of machine-readable zones: digits, capital letters, and the filler.
package struct MRZCharacters: OptionSet, Sendable, Hashable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// All 37 in the order of their bits.
  package static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<".utf8)

  package static let digits = MRZCharacters("0123456789")
  package static let letters = MRZCharacters("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  package static let filler = MRZCharacters("<")
  package static let any: MRZCharacters = [digits, letters, filler]

  package init(_ characters: String) { rawValue = characters.utf8.reduce(0) { $0 | Self.bit($1) } }

  /// Whether the set contains an ASCII character.
  package func contains(_ character: UInt8) -> Bool { rawValue & Self.bit(character) != 0 }

  private static func bit(_ character: UInt8) -> UInt64 {
    alphabet.firstIndex(of: character).map { 1 << UInt64($0) } ?? 0
  }
}
