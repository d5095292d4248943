/// The rules of docs/records.md, by their numbers there. `examples/record/verify.py` implements the same rules.
enum RecordRules {
  struct Problem {
    let rule: Int
    let text: String

    init(_ rule: Int, _ text: String) { (self.rule, self.text) = (rule, text) }
  }

  struct Finding {
    let status: CheckStatus
    let text: String

    /// Passed if empty. Reports at most four problems.
    static func problems(_ problems: [Problem]) -> Self {
      Self(
        status: problems.isEmpty ? .passed : .failed,
        text: problems.prefix(4).map { "\($0.text) (rule \($0.rule))" }.joined(separator: "; ")
          + (problems.count > 4 ? "; and \(problems.count - 4) more" : ""))
    }

    static func notChecked(_ why: String) -> Self { Self(status: .notChecked, text: why) }
  }

  enum Check {
    case bytes(@Sendable (DecisionRecord, [PublicKey]) -> Finding)
    case schema
    /// Checks the body, which matches the schema.
    case content(@Sendable (JSONValue) -> [Problem])
  }

  static let all: [(name: RecordProperty, check: Check)] = [
    (.canonicalForm, .bytes(canonicalForm)), (.schema, .schema), (.signature, .bytes(signature)),
    (.signingKey, .bytes(signingKey)), (.inputs, .content(inputs)), (.order, .content(order)),
    (.consents, .content(consents)), (.requests, .content(requests)), (.models, .content(models)),
    (.thresholds, .content(thresholds)), (.documents, .content(documents)), (.credentials, .content(credentials)),
    (.result, .content(result)),
  ]

  // MARK: File

  private static func canonicalForm(_ record: DecisionRecord, _: [PublicKey]) -> Finding {
    let canonical = record.json.canonical
    guard canonical != record.bytes else { return .problems([]) }
    let offset = zip(canonical, record.bytes).prefix { $0 == $1 }.count
    return .problems([
      Problem(1, "from byte \(offset) on it is written otherwise than RFC 8785 says: it was edited or formatted")
    ])
  }

  static func schema(_ record: DecisionRecord) -> [Problem] {
    var problems: [String] = []
    RecordShape.record.check(record.json, at: "record", &problems)
    return problems.map { Problem(2, $0) }
  }

  private static func signature(_ record: DecisionRecord, _: [PublicKey]) -> Finding {
    guard record.json["signature"]?["algorithm"]?.string == DecisionRecord.algorithm, let key = record.signer,
      let value = record.json["signature"]?["value"]?.string.flatMap(Base64.standard.decode)
    else { return .problems([Problem(3, "there is no Ed25519 signature")]) }
    let isValid = key.verifies(value, of: record.signedBytes)
    let problem = "the record was changed after it was signed, or another key signed it than the one it names"
    return .problems(isValid ? [] : [Problem(3, problem)])
  }

  private static func signingKey(_ record: DecisionRecord, _ trusted: [PublicKey]) -> Finding {
    guard let key = record.signer else { return .problems([Problem(4, "there is no key")]) }
    guard !trusted.isEmpty else {
      return .notChecked("only the record itself vouches for its key \(key.fingerprint); name the one that you trust")
    }
    return .problems(
      trusted.contains(key) ? [] : [Problem(4, "it names the key \(key.fingerprint), which is not trusted")])
  }

  // MARK: Results

  private static func credentials(_ body: JSONValue) -> [Problem] {
    let configuration = body.configuration
    let isCompared = RecordOutcome.isCompared(body)
    let given = configuration["portrait"] ?? .null
    return body.credentials.flatMap { path, credential -> [Problem] in
      var problems: [Problem] = []
      if let decision = credential["comparison"], decision != .null {
        let portrait = given == .null ? body.firstDocument?["portraitSha256"] : given["sha256"]
        let mayMatch = given == .null ? body.firstDocument?["mayMatch"] : decision["document"]?["mayMatch"]
        let isOfDocument = given == .null || given.text("kind") == "document"
        problems.add(
          30, "\(path): it was compared with another portrait than the requested one",
          if: !isCompared || portrait == .null || decision["portrait"]?["input"]?["sha256"] != portrait
            || isOfDocument != (decision["document"] != nil) || decision["document"]?["mayMatch"] != mayMatch
            || given == .null
              && ["result", "assurance"].contains(where: { decision["document"]?[$0] != body.firstDocument?[$0] })
        )
        if let document = decision["document"], !isPossible(document, decision, body) {
          problems.append(Problem(30, "\(path): the document that was compared is not as good as it says"))
        }
        let selfie = decision["selfie"]?["input"]
        problems.add(
          30, "\(path): another template was compared than that of the living person",
          if: selfie?.text("kind") != "template" || selfie?["sha256"] != credential["liveness"]?["template"]?["sha256"])
      }
      let (expected, proved) = RecordOutcome.credential(credential, body)
      problems.add(
        34, "\(path): the assurance does not follow from its parts", if: credential["assurance"] != proved ?? .null)
      problems.add(
        31, "\(path): the result must be \(expected ?? "null"), not \(credential["result"]?.string ?? "none")",
        if: credential["result"] != expected.map(JSONValue.string) ?? .null)
      if ["failed", "not-checked"].contains(credential["result"]), credential.list("reasons").isEmpty {
        problems.append(Problem(32, "\(path) did not pass and has no reason"))
      }
      return problems
    }
  }

