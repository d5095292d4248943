internal import Glibc

/// The database of a gallery. Not thread-safe.
///
/// Uses a rollback journal instead of a write-ahead log: searches run on vectors in memory, so that concurrent readers
/// would gain little, and no removed template outlives the commit in another file.
///
/// All rows of `template` have the same size, are never deleted, and never move: a removed template is overwritten in
/// place, and its slot reused. Deleting rows would let SQLite move other rows between pages, leaving copies behind that
/// `secure_delete` does not overwrite.
final class GalleryFile {
  let database: Database
  let models: Gallery.Models
  private let cipher: Cipher?

  var path: String { database.path }
  var isEncrypted: Bool { cipher != nil }

  /// "FVGa".
  private static let applicationID = 0x4656_4761
  private static let version: Int64 = 1
  /// Maximum length of a name: PATH_MAX.
  private static let longestPath = 4096

  /// - Parameters:
  ///   - models: the required models; nil for any.
  ///   - mayCreate: whether to create a gallery of these models if there is none.
  init(path: String, models: Gallery.Models?, key: SealingKey?, mayCreate: Bool) throws {
    try Self.makeFile(path, mayCreate: mayCreate)
    database = try Database(path: path, of: .gallery)
    let cipher = try key.map { try $0.cipher() }
    // Overwrite freed space with zeros; no temporary files; no functions in the schema.
    try database.script("PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF")
    if try Self.number("PRAGMA schema_version", in: database) == 0 {
      guard let models, mayCreate else {
        throw VerifyError(.unknownFormat, "\(path) is empty and not a gallery; name the file of a gallery")
      }
      try Self.create(in: database, models, cipher)
    }
    try Self.checkFormat(of: database)
    self.models = try Self.check(database, models: models, cipher: cipher)
    self.cipher = cipher
  }

