package import FaceAnalysis
internal import FaceVerify
internal import Glibc

/// How many photos the training tools look at at the same time.
package let threads = 2

/// A line to standard error.
package func log(_ line: String) {
  let text = Array((line + "\n").utf8)
  write(STDERR_FILENO, text, text.count)
}

/// What `look` finds on the photos that are named on standard input, one path a line, with their paths and in their order.
/// The paths of photos on which it finds nothing, or which cannot be read, go to standard error.
package func photosWithFaces<Found: Sendable>(
  _ models: LoadedModels, look: @escaping @Sendable (Photo, FacePipeline) throws -> Found?
) -> [(path: String, found: Found)] {
  var lines: [String] = []
  while let line = readLine() { lines.append(line) }
  let paths = lines
  let pipelines = Pool<FacePipeline>()
  let results = Lock<[Result<Found?, VerifyError>]>([])
  // Cannot throw: nothing in it does.
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
