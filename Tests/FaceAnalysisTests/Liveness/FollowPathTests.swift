import Foundation
import TestSupport
import Testing

@testable import FaceAnalysis

@Suite("FollowPath: a face that follows one path, and no other")
struct FollowPathTests {
  private static func path(_ number: Int) throws -> FollowPath {
    try FollowPath(nonce: withUnsafeBytes(of: UInt64(number)) { Array($0) } + [UInt8](repeating: 7, count: 8))
  }

  /// A person who follows a target late, by a share of its way, with tremor and drift.
  private struct Follower {
    var delay = 0.35
    var gains = SIMD4(repeating: 0.8)
    var noise = 0.03
    var random = SplitMix(state: 1)

    mutating func observations(of path: FollowPath, rate: Double = 12, from begin: Double = 0) -> [FaceObservation] {
      stride(from: 0, through: path.duration + 1.3, by: 1 / rate).map { time in
        let target = path.target(at: time - delay)
        func shaken() -> Double { noise * Double.random(in: -1...1, using: &random) + noise * sin(0.9 * time) }
        var face = SimulatedPerson.calm
        face.time = begin + time
        face.centre.x += gains[0] * (target?.x ?? 0) + 0.125 * shaken()
        face.size *= pow(target?.scale ?? 1, gains[1]) * (1 + 0.2 * shaken())
        face.pose.yaw += gains[2] * (target?.yaw ?? 0) + 20 * shaken()
        face.pose.pitch += gains[3] * (target?.pitch ?? 0) + 14 * shaken()
        return face
      }
    }
  }

  private func play(_ faces: [FaceObservation], on path: FollowPath) throws -> ChallengeProgress {
    var progress = try ChallengeProgress(.init(.follow, path: path), from: SimulatedPerson.neutral())
    for face in faces { progress.update(face) }
    // The end of the longest path.
    if faces.last?.time ?? 0 > 7 { progress.wait(until: 14) }
    return progress
  }

  /// The expected paths are from an implementation of the documented generator in Python, with its hashlib.
  @Test("a path equals that of the documented generator")
  func knownPaths() throws {
    func text(_ nonce: [UInt8]) throws -> String {
      try FollowPath(nonce: nonce).legs.map { "\($0.movement.rawValue) \($0.begin) \($0.seconds)" }
        .joined(separator: ", ")
    }
    #expect(try text([UInt8](repeating: 0, count: 16)) == Self.known[0])
    #expect(try text(Array(0..<32)) == Self.known[1])
  }

  private static let known = [
    "turn-left 0.0 0.7, move-closer 0.9 1.0, look-down 2.1 0.8, move-right 3.3 0.7, move-back 4.4 0.8, turn-right 5.4 1.0, move-left 6.9 0.8, look-up 8.1 1.0",
    "look-down 0.0 0.8, turn-left 1.3 0.8, move-right 2.4 0.7, turn-right 3.5 1.0, look-up 4.9 1.0, move-closer 6.1 0.8, move-back 7.3 0.7, move-left 8.5 0.8",
  ]

