import FaceVerifyJourney

/// The result of a complete check as text, readable in five seconds.
enum VerifyText {
  struct Line {
    let name: String
    let status: CheckStatus
    let text: String

    var failure: String {
      switch name {
      case "alive": "a presentation attack"
      case "document": "the document has a failed check"
      default: "another person"
      }
    }
  }

  static func title(_ result: JourneyResult) -> String {
    if let error = result.error { return "not finished: \(error.message) (\(error.code.rawValue))" }
    return switch result.result {
    case .passed: "passed: " + proved(result.assurance)
    case .failed:
      "failed: "
        + (lines(result).filter { $0.status == .failed }.map(\.failure).first ?? result.reasons.first?.text ?? "")
    case .notChecked: "not checked: " + (deciding(result.reasons)?.text ?? "nothing was requested")
    }
  }

  /// Returns the reason that the person or the operator can act on best.
  private static func deciding(_ reasons: [FaceDecision.Reason]) -> FaceDecision.Reason? {
    let codes = [
      "presence.below-policy", "presence.movement-declined", "presence.light-missing", "comparison.same-picture",
      "comparison.selfie-missing", "comparison.portrait-missing", "document.unauthenticated",
      "document.passive-authentication", "document.chip-read", "document.validation", "document.expiry",
      "document.below-policy", "comparison.below-policy",
    ]
    return codes.lazy.compactMap { code in reasons.first { $0.code == code } }.first ?? reasons.first
  }

  /// What a pass proves, and no more.
  private static func proved(_ assurance: Assurance) -> String {
    let person =
      switch assurance.presence {
      case .none: "no person was checked"
      case .photo: "one photo of a person, whose presence was not proved"
      case .passiveVideo: "a video of a living person, without challenges"
      case .challengeAnswered: "a living person, who answered the challenges"
      case .trustedCapture: "a living person, who answered the challenges in front of a trusted camera"
      }
    let match =
      switch assurance.binding {
      case .none, .samePicture: "not compared"
      case .suppliedPhoto: "the person of the portrait"
      case .pagePortrait: "the person on the document's page"
      case .chipPortrait: "the person on the document's chip"
      case .enrolledTemplate: "the enrolled person"
      }
    let document: String? =
      switch assurance.document {
      case .none: nil
      case .dataOnly, .pageSeen, .pageConsistent: "a document that is not authenticated"
      case .chipCopyAuthentic: "a document whose chip is authentic, or a copy of it"
      case .chipAuthentic: "a document whose chip is authentic"
      }
    return ([person, match] + [document].compactMap(\.self)).joined(separator: "; ")
  }

  static func lines(_ result: JourneyResult) -> [Line] {
    var lines: [Line] = []
    for credential in result.credentials {
      if let document = credential.document {
        let report = document.report
        let failures = report.checks.filter { $0.status == .failed }.map { ", \($0.name) failed" }.joined()
        let chip = document.chip?.authentication.verdict.rawValue
        lines.append(
          .init(
            name: "document", status: report.result,
            text: DocumentText.name(report) + (chip.map { ", chip \($0)" } ?? ", no chip") + failures))
      }
      guard let face = credential.face else { continue }
      lines.append(.init(name: "alive", status: face.liveness.result.check, text: LivenessText.title(face.liveness)))
      guard let match = face.match else {
        lines += face.problem.map { [.init(name: "same person", status: .notChecked, text: $0.text)] } ?? []
        continue
      }
      lines.append(.init(name: "same person", status: match.result.check, text: DecisionText.title(match)))
    }
    return lines
  }

  static func text(_ result: JourneyResult, on console: Console) -> String {
    var table = Table()
    func add(_ name: String, _ text: String) { table.add(.init(name, .faint), .init(""), .init(text)) }
    let (presence, document, binding) = (result.assurance.presence, result.assurance.document, result.assurance.binding)
    add("proved", "presence \(presence.rawValue), document \(document.rawValue), binding \(binding.rawValue)")
    for line in lines(result) { table.add(line.name, line.status, line.text) }
    for (status, name) in [(CheckStatus.failed, "failed because"), (.notChecked, "not checked"), (.passed, "warning")] {
      let reasons = result.reasons.filter { $0.status == status }
      for (index, reason) in reasons.enumerated() {
        add(index > 0 ? "" : status == .notChecked ? "\(name) (\(reasons.count))" : name, reason.text)
      }
    }
    add("id", result.id)
    return console.styled(title(result), result.result.style) + "\n" + table.text(indent: 2, on: console)
  }

  static func status(_ result: JourneyResult) -> ExitStatus {
    switch result.result {
    case .passed: result.assurance.presence == .photo ? .byPhoto : .done
    case .failed: .noMatch
    case .notChecked: result.error.map { "FN".contains($0.code.rawValue.prefix(1)) } == true ? .failed : .refused
    }
  }
}
