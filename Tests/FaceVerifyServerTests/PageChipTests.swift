import Dispatch
import FaceVerifyBase
import Glibc
import ScriptedModels
import TestSupport
import Testing

@testable import EmulatedChip
@testable import FaceVerify
@testable import FaceVerifyJourney
@testable import FaceVerifyServer

extension Turns {
  /// Waits for a turn, as a request does.
  fileprivate func wait() {
    let begun = DispatchSemaphore(value: 0)
    take { begun.signal() }
    begun.wait()
  }
}

/// A page that was taken, and its document on the server's reader, or another one.
@Suite("PageSession: the chip on the server's reader", .needsModels, .needsPages) struct PageChipTests {
  /// The synthetic page of a passport, and its zone.
  private static let page = Result {
    let folder = Installed.documents + "/pages"
    let pages = try JSONValue(parsing: RegularFile.read(path: folder + "/pages.json", maximumBytes: 1 << 24)).elements
    let page = try #require(
      pages.first { $0["kind"]?.string == "clean" && $0["lines"]?.elements[0].string?.hasPrefix("PXUTO") == true })
    return (
      photo: try RegularFile.read(path: "\(folder)/\(page["file"]?.string ?? "")", maximumBytes: 1 << 24),
      zone: page["lines"]?.elements.compactMap(\.string).joined() ?? ""
    )
  }

  private static let engine = Result {
    installScriptedModels()
    var configuration = FaceEngine.Configuration()
    (configuration.modelSet, configuration.modelsFolder) = (.scripted, Installed.models)
    return try FaceEngine(configuration)
  }

  /// - Parameter isOld: without PACE.
  private static func chip(
    zone: String? = nil, fault: EmulatedChip.Fault = .none, isOld: Bool = false
  ) throws -> EmulatedChip {
    var document = EmulatedDocument()
    document.zone = try zone ?? page.get().zone
    document.portrait = try EmulatedDocument.dataGroup2(ScriptedPicture(person: 1).pixels().encodedAsJPEG())
    document.variants = isOld ? [] : [.init(mapping: 6, cipher: 2, parameters: 12)]
    document.agreement = .init(parameters: 12, cipher: 2)
    document.signing = .ecdsa(curve: 12, digest: 3)
    document.issue()
    let chip = EmulatedChip(document)
    chip.fault = fault
    return chip
  }

  /// A reader with a chip, whose responses a test may change.
  private final class Reader: ChipTransport, @unchecked Sendable {
    // Sendable: `card` is locked, and the rest changes between readings.
    /// nil while there is none.
    private let card: Lock<EmulatedChip?>
    /// Called with each command and its response.
    var change: (_ command: [UInt8], _ response: [UInt8]) throws -> [UInt8] = { $1 }
    /// In place of a chip.
    var error: VerifyError?

    init(_ chip: EmulatedChip?) { card = Lock(chip) }

    var chip: EmulatedChip? {
      get { card.withLock { $0 } }
      set { card.withLock { $0 = newValue } }
    }

    func transmit(_ command: [UInt8]) throws -> [UInt8] { try change(command, chip?.transmit(command) ?? []) }

    var terminal: ChipTerminal {
      ChipTerminal { [self] budget in
        while chip == nil {
          if let error { throw error }
          try budget.check()
          usleep(1000)
        }
        return self
      }
    }
  }

  /// The page of a session at the step of the chip.
  private final class Desk {
    let session: PageSession
    let clock = ManualClock(wall: 1_780_000_000)
    let audit = Lock<[String]>([])
    let result = Lock<JourneyResult?>(nil)

    init(_ terminal: ChipTerminal?, readsPages: Bool = true) throws {
      let (audit, result) = (audit, result)
      session = try PageSession(
        id: "one", tenant: "test", account: "00000000-0000-4000-8000-000000000000",
        request: SessionRequest(
          [
            "requests": [["category": "id", "countries": ["UTO"], "types": ["passport"]]], "date": "2026-06-01",
            "documentModes": ["file"], "readsPages": .bool(readsPages), "requiresChip": true,
            "assurance": ["document": "chip-authentic"],
          ], trust: EmulatedState.shared.trust(), allowsScripts: false, isTest: false),
        expires: clock.wall + 900,
        .init(
          engine: PageChipTests.engine.get(), enter: { _ in nil }, leave: { _ in }, pace: { 12 }, metrics: Metrics(),
          terminal: terminal, trustsCameraLabels: false, embedding: [], clock: clock,
          audit: { kind, detail in
            if kind == "chip-reading" { audit.withLock { $0.append(detail["outcome"]?.string ?? "") } }
          }, began: {}, ended: { _, ended, _ in result.withLock { $0 = ended } }))
      try call("start", "start-credential")
      if readsPages {
        try call("front")
        _ = try session.attach(PageChipTests.page.get().photo)
        try call("finish-part", "finish-credential")
      }
      try call("chip")
    }

    @discardableResult
    func call(_ names: String...) throws -> JSONValue {
      session.turns.wait()
      defer { session.turns.give() }
      return try session.perform(
        names.map { name in
          switch name {
          case "front", "chip": ["call": "start-part", "part": .string(name)]
          case "start-credential": ["call": "start-credential", "credential": 0]
          default: ["call": .string(name)]
          }
        })
    }

    var reader: JSONValue { session.show()["reader"] ?? .null }
    var fault: String? { reader["fault"]?.string }

    /// Starts a reading; returns the refusal.
    func start(number: String? = nil, isConfirmed: Bool = false) -> Problem? {
      session.turns.wait()
      defer { session.turns.give() }
      do {
        let view = try session.readChip(number: number, isConfirmed: isConfirmed)
        #expect(view["reader"]?["state"]?.string != "idle" && view["state"]?.string == "paused")
        return nil
      } catch { return error as? Problem }
    }

    /// Waits for the end of a reading.
    func wait() {
      for _ in 0..<10_000 where reader["state"]?.string != "idle" { usleep(2000) }
      #expect(reader["state"]?.string == "idle")
    }

    /// Starts a reading, and waits for its end.
    func read(number: String? = nil, isConfirmed: Bool = false) {
      #expect(start(number: number, isConfirmed: isConfirmed)?.detail == nil)
      wait()
    }

    func finish() throws -> JourneyResult {
      try call("finish-part", "finish-credential", "finish")
      return try #require(result.withLock { $0 })
    }
  }

  @Test("a chip is read with the zone of the page, and its proof reaches the result", arguments: [false, true])
  func read(isClone: Bool) throws {
    let reader = try Reader(Self.chip(fault: isClone ? .wrongSignature : .none))
    let desk = try Desk(reader.terminal)
    #expect(desk.reader["hasKey"]?.bool == true && desk.fault == nil && desk.reader["file"] == .null)
    var seen: [(file: String, fraction: Double)] = []
    reader.change = { [session = desk.session] _, response in
      let view = session.show()["reader"]
      #expect(view?["state"]?.string == "reading")
      if let file = view?["file"]?.string { seen.append((file, view?["fraction"]?.double ?? -1)) }
      return response
    }
    desk.read()
    #expect(seen.contains { $0.file == "EF.DG2" && $0.fraction > 0 && $0.fraction < 1 })
    #expect(desk.session.state == .captured && desk.audit.withLock { $0 } == ["read"])
    let result = try desk.finish()
    let report = try #require(result.credentials[0].document?.report)
    #expect((report.assurance == .chipAuthentic) == !isClone)
    #expect(result.result == (isClone ? .failed : .passed), "\(result.reasons.map(\.text))")
    #expect((report[.chipRead]?.reason == .cloneSuspected) == isClone)
  }

  @Test("a zone that the chip refuses is tried again only if the person confirms it") func otherDocument() throws {
    let reader = try Reader(Self.chip(zone: EmulatedDocument.zone))
    let desk = try Desk(reader.terminal)
    desk.read()
    #expect(desk.fault == "password-refused" && desk.reader["mustConfirm"]?.bool == true)
    #expect(desk.start()?.status == 409 && reader.chip?.passwordTries == 1)
    try desk.call("cancel-part", "chip")
    #expect(desk.fault == nil && desk.start()?.status == 409 && reader.chip?.passwordTries == 1)
    desk.read(isConfirmed: true)
    #expect(desk.fault == "password-refused" && reader.chip?.passwordTries == 2)
    // The document of the page.
    reader.chip = try Self.chip()
    desk.read(isConfirmed: true)
    #expect(desk.session.state == .captured)
    #expect(desk.audit.withLock { $0 } == ["password-refused", "password-refused", "read"])
  }

  @Test("a card access number opens a chip whose zone is refused or missing, with one attempt each") func number()
    throws
  {
    let reader = try Reader(Self.chip())
    let desk = try Desk(reader.terminal, readsPages: false)
    for number in ["", "12345", "1234567", "12345x", "１２３４５６", "12 456"] {
      #expect(desk.start(number: number)?.status == 400 && reader.chip?.passwordTries == 0)
    }
    desk.read(number: "654321")
    #expect(desk.fault == "number-refused" && reader.chip?.passwordTries == 1)
    #expect(desk.reader["mustConfirm"] == false, "no zone was refused")
    #expect(desk.start(number: "654321")?.status == 409 && reader.chip?.passwordTries == 1)
    desk.read(number: "654321", isConfirmed: true)
    #expect(desk.fault == "number-refused" && reader.chip?.passwordTries == 2)
    desk.read(number: "123456")
    #expect(desk.session.state == .captured && desk.fault == nil)
    // The zone of another document.
    reader.chip = try Self.chip(zone: EmulatedDocument.zone)
    let other = try Desk(reader.terminal)
    other.read()
    #expect(other.fault == "password-refused" && other.reader["mustConfirm"] == true)
    other.read(number: "123456")
    #expect(other.session.state == .captured)
  }

  @Test("a chip without PACE has no card access number") func numberUnsupported() throws {
    let reader = try Reader(Self.chip(isOld: true))
    let desk = try Desk(reader.terminal)
    desk.read(number: "123456")
    #expect(desk.fault == "number-unsupported" && reader.chip?.passwordTries == 0)
    desk.read()
    #expect(desk.session.state == .captured)
  }

  @Test("the attempt before a chip is blocked is made only if the person confirms it") func lastAttempt() throws {
    let reader = try Reader(Self.chip())
    // MSE:Set AT announces the last attempt.
    reader.change = { command, response in command[1] == 0x22 ? [0x63, 0xC1] : response }
    let desk = try Desk(reader.terminal)
    desk.read()
    #expect(desk.fault == "confirmation-needed" && desk.reader["attemptsLeft"]?.integer == 1)
    #expect(desk.start()?.status == 409 && reader.chip?.passwordTries == 0)
    desk.read(isConfirmed: true)
    #expect(desk.session.state == .captured)
  }

  @Test("a connection that breaks can be tried again, and reads nothing") func connectionLost() throws {
    let reader = try Reader(Self.chip())
    let desk = try Desk(reader.terminal)
    for count in [1, 5, 30] {
      var left = count
      reader.chip = try Self.chip()
      reader.change = { _, response in
        left -= 1
        guard left > 0 else { throw VerifyError(.unreadable, "the card was removed from \"One\"") }
        return response
      }
      desk.read()
      #expect(desk.fault == "connection-lost" && desk.session.state == .paused)
      #expect(desk.reader["detail"]?.string?.contains("removed") == true && desk.reader["mustConfirm"]?.bool == false)
    }
    (reader.chip, reader.change) = (try Self.chip(), { $1 })
    desk.read()
    #expect(desk.fault == nil && desk.session.state == .captured)
  }

  @Test("a card that is no travel document is unreadable") func otherCard() throws {
    let reader = try Reader(Self.chip())
    reader.change = { _, _ in [0x6A, 0x82] }
    let desk = try Desk(reader.terminal)
    desk.read()
    #expect(desk.fault == "unreadable" && desk.session.state == .paused)
  }

  @Test("each error of the reader has a fault, and its detail is shown") func faults() throws {
    let reader = Reader(nil)
    let desk = try Desk(reader.terminal)
    for (code, fault) in [
      (VerifyError.Code.timeout, "no-card"), (.badArgument, "several-cards"), (.busy, "card-in-use"),
      (.absent, "no-reader"), (.internalFailure, "no-reader"), (.unreadable, "connection-lost"),
    ] {
      reader.error = VerifyError(code, "what happened, and what to do")
      desk.read()
      #expect(desk.fault == fault && desk.reader["detail"]?.string == "what happened, and what to do")
    }
    let schema = try JSONValue(parsing: PageFiles.openAPI)["components"]?["schemas"]?["View"]?["properties"]?["reader"]
    let described = schema?["properties"]?["fault"]?["enum"]?.elements.compactMap(\.string) ?? []
    #expect(Set(described) == Set(ChipTerminal.Fault.allCases.map(\.rawValue)))
  }

  @Test("nothing is read without a reader, a zone, or the step of a chip") func notDue() throws {
    let bare = try Desk(nil)
    #expect(bare.start()?.status == 404 && bare.reader == .null)
    let reader = try Reader(Self.chip())
    let zoneless = try Desk(reader.terminal, readsPages: false)
    #expect(zoneless.reader["hasKey"]?.bool == false)
    let refusal = zoneless.start()
    #expect(refusal?.status == 409 && refusal?.detail.contains("zone") == true)
    let desk = try Desk(reader.terminal)
    try desk.call("cancel-part")
    #expect(desk.start()?.logicalError == .deadScanPart)
    try desk.call("cancel")
    #expect(desk.start()?.status == 410 && reader.chip?.commandCount == 0)
  }

  @Test("one chip is read at a time") func busy() throws {
    let reader = Reader(nil)
    let terminal = reader.terminal
    let (desk, other) = (try Desk(terminal), try Desk(terminal))
    #expect(desk.start() == nil)
    #expect(desk.start()?.status == 409)
    let refusal = other.start()
    #expect(refusal?.status == 409 && refusal?.detail.contains("in use") == true && other.fault == "busy")
    reader.chip = try Self.chip()
    desk.wait()
    other.read()
    #expect(desk.session.state == .captured && other.session.state == .captured && other.fault == nil)
  }

  @Test("a reading that the person stops is no fault, and can be started again") func stopped() throws {
    let reader = Reader(nil)
    let desk = try Desk(reader.terminal)
    #expect(desk.session.stopReading()["reader"]?["state"]?.string == "idle")
    #expect(desk.start() == nil && desk.reader["state"]?.string == "waiting")
    _ = desk.session.stopReading()
    desk.wait()
    #expect(desk.fault == nil && desk.session.state == .paused && desk.audit.withLock { $0 } == ["stopped"])
    reader.chip = try Self.chip()
    desk.read()
    #expect(desk.session.state == .captured)
  }

  @Test(
    "a reading ends with its part and its session",
    arguments: ["cancel", "cancel-part", "cancel-credential", "report", "files", "expiry"])
  func ended(_ how: String) throws {
    let reader = Reader(nil)
    let terminal = reader.terminal
    let desk = try Desk(terminal)
    #expect(desk.start() == nil)
    switch how {
    case "files":
      try desk.call("resume")
      let boundary = "--b\r\nContent-Disposition: form-data; name=\"EF.DG1\"\r\n\r\nx\r\n--b--\r\n"
      _ = try desk.session.attachChip(
        Multipart(Array(boundary.utf8), contentType: "multipart/form-data; boundary=b"))
    case "expiry":
      desk.clock.advance(by: 2000)
      desk.session.tick()
    case "report": _ = try desk.session.perform([["call": "report", "code": "H000000"]])
    default: try desk.call(how)
    }
    #expect(desk.reader["state"]?.string == "idle" && desk.fault == nil)
    let state = desk.session.state
    // The reader is free again, and what is read now does not reach the other session.
    let next = try Desk(terminal)
    while next.start() != nil { usleep(2000) }
    reader.chip = try Self.chip()
    next.wait()
    #expect(next.session.state == .captured && desk.session.state == state && desk.audit.withLock { $0.isEmpty })
  }

  @Test("the time limit of the part does not run during a reading") func patience() throws {
    let reader = Reader(nil)
    let desk = try Desk(reader.terminal)
    #expect(desk.session.state == .scanning && desk.start() == nil)
    desk.clock.advance(by: 45)
    desk.session.tick()
    #expect(desk.session.state == .paused)
    reader.chip = try Self.chip()
    desk.wait()
    #expect(desk.session.state == .captured)
  }

  @Test("a reader is only for pages on its machine") func desks() throws {
    var configuration = ServerConfiguration(dataFolder: "/nonexistent")
    configuration.reader = ""
    try configuration.check()
    for change: (inout ServerConfiguration) -> Void in [
      { ($0.host, $0.certificate, $0.certificateKey) = ("0.0.0.0", "c.pem", "k.pem") }, { $0.isBehindProxy = true },
      { $0.publicURL = "https://check.example" },
    ] {
      var other = configuration
      change(&other)
      #expect(throws: VerifyError.self) { try other.check() }
    }
  }
}
