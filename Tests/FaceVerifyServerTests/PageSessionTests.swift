import Dispatch
import FaceVerifyBase
import ScriptedModels
import TestSupport
import Testing

@testable import EmulatedChip
@testable import FaceVerify
@testable import FaceVerifyJourney
@testable import FaceVerifyServer

@Suite("PageSession") struct PageSessionTests {
  private static let start = 1_763_800_000.0

  /// A page with a server of some places for attempts.
  private final class Page {
    let session: PageSession
    let places: Lock<Admission>
    let result = Lock<JSONValue>(.null)
    let clock = ManualClock(wall: PageSessionTests.start)
    private let zero: Double
    private var sequence: UInt32 = 1

    init(
      _ asked: JSONValue = ["faceModes": ["passive"]], id: String = "one", places: Lock<Admission>? = nil,
      mayHandOff: Bool = true, engine: FaceEngine? = nil, attempt: @escaping @Sendable () -> Bool = { true }
    ) throws {
      zero = clock.monotonic
      let places = places ?? Lock(Admission(cores: 1, cost: 1, capacity: 1))
      self.places = places
      guard case .object(var members) = asked else { throw LogicalError.wrongOrder }
      members["requests"] = members["requests"] ?? [["category": "face"]]
      members["comparesFace"] = false
      let result = result
      session = try PageSession(
        id: id, tenant: "test", account: "00000000-0000-4000-8000-000000000000",
        request: SessionRequest(.object(members), trust: TrustStore(), allowsScripts: false, isTest: false),
        expires: start + 900,
        .init(
          engine: engine ?? PageSessionTests.engine(), enter: { id in places.withLock { $0.enter(id, at: 0) } },
          leave: { id in places.withLock { $0.leave(id) } }, pace: { 12 }, metrics: Metrics(),
          terminal: nil, trustsCameraLabels: false, embedding: [], mayHandOff: mayHandOff, clock: clock,
          audit: { _, _ in }, began: {},
          ended: { _, _, transport in result.withLock { $0 = transport } }, attempt: attempt))
    }

    var running: Int { places.withLock { $0.count(at: 0) } }

    /// Advances the clock to seconds after the beginning.
    func wait(until seconds: Double) { clock.advance(by: max(0, zero + seconds - clock.monotonic)) }

    @discardableResult
    func call(_ names: String..., at seconds: Double) throws -> JSONValue {
      wait(until: seconds)
      return try session.perform(
        names.map { name in
          switch name {
          case "start-part": ["call": "start-part", "part": "face"]
          case "start-credential": ["call": "start-credential", "credential": 0]
          default: ["call": .string(name)]
          }
        })
    }

    func refusal(_ name: String, at seconds: Double) -> Int? {
      do {
        try call(name, at: seconds)
        return nil
      } catch { return (error as? Problem)?.status }
    }

    /// Repeats the last batch.
    func again() { sequence = 1 }

    /// Frames of a camera of 12 a second, the last one at `seconds`; they arrive with it.
    @discardableResult
    func show(_ count: Int, at seconds: Double, hidden: Set<Int> = [], light: UInt8 = 255) throws -> JSONValue {
      wait(until: seconds)
      let frames = try (0..<count).map { index in
        let picture = try ScriptedPicture(person: 1, frame: Int(sequence) + index).pixels().encodedAsJPEG(quality: 90)
        return (sequence + UInt32(index), 1000 + seconds - Double(count - 1 - index) / 12, picture)
      }
      sequence += UInt32(count)
      return try session.add(
        FrameBatchTests.batch(frames, hidden: hidden, light: light), received: zero + seconds)
    }
  }

  /// - Parameter delay: called before each face is analysed.
  private static func engine(_ set: ModelSet = .scripted, delay: @escaping @Sendable () -> Void = {}) throws
    -> FaceEngine
  {
    installScriptedModels(as: set, delay: delay)
    var configuration = FaceEngine.Configuration()
    configuration.modelSet = set
    return try FaceEngine(configuration)
  }

