internal import Dispatch
package import FaceAnalysis
internal import Glibc
internal import Synchronization

/// How many photos the training tools look at at the same time.
package let threads = 2

/// A line to standard error.
package func log(_ line: String) {
  let text = Array((line + "\n").utf8)
  write(STDERR_FILENO, text, text.count)
}

/// What `look` finds on the photos that are named on standard input, one path a line, with their paths and in their order.
/// The paths of photos on which it finds nothing go to standard error; an error ends the program with exit code 3.
package func photosWithFaces<Found: Sendable>(
  _ models: LoadedModels, look: @Sendable (Photo, FacePipeline) throws -> Found?
) -> [(path: String, found: Found)] {
  var lines: [String] = []
  while let line = readLine() { lines.append(line) }
  let paths = lines
  let found = Mutex([Int: Found]())
  let next = Atomic(0)
  DispatchQueue.concurrentPerform(iterations: threads) { _ in
    do {
      let pipeline = try models.makePipeline()
      while case let i = next.add(1, ordering: .relaxed).oldValue, i < paths.count {
        if i % 500 == 0 { log("\(i) of \(paths.count)") }
        guard let one = try look(Photo(path: paths[i]), pipeline) else {
          log("no face: \(paths[i])")
          continue
        }
        found.withLock { $0[i] = one }
      }
    } catch {
      log("\(error)")
      exit(3)
    }
  }
  return found.withLock { $0 }.sorted { $0.key < $1.key }.map { (paths[$0.key], $0.value) }
}
