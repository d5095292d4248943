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
      guard call.text("call") == "attach-chip" else { continue }
      let files = call.list("inputs").compactMap(\.integer).filter(inputs.indices.contains).map { inputs[$0].text("name") }
      if Set(files).count < files.count || files.contains("") {
        problems.append(Problem(6, "body.calls[\(position)]: files of the chip have one name, or none"))
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
      problems += selfie(credential, body, path + ".liveness")
      let files = Set(inputs.filter { $0.text("kind") == "chip" }.map { $0.text("name") })
      guard let document = credential["document"], document["chip"] ?? .null != .null else { continue }
      let isRead = document.list("checks").contains { $0["name"] == "chip-read" && $0["status"] == "passed" }
      if files.isEmpty || isRead && !files.isSuperset(of: ["EF.SOD", "EF.DG1", "EF.DG2"]) {
        problems.append(Problem(8, "\(path).document has a chip of which no file was given, or not all"))
      }
    }
    return problems
  }

  /// Checks that the selfie and the times of a stream are those of its frames. The single photo is scaled down, and
  /// frames may be turned.
  private static func selfie(_ credential: JSONValue, _ body: JSONValue, _ path: String) -> [Problem] {
    guard let liveness = credential["liveness"], liveness != .null, credential["modes"]?["face"] != "face-manual" else {
      return []
    }
    var problems: [Problem] = []
    let (configuration, frames) = (body["configuration"], liveness["frames"])
    if configuration?["rotation"] == 0, configuration?["isMirrored"] == false,
      let selfie = liveness["selfie"]?["sha256"], !body.list("inputs").contains(where: { $0["sha256"] == selfie })
    {
      problems.append(Problem(8, "\(path).selfie is none of the frames"))
    }
    let times = body.list("calls").filter { $0["call"] == "frame" }.compactMap { $0["time"]?.double }
    for name in ["first", "last"] where frames?["count"]?.integer ?? 0 > 0 {
      // Rounded to milliseconds.
      let time = frames?[name]?.double ?? .infinity
      if !times.contains(where: { abs($0 - time) <= 2e-3 }) {
        problems.append(Problem(8, "\(path).frames.\(name) is the time of no frame"))
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

  private static let pageParts: Set = ["front", "back", "multipart"]

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
    let told = body.list("events").filter { $0["event"] == "initialized" }
    if told.contains(where: { $0["requests"]?.canonical != configuration?["requests"]?.canonical }) {
      problems.append(Problem(13, "other credentials were announced than requested"))
    }
    if !RecordJourney(body).isPossible {
      problems.append(Problem(14, "body.calls and body.events are not those of a journey: see its table of states"))
    }
    let policies: Set<String> = if case .object(let all)? = configuration?["livenessPolicies"] { Set(all.keys) } else { [] }
    if policies != Set(texts(configuration?["faceModes"]))
      || configuration?["extractsOnly"] == true && configuration?["comparesFace"] == true
    {
      problems.append(Problem(15, "the policies are not those of faceModes, or data alone is compared"))
    }
    problems += modes(body)
    let (chosen, declined) = choices(body)
    for (index, (path, credential)) in body.credentials.enumerated() {
      if credential["hasDeclined"]?.bool != declined.contains(index) {
        problems.append(Problem(20, "\(path): a movement was declined by a call and not by it, or the reverse"))
      }
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
          case "id":
            return pageParts.contains(part) && texts(configuration?["documentModes"]).contains(mode)
              && configuration?["readsPages"] == true
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
      if credential["document"]?.text("result") == "passed",
        ["type", "country"].contains(where: { credential["document"]?[$0] != choice[$0] })
      {
        problems.append(Problem(16, "\(path): the document is of another country or type than the chosen one"))
      }
      let variants = ["driving-licence": ["plastic"], "id-card": ["paper", "plastic"]][choice.text("type")] ?? ["paper"]
      let isChosen =
        chosen[index].map { call in
          ["country", "type", "variant"].allSatisfy {
            DocumentChoice.icao(call.text($0)) == DocumentChoice.icao(choice.text($0))
          }
        } ?? (Set(texts(request["countries"]).map(DocumentChoice.icao)).count == 1)
      if !isChosen || !variants.contains(choice.text("variant")) {
        problems.append(Problem(16, "\(path).choice is not that of the call configure"))
      }
    }
    return problems
  }

  /// The choice of each credential's last call `configure`, and the credentials in which a movement was declined.
  private static func choices(_ body: JSONValue) -> (chosen: [Int: JSONValue], declined: Set<Int>) {
    var (active, chosen, declined): (Int, [Int: JSONValue], Set<Int>) = (-1, [:], [])
    for call in body.list("calls") {
      switch call.text("call") {
      case "start-credential":
        active = call["credential"]?.integer ?? -1
        chosen[active] = nil
      case "configure": chosen[active] = call
      case "decline": declined.insert(active)
      default: break
      }
    }
    return (chosen, declined)
  }

  /// Checks that each part was scanned in the mode that the events say.
  private static func modes(_ body: JSONValue) -> [Problem] {
    var (part, used): (String, [String: JSONValue]) = ("", [:])
    var problems: [Problem] = []
    let credentials = body.credentials
    for event in body.list("events") {
      let name = event.text("event")
      if name == "started" { part = event.text("part") }
      if name == "started" || name == "fallback" { used[part] = event["mode"] }
      guard name == "credential-finished", let index = event["credential"]?.integer, credentials.indices.contains(index),
        case .object(let modes)? = credentials[index].credential["modes"]
      else { continue }
      if modes.contains(where: { used[$0.key] != $0.value }) {
        problems.append(Problem(15, "\(credentials[index].path) was scanned in other modes than the events say"))
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
        problems += liveness(decision, credential["modes"]?.text("face") ?? "", body, path + ".liveness")
      }
      if let decision = credential["comparison"], decision != .null {
        problems += comparison(decision, body, path + ".comparison")
      }
      return problems
    }
  }

  private static func liveness(
    _ decision: JSONValue, _ mode: String, _ body: JSONValue, _ path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    let configuration = body["configuration"]
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
    problems += signals(decision, statuses, body, path)
    let policy = decision["policy"]
    let named =
      ["required", "fatal"].flatMap { policy?.list($0) ?? [] }.compactMap(\.string)
      + (policy?.list("weights") ?? []).map { $0.text("signal") }
    for signal in Set(named).sorted() where statuses[signal] == nil {
      problems.append(Problem(18, "\(path): the signal \(signal), which its policy names, is not there"))
    }
    if policy?.canonical != configuration?["livenessPolicies"]?[mode]?.canonical {
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
    let level = RecordOutcome.presence(decision, mode)
    if decision.text("presence") != level.rawValue || (decision["result"] == "live") != (level != .none) {
      problems.append(Problem(34, "\(path).presence does not follow from the mode, the signals and the script"))
    }
    if let report = decision["selfie"]?["quality"] { problems += quality(report, path + ".selfie") }
    return problems
  }

  /// Checks that the signals are those of the version, with its limits or those of the calibration.
  private static func signals(
    _ decision: JSONValue, _ statuses: [String: String], _ body: JSONValue, _ path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    let limits = decision["version"]?.string == FaceVerifyVersion.string ? RecordTables.limits : nil
    let curve = Curve(body, "photo")
    for check in decision.list("checks") {
      let (signal, found) = (check.text("signal"), [check["minimum"] ?? .null, check["maximum"] ?? .null])
      let isKnown =
        if let rate = RecordTables.identity[signal] {
          found[0] == .null
            && (curve.map { curve in found[1].double.map { abs($0 - curve.score(rate)) <= rounding } ?? false }
              ?? (found[1] == .null))
        } else {
          limits.map { limits in limits[signal].map { $0.map(\.double) == found.map(\.double) } ?? false } ?? true
        }
      if !isKnown { problems.append(Problem(18, "\(path): a limit of \(signal) is not the version's or the calibration's")) }
    }
    if let limits, Set(limits.keys) != Set(statuses.keys) {
      problems.append(Problem(18, "\(path): the signals are not those of the version"))
    }
    if statuses["arrival-delay"] == nil || statuses["colour-response"] == nil {
      problems.append(Problem(18, "\(path): a signal that decides is not there"))
    }
    let hasCamera =
      body["configuration"]?["camera"] ?? .null != .null || body.list("calls").contains { $0["camera"] != nil }
    if !hasCamera, statuses["camera-device"] ?? "not-checked" != "not-checked" {
      problems.append(Problem(18, "\(path): a camera was checked of which nothing is known"))
    }
    let frames = decision["frames"]
    let span = (frames?["last"]?.double ?? 0) - (frames?["first"]?.double ?? 0)
    let observed = decision.list("checks").first { $0["signal"] == "observation-time" }?["value"]?.double ?? 0
    if observed > span + 1e-3 {
      problems.append(Problem(18, "\(path): the observation time is longer than the frames"))
    }
    return problems
  }

  /// Checks that the acceptance of a picture follows from its checks, and they from their limits. Values have 4 digits.
  private static func quality(_ report: JSONValue, _ path: String) -> [Problem] {
    guard let checks = report["checks"]?.elements else { return [] }
    let isRight = checks.allSatisfy { check in
      guard (check["status"] == "failed") == (check["consequence"] != .null) else { return false }
      guard check["status"] != "not-checked" else { return true }
      guard let value = check["value"]?.double else { return false }
      let distance = min(
        value - (check["minimum"]?.double ?? -.infinity), (check["maximum"]?.double ?? .infinity) - value)
      return abs(distance) <= 1e-3 * max(1, abs(value)) || check.text("status") == (distance > 0 ? "passed" : "failed")
    }
    return isRight && report["accepted"]?.bool == !checks.contains { $0["consequence"] == "refuse" }
      ? [] : [Problem(24, "\(path): the quality does not follow from its checks")]
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
    let drawn = script.elements.map { $0.text("challenge") }
    let isDrawn =
      drawn.count == configuration?["challengeCount"]?.integer && Set(drawn).count == drawn.count
      && Set(drawn).isSubset(of: (configuration?.list("challenges") ?? []).compactMap(\.string))
    if (script != .null) != isAsked || isAsked && (given == .null ? !isDrawn : given.canonical != script.canonical) {
      problems.append(Problem(20, "\(path).script is not what the mode \(mode) and the configuration ask for"))
    }
    let answered = decision.list("answers").filter { $0.text("outcome") == "passed" }.map { $0.text("challenge") }
    if statuses["challenge-compliance"] == "passed", drawn != answered {
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
    guard let curve = Curve(body, kind) else {
      return problems + [Problem(22, "body.models.calibration has no rising curve for \(kind)")]
    }
    let rate = threshold?.text("rate") ?? ""
    let isRate = rate.allSatisfy { "0123456789.eE+-".contains($0) }
    if !isRate || Double(rate).map({ !curve.rates.contains($0) || abs(curve.score($0) - limit) > rounding }) ?? true {
      problems.append(Problem(22, "\(path).threshold: the score \(limit) is not that of its rate"))
    }
    if !isChecked(decision) {
      problems.append(Problem(24, "\(path).samePicture does not follow from its score, its threshold and the hashes"))
    }
    let result = decision.text("result")
    guard let comparison = decision["comparison"], let score = comparison["score"]?.double,
      let isMatch = comparison["match"]?.bool, let bound = comparison["falseMatchRateUpperBound"]?.double
    else { return problems + (result == "refused" ? [] : [Problem(24, "\(path) has a result and no score")]) }
    // Rates are recorded with 3 significant digits.
    if bound < 0.99 * curve.rate(score - rounding) || bound > 1.01 * curve.rate(score + rounding) {
      problems.append(Problem(23, "\(path).comparison: the rate \(bound) is not that of the score \(score)"))
    }
    if comparison["falseMatchRate"]?.double ?? 0 > 1.01 * bound {
      problems.append(Problem(23, "\(path).comparison: the rate is above its upper bound"))
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
    // Nobody matches a document that failed; up to 0.2.0, its holder did.
    let isFailed = isMatch && decision["document"]?["result"] == "failed"
    if result != expected, !(isFailed && result == "refused") {
      problems.append(Problem(24, "\(path): the result must be \(expected), not \(result)"))
    }
    for side in ["selfie", "portrait"] where decision[side]?["input"]?.text("kind") == "photo" {
      problems += quality(decision[side]?["quality"] ?? .null, "\(path).\(side)")
      guard decision[side]?["quality"]?["accepted"]?.bool != true else { continue }
      problems.append(Problem(24, "\(path): the \(side) was compared although its quality was refused"))
    }
    return problems
  }

  /// Checks the calibration of the record's models against this installation.
  static func known(_ calibration: Calibration?, _ body: JSONValue) -> [Problem] {
    var problems: [Problem] = []
    if let calibration, let said = body["models"]?["calibration"], said != .null,
      said.canonical != calibration.recordedCurves.canonical
    {
      problems.append(Problem(22, "body.models.calibration is not that of the models as they are installed here"))
    }
    return problems
  }

  /// Whether the status of `samePicture` follows from its score, a published threshold and the hashes.
  private static func isChecked(_ decision: JSONValue) -> Bool {
    guard let same = decision["samePicture"], let threshold = same["threshold"]?.double else { return false }
    let isEqual = decision["selfie"]?["input"]?["sha256"] == decision["portrait"]?["input"]?["sha256"]
    let isPhoto = decision["threshold"]?["portrait"] == "photo"
    let thresholds = ["frames"] + (isPhoto || isEqual ? ["photos"] : [])
    guard thresholds.contains(where: { RecordTables.samePicture[$0]?.contains(threshold) == true }),
      !isEqual || same["status"] == "failed"
    else { return false }
    guard let score = same["score"]?.double else { return same["status"] == "not-checked" }
    // Rounded to three decimals.
    if abs(score - threshold) <= 1e-3 { return same["status"] != "not-checked" }
    return same["status"] == (score >= threshold ? "failed" : "passed")
  }

  /// The calibration of a kind of portrait.
  private struct Curve {
    private let points: [(score: Double, rate: Double)]

    /// nil unless scores and rates rise.
    init?(_ body: JSONValue, _ portrait: String) {
      points = (body["models"]?["calibration"]?.list(portrait) ?? []).map {
        ($0["score"]?.double ?? 0, $0["rate"]?.double ?? 0)
      }
      guard points.count > 1, points.allSatisfy({ $0.rate > 0 && $0.rate <= 1 }),
        zip(points, points.dropFirst()).allSatisfy({ $0.score < $1.score && $0.rate < $1.rate })
      else { return nil }
    }

    /// The rates of possible thresholds.
    var rates: ClosedRange<Double> {
      let top = min(1e-2, points[points.count - 1].rate)
      return min(points[0].rate, top)...top
    }

    /// The score for a rate, as in ``Calibration/threshold(at:portrait:)``.
    func score(_ rate: Double) -> Double {
      between(log(rate), points.map { (log($0.rate), $0.score) })
    }

    /// The rate for a score.
    func rate(_ score: Double) -> Double {
      exp(between(score, points.map { ($0.score, log($0.rate)) }))
    }

    /// Linear between two points; beyond the ends, those.
    private func between(_ x: Double, _ points: [(x: Double, y: Double)]) -> Double {
      guard let next = points.firstIndex(where: { $0.x >= x }) else { return points[points.count - 1].y }
      guard next > 0 else { return points[0].y }
      let (a, b) = (points[next - 1], points[next])
      return a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y)
    }
  }

  // MARK: Documents

  private static func documents(_ body: JSONValue) -> [Problem] {
    body.credentials.enumerated().flatMap { index, entry -> [Problem] in
      guard let document = entry.credential["document"], document != .null else { return [] }
      let parts: Set<String> =
        if case .object(let modes)? = entry.credential["modes"] { Set(modes.keys) } else { [] }
      return sources(document, parts, body["configuration"], entry.path + ".document")
        + judged(document, index, body, hasPage: !parts.isDisjoint(with: pageParts), entry.path + ".document")
    }
  }

  /// Checks that what was compared was scanned.
  private static func sources(
    _ document: JSONValue, _ parts: Set<String>, _ configuration: JSONValue?, _ path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    let (pages, hasChip) = (parts.intersection(pageParts), document["chip"] ?? .null != .null)
    let isBoth = hasChip && !pages.isEmpty
    let sources = [
      "mrz-matches-chip": isBoth, "portrait-matches-chip": isBoth,
      "pages-match": pages.count > 1 || pages.contains("multipart"),
    ]
    for check in document.list("checks") where check["status"] != "not-checked" && sources[check.text("name")] == false {
      problems.append(Problem(27, "\(path): \(check.text("name")) has only one source"))
    }
    if parts.contains("chip") != hasChip {
      problems.append(Problem(27, "\(path): the chip was not scanned, or scanned and is not there"))
    }
    if pages.isEmpty, ["page-seen", "page-consistent"].contains(document["assurance"]) {
      problems.append(Problem(27, "\(path).assurance is that of a page, and none was scanned"))
    }
    if document["result"] == "passed", document["country"] == .null || document["dataSha256"] == .null {
      problems.append(Problem(28, "\(path) passed without a country or data"))
    }
    if (document["data"] != nil) != (configuration?["recordsPersonalData"] == true) {
      problems.append(Problem(2, "\(path).data is there against the configuration, or missing"))
    }
    return problems
  }

  /// Fields that `validation` requires, from a zone or a licence's code; from a zone also `nationalityCode`.
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
    let isLicence = document.text("type") == "driving-licence"
    let needed = neededFields + (isLicence ? [] : ["nationalityCode"])
    let isComplete = needed.allSatisfy { document["fields"]?[$0] == "passed" }
    if checks.map({ $0.text("name") }) != DocumentCheck.Name.allCases.map(\.rawValue)
      || fields.contains("failed") && statuses["validation"] != "failed"
      || statuses["validation"] == "passed" && !isComplete
      || checks.contains(where: { ($0["status"] == "passed") != ($0["reason"] == .null) })
    {
      problems.append(Problem(26, "\(path).checks are not those that there are, or do not follow from its fields"))
    }
    let chip = document["chip"]?.string
    let (read, authenticated) = (statuses["chip-read"], statuses["passive-authentication"])
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
            && ["result", "assurance"].contains(where: { decision["document"]?[$0] != body.firstDocument?[$0] })
        {
          problems.append(Problem(30, "\(path): it was compared with another portrait than the one that was asked for"))
        }
        if let document = decision["document"], !isPossible(document, decision, body) {
          problems.append(Problem(30, "\(path): the document that was compared is not as good as it says"))
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

  /// Whether a comparison's `document` follows from the document, or if that was given, does not contradict itself.
  private static func isPossible(_ document: JSONValue, _ decision: JSONValue, _ body: JSONValue) -> Bool {
    let accepted = body["configuration"]?["assurance"]?.list("accepted") ?? []
    let (isAccepted, level) = (document["isAccepted"] == true, document.text("assurance"))
    guard (level == "none") == (document["result"] == "failed"), level != "chip-authentic" else { return false }
    guard body["configuration"]?["portrait"] ?? .null != .null else {
      let read = body.firstDocument
      let kind: JSONValue = read?["type"] == "driving-licence" ? "licence-code" : "page-only"
      return isAccepted == (read?["chip"] == .null && accepted.contains(kind))
    }
    let portrait = decision["threshold"]?["portrait"]
    return isAccepted
      ? !accepted.isEmpty && portrait == "page"
      : document["result"] != "passed" || level == "chip-copy-authentic" && portrait == "chip"
  }

  private static func result(_ body: JSONValue) -> [Problem] {
    var problems: [Problem] = []
    if body["result"]?["isComplete"]?.bool == body.hasError {
      problems.append(Problem(33, "body.result: isComplete and error do not agree"))
    }
    let reasons = Set((body["result"]?.list("reasons") ?? []).map(\.canonical))
    if !reasons.isSuperset(of: body.credentials.flatMap { $1.list("reasons").map(\.canonical) }) {
      problems.append(Problem(32, "body.result has not the reasons of its credentials"))
    }
    if body["result"]?["result"] != "passed", !body.hasError, reasons.isEmpty {
      problems.append(Problem(32, "body.result did not pass and has no reason"))
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

  /// The level that a live decision of a mode bears by its signals and its script; none for less.
  static func presence(_ decision: JSONValue?, _ mode: String) -> Assurance.Presence {
    guard decision?["result"] == "live",
      let row = RecordTables.presence.first(where: { $0.modes.contains { $0.rawValue == mode } })
    else { return .none }
    let statuses = (decision?.list("checks") ?? []).reduce(into: [:]) { $0[$1.text("signal")] = $1.text("status") }
    let isBorne =
      row.required.allSatisfy { statuses[$0] == "passed" } && !row.fatal.contains { statuses[$0] == "failed" }
    return isBorne && (!row.hasScript || decision?["script"]?.elements.isEmpty == false) ? row.level : .none
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
      var level = presence(liveness, credential["modes"]?.text("face") ?? "")
      if level == .challengeAnswered, configuration?["isCaptureTrusted"] == true, passed("camera-device") {
        level = .trustedCapture
      }
      evidence.presence = .init(
        result: LivenessDecision.Result(rawValue: liveness?.text("result") ?? "") ?? .undecided,
        level: level,
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
