import FaceVerify

/// The result of a complete check as one page: requests, findings, and each reason next to its evidence.
struct VerifyPage {
  struct Names {
    let selfie: String
    let portrait: String
    let reference: String?
  }

  private let result: JourneyResult
  private let configuration: JourneyConfiguration
  private let names: Names

  init(_ result: JourneyResult, _ run: VerifyRun, names: Names) {
    (self.result, self.names, configuration) = (result, names, run.journey.configuration)
  }

  var text: String {
    get throws {
      let reference = names.reference.map { ", reference \(HTML.escaped($0))" } ?? ""
      var sections = [verdict, try pictures]
      for credential in result.credentials {
        if let document = credential.document { sections.append(documentSection(document)) }
        if let face = credential.face {
          sections.append(livenessSection(face.liveness))
          if let match = face.match { sections.append(matchSection(match)) }
        }
      }
      return ReportPage.text(
        title: VerifyText.title(result),
        about:
          "<span class=\"key\">Check \(HTML.escaped(result.id))\(reference), faceverify \(FaceVerifyVersion.string). This page shows a person: keep it as you keep their document.</span>",
        sections: sections)
    }
  }

  private func badge(_ status: CheckStatus) -> String {
    let (word, colour) =
      switch status {
      case .passed: ("passed", "passed")
      case .failed: ("failed", "failed")
      case .notChecked: ("not checked", "open")
      }
    return "<span class=\"badge\"><span class=\"chip \(colour)\"></span>\(word)</span>"
  }

  private func table(_ head: [String], _ rows: [[String]]) -> String {
    "<div class=\"wide\"><table><tr class=\"head\">" + head.map { "<th>\($0)</th>" }.joined() + "</tr>"
      + rows.map { "<tr>" + $0.map { "<td>\($0)</td>" }.joined() + "</tr>" }.joined() + "</table></div>"
  }

  private var verdict: String {
    let rows = VerifyText.lines(result).map { [HTML.escaped($0.name), badge($0.status), HTML.escaped($0.text)] }
    let reasons = result.reasons.map { "<li>\(HTML.escaped($0.text))</li>" }.joined()
    return table(["asked", "result", "why"], rows)
      + (reasons.isEmpty ? "" : "<h3>Reasons and remarks</h3><ul class=\"notes\">\(reasons)</ul>")
  }

  private var pictures: String {
    get throws {
      var figures: [String] = []
      func add(_ picture: PixelBuffer, _ caption: String) throws {
        let small = picture.reduced(by: [1, 2, 4].first { max(picture.width, picture.height) / $0 <= 640 } ?? 8)
        figures.append(
          "<figure><img alt=\"\(HTML.escaped(caption))\" src=\"\(HTML.dataAddress(png: try small.encodedAsPNG()))\">"
            + "<figcaption>\(HTML.escaped(caption))</figcaption></figure>")
      }
      for credential in result.credentials {
        if let selfie = credential.face?.liveness.selfie {
          try add(
            selfie.picture,
            "the person: best frame of \(FileName.last(names.selfie)), quality \(selfie.quality.score.map(String.init) ?? "-") of 100"
          )
        }
        if let portrait = credential.document?.portrait {
          try add(Photo(bytes: portrait.bytes).pixels(), "the portrait of the \(portrait.source.rawValue)")
        }
        for page in credential.pictures {
          try add(page.pixels(reduction: max(page.width, page.height) > 2600 ? 4 : 2), "a page of the document")
        }
      }
      if case .photo(let photo)? = configuration.portrait {
        try add(photo.pixels(), "the portrait: \(FileName.last(names.portrait))")
      }
      return figures.isEmpty ? "" : "<h2>What was seen</h2><div class=\"grid\">\(figures.joined())</div>"
    }
  }

  private func documentSection(_ document: DocumentReading) -> String {
    let checks = document.report.checks.map {
      [HTML.escaped($0.name.rawValue), badge($0.status), HTML.escaped($0.reason?.rawValue ?? "")]
    }
    let fields = DocumentFieldName.allCases.compactMap { name -> [String]? in
      guard let field = document.report.data.fields[name], let value = field.value, !value.isEmpty else { return nil }
      return [HTML.escaped(name.rawValue), badge(field.status), "<code>\(HTML.escaped(value))</code>"]
    }
    return "<h2>The document</h2>" + table(["check", "result", "reason"], checks)
      + "<h3>Fields</h3>" + table(["field", "result", "value"], fields)
  }

  private func livenessSection(_ liveness: LivenessDecision) -> String {
    let rows = liveness.checks.map { check in
      [
        HTML.escaped(check.signal.rawValue), badge(check.status),
        HTML.escaped(LivenessText.value(check)) + " <small>\(HTML.escaped(LivenessText.range(check)))</small>",
        HTML.escaped(check.text),
      ]
    }
    let answers = liveness.answers.map {
      "<li>\(HTML.escaped(LivenessText.describe($0, from: liveness.span?.lowerBound ?? 0)))</li>"
    }.joined()
    let seconds = liveness.span.map { Text.number($0.upperBound - $0.lowerBound, 1) } ?? "0"
    return
      "<h2>Alive and present</h2><p>\(HTML.escaped(LivenessText.title(liveness))); \(liveness.chain.count) frames in "
      + "\(seconds) s.</p>" + (answers.isEmpty ? "" : "<ul>\(answers)</ul>")
      + table(["signal", "result", "value", "what it says"], rows)
  }

  private func matchSection(_ match: FaceCredential.Match) -> String {
    let rows = DecisionText.lines(match.faces).map { [HTML.escaped($0.0), HTML.escaped($0.1)] }
    return "<h2>The same person</h2>" + table(["", DecisionText.title(match.faces)].map(HTML.escaped), rows)
  }
}
