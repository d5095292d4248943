internal import FaceVerifyBase
internal import FaceVerifyJourney

// Test sessions: created with a test key, they end at once as their request says. No person, page or signature takes part,
// and no record is made, so no test result can pass for a live one.

/// The tenants of test keys. A test key has a tenant of its own: sessions, idempotency, events, webhook secrets and audit
/// of tests and of live sessions are separate like those of two tenants, and a session never changes its tenant.
enum TestTenant {
  /// Names of keys cannot begin with it.
  static let prefix = "test:"

  static func contains(_ tenant: String) -> Bool { tenant.hasPrefix(prefix) }
  static func mode(of tenant: String) -> String { contains(tenant) ? "test" : "live" }
}

/// How a test session ends: the member `test.outcome` of its request.
enum TestOutcome: Sendable {
  case result(CheckStatus)
  case error(JourneyError)
  /// Without a result.
  case ended(ServerStore.Session.State)

  /// - Parameter test: the member `test` of the request; nil for a session that passes.
  init(_ test: JSONValue?) throws {
    guard case .object(var members) = test ?? [:] else { throw Problem(400, "test must be an object.") }
    let name = (members.removeValue(forKey: "outcome") ?? "passed").string ?? ""
    if let other = members.keys.first { throw Problem(400, "Unknown member \"\(other.prefix(64))\" of test.") }
    let code = JourneyError.Code(rawValue: name)
    if let status = CheckStatus(rawValue: name) {
      self = .result(status)
    } else if let state = ServerStore.Session.State(rawValue: name), [.expired, .interrupted].contains(state) {
      self = .ended(state)
    } else if code.isKnown {
      self = .error(JourneyError(code))
    } else {
      throw Problem(
        400, "test.outcome must be passed, failed, not-checked, expired, interrupted, or the code of an error.")
    }
  }

  var status: CheckStatus { if case .result(let status) = self { status } else { .notChecked } }
  var error: JourneyError? { if case .error(let error) = self { error } else { nil } }
}

extension FaceServer {
  /// Ends a test session, through the same journal, events and webhooks as a live one.
  func end(_ row: ServerStore.Session, _ request: SessionRequest, as outcome: TestOutcome, at now: Double) {
    if case .ended(let state) = outcome { return change(.end, row.id, .string(state.rawValue)) }
    let (status, error) = (outcome.status, outcome.error)
    let answer: JSONValue = [
      "workflowExecutionId": .string(row.id), "accountId": .string(row.account),
      "mode": .string(TestTenant.mode(of: row.tenant)), "isComplete": .bool(error == nil),
      "result": .string(status.rawValue),
      "assurance": (status == .passed ? request.requiredAssurance : Assurance()).jsonValue,
      "error": error?.jsonValue ?? .null, "consents": [], "transport": [:], "commitment": row.commitment,
      "nonce": .string(hexadecimal(row.nonce)), "record": .null,
    ]
    journal.add(
      ServerStore.Entry(
        kind: "finished", tenant: row.tenant, session: row.id,
        detail: ["result": .string(status.rawValue), "error": error.map { .string($0.code.rawValue) } ?? .null],
        at: now,
        end: .init(
          node: row.node, outcome: status.rawValue, answer: answer,
          request: row.request.with("portrait", .null), resultSeconds: request.resultSeconds)))
  }
}

extension SessionRequest {
  /// The least that a session must prove to pass.
  fileprivate var requiredAssurance: Assurance {
    func has(_ category: JourneyCategory) -> Bool { journey.requests.contains { $0.category == category } }
    let isCompared = journey.comparesFace && has(.face) && (has(.id) || journey.portrait != nil)
    return Assurance(
      presence: has(.face) ? journey.assurance.presence : .none,
      document: has(.id) ? journey.assurance.document : .none,
      binding: isCompared ? journey.assurance.binding : .none)
  }
}
