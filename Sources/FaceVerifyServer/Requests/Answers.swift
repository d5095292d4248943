internal import DocumentImaging
internal import FaceVerifyBase
internal import FaceVerifyJourney

// Handlers of the routes, in the order of ``Route/all``.

extension FaceServer {
  // MARK: Operators

  func create(_ call: Route.Call) throws -> ServerResponse {
    let key = try call.request.headers["idempotency-key"].map { name in
      guard (1...200).contains(name.utf8.count) else {
        throw Problem(400, "An Idempotency-Key has 1 to 200 characters.")
      }
      return ServerStore.IdempotencyKey(name: name, digest: sha256(call.body))
    }
    if let key, let id = try store.session(of: key, tenant: call.tenant) { return try known(id) }
    let (now, tenant, json) = (call.now, call.tenant, try enrolled(call.json()))
    let (request, nonce) = try checked(json, of: tenant, at: now)
    try checkCallback(request, of: call.caller.key)
    let person = person(request, of: tenant)
    try checkAttempts(person, of: tenant, at: now)
    let row = row(json, request, nonce, tenant: tenant, expires: now + request.startBy + request.lifetime, at: now)
    let pageDigest = Token.digest(secrets.pageToken(row))
    if let id = try store.add(row, pageDigest: pageDigest, person: person, key: key) { return try known(id) }
    audit("created", row, ["commitment": row.commitment])
    if let outcome = request.outcome { end(row, request, as: outcome, at: now) }
    var response = ServerResponse.json(opened(row, warnings: request.warnings), status: 201)
    response.headers.append(("Location", "/v1/sessions/\(row.id)"))
    return response
  }

  /// The response to a repeated request.
  private func known(_ id: String) throws -> ServerResponse {
    guard let row = try store.session(id), row.state != .cleared else {
      throw Problem(422, "The session of this Idempotency-Key was deleted or wiped: use a new key.")
    }
    return .json(opened(row), status: 201)
  }

  private func row(
    _ json: JSONValue, _ request: SessionRequest, _ nonce: [UInt8], tenant: String, expires: Double, at now: Double
  ) -> ServerStore.Session {
    ServerStore.Session(
      id: "\(configuration.node)-\(TestTenant.contains(tenant) ? "test-" : "")\(UUIDText.random())", tenant: tenant,
      account: request.journey.accountID ?? UUIDText.random(), node: configuration.node, state: .created, created: now,
      startBy: now + request.startBy, expires: expires, runs: 1, request: json, nonce: nonce)
  }

  private func checkCallback(_ request: SessionRequest, of key: ServerKey?) throws {
    if let callback = request.callback, !(key?.callbacks.contains { PlainURL.allows($0, callback) } ?? false) {
      throw Problem(400, "This key does not allow the callbackUrl: see `serve key add --callback`.")
    }
  }

  private func checkAttempts(_ person: String?, of tenant: String, at now: Double) throws {
    if let person, configuration.hasRateLimits, !TestTenant.contains(tenant),
      try store.attempts(tenant: tenant, person: person, at: now) >= Self.attemptsADay
    {
      throw Problem(
        429, "\(Self.attemptsADay) attempts of this userReference within a day did not pass.", retryAfter: 3600)
    }
  }

  /// Parses a request, and refuses everything that the journey would refuse when the page is opened.
  private func checked(_ json: JSONValue, of tenant: String, at now: Double) throws -> (
    request: SessionRequest, nonce: [UInt8]
  ) {
    var request = try read(json, of: tenant)
    let nonce = randomBytes(32)
    request.journey.nonce = nonce
    guard request.returnURL == nil || allowedReturn(request) != nil else {
      throw Problem(
        400,
        "This server does not allow the returnUrl: it must begin with an origin of --allow-return, and have no user, "
          + "fragment or dot segments.")
    }
    guard [0, 90, 180, 270].contains(request.journey.rotation) else {
      throw Problem(400, "rotation must be 0, 90, 180 or 270 degrees, not \(request.journey.rotation).")
    }
    _ = try JourneyController(engine: engine, configuration: request.journey, at: now)
    return (request, nonce)
  }

