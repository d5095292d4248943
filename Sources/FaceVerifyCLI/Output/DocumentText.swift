import FaceVerify

enum DocumentText {
  static func text(_ reading: DocumentReading, names: [String], on console: Console) -> String {
    let report = reading.report
    var text = console.styled("\(name(report)): \(title(report))", report.result.style) + "\n"
    var table = Table()
    for field in DocumentFieldName.allCases {
      guard let data = report.data.fields[field], let value = data.value, !value.isEmpty else { continue }
      // Only zones have separate lines.
      let isZone = [.mrzLines, .mrzLinesWithCorrectCheckDigits].contains(field)
      let lines = isZone ? value.split(separator: "\n").map(String.init) : [value]
      table.add(field.rawValue, data.status, lines[0] + (data.reason.map { "  (\($0))" } ?? ""))
      for line in lines.dropFirst() { table.add(.init(""), .init(""), .init(line)) }
    }
    text += table.text(indent: 2, on: console)
    for mismatch in report.mismatches { text += "  \(self.text(mismatch))\n" }
    for name in [DocumentCheckName.pagesMatch, .portraitMatchesChip, .printMatches] {
      guard let check = report[name], let reason = check.reason, reason != .oneSource else { continue }
      text += console.styled("  \(name): \(check.status.rawValue) (\(reason))", .caution) + "\n"
    }
    if let licence = reading.licence { text += code(licence, on: console) }
    if let seal = reading.seal { text += SealText.text(seal, on: console) }
    if let chip = reading.chip { text += "chip  " + ChipText.title(chip.authentication, on: console) + "\n" }
    if let portrait = reading.portrait {
      let quality = portrait.sample.quality.score.map { ", quality \($0) of 100" } ?? ""
      text +=
        "portrait of the \(portrait.source.rawValue)  \(DecisionText.size(portrait.sample))\(quality)\n"
    }
    if let problem = reading.portraitProblem { text += console.styled(problem, .caution) + "\n" }
    for (name, page) in zip(names, reading.pages) {
      text += console.styled(name, .strong) + "\n"
      var table = Table()
      for check in page.checks where check.status != .passed {
        table.add(check.reason.rawValue, check.status, check.text)
      }
      let passed = page.checks.count { $0.status == .passed }
      text += table.text(indent: 2, on: console) + "  \(passed) of \(page.checks.count) checks of the photo passed\n"
      if let title = page.printedTitle {
        text += "  printed title: \(title.type) (\(title.line.text.printable))\n"
        if report.data.type == .unknown, let place = place(ofDataOf: title.type) {
          text += console.styled("  Printed text proves nothing. Its data is read from \(place).", .caution) + "\n"
        }
      }
      var printed = Table()
      let fields = page.printedFields ?? [:]
      for name in DocumentFieldName.allCases {
        guard let field = fields[name]?.field, let value = field.value, let reason = field.reason else { continue }
        printed.add(.init(name.rawValue, .faint), .init(value.printable), .init("(\(reason))", .faint))
      }
      text += printed.text(indent: 2, on: console)
      var lines = Table()
      for line in page.text ?? [] {
        lines.add(.init(Text.number(line.confidence, 2), .faint), .init(line.text.printable))
      }
      text += lines.text(indent: 2, on: console)
    }
    return text
  }

  /// Where this library reads the data of a type of document.
  private static func place(ofDataOf type: DocumentType) -> String? {
    guard let forms = type.kind?.forms else { return nil }
    if let side = forms.compactMap(\.codeSide).first { return "the AAMVA code on its \(side)" }
    return forms.compactMap(\.zoneSide).first.map { "the machine-readable zone on its \($0)" }
  }

  static func name(_ report: DocumentReport) -> String { report.data.documentClass?.name ?? report.data.type.rawValue }

  /// The fields of a licence's code that other documents do not have.
  private static func code(_ licence: DrivingLicence, on console: Console) -> String {
    let issuer = licence.issuer?.name ?? "an unknown issuer"
    var text = "code  version \(licence.version) of the AAMVA standard, \(licence.issuerNumber) \(issuer)\n"
    var table = Table()
    for element in licence.elements {
      let reason = element.reason.map { "  (\($0))" } ?? ""
      table.add(element.id, element.status, (element.value ?? "-") + reason, .init(element.name ?? "", .faint))
    }
    text += table.text(indent: 2, on: console)
    let elements = Set(licence.elements.map(\.id))
    for finding in licence.findings where !elements.contains(finding.place) {
      text += console.styled("  \(finding.place): \(finding.reason)", .caution) + "\n"
    }
    return text
  }

