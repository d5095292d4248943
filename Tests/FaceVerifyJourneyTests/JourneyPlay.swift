import EngineTestSupport
import Foundation
import ScriptedModels
import Testing

@testable import FaceVerify
@testable import FaceVerifyJourney

/// A journey under test, with a simulated clock.
final class JourneyPlay {
  static let start = 1_763_800_000.0
  let journey: JourneyController
  var now = start
  private(set) var seen: [JourneyEvent] = []

  init(
    engine: FaceEngine? = nil, at now: Double = start, evidence: Kept? = nil,
    _ change: (inout JourneyConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = JourneyConfiguration()
    configuration.requests = [.init(.face)]
    configuration.nonce = Array("sixteen bytes...".utf8)
    configuration.challenges = [.turnLeft, .blink, .smile]
    configuration.faceModes = [.liveness, .faceManual]
    change(&configuration)
    self.now = now
    var keeper: (@Sendable (JourneyInput, JourneyInput.Content) throws -> Void)?
    if let evidence { keeper = { input, content in evidence.all.withLock { $0.append((input, content)) } } }
    journey = try JourneyController(
      engine: engine ?? Scripted.engine.get(), configuration: configuration, at: now, evidence: keeper)
  }

  /// The evidence of a journey.
  final class Kept: Sendable {
    let all = Lock<[(JourneyInput, JourneyInput.Content)]>([])
  }

  var state: JourneyState { journey.state }

  /// All events so far.
  var events: [JourneyEvent] {
    while let event = journey.nextEvent() { seen.append(event) }
    return seen
  }
  var names: [String] { events.map(\.name) }

  func call(_ calls: JourneyCall..., after seconds: Double = 0.01) throws {
    for call in calls {
      now += seconds
      let isRunning = state != .finished
      try journey.perform(call, at: now)
      if isRunning, state == .finished { try checkRecord() }
    }
  }

  private static let key = Result { try PrivateKey(for: .signing) }

  /// The record of every journey has the form that readers expect.
  private func checkRecord() throws {
    let record = try DecisionRecord(body: journey.recordBody(), signedBy: SigningKey(Self.key.get()))
    let failed = record.verify().filter { $0.status == .failed }
    if !failed.isEmpty { Issue.record("\(failed.map(\.text))") }
  }

  /// The error that refuses a call; nil if it is accepted.
  func refusal(_ call: JourneyCall, after seconds: Double = 0.01) -> LogicalError? {
    do {
      try self.call(call, after: seconds)
      return nil
    } catch { return error as? LogicalError }
  }

  /// Shows a person who follows the prompts, until the part needs no more frames.
  func show(_ person: DrawnPerson = DrawnPerson(), seconds: Double = 40, rate: Double = 10) throws {
    var person = person
    for i in 0..<Int(seconds * rate) where state == .scanning {
      let picture = try person.next(journey.snapshot.feedback, rate: rate).pixels()
      try call(.frame(JourneyFrame(picture, time: Double(i) / rate)), after: 1 / rate)
    }
  }

  /// Plays from the beginning to a captured face.
  func passFace(_ person: DrawnPerson = DrawnPerson()) throws {
    try call(.startCredential(0), .startPart(.face, mode: nil))
    try show(person)
    try call(.finishPart, .finishCredential)
  }
}

extension JourneyPlay {
  static func grey(_ level: UInt8 = 128) throws -> PixelBuffer {
    try PixelBuffer(width: 320, height: 240, rgb: [UInt8](repeating: level, count: 320 * 240 * 3))
  }

  /// A new journey in a state.
  static func inState(_ state: JourneyState) throws -> JourneyPlay {
    func documents(_ change: @escaping (inout JourneyConfiguration) -> Void = { _ in }) throws -> JourneyPlay {
      let play = try JourneyPlay {
        $0.requests = [.init(.document)]
        $0.documentModes = [.file, .manual]
        change(&$0)
      }
      try play.call(.start, .startCredential(0), .startPart(.document, mode: nil))
      return play
    }
    func identity(_ change: @escaping (inout JourneyConfiguration) -> Void = { _ in }) throws -> JourneyPlay {
      let play = try JourneyPlay {
        $0.requests = [.init(.id)]
        change(&$0)
      }
      try play.call(.start, .startCredential(0))
      return play
    }
    func passport(_ configuration: inout JourneyConfiguration) {
      configuration.requests[0].countries = ["UTO"]
      configuration.requests[0].types = [.passport]
      configuration.documentModes = [.file]
    }
    let play: JourneyPlay
    switch state {
    case .created: play = try JourneyPlay()
    case .consenting:
      play = try JourneyPlay { $0.consents = [.init("May we?", isActive: true)] }
      try play.call(.start)
    case .ready:
      play = try JourneyPlay()
      try play.call(.start)
    case .configuring: play = try identity()
    case .advising:
      play = try identity {
        passport(&$0)
        $0.legalAdvice = ["UTO": "Utopia wants you to know this."]
      }
    case .choosing: play = try identity { passport(&$0) }
    case .scanning: play = try documents()
    case .paused:
      play = try documents()
      try play.call(.pause)
    case .confirming:
      play = try documents { $0.asksConfirmation = true }
      try play.call(.attach(Photo(pixels: grey())))
    case .rejected:
      play = try identity { passport(&$0) }
      try play.call(.startPart(.front, mode: nil), .attach(Photo(pixels: grey())))
    case .retrying:
      play = try documents()
      try play.call(.tick, after: 31)
    case .captured:
      play = try documents()
      try play.call(.attach(Photo(pixels: grey())))
    case .failed:
      play = try documents()
      try play.call(.report(.transport))
    case .halted:
      play = try documents()
      try play.call(.report(.camera))
    case .finishing, .finished:
      play = try JourneyPlay()
      try play.call(.cancel)
    }
    return play
  }

  /// A call of each kind.
  static func sample(_ kind: JourneyCall.Kind) throws -> JourneyCall {
    if let call = JourneyCall(plain: kind) { return call }
    return switch kind {
    case .consent: .consent(item: 0, isGiven: true)
    case .startCredential: .startCredential(0)
    case .configure: .configure(.init(country: "UTO", type: .passport, variant: .paper))
    case .startPart: .startPart(.front, mode: nil)
    case .frame: .frame(JourneyFrame(try grey(), time: 0))
    case .attach: .attach(Photo(pixels: try grey()))
    case .attachChip: .attachChip(ChipFiles())
    case .attachCode: .attachCode(Array("no licence's code".utf8))
    case .report: .report(.offline)
    default: .tick
    }
  }
}
