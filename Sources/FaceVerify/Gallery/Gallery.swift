/// The templates of many people in one file, to find who a photo shows (1:N), and who is in it twice.
///
///     let gallery = try Gallery(path: "customers.fvg", engine: engine)
///     try gallery.add(template, name: "customer 17")
///     let search = try gallery.search(probe, at: .oneIn100)
///     print(search.candidates.filter(\.isMatch).map(\.path))
///
/// Any threads may use it at the same time, and any processes the file. A search sees what was committed before it began.
/// The vectors, 536 bytes for each template, are read into memory by the first search.
public final class Gallery: Sendable {
  /// Which models made the templates.
  public struct Models: Sendable, Hashable {
    public let set: ModelSet
    public let identifier: String
  }

  /// What there is.
  public struct Information: Sendable {
    public let path: String
    public let models: Models
    public let isEncrypted: Bool
    /// Entries that searches look at.
    public let templates: Int
    /// Entries of photos that gave no template.
    public let failures: Int
  }

  /// What this process has read of the file.
  private struct Connection {
    let file: GalleryFile
    /// Nil until vectors are there.
    var version: Int64?
    var removals: Int64 = 0
    var last: Int64 = 0
  }

  public let path: String
  public let models: Models
  public let isEncrypted: Bool
  private let engine: FaceEngine?
  // Taken before `vectors` wherever both are.
  private let connection: Lock<Connection>
  private let vectors = ReadWriteLock(GalleryVectors())

  /// Opens a gallery of the engine's models, or makes one, which only its owner may read.
  ///
  /// - Parameters:
  ///   - key: encrypts the templates; must be the same whenever the gallery is opened.
  ///   - mayCreate: false to open one that is there only.
  /// - Throws: ``VerifyError/Code/incompatibleTemplate`` for a gallery of other models,
  ///   ``VerifyError/Code/badArgument`` for a wrong key, or one too many or too few,
  ///   ``VerifyError/Code/unknownFormat``, ``VerifyError/Code/damaged``, ``VerifyError/Code/unreadable``,
  ///   ``VerifyError/Code/unwritable``, ``VerifyError/Code/wrongState`` while another process holds it.
  public convenience init(path: String, engine: FaceEngine, key: Key? = nil, mayCreate: Bool = true) throws {
    let models = Models(set: engine.modelVersion.set, identifier: engine.modelVersion.identifier)
    try self.init(file: GalleryFile(path: path, models: models, key: key, mayCreate: mayCreate), engine: engine)
  }

  /// Opens a gallery that is there, for all but searches.
  ///
  /// - Throws: as ``init(path:engine:key:mayCreate:)``.
  public convenience init(opening path: String, key: Key? = nil) throws {
    try self.init(file: GalleryFile(path: path, models: nil, key: key, mayCreate: false), engine: nil)
  }

  private init(file: GalleryFile, engine: FaceEngine?) throws {
    (path, models, isEncrypted, self.engine) = (file.path, file.models, file.isEncrypted, engine)
    connection = Lock(Connection(file: file))
  }

  // ---- What is in it

  /// How many templates a search looks at.
  public var count: Int { get throws { try information.templates } }

  public var information: Information {
    get throws {
      let counts = try connection.withLock { try $0.file.counts() }
      return Information(
        path: path, models: models, isEncrypted: isEncrypted, templates: counts.templates, failures: counts.failures)
    }
  }

  /// The entry of a path or name, be it a template or a failure; nil if there is none.
  public func photo(at path: String) throws -> EmbeddedPhoto? {
    try connection.withLock { try $0.file.entry(at: path) }
  }

  /// SHA-256 of the photos by path, of those that have one and were judged by the policy of a name.
  func hashes(policy: String) throws -> [String: String] {
    try connection.withLock { try $0.file.hashes(policy: policy) }
  }

  /// Gives every entry to `body` in the order in which they were added, with few in memory at a time. What is added or
  /// removed meanwhile may be given or not.
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

  /// Adds a template under a name, in the place of what has that name. Once this returns, it is on the disk.
  ///
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``, ``VerifyError/Code/badArgument`` for a name that is empty or
  ///   longer than 4,096 bytes, ``VerifyError/Code/unwritable``.
  public func add(_ template: FaceTemplate, name: String) throws {
    try add([EmbeddedPhoto(path: name, sha256: nil, quality: template.quality, template: .success(template))])
  }

  /// Adds entries, each in the place of what has its path: all of them, or none if this throws. Once this returns, they
  /// are on the disk. Many at a time are faster than one by one: each call waits for the disk.
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

