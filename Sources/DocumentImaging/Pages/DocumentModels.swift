/// The two networks of one of the readers of documents: immutable and thread-safe. They are separate sets, since
/// comparing faces does not need them.
package final class DocumentModels: Sendable {
  /// The readers, by the prefix of their networks' identifiers.
  package enum Kind: String, Sendable {
    case zone = "mrz"
    case print = "text"
  }

  private let lines: [CompiledModel]
  private let characters: [CompiledModel]
  let alphabet: String?
  private let copies = Lock(0)

  /// - Parameters: As in ``LoadedModels/init(set:store:threads:precision:cacheFolder:)``.
  package init(_ kind: Kind, store: ModelStore, threads: Int, cacheFolder: String? = nil) throws {
    let runtime = try InferenceRuntime(.f32)
    let cache = CompiledModelCache(folder: cacheFolder)
    func load(_ part: String) throws -> [CompiledModel] {
      try cache.copies(threads, of: store.model("\(kind.rawValue)-\(part)"), in: store, runtime: runtime)
    }
    lines = try load("lines")
    characters = try load("characters")
    alphabet = try store.model("\(kind.rawValue)-characters").alphabet
  }

  /// Returns the networks for the reader of one thread. Readers that share a network wait for each other.
  func copy() -> (lines: CompiledModel, characters: CompiledModel) {
    let copy = copies.withLock { number in
      number += 1
      return number % lines.count
    }
    return (lines[copy], characters[copy])
  }
}