  /// The URL to which the page of a session leads at the end; nil if there is none, or if it is not allowed any more.
  func allowedReturn(_ request: SessionRequest) -> String? {
    request.returnURL.flatMap { url in configuration.returns.contains { PlainURL.allows($0, url) } ? url : nil }
  }

  /// Replaces a portrait photo by its template; the photo is not kept.
  private func enrolled(_ json: JSONValue) throws -> JSONValue {
    guard let portrait = json["portrait"], portrait != .null else { return json }
    guard let bytes = portrait.string.flatMap(Base64.standard.decode) else { throw Problem.portrait }
    if FaceTemplate.isTemplate(bytes) { return json }
    let template = try engine.portraitTemplate(
      Photo(bytes: bytes, limits: .portrait), budget: Budget(seconds: Self.patience))
    return json.with(
      "portrait", [SessionRequest.photoTemplate: .string(Base64.standard.encode(template.serialised()))])
  }

  private func opened(_ row: ServerStore.Session, warnings: [String] = []) -> JSONValue {
    .object(
      row.members.merging([
        "pageUrl": .string("\(publicAddress)/s#t=\(secrets.pageToken(row))"),
        "warnings": .array(warnings.map(JSONValue.string)),
      ]) { $1 })
  }

  /// Returns the tenant's session. A session of another tenant is reported as unknown.
  private func own(_ call: Route.Call) throws -> ServerStore.Session {
    guard let row = try store.session(call.parameters[0]), row.tenant == call.tenant else { throw Problem.unknown }
    return row
  }

  func list(_ call: Route.Call) throws -> ServerResponse {
    let query = call.request.query
    let state = query["state"].flatMap(ServerStore.Session.State.init)
    guard query["state"] == state?.rawValue else { throw Problem(400, "state must be that of a session.") }
    let person = query["userReference"].map { secrets.person($0, of: call.tenant) }
    return try page(
      call, of: "sessions", cursor: "workflowExecutionId of a session", row: { try store.session($0) },
      rows: { try store.sessions(tenant: call.tenant, state: state, person: person, before: $0, limit: $1) },
      json: description)
  }

  /// Answers with a page of a list, the last row first, and the cursor of the next page: the id of the page's last row.
  ///
  /// - Parameters:
  ///   - name: the member with the rows.
  ///   - kind: what the parameter `before` must be, for its error message.
  ///   - row: returns the row with an id.
  ///   - rows: returns the rows before one, up to a number.
  private func page<Row: TenantRow>(
    _ call: Route.Call, of name: String, cursor kind: String, row: (String) throws -> Row?,
    rows: (_ before: Row?, _ limit: Int) throws -> [Row], json: (Row) -> JSONValue
  ) throws -> ServerResponse {
    let query = call.request.query
    guard let limit = Int(query["limit"] ?? "100"), (1...100).contains(limit) else {
      throw Problem(400, "limit must be 1 to 100.")
    }
    let before = try query["before"].map { id in
      guard let found = try row(id), found.tenant == call.tenant else {
        throw Problem(400, "before must be the \(kind).")
      }
      return found
    }
    // One more row shows whether there is a next page.
    let found = try rows(before, limit + 1)
    let page = found.prefix(limit)
    return .json([
      name: .array(page.map(json)), "before": found.count > limit ? .optional(page.last?.id) : .null,
    ])
  }

  func describe(_ call: Route.Call) throws -> ServerResponse { .json(description(try own(call))) }

  private func description(_ row: ServerStore.Session) -> JSONValue {
    let more: [String: JSONValue] = [
      "node": .string(row.node), "created": .string(timestamp(row.created)),
      "finished": row.finished.map { .string(timestamp($0)) } ?? .null, "error": row.result["error"] ?? .null,
      "runs": .integer(row.runs), "result": row.result["result"] ?? .null,
      "assurance": row.result["assurance"] ?? .null,
      "customerInternalReference": row.request["customerInternalReference"] ?? .null,
      "userReference": row.request["userReference"] ?? .null,
    ]
    return .object(row.members.merging(more) { $1 })
  }

