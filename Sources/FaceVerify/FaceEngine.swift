@_exported public import DocumentImaging
@_exported public import FaceAnalysis
internal import Glibc

/// The models, loaded once and immutable. Thread-safe: threads share one engine and may call any method concurrently.
///
///     let engine = try FaceEngine()
///     let decision = try engine.compare(selfie: Photo(path: "selfie.jpg"), portrait: Photo(path: "portrait.jpg"))
///     print(decision.result)
public final class FaceEngine: Sendable {
  /// How to load the models.
  public struct Configuration: Sendable {
    /// The folder with `manifest.json` and the model files; nil for ``ModelStore/defaultFolder``.
    public var modelsFolder: String?
    /// nil for the best installed set: ``ModelStore/bestSet``.
    public var modelSet: ModelSet?
    /// The number of calls that run concurrently at full speed; further calls compete with them. 1 to 64.
    public var threads: Int = 1
    public var precision: Precision = .f32
    /// The folder for compiled models; nil for `$XDG_CACHE_HOME/faceverify` or `~/.cache/faceverify`.
    public var cacheFolder: String?
    /// Log handler; nil, the default, disables logging.
    public var log: LogHandler?

    public init() {}
  }

  /// The precision of the networks' arithmetic.
  public enum Precision: String, Sendable, CaseIterable {
    /// 32-bit floats: the same scores on every machine.
    case f32
    /// bf16 if the processor supports it (AMX-BF16, AVX512-BF16), otherwise f32; determined when the engine is created,
    /// and reported by ``ModelVersion/precision``. Scores change by less than 0.2 (set retail: 0.4); templates of both
    /// precisions are comparable.
    case automatic = "auto"
  }

  public let configuration: Configuration
  /// The loaded models; part of every decision.
  public var modelVersion: ModelVersion { models.version }

  /// Names and SHA-256 of the model files, including those for reading documents.
  package let modelFiles: [(name: String, sha256: String)]

  let models: LoadedModels
  /// Model sets by the identifiers of their templates.
  private let setNames: [String: ModelSet]
  private let pipelines = Pool<FacePipeline>()
  private let documentFinders = DocumentReaders(.outlines, DocumentFinder.init)
  private let zoneReaders = DocumentReaders(.zone, ZoneReader.init)
  private let printReaders = DocumentReaders(.print, PrintReader.init)
  private let copyDetectors = DocumentReaders(.copies, CopyDetector.init)
  private let count: Count

  private static let living = Lock(0)

  private final class Count: Sendable {
    init() { FaceEngine.living.withLock { $0 += 1 } }
    deinit { FaceEngine.living.withLock { $0 -= 1 } }
  }

  /// Reads the calibration and checks that all model files exist. The networks are loaded by ``preload()`` or by the
  /// first call that needs them: some hundred milliseconds, or some seconds the first time on a machine. Comparing
  /// templates needs none, and comparing photos none of those that judge liveness.
  ///
  /// - Throws: ``VerifyError/Code/modelMissing`` or ``VerifyError/Code/modelMismatch``, with a remedy in the message; for
  ///   a network's file, the call that loads it throws ``VerifyError/Code/modelMismatch``.
  public init(_ configuration: Configuration = .init()) throws {
    guard (1...64).contains(configuration.threads) else {
      throw VerifyError(.badArgument, "threads must be 1 to 64, not \(configuration.threads)")
    }
    self.configuration = configuration
    // Counted while still loading, because loading uses the compiled models that `clean` removes.
    count = Count()
    let folder: String
    if let script = LoadedModels.scripted.withLock({ $0[configuration.modelSet ?? .standard] }) {
      (models, setNames, folder) = (try script(), [:], "a script")
      modelFiles = models.files
    } else {
      let store = try ModelStore(folder: ModelStore.folder(configuration.modelsFolder))
      models = try LoadedModels(
        set: configuration.modelSet ?? store.bestSet, store: store, threads: configuration.threads,
        precision: configuration.precision == .automatic && Processor.bf16Unit != nil ? .bf16 : .f32,
        cacheFolder: configuration.cacheFolder)
      (setNames, folder) = (store.setNames, store.folder)
      let readers = (try? store.models(of: ModelSet(rawValue: "documents"))) ?? []
      modelFiles = models.files + readers.map { ($0.file, $0.sha256) }
    }
    guard let log = configuration.log else { return }
    log(
      LogEntry(
        level: .info,
        text: "models \(modelVersion.set) \(modelVersion.identifier) loaded from \(folder), "
          + "computing in \(modelVersion.precision.rawValue)"))
    if let problem = CompiledModelCache(folder: configuration.cacheFolder).problem {
      log(LogEntry(level: .warning, text: problem))
    }
  }