  @Test("setting the machine's time neither ends a session, nor extends it, nor changes the light")
  func times() throws {
    for shift in [-3600.0, 3600] {
      let page = try Page(["faceModes": ["passive"], "light": "on"])
      let session = page.session
      try page.call("start", at: 1)
      page.clock.set(wall: Self.start + shift)
      session.tick()
      try page.call("start-credential", "start-part", at: 2)
      #expect(try page.show(1, at: 2)["light"]?["index"]?.integer == 0)
      page.clock.set(wall: Self.start - shift)
      page.wait(until: 2.2)
      let view = session.show()
      #expect(view["light"]?["index"]?.integer == 0 && view["session"]?["secondsLeft"]?.double == 897.8)
      page.wait(until: 899)
      session.tick()
      #expect(!session.isFinished)
      page.wait(until: 901)
      session.tick()
      #expect(session.isFinished)
    }
  }

  @Test("a photo that takes seconds to analyse delays no view, no tick and no other page") func slowPhoto() throws {
    let (begun, release, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let engine = try Self.engine(ModelSet(rawValue: "scripted-slow")) {
      begun.signal()
      _ = release.wait(timeout: .now() + 3)
    }
    let places = Lock(Admission(cores: 2, cost: 1, capacity: 2))
    let slow = try Page(["faceModes": ["face-manual"]], places: places, engine: engine)
    let other = try Page(id: "two", places: places)
    for page in [slow, other] { try page.call("start", "start-credential", "start-part", at: 1) }
    try other.show(4, at: 2)
    let photo = try ScriptedPicture(person: 1).pixels().encodedAsJPEG(quality: 90)
    DispatchQueue.global().async { [session = slow.session] in
      // As a request does.
      session.turns.take {
        _ = try? session.attach(photo)
        session.turns.give()
      }
      done.signal()
    }
    begun.wait()
    // Later than the time limits of frames and parts.
    slow.wait(until: 60)
    for answer in [
      { slow.session.tick() }, { _ = slow.session.show() }, { other.session.tick() }, { _ = other.session.show() },
    ] {
      let begin = steadyClock()
      answer()
      #expect(steadyClock() - begin < 0.15)
    }
    #expect(try other.show(4, at: 2.3)["taken"]?.integer == 8)
    #expect(slow.session.state == .scanning && other.session.state == .scanning)
    #expect(places.withLock { $0.count(at: 0) } == 2)
    for _ in 0..<100 { release.signal() }
    done.wait()
    #expect(slow.session.state == .captured)
  }

  @Test("a colour that was shown too long ago lights no frame, however long the frames before it took")
  func lateColour() throws {
    let (isSlow, clock) = (Lock(false), Lock<ManualClock?>(nil))
    let engine = try Self.engine(ModelSet(rawValue: "scripted-late")) {
      if isSlow.read({ $0 }) { clock.read { $0?.advance(by: 0.4) } }
    }
    let page = try Page(["faceModes": ["passive"], "light": "on"], engine: engine)
    clock.withLock { $0 = page.clock }
    var view = try page.call("start", "start-credential", "start-part", at: 1)
    var time = 2.0
    func stream(_ light: UInt8 = 255) throws {
      view = try page.show(4, at: time, light: light)
      time += 1.0 / 3
    }
    while view["light"]?["index"]?.integer != 1 { try stream() }
    let next = time
    try stream(0)
    while time < next + 2 { try stream() }
    isSlow.withLock { $0 = true }
    try stream(0)
    try page.call("cancel", at: time + 2)
    let calls = try page.session.journey.recordBody()["calls"]?.elements ?? []
    #expect(view["refused"] == 0 && calls.count { $0["call"] == "frame" } > 12)
    #expect(calls.count { $0["screenColour"] ?? .null != .null } == 4)
  }

  @Test("a finished session shows the same when it is loaded again, after its data was wiped") func reload() throws {
    let page = try Page(["faceModes": ["passive"], "ui": ["showsResult": true]])
    try page.call("start", "start-credential", "start-part", at: 1)
    try page.show(4, at: 2)
    let view = try page.call("finish-part", "finish-credential", "finish", at: 3)
    #expect(view["result"]?["reasons"]?.elements.isEmpty == false && view["credentials"]?.elements.count == 1)
    page.session.clear()
    #expect(page.session.journey.result?.isCleared == true)
    let again = page.session.show()
    for name in ["state", "result", "credentials", "error"] { #expect(again[name] == view[name], "\(name)") }
  }

  @Test("a refused call takes no place and does not change the running attempt") func refused() throws {
    let page = try Page(["faceModes": ["passive"], "light": "on"])
    #expect(page.refusal("start-part", at: 1) == 409 && page.running == 0)
    try page.call("start", "start-credential", at: 1)
    #expect(throws: Problem.self) {
      try page.session.perform(
        [["call": "start-part", "part": "face", "mode": "face-manual", "light": false]])
    }
    #expect(page.running == 0)
    try page.call("start-part", at: 2)
    #expect(page.running == 1)
    try page.show(3, at: 3)
    #expect(
      throws: Problem.self,
      performing: {
        try page.session.perform([["call": "start-part", "part": "face", "light": false]])
      })
    #expect(page.running == 1)
    // The clock was not begun anew: two seconds without frames are seen.
    let view = try page.show(3, at: 5.5)
    #expect(view["events"]?.elements.last?["reason"]?.string == "frames-missing" && page.running == 0)
    try page.call("cancel", at: 6)
    let transport = page.result.withLock { $0 }
    #expect(transport["attempts"]?.integer == 1 && transport["declined"]?.elements.isEmpty == true)
  }