  /// Changes the request of a session without a result, which can then be claimed again.
  func change(_ call: Route.Call) throws -> ServerResponse {
    var row = try own(call)
    guard row.state == .interrupted || row.state == .expired else {
      throw Problem(
        409, "Only an interrupted or expired session can be changed; this one is \(row.state.rawValue).",
        logicalError: .wrongOrder)
    }
    guard case .object(var members) = row.request, case .object(let changes) = try enrolled(call.json()) else {
      throw Problem.unknown
    }
    for (name, value) in changes { members[name] = value }
    row.request = .object(members)
    let (request, nonce) = try checked(row.request, of: row.tenant, at: call.now)
    // An address set by another key remains.
    if changes["callbackUrl"] != nil { try checkCallback(request, of: call.caller.key) }
    (row.node, row.state, row.nonce) = (configuration.node, .created, nonce)
    (row.startBy, row.expires) = (call.now + request.startBy, call.now + request.startBy + request.lifetime)
    guard try store.renew(row, pageDigest: Token.digest(secrets.pageToken(row))) else {
      throw Problem(409, "The session has just been restarted.")
    }
    audit("changed", row, ["commitment": row.commitment])
    if let outcome = request.outcome { end(row, request, as: outcome, at: call.now) }
    return .json(opened(row, warnings: request.warnings))
  }

  func delete(_ call: Route.Call) throws -> ServerResponse {
    let row = try own(call)
    guard row.state.isFinal else { throw Problem(LogicalError.controllerNotCompleted) }
    try store.delete(row.id)
    forget(row.id)
    audit("deleted", row)
    return ServerResponse(204)
  }

  func result(_ call: Route.Call) throws -> ServerResponse {
    let row = try own(call)
    switch row.state {
    case .finished:
      audit("result-fetched", row, ["key": .string(call.caller.key?.id ?? "")])
      return .json(row.result)
    case .cleared: throw Problem.over("The result was wiped.")
    case .expired, .interrupted:
      throw Problem.over("The session has no result: it is \(row.state.rawValue).")
    case .created, .claimed, .active:
      if journal.isWaiting(row.id) {
        throw Problem(503, "The result is not yet in the database: try again.", code: .transport, retryAfter: 5)
      }
      throw Problem(LogicalError.controllerNotCompleted)
    }
  }

  func selfie(_ call: Route.Call) throws -> ServerResponse {
    let row = try own(call)
    guard let picture = selfie(row.id) else {
      throw Problem(404, "There is no picture: the node \(row.node) keeps it for retention.images seconds.")
    }
    audit("picture-fetched", row, ["key": .string(call.caller.key?.id ?? "")])
    return ServerResponse(200, "image/png", try picture.encodedAsPNG())
  }

  func clear(_ call: Route.Call) throws -> ServerResponse {
    let row = try own(call)
    guard row.state.isFinal else { throw Problem(LogicalError.controllerNotCompleted) }
    try store.clear(row.id)
    forget(row.id)
    audit("cleared", row)
    return .json([
      "workflowExecutionId": .string(row.id), "state": "cleared", "mode": .string(TestTenant.mode(of: row.tenant)),
    ])
  }

  // MARK: Events

  func listEvents(_ call: Route.Call) throws -> ServerResponse {
    let query = call.request.query
    let delivery = query["delivery"].flatMap(ServerStore.Event.Delivery.init)
    guard query["delivery"] == delivery?.rawValue else {
      throw Problem(400, "delivery must be waiting, delivered or given-up.")
    }
    let session = query["workflowExecutionId"]
    return try page(
      call, of: "events", cursor: "id of an event", row: { try store.event($0) },
      rows: { try store.events(tenant: call.tenant, session: session, delivery: delivery, before: $0, limit: $1) },
      json: \.jsonValue)
  }

  private func ownEvent(_ call: Route.Call) throws -> ServerStore.Event {
    guard let event = try store.event(call.parameters[0]), event.tenant == call.tenant else { throw Problem.unknown }
    return event
  }

  func describeEvent(_ call: Route.Call) throws -> ServerResponse { .json(try ownEvent(call).jsonValue) }

  /// Seconds after an attempt in which its event is not redelivered: an attempt takes 10 s at most.
  private static let redeliveryPause = 15.0

