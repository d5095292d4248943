/// A file of templates for identification (1:N) and for finding duplicates.
///
///     let gallery = try Gallery(path: "customers.fvg", engine: engine)
///     try gallery.add(template, name: "customer 17")
///     let search = try gallery.search(probe, at: .oneIn100)
///     print(search.candidates.filter(\.isMatch).map(\.path))
///
/// Thread-safe; several processes may use the file concurrently. A search sees all entries committed before it began.
/// The first search reads the vectors into memory, 536 bytes per template.
public final class Gallery: Sendable {
  /// The models that made the templates.
  public struct Models: Sendable, Hashable {
    public let set: ModelSet
    public let identifier: String
  }

  /// Facts about a gallery.
  public struct Information: Sendable {
    public let path: String
    public let models: Models
    public let isEncrypted: Bool
    /// Entries with a template, which are searched.
    public let templates: Int
    /// Entries of photos without a template.
    public let failures: Int
  }

  private struct Connection {
    let file: GalleryFile
    /// The data version at the last refresh; nil before the vectors are loaded.
    var version: Int64?
    var removals: Int64 = 0
    var last: Int64 = 0
  }

  public let path: String
  public let models: Models
  public let isEncrypted: Bool
  private let engine: FaceEngine?
  // Lock order: `connection` before `vectors`.
  private let connection: Lock<Connection>
  private let vectors = Lock(GalleryVectors())

  /// Opens a gallery of the engine's models, or creates one that only its owner may read.
  ///
  /// - Parameters:
  ///   - key: encrypts the templates; must be the same each time the gallery is opened.
  ///   - mayCreate: false to open only an existing gallery.
  /// - Throws: ``VerifyError/Code/incompatibleTemplate`` for a gallery of other models,
  ///   ``VerifyError/Code/badArgument`` for a wrong, missing or superfluous key,
  ///   ``VerifyError/Code/unknownFormat``, ``VerifyError/Code/damaged``, ``VerifyError/Code/unreadable``,
  ///   ``VerifyError/Code/unwritable``, ``VerifyError/Code/wrongState`` while another process has locked it.
  public convenience init(path: String, engine: FaceEngine, key: SealingKey? = nil, mayCreate: Bool = true) throws {
    let models = Models(set: engine.modelVersion.set, identifier: engine.modelVersion.identifier)
    try self.init(file: GalleryFile(path: path, models: models, key: key, mayCreate: mayCreate), engine: engine)
  }

  /// Opens an existing gallery without an engine, for everything but searches.
  ///
  /// - Throws: as ``init(path:engine:key:mayCreate:)``.
  public convenience init(opening path: String, key: SealingKey? = nil) throws {
    try self.init(file: GalleryFile(path: path, models: nil, key: key, mayCreate: false), engine: nil)
  }

  private init(file: GalleryFile, engine: FaceEngine?) throws {
    (path, models, isEncrypted, self.engine) = (file.path, file.models, file.isEncrypted, engine)
    connection = Lock(Connection(file: file))
  }

  // ---- Contents

  /// The number of templates that a search covers.
  public var count: Int { get throws { try information.templates } }

  public var information: Information {
    get throws {
      let counts = try connection.withLock { try $0.file.counts() }
      return Information(
        path: path, models: models, isEncrypted: isEncrypted, templates: counts.templates, failures: counts.failures)
    }
  }

  /// Returns the entry with a path or name, whether a template or a failure; nil if there is none.
  public func photo(at path: String) throws -> EmbeddedPhoto? {
    try connection.withLock { try $0.file.entry(at: path) }
  }

  /// SHA-256 by path, of the photos that have one and were judged by the named policy.
  func hashes(policy: String) throws -> [String: String] {
    try connection.withLock { try $0.file.hashes(policy: policy) }
  }

  /// Calls `body` with every entry in order of insertion, loading few at a time. Concurrent additions and removals may
  /// or may not be visible.
  public func visit(_ body: (EmbeddedPhoto) throws -> Void) throws {
    var last: Int64 = 0
    while true {
      let entries = try connection.withLock { try $0.file.entries(after: last, count: 500) }
      for (id, photo) in entries {
        try body(photo)
        last = id
      }
      if entries.isEmpty { return }
    }
  }