  /// The result, with its reason: the checks that failed, or what was not checked.
  static func title(_ report: DocumentReport) -> String {
    let failed = names(.failed, of: report)
    if !failed.isEmpty || report.result == .passed {
      return report.result.rawValue + failed.map { " " + $0 }.joined(separator: ",")
    }
    var reasons = [report.shortfall?.text].compactMap(\.self)
    if report[.validation]?.status == .notChecked {
      let open = DocumentFieldName.allCases.filter { name in
        report.data.fields[name].map { $0.status == .notChecked && $0.value?.isEmpty == false } ?? false
      }
      reasons.append(
        report[.validation]?.reason.map { "\($0)" }
          ?? (open.isEmpty
            ? "a required field is missing" : "uncertain: \(open.map(\.rawValue).joined(separator: ", "))"))
    }
    if reasons.isEmpty { reasons = names(.notChecked, of: report) }
    return "\(report.result.rawValue): \(reasons.joined(separator: "; "))"
  }

  private static func names(_ status: CheckStatus, of report: DocumentReport) -> [String] {
    report.checks.filter { $0.status == status }.map { "\($0.name)\($0.reason.map { " (\($0))" } ?? "")" }
  }

  /// Returns what each source states.
  static func text(_ mismatch: DocumentMismatch) -> String {
    let sources = [
      ("text", mismatch.print), ("page", mismatch.page), ("chip", mismatch.chip), ("code", mismatch.code),
    ].compactMap { name, field in field?.value.map { "the \(name) says \($0.printable)" } }
    return "\(mismatch.name): \(sources.joined(separator: ", "))"
  }

  static func status(_ report: DocumentReport) -> ExitStatus {
    switch report.result {
    case .passed: .done
    case .notChecked: .refused
    case .failed: report.isAnythingRead ? .noMatch : .failed
    }
  }
}

/// Annotated photos of a document, next to the portrait.
enum DocumentSheet {
  static func make(_ reading: DocumentReading, photos: [Photo], names: [String]) throws -> PixelBuffer {
    var pictures: [PixelBuffer] = []
    var captions: [String] = []
    for ((photo, page), name) in zip(zip(photos, reading.pages), names) {
      let size = photos.count > 1 ? Sheet.double : (width: 1000, height: 800)
      var marks = try FaceMarks(photo, width: size.width, height: size.height)
      marks.outline(page.corners, colour: FaceMarks.Colour.mesh)
      marks.outline(page.zoneCorners, colour: FaceMarks.Colour.taken)
      for line in page.text ?? [] { marks.outline(line.corners, colour: FaceMarks.Colour.ahead, thickness: 1) }
      if let face = page.face { marks.outline(face.box.corners, colour: FaceMarks.Colour.eye) }
      pictures.append(marks.picture)
      captions.append("\(FileName.last(name)): \(photo.width)×\(photo.height)")
    }
    if let portrait = reading.portrait {
      let picture = try Photo(bytes: portrait.bytes).pixels()
      let fit = min(280 / Double(picture.width), 360 / Double(picture.height))
      pictures.append(
        picture.resized(
          width: max(1, Int(Double(picture.width) * fit)), height: max(1, Int(Double(picture.height) * fit))))
      captions.append("portrait of the \(portrait.source.rawValue)")
    }
    let report = reading.report
    let colour = report.result.style.colour
    var lines = [Sheet.Line(text: DocumentText.title(report), colour: colour, isTitle: true)]
    for name in [DocumentFieldName.mrzLines, .documentNumber, .surnameAndGivenNames, .dateOfBirth, .dateOfExpiry] {
      let field = report.data[name]
      guard let value = field.value else { continue }
      for (i, part) in value.split(separator: "\n").enumerated() {
        lines.append(
          .init(
            name: i == 0 ? "\(name)" : "", text: i == 0 ? "\(part)  \(field.status.rawValue)" : "\(part)",
            colour: field.status == .failed ? FaceMarks.Colour.refused : FaceMarks.Colour.text))
      }
    }
    for mismatch in report.mismatches {
      lines.append(.init(text: DocumentText.text(mismatch), colour: FaceMarks.Colour.refused))
    }
    for check in reading.pages.flatMap(\.rejections) {
      lines.append(.init(text: check.text, colour: FaceMarks.Colour.caution))
    }
    return try Sheet.make(pictures, captions: captions, lines: lines)
  }
}

