package import FaceAnalysis
internal import FaceVerifyStore
internal import Glibc

/// Number of photos that the training tools process concurrently.
package let threads = 2

/// Writes a line to standard error.
package func log(_ line: String) {
  let text = Array((line + "\n").utf8)
  write(STDERR_FILENO, text, text.count)
}

/// Returns the results of `look` for the photos listed on standard input, one path per line, with their paths and in
/// their order. Paths of photos without a result, or that cannot be read, go to standard error.
package func photosWithFaces<Found: Sendable>(
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
