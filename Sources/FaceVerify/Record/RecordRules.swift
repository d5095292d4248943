internal import Glibc

/// The rules of docs/records.md, by their numbers there. `examples/record/verify.py` implements the same rules.
enum RecordRules {
  /// A violation of a rule.
  struct Problem {
    let rule: Int
    let text: String

    init(_ rule: Int, _ text: String) { (self.rule, self.text) = (rule, text) }
  }

  enum Finding {
    /// Passed if empty.
    case problems([Problem])
    case notChecked(String)

    var status: CheckStatus {
      switch self {
      case .problems(let problems): problems.isEmpty ? .passed : .failed
      case .notChecked: .notChecked
      }
    }

    var text: String {
      switch self {
      // Reports at most four problems.
      case .problems(let problems):
        problems.prefix(4).map { "\($0.text) (rule \($0.rule))" }.joined(separator: "; ")
          + (problems.count > 4 ? "; and \(problems.count - 4) more" : "")
      case .notChecked(let why): why
      }
    }
  }

  enum Check {
    case bytes(@Sendable (DecisionRecord, [PublicKey]) -> Finding)
    case schema
    /// Checks the body, which matches the schema.
    case content(@Sendable (JSONValue) -> [Problem])
  }

  static let all: [(name: RecordCheck.Name, check: Check)] = [
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
      let value = record.json["signature"]?["value"]?.string.flatMap(base64Decoded)
    else { return .problems([Problem(3, "there is no Ed25519 signature")]) }
    guard key.verifies(value, of: record.signedBytes) else {
      return .problems([
        Problem(3, "the record was changed after it was signed, or another key signed it than the one it names")
      ])
    }
    return .problems([])
  }

  private static func signingKey(_ record: DecisionRecord, _ trusted: [PublicKey]) -> Finding {
    guard let key = record.signer else { return .problems([Problem(4, "there is no key")]) }
    guard !trusted.isEmpty else {
      return .notChecked("only the record itself vouches for its key \(key.fingerprint); name the one that you trust")
    }
    return .problems(
      trusted.contains(key) ? [] : [Problem(4, "it names the key \(key.fingerprint), which is not trusted")])
  }

  // MARK: Inputs and calls

  /// The kinds of inputs that each call may have.
  private static let inputKinds: [String: Set<String>] = [
    "start": ["photo", "template"], "frame": ["frame"], "take-picture": ["frame"], "attach": ["photo"],
    "attach-chip": ["chip"], "attach-code": ["code"],
  ]

  private static func inputs(_ body: JSONValue) -> [Problem] {
    let inputs = body.list("inputs")
    var problems = inputs.enumerated().filter { $1["index"]?.integer != $0 }.map { position, _ in
      Problem(5, "body.inputs[\(position)] has another index")
    }
    var uses = [Int](repeating: 0, count: inputs.count)
    for (position, call) in body.list("calls").enumerated() {
      for index in call.list("inputs").compactMap(\.integer) {
        guard inputs.indices.contains(index) else {
          problems.append(Problem(6, "body.calls[\(position)] has input \(index), which is not there"))
          continue
        }
        uses[index] += 1
        let (name, kind) = (call.text("call"), inputs[index].text("kind"))
        if inputKinds[name]?.contains(kind) != true {
          problems.append(Problem(6, "body.calls[\(position)], \(name), has an input of the kind \(kind)"))
        }
      }
    }
    problems += uses.indices.filter { uses[$0] != 1 }.map {
      Problem(6, uses[$0] == 0 ? "no call has input \($0)" : "\(uses[$0]) calls have input \($0)")
    }
    if let start = body.list("calls").first(where: { $0.text("call") == "start" }) {
      let portrait = body["configuration"]?["portrait"]
      let kinds = ["photo": "photo", "template": "template", "photo-template": "template"]
      let wanted = kinds[portrait?.text("kind") ?? ""].map(JSONValue.string)
      let brought = start.list("inputs").compactMap(\.integer).filter(inputs.indices.contains).map { inputs[$0] }
      let isRight =
        brought.map { [$0["kind"], $0["sha256"]] } == (wanted == nil ? [] : [[wanted, portrait?["sha256"]]])
      if !isRight {
        problems.append(Problem(7, "the portrait of the configuration is not the input of the call start"))
      }
    }
    let pictures = inputs.count { ["frame", "photo"].contains($0.text("kind")) }
    for (path, credential) in body.credentials {
      if let count = credential["liveness"]?["frames"]?["count"]?.integer,
        count > pictures || count == 0 && credential["liveness"]?.text("result") == "live"
      {
        problems.append(Problem(8, "\(path).liveness rests on \(count) frames, of \(pictures) that were given"))
      }
      if let chip = credential["document"]?["chip"], chip != .null,
        !inputs.contains(where: { $0.text("kind") == "chip" })
      {
        problems.append(Problem(8, "\(path).document has a chip of which no file was given"))
      }
    }
    return problems
  }

