// measure-signals WIDTH HEIGHT FPS < rgb24: the values of every liveness signal for a video, as CSV.
//
//   ffmpeg -v error -i clip.mp4 -f rawvideo -pix_fmt rgb24 - | measure-signals 640 480 30
//
// A file may replace FPS to give each frame's time: lines of "number,seconds" below a heading.
import FaceAnalysis
import Glibc

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let width = Int(arguments[1]), let height = Int(arguments[2]),
  let models = getenv("FACEVERIFY_MODELS")
else {
  let usage = Array("usage: FACEVERIFY_MODELS=... measure-signals WIDTH HEIGHT FPS|TIMES < rgb24\n".utf8)
  write(STDERR_FILENO, usage, usage.count)
  exit(2)
}
let rate = Double(arguments[3])
let times = rate == nil ? try read(times: arguments[3]) : []
let loaded = try LoadedModels(set: .standard, store: ModelStore(folder: String(cString: models)), threads: 1)
let pipeline = try loaded.makePipeline()
var analysis = LivenessAnalysis(LivenessContext(calibration: loaded.calibration))
var bytes = [UInt8](repeating: 0, count: 3 * width * height)
var index = 0
// Colours of a screen that was not lit: tests how the colour check responds to a room that is too bright.
let colours = try ColourSequence(nonce: [UInt8](repeating: 0, count: 16), count: 100)

func read(times path: String) throws -> [Double] {
  guard let file = fopen(path, "r") else { throw VerifyError(.badArgument, "\(path) cannot be read") }
  defer { fclose(file) }
  var times: [Double] = []
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    let fields = text.split(whereSeparator: { $0 == "," || $0.isWhitespace })
    if fields.count == 2, let seconds = Double(fields[1]) { times.append(seconds) }
  }
  return times
}

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

var last = -Double.infinity
while fill(&bytes) {
  guard rate != nil || index < times.count else { break }
  let time = rate.map { Double(index) / $0 } ?? times[index]
  index += 1
  // As in a session.
  guard time > last else {
    analysis.refuse()
    continue
  }
  last = time
  _ = try analysis.add(
    PixelBuffer(width: width, height: height, rgb: bytes), at: time, screenColour: colours.colour(at: time),
    by: pipeline)
}
print("signal,status,value,minimum,maximum")
for check in analysis.checks {
  let values = [check.value, check.minimum, check.maximum].map { $0.map { "\(($0 * 1e5).rounded() / 1e5)" } ?? "" }
  print("\(check.name),\(check.status.rawValue)," + values.joined(separator: ","))
}
