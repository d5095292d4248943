// Crops mouths to the view of the smile network, with a margin for training:
//
//   find PHOTOS -name '*.jpg' | sort | cut-mouths MODELS OUTPUT
//
// OUTPUT contains the view of each face, 64×64 RGB bytes; the network uses the central 40×40. The paths of these
// pictures go to standard output, in the same order; the others to standard error.
import FaceAnalysis
import Glibc
import TrainingSupport

guard CommandLine.arguments.count == 3 else {
  log("usage: cut-mouths MODELS-FOLDER OUTPUT < paths")
  exit(2)
}
let models = try LoadedModels(
  set: .standard, store: ModelStore(folder: CommandLine.arguments[1]), threads: threads)
let cuts = photosWithFaces(models) { photo, pipeline in
  try pipeline.locate(in: photo).first.flatMap { FacePipeline.smileView(of: $0, side: 64, margin: 1.6)?.rgb }
}
for (path, _) in cuts { print(path) }
try RegularFile.write(cuts.flatMap(\.found), to: CommandLine.arguments[2])