  private static func order(_ body: JSONValue) -> [Problem] {
    var problems: [Problem] = []
    let (calls, events) = (body.list("calls"), body.list("events"))
    for (name, list) in [("calls", calls), ("events", events)] {
      var last = body["created"]?.double ?? 0
      for (position, step) in list.enumerated() {
        let at = step["at"]?.double ?? 0
        if at < last { problems.append(Problem(9, "body.\(name)[\(position)] is earlier than what stands before it")) }
        last = at
      }
    }
    let ends = events.indices.filter { events[$0].text("event") == "finished" }
    guard ends == [events.count - 1], let end = events.last else {
      return problems + [
        Problem(10, "the journey must finish once, with the last event, and did \(ends.count) times")
      ]
    }
    if end["isComplete"] != body["result"]?["isComplete"] {
      problems.append(Problem(10, "the last event and the result do not agree on isComplete"))
    }
    if end["at"]?.double != calls.last?["at"]?.double {
      problems.append(Problem(10, "the last event is not of the last call's time"))
    }
    let closing = body.hasError ? "cancel" : "finish"
    if calls.last?.text("call") != closing {
      problems.append(Problem(10, "the last call must be \(closing), not \(calls.last?.text("call") ?? "none")"))
    }
    guard !body.hasError else { return problems }
    let (created, configuration) = (body["created"]?.double ?? 0, body["configuration"])
    let start = calls.first { $0.text("call") == "start" }?["at"]?.double ?? .infinity
    if start - created > configuration?["startBy"]?.double ?? 0
      || (calls.last?["at"]?.double ?? 0) - start > configuration?["timeout"]?.double ?? 0
    {
      problems.append(Problem(11, "the journey took longer than startBy and timeout allow"))
    }
    return problems
  }

  private static func consents(_ body: JSONValue) -> [Problem] {
    let items = body["configuration"]?.list("consents") ?? []
    var given: [Int: Bool] = [:]
    var (hasStarted, hasCredential) = (false, false)
    var problems: [Problem] = []
    for (position, call) in body.list("calls").enumerated() {
      let path = "body.calls[\(position)]"
      switch call.text("call") {
      case "start": hasStarted = true
      case "consent":
        guard let item = call["item"]?.integer, items.indices.contains(item), let isGiven = call["isGiven"]?.bool else {
          problems.append(Problem(12, "\(path) consents to nothing that is asked for"))
          continue
        }
        if hasCredential || !hasStarted { problems.append(Problem(12, "\(path) consents when it cannot")) }
        given[item] = isGiven
      case "start-credential":
        hasCredential = true
        if !hasStarted { problems.append(Problem(12, "\(path) starts a credential before the call start")) }
        for item in items.indices where given[item] != true {
          problems.append(Problem(12, "\(path) starts a credential without consent to item \(item)"))
        }
      default: break
      }
    }
    return problems
  }

  // MARK: Requests

  private static let documentParts: Set = ["front", "back", "multipart", "chip"]

