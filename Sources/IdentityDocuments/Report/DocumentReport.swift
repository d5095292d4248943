/// The data read from a document: from its page, its chip, or both.
///
/// Values of the chip replace those of the page, unless the chip's have failed. A chip that could not be read does not
/// affect the values of the page.
public struct DocumentReport: Sendable {
  /// Passed: everything requested was checked and is right. Failed: a check failed. Not checked: nothing is wrong, but
  /// not everything could be checked. ``checks`` has the reasons.
  public let result: CheckStatus
  /// One per ``DocumentCheck/Name/allCases``, in that order.
  public let checks: [DocumentCheck]
  public let data: DocumentData
  /// Data of the page; nil if no zone was read from it. For a licence, data of its front.
  public let pageData: DocumentData?
  /// Data of the chip; nil if nothing was read from it.
  public let chipData: DocumentData?
  /// Fields in which page and chip differ, or a licence's front and its code.
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
  ///   - sides: the checks ``DocumentCheck/Name/pagesMatch`` and ``DocumentCheck/Name/portraitMatchesChip``; missing
  ///     ones are not checked.
  ///   - pageProblem: what is wrong with the pictures of the pages; nil if nothing is. Without a chip, the document then
  ///     does not pass.
  ///   - date: the day for which the document is judged.
  public init(
    page: PageZone?, pageGiven: Bool = false, chip: ChipReading?, chipExpected: Bool = false,
    accepted: Set<UnauthenticatedDocument> = [], portraitSHA256: String? = nil, sides: [DocumentCheck] = [],
    pageProblem: DocumentReason? = nil, on date: CalendarDate
  ) {
    let pageSource = page.map { DocumentSource($0) }
    let pageFields = pageSource?.fields(on: date)
    let chipZone = chip.flatMap { chip in chip.zone.map { DocumentSource($0, chip).fields(on: date) } }
    let details = chip.map(Self.details) ?? [:]
    let chipFields = chipZone == nil && details.isEmpty ? nil : (chipZone ?? [:]).merging(details) { $1 }
    let mismatches = Self.mismatches(pageFields, chipZone)

    var fields = pageFields ?? [:]
    for (name, field) in chipFields ?? [:] where field.status != .failed || fields[name]?.status != .passed {
      fields[name] = field
    }
    if chip?.dataGroup1 != .passed {
      for name in mismatches.flatMap({ [$0.name] + (Self.derived[$0.name] ?? []) + [.mrzLines] }) {
        if let field = fields[name] { fields[name] = .failed(field.value, .sourcesDiffer) }
      }
    }
    let isChipRead = chip?.zone != nil
    let zone = chip?.zone ?? pageSource?.zone
    func data(_ fields: [DocumentFieldName: DocumentField]) -> DocumentData {
      DocumentData(hasChip: isChipRead, zone: zone, fields: Self.withAge(fields, date))
    }
    self.data = data(fields)
    pageData = pageFields.map(data)
    chipData = chipFields.map(data)
    self.mismatches = mismatches
    self.portraitSHA256 = portraitSHA256
    dataSHA256 = fields.isEmpty ? nil : self.data.sha256

    evidence = DocumentEvidence(
      page: page == nil ? (pageGiven ? .bad : .notGiven) : mismatches.isEmpty ? .good : .bad, chip: chip?.evidence,
      isChipExpected: chipExpected, accepted: accepted)
    let outcome = evidence.outcome
    func check(_ name: DocumentCheck.Name, _ status: CheckStatus, _ reason: DocumentReason) -> DocumentCheck {
      DocumentCheck(name: name, status: status, reason: status == .passed ? nil : reason)
    }
    var validation = Self.validation(self.data)
    if let pageProblem, chip == nil, validation.status == .passed {
      validation = DocumentCheck(name: .validation, status: .notChecked, reason: pageProblem)
    }
    checks =
      [
        validation,
        Self.expiry(self.data[.dateOfExpiry], date),
        check(
          .mrzMatchesChip, outcome.mrzMatchesChip,
          outcome.mrzMatchesChip == .notChecked ? .oneSource : page == nil ? .pageUnreadable : .sourcesDiffer),
        check(.chipRead, outcome.chipRead, chip?.evidence.problem ?? .noChip),
        check(
          .passiveAuthentication, outcome.passiveAuthentication,
          chip == nil
            ? .noChip : outcome.passiveAuthentication == .failed ? .authenticationFailed : .authenticationNotChecked),
      ] + DocumentCheck.sides(sides)
    result = .worst(checks.prefix(2).map(\.status) + [outcome.document] + sides.map(\.status).filter { $0 == .failed })
    assurance =
      switch result {
      case .failed: .none
      case _ where outcome.passiveAuthentication == .passed && outcome.chipRead == .passed: .chipCopyAuthentic
      case _ where page?.confidences == nil: .dataOnly
      default: checks[0].status == .passed ? .pageConsistent : .pageSeen
      }
  }

