internal import Dispatch

/// Everything a model set needs in memory: immutable, shared by threads.
package final class LoadedModels: Sendable {
  package let version: ModelVersion
  /// Nil in a set whose normalisation has not been learned: then nothing can be matched.
  let normalisation: ScoreNormalisation?
  package let calibration: Calibration?
  /// Names and SHA-256 of the files.
  package let files: [(name: String, sha256: String)]
  private let assemble: @Sendable (LoadedModels) throws -> FacePipeline
  private let pipelines = Lock(0)

  /// - Parameters:
  ///   - threads: how many pipelines may run at the same time at full speed.
  ///   - precision: bf16 for the networks where that wins time and moves nothing that matters, in a set that runs in
  ///     OpenVINO; the others stay in f32.
  ///   - cacheFolder: where compiled models are kept; nil for the user's cache folder.
  package init(
    set: ModelSet, store: ModelStore, threads: Int, precision: ModelVersion.Precision = .f32,
    cacheFolder: String? = nil
  ) throws {
    let models = try store.models(of: set)
    files = models.map { ($0.file, $0.sha256) }
    version = ModelVersion(set: set, models: models, precision: set == .dlib ? .f32 : precision)
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
      // What differs between the sets that run in OpenVINO.
      guard let embedding = models.first(where: { $0.role == "face embedding" })?.id else {
        throw VerifyError(.modelMissing, "the model set \"\(set)\" has no face embedding")
      }
      let framing: Framing = set == .retail ? .retail : .chip
      let (texture, smile) = ("presentation-attack", "smile")
      let optional = [texture, smile].filter { id in models.contains { $0.id == id } }
      let ids =
        [embedding, "face-detection-full-range", "face-mesh", "iris", "face-detection-short-range"] + optional
      // Hashing and reading back compiled models is most of a start: it is spread over the cores, the largest first.
      let runtime = try InferenceRuntime(.f32)
      let fast = precision == .f32 ? runtime : try InferenceRuntime(precision)
      let cache = CompiledModelCache(folder: cacheFolder)
      let networks = try concurrently(ids) { id in
        if [embedding, texture, smile].contains(id) { _ = try store.bytes(of: store.model("\(id)-weights")) }
        let model = try store.model(id)
        _ = try store.bytes(of: model)
        return try cache.copies(
          threads, of: model, in: store, runtime: Self.bf16Roles.contains(model.role) ? fast : runtime)
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
          embedder: try DirectionEmbedder(network(embedding), framing: framing),
          texture: try optional.contains(texture) ? TextureNetwork(network(texture)).score : nil,
          smile: try optional.contains(smile) ? SmileNetwork(network(smile)).score : nil)
      }
    }
  }

  /// - Parameter assemble: makes a pipeline for one thread.
  package init(
    version: ModelVersion, normalisation: ScoreNormalisation?, calibration: Calibration?,
    assemble: @escaping @Sendable (LoadedModels) throws -> FacePipeline
  ) {
    self.version = version
    self.normalisation = normalisation
    self.calibration = calibration
    self.assemble = assemble
    files = []
  }

  /// Those that compute in bf16 where that is asked for. In bf16 the detectors and the mesh move landmarks by more than
  /// 0.3 pixels of a face whose eyes are 60 apart (docs/performance.md).
  private static let bf16Roles: Set = ["face embedding", "iris", "presentation attack detection"]

  /// Sets that this package's own tests make, without files. Only code of this package can add one, and that of the
  /// products adds none: no file, option or variable can make an engine answer from a script.
  package static let scripted = Lock<[ModelSet: @Sendable () throws -> LoadedModels]>([:])

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
