/// Everything that was read from one document: its pages, its chip, and the report on both.
public struct DocumentReading: Sendable {
  /// The reading of each photo, in the given order.
  public let pages: [DocumentPage]
  /// The page's machine-readable zone, as it was read or typed; nil if there is none.
  public let zone: MachineReadableZone?
  /// nil if no chip was given.
  public let chip: ChipReading?
  /// The decoded code on the back of a licence; nil if there is none.
  public let licence: DrivingLicence?
  /// The visible digital seal of a visa or an emergency travel document; nil if none was read.
  public let seal: SealReport?
  /// The chip's portrait, or else the page's; nil if neither has a face.
  public let portrait: DocumentPortrait?
  /// Why there is no portrait, or why it is not the chip's; nil without a problem.
  public let portraitProblem: String?
  public let report: DocumentReport
  /// The reference date of the report.
  public let date: CalendarDate
}

extension DocumentReading {
  /// Creates a reading of a licence's code, without a picture of its front.
  ///
  /// - Parameter accepted: kinds of documents that pass without an authenticated chip.
  public init(_ licence: DrivingLicence, accepted: Set<UnauthenticatedDocument> = [], on date: CalendarDate) {
    self.init(
      pages: [], zone: nil, chip: nil, licence: licence, seal: nil, portrait: nil, portraitProblem: nil,
      report: DocumentReport(licence: licence, accepted: accepted, on: date), date: date)
  }

  /// Creates a reading of a zone that was given as text: only its check digits support it.
  public init(_ zone: MachineReadableZone, on date: CalendarDate) {
    self.init(
      pages: [], zone: zone, chip: nil, licence: nil, seal: nil, portrait: nil, portraitProblem: nil,
      report: DocumentReport(page: PageZone(text: zone), chip: nil, on: date), date: date)
  }

  /// Creates a reading of the content of a visible digital seal, without a picture of its document: the fields are those
  /// of the zone in the seal.
  ///
  /// - Parameters:
  ///   - trust: the trust anchors, and the certificates of signers of seals; may be empty.
  ///   - date: the reference date for expiry, age and certificates.
  ///   - chipExpected: whether the document is known to have a chip: the report then fails.
  public init(
    seal payload: [UInt8], trust: TrustStore = .init(), authentication: AuthenticationPolicy = .standard,
    date: DateTime, chipExpected: Bool = false
  ) {
    let day = date.calendarDate
    let seal = SealReport(payload: payload, trust: trust, date: date, policy: authentication)
    self.init(
      pages: [], zone: seal.zone, chip: nil, licence: nil, seal: seal, portrait: nil, portraitProblem: nil,
      report: DocumentReport(
        page: seal.zone.map { PageZone(text: $0) }, chip: nil, chipExpected: chipExpected, seal: seal, on: day),
      date: day)
  }

  /// The country and type that the chip, the page or the code of a licence states; nil if nothing was read.
  package var choice: DocumentChoice? {
    if let licence {
      return licence.country.map { DocumentChoice(country: $0, type: licence.documentType, variant: .plastic) }
    }
    return (chip?.zone ?? zone).map(DocumentChoice.init)
  }
}

/// The holder's portrait, which a selfie is compared with. Its trust depends on its source: a chip's portrait is as
/// trusted as the chip (``PassiveAuthentication/verdict``), a page's is not trusted at all.
public struct DocumentPortrait: Sendable {
  public let source: PortraitSource
  /// The portrait's file: from a chip as stored, from a page as an upright crop in PNG.
  public let bytes: [UInt8]
  /// Its quality, and its template unless the quality policy refuses it. Its SHA-256 is that of ``bytes``.
  public let sample: FaceSample
}

extension DocumentReading {
  /// - Throws: ``VerifyError/Code/noFace``.
  func requirePortrait() throws -> DocumentPortrait {
    guard let portrait else { throw VerifyError(.noFace, "document: \(portraitProblem ?? "there is no portrait")") }
    return portrait
  }

