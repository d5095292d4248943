// measure-motion WIDTH HEIGHT FPS < rgb24: the face's movement in each frame of a video, as CSV; and on standard error
// the challenges that the clip passes, with the time in seconds at which it does, one after another.
//
//   ffmpeg -v error -i clip.mp4 -f rawvideo -pix_fmt rgb24 - | measure-motion 640 480 30
import FaceAnalysis
import Glibc

let numbers = CommandLine.arguments.dropFirst().compactMap(Double.init)
guard numbers.count == 3, let models = getenv("FACEVERIFY_MODELS") else {
  let usage = Array("usage: FACEVERIFY_MODELS=... measure-motion WIDTH HEIGHT FPS < rgb24\n".utf8)
  write(STDERR_FILENO, usage, usage.count)
  exit(2)
}
let (width, height) = (Int(numbers[0]), Int(numbers[1]))
let loaded = try LoadedModels(set: .standard, store: ModelStore(folder: String(cString: models)), threads: 1)
let pipeline = try loaded.makePipeline()
var tracker = FaceTracker()
var motions: [FaceObservation] = []
var first: FaceLandmarks?
print("time,yaw,pitch,roll,left,right,mouth,smile,lift,size,x,y,residual,turn,searches")
var bytes = [UInt8](repeating: 0, count: 3 * width * height)
var index = 0

/// Reads a whole frame; pipes deliver it in parts.
func fill(_ bytes: inout [UInt8]) -> Bool {
  bytes.withUnsafeMutableBytes { bytes in
    var count = 0
    while count < bytes.count {
      let got = read(STDIN_FILENO, bytes.baseAddress! + count, bytes.count - count)
      guard got > 0 else { return false }
      count += got
    }
    return true
  }
}

while fill(&bytes) {
  let frame = try PixelBuffer(width: width, height: height, rgb: bytes)
  let time = Double(index) / numbers[2]
  index += 1
  guard let face = try tracker.face(in: frame, by: pipeline),
    let m = FaceObservation(face.landmarks, width: width, height: height, time: time)
  else {
    print("\(time),,,,,,,,,,,,,,\(tracker.searches)")
    continue
  }
  // Relative to the first frame, which should show the face from the front.
  first = first ?? face.landmarks
  let planarity = first.flatMap { Planarity(from: $0, to: face.landmarks) }
  let values = [
    m.pose.yaw, m.pose.pitch, m.pose.roll, m.leftOpenness, m.rightOpenness, m.mouthOpening, m.mouthWidth, m.mouthLift,
    m.size,
    m.centre.x, m.centre.y, planarity?.residual ?? .nan, planarity?.turn ?? .nan,
  ]
  motions.append(m)
  print("\(time)," + values.map { "\(($0 * 1e4).rounded() / 1e4)" }.joined(separator: ",") + ",\(tracker.searches)")
}

func passes(_ challenge: Challenge, _ motions: [FaceObservation]) throws -> [Double] {
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

var summary = ""
for challenge in Challenge.allCases where challenge != .follow {
  let times = try passes(challenge, motions)
  if !times.isEmpty { summary += " \(challenge)=" + times.map { "\(($0 * 10).rounded() / 10)" }.joined(separator: ",") }
}
let line = Array("passes:\(summary)\n".utf8)
write(STDERR_FILENO, line, line.count)