  /// Loads the networks and creates a pipeline in advance, so that the first call is not slower than later ones.
  /// Concurrent calls still create further pipelines, and the networks for documents are loaded when the first document
  /// is read.
  ///
  /// - Throws: ``VerifyError/Code/modelMismatch`` for a file that does not match the manifest.
  public func preload() throws {
    try logged("preload") {
      try use { _ in }
      try models.preload()
    }
  }

  /// Detects the faces of a photo with their landmarks, the most prominent first.
  ///
  /// Finds faces of at least 40 pixels; in photos of more than 12 megapixels, of at least a hundredth of the longer
  /// side of a 4:3 photo of that size.
  ///
  /// - Parameter smallFaces: searches for small faces even if larger ones were found, which is slower; if false, small
  ///   faces are searched for only if no larger one was found.
  public func detect(_ photo: Photo, smallFaces: Bool = true, budget: Budget = .unlimited) throws -> [Face] {
    try logged("detect") {
      try use(budget) { pipeline in try pipeline.locate(in: photo, all: smallFaces, budget: budget).map(\.face) }
    }
  }

  /// Returns the most prominent face of a photo: its quality, and its template unless the policy refuses it.
  ///
  /// - Throws: ``VerifyError/Code/noFace``.
  public func sample(_ photo: Photo, policy: QualityPolicy, budget: Budget = .unlimited) throws -> FaceSample {
    try logged("sample") { try sample(photo, policy: policy, budget, makesTemplate: true) }
  }

  /// Returns the most prominent face of a photo and its quality, without a template.
  ///
  /// - Throws: ``VerifyError/Code/noFace``.
  public func assess(_ photo: Photo, policy: QualityPolicy, budget: Budget = .unlimited) throws -> FaceSample {
    try logged("assess") { try sample(photo, policy: policy, budget, makesTemplate: false) }
  }

  private func sample(
    _ photo: Photo, policy: QualityPolicy, _ budget: Budget, makesTemplate: Bool
  ) throws -> FaceSample {
    try use(budget) { pipeline in
      let decoded = DecodedPhoto(photo, budget: budget)
      let faces = try pipeline.locate(in: decoded, budget: budget)
      guard let first = faces.first else {
        throw VerifyError(
          .noFace,
          "no face found in the \(photo.width)×\(photo.height) picture in any rotation; "
            + "use a photo that shows one face from the front, at least "
            + "\(FacePipeline.smallestFace(width: photo.width, height: photo.height)) pixels wide")
      }
      let chips = try pipeline.chips(of: first, in: decoded)
      try budget.check()
      let quality = QualityReport(of: first, among: faces, photo: photo, chip: chips.plain, policy: policy)
      let isTaken = makesTemplate && quality.isAccepted
      return FaceSample(
        photo: photo, faces: faces.map(\.face), quality: quality,
        template: isTaken ? try pipeline.template(of: chips, quality: quality.score) : nil,
        detail: isTaken ? try pipeline.detail(of: first, in: decoded) : nil)
    }
  }

  /// Compares two templates of this engine's models.
  ///
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``, ``VerifyError/Code/unsupportedRate``.
  public func compare(_ a: FaceTemplate, _ b: FaceTemplate, at rate: FalseMatchRate = .oneIn1000) throws -> Comparison {
    try logged("compare-templates") {
      let calibration = try requireCalibration()
      try check(a)
      try check(b)
      return try Comparison(a, b, calibration.threshold(at: rate), calibration: calibration)
    }
  }

  /// Compares one template with many, for example a selfie with a list of portraits; one result per reference, in
  /// order.
  ///
  /// The rate applies to each comparison: n non-mated references yield up to n times as many false matches.
  ///
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``, naming the template; ``VerifyError/Code/unsupportedRate``.
  public func compare(
    _ probe: FaceTemplate, with references: [FaceTemplate], at rate: FalseMatchRate = .oneIn1000
  ) throws -> [Comparison] {
    try logged("compare-many") {
      let calibration = try requireCalibration()
      try check(probe)
      let threshold = try calibration.threshold(at: rate)
      return try references.enumerated().map { index, reference in
        try VerifyError.naming("reference \(index)") { try check(reference) }
        return try Comparison(probe, reference, threshold, calibration: calibration)
      }
    }
  }

  /// Averages templates of one person that this engine's models made from several pictures; nil if empty.
  ///
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``.
  public func average(_ templates: [FaceTemplate]) throws -> FaceTemplate? {
    for template in templates { try check(template) }
    return templates.count > 1 ? FaceTemplate(averaging: templates) : templates.first
  }

