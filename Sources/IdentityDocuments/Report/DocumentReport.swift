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
    let sources = ComparedSources(page: page, chip: chip, print: print, on: date)
    data = sources.data(sources.fields)
    pageData = sources.page.map(sources.data)
    chipData = sources.chip.map(sources.data)
    printData = sources.print
    mismatches = sources.mismatches
    self.portraitSHA256 = portraitSHA256
    dataSHA256 = sources.fields.isEmpty ? nil : data.sha256
    evidence = DocumentEvidence(
      page: page == nil ? (pageGiven ? .bad : .notGiven) : mismatches.allSatisfy { $0.print != nil } ? .good : .bad,
      chip: chip?.evidence, isChipExpected: chipExpected, accepted: accepted)
    let outcome = evidence.outcome
    let validation = Self.validation(data, pageProblem: chip == nil ? pageProblem : nil, seal)
    let expiry = Self.expiry(data[.dateOfExpiry], date)
    let others = DocumentCheck.sides(sides) + [VisualZone.check(sources.printed)]
    checks = [validation, expiry] + outcome.checks(evidence, isPageRead: page != nil) + others
    result = .worst(
      [validation.status, expiry.status, outcome.document] + others.map(\.status).filter { $0 == .failed })
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

  private static func validation(
    _ data: DocumentData, pageProblem: DocumentReason?, _ seal: SealReport?
  ) -> DocumentCheck {
    if data[.mrzLines].value == nil { return DocumentCheck(.validation, .failed, .noData) }
    let check = validation(data, and: [.nationalityCode])
    if check.status != .failed, seal?.status == .failed { return DocumentCheck(.validation, .failed, .sealInvalid) }
    if check.status == .passed, let pageProblem { return DocumentCheck(.validation, .notChecked, pageProblem) }
    return check
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
