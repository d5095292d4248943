@testable import IdentityDocuments

/// The data from which a machine-readable zone is written.
struct MRZContent: Sendable, Hashable {
  /// A letter, optionally followed by a letter or a digit: `P`, `PP`, `C1`.
  var documentCode: String
  /// One to three letters, see ``CountryName``.
  var issuingState: String
  /// The primary identifier in any Latin letters, see ``MRZTransliteration``.
  var surname: String
  /// The secondary identifier in any Latin letters; empty if there is none.
  var givenNames: String
  /// Letters and digits; any other character becomes a filler. At most 9 characters, 22 in TD1, 14 in TD2.
  var documentNumber: String
  /// One to three letters, see ``CountryName``.
  var nationality: String
  var dateOfBirth: PartialDate
  var sex: MRZSex
  /// nil if the document does not expire.
  var dateOfExpiry: PartialDate?
  /// As ``documentNumber``; in a passport the personal number.
  var optionalData: String
  /// The second optional data of TD1; empty in other formats.
  var optionalData2: String

  init(
    documentCode: String, issuingState: String, surname: String, givenNames: String, documentNumber: String,
    nationality: String, dateOfBirth: PartialDate, sex: MRZSex, dateOfExpiry: PartialDate?, optionalData: String = "",
    optionalData2: String = ""
  ) {
    (self.documentCode, self.issuingState, self.nationality) = (documentCode, issuingState, nationality)
    (self.surname, self.givenNames, self.sex) = (surname, givenNames, sex)
    (self.documentNumber, self.dateOfBirth, self.dateOfExpiry) = (documentNumber, dateOfBirth, dateOfExpiry)
    (self.optionalData, self.optionalData2) = (optionalData, optionalData2)
  }

