package import FaceAnalysis
internal import FaceVerify
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
  let results = Lock<[Result<Found?, VerifyError>]>([])
  // Cannot throw, because the closures do not.
  try? PhotoBatch.run(
    paths, limits: .init(), threads: threads,
    { photo in try pipelines.use(orMake: models.makePipeline) { try look(photo, $0) } },
    handOver: { place, result in
      if place % 500 == 0 { log("\(place) of \(paths.count)") }
      results.withLock { $0.append(result) }
    })
  return zip(paths, results.withLock { $0 }).compactMap { path, result in
    switch result {
    case .success(let found?): return (path, found)
    case .success(nil): log("no face: \(path)")
    case .failure(let error): log(error.message)
    }
    return nil
  }
}
