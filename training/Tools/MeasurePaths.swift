import ArgumentParser
import FaceAnalysis
import FaceVerifyEvaluation
import Foundation

/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers in each run.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
  mutating func normal() -> Double {
    let (a, b) = (Double.random(in: .leastNonzeroMagnitude..<1, using: &self), Double.random(in: 0..<1, using: &self))
    return sqrt(-2 * log(a)) * cos(2 * .pi * b)
  }
}

nonisolated(unsafe) private var numbers = Numbers(state: 20_261_125)
private let rate = 12.0
private let calm = FaceObservation(
  time: 0, pose: HeadPose(yaw: 0, pitch: 0, roll: 0), leftOpenness: 0.25, rightOpenness: 0.25, mouthOpening: 0.01,
  mouthWidth: 0.55, mouthLift: 0, size: 0.5, centre: Point(x: 0.5, y: 0.5))

private let rest: NeutralPose = {
  var search = NeutralPoseSearch()
  for i in 0..<20 {
    var motion = calm
    motion.time = Double(i) / 30
    if let pose = search.add(motion) { return pose }
  }
  preconditionFailure("a calm face has a neutral pose")
}()

private func randomPath() throws -> FollowPath {
  try FollowPath(nonce: (0..<16).map { _ in UInt8.random(in: 0...255, using: &numbers) })
}

private func observation(_ place: FollowPath.Deviation, at time: Double) -> FaceObservation {
  var face = calm
  face.time = time
  let reach = FollowPath.reach
  face.centre.x += reach.width * place[0]
  face.size *= pow(1 + reach.size, place[1])
  face.pose.yaw += reach.yaw * place[2]
  face.pose.pitch -= reach.pitch * place[3]
  return face
}

private func follow(_ path: FollowPath) -> [FollowPath.Deviation] {
  let delay = Double.random(in: 0.15...0.7, using: &numbers)
  let gains = SIMD4((0..<4).map { _ in Double.random(in: 0.5...1.5, using: &numbers) })
  let coupling = (0..<4).map { i in SIMD4((0..<4).map { $0 == i ? 1 : 0.1 * numbers.normal() }) }
  let waves = (0..<4).map { _ in (0..<4).map { _ in (numbers.normal(), Double.random(in: 0...6.3, using: &numbers)) } }
  return stride(from: 0, through: path.duration + 1.3, by: 1 / rate).map { time in
    let wanted = gains * path.deviation(at: time - delay)
    return SIMD4(
      (0..<4).map { part in
        let drift = waves[part].enumerated().reduce(0) {
          $0 + 0.05 * $1.1.0 * sin(0.75 * Double($1.0 + 1) * time + $1.1.1)
        }
        return (coupling[part] * wanted).sum() + drift + 0.05 * numbers.normal()
      })
  }
}

private func match(_ faces: [FaceObservation], _ path: FollowPath) throws -> PathMatch? {
  var progress = try ChallengeProgress(.init(.follow, path: path), from: rest)
  for face in faces { progress.update(face) }
  return progress.match
}

private func observations(_ places: [FollowPath.Deviation]) -> [FaceObservation] {
  places.enumerated().map { observation($1, at: Double($0) / rate) }
}

private func report(_ what: String, _ matches: [PathMatch?]) {
  let passed = matches.count { $0?.isFollowed ?? false }
  guard let bounds = BinomialBounds(errors: passed, trials: matches.count) else { return }
  let scores = matches.compactMap { $0?.score }.sorted()
  func at(_ share: Double) -> String {
    scores.isEmpty ? "-" : String(format: "%.2f", scores[Int(share * Double(scores.count - 1))])
  }
  print(
    "\(what): \(passed) of \(matches.count) follow "
      + String(format: "(%.4f-%.4f %%)", 100 * bounds.lower, 100 * bounds.upper)
      + ", scores: 1 % \(at(0.01)), median \(at(0.5)), 99 % \(at(0.99)), greatest \(at(1))")
}

struct MeasurePaths: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures how well simulated faces, and their recordings, follow the paths of the challenge follow.",
    discussion: """
      A simulated follower pursues the target after 0.15 to 0.7 seconds, with movements of half to one and a half of its size, \
      coupled by 0.1 (a turn also shifts the face, and the like), drifting by a tenth and trembling by a twentieth of the \
      greatest deviation. These figures are assumed, not measured on people.
      """)
  func run() throws {
    let followers = try (0..<2000).map { _ in try randomPath() }.map { ($0, follow($0)) }
    report("simulated followers", try followers.map { try match(observations($1), $0) })
    var others: [PathMatch?] = []
    var moved: [PathMatch?] = []
    for (_, places) in followers {
      for i in 0..<20 {
        let path = try randomPath()
        others.append(try match(observations(places), path))
        guard i < 5 else { continue }
        // Exact in what a program can add to a recording: the position and the size of the whole frame.
        moved.append(
          try match(
            observations(
              places.enumerated().map { number, recorded in
                let target = path.deviation(at: Double(number) / rate - 0.3)
                return SIMD4(target[0], target[1], recorded[2], recorded[3])
              }), path))
      }
    }
    report("recordings of another path", others)
    report("recordings of another path, moved and scaled along this one", moved)
  }
}