  /// Creates an empty file that only its owner may read, unless it exists.
  private static func makeFile(_ path: String, mayCreate: Bool) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw VerifyError(.badArgument, "the file name is empty, or holds a zero byte")
    }
    var status = stat()
    if stat(path, &status) == 0 {
      // Not checked by opening it: closing it again would release the locks of a gallery that this process has open.
      guard status.st_mode & S_IFMT == S_IFREG else {
        let kind = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "not a regular file"
        throw VerifyError(.unreadable, "\(path) is \(kind); name a file")
      }
      return
    }
    guard mayCreate else {
      let reason = errno == ENOENT ? "there is no such file" : RegularFile.reason(errno)
      throw VerifyError(.unreadable, "\(path): \(reason)")
    }
    let file = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 || errno == EEXIST else { throw VerifyError(.unwritable, "\(path): \(RegularFile.reason(errno))") }
    if file >= 0 { close(file) }
  }

  private static func create(in database: Database, _ models: Gallery.Models, _ cipher: Cipher?) throws {
    try database.writing {
      // Another process may have created it meanwhile.
      guard try number("PRAGMA schema_version", in: database) == 0 else { return }
      try database.script(
        """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        CREATE TABLE gallery (
          model_set TEXT NOT NULL, model_identifier TEXT NOT NULL, key_check BLOB,
          templates INTEGER NOT NULL, failures INTEGER NOT NULL, removals INTEGER NOT NULL);
        CREATE TABLE entry (
          id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, sha256 TEXT, quality INTEGER, policy TEXT,
          slot INTEGER, failure TEXT, message TEXT);
        CREATE TABLE template (slot INTEGER PRIMARY KEY, vector BLOB NOT NULL);
        CREATE TABLE free (slot INTEGER PRIMARY KEY);
        """)
      try database.run(
        "INSERT INTO gallery VALUES (?, ?, ?, 0, 0, 0)", .text(models.set.rawValue), .text(models.identifier),
        try cipher.map { cipher in
          .bytes(try keyCheck.withUnsafeBytes { try cipher.seal($0, with: Array(models.identifier.utf8)) })
        } ?? .null)
    }
  }

  /// Sealed with the key, so that a wrong key is detected on opening.
  private static let keyCheck = Array("faceverify gallery".utf8)

  private static func number(_ sql: String, in database: Database) throws -> Int64 {
    var number: Int64 = 0
    try database.run(sql) { number = $0.integer(0) }
    return number
  }

  private static func checkFormat(of database: Database) throws {
    guard try number("PRAGMA application_id", in: database) == applicationID else {
      throw VerifyError(.unknownFormat, "\(database.path) is a database but not a gallery; name the file of a gallery")
    }
    let found = try number("PRAGMA user_version", in: database)
    guard found == version else {
      throw VerifyError(
        .unknownFormat,
        "\(database.path) is a gallery of version \(found), and this release reads version \(version); "
          + "use a later release, or rebuild it")
    }
    // Detects truncation, which SQLite would report only on reading a missing page.
    var status = stat()
    let bytes = try number("PRAGMA page_count", in: database) * number("PRAGMA page_size", in: database)
    guard stat(database.path, &status) == 0, Int64(status.st_size) >= bytes else { throw database.damaged }
  }

  private static func check(
    _ database: Database, models wanted: Gallery.Models?, cipher: Cipher?
  ) throws -> Gallery.Models {
    var found: (models: Gallery.Models, keyCheck: [UInt8])?
    try database.run("SELECT model_set, model_identifier, key_check FROM gallery") { row in
      let models = Gallery.Models(set: .init(rawValue: row.text(0) ?? ""), identifier: row.text(1) ?? "")
      found = (models, Array(row.bytes(2)))
    }
    guard let (models, sealed) = found, models.identifier.utf8.count == 16 else { throw database.damaged }
    if let wanted, wanted.identifier != models.identifier {
      let path = database.path
      throw VerifyError(
        .incompatibleTemplate,
        wanted.set == models.set
          ? "\(path): the gallery was made with other models of the set \(models.set) (\(models.identifier), not "
            + "\(wanted.identifier)); rebuild it from its photos"
          : "\(path): the gallery was made with the model set \(models.set), this engine uses \(wanted.set); rebuild "
            + "it from its photos, or open the engine with the model set \(models.set)")
    }
    switch (cipher, sealed.isEmpty) {
    case (nil, true): break
    case (nil, false):
      throw VerifyError(.badArgument, "\(database.path): the gallery is encrypted; give its key")
        .advising(.giveGalleryKey)
    case (.some, true):
      throw VerifyError(
        .badArgument, "\(database.path): the gallery is not encrypted; open it without a key, or build another with it")
    case (let cipher?, false):
      var opened = [UInt8](repeating: 0, count: keyCheck.count)
      let isRight = sealed.withUnsafeBytes { sealed in
        opened.withUnsafeMutableBytes { cipher.open(sealed, with: Array(models.identifier.utf8), into: $0) }
      }
      guard isRight, opened == keyCheck else {
        throw VerifyError(.badArgument, "\(database.path): this is not the key that the gallery was encrypted with")
      }
    }
    return models
  }

  // ---- Contents

  struct Counts {
    let templates: Int
    let failures: Int
    /// Incremented whenever a template is removed or replaced.
    let removals: Int64
  }

  func counts() throws -> Counts {
    var counts: Counts?
    try database.run("SELECT templates, failures, removals FROM gallery") {
      counts = Counts(templates: Int($0.integer(0)), failures: Int($0.integer(1)), removals: $0.integer(2))
    }
    guard let counts else { throw database.damaged }
    return counts
  }

  /// Changes whenever another connection has modified the file.
  func dataVersion() throws -> Int64 { try Self.number("PRAGMA data_version", in: database) }

  /// Calls `body` with the templates of entries after `id`, in order of insertion; the bytes are those of
  /// ``FaceTemplate/store(in:)``.
  func templates(after id: Int64, _ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws {
    try withUnsafeTemporaryAllocation(byteCount: FaceTemplate.storedSize, alignment: 8) { plain in
      defer { wipe(plain) }
      let sql = """
        SELECT e.id, e.path, t.vector FROM entry e JOIN template t ON t.slot = e.slot WHERE e.id > ? ORDER BY e.id
        """
      try database.run(sql, .integer(id)) { row in
        let id = row.integer(0)
        try body(id, open(row.bytes(2), id, cipher == nil ? "" : row.text(1) ?? "", into: plain))
      }
    }
  }

  private static let columns = "e.id, e.path, e.sha256, e.quality, e.policy, e.failure, e.message, t.vector"
  private static let tables = "entry e LEFT JOIN template t ON t.slot = e.slot"

  func entry(at path: String) throws -> EmbeddedPhoto? { try entry("e.path", .text(path)) }
  func entry(_ id: Int64) throws -> EmbeddedPhoto? { try entry("e.id", .integer(id)) }

  private func entry(_ column: String, _ value: Database.Value) throws -> EmbeddedPhoto? {
    var found: EmbeddedPhoto?
    try database.run("SELECT \(Self.columns) FROM \(Self.tables) WHERE \(column) = ?", value) {
      found = try photo($0).photo
    }
    return found
  }

  func entries(after id: Int64, count: Int) throws -> [(id: Int64, photo: EmbeddedPhoto)] {
    var entries: [(Int64, EmbeddedPhoto)] = []
    try database.run(
      "SELECT \(Self.columns) FROM \(Self.tables) WHERE e.id > ? ORDER BY e.id LIMIT ?", .integer(id),
      .integer(Int64(count))
    ) { entries.append(try photo($0)) }
    return entries
  }

  func lastID() throws -> Int64 { try Self.number("SELECT coalesce(max(id), 0) FROM entry", in: database) }

  /// The id that precedes entry `index`, in order of insertion; nil if there are fewer entries.
  func idBefore(_ index: Int) throws -> Int64? {
    var found: Int64?
    try database.run("SELECT id FROM entry ORDER BY id LIMIT 1 OFFSET ?", .integer(Int64(index))) {
      found = $0.integer(0) - 1
    }
    return found
  }

  func hashes(policy: String) throws -> [String: String] {
    var hashes: [String: String] = [:]
    try database.run("SELECT path, sha256 FROM entry WHERE sha256 IS NOT NULL AND policy = ?", .text(policy)) { row in
      if let path = row.text(0), let sha256 = row.text(1) { hashes[path] = sha256 }
    }
    return hashes
  }

  private func photo(_ row: Database.Row) throws -> (id: Int64, photo: EmbeddedPhoto) {
    let (id, path) = (row.integer(0), row.text(1) ?? "")
    let quality = row.isNull(3) ? nil : Int(row.integer(3))
    let template: Result<FaceTemplate, EmbeddedPhoto.Failure>
    if let failure = row.text(5) {
      template = .failure(.init(code: failure, message: row.text(6) ?? ""))
    } else {
      template = try withUnsafeTemporaryAllocation(byteCount: FaceTemplate.storedSize, alignment: 8) { plain in
        defer { wipe(plain) }
        return .success(
          FaceTemplate(
            stored: try open(row.bytes(7), id, path, into: plain), modelIdentifier: models.identifier, quality: quality)
        )
      }
    }
    return (
      id, EmbeddedPhoto(path: path, sha256: row.text(2), quality: quality, policy: row.text(4), template: template)
    )
  }

  private func open(
    _ bytes: UnsafeRawBufferPointer, _ id: Int64, _ path: String, into plain: UnsafeMutableRawBufferPointer
  ) throws -> UnsafeRawBufferPointer {
    let opened: UnsafeRawBufferPointer
    if let cipher {
      guard cipher.open(bytes, with: additional(id, path), into: plain) else { throw database.damaged }
      opened = UnsafeRawBufferPointer(plain)
    } else {
      opened = bytes
    }
    guard FaceTemplate.isStored(opened) else { throw database.damaged }
    return opened
  }

  /// Additional authenticated data of a sealed template, which binds it to its entry, models and name.
  private func additional(_ id: Int64, _ path: String) -> [UInt8] {
    withUnsafeBytes(of: id.littleEndian, Array.init) + Array(models.identifier.utf8) + Array(path.utf8)
  }

  // ---- Changes, within a transaction

  /// Adds an entry, replacing one with the same path.
  ///
  /// - Returns: its id, and the id of a replaced template.
  func add(_ photo: EmbeddedPhoto) throws -> (id: Int64, replaced: Int64?) {
    guard !photo.path.isEmpty, photo.path.utf8.count <= Self.longestPath, !photo.path.utf8.contains(0) else {
      throw VerifyError(
        .badArgument, "the name of an entry has 1 to \(Self.longestPath) bytes, none of them zero: \(photo.path)")
    }
    let replaced = try remove(photo.path)?.template
    let quality = photo.quality.map { Database.Value.integer(Int64($0)) } ?? .null
    let sha256 = photo.sha256.map(Database.Value.text) ?? .null
    let policy = photo.policy.map(Database.Value.text) ?? .null
    switch photo.template {
    case .failure(let failure):
      try database.run(
        "INSERT INTO entry (path, sha256, quality, policy, failure, message) VALUES (?, ?, ?, ?, ?, ?)",
        .text(photo.path), sha256, quality, policy, .text(failure.code), .text(failure.message))
      let id = database.lastRow
      try database.run("UPDATE gallery SET failures = failures + 1")
      return (id, replaced)
    case .success(let template):
      guard template.modelIdentifier == models.identifier else {
        throw VerifyError(
          .incompatibleTemplate,
          "\(photo.path): the template was made with other models (\(template.modelIdentifier), not "
            + "\(models.identifier)); create it again from its photo")
      }
      let slot = try freeSlot()
      try database.run(
        "INSERT INTO entry (path, sha256, quality, policy, slot) VALUES (?, ?, ?, ?, ?)", .text(photo.path), sha256,
        quality, policy, .integer(slot))
      let id = database.lastRow
      var bytes = try stored(template, id, photo.path)
      defer { bytes.withUnsafeMutableBytes { wipe($0) } }
      try database.run(
        "INSERT INTO template VALUES (?1, ?2) ON CONFLICT (slot) DO UPDATE SET vector = ?2", .integer(slot),
        .bytes(bytes))
      try database.run("UPDATE gallery SET templates = templates + 1")
      return (id, replaced)
    }
  }

  private func stored(_ template: FaceTemplate, _ id: Int64, _ path: String) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: FaceTemplate.storedSize)
    bytes.withUnsafeMutableBytes { template.store(in: $0) }
    guard let cipher else { return bytes }
    defer { bytes.withUnsafeMutableBytes { wipe($0) } }
    return try bytes.withUnsafeBytes { try cipher.seal($0, with: additional(id, path)) }
  }

  private func freeSlot() throws -> Int64 {
    var free: Int64?
    try database.run("SELECT slot FROM free LIMIT 1") { free = $0.integer(0) }
    guard let free else { return try Self.number("SELECT coalesce(max(slot), 0) + 1 FROM template", in: database) }
    try database.run("DELETE FROM free WHERE slot = ?", .integer(free))
    return free
  }

  struct Removed {
    /// The id of the entry, if it had a template.
    let template: Int64?
  }

  /// - Returns: nil if there is no such entry.
  func remove(_ path: String) throws -> Removed? {
    var found: (id: Int64, slot: Int64?)?
    try database.run("SELECT id, slot FROM entry WHERE path = ?", .text(path)) {
      found = ($0.integer(0), $0.isNull(1) ? nil : $0.integer(1))
    }
    guard let (id, slot) = found else { return nil }
    try database.run("DELETE FROM entry WHERE id = ?", .integer(id))
    guard let slot else {
      try database.run("UPDATE gallery SET failures = failures - 1")
      return Removed(template: nil)
    }
    try database.run("UPDATE template SET vector = zeroblob(length(vector)) WHERE slot = ?", .integer(slot))
    try database.run("INSERT INTO free VALUES (?)", .integer(slot))
    try database.run("UPDATE gallery SET templates = templates - 1, removals = removals + 1")
    return Removed(template: id)
  }
}
