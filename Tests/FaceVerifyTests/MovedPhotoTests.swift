import EngineTestSupport
import FaceVerify
import Glibc
import TestSupport
import Testing

@Suite("A photo in front of the camera never answers a script", .needsModels, .needsSamples)
struct MovedPhotoTests {
  /// FACEVERIFY_ATTEMPTS sets another number of attempts.
  private static let count = getenv("FACEVERIFY_ATTEMPTS").flatMap { Int(String(cString: $0)) } ?? 64
  private static let photos = ["obama.jpg", "obama2.jpg", "biden.jpg"]

  /// The movement of an attacker who holds the photo and sees the prompts.
  private static func attempt(
    _ challenge: Challenge?, _ random: inout SplitMix, rest: MovedPhoto.Pose
  ) -> MovedPhoto.Pose {
    var pose = rest
    let turn = Double.random(in: 25...55, using: &random)
    let bend = Double.random(in: -0.3...0.3, using: &random)
    switch challenge {
    case .turnLeft: (pose.yaw, pose.bend) = (turn, bend)
    case .turnRight: (pose.yaw, pose.bend) = (-turn, bend)
    case .lookUp: (pose.pitch, pose.bend) = (turn, bend)
    case .lookDown: (pose.pitch, pose.bend) = (-turn, bend)
    case .tiltLeft: pose.roll = 25
    case .tiltRight: pose.roll = -25
    // Shaking, bending and tipping might simulate lids or lips.
    case .blink, .smile, .openMouth:
      pose.bend = 2 * bend
      pose.pitch = Double.random(in: -45...45, using: &random)
      pose.yaw = Double.random(in: -30...30, using: &random)
    default: break
    }
    return pose
  }

  @Test("no attempt passes that is moved, tilted and bent according to the prompts", arguments: 0..<8)
  func moved(part: Int) throws {
    let engine = try Installed.engine.get()
    let photos = try Self.photos.map { name in
      let photo = try Installed.photo(name)
      return MovedPhoto(
        try photo.pixels(reduction: [1, 2, 4, 8].first { max(photo.width, photo.height) / $0 <= 640 } ?? 8))
    }
    var (settled, met) = (0, 0)
    for number in stride(from: part, to: Self.count, by: 8) {
      var random = SplitMix(state: UInt64(number))
      var configuration = LivenessSession.Configuration()
      configuration.challengeTimeout = 3
      let nonce = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      let script = try ChallengeScript(nonce: nonce, count: 2)
      let session = try LivenessSession(engine: engine, script: script, nonce: nonce, configuration: configuration)
      let photo = photos[number % photos.count]
      let rest = MovedPhoto.Pose(
        x: .random(in: -0.1...0.1, using: &random), y: .random(in: -0.1...0.1, using: &random),
        distance: .random(in: 0.9...1.4, using: &random))
      var pose = rest
      var target = rest
      var state: LivenessFeedback?
      var time = 0.0
      while !session.isComplete && time < 12 {
        // A new attempt every second; in between the photo is held by a trembling hand.
        if Int(time * 10) % 10 == 0 || state?.phase == .returning {
          target = state?.phase == .returning ? rest : Self.attempt(state?.challenge, &random, rest: rest)
        }
        pose = pose.towards(target, 0.5)
        pose.x += .random(in: -0.003...0.003, using: &random)
        state = try session.add(photo.frame(pose), at: time)
        time += 0.1
      }
      let decision = try session.finish()
      #expect(decision.result != .live)
      #expect(session.script?.phase != .passed, "attempt \(number): \(decision.answers)")
      if state?.challenge != nil || !decision.answers.isEmpty { settled += 1 }
      met += decision.answers.filter { $0.outcome == .passed }.count
    }
    // Otherwise the face was not detected, and nothing was tested.
    #expect(settled > Self.count / 8 / 2)
    print("moved photos, part \(part): \(settled) of \(Self.count / 8) asked, \(met) single challenges met")
  }

  @Test("the face of a shifted photo changes by noise alone", arguments: photos)
  func skin(name: String) throws {
    var random = SplitMix(state: 7)
    let photo = try Installed.photo(name)
    let still = try photo.pixels(reduction: [1, 2, 4, 8].first { max(photo.width, photo.height) / $0 <= 640 } ?? 8)
    var configuration = LivenessSession.Configuration()
    configuration.policy = .passiveOnly
    let session = try LivenessSession(engine: Installed.engine.get(), configuration: configuration)
    for i in 0..<80 {
      let (right, down) = (Int(3 * sin(0.6 * Double(i))), Int(3 * sin(0.47 * Double(i))))
      var rgb = still.rgb
      for y in 0..<still.height {
        for x in 0..<still.width {
          let from =
            3 * (max(0, min(still.height - 1, y - down)) * still.width + max(0, min(still.width - 1, x - right)))
          for c in 0..<3 {
            let value = Double(still.rgb[from + c]) + .random(in: -3...3, using: &random)
            rgb[3 * (y * still.width + x) + c] = UInt8(max(0, min(255, value)))
          }
        }
      }
      try session.add(PixelBuffer(width: still.width, height: still.height, rgb: rgb), at: Double(i) / 15)
    }
    let check = try #require(try session.finish()[.skinChange])
    #expect(check.status == .failed, "\(check.value ?? .nan)")
  }
}
