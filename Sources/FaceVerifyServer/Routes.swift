internal import CPage
internal import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// A path and method, the authorisation that it requires, and the limits of its body.
package struct Route: Sendable {
  enum Caller: Sendable {
    case anybody
    /// A key with this scope.
    case key(String)
    /// The page of a session that runs on this node.
    case page
    /// The page of an interrupted session.
    case interrupted
  }

  /// The thread pool that handles the request: kinds of work do not delay each other.
  package enum Work: Sendable {
    /// Responses from the database or from memory.
    case question
    /// Work that a person in front of the camera is waiting for.
    case attempt
    /// Photos and clips, up to a minute each.
    case check
  }

  package let method: String
  /// `{}` matches any segment.
  package let path: String
  let caller: Caller
  let maximumBody: Int
  /// Accepted media types; empty for any.
  let types: [String]
  let work: Work
  let handle: @Sendable (Call) throws -> ServerResponse

  /// An authorised request with its body.
  struct Call: Sendable {
    let server: FaceServer
    let request: ServerRequest
    let parameters: [String]
    let body: [UInt8]
    /// Time at which the body had arrived, on ``steadyClock()``.
    let received: Double
    let now: Double
    let key: ServerStore.Key?
    let session: PageSession?
    let row: ServerStore.Session?

    /// - Throws: a ``Problem`` unless the body is a JSON object.
    func json() throws -> JSONValue {
      guard let json = try? JSONValue(parsing: body), case .object = json else {
        throw Problem(400, "The body must be a JSON object (RFC 8259).")
      }
      return json
    }

    var page: PageSession {
      get throws {
        guard let session else { throw Problem.unknown }
        return session
      }
    }

    var tenant: String { key?.tenant ?? "" }
  }

  private init(
    _ method: String, _ path: String, _ caller: Caller, _ work: Work = .question, body: Int = 0, types: [String] = [],
    _ handle: @escaping @Sendable (Call) throws -> ServerResponse
  ) {
    (self.method, self.path, self.caller) = (method, path, caller)
    (maximumBody, self.types, self.work, self.handle) = (body, types, work, handle)
  }

  private static let json = ["application/json"]
  private static let form = ["multipart/form-data"]
  /// Twice the size of a camera's best JPEG.
  private static let pictureBytes = 32 << 20
  /// A session with a larger body includes a portrait photo, in which a face must be detected.
  private static let plainSessionBytes = 16 << 10
  private static let nothingHere = Array(
    "<!doctype html><html lang=\"en\"><title>Identity checks</title><p>Open the link that you were sent.</p></html>\n"
      .utf8)

  package static let all: [Route] = [
    Route("POST", "/v1/sessions", .key("sessions"), body: 2 << 20, types: json) { try $0.server.create($0) },
    Route("GET", "/v1/sessions/{}", .key("sessions")) { try $0.server.describe($0) },
    Route("PATCH", "/v1/sessions/{}", .key("sessions"), body: 2 << 20, types: json) { try $0.server.change($0) },
    Route("DELETE", "/v1/sessions/{}", .key("sessions")) { try $0.server.delete($0) },
    Route("GET", "/v1/sessions/{}/result", .key("sessions")) { try $0.server.result($0) },
    Route("GET", "/v1/sessions/{}/selfie", .key("sessions"), .check) { try $0.server.selfie($0) },
    Route("POST", "/v1/sessions/{}/clear", .key("sessions")) { try $0.server.clear($0) },
    Route("POST", "/v1/compare", .key("check"), .check, body: pictureBytes, types: form) { call in
      .json(try call.server.check(call).compare(call.form()))
    },
    Route("POST", "/v1/document", .key("check"), .check, body: pictureBytes, types: form) { call in
      .json(try call.server.check(call).document(call.form()))
    },
    Route("POST", "/v1/quality", .key("check"), .check, body: pictureBytes, types: form) { call in
      .json(try call.server.check(call).quality(call.form()))
    },
    Route("POST", "/v1/liveness/video", .key("check"), .check, body: pictureBytes, types: form) { call in
      .json(try call.server.check(call).video(call.form()))
    },
    Route("GET", "/v1/audit", .key("audit"), .check) { try $0.server.auditLines($0) },
    Route("POST", "/v1/page/claim", .anybody, body: 4 << 10, types: json) { try $0.server.claim($0) },
    Route("POST", "/v1/page/demo", .anybody, body: 64 << 10, types: json) { try $0.server.demonstrate($0) },
    Route("GET", "/v1/page", .page, .attempt) { .json(try $0.page.show(at: $0.now)) },
    Route("POST", "/v1/page/calls", .page, .attempt, body: 64 << 10, types: json) { call in
      let session = try call.page
      return .json(try session.perform(try call.json()["calls"]?.elements ?? [], at: call.now))
    },
    Route(
      "POST", "/v1/page/frames", .page, .attempt, body: FrameBatch.maximumBytes, types: [FrameBatch.contentType]
    ) { call in
      .json(try call.page.add(call.body, received: call.received, at: call.now))
    },
    Route(
      "POST", "/v1/page/photo", .page, .check, body: pictureBytes,
      types: [
        "image/jpeg", "image/png", "image/webp", "image/heic", "image/avif", "image/jp2", "image/tiff", "image/bmp",
      ]
    ) { call in .json(try call.page.attach(call.body, at: call.now)) },
    Route("POST", "/v1/page/chip", .page, .check, body: ChipFiles.maximumBytes, types: form) { call in
      .json(try call.page.attachChip(call.form(), at: call.now))
    },
    Route("GET", "/v1/page/picture", .page, .check) { call in
      ServerResponse(200, "image/png", try call.page.picture().encodedAsPNG())
    },
    Route("POST", "/v1/page/extend", .page) { try $0.server.extend($0) },
    Route("POST", "/v1/page/again", .interrupted) { try $0.server.again($0) },
    Route("POST", "/v1/entities", .page, body: 64 << 10, types: json) { try $0.server.createEntity($0) },
    Route("GET", "/v1/version", .anybody) { call in
      .json([
        "version": .string(FaceVerifyVersion.string), "models": call.server.engine.modelVersion.jsonValue,
        "signingKey": call.server.signingKey.publicKey.jsonValue,
      ])
    },
    Route("GET", "/openapi.json", .anybody) { _ in ServerResponse(200, "application/json", PageFiles.openAPI) },
    Route("GET", "/", .anybody) { call in
      guard try call.server.allowsDemonstration else {
        guard call.request.headers["accept"]?.contains("text/html") == true else { throw Problem.unknown }
        return ServerResponse(404, "text/html; charset=utf-8", nothingHere)
      }
      return try call.server.asset("index.html", of: call)
    },
    Route("GET", "/s", .anybody) { try $0.server.asset("index.html", of: $0) },
    Route("GET", "/assets/{}", .anybody) { try $0.server.asset($0.parameters[0], of: $0) },
    Route("GET", "/assets/i18n/{}", .anybody) { try $0.server.asset("i18n/" + $0.parameters[0], of: $0) },
  ]

  private var mayHavePortrait: Bool { maximumBody > 0 && ["/v1/sessions", "/v1/sessions/{}"].contains(path) }

  /// What it is by its size: a body's room is counted so.
  func work(_ bytes: Int) -> Work { mayHavePortrait && bytes > Self.plainSessionBytes ? .check : work }

  /// Whether a body has a portrait, in which a face must be found: a small file can have many pixels. "\u006" and "\u007" begin
  /// its letters in any other spelling (RFC 8259, 7).
  func hasPortrait(_ body: [UInt8]) -> Bool {
    guard mayHavePortrait else { return false }
    return ["portrait", "\\u006", "\\u007"].contains { Multipart.find(Array($0.utf8), in: body, from: 0) != nil }
  }

  /// Returns the segments that match `{}`; nil if the path does not match.
  func parameters(of path: String) -> [String]? {
    let (own, other) = (self.path.split(separator: "/"), path.split(separator: "/"))
    guard own.count == other.count, path.hasPrefix("/"), !path.contains("//") else { return nil }
    var found: [String] = []
    for (mine, theirs) in zip(own, other) {
      if mine == "{}" { found.append(String(theirs)) } else if mine != theirs { return nil }
    }
    return found
  }
}

