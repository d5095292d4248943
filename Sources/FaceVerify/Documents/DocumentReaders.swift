/// The readers of one kind, each used by one thread at a time. Their networks are loaded by the first use.
final class DocumentReaders<Reader>: Sendable {
  private let kind: DocumentModels.Kind
  private let make: @Sendable (DocumentModels) throws -> Reader
  private let models = Lock<DocumentModels?>(nil)
  private let readers = Pool<Reader>()

  init(_ kind: DocumentModels.Kind, _ make: @escaping @Sendable (DocumentModels) throws -> Reader) {
    (self.kind, self.make) = (kind, make)
  }

  /// Runs `body` with a reader for its exclusive use.
  func use<Result>(
    _ configuration: FaceEngine.Configuration, _ budget: Budget, _ body: (Reader) throws -> Result
  ) throws -> Result {
    try budget.check()
    let models = try models.withLock { loaded in
      if let loaded { return loaded }
      let store = try ModelStore(folder: ModelStore.folder(configuration.modelsFolder))
      let models = try DocumentModels(
        kind, store: store, threads: configuration.threads, cacheFolder: configuration.cacheFolder)
      loaded = models
      return models
    }
    return try readers.use(orMake: { try make(models) }, body)
  }
}
