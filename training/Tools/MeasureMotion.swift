import ArgumentParser
import FaceAnalysis

struct MeasureMotion: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the face's movement in each frame of a video, as CSV.",
    discussion: """
        ffmpeg -v error -i clip.mp4 -f rawvideo -pix_fmt rgb24 - | training-tool measure-motion 640 480 30

      Standard error has the challenges that the clip passes, with the times in seconds at which it does, one after another.
      """)
  @OptionGroup var frames: Frames
  @Argument(help: "Frames per second.") var rate: Double

  func run() throws {
    let pipeline = try Frames.models().makePipeline()
    var tracker = FaceTracker()
    var motions: [FaceObservation] = []
    var first: FaceLandmarks?
    print("time,yaw,pitch,roll,left,right,mouth,smile,lift,size,x,y,residual,turn,searches")
    for (index, frame) in frames.enumerated() {
      let time = Double(index) / rate
      guard let face = try tracker.face(in: frame, by: pipeline),
        let m = FaceObservation(face.landmarks, width: frame.width, height: frame.height, time: time)
      else {
        print("\(time),,,,,,,,,,,,,,\(tracker.searches)")
        continue
      }
      // Relative to the first frame, which should show the face from the front.
      first = first ?? face.landmarks
      let planarity = first.flatMap { Planarity(from: $0, to: face.landmarks) }
      let values = [
        m.pose.yaw, m.pose.pitch, m.pose.roll, m.leftOpenness, m.rightOpenness, m.mouthOpening, m.mouthWidth,
        m.mouthLift, m.size, m.centre.x, m.centre.y, planarity?.residual ?? .nan, planarity?.turn ?? .nan,
      ]
      motions.append(m)
      print("\(time)," + values.map { "\(rounded($0, 1e4))" }.joined(separator: ",") + ",\(tracker.searches)")
    }
    var summary = ""
    for challenge in Challenge.allCases where challenge != .follow {
      let times = try passes(challenge, motions).map { "\(rounded($0, 10))" }
      if !times.isEmpty { summary += " \(challenge)=" + times.joined(separator: ",") }
    }
    log("passes:\(summary)")
  }

  private func passes(_ challenge: Challenge, _ motions: [FaceObservation]) throws -> [Double] {
    var search = NeutralPoseSearch()
    var remaining = motions[...]
    var found: NeutralPose?
    while found == nil, let motion = remaining.popFirst() { found = search.add(motion) }
    guard let neutral = found else { return [] }
    let step = try ChallengeScript.Prompt(challenge)
    var progress = try ChallengeProgress(step, from: neutral, timeout: 30)
    var times: [Double] = []
    for motion in remaining {
      progress.update(motion)
      guard progress.isOver else { continue }
      if progress.phase == .passed { times.append(motion.time) }
      progress = try ChallengeProgress(step, from: neutral, timeout: 30)
    }
    return times
  }
}
