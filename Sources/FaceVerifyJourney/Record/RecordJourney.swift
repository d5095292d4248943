/// Follows a record's calls through ``JourneyTable``. A record has no states, so all that are possible are followed.
struct RecordJourney {
  /// What a journey may be at after some of its calls.
  private struct State: Hashable {
    var state = JourneyState.created
    /// The state that `retry` leads back to.
    var interrupted: JourneyState?
    var credential: Int?
    var part: String?
    /// The finished parts of the active credential.
    var done: Set<String> = []
    /// How many of the events were used.
    var (starts, ends, errors) = (0, 0, 0)
  }

  private static let pages: Set = ["front", "back", "multipart"]
  /// The parts of each category.
  private static let parts: [String: Set<String>] = [
    "id": pages.union(["chip"]), "face": ["face"], "document": ["document"],
  ]
  /// The parts in which a call is possible; other calls depend on the state alone.
  private static let places: [JourneyCall.Kind: Set<String>] = [
    .attachChip: ["chip"], .attachCode: ["back", "multipart"], .decline: ["face"],
    .frame: pages.union(["face", "document"]), .takePicture: pages.union(["face", "document"]),
    .attach: pages.union(["face", "document"]),
  ]

  private let calls: [JSONValue]
  private let categories: [String]
  /// The parts of each credential of the result; empty if the journey ended with an error.
  private let results: [Set<String>]
  private let (starts, ends, errors): ([JSONValue], [JSONValue], [JSONValue])

  init(_ body: JSONValue) {
    func list(_ json: JSONValue?, _ name: String) -> [JSONValue] { json?[name]?.elements ?? [] }
    func events(_ name: JSONValue) -> [JSONValue] { list(body, "events").filter { $0["event"] == name } }
    calls = list(body, "calls")
    categories = list(body.configuration, "requests").map { $0["category"]?.string ?? "" }
    results = list(body, "credentials").map {
      $0.names("modes")
    }
    (starts, ends, errors) = (events("started"), events("credential-finished"), events("error"))
  }

  /// Whether the table leads from the first call to the end, with the record's events.
  var isPossible: Bool {
    var states: Set = [State()]
    for call in calls {
      let at = call["at"]?.double ?? 0
      states = Set(
        settled(states, at).filter { $0.errors == errors.count || errors[$0.errors]["at"]?.double ?? 0 >= at }
          .flatMap { after($0, call, at) })
    }
    return states.contains {
      $0.state == .finished && ($0.starts, $0.ends, $0.errors) == (starts.count, ends.count, errors.count)
    }
  }

  private func next(_ events: [JSONValue], _ used: Int, _ at: Double) -> JSONValue? {
    events.indices.contains(used) && events[used]["at"]?.double == at ? events[used] : nil
  }

  private func failed(_ state: State) -> State {
    var state = state
    let code = JourneyError.Code(rawValue: errors[state.errors]["error"]?["code"]?.string ?? "")
    state.errors += 1
    (state.state, state.interrupted) = (code.isRetryable && state.state != .failed ? .failed : .halted, state.state)
    return state
  }

  /// What may happen without a call: a deadline ends a try, an error interrupts.
  private func settled(_ states: Set<State>, _ at: Double) -> Set<State> {
    var (found, new) = (states, states)
    while !new.isEmpty {
      var more: Set<State> = []
      for var state in new {
        if state.errors < errors.count, errors[state.errors]["at"]?.double ?? 0 <= at,
          ![.halted, .finished].contains(state.state)
        {
          more.insert(failed(state))
        }
        if state.state == .scanning {
          state.state = .retrying
          more.insert(state)
        }
      }
      new = more.subtracting(found)
      found.formUnion(new)
    }
    return found
  }

  private func after(_ state: State, _ call: JSONValue, _ at: Double) -> [State] {
    guard let kind = call["call"]?.string.flatMap(JourneyCall.Kind.init),
      let moves = JourneyTable.moves(kind, in: state.state)
    else { return [] }
    let all = moves.compactMap { moved(state, to: $0, by: kind, call, at) }
    return next(errors, state.errors, at) == nil ? all : all + [failed(state)]
  }

  private func moved(
    _ before: State, to state: JourneyState, by kind: JourneyCall.Kind, _ call: JSONValue, _ at: Double
  ) -> State? {
    // Only an error leads there, or time passes there.
    guard ![.failed, .halted].contains(state) || kind == .tick else { return nil }
    if let places = Self.places[kind], !places.contains(before.part ?? "") { return nil }
    let category = before.credential.map { categories[$0] } ?? ""
    var after = before
    after.state = state
    switch kind {
    case .retry: return state == before.interrupted ? after : nil
    case .configure: return category == "id" ? after : nil
    case .startCredential:
      guard let index = call["credential"]?.integer, categories.indices.contains(index),
        !ends.prefix(before.ends).contains(where: { $0["credential"]?.integer == index })
      else { return nil }
      (after.credential, after.part, after.done) = (index, nil, [])
    case .startPart:
      guard let event = next(starts, before.starts, at), let part = call["part"]?.string, event["part"]?.string == part,
        Self.parts[category]?.contains(part) == true, let mode = event["mode"],
        (call["mode"] ?? .null) == .null || call["mode"] == mode
      else { return nil }
      after.part = part
      after.starts += 1
    case .finishPart, .cancelPart:
      guard state == .choosing else { break }
      if kind == .finishPart, let part = before.part { after.done.insert(part) }
      after.part = nil
    case .cancelCredential: (after.credential, after.part, after.done) = (nil, nil, [])
    case .finishCredential:
      guard state == .ready else { break }
      guard let event = next(ends, before.ends, at), let index = before.credential,
        event["credential"]?.integer == index, !results.indices.contains(index) || results[index] == before.done
      else { return nil }
      after.credential = nil
      after.ends += 1
    default: break
    }
    return after
  }
}
