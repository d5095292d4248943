/// The networks of one of the readers of documents: immutable and thread-safe. They are separate sets, since comparing
/// faces does not need them.
package final class DocumentModels: Sendable {
  package enum Kind: Sendable {
    case zone
    case print
    case copies
    case outlines

    /// The identifiers of its networks.
    fileprivate var networks: [String] {
      switch self {
      case .zone: ["mrz-lines", "mrz-characters"]
      case .print: ["text-lines", "text-characters"]
      case .copies: ["document-copies"]
      case .outlines: ["document-outlines"]
      }
    }
  }

  /// By network, then by thread.
  private let networks: [[CompiledModel]]
  /// That of the last network.
  let alphabet: String?
  private let copies = Lock(0)

  /// - Parameters: As in ``LoadedModels/init(set:store:threads:precision:cacheFolder:)``.
  package init(_ kind: Kind, store: ModelStore, threads: Int, cacheFolder: String? = nil) throws {
    let runtime = try InferenceRuntime(.f32)
    let cache = CompiledModelCache(folder: cacheFolder)
    let entries = try kind.networks.map(store.model)
    networks = try entries.map { try cache.copies(threads, of: $0, in: store, runtime: runtime) }
    alphabet = entries.last?.alphabet
  }

  /// Returns the networks for the reader of one thread, in the order of their kind. Readers that share a network wait for
  /// each other.
  func copy() -> [CompiledModel] {
    let copy = copies.withLock { number in
      number += 1
      return number
    }
    return networks.map { $0[copy % $0.count] }
  }
}