  // ---- Changes

  /// Adds a template under a name, replacing a same-named entry. It is on disk when this returns.
  ///
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``, ``VerifyError/Code/badArgument`` for a name that is empty or
  ///   longer than 4,096 bytes, ``VerifyError/Code/unwritable``.
  public func add(_ template: FaceTemplate, name: String) throws {
    try add([EmbeddedPhoto(path: name, sha256: nil, quality: template.quality, template: .success(template))])
  }

  /// Adds entries, replacing same-named ones, all or none. They are on disk when this returns. Adding many at a time is
  /// faster: each call waits for the disk.
  ///
  /// - Throws: as ``add(_:name:)``.
  public func add(_ photos: [EmbeddedPhoto]) throws {
    try change { file in
      try photos.map { photo in
        let (id, replaced) = try file.add(photo)
        return Change(removed: replaced, added: (try? photo.template.get()).map { (id, $0) })
      }
    }
  }

  /// Copies entries of another gallery of the same models, replacing same-named ones.
  ///
  /// If it throws, some entries may have been copied; merging again is safe. Entries added to the other gallery
  /// meanwhile are not copied.
  ///
  /// - Parameters:
  ///   - key: of the other gallery.
  ///   - first: the index of the first entry to copy, in order of insertion.
  ///   - count: the number of entries to copy; nil for all that follow.
  /// - Throws: for the other gallery, as ``init(path:engine:key:mayCreate:)``; as ``add(_:name:)``;
  ///   ``VerifyError/Code/timeout``, ``VerifyError/Code/cancelled``.
  public func merge(
    _ path: String, key: SealingKey? = nil, first: Int = 0, count: Int? = nil, budget: Budget = .unlimited
  ) throws {
    guard first >= 0, count ?? 0 >= 0 else { throw VerifyError(.badArgument, "first and count must not be negative") }
    let other = try GalleryFile(path: path, models: models, key: key, mayCreate: false)
    // When merging a gallery into itself, stop before the added entries.
    let end = try other.lastID()
    guard var last = try other.idBefore(first) else { return }
    var left = count ?? .max
    while left > 0 {
      try budget.check()
      let entries = try other.entries(after: last, count: min(left, 500)).prefix { $0.id <= end }
      guard let newest = entries.last else { return }
      try add(entries.map(\.photo))
      last = newest.id
      left -= entries.count
    }
  }