  @Test("each attempt has a separate clock", arguments: ["retry-part", "fallback"]) func tries(_ call: String) throws {
    let page = try Page(["faceModes": ["liveness", "passive"], "challengeCount": 2])
    try page.call("start", "start-credential", "start-part", at: 1)
    try page.show(4, at: 2)
    try page.show(4, at: 2.8)
    if call == "retry-part" {
      try page.call("finish-part", at: 3)
      #expect(page.session.state == .retrying && page.running == 0)
    }
    try page.call(call, at: 6)
    #expect(page.running == 1)
    for step in 0..<3 {
      let view = try page.show(4, at: 7 + Double(step) / 3)
      #expect(view["state"]?.string == "scanning" && view["refused"]?.integer == 0)
    }
    try page.call("cancel", at: 9)
    let transport = page.result.withLock { $0 }
    #expect(transport["faults"]?.elements.isEmpty == true && transport["longestGap"]?.double ?? 0 > 0.4)
  }

  @Test("a pause releases the place, and gives no time to prepare answers") func pause() throws {
    let page = try Page()
    try page.call("start", "start-credential", "start-part", at: 1)
    try page.show(4, at: 2)
    try page.call("pause", at: 2.1)
    #expect(page.running == 0)
    let other = try Page(id: "two", places: page.places)
    try other.call("start", "start-credential", "start-part", at: 3)
    #expect(page.running == 1 && page.refusal("resume", at: 3) == 503 && page.session.state == .paused)
    try other.call("cancel-part", at: 4)
    try page.call("resume", at: 5)
    let view = try page.show(4, at: 6)
    #expect(view["events"]?.elements.last?["reason"]?.string == "frames-missing")
  }

  @Test("a page without a place is refused, and continues when a place is free") func place() throws {
    let page = try Page()
    try page.call("start", "start-credential", "start-part", at: 1)
    page.places.withLock { places in
      places.leave("one")
      _ = places.enter("two", at: 0)
    }
    #expect(throws: Problem.self) { try page.show(1, at: 2) }
    page.places.withLock { $0.leave("two") }
    page.again()
    #expect(try page.show(1, at: 2.2)["taken"]?.integer == 1)
  }

  @Test("no colour is disclosed before the first frame") func light() throws {
    let page = try Page(["faceModes": ["passive"], "light": "on"])
    var view = try page.call("start", "start-credential", "start-part", at: 1)
    for second in 2..<12 {
      page.wait(until: Double(second))
      view = page.session.show()
      #expect(view["light"] == .null)
    }
    view = try page.show(1, at: 12)
    #expect(view["light"]?["index"]?.integer == 0)
  }

