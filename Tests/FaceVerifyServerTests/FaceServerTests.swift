import FaceVerifyBase
import Foundation
import ScriptedModels
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyServer

/// A server without HTTP, on a manual clock, with a key of the tenant "shop".
private final class Office {
  struct Answer {
    let status: Int
    let json: JSONValue
    let headers: [String: String]
  }

  let clock = ManualClock(wall: 1_763_800_000)
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("faceverify-\(UUID().uuidString)").path
  let server: FaceServer
  let key: String
  static let callback = "https://shop.example/hook"

  init(hasRateLimits: Bool = false, capacity: Int = 4) throws {
    installScriptedModels()
    var models = FaceEngine.Configuration()
    models.modelSet = .scripted
    var configuration = ServerConfiguration(dataFolder: folder)
    (configuration.hasRateLimits, configuration.capacity) = (hasRateLimits, capacity)
    server = try FaceServer(
      configuration, engine: FaceEngine(models), face: ScriptedPicture(person: 1).pixels(), clock: clock)
    server.listens(on: 1)
    key = try ServerAdministration(dataFolder: folder, database: nil).addKey(
      name: "shop", isTest: false, scopes: ["sessions", "audit"], callbacks: [Self.callback], days: nil
    ).key
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @discardableResult
  func call(
    _ method: String, _ path: String, _ body: JSONValue? = nil, token: String? = nil, _ headers: [String: String] = [:]
  ) throws -> Answer {
    try call(method, path, bytes: body?.canonical ?? [], type: "application/json", token: token, headers)
  }

  func call(
    _ method: String, _ path: String, bytes: [UInt8], type: String, token: String? = nil,
    _ headers: [String: String] = [:]
  ) throws -> Answer {
    let all = headers.merging([
      "host": "127.0.0.1", "authorization": "Bearer \(token ?? key)", "content-type": type,
      "content-length": "\(bytes.count)",
    ]) { $1 }
    let request = ServerRequest(method: method, target: path, headers: all, peer: "192.0.2.7")
    let response: ServerResponse
    switch server.admit(request, id: "r") {
    case .refused(let refusal): response = refusal
    case .admitted(let admitted):
      defer { server.leave(admitted) }
      response = server.respond(admitted, request, body: bytes, received: clock.monotonic, id: "r")
    }
    return Answer(
      status: response.status, json: response.body.isEmpty ? .null : (try? JSONValue(parsing: response.body)) ?? .null,
      headers: Dictionary(response.headers.map { ($0.name, $0.value) }) { $1 })
  }

  private static let session: [String: JSONValue] = [
    "requests": [["category": "face"]], "comparesFace": false, "faceModes": ["passive"],
    "callbackUrl": .string(callback),
  ]

  /// - Returns: the id of a new session, and the token of its page.
  func session(_ more: [String: JSONValue] = [:], _ headers: [String: String] = [:]) throws -> (
    id: String, page: String
  ) {
    let made = try call("POST", "/v1/sessions", .object(Self.session.merging(more) { $1 }), headers)
    let id = try #require(made.json["workflowExecutionId"]?.string, "\(made)")
    return (id, try #require(made.json["pageUrl"]?.string?.split(separator: "=").last.map(String.init)))
  }

  func claim(_ page: String) throws -> String {
    let answer = try call("POST", "/v1/page/claim", ["pageToken": .string(page)])
    return try #require(answer.json["sessionToken"]?.string, "\(answer)")
  }

  @discardableResult
  func page(_ token: String, _ calls: String...) throws -> Answer {
    let calls = calls.map { name -> JSONValue in
      switch name {
      case "start-credential": ["call": .string(name), "credential": 0]
      case "start-part": ["call": .string(name), "part": "face"]
      case "report C000429", "report J000000": ["call": "report", "code": .string(String(name.suffix(7)))]
      default: ["call": .string(name)]
      }
    }
    return try call("POST", "/v1/page/calls", ["calls": .array(calls)], token: token)
  }

  /// Starts a face and sends its first frame, which begins the recording.
  ///
  /// - Returns: the view.
  @discardableResult
  func show(_ token: String) throws -> JSONValue {
    try page(token, "start", "start-credential", "start-part")
    let picture = try ScriptedPicture(person: 1, frame: 1).pixels().encodedAsJPEG(quality: 90)
    return try call(
      "POST", "/v1/page/frames", bytes: FrameBatchTests.batch([(1, 1000, picture)]), type: FrameBatch.contentType,
      token: token
    ).json
  }

  func state(_ id: String) throws -> String? { try call("GET", "/v1/sessions/\(id)").json["state"]?.string }

  var database: String { folder + "/server.sqlite" }

  /// Runs `body` while another process holds a write transaction open.
  func locked<Result>(_ body: () throws -> Result) throws -> Result {
    let other = try SQLiteConnection(path: database)
    try other.script("BEGIN IMMEDIATE")
    defer { try? other.script("ROLLBACK") }
    return try body()
  }
}

@Suite("FaceServer") struct FaceServerTests {
  @Test("a database that is locked delays no page, and its result survives") func locked() throws {
    let office = try Office()
    let session = try office.session()
    let (token, other) = (try office.claim(office.session().page), try office.claim(session.page))
    try office.locked {
      for calls in [["start"], ["cancel"]] {
        for page in [token, other] {
          let begin = steadyClock()
          let answer = try office.call(
            "POST", "/v1/page/calls", ["calls": .array(calls.map { ["call": .string($0)] })], token: page)
          #expect(answer.status == 200 && steadyClock() - begin < 0.15, "\(calls)")
        }
      }
      let begin = steadyClock()
      #expect(try office.call("GET", "/v1/page", token: other).json["state"] == "finished")
      #expect(steadyClock() - begin < 0.15)
      // The page has its result: the process may be killed now.
      let spool = try Data(contentsOf: URL(fileURLWithPath: office.folder + "/unstored.ndjson")).prefix { $0 != 0 }
      #expect(String(decoding: spool, as: UTF8.self).contains(session.id))
    }
    office.clock.advance(by: 31)
    office.server.storePending()
    #expect(try office.call("GET", "/v1/sessions/\(session.id)/result").status == 200)
    #expect(office.server.unreadiness == nil)
  }

  @Test("results wait for a database that is gone, longer after each failure") func retries() throws {
    let office = try Office()
    let session = try office.session()
    let token = try office.claim(session.page)
    try FileManager.default.moveItem(atPath: office.database, toPath: office.database + ".away")
    #expect(try office.page(token, "cancel").json["state"] == "finished")
    func settle() {
      office.server.storePending()
      office.server.journal.settle(within: 5)
      // A failed journal is not waited for.
      for _ in 0..<100 where office.server.journal.hasFailed == false { usleep(10_000) }
    }
    settle()
    #expect(office.server.unreadiness?.contains("1 results wait") == true)
    #expect(try office.call("GET", "/v1/sessions/\(session.id)/result").status == 503)
    try FileManager.default.moveItem(atPath: office.database + ".away", toPath: office.database)
    // Not before the pause has passed.
    office.server.storePending()
    #expect(try office.call("GET", "/v1/sessions/\(session.id)/result").headers["Retry-After"] == "5")
    office.clock.advance(by: 1.1)
    office.server.storePending()
    for _ in 0..<500 where office.server.journal.hasFailed { usleep(10_000) }
    #expect(try office.call("GET", "/v1/sessions/\(session.id)/result").status == 200)
    try office.server.close()
  }

  @Test("a request that fails while it is stored creates one session, however often it is repeated")
  func idempotency() throws {
    let office = try Office()
    let connection = try SQLiteConnection(path: office.database)
    try connection.script(
      "CREATE TRIGGER broken BEFORE UPDATE ON idempotency BEGIN SELECT RAISE(ABORT, 'no'); END; "
        + "CREATE TRIGGER late BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'no'); END")
    let body: JSONValue = ["requests": [["category": "face"]], "comparesFace": false]
    func make() throws -> Office.Answer { try office.call("POST", "/v1/sessions", body, ["idempotency-key": "k"]) }
    #expect(try make().status == 503)
    try connection.script("DROP TRIGGER late")
    _ = try make()
    try connection.script("DROP TRIGGER broken")
    let (first, again) = (try make(), try make())
    #expect(first.status == 201 && first.json["workflowExecutionId"] == again.json["workflowExecutionId"])
    #expect(try connection.rows("SELECT COUNT(*) FROM sessions", [])[0][0].integer == 1)
  }

  @Test("sessions expire unopened, unfinished and unread, and are wiped") func expiry() throws {
    let office = try Office()
    let (unopened, left) = (try office.session(["startBy": 60]), try office.session(["lifetime": 60]))
    let read = try office.session(["retention": ["result": 60]])
    let token = try office.claim(left.page)
    try office.page(try office.claim(read.page), "cancel")
    #expect(try office.call("GET", "/v1/sessions/\(read.id)/result").status == 200)
    office.clock.advance(by: 61)
    #expect(try office.call("POST", "/v1/page/claim", ["pageToken": .string(unopened.page)]).status == 410)
    office.server.tick()
    office.server.sweep()
    #expect(try office.state(unopened.id) == "expired" && office.state(read.id) == "cleared")
    #expect(
      try office.state(left.id) == "finished"
        && office.call("GET", "/v1/page", token: token).json["state"] == "finished")
    // A page remembers its end for a minute.
    office.clock.advance(by: 61)
    office.server.tick()
    #expect(try office.call("GET", "/v1/page", token: token).status == 410)
    office.clock.advance(by: 86401)
    office.server.sweep()
    #expect(try office.state(unopened.id) == "cleared" && office.state(left.id) == "cleared")
  }

  @Test("an extension counts although the database is away") func extended() throws {
    let office = try Office()
    let session = try office.session(["lifetime": 60])
    let token = try office.claim(session.page)
    let answer = try office.locked { try office.call("POST", "/v1/page/extend", token: token) }
    #expect(answer.status == 200)
    office.clock.advance(by: 100)
    office.server.storePending()
    office.server.tick()
    #expect(try office.call("GET", "/v1/page", token: token).json["state"] == "created")
    #expect(try office.call("POST", "/v1/page/extend", token: token).status == 409)
    office.clock.advance(by: 21)
    office.server.tick()
    #expect(try office.call("GET", "/v1/page", token: token).json["state"] == "finished")
  }

  @Test("limits are announced, enforced per key, and end") func rates() throws {
    let office = try Office(hasRateLimits: true)
    let other = try ServerAdministration(dataFolder: office.folder, database: nil).addKey(
      name: "other", isTest: false, scopes: ["sessions"], callbacks: [], days: nil
    ).key
    let body: JSONValue = ["requests": [["category": "face"]], "comparesFace": false]
    let answers = try (0..<25).map { _ in try office.call("POST", "/v1/sessions", body) }
    #expect(answers.map(\.status) == Array(repeating: 201, count: 20) + Array(repeating: 429, count: 5))
    #expect(["Limit", "Remaining", "Reset"].map { answers[0].headers["RateLimit-\($0)"] } == ["20", "19", "0"])
    #expect(answers[24].headers["Retry-After"] == "1" && answers[24].headers["RateLimit-Remaining"] == "0")
    #expect(try office.call("POST", "/v1/sessions", body, token: other).status == 201)
    office.clock.advance(by: 1)
    #expect(try (0..<11).map { _ in try office.call("POST", "/v1/sessions", body).status }.last == 429)
    office.clock.advance(by: 1)
    let token = try office.claim(office.session().page)
    let looks = try (0..<70).map { _ in try office.call("GET", "/v1/page", token: token).status }
    #expect(looks == Array(repeating: 200, count: 60) + Array(repeating: 429, count: 10))
    // Token guessing is limited per address.
    let guesses = try (0..<40).map { _ in
      try office.call("POST", "/v1/page/claim", ["pageToken": .string("fvp_" + String(repeating: "A", count: 43))])
        .status
    }
    #expect(guesses == Array(repeating: 404, count: 29) + Array(repeating: 429, count: 11))
  }

  @Test("a webhook is sent eight times within a day, then given up, and sent again if asked") func webhooks() throws {
    let office = try Office()
    let session = try office.session()
    try office.page(try office.claim(session.page), "cancel")
    #expect(try office.state(session.id) == "finished")
    var pauses: [Double] = []
    var last = office.clock.wall
    for second in 0..<100_000 where pauses.count < 8 {
      for webhook in second % 10 == 0 ? office.server.dueWebhooks() : [] {
        #expect(webhook.url == Office.callback && webhook.signature?.hasPrefix("t=") == true)
        pauses.append(office.clock.wall - last)
        last = office.clock.wall
        office.server.delivered(webhook, .init(status: 500, fault: .refused))
      }
      office.clock.advance(by: 1)
    }
    #expect(pauses == [0, 60, 300, 900, 3600, 7200, 21600, 43200])
    func delivery() throws -> (id: String, JSONValue?) {
      let event = try office.call("GET", "/v1/events").json["events"]?.elements.first
      return (event?["id"]?.string ?? "", event?["delivery"])
    }
    let (id, given) = try delivery()
    #expect(given?["state"] == "given-up" && given?["attempts"] == 8 && given?["lastStatus"] == 500)
    office.clock.advance(by: 86400)
    #expect(office.server.dueWebhooks().isEmpty)
    #expect(try office.call("POST", "/v1/events/\(id)/redeliver").status == 202)
    let again = office.server.dueWebhooks()
    #expect(again.map(\.id) == [id])
    #expect(try office.call("POST", "/v1/events/\(id)/redeliver").status == 409, "it is being sent")
    office.server.delivered(again[0], .init(status: 204))
    #expect(try delivery().1?["state"] == "delivered")
  }
}

/// Attempts count from their first prompt, however they end, unless they pass or the server ends them.
@Suite("Attempts of a person") struct AttemptTests {
  private let office: Office