  /// Returns the operating point for a false-match rate.
  ///
  /// - Throws: ``VerifyError/Code/unsupportedRate``; ``VerifyError/Code/modelMissing`` if the set has no calibration.
  public func threshold(at rate: FalseMatchRate) throws -> Calibration.Threshold {
    try requireCalibration().threshold(at: rate)
  }

  /// - Throws: ``VerifyError/Code/incompatibleTemplate`` if other models made the template.
  package func check(_ template: FaceTemplate) throws {
    guard template.modelIdentifier != modelVersion.identifier else { return }
    if let set = setNames[template.modelIdentifier] {
      throw VerifyError(
        .incompatibleTemplate,
        "the template was made with the model set \(set), this engine uses \(modelVersion.set); create it again from its "
          + "photo, or open the engine with the model set \(set)")
    }
    throw VerifyError(
      .incompatibleTemplate,
      "the template was made with other models (\(template.modelIdentifier), not \(modelVersion.identifier)); "
        + "create it again from its photo")
  }

  package func requireCalibration() throws -> Calibration {
    guard let calibration = models.calibration else {
      throw VerifyError(
        .modelMissing, "the model set \"\(modelVersion.set)\" has no calibration: comparisons cannot be decided")
    }
    return calibration
  }

  /// Removes the compiled models from the cache; the next engine compiles them again.
  ///
  /// - Parameter cacheFolder: as in ``Configuration/cacheFolder``.
  /// - Returns: the number of removed files and their total size in bytes.
  /// - Throws: ``VerifyError/Code/wrongState`` while this process has an engine, ``VerifyError/Code/unwritable``.
  @discardableResult
  public static func clean(cacheFolder: String? = nil) throws -> (files: Int, bytes: Int) {
    try living.withLock { count in
      guard count == 0 else {
        throw VerifyError(
          .wrongState, "\(count) engine\(count == 1 ? "" : "s") of this process use the models; release them first")
      }
      return try CompiledModelCache(folder: cacheFolder).clean()
    }
  }

  /// The calibration of the loaded models, which determines thresholds; nil if the set has none.
  public var calibration: Calibration? { models.calibration }

  /// Returns a function that embeds the most prominent face of a photo; the face is detected once.
  @_spi(Benchmarks) public func embeddingMeasurement(of photo: Photo) throws -> () throws -> [Float] {
    let chips = try use { pipeline in
      guard let face = try pipeline.locate(in: photo).first else { throw VerifyError(.noFace, "no face found") }
      return try pipeline.chips(of: face, in: photo)
    }
    return { try self.use { pipeline in try pipeline.embedding(of: chips) } }
  }

  /// Returns a function that measures the quality of the most prominent face of a photo; the face is detected once.
  @_spi(Benchmarks) public func qualityMeasurement(
    of photo: Photo, policy: QualityPolicy
  ) throws -> () -> QualityReport {
    try use { pipeline in
      let faces = try pipeline.locate(in: photo)
      guard let first = faces.first else { throw VerifyError(.noFace, "no face found") }
      let chip = try pipeline.chips(of: first, in: photo).plain
      return { QualityReport(of: first, among: faces, photo: photo, chip: chip, policy: policy) }
    }
  }

  /// Runs `body` with a pipeline for its exclusive use.
  func use<Result>(_ budget: Budget = .unlimited, _ body: (FacePipeline) throws -> Result) throws -> Result {
    try budget.check()
    return try pipelines.use(orMake: models.makePipeline, body)
  }

  /// Runs `body` with a finder of documents for its exclusive use.
  func useDocumentFinder<Result>(_ budget: Budget, _ body: (DocumentFinder) throws -> Result) throws -> Result {
    try documentFinders.use(configuration, budget, body)
  }

  /// Runs `body` with a reader of zones for its exclusive use.
  func useReader<Result>(_ budget: Budget, _ body: (ZoneReader) throws -> Result) throws -> Result {
    try zoneReaders.use(configuration, budget, body)
  }

  /// Runs `body` with a reader of printed text for its exclusive use.
  func usePrintReader<Result>(_ budget: Budget, _ body: (PrintReader) throws -> Result) throws -> Result {
    try printReaders.use(configuration, budget, body)
  }

  /// Runs `body` with a detector of copied documents for its exclusive use.
  func useCopyDetector<Result>(_ budget: Budget, _ body: (CopyDetector) throws -> Result) throws -> Result {
    try copyDetectors.use(configuration, budget, body)
  }
}

extension FaceEngine: JSONConvertible {
  /// The loaded models, their thresholds, and the calibration behind them.
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string), "models": modelVersion.jsonValue,
      "thresholds": calibration?.thresholds.jsonValue ?? .null, "calibration": calibration?.source.jsonValue ?? .null,
    ]
  }
}