  @Test("a colour counts from its display until frames would be late") func colours() {
    var colours = ShownColours()
    #expect(!colours.mayLight(0, 10, backlog: 0))
    colours.show(0, at: 10)
    colours.show(0, at: 10.4)
    #expect(colours.mayLight(0, 19, backlog: 0) && !colours.mayLight(1, 10, backlog: 0))
    colours.show(1, at: 11)
    colours.show(2, at: 11.7)
    #expect(colours.mayLight(0, 12.9, backlog: 0) && !colours.mayLight(0, 13.1, backlog: 0))
    #expect(colours.mayLight(0, 13.1, backlog: 0.5) && colours.mayLight(1, 13.1, backlog: 0))
  }

  @Test("a page is silent if no frames arrive, not if frames wait for a thread") func silence() throws {
    let page = try Page()
    try page.call("start", "start-credential", "start-part", at: 1)
    try page.show(3, at: 2)
    page.wait(until: 2.3)
    _ = page.session.arrived(isBatch: true, isCheck: false)
    page.wait(until: 29)
    page.session.tick()
    #expect(page.session.state == .scanning)
    page.session.answered(isBatch: true, isCheck: false)
    _ = page.session.arrived(isBatch: false, isCheck: false)
    page.wait(until: 30)
    page.session.tick()
    #expect(page.session.state == .choosing)
  }

  @Test("a session continues on another device only between parts, once, in time, and after the last offer")
  func handOff() throws {
    let page = try Page()
    let session = page.session
    func takeOver(_ digest: String, at seconds: Double, isStored: Bool = true) -> Int? {
      do {
        page.wait(until: seconds)
        _ = try session.takeOver(digest) { isStored }
        return nil
      } catch { return (error as? Problem)?.status }
    }
    func offer(_ digest: String, at seconds: Double) -> Int? {
      do {
        page.wait(until: seconds)
        try session.offer(digest)
        return nil
      } catch { return (error as? Problem)?.status }
    }
    #expect(takeOver("never", at: 0) == 409)
    #expect(offer("a", at: 0) == nil && takeOver("a", at: 601) == 410)
    #expect(offer("b", at: 601) == nil && takeOver("a", at: 602) == 409)
    // A database that fails leaves the offer open.
    #expect(
      takeOver("b", at: 602, isStored: false) == 410 && takeOver("b", at: 800) == nil && takeOver("b", at: 800) == 409)
    #expect(session.show()["wasHandedOff"] == true)
    #expect(offer("c", at: 802) == nil)
    try page.call("start", at: 802)
    #expect(takeOver("c", at: 803) == 409, "the first device continued")
    try page.call("start-credential", at: 803)
    #expect(offer("d", at: 803) == nil)
    try page.call("start-part", at: 804)
    #expect(takeOver("d", at: 804) == 409 && offer("e", at: 804) == 409)
    #expect(session.show()["mayHandOff"] == false)
    let watched = session.show(isElsewhere: true)
    #expect(watched["state"] == "scanning" && watched["part"] == .null && watched["frames"] == .null)
    try page.call("cancel-part", at: 805)
    for _ in 0..<16 { #expect(offer("f", at: 805) == nil) }
    #expect(offer("f", at: 805) == 409, "links are limited")
    try page.call("cancel", at: 806)
    #expect(offer("g", at: 806) == 410)
    #expect(page.result.withLock { $0["handOffs"] } == 1)
    let local = try Page(mayHandOff: false).session
    #expect(throws: Problem.self) { try local.offer("a") }
  }

