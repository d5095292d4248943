/// The networks that read documents: immutable and thread-safe. A separate set, since comparing faces does not need
/// them.
package final class DocumentModels: Sendable {
  private let lines: [CompiledModel]
  private let characters: [CompiledModel]
  private let readers = Lock(0)

  /// - Parameters: As in ``LoadedModels/init(set:store:threads:precision:cacheFolder:)``.
  package init(store: ModelStore, threads: Int, cacheFolder: String? = nil) throws {
    let runtime = try InferenceRuntime(.f32)
    let cache = CompiledModelCache(folder: cacheFolder)
    func load(_ id: String) throws -> [CompiledModel] {
      try cache.copies(threads, of: store.model(id), in: store, runtime: runtime)
    }
    lines = try load("mrz-lines")
    characters = try load("mrz-characters")
  }

  /// Returns a reader for one thread. Readers that share a network wait for each other.
  package func makeReader() throws -> ZoneReader {
    let copy = readers.withLock { number in
      number += 1
      return number % lines.count
    }
    return ZoneReader(finder: try LineFinder(lines[copy]), reader: try LineReader(characters[copy]))
  }
}
