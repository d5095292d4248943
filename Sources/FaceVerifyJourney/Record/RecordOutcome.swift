/// Derives outcomes from recorded evidence; no other rule decides on one.
enum RecordOutcome {
  /// As ``LivenessPolicy/result(of:)``, for signals of any version.
  static func liveness(_ policy: JSONValue?, _ statuses: [LivenessSignal: String]) -> String {
    func signals(_ name: String) -> [LivenessSignal] { (policy?.texts(name) ?? []).map(LivenessSignal.init(rawValue:)) }
    let suspicion = (policy?.list("weights") ?? []).reduce(0.0) { sum, entry in
      sum + (statuses[.init(rawValue: entry.text("signal"))] == "failed" ? entry["weight"]?.double ?? 0 : 0)
    }
    if signals("fatal").contains(where: { statuses[$0] == "failed" })
      || suspicion >= policy?["limit"]?.double ?? .infinity
    {
      return "presentation-attack"
    }
    let isDoubtful = statuses[.arrivalDelay] == "failed" || statuses[.colourResponse] == "failed"
    let required = signals("required")
    return !isDoubtful && !required.isEmpty && required.allSatisfy { statuses[$0] == "passed" } ? "live" : "undecided"
  }

  /// The level that a live decision of a mode bears by its signals and its script; none for less.
  static func presence(_ decision: JSONValue?, _ mode: String) -> Assurance.Presence {
    guard decision?["result"] == "live",
      let row = RecordTables.presence.first(where: { $0.modes.contains { $0.rawValue == mode } })
    else { return .none }
    let statuses = decision?.list("checks").reduce(into: [LivenessSignal: String]()) {
      $0[.init(rawValue: $1.text("signal"))] = $1.text("status")
    }
    let isBorne =
      row.required.allSatisfy { statuses?[$0] == "passed" } && !row.fatal.contains { statuses?[$0] == "failed" }
    return isBorne && (!row.hasScript || decision?["script"]?.elements.isEmpty == false) ? row.level : .none
  }

  /// Whether a document's result is consistent with its checks: failed if and only if a check failed, and passed only
  /// if the required checks passed.
  static func allows(document result: String, _ statuses: [String: String], hasChip: Bool, isAccepted: Bool) -> Bool {
    if statuses.values.contains("failed") || result == "failed" {
      return statuses.values.contains("failed") && result == "failed"
    }
    let needed = ["validation", "expiry"] + (hasChip ? ["chip-read", "passive-authentication"] : [])
    return result == "not-checked"
      || (hasChip || isAccepted) && needed.allSatisfy { statuses[$0] == "passed" }
  }

  /// The evidence of one credential, for ``Outcome``; nil for a document that is not judged.
  private static func evidence(_ credential: JSONValue, _ body: JSONValue) -> Evidence? {
    let configuration = body.configuration
    var evidence = Evidence()
    switch credential.text("category") {
    case "id":
      let (document, choice) = (credential["document"] ?? .null, credential["choice"])
      let isOther =
        document.has("country")
        && (document["country"] != choice?["country"] || document["type"] != choice?["type"])
      let accepted = configuration["assurance"]?.texts("accepted") ?? []
      let kind = UnauthenticatedDocument(type: document.text("type"))
      evidence.documents = [
        .init(
          result: isOther ? .failed : CheckStatus(rawValue: document.text("result")) ?? .notChecked,
          level: isOther ? .none : DocumentAssurance(rawValue: document.text("assurance")) ?? .none,
          isAccepted: !document.has("chip") && accepted.contains(kind.rawValue))
      ]
    case "face":
      let (liveness, comparison) = (credential["liveness"], credential["comparison"] ?? .null)
      func passed(_ signal: LivenessSignal) -> Bool { liveness?.check(signal)?["status"] == "passed" }
      var level = presence(liveness, credential["modes"]?.text("face") ?? "")
      if level == .challengeAnswered, configuration["isCaptureTrusted"] == true, passed(.cameraDevice) {
        level = .trustedCapture
      }
      evidence.presence = .init(
        result: LivenessDecision.Result(rawValue: liveness?.text("result") ?? "") ?? .undecided,
        level: level,
        isLightMissing: configuration["isLightRequired"] == true && !passed(.colourResponse),
        isMovementDeclined: credential["hasDeclined"] == true)
      guard isCompared(body) else { break }
      let kind = configuration["portrait"]?.text("kind") ?? "document"
      let portrait: Assurance.Binding =
        switch kind {
        case "template": .enrolledTemplate
        case "photo", "photo-template": .suppliedPhoto
        default: comparison["threshold"]?["portrait"] == "chip" ? .chipPortrait : .pagePortrait
        }
      evidence.binding = .init(
        result: FaceDecision.Result(rawValue: comparison.text("result")), level: portrait,
        differentPictures: CheckStatus(rawValue: comparison["samePicture"]?.text("status") ?? "") ?? .notChecked)
      if let document = comparison["document"] {
        evidence.documents = [
          .init(
            result: CheckStatus(rawValue: document.text("result")) ?? .notChecked,
            level: DocumentAssurance(rawValue: document.text("assurance")) ?? .none,
            isAccepted: document["isAccepted"] == true)
        ]
      }
    default: return nil
    }
    return evidence
  }

  private static func policy(_ body: JSONValue) -> AssurancePolicy {
    body.configuration["assurance"].flatMap { try? AssurancePolicy($0) } ?? AssurancePolicy()
  }

  static func isCompared(_ body: JSONValue) -> Bool {
    body.configuration["comparesFace"] == true && body.configuration["extractsOnly"] == false
  }

  /// The result and assurance; nil for a document that is not judged.
  static func credential(_ credential: JSONValue, _ body: JSONValue) -> (result: String?, proved: JSONValue?) {
    guard let evidence = evidence(credential, body) else { return (nil, nil) }
    let outcome = Outcome(evidence, policy: policy(body))
    return (outcome.result.rawValue, outcome.assurance.jsonValue)
  }

  static func assurance(_ body: JSONValue) -> JSONValue {
    var all = Evidence()
    for (_, credential) in body.credentials {
      guard let evidence = evidence(credential, body) else { continue }
      all.add(evidence)
    }
    return Outcome(all, policy: policy(body)).assurance.jsonValue
  }

  static func journey(_ results: [String], hasError: Bool) -> String {
    if results.contains("failed") { return "failed" }
    return !hasError && !results.isEmpty && results.allSatisfy { $0 == "passed" } ? "passed" : "not-checked"
  }
}