  private static func requests(_ body: JSONValue) -> [Problem] {
    let configuration = body["configuration"]
    let requests = configuration?.list("requests") ?? []
    let (asked, brought) = (requests.map { $0.text("category") }, body.credentials.map { $1.text("category") })
    guard brought == (body.hasError ? [] : asked) else {
      return [
        Problem(
          13,
          "the credentials are \(brought.joined(separator: ", ")), and must be "
            + (body.hasError ? "none, as there is an error" : asked.joined(separator: ", ")))
      ]
    }
    func texts(_ json: JSONValue?) -> [String] { (json?.elements ?? []).compactMap(\.string) }
    var problems: [Problem] = []
    for (index, (path, credential)) in body.credentials.enumerated() {
      let wasStarted = body.list("calls").contains {
        $0.text("call") == "start-credential" && $0["credential"]?.integer == index
      }
      let end = body.end(of: index)
      let wasFinished = body.list("calls").contains {
        $0.text("call") == "finish-credential" && $0["at"]?.double == end
      }
      if !wasStarted || end == nil || !wasFinished {
        problems.append(Problem(14, "\(path) was not started and finished by calls, with an event at its end"))
      }
      let category = credential.text("category")
      func has(_ name: String) -> Bool { credential[name] ?? .null != .null }
      let isRight =
        has("document") == (category == "id") && has("choice") == (category == "id")
        && has("liveness") == (category == "face") && (!has("comparison") || category == "face")
        && has("result") == (category != "document")
      if !isRight { problems.append(Problem(15, "\(path) has not the parts of the category \(category)")) }
      if case .object(let modes)? = credential["modes"] {
        let isAllowed = modes.allSatisfy { part, mode in
          let mode = mode.string ?? ""
          switch category {
          case "face": return part == "face" && texts(configuration?["faceModes"]).contains(mode)
          case "id" where part == "chip": return mode == "chip-files"
          case "id": return documentParts.contains(part) && texts(configuration?["documentModes"]).contains(mode)
          default: return part == "document" && texts(configuration?["documentModes"]).contains(mode)
          }
        }
        if !isAllowed || modes.isEmpty {
          problems.append(Problem(15, "\(path) was scanned in a mode that the configuration does not allow"))
        }
      }
      guard has("choice"), let choice = credential["choice"] else { continue }
      let request = requests[index]
      func allows(_ list: String, _ value: String) -> Bool {
        let allowed = texts(request[list]).map(DocumentChoice.icao)
        return allowed.isEmpty || allowed.contains(DocumentChoice.icao(value))
      }
      if !allows("countries", choice.text("country")) || !allows("types", choice.text("type"))
        || !allows("variants", choice.text("variant"))
      {
        problems.append(Problem(16, "\(path) is of a document that was not asked for"))
      }
      if credential["document"]?.text("result") == "passed", credential["document"]?["type"] != choice["type"] {
        problems.append(Problem(16, "\(path): the document is of another type than the one that was chosen"))
      }
    }
    return problems
  }

  private static func models(_ body: JSONValue) -> [Problem] {
    let names = ["set", "identifier", "revision", "precision"]
    return decisions(body).flatMap { path, decision -> [Problem] in
      names.filter { decision["models"]?[$0] != body["models"]?[$0] }.map {
        Problem(17, "\(path).models.\($0) is not that of body.models")
      } + (decision["version"] == body["library"] ? [] : [Problem(17, "\(path).version is not that of body.library")])
    }
  }

  /// All liveness decisions and comparisons.
  private static func decisions(_ body: JSONValue) -> [(path: String, decision: JSONValue)] {
    body.credentials.flatMap { path, credential in
      ["liveness", "comparison"].compactMap { name in
        credential[name].flatMap { $0 == .null ? nil : ("\(path).\(name)", $0) }
      }
    }
  }

  // MARK: Decisions

  /// Signals and scores are recorded with 4 decimals: within this distance of a limit, no violation can be detected.
  private static let rounding = 1e-4

  private static func thresholds(_ body: JSONValue) -> [Problem] {
    body.credentials.flatMap { path, credential -> [Problem] in
      var problems: [Problem] = []
      if let decision = credential["liveness"], decision != .null {
        problems += liveness(
          decision, credential["modes"]?.text("face") ?? "", body["configuration"], path + ".liveness")
      }
      if let decision = credential["comparison"], decision != .null {
        problems += comparison(decision, body, path + ".comparison")
      }
      return problems
    }
  }

