/// The layout of the payload of a licence's PDF417: header, subfiles, elements (AAMVA DL/ID card design standard, annex
/// D: D.12.3, D.12.4 and D.12.5). Offsets and lengths are checked and never relied on: subfiles are found by their
/// type, elements by the control characters between them.
struct LicenceFile {
  struct Element {
    let id: String
    /// As printed, with its padding.
    let text: String
    /// Whether text that is not an element follows: the value may continue there.
    var mayGoOn = false
  }

  struct Subfile {
    let type: String
    /// From the header; nil if the header does not name the subfile.
    var offset: Int?
    var length: Int?
    var elements: [Element] = []
  }

  let version: Int
  let issuer: String
  /// nil if the version has none.
  let jurisdictionVersion: Int?
  private(set) var subfiles: [Subfile] = []
  private(set) var findings: [LicenceFinding] = []
  /// Whether a subfile ends before its length and without a terminator.
  private(set) var isCut = false
  /// Whether line feeds separate the elements, as they should. Any other control character is then part of a value.
  private var isInLines = false

  /// Number of offsets searched for the file type: it is the fifth character (table D.1), possibly after bytes that a
  /// scanner added.
  private static let searched = 32
  private static let fileTypes = ["ANSI ", "AAMVA"]
  /// The types of subfiles with the standard's elements (D.12.4): EN in enhanced licences.
  static let cards = ["DL", "ID", "EN"]

  /// Returns the offset of the file type; nil if the payload is not such a file.
  static func start(of payload: [UInt8]) -> Int? {
    (0..<min(payload.count, searched)).first { offset in
      fileTypes.contains { payload[offset...].starts(with: $0.utf8) }
        && payload.dropFirst(offset + 5).prefix(8).count(where: isDigit) == 8
    }
  }

  /// Maximum number of bytes: offsets have four digits (table D.2). One PDF417 holds at most 2,710 characters (ISO/IEC
  /// 15438, 5.2).
  private static let longest = 9999

  /// - Throws: ``VerifyError/Code/tooLarge``, ``VerifyError/Code/unknownFormat`` for any other payload,
  ///   ``VerifyError/Code/damaged`` for a header that cannot be read.
  init(_ payload: [UInt8]) throws {
    guard payload.count <= Self.longest else {
      throw VerifyError(.tooLarge, "a licence's code has at most \(Self.longest) bytes, not \(payload.count)")
    }
    guard let start = Self.start(of: payload) else {
      throw VerifyError(
        .unknownFormat, "this is no licence's code by the AAMVA standard: it has no file type \"ANSI \"")
    }
    var reader = ByteReader(payload)
    try reader.seek(to: start)
    var header: [DocumentReason] = []
    let mark = payload[..<start]
    if !mark.contains(UInt8(ascii: "@")) { header.append(.complianceIndicatorMissing) }
    if mark.drop(while: { $0 == UInt8(ascii: "@") }) != [10, 30, 13] { header.append(.separatorWrong) }
    if try Self.text(reader.bytes(5)) != Self.fileTypes[0] { header.append(.fileTypeWrong) }
    func number(_ digits: Int, _ name: String) throws -> Int {
      let text = (try? Self.text(reader.bytes(digits))) ?? ""
      guard text.utf8.count == digits, text.utf8.allSatisfy(Self.isDigit), let value = Int(text) else {
        throw VerifyError(.damaged, "the header of the licence's code has no \(name)")
      }
      return value
    }
    issuer = padded(try number(6, "issuer"), to: 6)
    version = try number(2, "version")
    // Version 1 has no jurisdiction version: a type of two letters follows the number of entries (table D.1).
    func isType(_ offset: Int) -> Bool {
      payload.dropFirst(reader.position + offset).prefix(2).count(where: Self.isLetter) == 2
    }
    var hasJurisdictionVersion = version >= 2
    if !isType(hasJurisdictionVersion ? 4 : 2), isType(hasJurisdictionVersion ? 2 : 4) {
      hasJurisdictionVersion.toggle()
      header.append(.headerLengthWrong)
    }
    // Old licences of North Carolina state neither.
    let isShort = isType(0)
    jurisdictionVersion = hasJurisdictionVersion && !isShort ? try number(2, "jurisdiction version") : nil
    let entries = isShort ? nil : try number(2, "number of entries")
    if version > LicenceElement.latestVersion { header.append(.unknownVersion) }

    while subfiles.count < 99, let designator = Self.designator(&reader) { subfiles.append(designator) }
    if subfiles.count != entries { header.append(.entryCountWrong) }
    findings = header.map { LicenceFinding(place: "header", reason: $0) }
    read(payload, from: reader.position)
    if subfiles.isEmpty { throw VerifyError(.damaged, "the header of the licence's code names no subfile") }
  }

  /// Type, offset and length (table D.2).
  private static func designator(_ reader: inout ByteReader) -> Subfile? {
    var next = reader
    guard let bytes = try? next.bytes(10), bytes.prefix(2).allSatisfy(isLetter), bytes.dropFirst(2).allSatisfy(isDigit)
    else { return nil }
    reader = next
    let text = text(bytes)
    return Subfile(type: String(text.prefix(2)), offset: Int(text.dropFirst(2).prefix(4)), length: Int(text.suffix(4)))
  }

  // MARK: Subfiles and elements