  /// The reasons of a decision about the holder: see ``FaceDecision/Reason/code``.
  var reasons: [FaceDecision.Reason] {
    var reasons: [FaceDecision.Reason] = []
    func add(_ code: String, _ text: String, _ status: CheckStatus = .failed) {
      reasons.append(.init(code: "document.\(code)", text: text, status: status))
    }
    if let chip {
      let (verdict, why) = (chip.authentication.verdict, chip.authentication.explanation)
      switch verdict {
      case .authentic: break
      case .validWithoutAnchor:
        add("portrait-\(verdict.rawValue)", "No trust anchor authenticates the chip: \(why).", .notChecked)
      case .invalid: add("portrait-\(verdict.rawValue)", "Passive authentication of the chip failed: \(why).")
      case .notChecked:
        add("portrait-\(verdict.rawValue)", "Passive authentication of the chip is incomplete: \(why).", .notChecked)
      }
    }
    if let why = chip?.authentication.outOfDate {
      add("chip-out-of-date", "The chip's certificates are not in date: \(why).")
    }
    if let check = report[.chipRead], check.status == .failed, let reason = check.reason {
      add(reason.rawValue, "The chip cannot be used: \(chipProblem(reason)).")
    }
    for check in report.checks where check.status == .failed {
      guard let text = Self.failures[check.name] else { continue }
      let detail = check.name != .validation ? "" : check.text.isEmpty ? check.reason?.rawValue ?? "" : check.text
      add(check.name.rawValue, detail.isEmpty ? text + "." : "\(text): \(detail).")
    }
    if portrait?.source == .page {
      add("portrait-page", "The portrait is from a photo of the page, which nothing authenticates.", .passed)
    }
    return reasons
  }

  /// Messages for failed checks; checks of the chip have their own reasons.
  private static let failures: [DocumentCheckName: String] = [
    .validation: "The document has wrong fields", .expiry: "The document has expired",
    .mrzMatchesChip: "The page and the chip differ, or the page could not be read",
    .pagesMatch: "The pages are of different documents, or show different people",
    .portraitMatchesChip: "The pages and the chip's portraits do not show one person",
    .printMatches: "The printed text differs from the machine-readable data",
  ]

  private func chipProblem(_ reason: DocumentReason) -> String {
    guard let chip else { return "the document should have one, and none was given" }
    return reason == .portraitUnreadable ? portraitProblem ?? chip.text(of: reason) : chip.text(of: reason)
  }
}

extension DocumentPortrait: JSONConvertible {
  public var jsonValue: JSONValue { ["source": .string(source.rawValue), "sample": sample.jsonValue] }
}

extension DocumentReading: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string), "date": .string(date.description), "report": report.jsonValue,
      "mrz": zone?.jsonValue ?? .null, "pages": pages.jsonValue, "chip": chip?.jsonValue ?? .null,
      "licence": licence?.jsonValue ?? .null, "seal": seal?.jsonValue ?? .null,
      "portrait": portrait?.jsonValue ?? .null, "portraitProblem": .optional(portraitProblem),
    ]
  }
}

extension DocumentReport {
  /// Why an otherwise faultless document has no trusted signature; nil if its result has other reasons.
  public var shortfall: FaceDecision.Reason? {
    unauthenticated.map { kind in
      .init(
        code: "document.unauthenticated",
        text: "No chip authenticates the document. Read its chip, or accept \"\(kind.rawValue)\" by name.",
        status: .notChecked)
    }
  }
}

extension DocumentReport: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "result": .string(result.rawValue), "assurance": .string(assurance.rawValue),
      "shortfall": shortfall?.jsonValue ?? .null, "checks": checks.jsonValue,
      "data": data.jsonValue, "pageData": pageData?.jsonValue ?? .null, "chipData": chipData?.jsonValue ?? .null,
      "printData": printData?.jsonValue ?? .null,
      "mismatches": .array(
        mismatches.map {
          [
            "name": .string($0.name.rawValue), "page": $0.page.jsonValue, "chip": $0.chip.jsonValue,
            "code": $0.code?.jsonValue ?? .null, "print": $0.print?.jsonValue ?? .null,
          ]
        }),
      "portraitSha256": .optional(portraitSHA256), "dataSha256": .optional(dataSHA256),
    ]
  }
}