extension Route.Call {
  func form() throws -> Multipart { try Multipart(body, contentType: request.headers["content-type"] ?? "") }
}

extension FaceServer {
  /// An authorised request of acceptable size and type: its body may be read.
  package struct Admitted: Sendable {
    package let route: Route
    package let maximumBody: Int
    /// Bytes reserved for the body: its announced length, otherwise the maximum.
    package let room: Int
    /// Whose bytes they are: a page's or a key's, and its tenant's; or an address's.
    fileprivate let shares: [ByteBudget.Share]
    /// The tenant or the address that it is done for.
    fileprivate let party: String
    fileprivate let parameters: [String]
    fileprivate let key: ServerStore.Key?
    fileprivate let session: PageSession?
    fileprivate let row: ServerStore.Session?
    fileprivate let headers: [(name: String, value: String)]

    /// Seconds allowed for the body: 10, plus its length at 2 Mbit/s, which a camera's frames need as well
    /// (docs/server.md).
    package var patience: Double { 10 + Double(room) / Double(1 << 18) }

    /// Which threads carry it out, and whose turn it takes: a page's for attempts, else a tenant's or an address's.
    package func turn(_ body: [UInt8]) -> (work: Route.Work, owner: String) {
      var work = route.work(room)
      if work == .question && route.hasPortrait(body) || isBatch && session?.takesDocuments == true { work = .check }
      return (work, work == .attempt ? session?.id ?? party : party)
    }

    /// Its bytes have come: a page whose frames wait for a thread is not silent. To be followed by ``answered(_:)``.
    ///
    /// - Returns: false if too many of the page's requests wait already.
    package func arrived(_ work: Route.Work) -> Bool {
      session?.arrived(isBatch: isBatch, isCheck: work == .check, at: wallClock()) ?? true
    }

    package func answered(_ work: Route.Work) { session?.answered(isBatch: isBatch, isCheck: work == .check) }

    private var isBatch: Bool { route.path == "/v1/page/frames" }
  }

