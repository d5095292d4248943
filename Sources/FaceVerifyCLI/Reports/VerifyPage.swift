import FaceVerifyJourney

struct VerifyPage {
  let result: JourneyResult
  let configuration: JourneyConfiguration
  /// The names of the selfie and of the portrait.
  let selfie: String
  let portrait: String
  let reference: String?

  var text: String {
    get throws {
      let reference = reference.map { ", reference \(HTML.escaped($0))" } ?? ""
      var sections = [verdict, try pictures]
      for credential in result.credentials {
        if let document = credential.document { sections.append(section(document)) }
        if let face = credential.face {
          sections.append(section(face.liveness))
          if let match = face.match { sections.append(section(match)) }
        }
      }
      return HTML.page(
        VerifyText.title(result),
        about: "<span class=\"key\">Check \(HTML.escaped(result.id))\(reference), faceverify "
          + "\(FaceVerifyVersion.string). Pictures of the person in this page need the same protection as the document."
          + "</span>", sections)
    }
  }

  private var verdict: String {
    let rows = VerifyText.lines(result).map { [HTML.escaped($0.name), HTML.badge($0.status), HTML.escaped($0.text)] }
    return HTML.table(["check", "result", "why"], rows)
      + (result.reasons.isEmpty
        ? "" : "<h3>Reasons and notes</h3>" + HTML.notes(result.reasons.map { "\($0.status.rawValue): \($0.text)" }))
  }

  private var pictures: String {
    get throws {
      var figures: [String] = []
      func add(_ picture: PixelBuffer, _ caption: String) throws {
        let small = picture.reduced(by: [1, 2, 4].first { max(picture.width, picture.height) / $0 <= 640 } ?? 8)
        figures.append(HTML.figure([(try small.encodedAsPNG(), caption)], HTML.escaped(caption)))
      }
      for credential in result.credentials {
        if let selfie = credential.face?.liveness.selfie {
          let quality = selfie.quality.score.map(String.init) ?? "-"
          try add(selfie.picture, "the person: best frame of \(FileName.last(self.selfie)), quality \(quality) of 100")
        }
        if let portrait = credential.document?.portrait {
          try add(Photo(bytes: portrait.bytes).pixels(), "the portrait of the \(portrait.source.rawValue)")
        }
        for page in credential.pictures {
          try add(page.pixels(reduction: max(page.width, page.height) > 2600 ? 4 : 2), "a page of the document")
        }
      }
      if case .photo(let photo)? = configuration.portrait {
        try add(photo.pixels(), "the portrait: \(FileName.last(portrait))")
      }
      return figures.isEmpty ? "" : HTML.section("Pictures", HTML.grid(figures))
    }
  }

  private func section(_ document: DocumentReading) -> String {
    let checks = document.report.checks.map {
      [HTML.escaped($0.name.rawValue), HTML.badge($0.status), HTML.escaped($0.reason?.rawValue ?? "")]
    }
    let fields = DocumentFieldName.allCases.compactMap { name -> [String]? in
      guard let field = document.report.data.fields[name], let value = field.value, !value.isEmpty else { return nil }
      return [HTML.escaped(name.rawValue), HTML.badge(field.status), HTML.code(value)]
    }
    return HTML.section(
      "Document", HTML.table(["check", "result", "reason"], checks), "<h3>Fields</h3>",
      HTML.table(["field", "result", "value"], fields))
  }

  private func section(_ liveness: LivenessDecision) -> String {
    let rows = liveness.checks.map { check in
      [
        HTML.escaped(check.name.rawValue), HTML.badge(check.status),
        HTML.value(LivenessText.value(check), LivenessText.range(check)), HTML.escaped(check.text),
      ]
    }
    let answers = liveness.answers.map { HTML.escaped(LivenessText.describe($0, from: liveness.span?.lowerBound ?? 0)) }
    let seconds = liveness.span.map { Text.number($0.upperBound - $0.lowerBound, 1) } ?? "0"
    let title = HTML.escaped(LivenessText.title(liveness))
    return HTML.section(
      "Liveness", "<p>\(title); \(Text.counted(liveness.chain.count, "frame")) in \(seconds) s.</p>",
      HTML.list(answers), HTML.table(["signal", "result", "value", "finding"], rows))
  }

  private func section(_ faces: FaceDecision) -> String {
    HTML.section(
      "Comparison",
      HTML.table(["", DecisionText.faceTitle(faces)], DecisionText.lines(faces).map { [$0, $1].map(HTML.escaped) }))
  }
}