  @Test("every path moves each part to one side at least, and starts at rest")
  func shapes() throws {
    for number in 0..<200 {
      let path = try Self.path(number)
      #expect(path.legs.count == 8 && (7.2...12).contains(path.duration))
      #expect(path.deviation(at: 0) == .zero && path.deviation(at: -1) == .zero && path.target(at: -0.1) == nil)
      for part in 0..<4 { #expect(path.legs.contains { abs($0.to[part]) == 1 }) }
      for (leg, next) in zip(path.legs, path.legs.dropFirst()) { #expect(leg.to == next.from) }
      #expect(path.deviation(at: path.duration + 5) == path.legs.last?.to)
    }
  }

  @Test("a person who follows passes, late, with small movements and at low frame rates")
  func followers() throws {
    for (number, (delay, gain, rate)) in [(0.2, 1.0, 30.0), (0.35, 0.8, 12), (0.6, 0.5, 8), (0.9, 0.6, 12)].enumerated()
    {
      let path = try Self.path(number)
      var follower = Follower(delay: delay, gains: SIMD4(repeating: gain))
      let progress = try play(follower.observations(of: path, rate: rate), on: path)
      let match = try #require(progress.match)
      #expect(progress.phase == .passed && progress.progress == 1, "\(match)")
      #expect(abs(match.delay - delay) < 0.11, "\(match)")
    }
  }

  @Test("what follows another path, or knows this one in advance, fails")
  func others() throws {
    for number in 0..<60 {
      var follower = Follower()
      let faces = try follower.observations(of: Self.path(number))
      #expect(try play(faces, on: Self.path(number)).phase == .passed)
      #expect(try play(faces, on: Self.path(number + 1)).phase == .failed)
    }
    var clairvoyant = Follower(delay: 0)
    let path = try Self.path(0)
    let progress = try play(clairvoyant.observations(of: path), on: path)
    #expect(progress.phase == .failed && progress.match?.delay ?? 1 < 0.1)
  }

  @Test("each part must be followed", arguments: Array(PathMatch.Part.allCases.enumerated()))
  func parts(index: Int, part: PathMatch.Part) throws {
    let path = try Self.path(3)
    var follower = Follower()
    follower.gains[index] = 0
    let progress = try play(follower.observations(of: path), on: path)
    #expect(progress.phase == .failed && progress.match?.weakest == part)
    follower.gains[index] = -0.8
    #expect(try play(follower.observations(of: path), on: path).phase == .failed)
  }

  @Test("a face that is out of sight for a leg does not pass")
  func gaps() throws {
    let path = try Self.path(4)
    var follower = Follower()
    let faces = follower.observations(of: path)
    let progress = try play(faces.filter { !(3...4.2).contains($0.time) }, on: path)
    #expect(progress.phase == .failed && progress.match == nil)
    var unfinished = try play(Array(faces.prefix { $0.time < 4 }), on: path)
    #expect(unfinished.phase == .moving)
    unfinished.wait(until: 14)
    #expect(unfinished.phase == .failed && unfinished.match == nil)
  }

  @Test("in a script, the path starts when it is requested, and its answer has the match")
  func script() throws {
    let path = try Self.path(5)
    var progress = try ScriptProgress(ChallengeScript(prompts: [.init(.follow, path: path), .init(.turnLeft)]))
    var person = SimulatedPerson(seed: 5)
    var asked = 0.0
    while progress.phase != .answering {
      let motion = person.next(progress)
      progress.update(motion, at: motion.time)
      asked = motion.time
    }
    #expect(progress.current?.target(at: asked)?.movement == path.legs.first?.movement)
    var follower = Follower()
    for face in follower.observations(of: path, from: asked).dropFirst() where progress.answers.isEmpty {
      progress.update(face, at: face.time)
    }
    let answer = try #require(progress.answers.first)
    #expect(answer.outcome == .passed && answer.match?.isFollowed == true && answer.asked == asked, "\(answer)")
    #expect(progress.phase == .pausing)
    #expect(answer.jsonValue["match"]?["delay"]?.double == answer.match?.delay)
  }

  @Test("a script with a path needs its nonce, also as JSON")
  func scripts() throws {
    #expect(throws: VerifyError.self) { try ChallengeScript.Prompt(.follow) }
    #expect(throws: VerifyError.self) { try ChallengeScript.Prompt(.blink, path: Self.path(1)) }
    let nonce = [UInt8](repeating: 1, count: 16)
    let script = try ChallengeScript(nonce: nonce, count: 1, from: [.follow])
    #expect(script.prompts.first?.path?.nonce == nonce && script.prompts.first?.hold == 0)
    var reader = try MemberReader(["script": script.jsonValue], of: "a test")
    let read: ChallengeScript? = try reader.value("script")
    #expect(read == script)
  }
}
