extension RecordRules {
  /// The kinds of inputs that each call may have.
  static let inputKinds: [String: Set<String>] = [
    "start": ["photo", "template"], "frame": ["frame"], "take-picture": ["frame"], "attach": ["photo"],
    "attach-chip": ["chip"], "attach-code": ["code"],
  ]

  static func inputs(_ body: JSONValue) -> [Problem] {
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
        problems.add(
          6, "body.calls[\(position)], \(name), has an input of the kind \(kind)",
          if: inputKinds[name]?.contains(kind) != true)
      }
      guard call.text("call") == "attach-chip" else { continue }
      let files = body.inputs(of: call).map { $0.text("name") }
      problems.add(
        6, "body.calls[\(position)]: a file of the chip has one name",
        if: Set(files).count < files.count || files.contains(""))
    }
    problems += uses.indices.filter { uses[$0] != 1 }.map {
      Problem(6, uses[$0] == 0 ? "no call has input \($0)" : "\(uses[$0]) calls have input \($0)")
    }
    if let start = body.list("calls").first(where: { $0.text("call") == "start" }) {
      let portrait = body.configuration["portrait"]
      let kinds = ["photo": "photo", "template": "template", "photo-template": "template"]
      let wanted = kinds[portrait?.text("kind") ?? ""].map(JSONValue.string)
      let isRight =
        body.inputs(of: start).map { [$0["kind"], $0["sha256"]] }
        == (wanted == nil ? [] : [[wanted, portrait?["sha256"]]])
      problems.add(7, "the portrait of the configuration is not the input of the call start", if: !isRight)
    }
    let pictures = inputs.count { ["frame", "photo"].contains($0.text("kind")) }
    for (index, (path, credential)) in body.credentials.enumerated() {
      if let count = credential["liveness"]?["frames"]?["count"]?.integer,
        count > pictures || count == 0 && credential["liveness"]?.text("result") == "live"
      {
        problems.append(Problem(8, "\(path).liveness rests on \(count) frames, of \(pictures) that were given"))
      }
      problems += selfie(credential, body, path + ".liveness")
      problems += sizes(credential["liveness"], of: index, body, path + ".liveness")
      let files = Set(inputs.filter { $0.text("kind") == "chip" }.map { $0.text("name") })
      guard let document = credential["document"], document.has("chip") else { continue }
      let isRead = document.list("checks").contains { $0["name"] == "chip-read" && $0["status"] == "passed" }
      problems.add(
        8, "\(path).document has a chip whose files are not all among the inputs",
        if: files.isEmpty || isRead && !files.isSuperset(of: ["EF.SOD", "EF.DG1", "EF.DG2"]))
    }
    return problems
  }

  /// Checks the signal `frame-size` against the frames of the last try; a turned frame has the same size.
  static func sizes(_ liveness: JSONValue?, of index: Int, _ body: JSONValue, _ path: String) -> [Problem] {
    var (active, sizes): (Int?, [Int?: [[Int]]]) = (nil, [:])
    for call in body.list("calls") {
      switch call.text("call") {
      case "start-credential": active = call["credential"]?.integer
      case "start-part", "retry-part", "fallback": sizes[active] = []
      case "frame":
        sizes[active, default: []] += body.inputs(of: call).map {
          [$0["width"]?.integer ?? 0, $0["height"]?.integer ?? 0].sorted()
        }
      default: break
      }
    }
    let found = sizes[index] ?? []
    let said = liveness?.check(.frameSize)?["value"]?.double
    guard let said, found.count == liveness?["frames"]?["count"]?.integer else { return [] }
    let changes = zip(found, found.dropFirst()).count { $0 != $1 }
    return Double(changes) == said ? [] : [Problem(18, "\(path): the frames changed their size \(changes) times")]
  }

  /// Checks that the selfie and the times of a stream are those of its frames. The single photo is scaled down, and
  /// frames may be turned.
  static func selfie(_ credential: JSONValue, _ body: JSONValue, _ path: String) -> [Problem] {
    guard let liveness = credential["liveness"], liveness != .null, credential["modes"]?["face"] != "face-manual" else {
      return []
    }
    var problems: [Problem] = []
    let (configuration, frames) = (body.configuration, liveness["frames"])
    if configuration["rotation"] == 0, configuration["isMirrored"] == false, frames?["rotation"] == nil,
      let selfie = liveness["selfie"]?["sha256"], !body.list("inputs").contains(where: { $0["sha256"] == selfie })
    {
      problems.append(Problem(8, "\(path).selfie is not one of the frames"))
    }
    let times = body.list("calls").filter { $0["call"] == "frame" }.compactMap { $0["time"]?.double }
    for name in ["first", "last"] where frames?["count"]?.integer ?? 0 > 0 {
      // Rounded to milliseconds.
      let time = frames?[name]?.double ?? .infinity
      let isOfFrame = times.contains { abs($0 - time) <= 2e-3 }
      problems.add(8, "\(path).frames.\(name) is the time of no frame", if: !isOfFrame)
    }
    return problems
  }

  static func order(_ body: JSONValue) -> [Problem] {
    var problems: [Problem] = []
    let (calls, events) = (body.list("calls"), body.list("events"))
    for (name, list) in [("calls", calls), ("events", events)] {
      var last = body["created"]?.double ?? 0
      for (position, step) in list.enumerated() {
        let at = step["at"]?.double ?? 0
        problems.add(9, "body.\(name)[\(position)] is earlier than its predecessor", if: at < last)
        last = at
      }
    }
    let ends = events.indices.filter { events[$0].text("event") == "finished" }
    guard ends == [events.count - 1], let end = events.last else {
      return problems + [Problem(10, "the journey must finish once, with the last event, and did \(ends.count) times")]
    }
    problems.add(
      10, "the last event and the result do not agree on isComplete",
      if: end["isComplete"] != body["result"]?["isComplete"])
    problems.add(
      10, "the last event is not of the last call's time", if: end["at"]?.double != calls.last?["at"]?.double)
    let closing = body.hasError ? "cancel" : "finish"
    problems.add(
      10, "the last call must be \(closing), not \(calls.last?.text("call") ?? "none")",
      if: calls.last?.text("call") != closing)
    guard !body.hasError else { return problems }
    let (created, configuration) = (body["created"]?.double ?? 0, body.configuration)
    let start = calls.first { $0.text("call") == "start" }?["at"]?.double ?? .infinity
    problems.add(
      11, "the journey took longer than startBy and timeout allow",
      if: start - created > configuration["startBy"]?.double ?? 0
        || (calls.last?["at"]?.double ?? 0) - start > configuration["timeout"]?.double ?? 0)
    return problems
  }

  static func consents(_ body: JSONValue) -> [Problem] {
    let items = body.configuration.list("consents")
    var given: [Int: Bool] = [:]
    var (hasStarted, hasCredential) = (false, false)
    var problems: [Problem] = []
    for (position, call) in body.list("calls").enumerated() {
      let path = "body.calls[\(position)]"
      switch call.text("call") {
      case "start": hasStarted = true
      case "consent":
        guard let item = call["item"]?.integer, items.indices.contains(item), let isGiven = call["isGiven"]?.bool else {
          problems.append(Problem(12, "\(path) consents to an item that was not requested"))
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

  static let pageParts: Set = ["front", "back", "multipart"]

  static func requests(_ body: JSONValue) -> [Problem] {
    let configuration = body.configuration
    let requests = configuration.list("requests")
    let (asked, brought) = (requests.map { $0.text("category") }, body.credentials.map { $1.text("category") })
    guard brought == (body.hasError ? [] : asked) else {
      return [
        Problem(
          13,
          "the credentials are \(brought.joined(separator: ", ")), and must be "
            + (body.hasError ? "none, as there is an error" : asked.joined(separator: ", ")))
      ]
    }
    var problems: [Problem] = []
    let told = body.list("events").filter { $0["event"] == "initialized" }
    if told.contains(where: { $0["requests"]?.canonical != configuration["requests"]?.canonical }) {
      problems.append(Problem(13, "other credentials were announced than requested"))
    }
    problems.add(
      14, "body.calls and body.events are not a valid journey: see its table of states",
      if: !RecordJourney(body).isPossible)
    problems.add(
      15, "the policies are not those of faceModes, or data alone is compared",
      if: configuration.names("livenessPolicies") != Set(configuration.texts("faceModes"))
        || configuration["extractsOnly"] == true && configuration["comparesFace"] == true)
    problems += modes(body)
    let (chosen, declined) = choices(body)
    for (index, (path, credential)) in body.credentials.enumerated() {
      problems.add(
        20, "\(path): a movement was declined by a call and not by it, or the reverse",
        if: credential["hasDeclined"]?.bool != declined.contains(index))
      let wasStarted = body.list("calls").contains {
        $0.text("call") == "start-credential" && $0["credential"]?.integer == index
      }
      let end = body.end(of: index)
      let wasFinished = body.list("calls").contains {
        $0.text("call") == "finish-credential" && $0["at"]?.double == end
      }
      problems.add(
        14, "\(path) was not started and finished by calls, with an event at its end",
        if: !wasStarted || end == nil || !wasFinished)
      let category = credential.text("category")
      let isRight =
        credential.has("document") == (category == "id") && credential.has("choice") == (category == "id")
        && credential.has("liveness") == (category == "face") && (!credential.has("comparison") || category == "face")
        && credential.has("result") == (category != "document")
      problems.add(15, "\(path) does not have the parts of the category \(category)", if: !isRight)
      if case .object(let modes)? = credential["modes"] {
        let isAllowed = modes.allSatisfy { part, mode in
          let mode = mode.string ?? ""
          switch category {
          case "face": return part == "face" && configuration.texts("faceModes").contains(mode)
          case "id" where part == "chip": return mode == "chip-files"
          case "id":
            return pageParts.contains(part) && configuration.texts("documentModes").contains(mode)
              && configuration["readsPages"] == true
          default: return part == "document" && configuration.texts("documentModes").contains(mode)
          }
        }
        problems.add(
          15, "\(path) was scanned in a mode that the configuration does not allow", if: !isAllowed || modes.isEmpty)
      }
      guard credential.has("choice"), let choice = credential["choice"] else { continue }
      let request = requests[index]
      func allows(_ list: String, _ value: String) -> Bool {
        let allowed = request.texts(list).map(DocumentChoice.icao)
        return allowed.isEmpty || allowed.contains(DocumentChoice.icao(value))
      }
      problems.add(
        16, "\(path) is of a document that was not requested",
        if: !allows("countries", choice.text("country")) || !allows("types", choice.text("type"))
          || !allows("variants", choice.text("variant")))
      if credential["document"]?.text("result") == "passed",
        ["type", "country"].contains(where: { credential["document"]?[$0] != choice[$0] })
      {
        problems.append(Problem(16, "\(path): the document is of another country or type than the chosen one"))
      }
      let variants = DocumentType(rawValue: choice.text("type")).kind?.forms.map(\.variant.rawValue) ?? []
      let isChosen =
        chosen[index].map { call in
          ["country", "type", "variant"].allSatisfy {
            DocumentChoice.icao(call.text($0)) == DocumentChoice.icao(choice.text($0))
          }
        } ?? (Set(request.texts("countries").map(DocumentChoice.icao)).count == 1)
      problems.add(
        16, "\(path).choice is not that of the call configure",
        if: !isChosen || !variants.contains(choice.text("variant")))
    }
    return problems
  }

  /// The choice of each credential's last call `configure`, and the credentials in which a movement was declined.
  static func choices(_ body: JSONValue) -> (chosen: [Int: JSONValue], declined: Set<Int>) {
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
  static func modes(_ body: JSONValue) -> [Problem] {
    var (part, used): (String, [String: JSONValue]) = ("", [:])
    var problems: [Problem] = []
    let credentials = body.credentials
    for event in body.list("events") {
      let name = event.text("event")
      if name == "started" { part = event.text("part") }
      if name == "started" || name == "fallback" { used[part] = event["mode"] }
      guard name == "credential-finished", let index = event["credential"]?.integer,
        credentials.indices.contains(index),
        case .object(let modes)? = credentials[index].credential["modes"]
      else { continue }
      if modes.contains(where: { used[$0.key] != $0.value }) {
        problems.append(Problem(15, "\(credentials[index].path) was scanned in other modes than the events say"))
      }
    }
    return problems
  }
}
