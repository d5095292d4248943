/// Positions of the data elements in a machine-readable zone. Lines and columns count from 0.
package struct MRZLayout: Sendable, Hashable {
  let format: MRZFormat
  let documentCode = MRZSpan(0, 0..<2)
  let issuingState = MRZSpan(0, 2..<5)
  /// Primary and secondary identifier; only the primary if there is ``givenNames``.
  let name: MRZSpan
  var givenNames: MRZSpan?
  let documentNumber: MRZSpan
  let documentNumberDigit: MRZSpan
  /// Whether the number may continue in the optional data, with a filler as its check digit.
  let mayHaveLongNumber: Bool
  let nationality: MRZSpan?
  let dateOfBirth: MRZSpan
  let dateOfBirthDigit: MRZSpan
  let sex: MRZSpan
  let dateOfExpiry: MRZSpan?
  let dateOfExpiryDigit: MRZSpan?
  let optionalData: MRZSpan
  let optionalDataDigit: MRZSpan?
  let optionalData2: MRZSpan?
  /// The characters that the composite check digit covers; empty if there is none.
  let composite: [MRZSpan]
  let compositeDigit: MRZSpan?
  /// The beginning of the zones of one state's documents that deviate from the standard.
  var beginning = ""

  /// ICAO 9303-4, 4.2.2; 9303-5, 4.2.2; 9303-6, 4.2.2; 9303-7, 4.2.2 and 7.2.2.
  package static func standard(_ format: MRZFormat) -> MRZLayout {
    switch format {
    case .td1: td1
    case .td2: twoLines(format, optional: 28..<35, composite: [0..<10, 13..<20, 21..<35])
    case .td3: twoLines(format, optional: 28..<42, composite: [0..<10, 13..<20, 21..<43])
    case .mrvA: twoLines(format, optional: 28..<44, composite: [])
    case .mrvB: twoLines(format, optional: 28..<36, composite: [])
    }
  }

  /// The French identity card of 1988 to 2021: two lines of 36, with the issuing office after the surname, a number of
  /// twelve characters, and no date of expiry.
  package static let frenchCard = MRZLayout(
    format: .td2, name: MRZSpan(0, 5..<30), givenNames: MRZSpan(1, 13..<27), documentNumber: MRZSpan(1, 0..<12),
    documentNumberDigit: MRZSpan(1, 12..<13), mayHaveLongNumber: false, nationality: nil,
    dateOfBirth: MRZSpan(1, 27..<33), dateOfBirthDigit: MRZSpan(1, 33..<34), sex: MRZSpan(1, 34..<35),
    dateOfExpiry: nil, dateOfExpiryDigit: nil, optionalData: MRZSpan(0, 30..<36), optionalDataDigit: nil,
    optionalData2: nil, composite: [MRZSpan(0, 0..<36), MRZSpan(1, 0..<35)], compositeDigit: MRZSpan(1, 35..<36),
    beginning: "IDFRA")

  /// The Russian internal passport: names have digits in the place of some letters
  /// (``MRZTransliteration/russianLetters``), and there is no date of expiry.
  package static let russianPassport = standard(.td3).beginning(with: "PNRUS")

  /// The Mexican voter's card: the sex is H for hombre (male) or M for mujer (female).
  package static let mexicanCard = td1.beginning(with: "IDMEX")

  package static let national = [frenchCard, russianPassport, mexicanCard]

  private func beginning(with text: String) -> MRZLayout {
    var layout = self
    layout.beginning = text
    return layout
  }

  /// Returns the layout of a zone, determined by its format and first line.
  static func of(_ format: MRZFormat, firstLine: [UInt8]) -> MRZLayout {
    national.first { $0.format == format && firstLine.starts(with: $0.beginning.utf8) } ?? standard(format)
  }

  private static let td1 = MRZLayout(
    format: .td1, name: MRZSpan(2, 0..<30), documentNumber: MRZSpan(0, 5..<14),
    documentNumberDigit: MRZSpan(0, 14..<15), mayHaveLongNumber: true, nationality: MRZSpan(1, 15..<18),
    dateOfBirth: MRZSpan(1, 0..<6), dateOfBirthDigit: MRZSpan(1, 6..<7), sex: MRZSpan(1, 7..<8),
    dateOfExpiry: MRZSpan(1, 8..<14), dateOfExpiryDigit: MRZSpan(1, 14..<15), optionalData: MRZSpan(0, 15..<30),
    optionalDataDigit: nil, optionalData2: MRZSpan(1, 18..<29),
    composite: [MRZSpan(0, 5..<30), MRZSpan(1, 0..<7), MRZSpan(1, 8..<15), MRZSpan(1, 18..<29)],
    compositeDigit: MRZSpan(1, 29..<30))

  private static func twoLines(_ format: MRZFormat, optional: Range<Int>, composite: [Range<Int>]) -> MRZLayout {
    let last = format.lineLength - 1
    return MRZLayout(
      format: format, name: MRZSpan(0, 5..<format.lineLength), documentNumber: MRZSpan(1, 0..<9),
      documentNumberDigit: MRZSpan(1, 9..<10), mayHaveLongNumber: format == .td2, nationality: MRZSpan(1, 10..<13),
      dateOfBirth: MRZSpan(1, 13..<19), dateOfBirthDigit: MRZSpan(1, 19..<20), sex: MRZSpan(1, 20..<21),
      dateOfExpiry: MRZSpan(1, 21..<27), dateOfExpiryDigit: MRZSpan(1, 27..<28), optionalData: MRZSpan(1, optional),
      optionalDataDigit: format == .td3 ? MRZSpan(1, 42..<43) : nil, optionalData2: nil,
      composite: composite.map { MRZSpan(1, $0) },
      compositeDigit: composite.isEmpty ? nil : MRZSpan(1, last..<last + 1))
  }

  /// Returns the spans that a field is read from, including its check digit; empty if the format has no such field.
  package func spans(of field: MRZField) -> [MRZSpan] {
    let spans: [MRZSpan?] =
      switch field {
      case .documentCode: [documentCode]
      case .issuingState: [issuingState]
      case .name: [name, givenNames]
      case .documentNumber: [documentNumber, documentNumberDigit]
      case .nationality: [nationality ?? issuingState]
      case .dateOfBirth: [dateOfBirth, dateOfBirthDigit]
      case .sex: [sex]
      case .dateOfExpiry: [dateOfExpiry, dateOfExpiryDigit]
      case .optionalData: [optionalData, optionalDataDigit]
      case .optionalData2: [optionalData2]
      case .composite: [compositeDigit]
      default: []
      }
    return spans.compactMap { $0 }
  }
}

