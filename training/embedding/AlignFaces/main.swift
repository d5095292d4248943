// Crops the face of each photo listed on standard input, one path per line, upright and at one size, with its mesh:
//   find PHOTOS -name '*.jpg' | sort | swift run -c release align-faces MODELS OUTPUT > aligned.txt
// OUTPUT.u8 contains 216×216 RGB bytes for each photo with a face, OUTPUT.f4 470 points (x, y; 32-bit floats) in pixels
// of these: the 468 of the mesh, then the centres of the right and the left iris. The paths of these photos go to
// standard output, in the same order; the others to standard error.
import FaceAnalysis
import Glibc
import TrainingSupport

guard CommandLine.arguments.count == 3 else {
  log("usage: align-faces MODELS-FOLDER OUTPUT < paths")
  exit(2)
}
let models = try LoadedModels(
  set: .standard, store: ModelStore(folder: CommandLine.arguments[1]), threads: threads)
let faces = photosWithFaces(models) { photo, pipeline in
  try pipeline.locate(in: photo).first.flatMap { AlignedFace($0) }
}

var pixels: [UInt8] = []
var points: [UInt8] = []
for (path, face) in faces {
  print(path)
  pixels += face.picture.rgb
  for point in face.points {
    for number in [Float(point.x), Float(point.y)] { withUnsafeBytes(of: number) { points += $0 } }
  }
}
try RegularFile.write(pixels, to: CommandLine.arguments[2] + ".u8")
try RegularFile.write(points, to: CommandLine.arguments[2] + ".f4")
