// Crops the face of each picture listed on standard input, one path per line, to the views of the texture network:
//   find PHOTOS -name '*.png' | sort | swift run -c release cut-faces MODELS OUTPUT
// OUTPUT contains the four views of each picture with a face as RGB bytes. The paths of these pictures go to standard
// output, in the same order, each with the score of the network in the models folder, the distance between the eyes in
// pixels and the position of the face (centre and width of its bounding box, as fractions of the picture's size),
// separated by tabs; the others go to standard error, and at the end the median time of cropping and scoring a face on
// one thread.
import FaceAnalysis
import Glibc
import TrainingSupport

guard CommandLine.arguments.count == 3 else {
  log("usage: cut-faces MODELS-FOLDER OUTPUT < paths")
  exit(2)
}
let models = try LoadedModels(
  set: .standard, store: ModelStore(folder: CommandLine.arguments[1]), threads: threads)

struct Cut {
  var numbers: [Double]
  var views: [UInt8]
  var time: Duration
}

let cuts = photosWithFaces(models) { photo, pipeline -> Cut? in
  guard let face = try pipeline.locate(in: photo).first else { return nil }
  let views = FacePipeline.textureViews(of: face)
  var score: Double?
  let time = try ContinuousClock().measure { score = try pipeline.texture(of: face) }
  let (width, height) = (Double(photo.width), Double(photo.height))
  let numbers = [
    score ?? .nan, face.landmarks.interEyeDistance, face.box.centre.x / width,
    face.box.centre.y / height, face.box.width / width,
  ]
  return Cut(numbers: numbers, views: views.flatMap(\.rgb), time: time)
}

let times = cuts.map(\.found.time).sorted()
if !times.isEmpty { log("\(times[times.count / 2]) a face, cut and judged (median of \(times.count))") }
var bytes: [UInt8] = []
for (path, cut) in cuts {
  print(([path] + cut.numbers.map { "\(($0 * 1e5).rounded() / 1e5)" }).joined(separator: "\t"))
  bytes += cut.views
}
try RegularFile.write(bytes, to: CommandLine.arguments[2])
