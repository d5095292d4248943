internal import Dispatch

/// A model set: immutable and thread-safe. Its networks are loaded for the first pipeline, those of liveness when they are
/// first used; comparing templates needs none.
package final class LoadedModels: Sendable {
  package let version: ModelVersion
  /// Nil in a set without learned score normalisation: no templates can be made.
  let normalisation: ScoreNormalisation?
  package let calibration: Calibration?
  package let copies: ModelManifest.Model.Copies?
  /// Names and SHA-256 of the files.
  package let files: [(name: String, sha256: String)]
  private typealias Assemble = @Sendable (LoadedModels) throws -> FacePipeline
  private let load: @Sendable () throws -> Assemble
  private let assemble = Lock<Assemble?>(nil)
  /// By role.
  private let networks: [String: LoadableNetwork]
  private let pipelines = Lock(0)

  /// - Parameters:
  ///   - threads: The number of pipelines that can run concurrently at full speed.
  ///   - precision: Bf16 is used only in the networks that the manifest lists for it, in a set that runs in OpenVINO; the
  ///     others stay in f32. In bf16 the detectors and the mesh move landmarks by more than 0.3 pixels on a face with an
  ///     inter-eye distance of 60 pixels (docs/performance.md).
  ///   - cacheFolder: The folder of the compiled models; nil for the user's cache folder.
  /// - Throws: ``VerifyError/Code/modelMissing`` if a file is missing; ``VerifyError/Code/modelMismatch`` only for the
  ///   files that are read here. The hashes of the others are verified when they are loaded.
  package init(
    set: ModelSet, store: ModelStore, threads: Int, precision: ModelVersion.Precision = .f32,
    cacheFolder: String? = nil
  ) throws {
    let models = try store.models(of: set)
    files = models.map { ($0.file, $0.sha256) }
    let embedding = models.first { $0.role == "face embedding" }
    let dlibPoints = models.first { $0.role == "five landmarks" }
    version = ModelVersion(set: set, models: models, precision: dlibPoints == nil ? precision : .f32)
    copies = embedding?.copies
    calibration = try models.first { $0.role == "calibration" }.map { try Calibration(json: store.bytes(of: $0)) }
    normalisation = try models.first { $0.role == "score normalisation" }.map {
      try ScoreNormalisation(bytes: store.bytes(of: $0))
    }
    try store.requireFiles(of: models)
    guard let embedding else { throw VerifyError(.modelMissing, "the model set \"\(set)\" has no face embedding") }
    if let dlibPoints {
      networks = [:]
      load = {
        let points = try DlibPoints(model: store.bytes(of: dlibPoints))
        let network = try store.bytes(of: embedding)
        return { models in
          FacePipeline(
            models: models,
            detector: try HistogramDetector(),
            landmarks: FivePointEstimator(points),
            embedder: DlibEmbedder(try DlibNetwork(model: network)))
        }
      }
      return
    }
    let loader = NetworkLoader(copies: threads, precision: precision, store: store, cacheFolder: cacheFolder)
    let listed = models.filter { $0.inputs != nil }
    let networks = Dictionary(listed.map { ($0.role, LoadableNetwork($0, loader)) }) { first, _ in first }
    self.networks = networks
    let sizes = Dictionary(uniqueKeysWithValues: models.map { ($0.id, $0.size) })
    func size(_ model: ModelManifest.Model) -> Int { model.size + (model.weights.flatMap { sizes[$0] } ?? 0) }
    let early = listed.filter { !NetworkCopies.late.contains($0.role) }.sorted { size($0) > size($1) }.map(\.role)
    let framing = try Framing(embedding)
    load = {
      // Hashing and reading back compiled models dominate loading; they run in parallel, the largest model first.
      _ = try concurrently(early) { try networks[$0]?.copy(0) }
      return { models in
        // Pipelines that share a network wait for each other.
        let number = models.pipelines.withLock { made in
          made += 1
          return made % threads
        }
        return try NetworkCopies(set: set, networks: networks, number: number).pipeline(
          models, embedding: embedding.role, framing: framing)
      }
    }
  }

  /// - Parameter assemble: Makes a pipeline for one thread.
  package init(
    version: ModelVersion, normalisation: ScoreNormalisation?, calibration: Calibration?,
    assemble: @escaping @Sendable (LoadedModels) throws -> FacePipeline
  ) {
    (self.version, self.normalisation, self.calibration) = (version, normalisation, calibration)
    load = { assemble }
    (files, copies, networks) = ([], nil, [:])
  }

  /// Model sets without files, registered by this package's tests. Only code of this package can register one, and
  /// product code registers none: no file, option or environment variable can make an engine answer from a script.
  package static let scripted = Lock<[ModelSet: @Sendable () throws -> LoadedModels]>([:])

  /// Loads all networks.
  package func preload() throws { _ = try concurrently(Array(networks.values)) { try $0.copy(0) } }

  /// Returns a new pipeline for one thread. The first call loads the networks: some hundred milliseconds, or some
  /// seconds the first time on a machine.
  package func makePipeline() throws -> FacePipeline {
    let assemble = try self.assemble.withLock { known in
      let assemble = try known ?? load()
      known = assemble
      return assemble
    }
    return try assemble(self)
  }
}

