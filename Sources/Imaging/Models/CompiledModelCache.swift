internal import Glibc

/// A cache of compiled models in the user's cache folder: compiling takes seconds, reading back a fraction of that.
///
/// Each file is named after what it depends on (model hash, runtime version, precision, processor) and ends with the
/// hash of its content, so that a damaged file is not used. Files are renamed into place: processes that start at the
/// same time do not see partial files. If the folder is not writable, models are compiled on every start.
package struct CompiledModelCache: Sendable {
  /// Nil if no cache folder can be determined: nothing is cached.
  package let folder: String?

  /// - Parameter folder: Nil for `$XDG_CACHE_HOME/faceverify` or `~/.cache/faceverify`.
  package init(folder: String? = nil) {
    self.folder =
      folder ?? Self.environment("XDG_CACHE_HOME").map { $0 + "/faceverify" }
      ?? Self.environment("HOME").map { $0 + "/.cache/faceverify" }
  }

  /// Why compiled models cannot be cached, which makes each start slower; nil if they can.
  package var problem: String? {
    guard let folder else { return "compiled models are not cached: neither XDG_CACHE_HOME nor HOME is set" }
    return access(folder, W_OK) == 0
      ? nil : "compiled models cannot be cached in \(folder): \(RegularFile.reason(errno))"
  }

  /// Removes all compiled models and temporary files of interrupted processes.
  ///
  /// - Returns: The number of removed files, and their size in bytes.
  package func clean() throws -> (files: Int, bytes: Int) {
    guard let folder, let names = try? RegularFile.names(in: folder).map(\.name) else { return (0, 0) }
    var removed = (files: 0, bytes: 0)
    for name in names where name.hasSuffix(".blob") || name.contains(".blob.") {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      guard unlink(path) == 0 else { throw VerifyError(.unwritable, "\(path): \(RegularFile.reason(errno))") }
      removed = (removed.files + 1, removed.bytes + Int(status.st_size))
    }
    return removed
  }

  /// Returns `count` compiled copies of one network, each for one thread, after verifying the hashes of its files.
  package func copies(
    _ count: Int, of model: ModelManifest.Model, in store: ModelStore, runtime: InferenceRuntime
  ) throws -> [CompiledModel] {
    for model in try [model] + [model.weights].compactMap({ $0 }).map(store.model) { _ = try store.bytes(of: model) }
    let path = folder.map { "\($0)/\(key(model, runtime.precision)).blob" }
    func stored(_ count: Int) -> [CompiledModel]? {
      guard let path, let bytes = try? RegularFile.read(path: path, maximumBytes: 1 << 30), bytes.count > 32,
        sha256Bytes(bytes.dropLast(32)) == Array(bytes.suffix(32))
      else { return nil }
      return try? runtime.load(compiled: bytes, count: bytes.count - 32, copies: count)
    }
    if let all = stored(count) { return all }
    let first = try runtime.compile(path: store.path(of: model))
    if let path { try? save(first, to: path) }
    guard count > 1 else { return [first] }
    let others = try stored(count - 1) ?? (1..<count).map { _ in try runtime.compile(path: store.path(of: model)) }
    return [first] + others
  }

  private func save(_ model: CompiledModel, to path: String) throws {
    guard let folder else { return }
    try RegularFile.makeFolder(folder)
    let bytes = try model.exported()
    try RegularFile.write(bytes + sha256Bytes(bytes), to: path)
  }

  private func key(_ model: ModelManifest.Model, _ precision: ModelVersion.Precision) -> String {
    let parts = [model.sha256, InferenceRuntime.version, precision.rawValue, Processor.flags]
    return String(sha256(Array(parts.joined(separator: " ").utf8)).prefix(32))
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