  private static func liveness(
    _ decision: JSONValue, _ mode: String, _ configuration: JSONValue?, _ path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    var statuses: [String: String] = [:]
    for check in decision.list("checks") {
      let (signal, status) = (check.text("signal"), check.text("status"))
      if statuses.updateValue(status, forKey: signal) != nil {
        problems.append(Problem(18, "\(path) has the signal \(signal) twice"))
      }
      guard let value = check["value"]?.double else {
        if status != "not-checked" {
          problems.append(Problem(18, "\(path): the signal \(signal) has \(status) without a value"))
        }
        continue
      }
      let distance = min(
        value - (check["minimum"]?.double ?? -.infinity), (check["maximum"]?.double ?? .infinity) - value)
      if status == "not-checked" || abs(distance) > rounding && status != (distance > 0 ? "passed" : "failed") {
        problems.append(
          Problem(18, "\(path): the signal \(signal), \(value), does not agree with its limits: \(status)"))
      }
    }
    let policy = decision["policy"]
    let named =
      ["required", "fatal"].flatMap { policy?.list($0) ?? [] }.compactMap(\.string)
      + (policy?.list("weights") ?? []).map { $0.text("signal") }
    for signal in Set(named).sorted() where statuses[signal] == nil {
      problems.append(Problem(18, "\(path): the signal \(signal), which its policy names, is not there"))
    }
    if policy != configuration?["livenessPolicies"]?[mode] {
      problems.append(Problem(19, "\(path).policy is not the one of the configuration for the mode \(mode)"))
    }
    problems += session(decision, mode, configuration, statuses, path)
    let expected = RecordOutcome.liveness(policy, statuses)
    if decision.text("result") != expected {
      problems.append(Problem(21, "\(path): by its policy and signals the result must be \(expected)"))
    }
    if (decision["retry"] ?? .null != .null) != (expected == "undecided") {
      problems.append(Problem(21, "\(path): retry is for what was undecided, and only for that"))
    }
    return problems
  }

  /// Checks that the session's nonce and challenges follow from the configuration.
  private static func session(
    _ decision: JSONValue, _ mode: String, _ configuration: JSONValue?, _ statuses: [String: String], _ path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    let nonce = configuration?["nonce"]?.string.flatMap(decodedHexadecimal) ?? []
    // A fallback counts as an additional try.
    let tries = (configuration?["maximumTries"]?.integer ?? 0) + (configuration?.list("faceModes").count ?? 0)
    let isOfTry = (1...UInt32(max(0, min(tries, 100)) + 1)).contains { number in
      let bytes = number == 1 ? nonce : sha256Bytes(nonce + withUnsafeBytes(of: number.bigEndian) { Array($0) })
      return decision["nonce"] == (bytes.isEmpty ? .null : .string(hexadecimal(bytes)))
    }
    if !isOfTry { problems.append(Problem(20, "\(path).nonce does not follow from that of the configuration")) }
    let script = decision["script"] ?? .null
    let isAsked = ["liveness", "strict"].contains(mode)
    let given = configuration?["script"] ?? .null
    if (script != .null) != isAsked || isAsked && given != .null && given != script {
      problems.append(Problem(20, "\(path).script is not what the mode \(mode) and the configuration ask for"))
    }
    let answered = decision.list("answers").filter { $0.text("outcome") == "passed" }.map { $0.text("challenge") }
    if statuses["challenge-compliance"] == "passed", script.elements.map({ $0.text("challenge") }) != answered {
      problems.append(Problem(20, "\(path): challenge-compliance passed, and not every challenge was answered"))
    }
    return problems
  }

