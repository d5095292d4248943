internal import FaceVerify
internal import FaceVerifyBase

/// An operation of the API: who may call it, the limits of its body, the threads that run it, and its handler. A new one
/// needs its row in ``all``, a handler in Answers.swift, its description in openapi.json, and a test.
package struct Route: Sendable {
  enum Caller: Sendable {
    case anybody
    /// A key with this scope.
    case key(String)
    /// The page of a session that runs on this node.
    case page
    case interrupted
  }

  /// The thread pool that handles the request: kinds of work do not delay each other.
  package enum Work: Sendable {
    /// Responses from memory.
    case memory
    /// Responses from the database.
    case question
    /// Work that a person in front of the camera is waiting for.
    case attempt
    /// Photos and clips, up to a minute each.
    case check
  }

  struct Traits: OptionSet, Sendable {
    let rawValue: Int
    /// Begins a session: refused while the server drains or waits for its database.
    static let beginsSession = Traits(rawValue: 1)
    /// The body may include a portrait photo, in which a face must be detected.
    static let takesPortrait = Traits(rawValue: 2)
    /// The body is a ``FrameBatch``.
    static let takesFrames = Traits(rawValue: 4)
    /// Changes the journey of a page, which takes its turn (``Turns``).
    static let changesJourney = Traits(rawValue: 8)
  }

  package let method: String
  /// `{}` matches any segment.
  package let path: String
  let caller: Caller
  let maximumBody: Int
  /// Accepted media types; empty for any.
  let types: [String]
  /// Names of the query parameters. A key's request with another one is refused: an unknown filter would be ignored.
  let query: [String]
  let work: Work
  let traits: Traits
  let handle: @Sendable (Call) throws -> ServerResponse

  struct Call: Sendable {
    let server: FaceServer
    let request: ServerRequest
    let parameters: [String]
    let caller: FaceServer.Caller
    let body: [UInt8]
    /// Time at which the body had arrived, on the server's monotonic clock.
    let received: Double
    let now: Double

    /// - Throws: a ``Problem`` unless the body is a JSON object.
    func json() throws -> JSONValue {
      guard let json = try? JSONValue(parsing: body), case .object = json else {
        throw Problem(400, "The body must be a JSON object (RFC 8259).")
      }
      return json
    }

    func form() throws -> Multipart { try Multipart(body, contentType: request.headers["content-type"] ?? "") }

    /// - Throws: a ``Problem`` if the session was handed off to another device, also after the request was admitted.
    var page: PageSession {
      get throws {
        guard let session = caller.session else { throw Problem.unknown }
        guard !isWatching else {
          throw Problem(
            409, "The session continues on another device.", members: ["view": session.show(isElsewhere: true)])
        }
        return session
      }
    }

    private var isWatching: Bool {
      caller.digest.map { server.session(watchedBy: $0) != nil } ?? false
    }

    var view: JSONValue {
      get throws {
        guard let session = caller.session else { throw Problem.unknown }
        return session.show(isElsewhere: isWatching)
      }
    }

    var tenant: String { caller.key?.tenant ?? "" }
  }

  private init(
    _ method: String, _ path: String, _ caller: Caller, _ work: Work = .question, body: Int = 0, types: [String] = [],
    query: [String] = [], traits: Traits = [], _ handle: @escaping @Sendable (Call) throws -> ServerResponse
  ) {
    (self.method, self.path, self.caller, self.work) = (method, path, caller, work)
    (maximumBody, self.types, self.query) = (body, types, query)
    (self.traits, self.handle) = (traits, handle)
  }

  private static let json = ["application/json"]
  private static let form = ["multipart/form-data"]
  private static let pictures = ["jpeg", "png", "webp", "heic", "avif", "jp2", "tiff", "bmp"].map { "image/" + $0 }
  /// Twice the size of a camera's best JPEG.
  private static let pictureBytes = 32 << 20
  /// Size above which the body of a session contains a portrait photo.
  private static let plainSessionBytes = 16 << 10

  package static let all: [Route] = [
    Route(
      "POST", "/v1/sessions", .key("sessions"), body: 2 << 20, types: json, traits: [.beginsSession, .takesPortrait]
    ) {
      try $0.server.create($0)
    },
    Route("GET", "/v1/sessions", .key("sessions"), query: ["userReference", "state", "before", "limit"]) {
      try $0.server.list($0)
    },
    Route("GET", "/v1/sessions/{}", .key("sessions")) { try $0.server.describe($0) },
    Route("PATCH", "/v1/sessions/{}", .key("sessions"), body: 2 << 20, types: json, traits: .takesPortrait) {
      try $0.server.change($0)
    },
    Route("DELETE", "/v1/sessions/{}", .key("sessions")) { try $0.server.delete($0) },
    Route("GET", "/v1/sessions/{}/result", .key("sessions")) { try $0.server.result($0) },
    Route("GET", "/v1/sessions/{}/selfie", .key("sessions"), .check) { try $0.server.selfie($0) },
    Route("POST", "/v1/sessions/{}/clear", .key("sessions")) { try $0.server.clear($0) },
    Route("GET", "/v1/events", .key("sessions"), query: ["workflowExecutionId", "delivery", "before", "limit"]) {
      try $0.server.listEvents($0)
    },
    Route("GET", "/v1/events/{}", .key("sessions")) { try $0.server.describeEvent($0) },
    Route("POST", "/v1/events/{}/redeliver", .key("sessions")) { try $0.server.redeliver($0) },
    check("/v1/compare") { try $0.compare($1) },
    check("/v1/document") { try $0.document($1) },
    check("/v1/quality") { try $0.quality($1) },
    check("/v1/liveness/video") { try $0.video($1) },
    Route("GET", "/v1/audit", .key("audit"), .check, query: ["after", "limit"]) { try $0.server.auditLines($0) },
    Route("POST", "/v1/page/claim", .anybody, body: 4 << 10, types: json, traits: .beginsSession) {
      try $0.server.claim($0)
    },
    Route("POST", "/v1/page/demo", .anybody, body: 64 << 10, types: json, traits: .beginsSession) {
      try $0.server.demonstrate($0)
    },
    Route("GET", "/v1/page", .page, .attempt) { .json(try $0.view) },
    Route("POST", "/v1/page/calls", .page, .attempt, body: 64 << 10, types: json, traits: .changesJourney) { call in
      .json(try call.page.perform(call.json()["calls"]?.elements ?? []))
    },
    Route(
      "POST", "/v1/page/frames", .page, .attempt, body: FrameBatch.maximumBytes, types: [FrameBatch.contentType],
      traits: [.takesFrames, .changesJourney]
    ) { .json(try $0.page.add($0.body, received: $0.received)) },
    Route("POST", "/v1/page/photo", .page, .check, body: pictureBytes, types: pictures, traits: .changesJourney) {
      .json(try $0.page.attach($0.body))
    },
    Route("POST", "/v1/page/chip", .page, .check, body: ChipFiles.maximumBytes, types: form, traits: .changesJourney) {
      .json(try $0.page.attachChip($0.form()))
    },
    Route("POST", "/v1/page/chip/reader", .page, .attempt, body: 4 << 10, types: json, traits: .changesJourney) {
      call in
      let json = try call.json()
      let number = json["cardAccessNumber"].flatMap { $0 == .null ? nil : $0.string ?? "" }
      guard let isConfirmed = (json["isConfirmed"] ?? false).bool else {
        throw Problem(400, "isConfirmed must be true or false.")
      }
      return .json(try call.page.readChip(number: number, isConfirmed: isConfirmed))
    },
    Route("DELETE", "/v1/page/chip/reader", .page, .attempt) { .json(try $0.page.stopReading()) },
    Route("GET", "/v1/page/picture", .page, .check) { call in
      ServerResponse(200, "image/png", try call.page.picture().encodedAsPNG())
    },
    Route("POST", "/v1/page/extend", .page, .memory) { try $0.server.extend($0) },
    Route("POST", "/v1/page/hand-off", .page, .memory) { try $0.server.handOff($0) },
    Route("POST", "/v1/page/again", .interrupted, traits: .beginsSession) { try $0.server.again($0) },
    Route("POST", "/v1/entities", .page, body: 64 << 10, types: json) { try $0.server.createEntity($0) },
    Route("GET", "/v1/version", .anybody, .memory) { .json($0.server.version) },
    Route("GET", "/openapi.json", .anybody, .memory) { _ in ServerResponse(200, "application/json", PageFiles.openAPI)
    },
    Route("GET", "/", .anybody) { try $0.server.home($0) },
    Route("GET", "/s", .anybody, .memory) { try $0.server.asset("index.html", of: $0) },
    Route("GET", "/assets/{}", .anybody, .memory) { try $0.server.asset($0.parameters[0], of: $0) },
    Route("GET", "/assets/i18n/{}", .anybody, .memory) { try $0.server.asset("i18n/" + $0.parameters[0], of: $0) },
  ]

  /// A single check of files in a form.
  private static func check(
    _ path: String, _ check: @escaping @Sendable (OneShot, Multipart) throws -> JSONValue
  ) -> Route {
    Route("POST", path, .key("check"), .check, body: pictureBytes, types: form) { call in
      .json(try check(call.server.check(call), call.form()))
    }
  }

  var limit: WritableKeyPath<RateLimits, RateLimit> {
    switch caller {
    case .anybody: method == "POST" ? \.address : \.file
    case .key: traits.contains(.beginsSession) ? \.key : work == .check ? \.check : \.question
    case .page, .interrupted: \.session
    }
  }

  /// The work of a request whose body has this size.
  func work(_ bytes: Int) -> Work { traits.contains(.takesPortrait) && bytes > Self.plainSessionBytes ? .check : work }

  /// Whether a body has a portrait, in which a face must be detected: a small file can have many pixels.
  func hasPortrait(_ body: [UInt8]) -> Bool {
    traits.contains(.takesPortrait) && (try? JSONValue(parsing: body))?["portrait"] ?? .null != .null
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
