/// The data read from a document: from its page, its chip, or both.
///
/// Values of the chip replace those of the page that are not more reliable. A chip that could not be read does not affect
/// the values of the page.
public struct DocumentReport: Sendable {
  /// Passed: everything requested was checked and is right. Failed: a check failed. Not checked: nothing is wrong, but
  /// not everything could be checked. ``checks`` has the reasons.
  public let result: CheckStatus
  /// One per ``DocumentCheckName/allCases``, in that order.
  public let checks: [DocumentCheck]
  public let data: DocumentData
  /// Data of the page; nil if no zone was read from it. For a licence, data of its front.
  public let pageData: DocumentData?
  /// Data of the chip; nil if nothing was read from it.
  public let chipData: DocumentData?
  /// The printed fields; those that ``data`` has, too, were compared with it. nil if no text was read.
  public let printData: DocumentData?
  /// Fields in which page and chip differ, a licence's front and its code, or one of these and the printed text.
  public let mismatches: [DocumentMismatch]
  /// SHA-256 of the exact bytes of the portrait, in lower-case hexadecimal; nil without one.
  public let portraitSHA256: String?
  /// ``DocumentData/sha256`` of ``data``; nil if nothing was read.
  public let dataSHA256: String?
  /// The evidence behind the result and the use of the portrait.
  public let evidence: DocumentEvidence
  /// How much was proved; ``DocumentAssurance/none`` if a check failed.
  public let assurance: DocumentAssurance

  /// - Parameters:
  ///   - page: the zone of the page; nil if none was read.
  ///   - pageGiven: whether there was a page: a zone that was not read is then a failed check.
  ///   - chip: the data read from the chip; nil if there is none.
  ///   - chipExpected: whether the document is known to have a chip: one that is not given is then a failed check.
  ///   - accepted: kinds of documents that pass without an authenticated chip.
  ///   - portraitSHA256: the hash of the portrait's file, whose bytes are to be passed to ``verify(portrait:data:)``.
  ///   - sides: the checks ``DocumentCheckName/pagesMatch`` and ``DocumentCheckName/portraitMatchesChip``; missing
  ///     ones are not checked.
  ///   - pageProblem: what is wrong with the pictures of the pages; nil if nothing is. Without a chip, the document then
  ///     does not pass.
  ///   - seal: the visible digital seal of a page; nil if none was read. One that failed fails the document; no seal
  ///     makes it pass, because a seal can be copied and does not include the portrait.
  ///   - print: the printed text of the pages; empty if it was not read. It can only make a result worse.
  ///   - date: the day for which the document is judged.
  public init(
    page: PageZone?, pageGiven: Bool = false, chip: ChipReading?, chipExpected: Bool = false,
    accepted: Set<UnauthenticatedDocument> = [], portraitSHA256: String? = nil, sides: [DocumentCheck] = [],
    pageProblem: DocumentReason? = nil, seal: SealReport? = nil, print: [VisualZone] = [], on date: CalendarDate
  ) {
    let pageSource = page.map { DocumentSource($0) }
    let pageFields = pageSource?.fields(on: date)
    let chipZone = chip.flatMap { chip in chip.zone.map { DocumentSource($0, chip).fields(on: date) } }
    let details = chip.map { Self.details($0, on: date) } ?? [:]
    let chipFields = chipZone == nil && details.isEmpty ? nil : (chipZone ?? [:]).merging(details) { $1 }
    var mismatches = Self.mismatches(pageFields, chipZone)

    var fields = pageFields ?? [:]
    let reliability: [CheckStatus] = [.failed, .notChecked, .passed]
    for (name, field) in chipFields ?? [:] {
      let page = fields[name].flatMap { reliability.firstIndex(of: $0.status) } ?? 0
      // A chip that contradicts itself does so whatever the page says.
      if reliability[page...].contains(field.status) || field.reason == .sourcesDiffer { fields[name] = field }
    }
    // A visa's zone may have the number of the passport (ICAO 9303-7, 4.2.2).
    let isVisa = (chip?.zone ?? pageSource?.zone)?.format.isVisa == true
    let printed = VisualZone.compared(print, with: fields.filter { !isVisa || $0.key != .documentNumber })
    mismatches += Self.printMismatches(printed) {
      DocumentMismatch(name: $0, page: pageFields?[$0] ?? .absent, chip: chipFields?[$0] ?? .absent)
    }
    if chip?.dataGroup1 != .passed {
      for name in mismatches.flatMap({ [$0.name] + (Self.derived[$0.name] ?? []) + [.mrzLines] }) {
        if let field = fields[name] { fields[name] = .failed(field.value, .sourcesDiffer) }
      }
    }
    let isChipRead = chip?.zone != nil
    let zone = chip?.zone ?? pageSource?.zone
    func data(_ fields: [DocumentFieldName: DocumentField]) -> DocumentData {
      DocumentData(
        hasChip: isChipRead, type: zone?.documentType ?? .unknown,
        documentClass: zone?.documentClass, fields: fields)
    }
    self.data = data(Self.withAge(fields, date))
    pageData = pageFields.map { data(Self.withAge($0, date)) }
    chipData = chipFields.map { data(Self.withAge($0, date)) }
    printData = print.isEmpty ? nil : data(VisualZone.fields(print, on: date).merging(printed) { $1 })
    self.mismatches = mismatches
    self.portraitSHA256 = portraitSHA256
    dataSHA256 = fields.isEmpty ? nil : self.data.sha256

    evidence = DocumentEvidence(
      page: page == nil ? (pageGiven ? .bad : .notGiven) : mismatches.allSatisfy { $0.print != nil } ? .good : .bad,
      chip: chip?.evidence,
      isChipExpected: chipExpected, accepted: accepted)
    let outcome = evidence.outcome
    var validation =
      self.data[.mrzLines].value == nil
      ? DocumentCheck(.validation, .failed, .noData) : Self.validation(self.data, and: [.nationalityCode])
    if let pageProblem, chip == nil, validation.status == .passed {
      validation = DocumentCheck(.validation, .notChecked, pageProblem)
    }
    if seal?.status == .failed, validation.status != .failed {
      validation = DocumentCheck(.validation, .failed, .sealInvalid)
    }
    let (matches, authenticated) = (outcome.mrzMatchesChip, outcome.passiveAuthentication)
    let mismatch: DocumentReason = matches == .notChecked ? .oneSource : page == nil ? .pageUnreadable : .sourcesDiffer
    let unauthentic: DocumentReason =
      chip == nil ? .noChip : authenticated == .failed ? .authenticationFailed : .authenticationNotChecked
    checks =
      [
        validation, Self.expiry(self.data[.dateOfExpiry], date), DocumentCheck(.mrzMatchesChip, matches, mismatch),
        DocumentCheck(.chipRead, outcome.chipRead, chip?.evidence.problem ?? .noChip),
        DocumentCheck(.passiveAuthentication, authenticated, unauthentic),
      ] + DocumentCheck.sides(sides) + [VisualZone.check(printed)]
    result = .worst(
      checks.prefix(2).map(\.status) + [outcome.document] + checks.suffix(3).map(\.status).filter { $0 == .failed })
    assurance =
      switch result {
      case .failed: .none
      case _ where outcome.passiveAuthentication == .passed && outcome.chipRead == .passed:
        evidence.chip?.proof == .notCloned ? .chipAuthentic : .chipCopyAuthentic
      case _ where page?.confidences == nil: .dataOnly
      default: validation.status == .passed ? .pageConsistent : .pageSeen
      }
  }

