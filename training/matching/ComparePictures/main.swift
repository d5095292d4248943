// Scores pairs of photos as copies of one picture (SamePicture): PAIRS has one line per pair, two paths separated by a
// tab, and each path is listed once on standard input, one per line:
//   tr '\t' '\n' < PAIRS | sort -u | swift run -c release compare-pictures MODELS PAIRS > scores.tsv
// Each output line has the score and both paths; nan for a photo without a face or with too little detail.
import FaceAnalysis
import Glibc
import TrainingSupport

guard CommandLine.arguments.count == 3 else {
  log("usage: compare-pictures MODELS-FOLDER PAIRS < paths")
  exit(2)
}
let models = try LoadedModels(
  set: .standard, store: ModelStore(folder: CommandLine.arguments[1]), threads: threads)
let found = photosWithFaces(models) { photo, pipeline -> FaceDetail? in
  let decoded = DecodedPhoto(photo, budget: .unlimited)
  return try pipeline.locate(in: decoded, budget: .unlimited).first.flatMap { try pipeline.detail(of: $0, in: decoded) }
}
let details = Dictionary(found, uniquingKeysWith: { first, _ in first })

let lines = String(
  decoding: try RegularFile.read(path: CommandLine.arguments[2], maximumBytes: 1 << 28), as: UTF8.self)
var (pairs, milliseconds) = (0, 0.0)
let clock = ContinuousClock()
for line in lines.split(separator: "\n") {
  let paths = line.split(separator: "\t").map(String.init)
  guard paths.count == 2 else { continue }
  var score: Double?
  let time = clock.measure {
    if let a = details[paths[0]], let b = details[paths[1]] { score = SamePicture([a], b, threshold: SamePicture.thresholds.frames).score }
  }
  milliseconds += time / .milliseconds(1)
  pairs += 1
  print("\(score ?? .nan)\t\(paths[0])\t\(paths[1])")
}
log("\(pairs) pairs, \(milliseconds / Double(max(1, pairs))) ms each")
