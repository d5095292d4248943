import FaceVerify

/// The data of a document as text.
enum DocumentText {
  static func text(_ reading: DocumentReading, names: [String], on console: Console) -> String {
    let report = reading.report
    let name = report.data.documentClass?.name ?? report.data.type.rawValue
    let style: Style =
      switch status(report) {
      case .done: .good
      case .refused: .caution
      default: .bad
      }
    var text = console.styled("\(name): \(title(report))", style) + "\n"
    var table = Table()
    for field in DocumentFieldName.allCases {
      guard let data = report.data.fields[field], let value = data.value, !value.isEmpty else { continue }
      // Only zones have separate lines.
      let isZone = [.mrzLines, .mrzLinesWithCorrectCheckDigits].contains(field)
      let lines = isZone ? value.split(separator: "\n").map(String.init) : [value]
      table.add(
        .init(field.rawValue, .faint), ChipText.status(data.status),
        .init(lines[0] + (data.reason.map { "  (\($0))" } ?? "")))
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
      for check in page.checks {
        let value = check.value.map { "\(Text.short($0)) \(check.unit), limit \(Text.limit(check.limit ?? 0))" } ?? ""
        table.add(
          .init(check.reason.rawValue, .faint), ChipText.status(check.status),
          .init(check.status == .passed ? value : check.text))
      }
      text += table.text(indent: 2, on: console)
    }
    return text
  }

  /// The fields of a licence's code that other documents do not have.
  private static func code(_ licence: DrivingLicence, on console: Console) -> String {
    let issuer = licence.issuer?.name ?? "no issuer that is known"
    var text = "code  version \(licence.version) of the AAMVA standard, \(licence.issuerNumber) \(issuer)\n"
    var table = Table()
    for element in licence.elements {
      let reason = element.reason.map { "  (\($0))" } ?? ""
      table.add(
        .init(element.id, .faint), ChipText.status(element.status),
        .init((element.value ?? "-") + reason), .init(element.name ?? "", .faint))
    }
    text += table.text(indent: 2, on: console)
    let elements = Set(licence.elements.map(\.id))
    for finding in licence.findings where !elements.contains(finding.place) {
      text += console.styled("  \(finding.place): \(finding.reason)", .caution) + "\n"
    }
    return text
  }

  /// The result, with the checks that failed.
  static func title(_ report: DocumentReport) -> String {
    let failed = report.checks.filter { $0.status == .failed }
    return report.result.rawValue
      + failed.map { " \($0.name)\($0.reason.map { " (\($0))" } ?? "")" }.joined(separator: ",")
      + (report.shortfall.map { ": \($0.text)" } ?? "")
  }

  static func status(_ report: DocumentReport) -> ExitStatus {
    switch report.result {
    case .passed: .done
    case .notChecked: .refused
    case .failed: report.isAnythingRead ? .noMatch : .failed
    }
  }
}
