internal import CPage
internal import FaceVerifyBase
internal import FaceVerifyJourney
internal import Glibc

// A request, from its head to its response.

extension FaceServer {
  /// An authorised request of acceptable size and type: its body may be read.
  package struct Admitted: Sendable {
    package let route: Route
    /// Bytes reserved for the body: its announced length, otherwise the maximum.
    package let room: Int
    fileprivate let shares: [ByteBudget.Share]
    fileprivate let parameters: [String]
    fileprivate let caller: Caller
    /// Those of the rate limit.
    fileprivate let headers: ServerResponse.Headers

    package var maximumBody: Int { route.maximumBody }

    /// Seconds allowed for the body: 10, plus its length at 2 Mbit/s, the rate that a camera's frames need
    /// (docs/server.md).
    package var patience: Double { 10 + Double(room) / Double(1 << 18) }

    /// The thread pool, and the owner whose turn it takes: the page for attempts, else the tenant or address.
    package func turn(_ body: [UInt8]) -> (work: Route.Work, owner: String) {
      var work = route.work(room)
      if work == .question && route.hasPortrait(body) || isBatch && caller.session?.takesDocuments == true {
        work = .check
      }
      guard let session = caller.session, work == .attempt else { return (work, caller.party) }
      // A page's view does not wait for its frames.
      return (work, changesJourney ? session.id : "view of \(session.id)")
    }

    /// Runs a request whose body has arrived: one that changes a page's journey after those before it. A page whose frames
    /// wait for a thread is not silent.
    ///
    /// - Returns: nil if too many requests of the page are waiting, or if `run` returns nil.
    package func inTurn<Result>(_ work: Route.Work, _ run: () async -> Result?) async -> Result? {
      guard let session = caller.session else { return await run() }
      defer { session.answered(isBatch: isBatch, isCheck: work == .check) }
      guard session.arrived(isBatch: isBatch, isCheck: work == .check) else { return nil }
      guard changesJourney else { return await run() }
      guard await session.turns.take() else { return nil }
      defer { session.turns.give() }
      return await run()
    }

    private var isBatch: Bool { route.traits.contains(.takesFrames) }
    private var changesJourney: Bool { route.traits.contains(.changesJourney) }
  }

  /// Whom a request comes from.
  struct Caller: Sendable {
    let address: String
    var key: ServerKey?
    var session: PageSession?
    /// The digest of its session token.
    var digest: String?
    /// The session of a page that is not running.
    var row: ServerStore.Session?

    /// The tenant or address that the work is done for.
    var party: String { (session?.tenant ?? row?.tenant ?? key?.tenant).map { "tenant \($0)" } ?? "address \(address)" }

    /// The name to which rate limits apply.
    var name: String { session?.id ?? row?.id ?? key?.id ?? address }
  }

  package enum Admittance: Sendable {
    case admitted(Admitted)
    case refused(ServerResponse)
  }

  /// Admits or refuses a request by its head alone.
  package func admit(_ request: ServerRequest, id: String) -> Admittance {
    do {
      return .admitted(try admitted(request))
    } catch {
      let problem = Problem.of(error)
      if error is Problem {
        metrics.count("fv_refused_total", "status=\"\(problem.status)\"")
      } else {
        log(.error, "\(error)", ["request": id])
      }
      return .refused(finish(problem.response(id), id))
    }
  }

  /// Whether ``admit(_:id:)`` needs no access to the database.
  package func knows(_ request: ServerRequest) -> Bool {
    if request.token.hasPrefix(Token.Kind.session.rawValue) {
      return session(token: Token.digest(request.token)) != nil
    }
    return Route.all.contains { route in
      if case .anybody = route.caller { route.parameters(of: request.path) != nil } else { false }
    }
  }

  /// Releases what ``admit(_:id:)`` reserved.
  package func leave(_ admitted: Admitted) {
    bodies.withLock { $0[admitted.route.work(admitted.room)]?.give(admitted.room, of: admitted.shares) }
    // The allocator would keep the memory of large bodies for the threads that handled them.
    if admitted.room > Self.largeBody { cpage_trim() }
  }

  private static let largeBody = 8 << 20