  /// Returns the lines of the zone with all check digits; names that are too long are truncated by ICAO 9303, parts 4
  /// to 7, section 4.2.3.
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` if a value does not fit its field. Only names are ever truncated.
  func lines(_ format: MRZFormat) throws -> [String] {
    let layout = MRZLayout.standard(format)
    var text = MRZText(blank: format)
    guard let first = documentCode.utf8.first, 65...90 ~= first, format.isVisa == (first == UInt8(ascii: "V"))
    else {
      throw VerifyError(.badArgument, "the document code is V for visas, and another letter for all else")
    }
    func put(_ value: some Collection<UInt8>, _ span: MRZSpan, _ what: String) throws {
      guard value.count <= span.columns.count else {
        throw VerifyError(
          .badArgument, "\(what) has \(value.count) characters; \(format) has room for \(span.columns.count)")
      }
      text.put(value, at: span)
    }
    try put(Self.characters(documentCode), layout.documentCode, "the document code")
    try put(Self.letters(issuingState, "the issuing State"), layout.issuingState, "the issuing State")
    if let span = layout.nationality {
      try put(Self.letters(nationality, "the nationality"), span, "the nationality")
    }
    let surname = try MRZTransliteration.name(surname)
    guard !surname.isEmpty else {
      throw VerifyError(.badArgument, "the surname is empty; a single name goes there (ICAO 9303-3, 4.6)")
    }
    text.put(
      MRZNameWriter.field(
        surname: surname, givenNames: try MRZTransliteration.name(givenNames), length: layout.name.columns.count),
      at: layout.name)
    text.put(Self.digits(dateOfBirth), at: layout.dateOfBirth)
    text.put(sex == .unspecified ? [MRZText.filler] : Array(sex.rawValue.utf8), at: layout.sex)
    if let dateOfExpiry, let span = layout.dateOfExpiry { text.put(Self.digits(dateOfExpiry), at: span) }

    let number = Self.characters(documentNumber)
    guard !number.isEmpty else { throw VerifyError(.badArgument, "the document number is empty") }
    var optional = Self.characters(optionalData)
    let principal = layout.documentNumber.columns.count
    if number.count > principal && layout.mayHaveLongNumber {
      guard !number.contains(MRZText.filler) else {
        throw VerifyError(.badArgument, "a number of more than \(principal) characters has letters and digits alone")
      }
      // The check digit is corrected below.
      optional = number.dropFirst(principal) + [UInt8(ascii: "0"), MRZText.filler] + optional
      text.put(number.prefix(principal), at: layout.documentNumber)
    } else {
      try put(number, layout.documentNumber, "the document number")
    }
    try put(optional, layout.optionalData, "the optional data, with the rest of the document number,")
    if let span = layout.optionalData2 {
      try put(Self.characters(optionalData2), span, "the second optional data")
    } else if !optionalData2.isEmpty {
      throw VerifyError(.badArgument, "\(format.rawValue) has no second optional data")
    }
    return MRZDigits.corrected(text, layout).strings
  }

  private static func letters(_ value: String, _ what: String) throws -> [UInt8] {
    guard !value.isEmpty, value.utf8.allSatisfy({ 65...90 ~= $0 || $0 == MRZText.filler }) else {
      throw VerifyError(.badArgument, "\(what) has capital letters alone")
    }
    return Array(value.utf8)
  }

  private static func characters(_ value: String) -> [UInt8] {
    MRZText.trimmed(
      value.uppercased().map { character in
        character.asciiValue.flatMap { MRZCharacters.any.contains($0) ? $0 : nil } ?? MRZText.filler
      })
  }

  private static func digits(_ date: PartialDate) -> [UInt8] {
    [date.year.map { $0 % 100 }, date.month, date.day].flatMap { part in
      part.map { [UInt8(48 + $0 / 10), UInt8(48 + $0 % 10)] } ?? [MRZText.filler, MRZText.filler]
    }
  }
}

/// Writes the name field of a machine-readable zone, truncated by ICAO 9303, parts 4 to 7, section 4.2.3.
///
/// Of the standard's options: components of the primary identifier become initials, the last first, until one letter of
/// the secondary identifier fits; components of the secondary one are shortened, the last first, to their initials at
/// most. A truncated name ends with a letter in the last position.
enum MRZNameWriter {
  /// - Parameters:
  ///   - surname, givenNames: transliterated; components are separated by fillers.
  static func field(surname: String, givenNames: String, length: Int) -> [UInt8] {
    // More components than positions do not fit even as initials.
    let wholePrimary = Array(parts(surname).prefix(length))
    let secondary = Array(parts(givenNames).prefix(length))
    if secondary.isEmpty { return joined(shortened(wholePrimary, to: length)) }
    var primary = wholePrimary
    guard count(primary) + 2 + count(secondary) > length else { return joined(primary) + separator + joined(secondary) }
    for i in primary.indices.reversed() where count(primary) + 3 > length { primary[i] = Array(primary[i].prefix(1)) }
    primary = shortened(primary, to: length - 3)
    var rest = shortened(secondary, to: length - count(primary) - 2)
    if count(primary) + 2 + count(rest) < length {
      // The primary identifier takes the room left over. If it is whole, it gives up a position, so that one more
      // initial and its filler fit.
      let room = length - 2 - count(rest)
      primary = shortened(wholePrimary, to: count(wholePrimary) > room ? room : count(primary) - 1)
      rest = shortened(secondary, to: length - count(primary) - 2)
    }
    return joined(primary) + separator + joined(rest)
  }

  private static let separator = [MRZText.filler, MRZText.filler]

  private static func parts(_ text: String) -> [[UInt8]] {
    text.utf8.split(separator: MRZText.filler).map(Array.init)
  }

  private static func count(_ parts: [[UInt8]]) -> Int { parts.reduce(-1) { $0 + 1 + $1.count } }

  private static func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: [MRZText.filler])) }

  /// Shortens components, the last first, to their initials at most; drops the last ones if that is not enough.
  private static func shortened(_ parts: [[UInt8]], to length: Int) -> [[UInt8]] {
    var parts = parts
    while parts.count > 1, 2 * parts.count - 1 > length { parts.removeLast() }
    for i in parts.indices.reversed() {
      let excess = count(parts) - length
      guard excess > 0 else { break }
      parts[i].removeLast(min(excess, parts[i].count - 1))
    }
    return parts
  }
}
