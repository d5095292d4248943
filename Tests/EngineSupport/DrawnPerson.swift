package import FaceVerify
package import ScriptedModels

/// An engine with scripted models, which needs no networks.
package enum Scripted {
  package static func configuration() -> FaceEngine.Configuration {
    installScriptedModels()
    var configuration = FaceEngine.Configuration()
    configuration.modelSet = .scripted
    return configuration
  }

  /// Shared by all tests, concurrently.
  package static let engine = Swift.Result { try FaceEngine(configuration()) }

  package static func photo(_ picture: ScriptedPicture) throws -> Photo {
    let pixels = try picture.pixels()
    return try pixels.rgb.withUnsafeBytes {
      try Photo(pixels: $0, width: pixels.width, height: pixels.height, format: .rgb8)
    }
  }

  /// - Parameter prompts: the challenges; none if empty.
  package static func session(
    _ prompts: [ChallengeScript.Prompt] = [], _ change: (inout LivenessSession.Configuration) -> Void = { _ in }
  ) throws -> LivenessSession {
    var configuration = LivenessSession.Configuration()
    change(&configuration)
    return try LivenessSession(
      engine: engine.get(), script: prompts.isEmpty ? nil : ChallengeScript(prompts: prompts),
      nonce: Array("sixteen bytes...".utf8), configuration: configuration)
  }

  package static var path: FollowPath { get throws { try FollowPath(nonce: [UInt8](repeating: 9, count: 16)) } }

  package static func session(
    asking challenges: [Challenge], _ change: (inout LivenessSession.Configuration) -> Void = { _ in }
  ) throws -> LivenessSession {
    try session(challenges.map { try .init($0, path: $0 == .follow ? path : nil) }, change)
  }
}

extension ScriptedPicture {
  /// A person.
  package static let one = ScriptedPicture(person: 1, frame: 1)
  /// The same person, slightly turned.
  package static let same = ScriptedPicture(person: 1, frame: 2) { $0.yaw = 4 }
  /// Another person.
  package static let other = ScriptedPicture(person: 2, frame: 3)
}

extension LivenessSession {
  /// Adds frames until the session is complete or `seconds` are over.
  ///
  /// - Parameter picture: the frame with this number and time, given the previous feedback.
  @discardableResult
  package func play(
    seconds: Double, rate: Double = 10, from start: Double = 0,
    _ picture: (Int, LivenessFeedback?) throws -> ScriptedPicture
  ) throws -> [LivenessFeedback] {
    var feedback: [LivenessFeedback] = []
    for i in 0..<Int(seconds * rate) where !isComplete {
      feedback.append(try add(picture(i, feedback.last).pixels(), at: start + Double(i) / rate))
    }
    return feedback
  }

  /// Shows a person who follows the prompts, until the session is complete.
  @discardableResult
  package func play(_ person: DrawnPerson, seconds: Double = 40, rate: Double = 10) throws -> [LivenessFeedback] {
    var person = person
    return try play(seconds: seconds, rate: rate) { _, feedback in person.next(feedback, rate: rate) }
  }
}

/// A simulated person who breathes and follows the prompts.
package struct DrawnPerson {
  /// The face at rest.
  package var face = ScriptedFace { $0.person = 1 }
  /// A movement made regardless of the prompts.
  package var stubborn: Challenge?

  private var frame = 0
  private var amount = 0.0
  private var last = Challenge.holdStill
  /// The targets of a third of a second: they follow a path late.
  private var targets: [FollowTarget?] = []

  package init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }

  package mutating func next(_ feedback: LivenessFeedback?, rate: Double) -> ScriptedPicture {
    frame += 1
    let challenge = feedback?.challenge.map { stubborn ?? $0 }
    let isForward = challenge != nil && (stubborn != nil || [.moving, .holding].contains(feedback?.phase))
    last = challenge ?? last
    // A third of a second in each direction; a blink is faster.
    let step = (last == .blink ? 10 : 4) / rate
    amount = isForward ? min(1.4, amount + step) : max(0, amount - step)
    var face = Self.moved(face, last, amount)
    targets.append(feedback?.target)
    if targets.count > Int(rate / 3), let target = targets.removeFirst(), stubborn == nil {
      face = Self.moved(face, to: target)
    }
    face.x += 1.5 * Double(frame % 40 - 20).magnitude / 20
    return ScriptedPicture([face]) { $0.frame = frame }
  }

  private static func moved(_ face: ScriptedFace, to target: FollowTarget) -> ScriptedFace {
    var face = face
    face.x += target.x * Double(ScriptedPicture([]).width)
    face.eyes *= target.scale
    face.yaw += target.yaw
    face.pitch += target.pitch
    return face
  }

  /// - Parameter amount: 0 at rest, 1 the minimum for the challenge.
  package static func moved(_ face: ScriptedFace, _ challenge: Challenge, _ amount: Double) -> ScriptedFace {
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
