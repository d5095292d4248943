import Glibc
import Testing

@testable import FaceAnalysis

@Suite("EyeMovement: eyes that move in the head while it turns")
struct EyeMovementTests {
  /// - Parameter gaze: Eye widths to the subject's left, from seconds and yaw in degrees.
  private func check(
    seconds: Double = 8, turn: Double = 12, openness: (Double) -> Double = { _ in 0.25 },
    portrait: (Double) -> LivenessFrame.PortraitSample? = { _ in nil }, gaze: (Double, Double) -> Double
  ) throws -> LivenessCheck {
    var frames = SignalFrames(noise: 0)
    let picture = try frames.frame(0).picture
    return EyeMovement.check(
      (0..<Int(15 * seconds)).map { i in
        let time = Double(i) / 15
        frames.face.pose = HeadPose(yaw: turn * sin(time), pitch: 0, roll: 0)
        (frames.face.openness, frames.face.gaze) = (openness(time), gaze(time, turn * sin(time)))
        let located = frames.face.located(in: picture)
        return LivenessFrame(
          time: time, refused: 0, picture: picture, face: located,
          motion: FaceObservation(located.landmarks, width: picture.width, height: picture.height, time: time),
          isFound: false, isSampled: false, texture: nil, portraitSample: portrait(time), screenColour: nil)
      })
  }

  @Test("a gaze that stays on the screen, or jumps ahead, is living")
  func living() throws {
    #expect(try check { _, yaw in -0.4 * sin(yaw * .pi / 180) }.status == .passed)
    let jumps = try check { time, yaw in yaw * 0.001 + (time.truncatingRemainder(dividingBy: 2) < 1 ? 0.03 : -0.03) }
    #expect(jumps.status == .passed)
  }

  @Test("irises that stay in place, or shift with the warp, are a photo", arguments: [-0.0015, 0, 0.0035])
  func photo(perDegree: Double) throws {
    let check = try check { time, yaw in perDegree * yaw + 0.003 * sin(40 * time) }
    #expect(check.status == .failed, "\(check.value ?? .nan)")
  }

  @Test("painted blinks do not help, nor do frames that go on for minutes")
  func blinks() throws {
    let check = try check(
      seconds: 200, openness: { $0.truncatingRemainder(dividingBy: 3) < 0.3 ? 0.05 : 0.25 },
      gaze: { time, _ in time.truncatingRemainder(dividingBy: 3) < 0.3 ? 0.2 : 0 })
    #expect(check.status == .failed, "\(check.value ?? .nan)")
  }

  @Test("glasses hide the eyes if most portraits show them; painted on some frames, they do not help")
  func glasses() throws {
    let reports = try [0, 10].map {
      try SyntheticFace().report(QualityPolicy(name: "eyes", requirements: [.eyesVisible: .init(atLeast: $0)]))
    }
    func check(hidden seconds: Double) throws -> LivenessCheck {
      let still = { (_: Double, _: Double) in 0.0 }
      return try self.check(
        portrait: {
          LivenessFrame.PortraitSample(faces: [], quality: reports[$0 < seconds ? 1 : 0], template: nil, detail: nil)
        }, gaze: still)
    }
    #expect(try check(hidden: 3.9).status == .failed)
    let hidden = try check(hidden: 4.1)
    #expect(hidden.status == .notChecked && hidden.text.contains("Glasses"), "\(hidden)")
  }

  @Test("a head that does not turn, a short look, and no frame at all are not checked")
  func unknown() throws {
    #expect(try check(turn: 3) { _, _ in 0 }.status == .notChecked)
    #expect(try check(seconds: 1.5) { _, _ in 0 }.status == .notChecked)
    #expect(EyeMovement.check([]).status == .notChecked)
  }
}