enum ChipText {
  static func text(_ chip: ChipReading, on console: Console) -> String {
    var text = title(chip.authentication, on: console) + "\n"
    if let problem = chip.evidence.problem {
      let line = console.styled("not checked as a whole: \(chip.text(of: problem))", .bad) + "\n"
      text = chip.authentication.status == .passed ? line + text : text + line
    }
    var table = Table()
    for step in chip.authentication.steps { table.add(step.name.rawValue, step.status, step.text) }
    let remarks =
      chip.authentication.weaknesses.map { ("weakness", $0.rawValue) }
      + chip.authentication.leniencies.map { ("leniency used", $0.rawValue) }
    for (name, value) in remarks { table.add(.init(name, .faint), .init(value, .caution)) }
    for deviation in chip.authentication.deviations {
      table.add(
        .init("deviation", .faint), .init(deviation.types.joined(separator: " "), .caution), .init(deviation.source))
    }
    text += table.text(indent: 2, on: console)
    if let zone = chip.zone { text += console.styled("EF.DG1", .strong) + "\n" + ZoneText.text(zone, on: console) }
    text += contents(chip.contents, on: console)
    for name in chip.contents.files.ignored { text += "  \(name.printable): not a file of a chip\n" }
    if let proof = chip.proof, let live = chip.contents.files.live { text += proofText(proof, live, on: console) }
    return text
  }

  private static func proofText(_ proof: ChipProof, _ live: LiveChip, on console: Console) -> String {
    let (title, style): (String, Style) =
      switch proof.verdict {
      case .notCloned: ("not cloned: the chip proved that it is the one whose data were signed", .good)
      case .cloneSuspected: ("clone suspected: the chip failed what its signed data announce", .bad)
      case .notAnnounced:
        ("not announced: the chip has no protocol against copies, and a copy looks the same", .caution)
      default: ("not checked: whether the chip is a copy", .caution)
      }
    var table = Table()
    for step in proof.steps { table.add(step.name.rawValue, step.status, step.text) }
    table.add(.init("opened with", .faint), .init(live.access))
    return console.styled(title, style) + "\n" + table.text(indent: 2, on: console)
  }

  static func title(_ authentication: PassiveAuthentication, on console: Console) -> String {
    let (title, style): (String, Style) =
      switch authentication.verdict {
      case .authentic: authentication.validity == .failed ? ("authentic, not in date", .bad) : ("authentic", .good)
      case .validWithoutAnchor: ("valid without anchor", .caution)
      case .invalid: ("invalid", .bad)
      case .notChecked: ("not checked", .caution)
      }
    return console.styled("\(title): \(authentication.explanation)", style)
  }

  private static func contents(_ contents: ChipContents, on console: Console) -> String {
    var table = Table()
    func add<Value>(_ name: String, _ result: Result<Value, VerifyError>?, _ describe: (Value) -> [String]) {
      switch result {
      case nil: break
      case .success(let value):
        for (i, line) in describe(value).enumerated() { table.add(.init(i == 0 ? name : "", .faint), .init(line)) }
      case .failure(let error): table.add(.init(name, .faint), .init(error.message, .bad))
      }
    }
    add("EF.COM", contents.common) {
      ["LDS \($0.ldsVersion ?? "?"), data groups \($0.dataGroups.map(String.init).joined(separator: " "))"]
    }
    if case .failure(let error) = contents.dataGroup1 { table.add(.init("EF.DG1", .faint), .init(error.message, .bad)) }
    add("EF.DG2", contents.dataGroup2) { group in
      group.images.map { image in
        let size = image.record.width.flatMap { width in image.record.height.map { "\(width)×\($0)" } } ?? ""
        return "\(image.format.rawValue) \(size), \(image.bytes.count) bytes, \(image.standard.rawValue)"
      }
    }
    add("EF.DG11", contents.dataGroup11) { holder in
      [
        holder.fullName, holder.personalNumber, holder.dateOfBirth?.description,
        holder.placeOfBirth.isEmpty ? nil : holder.placeOfBirth.joined(separator: ", "),
        holder.address.isEmpty ? nil : holder.address.joined(separator: ", "), holder.profession, holder.title,
      ].compactMap { $0 } + unreadable(holder.unreadable)
    }
    add("EF.DG12", contents.dataGroup12) { document in
      [document.issuingAuthority, document.dateOfIssue.map { "issued \($0)" }, document.endorsements].compactMap { $0 }
        + unreadable(document.unreadable)
    }
    add("EF.DG14", contents.dataGroup14) { $0.infos.map(\.name) }
    add("EF.DG15", contents.dataGroup15) { ["\($0.publicKey.algorithm), \($0.publicKey.bits) bits"] }
    add("EF.CardAccess", contents.cardAccess) { $0.infos.map(\.name) }
    add("EF.CardSecurity", contents.cardSecurity) { $0.infos.infos.map(\.name) }
    if let signer = contents.documentSecurity.flatMap({ try? $0.get() })?.signerCertificate {
      table.add(.init("signer", .faint), .init(signer.subject.description))
      table.add(.init("", .faint), .init("valid \(signer.validFrom.calendarDate) to \(signer.validTo.calendarDate)"))
    }
    return table.text(indent: 2, on: console)
  }
}