  func redeliver(_ call: Route.Call) throws -> ServerResponse {
    let event = try ownEvent(call)
    guard event.url != nil else { throw Problem(409, "The session has no callbackUrl: fetch its result.") }
    guard try store.redeliver(event.id, pause: Self.redeliveryPause, at: call.now) else {
      throw Problem(
        409, "The webhook was sent less than \(Int(Self.redeliveryPause)) s ago: wait for its outcome.",
        retryAfter: Int(Self.redeliveryPause))
    }
    audit("redelivered", tenant: event.tenant, session: event.session, ["event": .string(event.id)])
    return .json(try ownEvent(call).jsonValue, status: 202)
  }

  /// Deadline of one check in seconds.
  private static let patience = 60.0

  func check(_ call: Route.Call) throws -> OneShot {
    OneShot(
      engine: engine, trust: configuration.trust, budget: Budget(seconds: Self.patience),
      today: try DateTime(secondsSince1970: call.now).calendarDate)
  }

  func auditLines(_ call: Route.Call) throws -> ServerResponse {
    let (after, limit) = (Int(call.request.query["after"] ?? "0"), Int(call.request.query["limit"] ?? "1000"))
    guard let after, let limit, after >= 0, (1...1000).contains(limit) else {
      throw Problem(400, "after must be an entry's number, limit 1 to 1000.")
    }
    let entries = try store.auditEntries(after: after, limit: limit, tenant: call.tenant)
    return ServerResponse(200, "application/x-ndjson", entries.flatMap { $0.jsonValue.canonical + [10] })
  }

  // MARK: Pages

  func claim(_ call: Route.Call) throws -> ServerResponse {
    let unknown = Problem(404, "The page token is unknown: create a new session.", code: .credentials)
    guard let token = try call.json()["pageToken"]?.string, token.hasPrefix(Token.Kind.page.rawValue) else {
      throw unknown
    }
    if let session = offered(by: Token.digest(token)) { return try takeOver(session, with: token) }
    guard let row = try store.session(pageDigest: Token.digest(token)) else { throw unknown }
    guard !TestTenant.contains(row.tenant) else { throw Problem.testSession }
    switch row.state {
    case .created where call.now > row.startBy:
      throw Problem.over("The page was opened too late: create a new session.")
    case .created: break
    case .claimed, .active: throw Problem(409, "The page is already open: create a new session.")
    default: throw Problem.ended
    }
    let request = try read(row.request, of: row.tenant)
    // Again, for sessions created before the attempts.
    try checkAttempts(person(request, of: row.tenant), of: row.tenant, at: call.now)
    // The person's time begins now.
    let expires = call.now + request.lifetime
    let response = try claim(row, expires: expires)
    audit("claimed", row)
    return response
  }

  private func claim(_ row: ServerStore.Session, expires: Double, status: Int = 200) throws -> ServerResponse {
    let json = try lead(row, expires: expires) {
      try store.claim(row.id, sessionDigest: $0, node: configuration.node, expires: expires)
    }
    return .json(json, status: status)
  }

  /// Makes a link by which another device takes the session over, once.
  func handOff(_ call: Route.Call) throws -> ServerResponse {
    let session = try call.page
    let token = Token.make(.page)
    try session.offer(Token.digest(token))
    offer(session, digest: Token.digest(token))
    audit("hand-off-offered", tenant: session.tenant, session: session.id)
    // A session is in the memory of its node.
    let url = "\(publicAddress)/s#t=\(token)&n=\(configuration.node)"
    guard let code = QRCode(url) else { throw Problem(409, "The address of the server is too long for a code.") }
    return .json([
      "url": .string(url), "code": ["size": .integer(code.size), "path": .string(code.path)],
      "secondsLeft": .number(PageSession.offerSeconds),
    ])
  }

  private func takeOver(_ session: PageSession, with pageToken: String) throws -> ServerResponse {
    let token = Token.make(.session)
    let digest = Token.digest(token)
    let view = try session.takeOver(Token.digest(pageToken)) {
      change(.handOver, session.id, .string(digest))
      return true
    }
    give(session, to: digest)
    audit("handed-off", tenant: session.tenant, session: session.id)
    return .json(["sessionToken": .string(token), "view": view])
  }

