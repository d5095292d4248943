import EngineTestSupport
import FaceVerify
import Testing

@Suite("LivenessPolicy: required checks must have passed")
struct LivenessPolicyTests {
  private static let allPassed = LivenessSignal.allCases.reduce(into: [LivenessSignal: CheckStatus]()) {
    $0[$1] = .passed
  }

  @Test("no checks are never live, all passed checks are", arguments: LivenessPolicy.all)
  func extremes(policy: LivenessPolicy) {
    #expect(policy.result(of: [:]) == .undecided)
    #expect(policy.result(of: Self.allPassed.mapValues { _ in .notChecked }) == .undecided)
    #expect(policy.result(of: Self.allPassed) == .live)
  }

  // Rows: V4.12-a
  @Test("each required signal is necessary, each fatal one is sufficient", arguments: LivenessPolicy.all)
  func each(policy: LivenessPolicy) {
    for signal in policy.required {
      var statuses = Self.allPassed
      statuses[signal] = .notChecked
      #expect(policy.result(of: statuses) == .undecided)
    }
    for signal in policy.fatal {
      var statuses = Self.allPassed
      statuses[signal] = .failed
      #expect(policy.result(of: statuses) == .presentationAttack)
    }
  }

  @Test("late frames, and faces lit by other colours, are never live", arguments: LivenessPolicy.all)
  func doubts(policy: LivenessPolicy) {
    for signal in [LivenessSignal.arrivalDelay, .colourResponse] {
      var statuses = Self.allPassed
      statuses[signal] = .failed
      #expect(policy.result(of: statuses) != .live)
    }
  }

  @Test("suspicious signals accumulate")
  func weights() throws {
    let policy = try LivenessPolicy(
      name: "test", required: [.texture], fatal: [], weights: [.moire: 1, .mediumEdge: 0.5, .facialMotion: 0.5],
      limit: 2)
    func result(_ failed: LivenessSignal...) -> LivenessDecision.Result {
      policy.result(of: failed.reduce(into: [.texture: .passed]) { $0[$1] = .failed })
    }
    #expect(result(.mediumEdge) == .live)
    #expect(result(.moire) == .undecided)
    #expect(result(.mediumEdge, .facialMotion) == .undecided)
    #expect(result(.moire, .mediumEdge, .facialMotion) == .presentationAttack)
  }

  @Test("a policy without requirements is rejected")
  func empty() {
    #expect(code { _ = try LivenessPolicy(name: "", required: [], fatal: [.texture]) } == .badArgument)
    #expect(code { _ = try LivenessPolicy(name: "", required: [.texture], fatal: [], limit: 0) } == .badArgument)
    #expect(
      code { _ = try LivenessPolicy(name: "", required: [.texture], fatal: [], weights: [.moire: -1]) } == .badArgument)
  }
}
