internal import FaceVerify
internal import FaceVerifyBase

// Handlers of the routes, in the order of ``Route/all``.

extension FaceServer {
  // MARK: Operators

  func create(_ call: Route.Call) throws -> ServerResponse {
    let name = call.request.headers["idempotency-key"]
    let digest = sha256(call.body)
    if let name {
      guard (1...200).contains(name.utf8.count) else {
        throw Problem(400, "An Idempotency-Key has 1 to 200 characters.")
      }
      if let id = try store.reserve(name, tenant: call.tenant, digest: digest, at: call.now) {
        guard let row = try store.session(id), row.state != .cleared else {
          throw Problem(422, "The session of this Idempotency-Key was deleted or wiped: make a new one.")
        }
        return .json(opened(row), status: 201)
      }
    }
    do {
      let made = try open(try call.json(), key: call.key, at: call.now)
      if let name { try store.keep(made.row.id, tenant: call.tenant, name: name) }
      return .json(opened(made.row, warnings: made.warnings), status: 201).with(
        "Location", "/v1/sessions/\(made.row.id)")
    } catch {
      if let name { try store.release(name, tenant: call.tenant) }
      throw error
    }
  }

  /// Creates a session, which waits for its page.
  private func open(_ json: JSONValue, key: ServerStore.Key?, at now: Double) throws -> (
    row: ServerStore.Session, warnings: [String]
  ) {
    let json = try enrolled(json)
    let (request, nonce) = try checked(json, at: now)
    try checkCallback(request, of: key)
    let tenant = key?.tenant ?? ""
    let person = person(request, of: tenant)
    try checkFailures(person, of: tenant, at: now)
    let row = ServerStore.Session(
      id: "\(configuration.node)-\(Self.identifier())", tenant: tenant,
      account: request.journey.accountID ?? Self.identifier(), node: configuration.node, state: .created, created: now,
      startBy: now + request.startBy, expires: now + request.startBy + request.lifetime, runs: 1, request: json,
      nonce: nonce)
    try store.add(row, pageDigest: Token.digest(pageToken(row)), sessionDigest: nil, person: person)
    audit("created", tenant: tenant, session: row.id, ["commitment": .string(PageSession.commitment(row.nonce))])
    return (row, request.journey.warnings)
  }

  private func checkCallback(_ request: SessionRequest, of key: ServerStore.Key?) throws {
    if let callback = request.callback, !(key?.callbacks.contains { Self.allows($0, callback) } ?? false) {
      throw Problem(400, "callbackUrl is none of the addresses that this key may name: serve key add --callback.")
    }
  }

  private func checkFailures(_ person: String?, of tenant: String, at now: Double) throws {
    if let person, configuration.hasRateLimits,
      try store.failures(tenant: tenant, person: person, since: now - 86400) >= Self.failuresADay
    {
      throw Problem(429, "\(Self.failuresADay) sessions of this userReference have failed in a day.", retryAfter: 3600)
    }
  }

  /// A request that a page can begin: everything that the journey itself would refuse is refused before anybody comes.
  private func checked(_ json: JSONValue, at now: Double) throws -> (request: SessionRequest, nonce: [UInt8]) {
    var request = try read(json)
    let nonce = randomBytes(32)
    request.journey.nonce = nonce
    guard [0, 90, 180, 270].contains(request.journey.rotation) else {
      throw Problem(400, "rotation must be 0, 90, 180 or 270 degrees, not \(request.journey.rotation).")
    }
    _ = try JourneyController(engine: engine, configuration: request.journey, at: now)
    return (request, nonce)
  }

  /// Replaces a portrait photo by its template; the photo is not kept.
  private func enrolled(_ json: JSONValue) throws -> JSONValue {
    guard let bytes = json["portrait"]?.string.flatMap(Base64.standard.decode), !FaceTemplate.isTemplate(bytes) else {
      return json
    }
    let template = try engine.portraitTemplate(
      Photo(bytes: bytes, limits: .portrait), budget: Budget(seconds: Self.patience))
    return PhotoRecord.with(
      "portrait", .string(SessionRequest.photoMark + Base64.standard.encode(template.serialised())), in: json)
  }

  private func opened(_ row: ServerStore.Session, warnings: [String] = []) -> JSONValue {
    [
      "accountId": .string(row.account), "workflowExecutionId": .string(row.id), "state": .string(row.state.rawValue),
      "pageUrl": .string("\(publicAddress)/s#t=\(pageToken(row))"), "startBy": .string(timestamp(row.startBy)),
      "expires": .string(timestamp(row.expires)), "commitment": .string(PageSession.commitment(row.nonce)),
      "warnings": .array(warnings.map(JSONValue.string)),
    ]
  }

  /// Returns the tenant's session. A session of another tenant is reported as unknown.
  private func own(_ call: Route.Call) throws -> ServerStore.Session {
    guard let row = try store.session(call.parameters[0]), row.tenant == call.tenant else { throw Problem.unknown }
    return row
  }