  /// Whether a comparison with the portrait says anything: not if the evidence does not allow it or the document
  /// contradicts itself. An expired document still identifies its holder, but nobody matches it.
  public var mayMatch: Bool {
    evidence.outcome.mayMatch && checks.allSatisfy { $0.status != .failed || $0.name == .expiry }
  }

  public subscript(check: DocumentCheck.Name) -> DocumentCheck? { checks.first { $0.name == check } }

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

  private static func validation(_ data: DocumentData) -> DocumentCheck {
    func check(_ status: CheckStatus, _ reason: DocumentReason?) -> DocumentCheck {
      DocumentCheck(name: .validation, status: status, reason: reason)
    }
    if data[.mrzLines].value == nil { return check(.failed, .noData) }
    if data.fields.values.contains(where: { $0.status == .failed }) { return check(.failed, .fieldError) }
    let needed: [DocumentFieldName] = [
      .documentNumber, .dateOfBirth, .dateOfExpiry, .surname, .issuingStateCode, .nationalityCode,
    ]
    let open = needed.map { data[$0] }.first { $0.status != .passed }
    return check(open == nil ? .passed : .notChecked, open?.reason)
  }

  /// A document is valid on the day of its expiry, and one with fillers there does not expire.
  static func expiry(_ field: DocumentField, _ date: CalendarDate) -> DocumentCheck {
    func check(_ status: CheckStatus, _ reason: DocumentReason?) -> DocumentCheck {
      DocumentCheck(name: .expiry, status: status, reason: reason)
    }
    if field.status == .passed, field.value == nil { return check(.passed, nil) }
    guard field.status != .failed, let expiry = field.value.flatMap({ PartialDate($0) }), let latest = expiry.latest,
      let earliest = expiry.earliest
    else { return check(.notChecked, .expiryUnknown) }
    if latest < date { return check(.failed, .expired) }
    return earliest >= date ? check(.passed, nil) : check(.notChecked, .expiryUnknown)
  }

  /// Compares the fields that both zones have, except those that only describe the layout.
  private static func mismatches(
    _ page: [DocumentFieldName: DocumentField]?, _ chip: [DocumentFieldName: DocumentField]?
  ) -> [DocumentMismatch] {
    guard let page, let chip else { return [] }
    let names: [DocumentFieldName] = [
      .documentCode, .issuingStateCode, .surname, .givenNames, .documentNumber, .nationalityCode, .dateOfBirth,
      .sex, .dateOfExpiry, .optionalData, .optionalData2,
    ]
    // A correct digit follows from the rest; a wrong one must not be hidden by the other side's.
    let digits: [DocumentFieldName] = [
      .documentNumberCheckDigit, .dateOfBirthCheckDigit, .dateOfExpiryCheckDigit, .optionalDataCheckDigit,
      .compositeCheckDigit,
    ].filter { page[$0]?.status == .failed || chip[$0]?.status == .failed }
    return (names + digits).compactMap { name in
      let (page, chip) = (page[name] ?? .absent, chip[name] ?? .absent)
      return page.value == chip.value
        ? nil : DocumentMismatch(name: name, page: page, chip: chip)
    }
  }

  /// Whether the zones of several pages belong to one document: failed if reliable fields of two of them differ, passed
  /// if all have the same number, otherwise not checked. A visa is a document of its own, of the same holder: another
  /// birth, sex or nationality fails; another name may be a former one.
  package static func areOfOneDocument(_ zones: [PageZone], on date: CalendarDate) -> CheckStatus {
    typealias Fields = [DocumentFieldName: DocumentField]
    let all = zones.map { (isVisa: $0.zone.format.isVisa, fields: DocumentSource($0).fields(on: date)) }
    let documents = all.filter { !$0.isVisa }.map(\.fields)
    let visas = all.filter(\.isVisa).map(\.fields)
    guard let first = documents.first ?? visas.first, all.count > 1 else { return .notChecked }
    func sure(_ names: [DocumentFieldName], _ other: Fields) -> [DocumentFieldName] {
      names.filter { first[$0]?.status == .passed && other[$0]?.status == .passed }
    }
    func isOther(_ name: DocumentFieldName, _ other: Fields) -> Bool { first[name]?.value != other[name]?.value }
    let holders = visas.map { visa -> CheckStatus in
      let known = sure([.dateOfBirth, .sex, .nationalityCode], visa).filter { name in
        [first, visa].allSatisfy { fields in fields[name]?.value.map { name != .sex || $0 != "X" } ?? false }
      }
      if known.contains(where: { isOther($0, visa) }) { return .failed }
      return sure([.surname], visa).contains { isOther($0, visa) } ? .notChecked : .passed
    }
    guard documents.count > 1 else { return .worst(holders + [.notChecked]) }
    let names: [DocumentFieldName] = [
      .documentNumber, .issuingStateCode, .surname, .givenNames, .nationalityCode, .dateOfBirth, .sex, .dateOfExpiry,
    ]
    let statuses = documents.dropFirst().map { other -> CheckStatus in
      let sure = sure(names, other)
      if sure.contains(where: { isOther($0, other) }) { return .failed }
      return sure.contains(.documentNumber) ? .passed : .notChecked
    }
    return .worst(holders + statuses)
  }