/// The format of a machine-readable zone (ICAO 9303, parts 4 to 7).
public enum MRZFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// Cards of size ID-1: three lines of 30 characters (part 5).
  case td1
  /// Documents of size ID-2: two lines of 36 characters (part 6).
  case td2
  /// Passport booklets, size ID-3: two lines of 44 characters (part 4).
  case td3
  /// Visas of format A: two lines of 44 characters (part 7).
  case mrvA = "mrv-a"
  /// Visas of format B: two lines of 36 characters (part 7).
  case mrvB = "mrv-b"

  public var lineCount: Int { self == .td1 ? 3 : 2 }

  /// Characters per line.
  public var lineLength: Int {
    switch self {
    case .td1: 30
    case .td2, .mrvB: 36
    case .td3, .mrvA: 44
    }
  }
  public var isVisa: Bool { self == .mrvA || self == .mrvB }

  /// Whether documents of this format may have a code: two characters with a letter first (ICAO 9303-4 to -7, 4.2.2).
  /// Passports have P and a letter or filler; cards neither P nor V first, and no V second. Residence permits have other
  /// letters than A, C and I.
  func allows(documentCode code: [UInt8]) -> Bool {
    guard code.count == 2, 65...90 ~= code[0] else { return false }
    switch self {
    case .td3: return code[0] == UInt8(ascii: "P") && !(48...57 ~= code[1])
    // An emergency travel document of one sheet (9303-8, 4.1.5).
    case .td2 where code == Array("PU".utf8): return true
    case .td1, .td2: return !"PV".utf8.contains(code[0]) && code[1] != UInt8(ascii: "V")
    case .mrvA, .mrvB: return code[0] == UInt8(ascii: "V")
    }
  }
}

/// Adjacent characters on one line of a machine-readable zone.
package struct MRZSpan: Sendable, Hashable {
  package let line: Int
  package let columns: Range<Int>

  init(_ line: Int, _ columns: Range<Int>) { (self.line, self.columns) = (line, columns) }
}
