// Embeds each photo listed on standard input, one path per line:
//   find PHOTOS -name '*.jpg' | sort | swift run -c release embed-photos MODELS SET OUTPUT
// OUTPUT contains the 32-bit floats of the set's network for each photo with a face, 256 in the default set and in
// retail, 128 in dlib; the paths of these photos go to standard output, in the same order, the others to standard
// error.
import FaceAnalysis
import Glibc
import TrainingSupport

guard CommandLine.arguments.count == 4 else {
  log("usage: embed-photos MODELS-FOLDER default|retail|dlib OUTPUT < paths")
  exit(2)
}
let models = try LoadedModels(
  set: ModelSet(rawValue: CommandLine.arguments[2]), store: ModelStore(folder: CommandLine.arguments[1]),
  threads: threads)
let embeddings = photosWithFaces(models) { photo, pipeline in
  try pipeline.locate(in: photo).first.map { try pipeline.embedding(of: pipeline.chips(of: $0, in: photo)) }
}

var bytes: [UInt8] = []
for (path, embedding) in embeddings {
  print(path)
  embedding.withUnsafeBytes { bytes += $0 }
}
try RegularFile.write(bytes, to: CommandLine.arguments[3])
