/// What must hold for a record, in the order in which it is told.
enum RecordRules {
  enum Finding {
    /// Passed if there are none.
    case problems([String])
    case notChecked(String)

    var status: CheckStatus {
      switch self {
      case .problems(let problems): problems.isEmpty ? .passed : .failed
      case .notChecked: .notChecked
      }
    }

    var text: String {
      switch self {
      // Whoever changed everything need not be told everything.
      case .problems(let problems):
        problems.prefix(4).joined(separator: "; ") + (problems.count > 4 ? "; and \(problems.count - 4) more" : "")
      case .notChecked(let why): why
      }
    }
  }

  enum Check {
    case bytes(@Sendable (DecisionRecord, [PublicKey]) -> Finding)
    case schema
    /// Of the body, which keeps the schema; gives what is wrong.
    case content(@Sendable (JSONValue) -> [String])
  }

  static let all: [(name: RecordCheck.Name, check: Check)] = [
    (.canonicalForm, .bytes(canonicalForm)), (.schema, .schema), (.signature, .bytes(signature)),
    (.signingKey, .bytes(signingKey)), (.inputs, .content(inputs)), (.order, .content(order)),
    (.consents, .content(consents)), (.models, .content(models)), (.thresholds, .content(thresholds)),
    (.credentials, .content(credentials)), (.result, .content(result)),
  ]

  private static func canonicalForm(_ record: DecisionRecord, _: [PublicKey]) -> Finding {
    let canonical = record.json.canonical
    guard canonical != record.bytes else { return .problems([]) }
    let offset = zip(canonical, record.bytes).prefix { $0 == $1 }.count
    return .problems(["from byte \(offset) on it is written otherwise than RFC 8785 says: it was edited or formatted"])
  }

  static func schema(_ record: DecisionRecord) -> [String] {
    var problems: [String] = []
    RecordShape.record.check(record.json, at: "record", &problems)
    return problems
  }

  private static func signature(_ record: DecisionRecord, _: [PublicKey]) -> Finding {
    guard record.json["signature"]?["algorithm"]?.string == DecisionRecord.algorithm, let key = record.signer,
      let value = record.json["signature"]?["value"]?.string.flatMap(base64Decoded)
    else { return .problems(["there is no Ed25519 signature"]) }
    guard key.verifies(value, of: record.signedBytes) else {
      return .problems(["the record was changed after it was signed, or another key signed it than the one it names"])
    }
    return .problems([])
  }

  private static func signingKey(_ record: DecisionRecord, _ trusted: [PublicKey]) -> Finding {
    guard let key = record.signer else { return .problems(["there is no key"]) }
    guard !trusted.isEmpty else {
      return .notChecked("only the record itself vouches for its key \(key.fingerprint); name the one that you trust")
    }
    return .problems(trusted.contains(key) ? [] : ["it names the key \(key.fingerprint), which is not trusted"])
  }

  private static func inputs(_ body: JSONValue) -> [String] {
    let inputs = body["inputs"]?.elements ?? []
    var problems = inputs.enumerated().filter { $1["index"]?.integer != $0 }.map { position, _ in
      "body.inputs[\(position)] has another index"
    }
    var used = Set<Int>()
    for (position, call) in (body["calls"]?.elements ?? []).enumerated() {
      for input in (call["inputs"]?.elements ?? []).compactMap(\.integer) {
        if !inputs.indices.contains(input) {
          problems.append("body.calls[\(position)] has input \(input), which is not there")
        }
        used.insert(input)
      }
    }
    return problems + inputs.indices.filter { !used.contains($0) }.map { "no call has input \($0)" }
  }

