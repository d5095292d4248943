import FaceVerify
import ScriptedModels

/// What needs no network: an engine that finds what pictures say.
enum Scripted {
  static func configuration() -> FaceEngine.Configuration {
    installScriptedModels()
    var configuration = FaceEngine.Configuration()
    configuration.modelSet = .scripted
    return configuration
  }

  /// One for all tests, which it serves at the same time.
  static let engine = Swift.Result { try FaceEngine(configuration()) }

  static func photo(_ picture: ScriptedPicture) throws -> Photo {
    let pixels = try picture.pixels()
    return try pixels.rgb.withUnsafeBytes {
      try Photo(pixels: $0, width: pixels.width, height: pixels.height, format: .rgb8)
    }
  }

  /// - Parameter prompts: what is asked for; nothing if empty.
  static func session(
    _ prompts: [ChallengeScript.Prompt] = [], _ change: (inout LivenessSession.Configuration) -> Void = { _ in }
  ) throws -> LivenessSession {
    var configuration = LivenessSession.Configuration()
    change(&configuration)
    return try LivenessSession(
      engine: engine.get(), script: prompts.isEmpty ? nil : ChallengeScript(prompts: prompts),
      nonce: Array("sixteen bytes...".utf8), configuration: configuration)
  }

  static func session(
    asking challenges: [Challenge], _ change: (inout LivenessSession.Configuration) -> Void = { _ in }
  ) throws -> LivenessSession {
    try session(challenges.map { try .init($0) }, change)
  }
}

extension ScriptedPicture {
  /// Of one person.
  static let one = ScriptedPicture(person: 1, frame: 1)
  /// Of the same person, a little turned.
  static let same = ScriptedPicture(person: 1, frame: 2) { $0.yaw = 4 }
  /// Of another person.
  static let other = ScriptedPicture(person: 2, frame: 3)
}

extension LivenessSession {
  /// Takes frames until it is complete, or so many seconds are over.
  ///
  /// - Parameter picture: the frame of this number and time, after what was said of the last.
  @discardableResult
  func play(
    seconds: Double, rate: Double = 10, from start: Double = 0,
    _ picture: (Int, LivenessFeedback?) throws -> ScriptedPicture
  ) throws -> [LivenessFeedback] {
    var feedback: [LivenessFeedback] = []
    for i in 0..<Int(seconds * rate) where !isComplete {
      feedback.append(try add(picture(i, feedback.last).pixels(), at: start + Double(i) / rate))
    }
    return feedback
  }

  /// Shows somebody who does as asked, until the session has seen enough.
  @discardableResult
  func play(_ person: DrawnPerson, seconds: Double = 40, rate: Double = 10) throws -> [LivenessFeedback] {
    var person = person
    return try play(seconds: seconds, rate: rate) { _, feedback in person.next(feedback, rate: rate) }
  }
}

/// Somebody who is drawn, breathes, and does what the session asks.
struct DrawnPerson {
  /// How they look when nothing is asked of them.
  var face = ScriptedFace { $0.person = 1 }
  /// Does this whatever is asked.
  var stubborn: Challenge?

  private var frame = 0
  private var amount = 0.0
  private var last = Challenge.holdStill

  init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }

  mutating func next(_ feedback: LivenessFeedback?, rate: Double) -> ScriptedPicture {
    frame += 1
    let challenge = feedback?.challenge.map { stubborn ?? $0 }
    let isForward = challenge != nil && (stubborn != nil || [.moving, .holding].contains(feedback?.phase))
    last = challenge ?? last
    // A third of a second each way, and a blink faster.
    let step = (last == .blink ? 10 : 4) / rate
    amount = isForward ? min(1.4, amount + step) : max(0, amount - step)
    var face = Self.moved(face, last, amount)
    face.x += 1.5 * Double(frame % 40 - 20).magnitude / 20
    return ScriptedPicture([face]) { $0.frame = frame }
  }

  /// - Parameter amount: 0 is calm, 1 what it takes at least.
  static func moved(_ face: ScriptedFace, _ challenge: Challenge, _ amount: Double) -> ScriptedFace {
    var face = face
    switch challenge {
    case .blink:
      face.leftOpenness *= max(0.05, 1 - 0.6 * amount)
      face.rightOpenness *= max(0.05, 1 - 0.6 * amount)
    case .turnLeft: face.yaw += 16 * amount
    case .turnRight: face.yaw -= 16 * amount
    case .lookUp: face.pitch -= 16 * amount
    case .lookDown: face.pitch += 16 * amount
    case .tiltLeft: face.roll -= 16 * amount
    case .tiltRight: face.roll += 16 * amount
    case .smile: face.smile += 0.7 * amount
    case .openMouth: face.mouthOpening += 0.09 * amount
    case .moveCloser: face.eyes *= 1 + 0.27 * amount
    case .moveBack: face.eyes /= 1 + 0.27 * amount
    default: break
    }
    return face
  }
}
