/// Validates the elements of a licence's code against the standard.
struct LicenceJudge {
  private(set) var elements: [DrivingLicence.Element] = []
  private(set) var findings: [LicenceFinding] = []
  private let file: LicenceFile
  private let issuer: LicenceIssuer?
  private let reference: CalendarDate

  init(_ file: LicenceFile, issuer: LicenceIssuer?, on reference: CalendarDate) {
    (self.file, self.issuer, self.reference) = (file, issuer, reference)
  }

  static func isIdentityCard(_ subfiles: [String]) -> Bool {
    LicenceFile.cards.filter(subfiles.contains) == ["ID"]
  }

  private var isIdentityCard: Bool { Self.isIdentityCard(file.subfiles.map(\.type)) }

  /// Elements that identify the holder and the card; they have no substitute.
  static let identity: Set = ["DAA", "DAQ", "DBA", "DBB", "DCS"]

  mutating func judge() {
    if issuer == nil { find("header", .unknownCode) }
    for subfile in file.subfiles {
      judgeType(subfile.type)
      for element in subfile.elements { elements.append(judged(element, in: subfile.type)) }
      judgeEnds(subfile)
    }
    if file.subfiles.allSatisfy({ !LicenceFile.cards.contains($0.type) }) { find("header", .subfileMissing) }
    findRepeated()
    findMissing()
    judgeDates()
    judgeNames()
    judgeIssuer()
    if let element = self["DDN"], element.value != nil, self["DDM"]?.value == nil {
      set("DDN", .notChecked, .valuesDisagree)
    }
    for element in elements where element.status != .passed && element.reason != .jurisdictionSpecific {
      if let reason = element.reason { find(element.id, reason) }
    }
  }

  /// Names and numbers: they have a letter or digit, and may continue in text that is not an element of any version,
  /// because no format fixes their length.
  private static let open: Set = ["DAA", "DAB", "DAC", "DAD", "DAQ", "DCS", "DCT"]

  private mutating func judgeEnds(_ subfile: LicenceFile.Subfile) {
    for (index, element) in subfile.elements.enumerated() where Self.open.contains(element.id) {
      let next = subfile.elements.dropFirst(index + 1).first?.id
      let isStrange = next.map { !LicenceElement.isKnown($0) && !$0.hasPrefix("Z") } ?? false
      if (element.mayGoOn || isStrange) && self[element.id]?.status == .passed {
        set(element.id, .notChecked, .malformedElement)
      }
    }
  }

  private subscript(id: String) -> DrivingLicence.Element? {
    elements.first { $0.id == id && !$0.isJurisdictionSpecific }
  }

  private mutating func find(_ place: String, _ reason: DocumentReason) {
    let finding = LicenceFinding(place: place, reason: reason)
    if !findings.contains(finding) { findings.append(finding) }
  }

  /// Sets a status and its reason, unless the element has failed already.
  private mutating func set(_ id: String, _ status: CheckStatus, _ reason: DocumentReason) {
    for index in elements.indices where elements[index].id == id && !elements[index].isJurisdictionSpecific {
      guard elements[index].status != .failed else { continue }
      elements[index].status = status
      elements[index].reason = reason
    }
  }

  // MARK: Subfiles

  /// DL and ID exist in all versions, EN in enhanced licences; a jurisdiction's own subfile begins with Z and the first
  /// letter of its name (D.12.4).
  private mutating func judgeType(_ type: String) {
    if LicenceFile.cards.contains(type) { return }
    if type.first == "Z", issuer.map({ $0.name.first == type.last }) ?? true { return }
    find(type, .subfileTypeWrong)
  }

  private mutating func findRepeated() {
    var seen: [String: String?] = [:]
    for element in elements where !element.isJurisdictionSpecific {
      if let first = seen[element.id] {
        if first == element.value {
          find(element.id, .elementRepeated)
        } else {
          let isHolder = Self.identity.contains(element.id) || Self.open.contains(element.id)
          set(element.id, isHolder ? .failed : .notChecked, .elementRepeated)
        }
      } else {
        seen[element.id] = element.value
      }
    }
  }