  private static func order(_ body: JSONValue) -> [String] {
    var problems: [String] = []
    for list in ["calls", "events"] {
      let times = (body[list]?.elements ?? []).map { $0["at"]?.double ?? 0 }
      problems += times.indices.dropFirst().filter { times[$0] < times[$0 - 1] }.map {
        "body.\(list)[\($0)] is earlier than what stands before it"
      }
    }
    let events = body["events"]?.elements ?? []
    let ends = events.indices.filter { events[$0]["event"]?.string == "finished" }
    guard ends == [events.count - 1], let end = events.last else {
      return problems + ["the journey must finish once, with the last event, and did \(ends.count) times"]
    }
    if let isSuccess = end["isSuccess"], isSuccess != body["result"]?["isSuccess"] {
      problems.append("the last event and the result do not agree on isSuccess")
    }
    if end["at"]?.double != (body["calls"]?.elements.last)?["at"]?.double {
      problems.append("the last event is not of the last call's time")
    }
    return problems
  }

  private static func consents(_ body: JSONValue) -> [String] {
    let items = body["configuration"]?["consents"]?.elements ?? []
    var given: [Int: Bool] = [:]
    var problems: [String] = []
    for (position, call) in (body["calls"]?.elements ?? []).enumerated() {
      switch call["call"]?.string {
      case "consent":
        guard let item = call["item"]?.integer, items.indices.contains(item), let isGiven = call["isGiven"]?.bool else {
          problems.append("body.calls[\(position)] consents to nothing that is asked for")
          continue
        }
        given[item] = isGiven
      case "start-credential":
        for item in items.indices where given[item] != true {
          problems.append("body.calls[\(position)] starts a credential without consent to item \(item)")
        }
      default: break
      }
    }
    return problems
  }

  private static func models(_ body: JSONValue) -> [String] {
    let names = ["set", "identifier", "revision", "precision"]
    return decisions(body).flatMap { path, decision -> [String] in
      names.filter { decision["models"]?[$0] != body["models"]?[$0] }.map {
        "\(path).models.\($0) is not that of body.models"
      } + (decision["version"] == body["library"] ? [] : ["\(path).version is not that of body.library"])
    }
  }

  /// All decisions of liveness and comparisons.
  private static func decisions(_ body: JSONValue) -> [(path: String, decision: JSONValue)] {
    (body["credentials"]?.elements ?? []).enumerated().flatMap { position, credential in
      ["liveness", "comparison"].compactMap { name in
        credential[name].flatMap { $0 == .null ? nil : ("body.credentials[\(position)].\(name)", $0) }
      }
    }
  }

  /// Numbers are written with 4 decimals, signals and scores alike: so close to a limit nothing can be told.
  private static let rounding = 1e-4

  private static func thresholds(_ body: JSONValue) -> [String] {
    decisions(body).flatMap { path, decision in
      decision["checks"] == nil ? comparison(decision, path) : liveness(decision, path)
    }
  }

  private static func comparison(_ decision: JSONValue, _ path: String) -> [String] {
    let result = decision["result"]?.string
    guard let comparison = decision["comparison"], let score = comparison["score"]?.double,
      let isMatch = comparison["match"]?.bool, let threshold = decision["threshold"]?["score"]?.double
    else { return result == "refused" ? [] : ["\(path) has a result and no score"] }
    var problems: [String] = []
    if abs(score - threshold) > rounding && isMatch != (score < threshold) {
      problems.append("\(path): the score \(score) and the threshold \(threshold) do not agree with match")
    }
    // A document that proves nothing makes the decision refused, whatever the faces say.
    let expected = decision["document"]?["mayMatch"]?.bool == false ? "refused" : isMatch ? "match" : "no-match"
    if result != expected { problems.append("\(path): the result must be \(expected), not \(result ?? "")") }
    return problems
  }