  @Test("a session warns if, and only if, the best evidence that a visitor can give does not pass")
  func warnings() throws {
    let trust = EmulatedState.shared.trust()
    let (passport, licence): (JSONValue, JSONValue) = (
      ["category": "id", "countries": ["UTO"], "types": ["passport"]],
      ["category": "id", "countries": ["USA"], "types": ["driving-licence"]]
    )
    let faces: [(mode: ScanMode, isLit: Bool, presence: Assurance.Presence)] = [
      (.liveness, true, .challengeAnswered), (.passive, false, .challengeAnswered), (.faceManual, false, .photo),
      (.faceManual, true, .photo), (.strict, false, .trustedCapture),
    ]
    let acceptances: [Set<UnauthenticatedDocument>] = [[], [.page], [.licence]]
    let flags = [false, true]
    for requests: [JSONValue] in [[["category": "face"]], [passport], [passport, ["category": "face"]], [licence]] {
      for hasReader in flags {
        for trust in [TrustStore(), trust] {
          for (readsChip, needsChip, readsPages) in [
            (nil, false, true), (true, false, true), (false, false, true), (nil, true, true), (nil, false, false),
          ] as [(Bool?, Bool, Bool)] {
            for document in [DocumentAssurance.pageConsistent, .chipCopyAuthentic, .chipAuthentic] {
              for accepted in acceptances {
                for (comparesFace, binding) in [
                  (false, Assurance.Binding.chipPortrait), (true, .none), (true, .pagePortrait), (true, .chipPortrait),
                  (true, .enrolledTemplate),
                ] {
                  for face in faces {
                    var members: [String: JSONValue] = [
                      "requests": .array(requests), "requiresChip": .bool(needsChip), "readsPages": .bool(readsPages),
                      "comparesFace": .bool(comparesFace), "faceModes": [.string(face.mode.rawValue)],
                      "light": face.isLit ? "on" : "off",
                      "assurance": [
                        "document": .string(document.rawValue), "binding": .string(binding.rawValue),
                        "presence": .string(face.presence.rawValue),
                        "accepted": .array(accepted.map { .string($0.rawValue) }),
                      ],
                    ]
                    if let readsChip { members["readsChip"] = .bool(readsChip) }
                    let request = try SessionRequest(
                      .object(members), trust: trust, hasReader: hasReader, allowsScripts: false, isTest: false)
                    #expect(
                      request.warnings.isEmpty
                        == Self.canPass(request, isLicence: requests == [licence], hasReader: hasReader),
                      "\(members) \(hasReader) \(trust.isGiven): \(request.warnings)")
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// Whether the best evidence passes: with the chip of a passport, or without one.
  private static func canPass(_ request: SessionRequest, isLicence: Bool, hasReader: Bool) -> Bool {
    let journey = request.journey
    func has(_ category: JourneyCategory) -> Bool { journey.requests.contains { $0.category == category } }
    let needsChip = journey.requiresChip || !journey.readsPages
    let kind: UnauthenticatedDocument = isLicence ? .licence : .page
    let isAccepted = journey.assurance.accepted.contains(kind)
    var documents: [(Evidence.Document, Assurance.Binding)] = []
    if !needsChip {
      let result: CheckStatus = isAccepted ? .passed : .notChecked
      documents.append((.init(result: result, level: .pageConsistent, isAccepted: isAccepted), .pagePortrait))
    }
    if !isLicence, journey.readsChip || needsChip, !journey.trust.anchors.isEmpty, hasReader || !needsChip {
      documents.append((.init(result: .passed, level: hasReader ? .chipAuthentic : .chipCopyAuthentic), .chipPortrait))
    }
    let mode = journey.faceModes[0]
    return (has(.id) ? documents.map(Optional.some) : [nil]).contains { document in
      var evidence = Evidence()
      if let document { evidence.documents = [document.0] }
      if has(.face) {
        let level = mode.presence(isCaptureTrusted: false)
        evidence.presence = .init(
          result: .live, level: level, isLightMissing: request.isLit && mode == .faceManual)
        if journey.comparesFace {
          evidence.binding = .init(
            result: document == nil ? nil : .match, level: document?.1 ?? .none, differentPictures: .passed)
        }
      }
      return Outcome(evidence, policy: journey.assurance).result == .passed
    }
  }

  @Test("a page hidden before a try has missed nothing; during the try it ends it") func hidden() throws {
    let page = try Page()
    try page.call("start", "start-credential", "start-part", at: 1)
    let first = try page.show(3, at: 2, hidden: [0])
    #expect(first["state"] == "scanning" && first["taken"]?.integer == 3)
    let second = try page.show(3, at: 2.3, hidden: [1])
    #expect(second["state"] == "choosing" && second["events"]?.elements.last?["reason"] == "page-hidden")
    try page.call("start-part", at: 3)
    #expect(try page.show(3, at: 4, hidden: [0])["state"] == "scanning")
    #expect(try page.show(3, at: 4.3, hidden: [0])["state"] == "choosing")
  }

  @Test("an attempt counts at its first prompt, once, and is not shown beyond the limit") func attempts() throws {
    let (count, session) = (Lock(0), Lock<PageSession?>(nil))
    func make(_ asked: JSONValue, isAllowed: Bool = true) throws -> Page {
      let page = try Page(asked) {
        count.withLock { $0 += 1 }
        // Another request, while the attempt is being counted.
        let view = session.read { $0?.show() }
        #expect(view?["feedback"]?["challenge"]?.string == nil && view?["light"] == .null)
        return isAllowed
      }
      session.withLock { $0 = page.session }
      return page
    }
    for asked: JSONValue in [["faceModes": ["liveness"]], ["faceModes": ["passive"]], ["light": "on"]] {
      count.withLock { $0 = 0 }
      let page = try make(asked)
      try page.call("start", "start-credential", at: 1)
      _ = try page.session.perform([["call": "start-part", "part": "face", "light": true]])
      #expect(count.withLock { $0 } == 0)
      for step in 0..<24 where count.withLock({ $0 }) == 0 { try page.show(4, at: 2 + Double(step) / 3) }
      #expect(count.withLock { $0 } == 1, "\(asked)")
      try page.call("cancel-part", at: 12)
      try page.call("start-part", at: 13)
      for step in 0..<6 { try page.show(4, at: 14 + Double(step) / 3) }
      #expect(count.withLock { $0 } == 1, "\(asked)")
    }
    let page = try make(["faceModes": ["liveness"]], isAllowed: false)
    try page.call("start", "start-credential", "start-part", at: 1)
    var view = JSONValue.null
    for step in 0..<24 where !page.session.isFinished {
      view = try page.show(4, at: 2 + Double(step) / 3)
      #expect(view["feedback"]?["challenge"]?.string == nil)
    }
    #expect(view["state"] == "finished" && view["error"]?["code"] == "C000429")
  }

  @Test("a page has few concurrent checks") func checks() throws {
    let session = try Page().session
    let taken = (0..<6).map { _ in session.arrived(isBatch: false, isCheck: true) }
    #expect(taken == [true, true, true, true, false, false])
    for _ in taken { session.answered(isBatch: false, isCheck: true) }
    #expect(session.arrived(isBatch: false, isCheck: true))
  }

  @Test("the API description has the types of documents that a workflow may ask for") func documentTypes() throws {
    var schema = try JSONValue(parsing: PageFiles.openAPI)["components"]?["schemas"]?["WorkflowDefinition"]
    for name in ["credentials", "items", "type", "values"] {
      schema = name == "items" ? schema?["items"] : schema?["properties"]?[name]
    }
    let described = schema?["items"]?["enum"]?.elements.compactMap(\.string) ?? []
    #expect(Set(described) == Set(DocumentType.allCases.filter { $0 != .unknown }.map(SpecificationNames.documentType)))
    for name in described {
      let credential: JSONValue = ["category": "ID", "type": ["values": [.string(name)]]]
      _ = try SessionRequest(
        ["workflowDefinition": ["credentials": [credential]]], trust: TrustStore(), allowsScripts: false, isTest: false)
    }
  }
}

@Suite("Turns") struct TurnsTests {
  @Test("changes run one at a time, in order of arrival") func order() {
    let (turns, seen) = (Turns(), Lock<[Int]>([]))
    for index in 0..<3 { turns.take { seen.withLock { $0.append(index) } } }
    for count in 1...3 {
      #expect(seen.withLock { $0 } == Array(0..<count) && !turns.tryTake())
      turns.give()
    }
    #expect(turns.tryTake())
  }

  @Test("a request waits without a thread, and beyond sixteen is refused") func waiting() async {
    let turns = Turns()
    #expect(turns.tryTake())
    let first = Task { await turns.take() }
    for _ in 0..<16 { turns.take { turns.give() } }
    #expect(await !turns.take())
    turns.give()
    #expect(await first.value)
  }
}
