import Testing

@testable import FaceAnalysis

@Suite("FacialMotion: non-rigid movement of eyes and mouth")
struct FacialMotionTests {
  private func check(
    seconds: Double, _ change: (Double, inout FaceObservation) -> Void
  ) throws -> LivenessCheck {
    var frames = SignalFrames(noise: 0)
    let first = try frames.frame(0)
    let motion = try #require(first.motion)
    return FacialMotion.check(
      (0..<Int(30 * seconds)).map { i in
        let time = Double(i) / 30
        var motion = motion
        motion.time = time
        // The mesh's own jitter.
        motion.leftOpenness += i % 2 == 0 ? 0.004 : -0.004
        change(time, &motion)
        return LivenessFrame(
          time: time, refused: 0, picture: first.picture, face: first.face, motion: motion, isFound: false,
          isSampled: false, texture: nil, portraitSample: nil, screenColour: nil)
      })
  }

  @Test("one blink is sufficient, and so is a speaking mouth")
  func moves() throws {
    let blink = try check(seconds: 3) { time, motion in
      if abs(time - 1.5) < 0.1 { (motion.leftOpenness, motion.rightOpenness) = (0.04, 0.04) }
    }
    #expect(blink.status == .passed)
    let speech = try check(seconds: 3) { time, motion in
      motion.mouthOpening += time.truncatingRemainder(dividingBy: 0.4) < 0.2 ? 0.05 : 0
    }
    #expect(speech.status == .passed)
  }

  @Test("a rigid face fails after ten seconds, not before")
  func isRigid() throws {
    #expect(try check(seconds: 6) { _, _ in }.status == .notChecked)
    let rigid = try check(seconds: 12) { _, _ in }
    #expect(rigid.status == .failed)
    #expect((rigid.value ?? 1) < 0.5)
    #expect(FacialMotion.check([]).status == .notChecked)
  }

  @Test("apparent lid movement of a turned head does not count")
  func turned() throws {
    let check = try check(seconds: 14) { time, motion in
      guard time > 11 else { return }
      motion.pose.yaw += 40
      motion.leftOpenness = 0.1
      motion.rightOpenness = 0.1
    }
    #expect(check.status == .failed)
  }

  @Test("one blurred frame is not a blink")
  func outlier() throws {
    let check = try check(seconds: 12) { time, motion in
      if time == 5 { (motion.leftOpenness, motion.rightOpenness) = (0.02, 0.02) }
    }
    #expect(check.status == .failed)
  }
}