  /// Removes the entry with a path or name, and overwrites its template.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(_ path: String) throws -> Bool {
    var isThere = false
    try change { file in
      guard let removed = try file.remove(path) else { return [] }
      isThere = true
      return [Change(removed: removed.template, added: nil)]
    }
    return isThere
  }

  private struct Change {
    let removed: Int64?
    let added: (id: Int64, template: FaceTemplate)?
  }

  /// Changes the file, and then the vectors in memory, if loaded.
  private func change(_ body: (GalleryFile) throws -> [Change]) throws {
    try connection.withLock { connection in
      let isLoaded = connection.version != nil
      let (changes, removals) = try connection.file.database.writing {
        // Entries added by other processes have smaller ids than the new ones.
        if isLoaded { try refresh(&connection) }
        return (try body(connection.file), try connection.file.counts().removals)
      }
      guard isLoaded else { return }
      connection.removals = removals
      vectors.withLock { vectors in
        for change in changes {
          if let removed = change.removed { vectors.remove(removed) }
          if let (id, template) = change.added {
            vectors.append(template, id)
            connection.last = id
          }
        }
      }
    }
  }

  /// Loads templates that were added to the file since the last refresh.
  private func refresh(_ connection: inout Connection, _ budget: Budget = .uninterrupted) throws {
    let file = connection.file
    try file.database.reading {
      let version = try file.dataVersion()
      guard version != connection.version else { return }
      let removals = try file.counts().removals
      let isNew = connection.version == nil || removals != connection.removals
      // nil while the vectors are incomplete.
      connection.version = nil
      try vectors.withLock { vectors in
        if isNew {
          vectors = GalleryVectors()
          connection.last = 0
        }
        try file.templates(after: connection.last) { id, bytes in
          try budget.check()
          vectors.append(stored: bytes, id)
          connection.last = id
        }
      }
      (connection.version, connection.removals) = (version, removals)
    }
  }

  // ---- Searching

  /// Returns the entries closest to a template, closest first, and which of them match.
  ///
  /// - Parameters:
  ///   - count: the maximum number of candidates, 1 to 1000.
  ///   - rate: the false-positive identification rate (FPIR, ISO/IEC 19795-1): the share of searches for people who are
  ///     not in the gallery that have a match. Each comparison is decided at this rate divided by the number of
  ///     templates. If the calibration does not support so small a rate, no candidate is a match, and
  ///     ``GallerySearch/note`` states why.
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``, ``VerifyError/Code/damaged``; ``VerifyError/Code/wrongState``
  ///   if the gallery was opened without an engine; ``VerifyError/Code/timeout``, ``VerifyError/Code/cancelled``.
  public func search(
    _ probe: FaceTemplate, count: Int = 10, at rate: FalseMatchRate = .oneIn100, budget: Budget = .unlimited
  ) throws -> GallerySearch {
    let engine = try searching(count)
    try engine.check(probe)
    let (size, closest) = try vectorsInMemory(budget) {
      ($0.count, try $0.closest(to: probe, count: count, budget: budget))
    }
    var search = try GallerySearch(size: size, comparisons: size, at: rate, engine: engine)
    try connection.withLock { connection in
      for (_, id) in closest {
        // nil if another thread has removed it meanwhile.
        guard let photo = try connection.file.entry(id), case .success(let template) = photo.template else { continue }
        search.append(photo.path, score: try Comparison.score(probe, template))
      }
    }
    return search
  }

  /// Returns the pairs of entries closest to each other, closest first, and which of them match: duplicates.
  ///
  /// Compares all pairs, with as many threads as the engine has. 100,000 templates have 5 billion pairs and take
  /// minutes, during which this process cannot add entries.
  ///
  /// - Parameters:
  ///   - count: the maximum number of pairs, 1 to 1000; if all of them match, there may be more.
  ///   - rate: the probability that any non-mated pair is a match. Each comparison is decided at this rate divided by
  ///     the number of pairs.
  /// - Throws: as ``search(_:count:at:budget:)``.
  public func duplicates(
    count: Int = 100, at rate: FalseMatchRate = .oneIn100, budget: Budget = .unlimited
  ) throws -> GallerySearch {
    let engine = try searching(count)
    let (size, closest) = try vectorsInMemory(budget) {
      ($0.count, try $0.closestPairs(count: count, threads: engine.configuration.threads, budget: budget))
    }
    var search = try GallerySearch(size: size, comparisons: size * (size - 1) / 2, at: rate, engine: engine)
    try connection.withLock { connection in
      for (_, a, b) in closest {
        guard let first = try connection.file.entry(a), case .success(let one) = first.template,
          let second = try connection.file.entry(b), case .success(let other) = second.template
        else { continue }
        search.append(first.path, second.path, score: try Comparison.score(one, other))
      }
    }
    return search
  }

  func requireEngine() throws -> FaceEngine {
    guard let engine else {
      throw VerifyError(.wrongState, "\(path): the gallery was opened without an engine, which this needs")
    }
    return engine
  }

  private func searching(_ count: Int) throws -> FaceEngine {
    guard (1...1000).contains(count) else {
      throw VerifyError(.badArgument, "the count of results must be 1 to 1000, not \(count)")
    }
    return try requireEngine()
  }

  private func vectorsInMemory<Result>(_ budget: Budget, _ body: (GalleryVectors) throws -> Result) throws -> Result {
    try budget.check()
    try connection.withLock { try refresh(&$0, budget) }
    return try vectors.read(body)
  }
}

extension Gallery.Information: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": ["set": .string(models.set.rawValue), "identifier": .string(models.identifier)],
      "path": .string(path), "encrypted": .bool(isEncrypted), "templates": .integer(templates),
      "failures": .integer(failures),
    ]
  }
}