  private mutating func findMissing() {
    guard file.version <= LicenceElement.latestVersion else { return }
    let found = Set(elements.lazy.filter { !$0.isJurisdictionSpecific }.map(\.id))
    for element in LicenceElement.mandatory[file.version] where !found.contains(element.id) {
      if element.isForDrivers && isIdentityCard { continue }
      // Either the whole name or its parts.
      if element.id == "DAA", found.isSuperset(of: ["DAB", "DAC"]) { continue }
      find(element.id, .elementMissing)
    }
  }

  // MARK: Elements

  private func judged(_ element: LicenceFile.Element, in subfile: String) -> DrivingLicence.Element {
    let trimmed = element.text.trimmedOfSpaces
    let definition = subfile.hasPrefix("Z") ? nil : LicenceElement.named(element.id, version: file.version)
    let upper = trimmed.uppercased()
    let isPrintable = trimmed.unicodeScalars.allSatisfy(\.isPrintable)
    let isBlank = isPrintable && trimmed.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    // Mandatory elements without data (D.12.5).
    let (isNothing, isUnavailable) = (isBlank || upper == "NONE", upper == "UNAVL")
    var result = DrivingLicence.Element(
      id: element.id, subfile: subfile, name: definition?.name,
      value: isNothing || isUnavailable ? nil : trimmed, status: .passed, reason: nil, date: nil)
    func end(_ status: CheckStatus, _ reason: DocumentReason) -> DrivingLicence.Element {
      result.status = status
      result.reason = reason
      return result
    }
    guard definition != nil || isPrintable else { return end(.notChecked, .invalidCharacters) }
    guard !subfile.hasPrefix("Z") else { return end(.notChecked, .jurisdictionSpecific) }
    guard let definition else {
      return end(.notChecked, LicenceElement.isKnown(element.id) ? .elementMisplaced : .unknownElement)
    }
    let read = definition.rule.isDate ? date(trimmed) : nil
    result.date = read?.date
    if isUnavailable { return end(.notChecked, .absent) }
    if isNothing {
      if Self.identity.contains(element.id) { return end(.failed, .elementMissing) }
      // A value of fixed length is not empty.
      let isLost = definition.isMandatory && definition.format?.isFixed == true && isBlank
      return isLost ? end(.notChecked, .absent) : result
    }
    // What identifies holder and card must be readable. Other odd values are issuers' habits, and gain a forger nothing.
    let unreadable =
      Self.identity.contains(element.id) || Self.open.contains(element.id) ? CheckStatus.failed : .notChecked
    guard isPrintable else { return end(unreadable, .invalidCharacters) }
    if Self.open.contains(element.id), !trimmed.contains(where: { $0.isLetter || $0.isNumber }) {
      return end(unreadable, .illegalValue)
    }
    if definition.rule.isDate {
      guard let read else { return end(unreadable, .invalidDate) }
      if !read.isInOrder { return end(.notChecked, .dateOrderWrong) }
      if trimmed.utf8.count != 8 { return end(.notChecked, .illegalValue) }
    } else if let reason = definition.problem(
      with: element.text, trimmed, version: file.version, isMexican: issuer?.country == "MEX")
    {
      return end(.notChecked, reason)
    }
    if definition.isForDrivers && isIdentityCard { return end(.notChecked, .elementMisplaced) }
    if file.version == 0 || file.version > LicenceElement.latestVersion { return end(.notChecked, .unknownVersion) }
    return result
  }

  // MARK: Dates

  /// MMDDCCYY in the United States and CCYYMMDD in Canada; versions 0 and 1 have CCYYMMDD everywhere.
  private var isYearFirst: Bool { file.version < 2 || country == "CAN" }

  private var country: String? {
    let told = file.subfiles.lazy.filter { !$0.type.hasPrefix("Z") }.flatMap(\.elements).first { $0.id == "DCG" }?.text
      .trimmedOfSpaces
    return told.flatMap { ["USA", "CAN", "MEX"].contains($0) ? $0 : nil } ?? issuer?.country
  }