  func describe(_ call: Route.Call) throws -> ServerResponse {
    let row = try own(call)
    return .json([
      "accountId": .string(row.account), "workflowExecutionId": .string(row.id), "state": .string(row.state.rawValue),
      "node": .string(row.node), "created": .string(timestamp(row.created)), "startBy": .string(timestamp(row.startBy)),
      "expires": .string(timestamp(row.expires)), "finished": row.finished.map { .string(timestamp($0)) } ?? .null,
      "error": row.result["error"] ?? .null, "runs": .integer(row.runs),
      "commitment": .string(PageSession.commitment(row.nonce)),
    ])
  }

  /// Changes the request of a session without a result, which can then be claimed again.
  func change(_ call: Route.Call) throws -> ServerResponse {
    var row = try own(call)
    guard row.state == .interrupted || row.state == .expired else {
      var problem = Problem(
        409, "Only a session that was interrupted or has expired can be changed: this one is \(row.state.rawValue).")
      problem.logicalError = .wrongOrder
      throw problem
    }
    guard case .object(var members) = row.request, case .object(let changes) = try enrolled(call.json()) else {
      throw Problem.unknown
    }
    for (name, value) in changes { members[name] = value }
    row.request = .object(members)
    let (request, nonce) = try checked(row.request, at: call.now)
    // What another key has named stays.
    if changes["callbackUrl"] != nil { try checkCallback(request, of: call.key) }
    (row.node, row.state, row.nonce) = (configuration.node, .created, nonce)
    (row.startBy, row.expires) = (call.now + request.startBy, call.now + request.startBy + request.lifetime)
    guard try store.renew(row, pageDigest: Token.digest(pageToken(row))) else {
      throw Problem(409, "The session was just begun again.")
    }
    audit("changed", tenant: row.tenant, session: row.id, ["commitment": .string(PageSession.commitment(row.nonce))])
    return .json(opened(row, warnings: request.journey.warnings))
  }

  func delete(_ call: Route.Call) throws -> ServerResponse {
    let row = try own(call)
    guard row.state.isFinal else { throw Problem(LogicalError.controllerNotCompleted) }
    try store.delete(row.id)
    forget(row.id)
    audit("deleted", tenant: row.tenant, session: row.id)
    return .empty
  }

  func result(_ call: Route.Call) throws -> ServerResponse {
    let row = try own(call)
    switch row.state {
    case .finished:
      audit("result-fetched", tenant: row.tenant, session: row.id, ["key": .string(call.key?.id ?? "")])
      return .json(row.result)
    case .cleared: throw Problem.over("The result was wiped.")
    case .expired, .interrupted:
      throw Problem.over("The session came to no result: it is \(row.state.rawValue).")
    case .created, .claimed, .active:
      if isWaiting(row.id) {
        throw Problem(503, "The result waits for the database: try again.", code: .transport, retryAfter: 5)
      }
      throw Problem(LogicalError.controllerNotCompleted)
    }
  }

  func selfie(_ call: Route.Call) throws -> ServerResponse {
    let row = try own(call)
    guard let picture = selfie(row.id) else {
      throw Problem(
        404, "No picture is kept: retention.images says for how many seconds one is, on the node \(row.node).")
    }
    audit("picture-fetched", tenant: row.tenant, session: row.id, ["key": .string(call.key?.id ?? "")])
    return ServerResponse(200, "image/png", try picture.encodedAsPNG())
  }

  func clear(_ call: Route.Call) throws -> ServerResponse {
    let row = try own(call)
    guard row.state.isFinal else { throw Problem(LogicalError.controllerNotCompleted) }
    try store.clear(row.id)
    forget(row.id)
    audit("cleared", tenant: row.tenant, session: row.id)
    return .json(["workflowExecutionId": .string(row.id), "state": "cleared"])
  }

  /// Deadline of one check in seconds: as long as a person waits for a page.
  private static let patience = 60.0

  func check(_ call: Route.Call) throws -> OneShot {
    OneShot(
      engine: engine, trust: configuration.trust, budget: Budget(seconds: Self.patience),
      today: try DateTime(secondsSince1970: call.now).calendarDate)
  }

  func auditLines(_ call: Route.Call) throws -> ServerResponse {
    let (after, limit) = (Int(call.request.query["after"] ?? "0"), Int(call.request.query["limit"] ?? "1000"))
    guard let after, let limit, after >= 0, (1...1000).contains(limit) else {
      throw Problem(400, "after is a number of an entry, limit 1 to 1000.")
    }
    let entries = try store.auditEntries(after: after, limit: limit, tenant: call.tenant)
    return ServerResponse(200, "application/x-ndjson", entries.flatMap { $0.jsonValue.canonical + [10] })
  }

  // MARK: Pages