  /// Copies entries of another gallery of the same models, each in the place of what has its path.
  ///
  /// What throws may have copied some; to do it again is no harm. What is added to the other gallery meanwhile is left.
  ///
  /// - Parameters:
  ///   - key: of the other gallery.
  ///   - first: the first to take, of all that it has in the order in which they were added; 0 is the very first.
  ///   - count: how many to take; nil for all that follow.
  /// - Throws: for the other gallery, as ``init(path:engine:key:mayCreate:)``; as ``add(_:name:)``.
  public func merge(_ path: String, key: Key? = nil, first: Int = 0, count: Int? = nil) throws {
    guard first >= 0, count ?? 0 >= 0 else { throw VerifyError(.badArgument, "first and count must not be negative") }
    let other = try GalleryFile(path: path, models: models, key: key, mayCreate: false)
    // A gallery that is merged into itself grows at its end.
    let end = try other.lastID()
    guard var last = try other.idBefore(first) else { return }
    var left = count ?? .max
    while left > 0 {
      let entries = try other.entries(after: last, count: min(left, 500)).prefix { $0.id <= end }
      guard let newest = entries.last else { return }
      try add(entries.map(\.photo))
      last = newest.id
      left -= entries.count
    }
  }

  /// Removes the entry of a path or name, and overwrites its template.
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

  /// Changes the file, and then the vectors in memory, if there are any.
  private func change(_ body: (GalleryFile) throws -> [Change]) throws {
    try connection.withLock { connection in
      let isLoaded = connection.version != nil
      let (changes, removals) = try connection.file.database.writing {
        // What others have added has smaller numbers than what is added now.
        if isLoaded { try refresh(&connection) }
        return (try body(connection.file), try connection.file.counts().removals)
      }
      guard isLoaded else { return }
      connection.removals = removals
      vectors.write { vectors in
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

  /// Reads into memory what is in the file and not there yet.
  private func refresh(_ connection: inout Connection) throws {
    let file = connection.file
    try file.database.reading {
      let version = try file.dataVersion()
      guard version != connection.version else { return }
      let removals = try file.counts().removals
      let isNew = connection.version == nil || removals != connection.removals
      // Nil while it is not known what is there.
      connection.version = nil
      try vectors.write { vectors in
        if isNew {
          vectors = GalleryVectors()
          connection.last = 0
        }
        try file.templates(after: connection.last) { id, bytes in
          vectors.append(stored: bytes, id)
          connection.last = id
        }
      }
      (connection.version, connection.removals) = (version, removals)
    }
  }

  // ---- Searching

  /// The entries that are closest to a template, closest first, and which of them match.
  ///
  /// - Parameters:
  ///   - count: at most so many, 1 to 1000.
  ///   - rate: the share of searches for people who are not in the gallery that may have a match (false-positive
  ///     identification rate, FPIR, ISO/IEC 19795-1). Each comparison is decided at this rate over the number of
  ///     templates. If the calibration does not support so small a rate, nothing is called a match, and
  ///     ``GallerySearch/note`` says why.
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``, ``VerifyError/Code/damaged``; ``VerifyError/Code/wrongState``
  ///   if the gallery was opened without an engine.
  public func search(
    _ probe: FaceTemplate, count: Int = 10, at rate: FalseMatchRate = .oneIn100
  ) throws -> GallerySearch {
    let engine = try searching(count)
    try engine.check(probe)
    let (size, closest) = try vectorsInMemory { ($0.count, $0.closest(to: probe, count: count)) }
    var search = try GallerySearch(size: size, comparisons: size, at: rate, engine: engine)
    try connection.withLock { connection in
      for (_, id) in closest {
        // Nil if another thread has just removed it.
        guard let photo = try connection.file.entry(id), case .success(let template) = photo.template else { continue }
        search.append(photo.path, score: try Comparison.score(probe, template))
      }
    }
    return search
  }

  /// The pairs of entries that are closest to each other, closest first, and which of them match: the same person twice.
  ///
  /// All pairs are compared, by as many threads as the engine has: 100,000 templates have 5 billion, and take minutes,
  /// in which nothing can be added by this process.
  ///
  /// - Parameters:
  ///   - count: at most so many, 1 to 1000; if all of them match, there may be more.
  ///   - rate: the probability that any pair of different people is called a match. Each comparison is decided at this
  ///     rate over the number of pairs.
  /// - Throws: as ``search(_:count:at:)``; ``VerifyError/Code/timeout``, ``VerifyError/Code/cancelled``.
  public func duplicates(
    count: Int = 100, at rate: FalseMatchRate = .oneIn100, budget: Budget = .unlimited
  ) throws -> GallerySearch {
    let engine = try searching(count)
    try budget.check()
    let (size, closest) = try vectorsInMemory {
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

  private func vectorsInMemory<Result>(_ body: (GalleryVectors) throws -> Result) throws -> Result {
    try connection.withLock { try refresh(&$0) }
    return try vectors.read(body)
  }
}
