import FaceAnalysis
import Testing

@Suite("MotionSmoothing: one frame of delay, no outliers")
struct MotionSmoothingTests {
  @Test("an outlier of one frame is removed, a lasting movement is delayed by a frame, lids are unchanged")
  func medians() {
    var smoothing = MotionSmoothing()
    let yaws = [0.0, 0, 30, 0, 0, 20, 20, 20]
    var seen: [FaceObservation] = []
    for (i, yaw) in yaws.enumerated() {
      var motion = SimulatedPerson.calm
      motion.time = Double(i)
      motion.pose = HeadPose(yaw: yaw, pitch: 0, roll: 0)
      motion.leftOpenness = Double(i)
      if let smoothed = smoothing.next(motion) { seen.append(smoothed) }
    }
    #expect(seen.map(\.pose.yaw) == [0, 0, 0, 0, 0, 20, 20])
    #expect(seen.map(\.time) == [0, 1, 2, 3, 4, 5, 6])
    #expect(seen.map(\.leftOpenness) == seen.map(\.time))
    smoothing.reset()
    #expect(smoothing.next(SimulatedPerson.calm) == nil)
  }
}