  private static func comparison(_ decision: JSONValue, _ body: JSONValue, _ path: String) -> [Problem] {
    var problems: [Problem] = []
    let (threshold, configuration) = (decision["threshold"], body["configuration"])
    let limit = threshold?["score"]?.double ?? 0
    let kind = threshold?.text("portrait") ?? ""
    let kinds: [String] =
      switch configuration?["portrait"]?.text("kind") {
      case "document"?: ["chip", "page"]
      case "photo"?, "template"?, "photo-template"?: ["photo"]
      default: [body.firstDocument?["portrait"]?.string ?? "none"]
      }
    if threshold?["rate"] != configuration?["comparison"]?["falseMatchRate"] || !kinds.contains(kind) {
      problems.append(Problem(22, "\(path).threshold is not of the rate and the portrait that were asked for"))
    }
    let curve = (body["models"]?["calibration"]?.list(kind) ?? []).map {
      (score: $0["score"]?.double ?? 0, rate: $0["rate"]?.double ?? 0)
    }
    guard curve.count > 1, curve.allSatisfy({ $0.rate > 0 && $0.rate <= 1 }),
      zip(curve, curve.dropFirst()).allSatisfy({ $0.score < $1.score && $0.rate < $1.rate })
    else { return problems + [Problem(22, "body.models.calibration has no rising curve for \(kind)")] }
    /// The score for a rate, as in ``Calibration/threshold(at:portrait:)``; nil for an unsupported rate.
    func score(_ text: String) -> Double? {
      guard text.allSatisfy({ "0123456789.eE+-".contains($0) }), let rate = Double(text), rate >= curve[0].rate,
        rate <= 1e-2, let next = curve.firstIndex(where: { $0.rate >= rate })
      else { return nil }
      guard next > 0 else { return curve[0].score }
      let (a, b) = (curve[next - 1], curve[next])
      return a.score + (log(rate) - log(a.rate)) / (log(b.rate) - log(a.rate)) * (b.score - a.score)
    }
    /// The rate for a score.
    func rate(_ score: Double) -> Double {
      guard let next = curve.firstIndex(where: { $0.score >= score }) else { return curve[curve.count - 1].rate }
      guard next > 0 else { return curve[0].rate }
      let (a, b) = (curve[next - 1], curve[next])
      return exp(log(a.rate) + (score - a.score) / (b.score - a.score) * (log(b.rate) - log(a.rate)))
    }
    if score(threshold?.text("rate") ?? "").map({ abs($0 - limit) > rounding }) ?? true {
      problems.append(Problem(22, "\(path).threshold: the score \(limit) is not that of its rate"))
    }
    let result = decision.text("result")
    guard let comparison = decision["comparison"], let score = comparison["score"]?.double,
      let isMatch = comparison["match"]?.bool, let bound = comparison["falseMatchRateUpperBound"]?.double
    else { return problems + (result == "refused" ? [] : [Problem(24, "\(path) has a result and no score")]) }
    // Rates are recorded with 3 significant digits.
    if bound < 0.99 * rate(score - rounding) || bound > 1.01 * rate(score + rounding) {
      problems.append(Problem(23, "\(path).comparison: the rate \(bound) is not that of the score \(score)"))
    }
    if abs(score - limit) > rounding && isMatch != (score < limit) {
      problems.append(
        Problem(24, "\(path): the score \(score) and the threshold \(limit) do not agree with match"))
    }
    // Insufficient document evidence makes the decision refused, whatever the comparison.
    let isRefused = decision["document"]?["mayMatch"]?.bool == false
    // So does a match of two copies of one picture.
    let isCopy = isMatch && decision["samePicture"]?["status"] == "failed"
    let expected = isRefused || isCopy ? "refused" : isMatch ? "match" : "no-match"
    if result != expected { problems.append(Problem(24, "\(path): the result must be \(expected), not \(result)")) }
    for side in ["selfie", "portrait"] where decision[side]?["input"]?.text("kind") == "photo" {
      guard decision[side]?["quality"]?["accepted"]?.bool != true else { continue }
      problems.append(Problem(24, "\(path): the \(side) was compared although its quality was refused"))
    }
    return problems
  }

  /// Checks against this installation: the limits of its version, and the calibration of the record's models.
  static func known(_ calibration: Calibration?, _ body: JSONValue) -> [Problem] {
    var problems: [Problem] = []
    if let calibration, let said = body["models"]?["calibration"], said != .null,
      said.canonical != calibration.recordedCurves.canonical
    {
      problems.append(Problem(22, "body.models.calibration is not that of the models as they are installed here"))
    }
    guard body["library"]?.string == FaceVerifyVersion.string else { return problems }
    // The limits of the identity signals are scores of the calibration.
    let own = LivenessAnalysis(LivenessContext(calibration: nil)).checks.filter {
      ![.identityContinuity, .portraitIdentity].contains($0.signal)
    }
    for (path, credential) in body.credentials {
      for check in credential["liveness"]?.list("checks") ?? [] {
        guard let known = own.first(where: { $0.signal.rawValue == check.text("signal") })?.jsonValue else { continue }
        for name in ["minimum", "maximum"] where check[name]?.double != known[name]?.double {
          problems.append(Problem(18, "\(path).liveness: \(name) of \(check.text("signal")) is not this version's"))
        }
      }
    }
    return problems
  }

  // MARK: Documents

  private static func documents(_ body: JSONValue) -> [Problem] {
    body.credentials.enumerated().flatMap { index, entry -> [Problem] in
      guard let document = entry.credential["document"], document != .null else { return [] }
      var pages: Set<String> = []
      if case .object(let modes)? = entry.credential["modes"] { pages = documentParts.intersection(modes.keys) }
      return judged(document, index, body, hasPage: pages != [] && pages != ["chip"], entry.path + ".document")
    }
  }

