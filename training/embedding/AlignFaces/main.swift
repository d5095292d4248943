// Cuts the face of every photo named on standard input, one path a line, upright and of one size, with its mesh:
//   find PHOTOS -name '*.jpg' | sort | swift run -c release align-faces MODELS OUTPUT > aligned.txt
// OUTPUT.u8 holds 216×216 RGB bytes for each photo with a face, OUTPUT.f4 470 points (x, y; 32-bit floats) in pixels of
// these: the 468 of the mesh, then the middle of the right and the left iris. The paths of these photos go to standard
// output, in the same order; the others to standard error.
import Dispatch
import FaceAnalysis
import Glibc
import Synchronization

func log(_ line: String) {
  let text = Array((line + "\n").utf8)
  write(STDERR_FILENO, text, text.count)
}

guard CommandLine.arguments.count == 3 else {
  log("usage: align-faces MODELS-FOLDER OUTPUT < paths")
  exit(2)
}
let threads = 2
let models = try LoadedModels(
  set: .standard, store: ModelStore(folder: CommandLine.arguments[1]), threads: threads)
var paths: [String] = []
while let line = readLine() { paths.append(line) }

let all = paths
let faces = Mutex([Int: AlignedFace]())
let next = Atomic(0)
DispatchQueue.concurrentPerform(iterations: threads) { _ in
  do {
    let pipeline = try models.makePipeline()
    while case let i = next.add(1, ordering: .relaxed).oldValue, i < all.count {
      if i % 1000 == 0 { log("\(i) of \(all.count)") }
      let photo = try Photo(path: all[i])
      guard let face = try pipeline.locate(in: photo).first, let aligned = AlignedFace(face) else {
        log("no face: \(all[i])")
        continue
      }
      faces.withLock { $0[i] = aligned }
    }
  } catch {
    log("\(error)")
    exit(3)
  }
}

var pixels: [UInt8] = []
var points: [UInt8] = []
for (i, face) in faces.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
  print(all[i])
  pixels += face.picture.rgb
  for point in face.points {
    for number in [Float(point.x), Float(point.y)] { withUnsafeBytes(of: number) { points += $0 } }
  }
}
try RegularFile.write(pixels, to: CommandLine.arguments[2] + ".u8")
try RegularFile.write(points, to: CommandLine.arguments[2] + ".f4")