/// Loads the networks of a set, each as copies for the set's threads.
private final class NetworkLoader: Sendable {
  private let copies: Int
  private let precision: ModelVersion.Precision
  private let store: ModelStore
  private let cache: CompiledModelCache
  /// One for each precision in use, created by the first network.
  private let runtimes = Lock<[ModelVersion.Precision: InferenceRuntime]>([:])

  init(copies: Int, precision: ModelVersion.Precision, store: ModelStore, cacheFolder: String?) {
    (self.copies, self.precision, self.store) = (copies, precision, store)
    cache = CompiledModelCache(folder: cacheFolder)
  }

  func load(_ model: ModelManifest.Model) throws -> [CompiledModel] {
    let precision = model.computes(in: precision) ? precision : .f32
    let runtime = try runtimes.withLock { made in
      let runtime = try made[precision] ?? InferenceRuntime(precision)
      made[precision] = runtime
      return runtime
    }
    return try cache.copies(copies, of: model, in: store, runtime: runtime)
  }
}

/// A network that is loaded when it is first used.
private final class LoadableNetwork: Sendable {
  private let model: ModelManifest.Model
  private let loader: NetworkLoader
  private let copies = Lock<[CompiledModel]?>(nil)

  init(_ model: ModelManifest.Model, _ loader: NetworkLoader) { (self.model, self.loader) = (model, loader) }

  func copy(_ number: Int) throws -> CompiledModel {
    try copies.withLock { loaded in
      let copies = try loaded ?? loader.load(model)
      loaded = copies
      return copies[number]
    }
  }
}

/// The networks of one pipeline.
private struct NetworkCopies: Sendable {
  let set: ModelSet
  let networks: [String: LoadableNetwork]
  let number: Int

  /// Roles of networks that judge liveness, which comparing photos does not need: loaded when they are first used.
  static let late = [texture, smile]
  private static let (texture, smile) = ("presentation attack detection", "smile")

  func pipeline(_ models: LoadedModels, embedding: String, framing: Framing) throws -> FacePipeline {
    FacePipeline(
      models: models,
      detector: try NearFarDetector(near: network("face detection, near"), far: network("face detection, far")),
      landmarks: try MeshEstimator(mesh: network("face mesh"), iris: network("iris")),
      embedder: try DirectionEmbedder(network(embedding), framing: framing),
      texture: score(Self.texture, TextureNetwork.init, TextureNetwork.score),
      smile: score(Self.smile, SmileNetwork.init, SmileNetwork.score))
  }

  private func network(_ role: String) throws -> CompiledModel {
    guard let network = networks[role] else {
      throw VerifyError(.modelMissing, "the model set \"\(set)\" has no \(role)")
    }
    return try network.copy(number)
  }

  private func score<Network, Score>(
    _ role: String, _ make: @escaping (CompiledModel) throws -> Network,
    _ score: @escaping (Network) -> (LocatedFace) throws -> Score
  ) -> ((LocatedFace) throws -> Score)? {
    guard let late = networks[role] else { return nil }
    var network: Network?
    return { face in
      let ready = try network ?? make(late.copy(number))
      network = ready
      return try score(ready)(face)
    }
  }
}

/// Returns the results of `work` on each item, in order; throws the first error.
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