  /// Fields that `validation` requires, from a zone or a licence's code.
  private static let neededFields = ["documentNumber", "dateOfBirth", "dateOfExpiry", "surname", "issuingStateCode"]

  private static func judged(
    _ document: JSONValue, _ index: Int, _ body: JSONValue, hasPage: Bool, _ path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    let configuration = body["configuration"]
    let named = configuration?["date"] ?? .null
    let day = body.end(of: index).flatMap { try? DateTime(secondsSince1970: $0).calendarDate.description }
    if document["date"] != (named == .null ? day.map(JSONValue.string) : named) {
      problems.append(
        Problem(
          25,
          "\(path).date is \(document.text("date")); it must be "
            + (named == .null
              ? "the day on which the document was judged, \(day ?? "none")" : "that of the configuration")))
    }
    let checks = document.list("checks")
    var statuses: [String: String] = [:]
    for check in checks { statuses[check.text("name")] = check.text("status") }
    let fields: [JSONValue] = if case .object(let fields)? = document["fields"] { Array(fields.values) } else { [] }
    let isComplete = neededFields.allSatisfy { document["fields"]?[$0] == "passed" }
    if checks.map({ $0.text("name") }) != DocumentCheck.Name.allCases.map(\.rawValue)
      || fields.contains("failed") && statuses["validation"] != "failed"
      || statuses["validation"] == "passed" && !isComplete
      || checks.contains(where: { $0["status"] == "passed" && $0["reason"] != .null })
    {
      problems.append(Problem(26, "\(path).checks are not those that there are, or do not follow from its fields"))
    }
    let chip = document["chip"]?.string
    let (read, authenticated) = (statuses["chip-read"], statuses["passive-authentication"])
    let isLicence = document.text("type") == "driving-licence"
    let isRequired = configuration?["requiresChip"]?.bool == true
    let trust = configuration?["trust"]
    let anchors = trust?["anchors"]?.integer ?? 0
    // A complete chip is compared with the page, if any.
    let isCompared = chip != nil && read == "passed" && hasPage
    let isRight =
      switch chip {
      case nil:
        authenticated == "not-checked" && statuses["mrz-matches-chip"] == "not-checked"
          && (read == "failed" ? isRequired : read == "not-checked" && (!isRequired || isLicence))
      case "authentic"?:
        authenticated != "not-checked" && read != "not-checked"
          && anchors > 0
      case "invalid"?: authenticated == "failed" && read != "not-checked"
      default: authenticated != "passed" && read != "not-checked"
      }
    if !isRight || isCompared && statuses["mrz-matches-chip"] == "not-checked"
      || anchors > 0 && trust?["isGiven"]?.bool == false
    {
      problems.append(Problem(27, "\(path): its checks do not follow from the chip, the page and the trust"))
    }
    let hasPortrait = document["portrait"] ?? .null != .null
    if hasPortrait != (document["portraitSha256"] ?? .null != .null) || document["portrait"] == "chip" && chip == nil {
      problems.append(Problem(27, "\(path): the portrait is of a chip that there is not, or has no hash"))
    }
    let result = document.text("result")
    let accepted = (configuration?["assurance"]?.list("accepted") ?? []).compactMap(\.string)
    let isAccepted = accepted.contains(isLicence ? "licence-code" : "page-only")
    if !RecordOutcome.allows(document: result, statuses, hasChip: chip != nil, isAccepted: isAccepted) {
      problems.append(Problem(28, "\(path): the result \(result) does not follow from its checks"))
    }
    let level = document.text("assurance")
    let isAuthentic = authenticated == "passed" && read == "passed"
    if result == "failed"
      ? level != "none"
      : level == "none"
        || (level == "chip-copy-authentic") != isAuthentic || level == "chip-authentic"
        || level == "page-consistent" && statuses["validation"] != "passed"
    {
      problems.append(Problem(34, "\(path): the assurance \(level) does not follow from its checks"))
    }
    let isVouchedFor =
      chip == "authentic" || chip == "valid-without-anchor" && trust?["isGiven"]?.bool == false
    let mayMatch = chip == nil ? read != "failed" : read == "passed" && authenticated != "failed" && isVouchedFor
    let isConsistent = statuses.allSatisfy { $0.value != "failed" || $0.key == "expiry" }
    if document["mayMatch"]?.bool == true && !(mayMatch && isConsistent) {
      problems.append(Problem(29, "\(path): nobody may match this document"))
    }
    return problems
  }