  private func admitted(_ request: ServerRequest) throws -> Admitted {
    try checkHost(request)
    let known = Route.all.compactMap { route in route.parameters(of: request.path).map { (route, $0) } }
    guard !known.isEmpty else { throw Problem.unknown }
    // RFC 9110, 9.3.2.
    let method = request.method == "HEAD" ? "GET" : request.method
    guard let (route, parameters) = known.first(where: { $0.0.method == method }) else {
      let methods = known.map { $0.0.method == "GET" ? "GET, HEAD" : $0.0.method }.joined(separator: ", ")
      throw Problem(
        405, "The method \(request.method.prefix(16)) is not allowed here; use \(methods).",
        headers: [("Allow", methods)])
    }
    let (caller, headers) = try authorised(request, route)
    if case .key = route.caller, let unknown = request.query.keys.sorted().first(where: { !route.query.contains($0) }) {
      let known = route.query.isEmpty ? "there are none here" : "use \(route.query.joined(separator: ", "))"
      throw Problem(400, "The query parameter \"\(unknown.prefix(64).printable)\" is unknown; \(known).")
    }
    if route.traits.contains(.beginsSession) {
      if isDraining {
        throw Problem(503, "The server is restarting: try again.", code: .transport, retryAfter: 10)
      }
      if journal.isFull {
        throw Problem(503, "The server's database is unavailable: try again.", code: .transport, retryAfter: 30)
      }
    }
    let room = try room(of: request, route)
    if !route.types.isEmpty, !route.types.contains(request.contentType) {
      throw Problem(415, "The Content-Type must be \(route.types.joined(separator: ", ")).")
    }
    let work = route.work(room)
    let own = caller.session?.id ?? caller.row?.id ?? caller.key.map { "key \($0.tenant)" }
    let bytes = work == .attempt ? Self.frameBytes : Self.photoBytes
    var shares = [ByteBudget.Share(owner: own ?? caller.party, bytes: bytes)]
    if own != nil { shares.append(.init(owner: caller.party, bytes: .max)) }
    try takeRoom(room, for: work, of: shares)
    return Admitted(route: route, room: room, shares: shares, parameters: parameters, caller: caller, headers: headers)
  }

  /// Authenticates and authorises the caller, and applies its rate limit.
  ///
  /// - Returns: the caller, and the headers that state what is left of the limit.
  private func authorised(_ request: ServerRequest, _ route: Route) throws -> (Caller, ServerResponse.Headers) {
    var caller = Caller(address: address(of: request))
    do {
      switch route.caller {
      case .anybody: break
      case .key(let scope): caller.key = try knownKey(request, scope)
      case .page, .interrupted: try know(&caller, request, route)
      }
    } catch let problem as Problem where problem.status == 401 {
      // Limits token guessing.
      _ = try limit(\.address, caller.address, "Too many wrong tokens")
      throw problem
    }
    return (caller, try limit(route.limit, caller.name, "Too many requests"))
  }

  private func limit(_ limit: WritableKeyPath<RateLimits, RateLimit>, _ name: String, _ fault: String) throws
    -> ServerResponse.Headers
  {
    guard configuration.hasRateLimits else { return [] }
    let taken = limits.withLock { $0[keyPath: limit].take(name, at: clock.monotonic) }
    let headers = [
      ("RateLimit-Limit", "\(taken.limit)"), ("RateLimit-Remaining", "\(taken.left)"),
      ("RateLimit-Reset", "\(taken.reset)"),
    ]
    guard taken.isAllowed else {
      throw Problem(429, "\(fault): wait \(taken.reset) s.", retryAfter: taken.reset, headers: headers)
    }
    return headers
  }

  /// Returns the announced length of the body, otherwise the maximum.
  private func room(of request: ServerRequest, _ route: Route) throws -> Int {
    guard let text = request.headers["content-length"] else {
      return request.headers["transfer-encoding"] == nil ? 0 : route.maximumBody
    }
    guard let length = Int(text), length >= 0 else { throw Problem(400, "Content-Length must be a number.") }
    guard length <= route.maximumBody else {
      throw Problem(413, "The body has \(length) bytes; the maximum is \(route.maximumBody).")
    }
    return length
  }

  /// Rejects foreign Host headers, which indicate DNS rebinding.
  private func checkHost(_ request: ServerRequest) throws {
    guard configuration.isLocal else { return }
    let host = (request.headers["host"] ?? "").lowercased()
    let name = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
    guard ["127.0.0.1", "localhost", "[::1]"].contains(name) else {
      throw Problem(421, "The Host header must be 127.0.0.1 or localhost.")
    }
  }

  /// The address that rate limits apply to: the peer's, or the one that a trusted proxy reports.
  package func address(of request: ServerRequest) -> String {
    guard configuration.isBehindProxy, let hops = request.headers["x-forwarded-for"] else {
      return Self.network(request.peer)
    }
    return Self.network(hops.split(separator: ",").last.map { Self.withoutPort($0.trimmed) } ?? request.peer)
  }

  /// "192.0.2.1:8080" and "[2001:db8::1]:8080" without the port, which differs for each connection.
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

