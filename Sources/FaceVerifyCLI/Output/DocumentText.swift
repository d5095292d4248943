import FaceVerify

/// The data of a document as text.
enum DocumentText {
  static func text(_ reading: DocumentReading, names: [String], on console: Console) -> String {
    let report = reading.report
    let name = report.data.documentClass?.name ?? report.data.type.rawValue
    let style = report.result.style
    var text = console.styled("\(name): \(title(report))", style) + "\n"
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
    for mismatch in report.mismatches {
      text +=
        "  \(mismatch.name): the page says \((mismatch.page.value ?? "-").printable), "
        + "the \(mismatch.code == nil ? "chip" : "code") "
        + "\(((mismatch.code ?? mismatch.chip).value ?? "-").printable)\n"
    }
    for name in [DocumentCheck.Name.pagesMatch, .portraitMatchesChip] {
      guard let check = report[name], let reason = check.reason, reason != .oneSource else { continue }
      text += console.styled("  \(name): \(check.status.rawValue) (\(reason))\n", .caution)
    }
    if let licence = reading.licence { text += code(licence, on: console) }
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
    }
    return text
  }

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
    let failed = report.checks.filter { $0.status == .failed }
    if !failed.isEmpty || report.result == .passed {
      return report.result.rawValue
        + failed.map { " \($0.name)\($0.reason.map { " (\($0))" } ?? "")" }.joined(separator: ",")
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
    if reasons.isEmpty {
      reasons = report.checks.filter { $0.status == .notChecked }.map {
        "\($0.name)\($0.reason.map { " (\($0))" } ?? "")"
      }
    }
    return "\(report.result.rawValue): \(reasons.joined(separator: "; "))"
  }

  static func status(_ report: DocumentReport) -> ExitStatus {
    switch report.result {
    case .passed: .done
    case .notChecked: .refused
    case .failed: report.isAnythingRead ? .noMatch : .failed
    }
  }
}