  // MARK: Results

  private static func credentials(_ body: JSONValue) -> [Problem] {
    let configuration = body["configuration"]
    let isCompared = RecordOutcome.isCompared(body)
    let given = configuration?["portrait"] ?? .null
    return body.credentials.flatMap { path, credential -> [Problem] in
      var problems: [Problem] = []
      if let decision = credential["comparison"], decision != .null {
        let portrait = given == .null ? body.firstDocument?["portraitSha256"] : given["sha256"]
        let mayMatch = given == .null ? body.firstDocument?["mayMatch"] : decision["document"]?["mayMatch"]
        let isOfDocument = given == .null || given.text("kind") == "document"
        if !isCompared || portrait == .null || decision["portrait"]?["input"]?["sha256"] != portrait
          || isOfDocument != (decision["document"] != nil) || decision["document"]?["mayMatch"] != mayMatch
          || given == .null
            && ["result", "assurance"].contains { decision["document"]?[$0] != body.firstDocument?[$0] }
        {
          problems.append(Problem(30, "\(path): it was compared with another portrait than the one that was asked for"))
        }
        let selfie = decision["selfie"]?["input"]
        if selfie?.text("kind") != "template" || selfie?["sha256"] != credential["liveness"]?["template"]?["sha256"] {
          problems.append(Problem(30, "\(path): another template was compared than that of the living person"))
        }
      }
      let (expected, proved) = RecordOutcome.credential(credential, body)
      if credential["assurance"] != proved ?? .null {
        problems.append(Problem(34, "\(path): the assurance does not follow from its parts"))
      }
      if credential["result"] != expected.map(JSONValue.string) ?? .null {
        problems.append(
          Problem(
            31, "\(path): the result must be \(expected ?? "null"), not \(credential["result"]?.string ?? "none")"))
      }
      if ["failed", "not-checked"].contains(credential["result"]), credential.list("reasons").isEmpty {
        problems.append(Problem(32, "\(path) did not pass and has no reason"))
      }
      return problems
    }
  }

  private static func result(_ body: JSONValue) -> [Problem] {
    var problems: [Problem] = []
    if body["result"]?["isComplete"]?.bool == body.hasError {
      problems.append(Problem(33, "body.result: isComplete and error do not agree"))
    }
    let hasDeclined = body.credentials.contains { $1["hasDeclined"] == true }
    if !body.hasError, hasDeclined != body.list("calls").contains(where: { $0.text("call") == "decline" }) {
      problems.append(Problem(20, "a movement was declined by a call and by no credential, or the reverse"))
    }
    let expected = RecordOutcome.journey(body.credentials.compactMap { $1["result"]?.string }, hasError: body.hasError)
    if body["result"]?.text("result") != expected {
      problems.append(Problem(33, "body.result: the result must be \(expected), as the credentials are"))
    }
    if body["result"]?["assurance"] != RecordOutcome.assurance(body) {
      problems.append(Problem(34, "body.result: the assurance is not that of the credentials"))
    }
    return problems
  }
}

/// Derives outcomes from recorded evidence; no other rule decides on one.
enum RecordOutcome {
  /// As ``LivenessPolicy/result(of:)``, for signals of any version.
  static func liveness(_ policy: JSONValue?, _ statuses: [String: String]) -> String {
    func signals(_ name: String) -> [String] { (policy?.list(name) ?? []).compactMap(\.string) }
    let suspicion = (policy?.list("weights") ?? []).reduce(0.0) { sum, entry in
      sum + (statuses[entry.text("signal")] == "failed" ? entry["weight"]?.double ?? 0 : 0)
    }
    if signals("fatal").contains(where: { statuses[$0] == "failed" })
      || suspicion >= policy?["limit"]?.double ?? .infinity
    {
      return "presentation-attack"
    }
    let isDoubtful = statuses["arrival-delay"] == "failed" || statuses["colour-response"] == "failed"
    let required = signals("required")
    return !isDoubtful && !required.isEmpty && required.allSatisfy { statuses[$0] == "passed" } ? "live" : "undecided"
  }

