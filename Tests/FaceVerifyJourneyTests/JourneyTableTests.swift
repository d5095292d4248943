import EngineTestSupport
import Glibc
import ScriptedModels
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyJourney

@Suite("Permitted calls per state")
struct JourneyTableTests {
  // Rows: J31 J33
  @Test("every call in every state follows the table", .needsModels, arguments: JourneyState.allCases)
  func pairs(_ state: JourneyState) throws {
    guard state != .finishing else { return }  // Of another thread: `beingFinished`.
    for kind in JourneyCall.Kind.allCases {
      let play = try JourneyPlay.inState(state)
      #expect(play.state == state)
      let call = try JourneyPlay.sample(kind)
      let told = play.events.count
      if let expected = JourneyTable.error(kind, in: state) {
        #expect(play.refusal(call) == expected, "\(kind) in \(state)")
        #expect(play.state == state && play.events.count == told + 1 && play.names.last == "logical-error")
        continue
      }
      do {
        try play.call(call)
        let reached = try #require(JourneyTable.moves(kind, in: state)) + [.failed, .halted]
        #expect(reached.contains(play.state), "\(kind) led from \(state) to \(play.state)")
      } catch {
        #expect(play.state == state, "\(kind) in \(state) threw \(error), and led to \(play.state)")
      }
    }
  }

  @Test("every state is reachable, every call is allowed in some state, and all but the last state can be left")
  func table() {
    let reached = Set(JourneyTable.rows.filter { $0.call != .tick }.flatMap { $0.moves.flatMap(\.to) })
    #expect(Set(JourneyState.allCases).subtracting(reached) == [.finishing])
    #expect(Set(JourneyTable.rows.map(\.call)) == Set(JourneyCall.Kind.allCases))
    for state in JourneyState.allCases where state != .finished && state != .finishing {
      #expect(JourneyCall.Kind.allCases.contains { JourneyTable.moves($0, in: state) != nil })
      #expect(JourneyTable.moves(.cancel, in: state) == [.finished])
    }
    #expect(JourneyCall.Kind.allCases.allSatisfy { JourneyTable.error($0, in: .finished) == .deadController })
  }