  init() throws { office = try Office(hasRateLimits: true, capacity: 100) }

  private func make(_ person: String = "u") throws -> Int {
    // Sessions of one key are limited, too.
    office.clock.advance(by: 1)
    return try office.call(
      "POST", "/v1/sessions",
      ["requests": [["category": "face"]], "comparesFace": false, "userReference": .string(person)]
    ).status
  }

  private func session() throws -> (id: String, page: String) {
    office.clock.advance(by: 5)
    return try office.session(["userReference": "u", "startBy": 3600])
  }

  @Test("an attempt counts however it is left, for a day, also once its session is wiped") func left() throws {
    let ends: [[String]] = [
      [], ["cancel"], ["cancel-part"], ["cancel-part", "cancel-credential"], ["report J000000", "cancel"],
      ["report C000429", "cancel"], ["finish-part"], ["cancel"], ["cancel"], ["cancel"],
    ]
    for (index, calls) in ends.enumerated() {
      let session = try session()
      let token = try office.claim(session.page)
      #expect(try office.show(token)["state"] == "scanning")
      for call in calls { #expect(try office.page(token, call).status == 200, "\(call)") }
      if index == 8 { #expect(try office.call("POST", "/v1/sessions/\(session.id)/clear").status == 200) }
      if index == 9 { #expect(try office.call("DELETE", "/v1/sessions/\(session.id)").status == 204) }
    }
    #expect(try make() == 429 && make("v") == 201)
    office.clock.advance(by: 86400)
    #expect(try make() == 201)
  }

  @Test("beyond the limit, open sessions end at their first prompt, also while the database is slow")
  func parallel() throws {
    let pages = try (0..<13).map { _ in try session().page }
    let tokens = try pages[..<12].map(office.claim)
    for token in tokens[..<11] {
      let view = try office.show(token)
      #expect(view["state"]?.string == (token == tokens[10] ? "finished" : "scanning"))
      if token == tokens[10] { #expect(view["error"]?["code"] == "C000429") }
    }
    #expect(try office.call("POST", "/v1/page/claim", ["pageToken": .string(pages[12])]).status == 429 && make() == 429)
    try office.locked { #expect(office.isShown(tokens[11])) }
    office.clock.advance(by: 40)
    office.server.storePending()
    office.server.journal.settle(within: 5)
    for _ in 0..<100 where office.server.journal.hasFailed { usleep(20_000) }
    office.server.tick()
    let view = try office.call("GET", "/v1/page", token: tokens[11]).json
    #expect(view["state"] == "finished" && view["error"]?["code"] == "C000429")
  }

  @Test("without a prompt, nothing counts") func unprompted() throws {
    for index in 0..<12 {
      let page = try session().page
      guard index % 4 > 0 else { continue }
      let token = try office.claim(page)
      if index % 4 == 2 { try office.page(token, "start", "cancel") }
      if index % 4 == 3 { try office.page(token, "start", "start-credential", "start-part") }
    }
    office.clock.advance(by: 4000)
    office.server.tick()
    office.server.sweep()
    #expect(try make() == 201)
  }
}

extension Office {
  fileprivate func isShown(_ token: String) -> Bool { (try? show(token)["state"]) == "scanning" }
}

@Suite("PublicAddress") struct PublicAddressTests {
  @Test(
    "special-purpose addresses are not public, however they are embedded",
    arguments: [
      "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "169.254.169.254", "172.16.0.1",
      "172.31.255.255", "192.0.0.1", "192.0.0.255", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
      "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    ])
  func special(_ address: String) {
    #expect(!PublicAddress.isPublic(address) && !PublicAddress.isPublic("::ffff:\(address)"))
    #expect(!PublicAddress.isPublic("::\(address)") && !PublicAddress.isPublic("64:ff9b::\(address)"))
  }

  @Test(
    "special-purpose addresses of IPv6 are not public",
    arguments: [
      "", "localhost", "::", "::1", "::8.8.8.8", "64:ff9b:1::8.8.8.8", "64:ff9b:1:ffff::1", "100::1", "2001::1",
      "2001:0:808:808::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1", "2002:7f00:1::1",
      "2002:808:808::1", "3fff::1", "3fff:fff::1", "4000::1", "5f00::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1",
      "ff02::1", "1fff::1",
    ])
  func special6(_ address: String) { #expect(!PublicAddress.isPublic(address)) }

  @Test(
    "addresses of other networks are public",
    arguments: [
      "1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1", "192.31.196.1",
      "198.17.255.255", "198.20.0.1", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2001:200::1",
      "2001:4860:4860::8888", "2003::1", "2606:4700::1111", "2620:4f:8000::1", "3ffe::1",
    ])
  func others(_ address: String) { #expect(PublicAddress.isPublic(address)) }
}