  /// Whether a comparison's `document` follows from the document, or if that was given, does not contradict itself.
  private static func isPossible(_ document: JSONValue, _ decision: JSONValue, _ body: JSONValue) -> Bool {
    let accepted = body.configuration["assurance"]?.list("accepted") ?? []
    let (isAccepted, level) = (document["isAccepted"] == true, document.text("assurance"))
    guard (level == "none") == (document["result"] == "failed") else { return false }
    guard body.configuration.has("portrait") else {
      let read = body.firstDocument
      let kind: JSONValue = .string(UnauthenticatedDocument(type: read?.text("type") ?? "").rawValue)
      return isAccepted == (read?.has("chip") != true && accepted.contains(kind))
    }
    let portrait = decision["threshold"]?["portrait"]
    return isAccepted
      ? !accepted.isEmpty && portrait == "page"
      : document["result"] != "passed"
        || ["chip-copy-authentic", "chip-authentic"].contains(level) && portrait == "chip"
  }

  private static func result(_ body: JSONValue) -> [Problem] {
    var problems: [Problem] = []
    problems.add(
      33, "body.result: isComplete and error do not agree", if: body["result"]?["isComplete"]?.bool == body.hasError)
    let reasons = Set((body["result"]?.list("reasons") ?? []).map(\.canonical))
    if !reasons.isSuperset(of: body.credentials.flatMap { $1.list("reasons").map(\.canonical) }) {
      problems.append(Problem(32, "body.result lacks the reasons of its credentials"))
    }
    // A document that is only kept is not judged.
    let isJudged = body.credentials.contains { $1.has("result") }
    if body["result"]?["result"] != "passed", isJudged, reasons.isEmpty {
      problems.append(Problem(32, "body.result did not pass and has no reason"))
    }
    let expected = RecordOutcome.journey(body.credentials.compactMap { $1["result"]?.string }, hasError: body.hasError)
    problems.add(
      33, "body.result: the result must be \(expected), as the credentials are",
      if: body["result"]?.text("result") != expected)
    problems.add(
      34, "body.result: the assurance is not that of the credentials",
      if: body["result"]?["assurance"] != RecordOutcome.assurance(body))
    return problems
  }
}

extension [RecordRules.Problem] {
  /// Adds a violation of a rule if the record has it.
  mutating func add(_ rule: Int, _ text: @autoclosure () -> String, if isThere: Bool) {
    if isThere { append(.init(rule, text())) }
  }
}

extension JSONValue {
  var configuration: JSONValue { self["configuration"] ?? .null }
  /// A member's text; empty if it is not a text.
  func text(_ name: String) -> String { self[name]?.string ?? "" }
  /// A member's elements; empty if it is not an array.
  func list(_ name: String) -> [JSONValue] { self[name]?.elements ?? [] }
  /// Whether a member is there and not null.
  func has(_ name: String) -> Bool { self[name] ?? .null != .null }
  /// The names of an object's members.
  func names(_ name: String) -> Set<String> { if case .object(let all)? = self[name] { Set(all.keys) } else { [] } }
  /// The texts of a list.
  func texts(_ name: String) -> [String] { list(name).compactMap(\.string) }
  /// The check of a liveness decision.
  func check(_ signal: LivenessSignal) -> JSONValue? { list("checks").first { $0.text("signal") == signal.rawValue } }
  /// The inputs of a call of this body.
  func inputs(of call: JSONValue) -> [JSONValue] {
    let inputs = list("inputs")
    return call.list("inputs").compactMap(\.integer).filter(inputs.indices.contains).map { inputs[$0] }
  }
  /// The time at which a credential was finished; nil if it was not.
  func end(of credential: Int) -> Double? {
    list("events").last { $0.text("event") == "credential-finished" && $0["credential"]?.integer == credential }?["at"]?
      .double
  }
  var hasError: Bool { self["result"]?.has("error") == true }
  var credentials: [(path: String, credential: JSONValue)] {
    list("credentials").enumerated().map { ("body.credentials[\($0)]", $1) }
  }
  var firstDocument: JSONValue? { credentials.lazy.compactMap { $1["document"] }.first { $0 != .null } }
}