  /// A date in the country's order, or else in the other one: since 1900, no eight digits are a date in both. Hyphens
  /// separate its parts in old licences of North Carolina.
  private func date(_ text: String) -> (date: CalendarDate, isInOrder: Bool)? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    let digits = (parts.count == 3 ? parts.joined() : text).utf8.map { Int($0) - 48 }
    guard digits.count == 8, digits.allSatisfy({ 0...9 ~= $0 }) else { return nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    func date(yearFirst: Bool) -> CalendarDate? {
      let year = number(yearFirst ? 0..<4 : 4..<8)
      guard year >= 1900 else { return nil }
      return yearFirst
        ? CalendarDate(year: year, month: number(4..<6), day: number(6..<8))
        : CalendarDate(year: year, month: number(0..<2), day: number(2..<4))
    }
    return date(yearFirst: isYearFirst).map { ($0, true) } ?? date(yearFirst: !isYearFirst).map { ($0, false) }
  }

  private mutating func judgeDates() {
    func date(_ id: String) -> CalendarDate? { self[id]?.date }
    if let birth = date("DBB"), birth > reference { set("DBB", .failed, .datesDisagree) }
    if let revision = date("DDB"), revision > reference { set("DDB", .notChecked, .datesDisagree) }
    if let issue = date("DBD") {
      if issue > reference || date("DBB").map({ issue < $0 }) == true { set("DBD", .failed, .datesDisagree) }
      if let expiry = date("DBA"), expiry < issue { set("DBA", .failed, .datesDisagree) }
    }
    guard let birth = date("DBB") else { return }
    for (id, years) in [("DDH", 18), ("DDI", 19), ("DDJ", 21)] {
      guard let until = date(id) else { continue }
      // A person born on 29 February comes of age on the day before or after.
      let days = [(birth.month, birth.day)] + (birth.month == 2 && birth.day == 29 ? [(2, 28), (3, 1)] : [])
      if !days.contains(where: { CalendarDate(year: birth.year + years, month: $0.0, day: $0.1) == until }) {
        set(id, .failed, .datesDisagree)
      }
    }
  }

  // MARK: Names

  /// Elements that repeat the name as other versions have it agree with it: truncated ones at their beginning.
  private mutating func judgeNames() {
    func letters(_ text: String) -> String { text.uppercased().filter { $0.isLetter || $0.isNumber } }
    func text(_ ids: [String]) -> String { letters(ids.compactMap { self[$0]?.value }.joined()) }
    func contradicts(_ one: String, _ other: String) -> Bool {
      !one.isEmpty && !other.isEmpty && !one.hasPrefix(other) && !other.hasPrefix(one)
    }
    guard file.version > 1, self["DCS"]?.value != nil else { return }
    // In versions 2 and 3 New York's DCT has the first name, and DAD the others.
    let isSplit = self["DAC"]?.value == nil && self["DCT"]?.value != nil
    let (surname, given) = (text(["DCS"]), text(isSplit ? ["DCT", "DAD"] : ["DAC", "DAD"]))
    let parts = (self["DAA"]?.value ?? "").split(separator: ",", maxSplits: 1).map { letters(String($0)) }
    if contradicts(text(["DAB"]), surname) { set("DAB", .failed, .valuesDisagree) }
    if contradicts(text(["DCT"]), given) { set("DCT", .failed, .valuesDisagree) }
    if contradicts(parts.first ?? "", surname) || parts.count > 1 && contradicts(parts[1], given) {
      set("DAA", .failed, .valuesDisagree)
    }
  }

  // MARK: The issuer

  /// DCG is the country of issue and must match the issuer's. The address may be in another jurisdiction.
  private mutating func judgeIssuer() {
    guard let issuer else { return }
    if let country = self["DCG"]?.value, ["USA", "CAN", "MEX"].contains(country), country != issuer.country {
      set("DCG", .failed, .valuesDisagree)
    }
    guard let code = issuer.code, let element = self["DAJ"], element.status == .passed, let address = element.value,
      address != code, !(code == "NL" && address == "NF")
    else { return }
    set("DAJ", .notChecked, .addressElsewhere)
  }
}

extension String {
  /// Without padding, which may precede or follow a value.
  fileprivate var trimmedOfSpaces: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
