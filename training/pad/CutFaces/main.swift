// Cuts the face of every picture named on standard input, one path a line, as the texture network sees it:
//   find PHOTOS -name '*.png' | sort | swift run -c release cut-faces MODELS OUTPUT
// OUTPUT holds for each picture with a face its three views, 112×112 RGB bytes each. The paths of these
// pictures go to standard output, in the same order, each with the score of the network that the models folder has, the
// distance between the eyes in pixels and the face's place (centre and width of its box, as shares of the picture's
// size), separated by tabs; the others go to standard error, and at the end the median time of cutting and judging a
// face on one thread.
import Dispatch
import FaceAnalysis
import Glibc
import Synchronization

func log(_ line: String) {
  let text = Array((line + "\n").utf8)
  write(STDERR_FILENO, text, text.count)
}

guard CommandLine.arguments.count == 3 else {
  log("usage: cut-faces MODELS-FOLDER OUTPUT < paths")
  exit(2)
}
let threads = 2
let models = try LoadedModels(
  set: .standard, store: ModelStore(folder: CommandLine.arguments[1]), threads: threads)
var paths: [String] = []
while let line = readLine() { paths.append(line) }

struct Cut {
  var line: String
  var views: [UInt8]
  var time: Duration
}

let all = paths
let cuts = Mutex([Int: Cut]())
let next = Atomic(0)
DispatchQueue.concurrentPerform(iterations: threads) { _ in
  do {
    let pipeline = try models.makePipeline()
    while case let i = next.add(1, ordering: .relaxed).oldValue, i < all.count {
      if i % 1000 == 0 { log("\(i) of \(all.count)") }
      let photo = try Photo(path: all[i])
      guard let face = try pipeline.locate(in: photo).first else {
        log("no face: \(all[i])")
        continue
      }
      let views = FacePipeline.textureViews(of: face)
      var score: Double?
      let time = try ContinuousClock().measure { score = try pipeline.texture(of: face) }
      let (width, height) = (Double(photo.width), Double(photo.height))
      let numbers = [
        score ?? .nan, face.landmarks.interEyeDistance, face.box.centre.x / width,
        face.box.centre.y / height, face.box.width / width,
      ]
      let line = ([all[i]] + numbers.map { "\(($0 * 1e5).rounded() / 1e5)" }).joined(separator: "\t")
      cuts.withLock { $0[i] = Cut(line: line, views: views.flatMap(\.rgb), time: time) }
    }
  } catch {
    log("\(error)")
    exit(3)
  }
}

let times = cuts.withLock { $0.values.map(\.time).sorted() }
if !times.isEmpty { log("\(times[times.count / 2]) a face, cut and judged (median of \(times.count))") }
var bytes: [UInt8] = []
for (_, cut) in cuts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
  print(cut.line)
  bytes += cut.views
}
try RegularFile.write(bytes, to: CommandLine.arguments[2])