  /// Whether a comparison with the portrait says anything: not if the evidence does not allow it or the document
  /// contradicts itself. An expired document still identifies its holder, but nobody matches it.
  public var mayMatch: Bool {
    evidence.outcome.mayMatch && checks.allSatisfy { $0.status != .failed || $0.name == .expiry }
  }

  public subscript(check: DocumentCheckName) -> DocumentCheck? { checks.first { $0.name == check } }

  /// The kind of a document without a failed check that did not pass because nothing authenticates it and the caller
  /// does not accept its kind by name; nil if that is not the reason.
  public var unauthenticated: UnauthenticatedDocument? {
    result == .notChecked && evidence.chip == nil && !evidence.isAccepted ? evidence.kind : nil
  }

  /// Verifies whether a portrait and data are those of this report.
  public func verify(portrait: [UInt8]?, data: DocumentData) -> DocumentBinding {
    func compare(_ hash: String?, _ other: String?) -> CheckStatus {
      guard let hash, let other else { return .notChecked }
      return hash == other ? .passed : .failed
    }
    return DocumentBinding(
      portrait: compare(portraitSHA256, portrait.map { sha256($0) }), data: compare(dataSHA256, data.sha256))
  }

  /// - Parameters:
  ///   - others: needed in addition to the fields that every document has.
  ///   - lost: why the document may have further fields.
  static func validation(
    _ data: DocumentData, and others: [DocumentFieldName] = [], lost: DocumentReason? = nil
  ) -> DocumentCheck {
    if data.fields.values.contains(where: { $0.status == .failed }) {
      return DocumentCheck(.validation, .failed, .fieldError, data.reasons(.failed))
    }
    let needed = [.documentNumber, .dateOfBirth, .dateOfExpiry, .surname, .issuingStateCode] + others
    let open = needed.map { data[$0] }.first { $0.status != .passed }
    return DocumentCheck(
      .validation, open == nil && lost == nil ? .passed : .notChecked, open?.reason ?? lost,
      open == nil ? "" : data.reasons(.notChecked, of: needed))
  }