  func claim(_ call: Route.Call) throws -> ServerResponse {
    guard let token = try call.json()["pageToken"]?.string, token.hasPrefix(Token.Kind.page.rawValue),
      let row = try store.session(pageDigest: Token.digest(token))
    else { throw Problem(404, "There is no such page: ask for a new session.", code: .credentials) }
    switch row.state {
    case .created where call.now > row.startBy:
      throw Problem.over("The page was opened too late: ask for a new session.")
    case .created: break
    case .claimed, .active: throw Problem(409, "The page was opened already: ask for a new session.")
    default: throw Problem.over("This session is over: ask for a new one.")
    }
    let request = try read(row.request)
    // Sessions that were made before the others failed count as well.
    try checkFailures(person(request, of: row.tenant), of: row.tenant, at: call.now)
    // The person's time begins now.
    let expires = call.now + request.lifetime
    let made = try lead(row, expires: expires, at: call.now) {
      try store.claim(row.id, sessionDigest: $0, node: configuration.node, expires: expires)
    }
    audit("claimed", tenant: row.tenant, session: row.id)
    return opened(made, at: call.now)
  }

  private func opened(_ made: (session: PageSession, token: String), at now: Double, status: Int = 200)
    -> ServerResponse
  {
    .json(["sessionToken": .string(made.token), "view": made.session.show(at: now)], status: status)
  }

  /// Creates and claims a demonstration session, which needs no key.
  func demonstrate(_ call: Route.Call) throws -> ServerResponse {
    guard try allowsDemonstration else { throw Problem.unknown }
    guard case .object(var members) = try call.json() else { throw Problem.unknown }
    for name in members.keys where !["requests", "ui", "light", "faceModes", "consents"].contains(name) {
      throw Problem(400, "A demonstration has no \"\(name.prefix(64))\".")
    }
    members["ui"] = PhotoRecord.with("showsResult", true, in: members["ui"] ?? [:])
    let (request, nonce) = try checked(.object(members), at: call.now)
    let row = ServerStore.Session(
      id: "\(configuration.node)-\(Self.identifier())", tenant: "demonstration", account: Self.identifier(),
      node: configuration.node, state: .created, created: call.now, startBy: call.now + request.startBy,
      expires: call.now + request.lifetime, runs: 1, request: .object(members), nonce: nonce)
    try store.add(row, pageDigest: nil, sessionDigest: nil, person: nil)
    audit("created", tenant: row.tenant, session: row.id, ["commitment": .string(PageSession.commitment(row.nonce))])
    let made = try lead(row, expires: row.expires, at: call.now) {
      try store.claim(row.id, sessionDigest: $0, node: configuration.node, expires: row.expires)
    }
    return opened(made, at: call.now, status: 201)
  }

  func extend(_ call: Route.Call) throws -> ServerResponse {
    let session = try call.page
    let (view, expires) = try session.extend(at: call.now)
    try store.extend(session.id, to: expires)
    return .json(view)
  }

  /// Restarts an interrupted session, also one whose node is gone.
  func again(_ call: Route.Call) throws -> ServerResponse {
    guard var row = call.row else { throw Problem.unknown }
    guard call.now < row.expires else { throw Problem.over("This session is over: ask for a new one.") }
    row.nonce = randomBytes(32)
    let made = try lead(row, expires: row.expires, at: call.now) {
      try store.adopt(row.id, sessionDigest: $0, node: configuration.node, nonce: row.nonce)
    }
    audit(
      "begun-again", tenant: row.tenant, session: row.id,
      ["run": .integer(row.runs + 1), "commitment": .string(PageSession.commitment(row.nonce))])
    return opened(made, at: call.now)
  }

  func createEntity(_ call: Route.Call) throws -> ServerResponse {
    let payload = try call.json()["payload"] ?? .null
    guard case .object = payload else { throw Problem(400, "The body needs \"payload\", an object.") }
    let id = Self.identifier()
    guard try store.addEntity(id, session: try call.page.id, payload: payload, at: call.now) else {
      throw Problem(409, "A session has at most \(ServerStore.maximumEntities) entities.")
    }
    return .json(["entityId": .string(id), "payload": payload], status: 201)
  }

  /// Responds with a file of the page.
  func asset(_ name: String, of call: Route.Call) throws -> ServerResponse {
    guard let asset = assets[name] else { throw Problem.unknown }
    if call.request.headers["if-none-match"] == asset.tag {
      var response = ServerResponse.empty.with("ETag", asset.tag).with("Cache-Control", "no-cache")
      response.status = 304
      return response
    }
    let isPacked =
      !asset.packed.isEmpty
      && (call.request.headers["accept-encoding"] ?? "").split(separator: ",").contains {
        $0.trimmed.hasPrefix("gzip") && !$0.trimmed.hasSuffix("q=0")
      }
    let response = ServerResponse(200, asset.type, isPacked ? asset.packed : asset.bytes).with("ETag", asset.tag).with(
      "Cache-Control", "no-cache"
    ).with("Vary", "Accept-Encoding")
    return isPacked ? response.with("Content-Encoding", "gzip") : response
  }
}