  private mutating func read(_ payload: [UInt8], from start: Int) {
    isInLines = payload[start...].contains(10)
    let starts = starts(in: payload, from: start)
    for index in subfiles.indices where !starts.contains(where: { $0.subfile == index }) {
      findings.append(.init(place: subfiles[index].type, reason: .subfileMissing))
    }
    for (position, found) in starts.enumerated() {
      let end = position + 1 < starts.count ? starts[position + 1].offset : payload.count
      let type = subfiles[found.subfile].type
      if let offset = subfiles[found.subfile].offset, offset != found.offset {
        findings.append(.init(place: type, reason: .offsetWrong))
      }
      read(payload[found.offset..<end], into: found.subfile)
    }
  }

  /// Returns the start of each subfile, in order. Subfiles that the header does not name are added.
  private mutating func starts(in payload: [UInt8], from start: Int) -> [(subfile: Int, offset: Int)] {
    // An element may begin after the header, or after a control character.
    let places = (start..<payload.count).filter { offset in
      payload[offset] >= 32 && (offset == start || payload[offset - 1] < 32)
    }
    func isStart(_ type: String, _ offset: Int) -> Bool {
      let bytes = payload.dropFirst(offset)
      guard bytes.starts(with: type.utf8) else { return false }
      let next = bytes.dropFirst(2).prefix(3)
      // An empty subfile, or one followed by its first element.
      return next.first.map { $0 < 32 } ?? true || next.count == 3 && next.allSatisfy(Self.isLetter)
    }
    func text(_ offset: Int, _ count: Int) -> String { Self.text(payload.dropFirst(offset).prefix(count)) }
    var found: [(subfile: Int, offset: Int)] = []
    func isFree(_ offset: Int) -> Bool { !found.contains { $0.offset == offset } }
    for index in subfiles.indices {
      let type = subfiles[index].type
      // In the order of the header, which distinguishes two of the same type.
      let place =
        places.first { isStart(type, $0) && isFree($0) }
        ?? subfiles[index].offset.flatMap { $0 >= start && isStart(type, $0) && isFree($0) ? $0 : nil }
      if let place { found.append((index, place)) }
    }
    // Elements without the subfile's type (West Virginia, Colorado), or behind an entry that is none (Alberta).
    func isElement(_ offset: Int) -> Bool { LicenceElement.isKnown(text(offset, 3)) }
    func isTyped(_ offset: Int) -> Bool { Self.cards.contains(text(offset, 2)) && isElement(offset + 2) }
    if !found.contains(where: { Self.cards.contains(subfiles[$0.subfile].type) || $0.offset == start }),
      let first = (start..<start + Self.searched).first(where: { isElement($0) || isTyped($0) })
    {
      let index = subfiles.firstIndex { Self.cards.contains($0.type) } ?? subfiles.count
      if index == subfiles.count { subfiles.append(Subfile(type: isTyped(first) ? text(first, 2) : Self.cards[0])) }
      found.append((index, isTyped(first) ? first : first - 2))
    }
    // A jurisdiction's own elements repeat the type: "ZVZVA". Those of a card follow the end of another subfile.
    for place in places where isFree(place) {
      let type = text(place, 2)
      let isSubfile =
        type.hasPrefix("Z")
        ? payload[place...].dropFirst(2).starts(with: type.utf8)
        : Self.cards.contains(type) && payload[place - 1] == 13
      guard isSubfile, isStart(type, place) else { continue }
      findings.append(.init(place: type, reason: .entryCountWrong))
      subfiles.append(Subfile(type: type))
      found.append((subfiles.count - 1, place))
    }
    return found.sorted { $0.offset < $1.offset }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, into index: Int) {
    let type = subfiles[index].type
    func find(_ reason: DocumentReason) { findings.append(.init(place: type, reason: reason)) }
    let content = bytes.dropFirst(2)
    let hasLines = isInLines || content.reversed().drop { $0 <= 32 }.contains(13)
    let parts = content.split(omittingEmptySubsequences: true) { hasLines ? $0 == 10 || $0 == 13 : $0 < 32 }
    var isMalformed = false
    for part in parts.map({ $0.drop { $0 < 32 } }) {
      guard part.prefix(3).count == 3, part.prefix(3).allSatisfy(Self.isLetter) else {
        if part.contains(where: { $0 > 32 }) {
          isMalformed = true
          if let last = subfiles[index].elements.indices.last { subfiles[index].elements[last].mayGoOn = true }
        }
        continue
      }
      subfiles[index].elements.append(Element(id: Self.text(part.prefix(3)), text: Self.text(part.dropFirst(3))))
    }
    if isMalformed { find(.malformedElement) }
    // Line feeds separate the elements, and one may precede the carriage return that ends the subfile.
    let hasLineFeeds = parts.count < 2 || content.contains(10)
    let ends = content.indices.filter { bytes[$0] == 13 }
    guard let end = hasLineFeeds ? ends.first : ends.last else {
      find(.terminatorMissing)
      isCut = isCut || bytes.count < subfiles[index].length ?? 0
      return judgeLength(bytes.count, index)
    }
    if bytes[..<end].dropFirst(2).contains(where: { $0 < 32 && $0 != 10 })
      || bytes[(end + 1)...].contains(where: { $0 >= 32 && $0 != UInt8(ascii: " ") })
    {
      find(.separatorWrong)
    }
    judgeLength(end + 1 - bytes.startIndex, index)
  }

  private mutating func judgeLength(_ length: Int, _ index: Int) {
    guard let told = subfiles[index].length, told != length else { return }
    findings.append(.init(place: subfiles[index].type, reason: .lengthWrong))
  }

  // MARK: Characters

  private static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }
  private static func isLetter(_ byte: UInt8) -> Bool { 65...90 ~= byte }

  /// The character set is ISO 8859-1 (annex D, character sets): each byte is a code point. Some Canadian issuers use
  /// UTF-8, which text of ISO 8859-1 is only by chance: after "Ã" with a sign that no name has.
  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