  /// Whether a document's result is consistent with its checks: failed if and only if a check failed, and passed only
  /// if the required checks passed.
  static func allows(
    document result: String, _ statuses: [String: String], hasChip: Bool, isAccepted: Bool
  ) -> Bool {
    if statuses.values.contains("failed") || result == "failed" {
      return statuses.values.contains("failed") && result == "failed"
    }
    let needed = ["validation", "expiry"] + (hasChip ? ["chip-read", "passive-authentication"] : [])
    return result == "not-checked"
      || (hasChip || isAccepted) && needed.allSatisfy { statuses[$0] == "passed" }
  }

  /// The evidence of one credential, for ``Outcome``; nil for a document that is not judged.
  private static func evidence(_ credential: JSONValue, _ body: JSONValue) -> Evidence? {
    let configuration = body["configuration"]
    var evidence = Evidence()
    switch credential.text("category") {
    case "id":
      let (document, choice) = (credential["document"] ?? .null, credential["choice"])
      let isOther =
        document["country"] ?? .null != .null
        && (document["country"] != choice?["country"] || document["type"] != choice?["type"])
      let accepted = (configuration?["assurance"]?.list("accepted") ?? []).compactMap { $0.string }
      let kind = document.text("type") == "driving-licence" ? UnauthenticatedDocument.licence : .page
      evidence.documents = [
        .init(
          result: isOther ? .failed : CheckStatus(rawValue: document.text("result")) ?? .notChecked,
          level: isOther ? .none : DocumentAssurance(rawValue: document.text("assurance")) ?? .none,
          isAccepted: document["chip"] ?? .null == .null && accepted.contains(kind.rawValue))
      ]
    case "face":
      let (liveness, comparison) = (credential["liveness"], credential["comparison"] ?? .null)
      func passed(_ signal: String) -> Bool {
        liveness?.list("checks").first { $0.text("signal") == signal }?["status"] == "passed"
      }
      let mode = ScanMode(rawValue: credential["modes"]?.text("face") ?? "")
      let isTrusted = configuration?["isCaptureTrusted"] == true && passed("camera-device")
      evidence.presence = .init(
        result: LivenessDecision.Result(rawValue: liveness?.text("result") ?? "") ?? .undecided,
        level: mode?.presence(isCaptureTrusted: isTrusted) ?? .none,
        isLightMissing: configuration?["isLightRequired"] == true && !passed("colour-response"),
        isMovementDeclined: credential["hasDeclined"] == true)
      guard isCompared(body) else { break }
      let kind = configuration?["portrait"]?.text("kind") ?? "document"
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
    (body["configuration"]?["assurance"]).flatMap { try? AssurancePolicy($0) } ?? AssurancePolicy()
  }

  static func isCompared(_ body: JSONValue) -> Bool {
    body["configuration"]?["comparesFace"] == true && body["configuration"]?["extractsOnly"] == false
  }

  /// The result and assurance; nil for a document that is not judged.
  static func credential(
    _ credential: JSONValue, _ body: JSONValue
  ) -> (result: String?, proved: JSONValue?) {
    guard let evidence = evidence(credential, body) else { return (nil, nil) }
    let outcome = Outcome(evidence, policy: policy(body))
    return (outcome.result.rawValue, outcome.assurance.jsonValue)
  }

  /// The assurance of all credentials together.
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

extension JSONValue {
  /// A member's text; empty if it is not a text.
  fileprivate func text(_ name: String) -> String { self[name]?.string ?? "" }
  /// A member's elements; empty if it is not an array.
  fileprivate func list(_ name: String) -> [JSONValue] { self[name]?.elements ?? [] }
  /// The time at which a credential was finished; nil if it was not.
  fileprivate func end(of credential: Int) -> Double? {
    list("events").last { $0.text("event") == "credential-finished" && $0["credential"]?.integer == credential }?["at"]?
      .double
  }
  fileprivate var hasError: Bool { self["result"]?["error"] ?? .null != .null }
  fileprivate var credentials: [(path: String, credential: JSONValue)] {
    list("credentials").enumerated().map { ("body.credentials[\($0)]", $1) }
  }
  fileprivate var firstDocument: JSONValue? { credentials.lazy.compactMap { $1["document"] }.first { $0 != .null } }
}
