// Embeds every photo that is named on standard input, one path a line:
//   find PHOTOS -name '*.jpg' | sort | swift run -c release embed-photos MODELS SET OUTPUT
// OUTPUT holds 128 32-bit floats for each photo with a face; the paths of these photos go to standard output, in the
// same order, and the others to standard error.
import Dispatch
import FaceAnalysis
import Glibc
import Synchronization

func log(_ line: String) {
  let text = Array((line + "\n").utf8)
  write(STDERR_FILENO, text, text.count)
}

guard CommandLine.arguments.count == 4 else {
  log("usage: embed-photos MODELS-FOLDER default|dlib OUTPUT < paths")
  exit(2)
}
let threads = 2
let models = try LoadedModels(
  set: ModelSet(rawValue: CommandLine.arguments[2]), store: ModelStore(folder: CommandLine.arguments[1]),
  threads: threads)
var paths: [String] = []
while let line = readLine() { paths.append(line) }

let all = paths
let embeddings = Mutex([Int: [Float]]())
let next = Atomic(0)
DispatchQueue.concurrentPerform(iterations: threads) { _ in
  do {
    let pipeline = try models.makePipeline()
    while case let i = next.add(1, ordering: .relaxed).oldValue, i < all.count {
      if i % 500 == 0 { log("\(i) of \(all.count)") }
      let photo = try Photo(path: all[i])
      guard let face = try pipeline.locate(in: photo).first else {
        log("no face: \(all[i])")
        continue
      }
      let embedding = try pipeline.embedding(of: pipeline.chips(of: face, in: photo))
      embeddings.withLock { $0[i] = embedding }
    }
  } catch {
    log("\(error)")
    exit(3)
  }
}

var bytes: [UInt8] = []
for (i, embedding) in embeddings.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
  print(all[i])
  embedding.withUnsafeBytes { bytes += $0 }
}
try RegularFile.write(bytes, to: CommandLine.arguments[3])