  /// Fields derived from a field.
  private static let derived: [DocumentFieldName: [DocumentFieldName]] = [
    .issuingStateCode: [.issuingState], .nationalityCode: [.nationality], .surname: [.surnameAndGivenNames],
    .givenNames: [.surnameAndGivenNames], .dateOfExpiry: [.monthsToExpiry], .optionalData: [.personalNumber],
  ]

  /// Returns the fields of the chip beyond its zone.
  private static func details(_ chip: ChipReading) -> [DocumentFieldName: DocumentField] {
    func field(_ value: String?, _ status: CheckStatus, _ failed: DocumentReason) -> DocumentField? {
      guard let value else { return nil }
      switch status {
      case .passed: return .passed(value)
      case .failed: return .failed(value, failed)
      case .notChecked: return .notChecked(value, .authenticationNotChecked)
      }
    }
    func group(_ value: String?, _ status: CheckStatus) -> DocumentField? {
      field(value, status, .dataGroupAltered)
    }
    func signer(_ value: String?) -> DocumentField? {
      field(value, chip.evidence.passiveAuthentication, .authenticationFailed)
    }
    // The full year, if it agrees with the zone's.
    let birth = chip.dateOfBirth.flatMap { full in
      chip.zone?.dateOfBirth.date.flatMap { full.isSameButForCentury($0) ? full : nil }
    }
    let details: [DocumentFieldName: DocumentField?] = [
      .dateOfBirth: group(birth?.description, chip.dataGroup11),
      .personalNumber: group(chip.personalNumber, chip.dataGroup11),
      .placeOfBirth: group(chip.placeOfBirth, chip.dataGroup11),
      .address: group(chip.address, chip.dataGroup11),
      .dateOfIssue: group(chip.dateOfIssue?.description, chip.dataGroup12),
      .signerSubject: signer(chip.signerSubject),
      .signerValidFrom: signer(chip.signerValidFrom?.description),
      .signerValidTo: signer(chip.signerValidTo?.description),
    ]
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

/// One check of a document.
public struct DocumentCheck: Sendable, Hashable {
  public struct Name: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// No field failed, and those that identify the holder and the document passed.
    public static let validation = Name(rawValue: "validation")
    /// The document is valid on the day of the report.
    public static let expiry = Name(rawValue: "expiry")
    /// The machine-readable zones of page and chip agree. Failed if a page was given and its zone not read.
    public static let mrzMatchesChip = Name(rawValue: "mrz-matches-chip")
    /// The chip is present and complete: see ``ChipEvidence/problem``. Not checked if no chip was given or expected.
    public static let chipRead = Name(rawValue: "chip-read")
    /// The chip is authentic: passive authentication by a trusted certificate passed.
    public static let passiveAuthentication = Name(rawValue: "passive-authentication")
    /// The pages belong to one document and show one person; for a licence, its front and the code on its back. Failed
    /// if zones or faces differ. Not checked with one page, or if nothing could be compared.
    public static let pagesMatch = Name(rawValue: "pages-match")
    /// The page shows the person of the chip. Not checked if a face is missing or too poor to decide.
    public static let portraitMatchesChip = Name(rawValue: "portrait-matches-chip")

    public static let allCases: [Name] = [
      .validation, .expiry, .mrzMatchesChip, .chipRead, .passiveAuthentication, .pagesMatch, .portraitMatchesChip,
    ]
  }

  public let name: Name
  public let status: CheckStatus
  /// nil if the check passed.
  public let reason: DocumentReason?

  package init(name: Name, status: CheckStatus, reason: DocumentReason?) {
    self.name = name
    self.status = status
    self.reason = status == .passed ? nil : reason
  }

  /// Returns the checks of whether the sides of a document belong together, including those that were not checked.
  static func sides(_ checks: [DocumentCheck]) -> [DocumentCheck] {
    [Name.pagesMatch, .portraitMatchesChip].map { name in
      checks.first { $0.name == name } ?? DocumentCheck(name: name, status: .notChecked, reason: .oneSource)
    }
  }
}

/// A field in which page and chip differ, or the front of a licence and the code on its back.
public struct DocumentMismatch: Sendable, Hashable {
  public let name: DocumentFieldName
  public let page: DocumentField
  /// ``DocumentField/absent`` if the page differs from a code.
  public let chip: DocumentField
  /// The field of a licence's code; nil without one.
  public var code: DocumentField?
}

/// Whether a portrait and data match the hashes of a report.
public struct DocumentBinding: Sendable, Hashable {
  /// Not checked if there is no portrait, here or in the report.
  public let portrait: CheckStatus
  /// Not checked if the report has no data.
  public let data: CheckStatus
}