  package enum Admittance: Sendable {
    case admitted(Admitted)
    case refused(ServerResponse)
  }

  /// Admits or refuses a request by its head alone.
  package func admit(_ request: ServerRequest, id: String) -> Admittance {
    do {
      return .admitted(try admitted(request))
    } catch let problem as Problem {
      metrics.count("fv_refused_total", "status=\"\(problem.status)\"")
      return .refused(finish(problem.response(id), id))
    } catch {
      log(.error, "\(error)", ["request": id])
      return .refused(finish(Problem.of(error).response(id), id))
    }
  }

  /// Whether ``admit(_:id:)`` needs no access to the database.
  package func knows(_ request: ServerRequest) -> Bool {
    request.token.hasPrefix(Token.Kind.session.rawValue) && session(token: Token.digest(request.token)) != nil
  }

  /// Releases what ``admit(_:id:)`` reserved.
  package func leave(_ admitted: Admitted) {
    giveRoom(admitted.room, for: admitted.route.work(admitted.room), of: admitted.shares)
    // What large bodies took would stay with the threads that worked on them.
    if admitted.room > Self.largeBody { cpage_trim() }
  }

  private static let largeBody = 8 << 20

  private func admitted(_ request: ServerRequest) throws -> Admitted {
    try checkHost(request)
    let known = Route.all.compactMap { route in route.parameters(of: request.path).map { (route, $0) } }
    guard !known.isEmpty else { throw Problem.unknown }
    guard let (route, parameters) = known.first(where: { $0.0.method == request.method }) else {
      let methods = known.map(\.0.method).joined(separator: ", ")
      var problem = Problem(405, "This address takes \(methods).")
      problem.headers = [("Allow", methods)]
      throw problem
    }
    var (key, session, row): (ServerStore.Key?, PageSession?, ServerStore.Session?)
    var headers: [(name: String, value: String)] = []
    func limit(_ limit: WritableKeyPath<Limits, RateLimit>, _ name: String) throws {
      guard configuration.hasRateLimits else { return }
      let taken = take(limit, name)
      headers = [("RateLimit-Remaining", "\(taken.left)"), ("RateLimit-Reset", "\(taken.reset)")]
      guard taken.isAllowed else {
        var problem = Problem(429, "Too many requests: wait \(taken.reset) s.", retryAfter: taken.reset)
        problem.headers = headers
        throw problem
      }
    }
    do {
      switch route.caller {
      case .anybody:
        try limit(route.method == "POST" ? \.address : \.file, address(of: request))
      case .key(let scope):
        key = try knownKey(request, scope)
        let isNew = route.method == "POST" && route.path == "/v1/sessions"
        try limit(isNew ? \.key : route.work == .check ? \.check : \.question, key?.id ?? "")
      case .page, .interrupted:
        (session, row) = try knownPage(request, route)
        try limit(\.session, row?.id ?? session?.id ?? "")
      }
    } catch let problem as Problem where problem.status == 401 && configuration.hasRateLimits {
      // Rate-limits token guessing.
      let taken = take(\.address, address(of: request))
      guard taken.isAllowed else {
        throw Problem(429, "Too many wrong tokens: wait \(taken.reset) s.", retryAfter: taken.reset)
      }
      throw problem
    }
    if ["/v1/sessions", "/v1/page/claim", "/v1/page/demo", "/v1/page/again"].contains(route.path),
      route.method == "POST"
    {
      if isDraining {
        throw Problem(503, "The server is being restarted: try again.", code: .transport, retryAfter: 10)
      }
      if isFull {
        throw Problem(503, "The server waits for its database: try again.", code: .transport, retryAfter: 30)
      }
    }
    var room = route.maximumBody
    if let text = request.headers["content-length"] {
      guard let length = Int(text), length >= 0 else { throw Problem(400, "Content-Length must be a number.") }
      guard length <= route.maximumBody else {
        throw Problem(413, "The body has \(length) bytes; at most \(route.maximumBody) are taken here.")
      }
      room = length
    } else if request.headers["transfer-encoding"] == nil {
      room = 0
    }
    if !route.types.isEmpty, !route.types.contains(request.contentType) {
      throw Problem(415, "The body must be \(route.types.joined(separator: ", ")).")
    }
    let tenant = session?.tenant ?? row?.tenant ?? key?.tenant
    let party = tenant.map { "tenant \($0)" } ?? "address \(address(of: request))"
    let work = route.work(room)
    let bytes = work == .attempt ? Self.frameBytes : Self.photoBytes
    let own = session?.id ?? row?.id ?? key.map { "key \($0.tenant)" }
    var shares = [ByteBudget.Share(owner: own ?? party, bytes: bytes)]
    if own != nil { shares.append(.init(owner: party, bytes: .max)) }
    try takeRoom(room, for: work, of: shares)
    return Admitted(
      route: route, maximumBody: route.maximumBody, room: room, shares: shares, party: party, parameters: parameters,
      key: key, session: session, row: row, headers: headers)
  }

