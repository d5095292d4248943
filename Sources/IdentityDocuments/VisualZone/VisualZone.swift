/// The visual inspection zone of a page: the fields that are printed for people (ICAO 9303-3, 3).
///
/// Values are located by their captions, to the right of them or below. Printed text has no check digits: a value is
/// verified only by comparison with another source.
public struct VisualZone: Sendable {
  /// A line of text, in coordinates in which it is upright.
  public struct Line: Sendable {
    public let text: String
    /// 0...1.
    public let confidence: Double
    public let left, top, right, bottom: Double
    /// For the caller: the line's number on the page.
    public let number: Int

    public init(
      text: String, confidence: Double, left: Double, top: Double, right: Double, bottom: Double, number: Int = 0
    ) {
      (self.text, self.confidence, self.number) = (text, confidence, number)
      (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    var height: Double { bottom - top }
    var middle: Double { (top + bottom) / 2 }

    func isAboveOrBelow(_ left: Double, _ right: Double) -> Bool { self.left < right && self.right > left }
  }

  /// The field at a caption.
  public struct Field: Sendable {
    /// nil if no plausible text was read at the caption, or a date whose century or order is open.
    public let value: String?
    /// The lower of the confidences of the line and of its caption's, 0...1; nil if no plausible text was read.
    public let confidence: Double?
    /// ``Line/number`` of the line, which may have the caption, too; nil if no plausible text was read.
    public let line: Int?

    /// Its status is ``CheckStatus/notChecked``: nothing verifies printed text.
    public var field: DocumentField {
      .notChecked(value, (confidence ?? 0) < VisualZone.sureConfidence ? .lowConfidence : .unverified)
    }
  }

  /// The title of the document, in one of the lines.
  public struct Title: Sendable {
    /// The kind that the title names.
    public let type: DocumentType
    /// ``Line/number`` of the line.
    public let line: Int
  }

  /// nil if no title, or titles of several types of about the same size were read.
  public let title: Title?
  /// Without the machine-readable zone.
  let lines: [Line]
  /// By the fields that have a caption.
  private let candidates: [DocumentFieldName: [Candidate]]

  /// A possible value of a field, the most probable first.
  private struct Candidate {
    let text: String
    let confidence: Double
    let captionConfidence: Double
    let line: Int
    /// Whether it is a name on two lines.
    var isJoined = false
    /// Whether the caption of another field is between it and its own: it is probably the value of that field.
    let isBelowOther: Bool

    /// - Parameter next: the top of the next caption of another field below.
    init(_ text: String, _ line: Line, caption: Line, next: Double = .infinity) {
      (self.text, confidence, self.line) = (text, line.confidence, line.number)
      (captionConfidence, isBelowOther) = (caption.confidence, line.top > next)
    }

    /// A name on two lines.
    init(_ first: Line, _ second: Line, caption: Line, next: Double) {
      (text, confidence) = (first.text + " " + second.text, min(first.confidence, second.confidence))
      (line, captionConfidence, isJoined, isBelowOther) = (first.number, caption.confidence, true, second.top > next)
    }
  }

  /// - Parameter lines: of one page, with or without its machine-readable zone.
  public init(_ lines: [Line]) {
    // Fillers are in the machine-readable zone alone (ICAO 9303-3, 4.3).
    self.lines = lines.filter { !$0.text.contains("<<") }
    let layout = Layout(self.lines)
    candidates = layout.candidates
    title = Self.title(layout.others)
  }

  /// The captions on a page, and the texts around them.
  private struct Layout {
    let rows: [(line: Line, captions: [PrintedCaption])]
    /// Lines without a caption.
    let others: [Line]

    init(_ lines: [Line]) {
      let style = PrintedCaption.Style(lines.map(\.text))
      rows = lines.map { ($0, PrintedCaption.all(in: $0.text, style: style)) }
      others = rows.filter(\.captions.isEmpty).map(\.line)
    }

    var candidates: [DocumentFieldName: [Candidate]] {
      var found: [DocumentFieldName: [Candidate]] = [:]
      for (line, captions) in rows {
        for (number, caption) in captions.enumerated() {
          guard let name = caption.name else { continue }
          let start = number == 0 ? nil : captions[number - 1].range.upperBound
          let end = number + 1 < captions.count ? captions[number + 1].range.lowerBound : line.text.count
          let rest = String(Array(line.text)[caption.range.upperBound..<end])
          found[name, default: []] +=
            (candidates(in: rest, line) + candidates(around: line, caption, name, from: start, to: end))
            .filter { VisualZone.isPlausible($0.text, name) }
          // Field 3 of a licence of the EU has date and place of birth.
          if caption.isNumber, name == .dateOfBirth, let date = rest.lastIndex(where: \.isNumber) {
            let place = Candidate(VisualZone.trimmed(String(rest[date...].dropFirst())), line, caption: line)
            if VisualZone.isPlausible(place.text, .placeOfBirth) { found[.placeOfBirth, default: []].append(place) }
          }
        }
      }
      // Without a number directly below it, CAN is Canada.
      for line in others where line.text == "CAN" {
        guard let number = texts(below: line, line.left, line.right).first, VisualZone.isCardAccessNumber(number.text)
        else {
          continue
        }
        found[.cardAccessNumber, default: []].append(Candidate(number.text, number, caption: line))
      }
      return found
    }

    /// Returns the text after a caption in its line. After a slash or in parentheses, the caption is repeated in another
    /// language.
    private func candidates(in rest: String, _ line: Line) -> [Candidate] {
      let isCaption = rest.first { !$0.isWhitespace }.map { "/(|".contains($0) } ?? true
      return isCaption ? [] : [Candidate(VisualZone.trimmed(rest), line, caption: line)]
    }

    /// Returns the texts beside and below a caption.
    ///
    /// - Parameters:
    ///   - start: the end of the caption before it in the line; nil if it is the first, which may begin in another
    ///     language.
    ///   - end: the start of the next one, or the end of the line.
    private func candidates(
      around line: Line, _ caption: PrintedCaption, _ name: DocumentFieldName, from start: Int?, to end: Int
    ) -> [Candidate] {
      let width = (line.right - line.left) / Double(max(1, line.text.count))
      let left = line.left + width * Double(start ?? 0)
      let right = line.left + width * Double(end)
      let beside = others.filter {
        abs($0.middle - line.middle) < 0.6 * max($0.height, line.height) && $0.left > line.right - line.height
          && $0.left - line.right < 4 * line.height
      }.min { $0.left < $1.left }
      // A caption in two languages may take two lines, and a name two.
      var below = texts(below: line, left, right).prefix(3)
      let next =
        rows.filter { other, captions in
          other.middle > line.bottom && other.isAboveOrBelow(left, right) && captions.contains { $0.name != name }
        }.map(\.line.top).min() ?? .infinity
      var values: [Candidate]
      if VisualZone.textFields.contains(name) {
        // Nearly all texts are plausible: those below the next caption, and captions in the same row, are left out.
        below = below.prefix { $0.top < next }
        let further = caption.isNumber || below.isEmpty ? [beside].compactMap(\.self) : Array(below)
        values = further.map { Candidate($0.text, $0, caption: line) }
      } else {
        values = ([beside].compactMap(\.self) + below).map { Candidate($0.text, $0, caption: line, next: next) }
      }
      if [.surname, .givenNames].contains(name), below.count > 1 {
        values.append(Candidate(below[0], below[1], caption: line, next: next))
      }
      return values
    }

    private func texts(below line: Line, _ left: Double, _ right: Double) -> [Line] {
      others.filter {
        $0.middle > line.bottom && $0.top - line.bottom < 2.5 * max($0.height, line.height)
          && $0.isAboveOrBelow(left, right) && abs($0.left - left) < 6 * line.height
      }.sorted { $0.top < $1.top }
    }
  }

  /// - Parameter lines: without a caption, which may have the same words: Passport No.
  private static func title(_ lines: [Line]) -> Title? {
    let titles = lines.compactMap { line -> (type: DocumentType, line: Line)? in
      guard !line.text.contains(where: \.isNumber) else { return nil }
      // Titles in several languages are in one line.
      let parts = line.text.split { "/-–|,·•".contains($0) }.map { plain(String($0)) }
      let found = DocumentKind.all.flatMap { kind in
        kind.titles.filter { title in parts.contains { isTitle($0, title) } }.map { (kind.type, $0.count) }
      }
      // "Passport card" is longer than "passport".
      return found.max { $0.1 < $1.1 }.map { ($0.0, line) }
    }
    guard let largest = titles.max(by: { $0.line.height < $1.line.height }) else { return nil }
    let rivals = titles.filter { $0.type != largest.type && $0.line.height > 0.8 * largest.line.height }
    return rivals.isEmpty ? Title(type: largest.type, line: largest.line.number) : nil
  }

  /// Whether a text is a title, or begins or ends with it: "official passport". One letter in six may be misread.
  private static func isTitle(_ text: String, _ title: String) -> Bool {
    let most = title.count / 6
    if abs(text.count - title.count) <= most, text.distance(to: title) <= most { return true }
    // Short ones are parts of other words, and sentences on a page name the document.
    return title.count >= 6 && text.count <= 3 * title.count && (text.hasPrefix(title) || text.hasSuffix(title))
  }

  /// Fields whose values have no notation of their own.
  private static let textFields: Set<DocumentFieldName> = [
    .nationality, .placeOfBirth, .issuingAuthority, .vehicleCategories, .cardAccessNumber,
  ]

  private static func trimmed(_ text: String) -> String {
    String(text.drop { !$0.isLetter && !$0.isNumber }.reversed().drop { $0.isWhitespace }.reversed())
  }

  private static func isPlausible(_ text: String, _ name: DocumentFieldName) -> Bool {
    switch name {
    case .dateOfBirth, .dateOfExpiry, .dateOfIssue: PrintedDate(text) != nil
    case .sex: sex(text) != nil
    case .documentNumber, .personalNumber:
      plain(text).count >= 5 && text.contains { $0.isNumber } && !text.contains { $0.isLowercase }
    // A lower-case initial is that of a caption in another language.
    case .surname, .givenNames:
      text.count(where: \.isLetter) >= 2 && !text.contains(where: \.isNumber)
        && unmarked(text).first { $0.isLetter }?.isLowercase == false
    case .nationality, .placeOfBirth, .issuingAuthority:
      text.count(where: \.isLetter) >= 2 && text.first { $0.isLetter }?.isLowercase == false
        && (name != .nationality || !text.contains(where: \.isNumber)) && PrintedDate(text) == nil
    case .vehicleCategories: categories(text) != nil
    case .cardAccessNumber: isCardAccessNumber(text)
    default: text.count >= 2
    }
  }

  /// Returns the fields with a caption. A value of low confidence may be another text of the page.
  ///
  /// - Parameter day: the latest date of issue, by which two digits of a year are completed.
  public func fields(on day: CalendarDate) -> [DocumentFieldName: Field] {
    candidates.reduce(into: [:]) { fields, found in
      let name = found.key
      let read = found.value.first.map { first in
        let value: String? =
          switch name {
          case .dateOfBirth, .dateOfExpiry: PrintedDate(first.text)?.iso()
          case .dateOfIssue: PrintedDate(first.text)?.iso(notAfter: day)
          case .sex: Self.sex(first.text)
          case .vehicleCategories: Self.categories(first.text)
          default: first.text
          }
        return Field(value: value, confidence: min(first.confidence, first.captionConfidence), line: first.line)
      }
      fields[name] = read ?? Field(value: nil, confidence: nil, line: nil)
    }
  }

  /// Returns the fields of some pages, each from the first that has a value.
  static func fields(_ pages: [VisualZone], on day: CalendarDate) -> [DocumentFieldName: DocumentField] {
    pages.reduce(into: [:]) { all, page in
      all.merge(page.fields(on: day).mapValues(\.field)) { $0.value == nil ? $1 : $0 }
    }
  }

  /// Compares the printed fields of some pages with those of another source. Passed: the value is printed at its caption on
  /// a page. Failed: another value is. Not checked: no value was found there, it may be misread or another field's, or the
  /// source's did not pass.
  ///
  /// - Parameter source: fields of a machine-readable zone, a chip or a code.
  static func compared(
    _ pages: [VisualZone], with source: [DocumentFieldName: DocumentField]
  ) -> [DocumentFieldName: DocumentField] {
    guard !pages.isEmpty else { return [:] }
    return (comparedFields + [.nationality]).reduce(into: [:]) { fields, name in
      guard let field = source[name == .nationality ? .nationalityCode : name] else { return }
      guard let value = field.value else {
        // A zone with one name has no surname; a text at the caption may be one, or the next value.
        let other = name == .surname ? pages.lazy.compactMap { $0.candidates[name]?.first }.first : nil
        fields[name] = other.map { .notChecked($0.text, .unverified) }
        return
      }
      // Mexican cards have H and M, of which M is not male.
      if name == .sex, source[.issuingStateCode]?.value == "MEX" { return }
      guard field.status == .passed else {
        fields[name] = .notChecked(nil, field.reason ?? .unverified)
        return
      }
      // Where there is one field for both names, the surname is first (ICAO 9303-3, 4.6).
      let isName = [.surname, .givenNames].contains(name)
      let whole = isName ? source[.surnameAndGivenNames]?.value : nil
      let printed = pages.map {
        name == .nationality
          ? $0.nationality(value, name: source[name]?.value) : $0.field(name, value, whole: whole)
      }
      fields[name] =
        printed.first { $0.status == .failed } ?? printed.first { $0.status == .passed }
        ?? printed.first { $0.value != nil } ?? printed.first
    }
  }

  /// Returns the check of compared fields: passed if surname (or the only name) and date of birth passed, and given names,
  /// document number and date of expiry if the source has them (a visa's zone may have another number, and not every
  /// document expires), and if no field seems to have another value.
  static func check(_ printed: [DocumentFieldName: DocumentField]) -> DocumentCheck {
    if printed.values.contains(where: { $0.status == .failed }) {
      return DocumentCheck(.printMatches, .failed, .sourcesDiffer)
    }
    let needed =
      [printed[.surname] ?? printed[.givenNames], printed[.dateOfBirth]].map { $0 ?? .notChecked(nil, .oneSource) }
      + [.givenNames, .documentNumber, .dateOfExpiry].compactMap { printed[$0] }
    let open =
      needed.first { $0.status != .passed }
      ?? printed.values.first { $0.value != nil && $0.status == .notChecked && $0.reason == .lowConfidence }
    return DocumentCheck(.printMatches, open == nil ? .passed : .notChecked, open?.reason)
  }

  /// Fields with one notation in all sources, and in their captions.
  private static let comparedFields: [DocumentFieldName] = [
    .documentNumber, .surname, .givenNames, .dateOfBirth, .dateOfExpiry, .sex,
  ]

  static func isCardAccessNumber(_ text: String) -> Bool {
    text.count == 6 && text.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Returns the categories of vehicles in field 9 of a licence, with commas between them; nil if a part is none.
  private static func categories(_ text: String) -> String? {
    let parts = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    // Directive 2006/126/EC, Article 4. National ones are single letters; I and O are misread digits, or D.
    let known: Set = ["AM", "A1", "A2", "A", "B1", "B", "BE", "C1", "C1E", "C", "CE", "D1", "D1E", "D", "DE"]
    let national = Set("FGHKLMNPQSTW".map(String.init))
    guard parts.contains(where: known.contains), parts.allSatisfy({ known.contains($0) || national.contains($0) })
    else { return nil }
    return parts.joined(separator: ",")
  }

  /// Below this confidence, a line may be misread. (PP-OCRv6 on specimens: lines read exactly have 0.9 or more.)
  fileprivate static let sureConfidence = 0.9

  /// - Parameter name: the English name of the state; nil if unknown.
  private func nationality(_ code: String, name: String?) -> DocumentField {
    let candidates = candidates[.nationality] ?? []
    guard let first = candidates.first else { return .notChecked(nil, .absent) }
    let found = candidates.map { PrintedNationality.compare($0.text, with: code) }
    if found[0] == .same { return .passed(name ?? code) }
    // The name of the issuing state is elsewhere on most pages, but not at this caption.
    guard found[0] == .other, !found.contains(.same) else { return .notChecked(first.text, .unverified) }
    return min(first.confidence, first.captionConfidence) >= Self.sureConfidence
      ? .failed(first.text, .sourcesDiffer) : .notChecked(first.text, .lowConfidence)
  }

  private func field(_ name: DocumentFieldName, _ value: String, whole: String?) -> DocumentField {
    var candidates = candidates[name] ?? []
    if candidates.isEmpty, name == .givenNames, let whole {
      candidates = (self.candidates[.surname] ?? []).prefix(1).filter { Self.isSame($0.text, whole, name) }
    }
    let isPrinted = candidates.map { candidate in
      [value, whole].compactMap(\.self).contains { Self.isSame(candidate.text, $0, name) }
    }
    // Only the first candidate counts: small print could add the right value next to an altered one.
    if isPrinted.first == true || zip(candidates, isPrinted).contains(where: { $0.isJoined && $1 }) {
      return .passed(value)
    }
    // One letter occurs in many lines.
    let isElsewhere =
      isPrinted.contains(true) || name != .sex && lines.contains { Self.isSame($0.text, value, name) }
    guard let first = candidates.first else {
      return isElsewhere ? .notChecked(value, .unverified) : .notChecked(nil, .absent)
    }
    if isElsewhere { return .notChecked(first.text, .unverified) }
    let isRead =
      first.confidence >= Self.sureConfidence && !first.isBelowOther
      && !candidates.contains { Self.mayBe(value, misreadAs: $0.text, name) }
    return isRead ? .failed(first.text, .sourcesDiffer) : .notChecked(first.text, .lowConfidence)
  }

  private static func isSame(_ text: String, _ value: String, _ name: DocumentFieldName) -> Bool {
    switch name {
    case .dateOfBirth, .dateOfExpiry, .dateOfIssue:
      guard let date = PartialDate(value) else { return false }
      return PrintedDate(text)?.isSame(as: date) ?? false
    case .sex: return sex(text) == value
    case .surname, .givenNames: return isName(letters(text), Array(value.filter { $0.isLetter }))
    default:
      return plain(text) == plain(value) || text.split(separator: " ").contains { plain(String($0)) == plain(value) }
    }
  }

  /// Whether a value may have been printed, and read as this text: characters of similar shapes, or letters without their
  /// diacritics.
  private static func mayBe(_ value: String, misreadAs text: String, _ name: DocumentFieldName) -> Bool {
    let (read, right) = (shapes(text), shapes(value))
    switch name {
    case .surname, .givenNames:
      return read == right || read.distance(to: right) == 1 && read.count != right.count
        || isName(letters(text), Array(value.filter { $0.isLetter }), isRough: true)
    case .documentNumber: return read == right || abs(read.count - right.count) > 2
    default: return false
    }
  }

  /// Returns the sex in a text as a machine-readable zone has it: `F`, `KVK/F`.
  private static func sex(_ text: String) -> String? {
    let words = text.split { !$0.isLetter }.map { folded(String($0)) }
    let known = words.filter { ["M", "F", "X"].contains($0) }
    return words.count <= 3 && known.count == 1 ? known[0] : nil
  }

  private static func plain(_ text: String) -> String { folded(text).filter { $0.isLetter || $0.isNumber } }

  private static func letters(_ text: String) -> [Character] { Array(unmarked(text).uppercased().filter(\.isLetter)) }

  /// Returns the text without marks in brackets: `[a] MUSTERMANN`.
  private static func unmarked(_ text: String) -> String {
    let parts = text.split(separator: "[", omittingEmptySubsequences: false)
    return parts[0] + parts.dropFirst().map { $0.drop { $0 != "]" } }.joined()
  }

  /// Whether a printed name is that of a zone, in one of the transliterations of its letters (ICAO 9303-3, section 6 A).
  ///
  /// - Parameter isRough: whether a letter with diacritics matches any letter, as many letters as have them may be
  ///   missing, since those are misread and dropped most, and others may have lost theirs (``unmarkedSpellings``).
  private static func isName(_ printed: [Character], _ zone: [Character], isRough: Bool = false) -> Bool {
    let mostMissing = isRough ? printed.count { !$0.isASCII } : 0
    // The lengths of the zone's prefixes that the letters so far may stand for, by the least number of missing ones.
    var ends: [Int: Int] = [:]
    func insert(_ end: Int, _ missing: Int, into ends: inout [Int: Int]) {
      guard missing < ends[end] ?? .max else { return }
      ends[end] = missing
      guard missing < mostMissing, end < zone.count else { return }
      insert(end + 1, missing + 1, into: &ends)
      // A missing Þ is TH in the zone.
      if zone[end...].starts(with: "TH") { insert(end + 2, missing + 1, into: &ends) }
    }
    insert(0, 0, into: &ends)
    for letter in printed {
      let spellings = spellings(letter).union(isRough ? unmarkedSpellings[letter] ?? [] : [])
      ends = ends.reduce(into: [:]) { next, found in
        let (end, missing) = found
        if isRough, !letter.isASCII, end < zone.count { insert(end + 1, missing, into: &next) }
        for spelling in spellings where zone[end...].starts(with: spelling) {
          insert(end + spelling.count, missing, into: &next)
        }
      }
    }
    return ends[zone.count] != nil
  }

  private static func spellings(_ letter: Character) -> Set<String> {
    let first = (try? MRZTransliteration.name(String(letter))) ?? String(letter)
    return Set([first, folded(String(letter))] + (choices[letter] ?? []))
  }

  /// Transliterations that the standard permits, or that states use, in addition to the recommended ones.
  private static let choices: [Character: [String]] = [
    "Ä": ["AXX"], "Å": ["AA", "A"], "Æ": ["A"], "Ñ": ["NXX"], "Ö": ["OXX"], "Ø": ["O"], "Ü": ["UXX"], "Đ": ["DJ"],
    "Ð": ["DH"],
  ]

  /// Transliterations of national letters, by the letter as which they are read without their diacritics, or by a network
  /// that hardly knows them: A for Ä, Æ, Å, E for Æ, Œ, O for Ö, Ø, Œ, U for Ü, B for ẞ, P, D or B for Þ, CE for Œ. (Þ is
  /// read as P with a confidence of 0.9 or more in six of eight fonts.)
  private static let unmarkedSpellings: [Character: [String]] = [
    "A": ["AE", "AA"], "E": ["AE", "OE"], "O": ["OE"], "U": ["UE"], "B": ["SS", "TH"], "P": ["TH"], "D": ["TH"],
    "C": ["O"],
  ]

  private static func shapes(_ text: String) -> String {
    String(plain(text).map { shape[$0] ?? $0 })
  }

  /// Letters and digits of similar shape.
  private static let shape: [Character: Character] = [
    "Q": "O", "0": "O", "I": "1", "L": "1", "B": "8", "S": "5", "Z": "2", "G": "6",
  ]

  /// Returns the text in capitals without diacritics.
  static func folded(_ text: String) -> String {
    text.uppercased().reduce(into: "") { all, character in
      let latin = character.isLetter ? try? MRZTransliteration.name(String(character)) : nil
      all += latin.map { ["Æ", "Œ", "ẞ"].contains(character) ? $0 : String($0.prefix(1)) } ?? String(character)
    }
  }
}
