internal import Dispatch

/// Everything a model set needs in memory: immutable, shared by threads.
package final class LoadedModels: Sendable {
  package let version: ModelVersion
  /// Nil in a set whose normalisation has not been learned: then nothing can be matched.
  let normalisation: ScoreNormalisation?
  package let calibration: Calibration?
  private let assemble: @Sendable (LoadedModels) throws -> FacePipeline
  private let pipelines = Lock(0)

  /// - Parameters:
  ///   - threads: how many pipelines may run at the same time at full speed.
  ///   - cacheFolder: where compiled models are kept; nil for the user's cache folder.
  package init(set: ModelSet, store: ModelStore, threads: Int, cacheFolder: String? = nil) throws {
    guard let ids = store.manifest.sets[set.rawValue] else {
      let known = store.manifest.sets.keys.sorted().joined(separator: ", ")
      throw VerifyError(.badArgument, "there is no model set \"\(set)\"; the manifest has: \(known)")
    }
    let models = try ids.map(store.model)
    version = ModelVersion(set: set, models: models)
    calibration = try models.first { $0.role == "calibration" }.map { try Calibration(json: store.bytes(of: $0)) }
    normalisation = try models.first { $0.role == "score normalisation" }.map {
      try ScoreNormalisation(bytes: store.bytes(of: $0))
    }
    switch set {
    case .dlib:
      let points = try DlibPoints(model: store.bytes(of: store.model("face-landmarks-5-dlib")))
      let network = try store.bytes(of: store.model("face-embedding-dlib"))
      assemble = { models in
        FacePipeline(
          models: models,
          detector: try HistogramDetector(),
          landmarks: FivePointEstimator(points),
          embedder: DlibEmbedder(try DlibNetwork(model: network)))
      }
    default:
      let texture = "presentation-attack"
      let hasTexture = models.contains { $0.id == texture }
      let ids =
        ["face-embedding", "face-detection-full-range", "face-mesh", "iris", "face-detection-short-range"]
        + (hasTexture ? [texture] : [])
      // Hashing and reading back compiled models is most of a start: it is spread over two threads, the largest first.
      let runtime = try InferenceRuntime()
      let cache = CompiledModelCache(folder: cacheFolder)
      let networks = try concurrently(ids) { id in
        if ["face-embedding", texture].contains(id) { _ = try store.bytes(of: store.model("\(id)-weights")) }
        let model = try store.model(id)
        _ = try store.bytes(of: model)
        return try cache.copies(threads, of: model, in: store, runtime: runtime)
      }
      let copies = Dictionary(uniqueKeysWithValues: zip(ids, networks))
      assemble = { models in
        // Those who share networks wait for each other.
        let copy = models.pipelines.withLock { number in
          number += 1
          return number % threads
        }
        func network(_ id: String) throws -> CompiledModel {
          guard let network = copies[id]?[copy] else { throw VerifyError(.internalFailure, "\(id) was not loaded") }
          return network
        }
        return FacePipeline(
          models: models,
          detector: try NearFarDetector(
            near: network("face-detection-short-range"), far: network("face-detection-full-range")),
          landmarks: try MeshEstimator(mesh: network("face-mesh"), iris: network("iris")),
          embedder: try ResidualEmbedder(network("face-embedding")),
          textureNetwork: try hasTexture ? TextureNetwork(network(texture)) : nil)
      }
    }
  }

  /// A pipeline for one thread.
  package func makePipeline() throws -> FacePipeline { try assemble(self) }
}

/// The results of `work` on each item, in order; the first error, if any.
private func concurrently<Item: Sendable, Result: Sendable>(
  _ items: [Item], _ work: @Sendable (Item) throws -> Result
) throws -> [Result] {
  nonisolated(unsafe) var results = [Swift.Result<Result, any Error>?](repeating: nil, count: items.count)
  // Each iteration writes its own element only.
  results.withUnsafeMutableBufferPointer { buffer in
    nonisolated(unsafe) let buffer = buffer
    DispatchQueue.concurrentPerform(iterations: items.count) { i in
      buffer[i] = Swift.Result { try work(items[i]) }
    }
  }
  return try results.map { result in
    guard let result else { throw VerifyError(.internalFailure, "a model was not loaded") }
    return try result.get()
  }
}