  /// Rejects foreign Host headers, which indicate DNS rebinding.
  private func checkHost(_ request: ServerRequest) throws {
    guard configuration.isLoopback, !configuration.isBehindProxy, configuration.publicURL == nil else { return }
    let host = (request.headers["host"] ?? "").lowercased()
    let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    guard ["127.0.0.1", "localhost", "[::1]"].contains(name) else {
      throw Problem(421, "This server answers to 127.0.0.1 and localhost alone.")
    }
  }

  /// The address that rate limits apply to: the peer's, or the one that a trusted proxy reports.
  package func address(of request: ServerRequest) -> String {
    guard configuration.isBehindProxy, let hops = request.headers["x-forwarded-for"] else {
      return Self.network(request.peer)
    }
    return Self.network(hops.split(separator: ",").last.map { Self.withoutPort($0.trimmed) } ?? request.peer)
  }

  /// "192.0.2.1:8080" and "[2001:db8::1]:8080" without the port: each connection has another one.
  static func withoutPort(_ address: String) -> String {
    if address.hasPrefix("[") { return String(address.dropFirst().prefix { $0 != "]" }) }
    return address.count { $0 == ":" } == 1 ? String(address.prefix { $0 != ":" }) : address
  }

  /// Returns an IPv4 address unchanged and the /64 of an IPv6 address, the block that a subscriber controls (RFC 6177).
  static func network(_ address: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, address.prefix { $0 != "%" }.description, &bytes) == 1 else { return address }
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10...11].allSatisfy({ $0 == 0xFF }) {
      return bytes[12...].map { "\($0)" }.joined(separator: ".")
    }
    return hexadecimal(Array(bytes[..<8]))
  }

  private func knownKey(_ request: ServerRequest, _ scope: String) throws -> ServerStore.Key {
    let wrong = Problem(401, "The key is missing, wrong, revoked or out of date.", code: .credentials)
    guard request.token.hasPrefix(Token.Kind.key.rawValue), request.token.utf8.count <= 64,
      let key = try store.key(digest: Token.digest(request.token)), key.revoked == nil,
      key.expires.map({ $0 > wallClock() }) ?? true
    else { throw wrong }
    guard key.scopes.contains(scope) else {
      throw Problem(403, "The key has not the scope \"\(scope)\".", code: JourneyError.Code(rawValue: "C000403"))
    }
    return key
  }

  private func knownPage(_ request: ServerRequest, _ route: Route) throws -> (PageSession?, ServerStore.Session?) {
    guard request.token.hasPrefix(Token.Kind.session.rawValue), request.token.utf8.count <= 64 else {
      throw Problem(401, "The session's token is missing or wrong.", code: .credentials)
    }
    let digest = Token.digest(request.token)
    if let session = session(token: digest) {
      if case .page = route.caller { return (session, nil) }
    }
    guard let row = try store.session(sessionDigest: digest) else {
      throw Problem(401, "The session's token is missing or wrong.", code: .credentials)
    }
    switch row.state {
    case .interrupted:
      if case .interrupted = route.caller { return (nil, row) }
      var problem = Problem(409, "The session was interrupted: begin it again.", code: .transport)
      problem.members["view"] = [
        "state": "interrupted", "embedding": .array(configuration.embedding.map(JSONValue.string)),
      ]
      throw problem
    case .created, .claimed, .active:
      if case .interrupted = route.caller { throw Problem(409, "The session runs: it need not begin again.") }
      throw Problem(421, "The session is led by another node: send the header FV-Node that it gave.")
    case .finished, .expired, .cleared:
      throw Problem.over("This session is over: ask for a new one.")
    }
  }

  /// Handles an admitted request.
  ///
  /// - Parameter received: time at which its body had arrived, on ``steadyClock()``.
  package func respond(_ admitted: Admitted, _ request: ServerRequest, body: [UInt8], received: Double, id: String)
    -> ServerResponse
  {
    let begin = steadyClock()
    var response: ServerResponse
    do {
      response = try admitted.route.handle(
        Route.Call(
          server: self, request: request, parameters: admitted.parameters, body: body, received: received,
          now: wallClock(), key: admitted.key, session: admitted.session, row: admitted.row))
    } catch {
      let problem = Problem.of(error)
      if problem.status >= 500 { log(.error, "\(error)", ["request": id, "route": admitted.route.path]) }
      response = problem.response(id)
    }
    for (name, value) in admitted.headers { response = response.with(name, value) }
    metrics.observe(
      "fv_http_seconds",
      "route=\"\(admitted.route.method) \(admitted.route.path)\",status=\"\(response.status)\"", steadyClock() - begin)
    return finish(response, id)
  }

  /// The response when a queue is full.
  package func busy(_ id: String) -> ServerResponse {
    metrics.count("fv_refused_total", "status=\"503\"")
    let problem = Problem(503, "Too many requests wait for their turn: try again.", code: .transport, retryAfter: 2)
    return finish(problem.response(id), id)
  }

  /// Records the seconds that a request waited for a thread.
  package func waited(_ seconds: Double, for work: Route.Work) {
    metrics.observe("fv_queue_seconds", "work=\"\(work)\"", seconds)
  }

  /// The response to an error at the HTTP level, such as a body longer than announced.
  package func refuse(_ status: Int, _ detail: String, id: String) -> ServerResponse {
    finish(Problem(status, detail).response(id), id)
  }

  /// Adds the headers that all responses have.
  private func finish(_ response: ServerResponse, _ id: String) -> ServerResponse {
    var response = response.with("X-Request-Id", id).with("X-Content-Type-Options", "nosniff").with(
      "Referrer-Policy", "no-referrer"
    ).with("FV-Node", configuration.node)
    if !response.headers.contains(where: { $0.name == "Cache-Control" }) {
      response = response.with("Cache-Control", "no-store")
    }
    let isEmbedded = !configuration.embedding.isEmpty
    if !isEmbedded { response = response.with("Cross-Origin-Opener-Policy", "same-origin") }
    response = response.with("Cross-Origin-Resource-Policy", "same-origin").with(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors \(isEmbedded ? configuration.embedding.joined(separator: " ") : "'none'"); "
        + "require-trusted-types-for 'script'"
    ).with(
      "Permissions-Policy",
      "camera=(self), microphone=(), geolocation=(), display-capture=(), fullscreen=(self), screen-wake-lock=(self)")
    if configuration.isSecure { response = response.with("Strict-Transport-Security", "max-age=31536000") }
    return response
  }
}
