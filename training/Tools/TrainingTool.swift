import ArgumentParser
import FaceAnalysis
import FaceVerifyStore
import Glibc

@main struct TrainingTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "training-tool", abstract: "Measures and crops pictures for training, by the product's code.",
    subcommands: [
      AlignFaces.self, ComparePictures.self, CutFaces.self, CutMouths.self, EmbedPhotos.self, MeasurePaths.self,
      MeasureQuality.self, MeasureSignals.self,
    ])
}

/// Number of photos that are processed concurrently.
private let threads = 2

/// Writes a line to standard error.
func log(_ line: String) {
  let text = Array((line + "\n").utf8)
  write(STDERR_FILENO, text, text.count)
}

func rounded(_ value: Double, _ factor: Double) -> Double { (value * factor).rounded() / factor }

func loadModels(_ folder: String, set: ModelSet = .standard) throws -> LoadedModels {
  try LoadedModels(set: set, store: ModelStore(folder: folder), threads: threads)
}

/// Returns the results of `look` for the photos listed on standard input, one path per line, with their paths and in
/// their order. Paths of photos without a result, or that cannot be read, go to standard error.
func photosWithFaces<Found: Sendable>(
  _ models: LoadedModels, look: @escaping @Sendable (Photo, FacePipeline) throws -> Found?
) -> [(path: String, found: Found)] {
  var lines: [String] = []
  while let line = readLine() { lines.append(line) }
  let paths = lines
  let pipelines = Pool<FacePipeline>()
  let results = Batch.run(paths.count, threads: threads) { place -> Found? in
    let path = paths[place]
    if place % 500 == 0 { log("\(place) of \(paths.count)") }
    do {
      let photo = try Photo(path: path)
      let found = try pipelines.use(orMake: models.makePipeline) { pipeline in
        try VerifyError.naming(path) { try look(photo, pipeline) }
      }
      if found == nil { log("no face: \(path)") }
      return found
    } catch {
      log("\(error)")
      return nil
    }
  }
  return zip(paths, results).compactMap { path, found in found.map { (path, $0) } }
}

/// The frames of a video on standard input.
struct Frames: ParsableArguments, Sequence, IteratorProtocol {
  @Argument(help: "Pixels per row.") var width: Int
  @Argument(help: "Rows.") var height: Int

  func next() -> PixelBuffer? {
    var bytes = [UInt8](repeating: 0, count: 3 * width * height)
    var count = 0
    // Pipes deliver a frame in parts.
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress! + count, $0.count - count) }
      guard got > 0 else { return nil }
      count += got
    }
    return try? PixelBuffer(width: width, height: height, rgb: bytes)
  }

  static func models() throws -> LoadedModels {
    guard let folder = getenv("FACEVERIFY_MODELS") else { throw ValidationError("FACEVERIFY_MODELS is not set") }
    return try LoadedModels(set: .standard, store: ModelStore(folder: String(cString: folder)), threads: 1)
  }
}
