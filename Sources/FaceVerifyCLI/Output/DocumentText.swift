import FaceVerify

/// What was read from a document, in words.
enum DocumentText {
  static func text(_ reading: DocumentReading, names: [String], on console: Console) -> String {
    let report = reading.report
    let statuses = report.statuses.map(\.rawValue).joined(separator: ", ")
    let name = report.documentData.documentTypeData.info?.documentName ?? report.documentType.rawValue
    let style: Style =
      switch status(report) {
      case .done: .good
      case .refused: .caution
      default: .bad
      }
    var text = console.styled("\(name): \(statuses)", style) + "\n"
    var table = Table()
    for field in DocumentFieldName.all {
      guard let data = report.documentData.fields[field], let value = data.value, !value.isEmpty else { continue }
      let lines = value.split(separator: "\n").map(String.init)
      let mark: Style = data.status == .ok ? .good : data.status == .error ? .bad : .caution
      table.add(
        .init(field.rawValue, .faint), .init(data.status.rawValue, mark),
        .init(lines[0] + (data.reason.map { "  (\($0))" } ?? "")))
      for line in lines.dropFirst() { table.add(.init(""), .init(""), .init(line)) }
    }
    text += table.text(indent: 2, on: console)
    for mismatch in report.mismatches {
      text +=
        "  \(mismatch.name): the page says \(mismatch.optical.value ?? "-"), the chip \(mismatch.chip.value ?? "-")\n"
    }
    if let chip = reading.chip { text += "chip  " + ChipText.title(chip.authentication, on: console) + "\n" }
    if let portrait = reading.portrait {
      let quality = portrait.sample.quality.score.map { ", quality \($0) of 100" } ?? ""
      text +=
        "portrait  \(DecisionText.size(portrait.sample))\(quality). \(portrait.trust.text)\n"
    }
    if let problem = reading.portraitProblem { text += console.styled(problem, .caution) + "\n" }
    for (name, page) in zip(names, reading.pages) {
      text += console.styled(RegularFile.oneLine(name), .strong) + "\n"
      var table = Table()
      for check in page.checks {
        let value = check.value.map { "\(Text.short($0)) \(check.unit), limit \(Text.limit(check.limit ?? 0))" } ?? ""
        table.add(
          .init("\(check.reason.number)", .faint, right: true), .init(check.reason.rawValue),
          ChipText.status(check.status), .init(check.status == .passed ? value : check.text))
      }
      text += table.text(indent: 2, on: console)
    }
    return text
  }

  static func status(_ report: DocumentReaderReport) -> ExitStatus {
    if report.statuses == [.ok] { return .done }
    if report.statuses == [.notChecked] { return .refused }
    return report.documentData[.mrzStrings].value == nil ? .failed : .noMatch
  }
}