  /// A document is valid on the day of its expiry, and one with fillers there does not expire.
  static func expiry(_ field: DocumentField, _ date: CalendarDate) -> DocumentCheck {
    if field.status == .passed, field.value == nil { return DocumentCheck(.expiry, .passed, nil) }
    guard field.status != .failed, let expiry = field.value.flatMap({ PartialDate($0) }), let latest = expiry.latest,
      let earliest = expiry.earliest
    else { return DocumentCheck(.expiry, .notChecked, .expiryUnknown) }
    if latest < date { return DocumentCheck(.expiry, .failed, .expired) }
    return DocumentCheck(.expiry, earliest >= date ? .passed : .notChecked, .expiryUnknown)
  }

  private static let derived: [DocumentFieldName: [DocumentFieldName]] = [
    .issuingStateCode: [.issuingState], .nationalityCode: [.nationality], .nationality: [.nationalityCode],
    .surname: [.surnameAndGivenNames],
    .givenNames: [.surnameAndGivenNames], .dateOfExpiry: [.monthsToExpiry], .optionalData: [.personalNumber],
  ]

  /// Returns the fields of the chip beyond its zone, and those of the zone that EF.DG11 contradicts.
  private static func details(_ chip: ChipReading, on day: CalendarDate) -> [DocumentFieldName: DocumentField] {
    func field(_ value: String?, _ status: CheckStatus, _ failed: DocumentReason) -> DocumentField? {
      guard let value else { return nil }
      switch status {
      case .passed: return .passed(value)
      case .failed: return .failed(value, failed)
      case .notChecked: return .notChecked(value, .authenticationNotChecked)
      }
    }
    func group(_ value: String?, _ number: Int) -> DocumentField? {
      field(value, number == 11 ? chip.dataGroup11 : chip.dataGroup12, chip.reason(ofGroup: number))
    }
    func signer(_ value: String?) -> DocumentField? {
      field(value, chip.evidence.passiveAuthentication, .authenticationFailed)
    }
    let zone = chip.zone
    let (birth, expiry) = (zone?.dateOfBirth.date, zone?.dateOfExpiry.date?.latest)
    // EF.DG11 has the century.
    let completed = chip.dateOfBirth.map { $0.completed(by: birth) }
    var details: [DocumentFieldName: DocumentField?] = [
      .dateOfBirth: completed.map { date in
        date.map { $0.isBirth(before: day) } == true
          ? group(date?.description, 11) : .notChecked(birth?.description, .sourcesDiffer)
      } ?? nil,
      .personalNumber: group(chip.personalNumber, 11), .placeOfBirth: group(chip.placeOfBirth, 11),
      .address: group(chip.address, 11), .dateOfIssue: group(chip.dateOfIssue?.description, 12),
      .signerSubject: signer(chip.signerSubject), .signerValidFrom: signer(chip.signerValidFrom?.description),
      .signerValidTo: signer(chip.signerValidTo?.description),
    ]
    if let issue = chip.dateOfIssue?.earliest, issue > min(day, expiry ?? day) {
      details[.dateOfIssue] = .notChecked(chip.dateOfIssue?.description, .invalidDate)
    }
    if let zone, let name = chip.fullName, zone.hasOtherName(than: name) {
      let whole = [zone.surname, zone.givenNames].filter { !$0.isEmpty }.joined(separator: " ")
      for (name, value) in [
        (DocumentFieldName.surname, zone.surname), (.givenNames, zone.givenNames), (.surnameAndGivenNames, whole),
      ] { details[name] = .notChecked(value.isEmpty ? nil : value, .sourcesDiffer) }
    }
    return details.compactMapValues { $0 }
  }

  static func withAge(
    _ fields: [DocumentFieldName: DocumentField], _ date: CalendarDate
  ) -> [DocumentFieldName: DocumentField] {
    guard let birth = fields[.dateOfBirth] else { return fields }
    var fields = fields
    let born = birth.value.flatMap { PartialDate($0) }
    let ages = [born?.earliest, born?.latest].compactMap { $0?.years(to: date) }
    fields[.age] = birth.with(ages.count == 2 && ages[0] == ages[1] && ages[0] >= 0 ? String(ages[0]) : nil)
    return fields
  }
}

extension MachineReadableZone {
  /// Whether a name in Latin letters has no word of the zone's name, in any transliteration, but for one letter.
  fileprivate func hasOtherName(than name: String) -> Bool {
    func words(_ text: String) -> [String] { text.split { !$0.isLetter }.map(String.init).filter { $0.count > 1 } }
    // Further letters are transliterated in many ways.
    guard name.unicodeScalars.allSatisfy({ $0.value < 0x250 }), let latin = try? MRZTransliteration.name(name) else {
      return false
    }
    let (others, own) = (words(latin) + words(VisualZone.folded(name)), words(surname + " " + givenNames))
    return !others.isEmpty && !own.isEmpty
      && !own.contains { word in
        others.contains { $0.hasPrefix(word) || word.hasPrefix($0) || VisualZone.distance($0, word) < 2 }
      }
  }
}