  private func knownKey(_ request: ServerRequest, _ scope: String) throws -> ServerKey {
    guard let digest = request.digest(of: .key), let key = try store.key(digest: digest), key.revoked == nil,
      key.expires.map({ $0 > clock.wall }) ?? true
    else { throw Problem(401, "The key is missing, unknown, revoked or expired.", code: .credentials) }
    guard key.scopes.contains(scope) else {
      throw Problem(403, "The key lacks the scope \"\(scope)\".", code: JourneyError.Code(rawValue: "C000403"))
    }
    return key
  }

  /// Sets the session of the page that sends the request.
  private func know(_ caller: inout Caller, _ request: ServerRequest, _ route: Route) throws {
    let wrong = Problem(401, "The session token is missing or unknown.", code: .credentials)
    guard let digest = request.digest(of: .session) else { throw wrong }
    let isInterrupted = if case .interrupted = route.caller { true } else { false }
    caller.digest = digest
    if !isInterrupted, let session = session(watchedBy: digest) ?? session(token: digest) {
      caller.session = session
      return
    }
    guard let row = try store.session(sessionDigest: digest) else { throw wrong }
    switch row.state {
    case .interrupted:
      if isInterrupted {
        caller.row = row
        return
      }
      let embedding = JSONValue.array(configuration.embedding.map(JSONValue.string))
      throw Problem(
        409, "The session was interrupted: begin again.", code: .transport,
        members: ["view": ["state": "interrupted", "embedding": embedding]])
    case .created, .claimed, .active:
      if isInterrupted { throw Problem(409, "The session is running and cannot be restarted.") }
      throw Problem(421, "Another node runs the session: send the FV-Node header of its last response.")
    case .finished, .expired, .cleared:
      throw Problem.ended
    }
  }

  /// Handles an admitted request.
  ///
  /// - Parameter received: time at which its body had arrived, on the server's monotonic clock.
  package func respond(_ admitted: Admitted, _ request: ServerRequest, body: [UInt8], received: Double, id: String)
    -> ServerResponse
  {
    let begin = clock.monotonic
    let route = admitted.route
    // Operators see what has happened before, such as the result that their page has just announced.
    if case .key = route.caller { journal.settle(within: 1) }
    var response: ServerResponse
    do {
      response = try route.handle(
        Route.Call(
          server: self, request: request, parameters: admitted.parameters, caller: admitted.caller, body: body,
          received: received, now: clock.wall))
    } catch {
      let problem = Problem.of(error)
      if problem.status >= 500 { log(.error, "\(error)", ["request": id, "route": route.path]) }
      response = problem.response(id)
    }
    if route.traits.contains(.takesFrames) { answered(after: clock.monotonic - received) }
    // When a page says that its journey has ended, all nodes have its result, unless the database is slow.
    if let session = admitted.caller.session, journal.isWaiting(session.id) { journal.settle(within: 0.05) }
    response.headers += admitted.headers
    metrics.observe(
      "fv_http_seconds", "route=\"\(route.method) \(route.path)\",status=\"\(response.status)\"",
      clock.monotonic - begin)
    return finish(response, id)
  }

  package func busy(_ id: String) -> ServerResponse {
    metrics.count("fv_refused_total", "status=\"503\"")
    let problem = Problem(503, "The queue is full: try again.", code: .transport, retryAfter: 2)
    return finish(problem.response(id), id)
  }

  package func waited(_ seconds: Double, for work: Route.Work) {
    metrics.observe("fv_queue_seconds", "work=\"\(work)\"", seconds)
  }

  /// The response to an error at the HTTP level, such as a body longer than announced.
  package func refuse(_ status: Int, _ detail: String, id: String) -> ServerResponse {
    finish(Problem(status, detail).response(id), id)
  }

  private func finish(_ response: ServerResponse, _ id: String) -> ServerResponse {
    var response = response
    let isEmbedded = !configuration.embedding.isEmpty
    let ancestors = isEmbedded ? configuration.embedding.joined(separator: " ") : "'none'"
    response.headers += [
      ("X-Request-Id", id), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("FV-Node", configuration.node), ("Cross-Origin-Resource-Policy", "same-origin"),
      (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
          + "base-uri 'none'; form-action 'none'; frame-ancestors \(ancestors); require-trusted-types-for 'script'"
      ),
      (
        "Permissions-Policy",
        "camera=(self), microphone=(), geolocation=(), display-capture=(), fullscreen=(self), screen-wake-lock=(self)"
      ),
    ]
    if !response.headers.contains(where: { $0.name == "Cache-Control" }) {
      response.headers.append(("Cache-Control", "no-store"))
    }
    if !isEmbedded { response.headers.append(("Cross-Origin-Opener-Policy", "same-origin")) }
    if configuration.isSecure { response.headers.append(("Strict-Transport-Security", "max-age=31536000")) }
    return response
  }
}