  private static func liveness(_ decision: JSONValue, _ path: String) -> [String] {
    var problems: [String] = []
    var statuses: [String: String] = [:]
    for check in decision["checks"]?.elements ?? [] {
      let (signal, status) = (check["signal"]?.string ?? "", check["status"]?.string ?? "")
      if statuses.updateValue(status, forKey: signal) != nil {
        problems.append("\(path) has the signal \(signal) twice")
      }
      guard let value = check["value"]?.double else {
        if status != "not-checked" { problems.append("\(path): the signal \(signal) has \(status) without a value") }
        continue
      }
      let distance = min(
        value - (check["minimum"]?.double ?? -.infinity), (check["maximum"]?.double ?? .infinity) - value)
      if status == "not-checked" || abs(distance) > rounding && status != (distance > 0 ? "passed" : "failed") {
        problems.append("\(path): the signal \(signal), \(value), does not agree with its limits: \(status)")
      }
    }
    let policy = decision["policy"]
    func signals(_ name: String) -> [String] { (policy?[name]?.elements ?? []).compactMap(\.string) }
    let suspicion = (policy?["weights"]?.elements ?? []).reduce(0.0) { sum, entry in
      sum + (statuses[entry["signal"]?.string ?? ""] == "failed" ? entry["weight"]?.double ?? 0 : 0)
    }
    let isAttack =
      signals("fatal").contains { statuses[$0] == "failed" } || suspicion >= policy?["limit"]?.double ?? .infinity
    let result = decision["result"]?.string
    if isAttack != (result == "presentation-attack") {
      problems.append("\(path): by its policy the signals are \(isAttack ? "" : "not ")those of an attack")
    }
    if result == "live", let missing = signals("required").first(where: { statuses[$0] != "passed" }) {
      problems.append("\(path): live without the signal \(missing), which its policy requires")
    }
    return problems
  }

  private static func credentials(_ body: JSONValue) -> [String] {
    let configuration = body["configuration"]
    let documents = (body["credentials"]?.elements ?? []).compactMap { $0["document"]?["mayMatch"] }
    return (body["credentials"]?.elements ?? []).enumerated().flatMap { position, credential -> [String] in
      let path = "body.credentials[\(position)]"
      let isFace = credential["category"]?.string == "face"
      var parts: [CheckStatus] = []
      if isFace || credential["liveness"] ?? .null != .null {
        parts.append(status(credential["liveness"], passes: "live", fails: "presentation-attack"))
      }
      let isCompared = configuration?["comparesFace"]?.bool ?? true && configuration?["extractsOnly"]?.bool != true
      if isFace && isCompared || credential["comparison"] ?? .null != .null {
        parts.append(status(credential["comparison"], passes: "match", fails: "no-match"))
      }
      if !isFace, let result = credential["document"]?["result"]?.string {
        parts.append(CheckStatus(rawValue: result) ?? .notChecked)
      }
      var problems: [String] = []
      let result = credential["result"]?.string
      if !parts.isEmpty && result != joined(parts).rawValue {
        problems.append(
          "\(path): the result must be \(joined(parts).rawValue), as its parts are, not \(result ?? "none")")
      }
      if let mayMatch = credential["comparison"]?["document"]?["mayMatch"],
        configuration?["portrait"] ?? .null == .null, !documents.contains(mayMatch)
      {
        problems.append("\(path): it was compared with a document of which another thing is said")
      }
      let template = credential["liveness"]?["template"]?["sha256"]
      if let compared = credential["comparison"]?["selfie"]?["input"]?["sha256"], compared != template {
        problems.append("\(path): another template was compared than that of the living person")
      }
      return problems
    }
  }

  private static func status(_ decision: JSONValue?, passes: String, fails: String) -> CheckStatus {
    switch decision?["result"]?.string {
    case passes: .passed
    case fails: .failed
    default: .notChecked
    }
  }

  private static func joined(_ parts: [CheckStatus]) -> CheckStatus {
    if parts.contains(.failed) { return .failed }
    return !parts.isEmpty && parts.allSatisfy { $0 == .passed } ? .passed : .notChecked
  }

  private static func result(_ body: JSONValue) -> [String] {
    let result = body["result"]
    let hasError = result?["error"] ?? .null != .null
    var problems: [String] = []
    if result?["isSuccess"]?.bool == hasError { problems.append("body.result: isSuccess and error do not agree") }
    // Of a document that nobody judges it is null.
    let parts = (body["credentials"]?.elements ?? []).compactMap { $0["result"]?.string.flatMap(CheckStatus.init) }
    let all = joined(parts)
    let expected = all == .passed && hasError ? .notChecked : all
    if result?["result"]?.string != expected.rawValue {
      problems.append("body.result: the result must be \(expected.rawValue), as the credentials are")
    }
    return problems
  }
}