  /// Creates and claims a demonstration session, which needs no key.
  func demonstrate(_ call: Route.Call) throws -> ServerResponse {
    guard try allowsDemonstration else { throw Problem.unknown }
    guard case .object(var members) = try call.json() else { throw Problem.unknown }
    for name in members.keys where !["requests", "ui", "light", "faceModes", "consents"].contains(name) {
      throw Problem(400, "A demonstration cannot have \"\(name.prefix(64))\".")
    }
    members["ui"] = (members["ui"] ?? [:]).with("showsResult", true)
    // A visitor has no portrait to compare with, and a browser reads no chip.
    let hasDocument = members["requests"].map { $0.elements.contains { $0["category"] == "id" } } ?? true
    (members["comparesFace"], members["assurance"]) = (.bool(hasDocument), ["accepted": ["page-only", "licence-code"]])
    let tenant = "demonstration"
    let (request, nonce) = try checked(.object(members), of: tenant, at: call.now)
    let row = row(
      .object(members), request, nonce, tenant: tenant, expires: call.now + request.lifetime, at: call.now)
    try store.add(row)
    audit("created", row, ["commitment": row.commitment])
    return try claim(row, expires: row.expires, status: 201)
  }

  func extend(_ call: Route.Call) throws -> ServerResponse {
    let session = try call.page
    let (view, expires) = try session.extend()
    change(.extend, session.id, .number(expires))
    return .json(view)
  }

  /// Restarts an interrupted session, also one whose node is gone.
  func again(_ call: Route.Call) throws -> ServerResponse {
    guard var row = call.caller.row else { throw Problem.unknown }
    guard call.now < row.expires else { throw Problem.ended }
    row.nonce = randomBytes(32)
    let json = try lead(row, expires: row.expires) {
      try store.adopt(row.id, sessionDigest: $0, node: configuration.node, nonce: row.nonce)
    }
    audit("begun-again", row, ["run": .integer(row.runs + 1), "commitment": row.commitment])
    return .json(json)
  }

  func createEntity(_ call: Route.Call) throws -> ServerResponse {
    let payload = try call.json()["payload"] ?? .null
    guard case .object = payload else { throw Problem(400, "The body needs the member \"payload\", an object.") }
    let id = UUIDText.random()
    guard try store.addEntity(id, session: try call.page.id, payload: payload, at: call.now) else {
      throw Problem(409, "A session has at most \(ServerStore.maximumEntities) entities.")
    }
    return .json(["entityId": .string(id), "payload": payload], status: 201)
  }

  // MARK: Files

  var version: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string), "models": engine.modelVersion.jsonValue,
      "signingKey": signingKey.publicKey.jsonValue,
    ]
  }

  private static let nothingHere = Array(
    "<!doctype html><html lang=\"en\"><title>Identity check</title><p>Open the link that you received.</p></html>\n"
      .utf8)

  func home(_ call: Route.Call) throws -> ServerResponse {
    if try allowsDemonstration { return try asset("index.html", of: call) }
    guard call.request.headers["accept"]?.contains("text/html") == true else { throw Problem.unknown }
    return ServerResponse(404, "text/html; charset=utf-8", Self.nothingHere)
  }

  func asset(_ name: String, of call: Route.Call) throws -> ServerResponse {
    guard let asset = assets[name] else { throw Problem.unknown }
    // No browser keeps a page in memory for its back button: in the same window, that may be another person's.
    let caching = name == "index.html" ? "no-store" : "no-cache"
    let headers = [("ETag", asset.tag), ("Cache-Control", caching), ("Vary", "Accept-Encoding")]
    var response = ServerResponse(304)
    if call.request.headers["if-none-match"] != asset.tag {
      let isPacked = !asset.packed.isEmpty && call.request.acceptsGzip
      response = ServerResponse(200, asset.type, isPacked ? asset.packed : asset.bytes)
      if isPacked { response.headers.append(("Content-Encoding", "gzip")) }
    }
    response.headers += headers
    return response
  }
}
