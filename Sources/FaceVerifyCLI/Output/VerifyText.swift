import FaceVerify

/// What came of a whole check, in words that are read in five seconds.
enum VerifyText {
  /// One of the things that are asked.
  struct Line {
    let name: String
    let status: CheckStatus
    let text: String

    /// What it means that it failed.
    var failure: String {
      switch name {
      case "alive": "a presentation attack"
      case "document": "the document is not right"
      default: "another person"
      }
    }
  }

  static func title(_ result: JourneyResult) -> String {
    if let error = result.error { return "not finished: \(error.message) (\(error.code.rawValue))" }
    return switch result.result {
    case .passed: "passed: a living person, who is the one they should be"
    case .failed:
      "failed: " + lines(result).filter { $0.status == .failed }.map(\.failure).joined(separator: ", ")
    case .notChecked: "could not tell: not everything was checked"
    }
  }

  static func lines(_ result: JourneyResult) -> [Line] {
    var lines: [Line] = []
    for credential in result.credentials {
      if let document = credential.document {
        lines.append(
          .init(
            name: "document", status: document.report.result,
            text: (document.report.data.documentClass?.name ?? document.report.data.type.rawValue)
              + (document.chip.map { ", chip \($0.authentication.verdict.rawValue)" } ?? ", no chip")
              + failures(document.report)))
      }
      guard let face = credential.face else { continue }
      let alive: CheckStatus =
        switch face.liveness.result {
        case .live: .passed
        case .presentationAttack: .failed
        case .undecided: .notChecked
        }
      lines.append(.init(name: "alive", status: alive, text: LivenessText.title(face.liveness)))
      guard let match = face.match else {
        if let problem = face.problem {
          lines.append(.init(name: "same person", status: .notChecked, text: problem.text))
        }
        continue
      }
      let same: CheckStatus =
        switch match.result {
        case .match: .passed
        case .noMatch: .failed
        case .refused: .notChecked
        }
      lines.append(
        .init(
          name: "same person", status: same,
          text: match.result == match.faces.result
            ? DecisionText.title(match.faces) : "refused: the document is not to be trusted"))
    }
    return lines
  }

  private static func failures(_ report: DocumentReport) -> String {
    report.checks.filter { $0.status == .failed }.map { ", \($0.name) failed" }.joined()
  }

  static func text(_ result: JourneyResult, on console: Console) -> String {
    let style: Style = result.result == .passed ? .good : result.result == .failed ? .bad : .caution
    let text = console.styled(title(result), style) + "\n"
    var table = Table()
    for line in lines(result) {
      table.add(.init(line.name, .faint), ChipText.status(line.status), .init(line.text))
    }
    for reason in result.reasons { table.add(.init("reason", .faint), .init(""), .init(reason.text)) }
    table.add(.init("id", .faint), .init(""), .init(result.id))
    return text + table.text(indent: 2, on: console)
  }

  static func status(_ result: JourneyResult) -> ExitStatus {
    switch result.result {
    case .passed: .done
    case .failed: .noMatch
    case .notChecked: result.error.map { "FN".contains($0.code.rawValue.prefix(1)) } == true ? .failed : .refused
    }
  }
}
