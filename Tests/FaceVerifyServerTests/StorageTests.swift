import FaceVerifyBase
import Foundation
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyServer

@Suite("The server's database") struct StorageTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("faceverify-\(UUID().uuidString)")
  private var path: String { folder.appendingPathComponent("server.sqlite").path }

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  /// Runs `body`, then removes the folder.
  private func using<Result>(_ body: () throws -> Result) rethrows -> Result {
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body()
  }

  private func session(_ id: String = "one", callback: String? = nil) -> ServerStore.Session {
    ServerStore.Session(
      id: id, tenant: "shop", account: "a", node: "n1", state: .created, created: 1, startBy: 1e12, expires: 1e12,
      runs: 1, request: callback.map { ["callbackUrl": .string($0)] } ?? [:], nonce: [1])
  }

  private func finished(_ id: String = "one", callback: String? = nil) -> ServerStore.Entry {
    ServerStore.Entry(
      kind: "finished", tenant: "shop", session: id, detail: [:], at: 5,
      end: .init(
        node: "n1", outcome: "passed", answer: ["result": "passed"],
        request: callback.map { ["callbackUrl": .string($0)] } ?? [:], resultSeconds: 60))
  }

  @Test("a result is written once, for any number of retries") func once() throws {
    try using {
      let store = try ServerStore(path)
      try store.add(session())
      for _ in 0..<3 { try store.write(finished(callback: "https://a.example/hook"), at: 10) }
      let row = try #require(try store.session("one"))
      #expect(row.state == .finished && row.finished == 5 && row.wipeAt == 70)
      #expect(row.result["audit"]?["sequence"]?.integer == 1)
      #expect(try store.auditEntries(after: 0, limit: 9).map(\.event.kind) == ["finished"])
      #expect(try store.takeDue(at: 10, again: 20, busy: [:], each: 9).count == 1)
    }
  }

  @Test("an idempotency key is stored with its session, or neither is") func idempotency() throws {
    try using {
      let store = try ServerStore(path)
      let key = ServerStore.IdempotencyKey(name: "k", digest: "d")
      #expect(try store.session(of: key, tenant: "shop") == nil && store.add(session(), key: key) == nil)
      // The same request at the same time.
      #expect(try store.add(session("two"), key: key) == "one" && store.session("two") == nil)
      let other = ServerStore.IdempotencyKey(name: "k", digest: "other")
      #expect(throws: Problem.self) { try store.add(session("three"), key: other) }
      // Reserved by an earlier version, whose request failed.
      try script("INSERT INTO idempotency (tenant, name, digest, at) VALUES ('shop', 'old', 'x', 1)")
      let old = ServerStore.IdempotencyKey(name: "old", digest: "d")
      #expect(try store.add(session("four"), key: old) == nil && store.session(of: old, tenant: "shop") == "four")
      #expect(throws: StoreFailure.self, "an id that exists") {
        try store.add(session(), key: ServerStore.IdempotencyKey(name: "new", digest: "d"))
      }
      #expect(try store.session(of: ServerStore.IdempotencyKey(name: "new", digest: "d"), tenant: "shop") == nil)
    }
  }

  @Test("attempts beyond the limit are refused and not counted, in any number of sessions") func attempts() throws {
    try using {
      let store = try ServerStore(path)
      for index in 0..<5 { try store.add(session("\(index)"), person: index == 4 ? "other" : "one") }
      func attempt(_ id: Int, at now: Double) throws -> Bool {
        try store.write(
          .init(kind: ServerStore.attempt, tenant: "shop", session: "\(id)", detail: [:], at: now), at: now, limit: 2)
      }
      #expect(try [0, 1, 2, 2, 4].map { try attempt($0, at: 10) } == [true, true, false, false, true])
      #expect(try store.attempts(tenant: "shop", person: "one", at: 11) == 2)
      #expect(try attempt(3, at: 10 + 86400.5))
      // Not those that pass, or that the server ends.
      try store.write(finished("3"), at: 10 + 86401)
      #expect(try store.attempts(tenant: "shop", person: "one", at: 10 + 86401) == 0)
      try script("UPDATE sessions SET state = 'active' WHERE id = '4'")
      try store.interruptAll(of: "n1", at: 12)
      #expect(try store.attempts(tenant: "shop", person: "other", at: 13) == 0)
    }
  }

  @Test("a late result replaces nothing, and is not announced") func superseded() throws {
    try using {
      let store = try ServerStore(path)
      let url = "https://a.example/hook"
      // Wiped, and begun again on another node.
      try store.add(session("wiped"))
      try store.clear("wiped")
      var other = session("other")
      other.node = "n2"
      try store.add(other)
      for id in ["wiped", "other"] { try store.write(finished(id, callback: url), at: 10) }
      #expect(
        try store.auditEntries(after: 0, limit: 9).map(\.event.kind) == ["result-superseded", "result-superseded"])
      #expect(try store.takeDue(at: 10, again: 20, busy: [:], each: 9).isEmpty)
      #expect(try store.session("wiped")?.state == .cleared && store.session("other")?.state == .created)
      // Of a database that lacks the session, the result waits; what its operator has deleted is gone.
      #expect(throws: StoreFailure.self) { try store.write(finished("lost"), at: 10) }
      try store.audit("deleted", tenant: "shop", session: "lost", at: 11)
      try store.write(finished("lost"), at: 12)
      #expect(try store.auditEntries(after: 3, limit: 9, tenant: "shop").map(\.event.kind) == ["result-superseded"])
    }
  }

  @Test("a tenant's audit is queried by an index") func auditIndex() throws {
    try using {
      _ = try ServerStore(path)
      let plan = try SQLiteConnection(path: path).rows(
        "EXPLAIN QUERY PLAN SELECT sequence FROM audit WHERE tenant = 'a' AND sequence > 0 ORDER BY sequence LIMIT 1",
        [])
      #expect(plan.count == 1 && plan[0][3].text?.contains("audit_tenant") == true)
    }
  }

  @Test("waiting results survive the process unchanged, and leave no trace once stored") func spool() throws {
    try using {
      let entries = [
        finished(), ServerStore.Entry(kind: "claimed", tenant: "ä\n", session: "s", detail: [:], at: 1.25),
      ]
      let file = folder.appendingPathComponent("unstored.ndjson")
      var journal = try Journal(spool: Spool(folder: folder.path))
      #expect(try Data(contentsOf: file).count >= 2 * Journal.maximumBytes)
      for entry in entries { #expect(journal.add(entry) == true) }
      try journal.persist()
      #expect(journal.add(finished("two")) == true)
      try journal.persist()

      // The process is killed in the middle of a line.
      let handle = try FileHandle(forWritingTo: file)
      try handle.seek(toOffset: UInt64(try Data(contentsOf: file).prefix { $0 != 0 }.count))
      try handle.write(contentsOf: Data("{\"half".utf8))
      try handle.close()
      var next = try Journal(spool: Spool(folder: folder.path))
      #expect(next.entries.map(\.jsonValue) == (entries + [finished("two")]).map(\.jsonValue))
      #expect(next.results == 2)
      for _ in 0..<3 { try next.stored() }
      #expect(try Journal(spool: Spool(folder: folder.path)).entries.isEmpty)
      #expect(try Data(contentsOf: file).allSatisfy { $0 == 0 })
    }
  }

  @Test("the number of waiting results is bounded, and no result is dropped") func bound() throws {
    var journal = try Journal()
    let audit = ServerStore.Entry(kind: "x", tenant: "", session: "", detail: [:], at: 1)
    while journal.add(audit) {}
    #expect(journal.entries.count == Journal.maximumEntries && journal.isFull && journal.add(finished()) == true)
    #expect(journal.results == 1)
    // The first write is immediate; after a failure it is retried later.
    #expect(journal.mayTry(at: 0) == true)
    journal.failed("away", at: 0)
    #expect([0.9, 1.1].map { journal.mayTry(at: $0) } == [false, true])
    journal.failed("away", at: 1.2)
    #expect([3, 3.3].map { journal.mayTry(at: $0) } == [false, true])
  }

  @Test("a database that was moved is not written to, and is found again") func moved() throws {
    try using {
      let store = try ServerStore(path)
      try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
      #expect(throws: StoreFailure.self) { try store.add(session()) }
      try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
      try store.add(session())
      // Restored from a copy: another file with the same name.
      try SQLiteConnection(path: path).checkpoint()
      try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
      try FileManager.default.removeItem(atPath: path)
      for rest in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + rest) }
      try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
      try store.add(session("two"))
      #expect(try ServerStore(path).session("two") != nil)
    }
  }

  /// Runs `sql` on a separate connection.
  private func script(_ sql: String) throws { try SQLiteConnection(path: path).script(sql) }

  @Test("a sweep works in batches, and skips wiped rows") func sweep() throws {
    try using {
      let store = try ServerStore(path)
      let rows = """
        INSERT INTO sessions (id, tenant, account, node, state, created, start_by, expires, runs, request, nonce, result, \
        wipe_at, person) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <
        """
      try script(
        "\(rows) 100000) SELECT 'w' || i, 't', 'a', 'n1', 'cleared', 1, 1, 1, 1, '{}', '', NULL, NULL, NULL FROM n")
      try script("\(rows) 500) SELECT 'd' || i, 't', 'a', 'n1', 'finished', 1, 1, 1, 1, '{}', 'x', 'y', 5, 'p' FROM n")
      try script(
        "\(rows) 300) SELECT 'c' || i, 't', 'a', 'n1', 'created', 1, 5, 9, 1, '{}', 'x', NULL, NULL, 'p' FROM n")
      var batches = 0
      var isMore = true
      while isMore {
        isMore = try store.sweep(at: 100, node: "n1", heartbeat: 15).isMore
        batches += 1
      }
      #expect(batches == 3)
      let wiped = try #require(try store.session("d500"))
      #expect(wiped.state == .cleared && wiped.nonce.isEmpty && wiped.result == .null)
      #expect(try store.session("c300")?.state == .expired && store.auditHead().sequence == 300)
      let connection = try SQLiteConnection(path: path)
      #expect(try connection.rows("SELECT COUNT(*) FROM sessions WHERE person IS NOT NULL", [])[0][0].integer == 300)
      // No statement of the sweep or the outbox scans a table.
      for condition in [
        "sessions WHERE state = 'created' AND start_by < 1 LIMIT 200", "sessions WHERE wipe_at < 1 LIMIT 200",
        "sessions WHERE state IN ('claimed', 'active') AND node IN (SELECT name FROM nodes WHERE at < 1) LIMIT 200",
        "sessions WHERE state IN ('claimed', 'active', 'interrupted') AND expires < 1 LIMIT 200",
        "events WHERE at < 1 AND due IS NULL AND COALESCE(tried, 0) < 1 LIMIT 200",
        "events WHERE due IS NOT NULL AND receiver > 'a' ORDER BY receiver LIMIT 1",
        "events WHERE receiver = 'a' AND due <= 1 ORDER BY due LIMIT 4",
        "events WHERE tenant = 'a' AND at <= 1 ORDER BY at DESC LIMIT 4",
      ] {
        let plan = try connection.rows("EXPLAIN QUERY PLAN SELECT id FROM \(condition)", [])
        #expect(
          !plan.contains { $0.text(3).hasPrefix("SCAN sessions") || $0.text(3).hasPrefix("SCAN events") },
          "\(condition)")
      }
    }
  }

  @Test("a receiver does not wait for the deliveries of another one") func receivers() throws {
    try using {
      let store = try ServerStore(path)
      for (index, host) in (Array(repeating: "a", count: 20) + ["b"]).enumerated() {
        let url = "https://\(host).example/hook/\(index)"
        try store.add(session("\(index)", callback: url))
        try store.write(finished("\(index)", callback: url), at: 10)
      }
      let first = try store.takeDue(at: 10, again: 130, busy: [:], each: 2)
      #expect(
        first.map(\.receiver).sorted() == [
          "shop https://a.example", "shop https://a.example", "shop https://b.example",
        ])
      // A query makes no other receiver of it.
      try store.add(session("q", callback: "https://c.example?n=1"))
      try store.write(finished("q", callback: "https://c.example?n=1"), at: 10)
      let query = try store.takeDue(at: 10, again: 130, busy: ["shop https://a.example": 2], each: 2)
      #expect(query.map(\.receiver) == ["shop https://c.example"])
      let busy = ["shop https://a.example": 2]
      #expect(try store.takeDue(at: 10, again: 130, busy: busy, each: 2).isEmpty)
      #expect(try store.takeDue(at: 10, again: 130, busy: ["shop https://a.example": 1], each: 2).count == 1)
    }
  }

  @Test("a database with another schema is refused, unchanged") func schema() throws {
    try using {
      _ = try ServerStore(path)
      try script("UPDATE meta SET value = '2' WHERE name = 'version'")
      let error = #expect(throws: VerifyError.self) { try ServerStore(path) }
      #expect(error?.code == .wrongState && error?.message.contains("schema 2") == true)
    }
  }

  @Test("an event is sent again with its id, and removed after 30 days") func events() throws {
    try using {
      let store = try ServerStore(path)
      try store.add(session(callback: "https://a.example/"))
      try store.write(finished(callback: "https://a.example/"), at: 10)
      func take(_ now: Double) throws -> [ServerStore.Event] {
        try store.takeDue(at: now, again: now + 120, busy: [:], each: 9)
      }
      let first = try #require(try take(100).first)
      #expect(first.tries == 1 && first.result["result"] == "passed" && first.delivery == .waiting)
      try store.settle(first.id, Webhook.Attempt(status: 500, fault: .refused), due: nil, at: 101)
      #expect(try store.event(first.id)?.delivery == .givenUp && take(1000).isEmpty)
      #expect(try !store.redeliver(first.id, pause: 15, at: 114))
      #expect(try store.redeliver(first.id, pause: 15, at: 116))
      let second = try #require(try take(120).first)
      #expect(second.id == first.id && second.tries == 1)
      try store.settle(second.id, Webhook.Attempt(status: 204), due: nil, at: 121)
      #expect(try store.event(first.id)?.delivery == .delivered)
      for (now, isKept) in [(30 * 86400.0, true), (120 + 30 * 86400.0 + 1, false)] {
        _ = try store.sweep(at: now, node: "n1", heartbeat: 1e9)
        #expect(try (store.event(first.id) != nil) == isKept)
      }
    }
  }

  @Test("secrets open only with their own key and context, unchanged") func secrets() throws {
    try using {
      let store = try ServerStore(path)
      let keyFile = folder.appendingPathComponent("secrets.key").path
      let secrets = try ServerSecrets(path: keyFile)
      for _ in 0..<2 { try store.check(secrets, named: keyFile) }
      let sealed = try secrets.seal("in clear", for: "k")
      #expect(try secrets.open(sealed, for: "k") == "in clear")
      #expect(throws: VerifyError.self) { try secrets.open(sealed, for: "other") }
      #expect(throws: VerifyError.self) {
        try secrets.open(String(sealed.dropLast()) + (sealed.hasSuffix("0") ? "1" : "0"), for: "k")
      }
      let other = try ServerSecrets(path: folder.appendingPathComponent("other.key").path)
      #expect(throws: VerifyError.self) { try other.open(sealed, for: "k") }
      #expect(throws: VerifyError.self) { try StoreFailure.unwrapped { try store.check(other, named: "other.key") } }
      #expect(try ServerSecrets(path: keyFile).person("x", of: "a") == secrets.person("x", of: "a"))
      #expect(secrets.person("x", of: "a") != secrets.person("x", of: "b"))
    }
  }
}