  /// FACEVERIFY_SEQUENCES sets another number of sequences than 500, which have about 25,000 calls.
  @Test("no random sequence of calls deviates from the table")
  func random() throws {
    var dice = SplitMix(state: 20_261_122)
    var count = 0
    let sequences = getenv("FACEVERIFY_SEQUENCES").flatMap { Int(String(cString: $0)) } ?? 500
    for _ in 0..<sequences {
      let play = try JourneyPlay { configuration in
        configuration.requests = [.init(.face), .init(.document), .init(.id)].shuffled(using: &dice)
        configuration.documentModes = [.file, .manual]
        configuration.faceModes = Bool.random(using: &dice) ? [.liveness, .faceManual] : [.faceManual]
        configuration.asksConfirmation = Bool.random(using: &dice)
        configuration.isMultipart = Bool.random(using: &dice)
        configuration.maximumTries = Int.random(in: 1...3, using: &dice)
        if Bool.random(using: &dice) {
          configuration.consents = [.init("This?", isActive: true), .init("That.", isActive: false)]
        }
        if Bool.random(using: &dice) { configuration.legalAdvice = ["UTO": "Read this."] }
      }
      let frame = try DrawnFrames.still.get()
      var started = Set<String>()
      var told = 0
      for _ in 0..<Int.random(in: 5...120, using: &dice) where play.state != .finished {
        count += 1
        let before = play.state
        // Allowed calls are more frequent, so that journeys progress.
        var kind = JourneyCall.Kind.allCases.randomElement(using: &dice)!
        let allowed = JourneyCall.Kind.allCases.filter {
          JourneyTable.error($0, in: before) == nil && ![.cancel, .report, .cancelPart, .cancelCredential].contains($0)
        }
        if Int.random(in: 0..<4, using: &dice) > 0, let one = allowed.randomElement(using: &dice) { kind = one }
        let call: JourneyCall =
          switch kind {
          case .consent:
            .consent(item: Int.random(in: 0...2, using: &dice), isGiven: Int.random(in: 0..<9, using: &dice) > 0)
          case .startCredential: .startCredential(Int.random(in: 0...3, using: &dice))
          case .startPart: .startPart(JourneyPart.allCases.randomElement(using: &dice)!, mode: nil)
          case .report: .report([.transport, .camera, .offline].randomElement(using: &dice)!)
          case .frame: .frame(JourneyFrame(frame, time: Double(count)))
          // Pages are read by networks, which are slow.
          case .attach, .takePicture:
            before == .scanning && play.names.last(where: { $0 == "scan-view" }) != nil
              && play.isDocument ? try JourneyPlay.sample(kind) : .tick
          default: try JourneyPlay.sample(kind)
          }
        let seconds = Int.random(in: 0..<50, using: &dice) == 0 ? 40 : 0.1
        var refused: LogicalError?
        do { try play.call(call, after: seconds) } catch { refused = error as? LogicalError }
        let expected: Set<JourneyState> =
          Set(JourneyTable.moves(call.kind, in: before) ?? [before])
          .union(JourneyTable.deadlines(in: before)).union([before, .failed, .halted])
          .union(JourneyTable.deadlines(in: before).flatMap { JourneyTable.moves(call.kind, in: $0) ?? [] })
        #expect(
          expected.contains(play.state),
          "\(call.kind) led from \(before) to \(play.state) (\(String(describing: refused)))")
        let events = play.events
        for event in events[told...] {
          if case .step(.started(let part, _)) = event.kind { started.remove(part.rawValue) }
          if case .step(.imageTaken(let part)) = event.kind {
            #expect(started.insert(part.rawValue).inserted, "two pictures of one part")
          }
        }
        told = events.count
      }
      let events = play.events
      #expect(zip(events, events.dropFirst()).allSatisfy { $0.at <= $1.at })
      #expect(events.filter { $0.name == "finished" }.count == (play.state == .finished ? 1 : 0))
      #expect((play.journey.result != nil) == (play.state == .finished))
    }
  }

  @Test("before the consents, only what they gate needs them", arguments: [JourneyState.created, .consenting])
  func consents(_ state: JourneyState) {
    #expect(JourneyTable.error(.finish, in: state) == .controllerNotCompleted)
    #expect(JourneyTable.error(.retry, in: state) == .errorNotRetryable)
    #expect(JourneyTable.error(.startCredential, in: state) == .needToConsentFirst)
  }

  @Test("each call gives a new snapshot, and a call in JSON is the same call") func snapshots() throws {
    let play = try JourneyPlay.inState(.scanning)
    let before = play.journey.snapshot
    try play.call(.pause)
    let after = play.journey.snapshot
    #expect(before.state == .scanning && after.state == .paused && after.version == before.version + 1)
    for kind in JourneyCall.Kind.allCases {
      let call = try JourneyPlay.sample(kind)
      #expect(call.kind == kind)
      guard ![.frame, .attach, .attachChip, .attachCode].contains(kind) else {
        #expect(throws: VerifyError.self) { try JourneyCall(kind, [:]) }
        continue
      }
      let again = try JourneyCall(kind, .object(call.members))
      #expect(again.kind == kind && JSONValue.object(again.members) == .object(call.members))
    }
  }

  // Rows: LE-isBeingFinished
  @Test("a call while the result is being computed is refused with its own error")
  func beingFinished() throws {
    let found = Lock<[LogicalError?]>([])
    let box = Lock<JourneyController?>(nil)
    var options = Scripted.configuration()
    options.log = { _ in
      guard let journey = box.withLock({ $0 }), journey.state == .finishing else { return }
      do { try journey.perform(.tick, at: 2e9) } catch { found.withLock { $0.append(error as? LogicalError) } }
    }
    let play = try JourneyPlay(engine: try FaceEngine(options)) { $0.portrait = .photo(try! Scripted.photo(.one)) }
    try play.call(.start)
    try play.passFace()
    box.withLock { $0 = play.journey }
    try play.call(.finish)
    #expect(found.withLock { $0 }.contains(.isBeingFinished))
    #expect(play.state == .finished && play.journey.result?.result == .passed)
  }
}

enum DrawnFrames {
  static let still = Swift.Result { try ScriptedPicture(person: 1, frame: 1).pixels() }
}

extension JourneyPlay {
  /// The active part accepts any document.
  var isDocument: Bool {
    for event in events.reversed() {
      if case .step(.started(let part, _)) = event.kind { return part == .document }
    }
    return false
  }
}