/// Names the fields of a data group that cannot be read.
private func unreadable(_ fields: [String: String]) -> [String] { fields.keys.sorted().map { "\($0) unreadable" } }

enum SealText {
  static func text(_ report: SealReport, on console: Console) -> String {
    let (title, style): (String, Style) =
      switch (report.verdict, report.validity) {
      case (.authentic, .failed): ("authentic, not in date", .bad)
      case (.authentic, _): ("authentic", .good)
      case (.validWithoutAnchor, _): ("valid without anchor", .caution)
      case (.invalid, _): ("invalid", .bad)
      case (.notChecked, _): ("not checked", .caution)
      }
    var table = Table()
    for feature in report.seal?.features ?? [] where !feature.isZone {
      table.add(.init(feature.name ?? "feature \(feature.tag)"), .init(feature.value ?? hexadecimal(feature.bytes)))
    }
    for step in report.steps { table.add(step.name.rawValue, step.status, step.text) }
    let zone = report.zone.map { ZoneText.text($0, on: console) } ?? ""
    return "seal  " + console.styled("\(title): \(report.explanation)", style) + "\n" + zone
      + table.text(indent: 2, on: console)
  }
}

enum ZoneText {
  static func text(_ zone: MachineReadableZone, on console: Console) -> String {
    lines(zone.lines) + fields(zone, on: console)
  }

  /// Ambiguous characters are marked below their line.
  static func text(_ reading: MRZReading, on console: Console) -> String {
    var text = ""
    for (line, characters) in zip(reading.zone.lines, reading.characters) {
      text += "  \(line.printable)\n"
      let marks = String(characters.map { $0.isDecidedByCheckDigit ? "c" : $0.isSure ? " " : "?" })
      if marks.contains(where: { $0 != " " }) { text += console.styled("  \(marks)", .caution) + "\n" }
    }
    if reading.characters.joined().contains(where: { !$0.isSure }) { text += "  ? may be another character\n" }
    if reading.characters.joined().contains(where: \.isDecidedByCheckDigit) {
      text += "  c another looked likelier, but with it a check digit would be wrong\n"
    }
    return text + fields(reading.zone, on: console)
  }

  /// A single line, with the fields that its check digits verify.
  static func text(_ reading: MRZLineReading) -> String {
    let digits = reading.unsupported == nil ? reading.checkDigits : []
    let checked = digits.map { "  \($0.field): check digit \($0.status == .passed ? "right" : "wrong")\n" }
    return "\(reading.text.printable)\n"
      + (checked.isEmpty ? "  not checked: no check digit verifies this line alone\n" : checked.joined())
  }

  private static func lines(_ lines: [String]) -> String { lines.reduce("") { $0 + "  \($1.printable)\n" } }

  private static func fields(_ zone: MachineReadableZone, on console: Console) -> String {
    var table = Table()
    let values: [(String, String?, MRZField)] = [
      ("format", zone.format.rawValue.uppercased(), .documentCode),
      ("document", zone.documentClass?.name ?? zone.documentType.rawValue, .documentCode),
      ("issuing state", named(zone.issuingState), .issuingState), ("number", zone.documentNumber, .documentNumber),
      ("surname", zone.surname, .name), ("given names", zone.givenNames, .name),
      ("nationality", named(zone.nationality), .nationality),
      ("date of birth", zone.dateOfBirth.date?.description, .dateOfBirth), ("sex", zone.sex?.rawValue, .sex),
      ("date of expiry", zone.dateOfExpiry.date?.description, .dateOfExpiry),
      ("optional data", zone.optionalData, .optionalData), ("optional data 2", zone.optionalData2, .optionalData2),
      ("all together", "", .composite),
    ]
    for (name, value, field) in values {
      let findings = zone.findings.filter { $0.field == field }.map(\.reason.rawValue)
      let remark = zone.remarks.first { $0.field == field && $0.reason != .empty }?.reason
      let hasValue = field != .composite && value?.isEmpty == false
      guard hasValue || remark != nil || !findings.isEmpty else { continue }
      let digit = zone.checkDigit(of: field)
      let state: Table.Cell =
        !findings.isEmpty
        ? .init("failed: \(findings.joined(separator: ", "))", .bad)
        : remark.map { Table.Cell("not checked: \($0)", .caution) }
          ?? (digit?.status == .passed ? .init("check digit right", .good) : .init(""))
      table.add(.init(name, .faint), .init(value ?? "-"), state)
    }
    return table.text(indent: 2, on: console)
      + (zone.isMisaligned
        ? "  The lines seem to be cut off, shifted or of different documents: no field is verified.\n" : "")
  }

  private static func named(_ code: String) -> String { CountryName.english(code).map { "\(code) (\($0))" } ?? code }
}
