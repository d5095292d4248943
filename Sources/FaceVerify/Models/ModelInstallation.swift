internal import Glibc

/// The state of a models folder: its files and whether they are intact. It never downloads files.
public struct ModelInstallation: Sendable {
  /// One file of the manifest and its state.
  public struct Item: Sendable {
    public let model: ModelManifest.Model
    public let path: String
    public let state: ModelStore.State
    /// The sets that need it.
    public let sets: [String]
    /// How to fix it; nil if it is intact.
    public let remedy: String?
    /// Whether only optional sets need it.
    public let isOptional: Bool
    /// Whether it is damaged, or missing although not optional.
    public var isProblem: Bool { state != .ok && !(isOptional && state == .missing) }
  }

  private let store: ModelStore
  public var folder: String { store.folder }
  /// The default set of an engine.
  public var bestSet: ModelSet { store.bestSet }

  /// - Throws: ``VerifyError/Code/modelMissing`` if the folder has no manifest.
  public init(folder: String) throws { store = try ModelStore(folder: folder) }

  /// Checks all files by their hashes.
  public func check() -> [Item] { store.manifest.models.map(item) }

  /// Checks the files of some sets by their hashes.
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` for an unknown set, ``VerifyError/Code/modelMissing`` if the manifest
  ///   does not have a model of a set.
  public func check(_ sets: [ModelSet]) throws -> [Item] { try models(of: sets).map(item) }

  /// Without duplicates, since sets share models.
  private func models(of sets: [ModelSet]) throws -> [ModelManifest.Model] {
    let ids = Set(try sets.flatMap(store.models).map(\.id))
    return store.manifest.models.filter { ids.contains($0.id) }
  }

  /// The sets, whether their files exist, and whether they are optional.
  package var sets: [(set: ModelSet, isInstalled: Bool, isOptional: Bool)] {
    store.manifest.sets.keys.sorted().map {
      let set = ModelSet(rawValue: $0)
      return (set, store.hasFiles(of: set), isOptional(set))
    }
  }

  /// The advantage of an optional set, with figures; nil if unknown.
  package func gain(of set: ModelSet) -> String? { store.manifest.gains?[set.rawValue] }

  private func isOptional(_ set: ModelSet) -> Bool {
    let ids = store.manifest.sets[set.rawValue] ?? []
    return store.manifest.models.contains { $0.source.url != nil && ids.contains($0.id) }
  }

  /// Removes downloaded files, but not those of the repository or the package.
  ///
  /// - Returns: the names of the removed files, and their total size in bytes.
  public func removeInstalled() throws -> (files: [String], bytes: Int) {
    var removed: (files: [String], bytes: Int) = ([], 0)
    for model in store.manifest.models where model.source.madeBy == nil {
      let path = store.path(of: model)
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      guard unlink(path) == 0 else { throw VerifyError(.unwritable, "\(path): \(RegularFile.reason(errno))") }
      removed.files.append(model.file)
      removed.bytes += Int(status.st_size)
    }
    return removed
  }

  private func item(_ model: ModelManifest.Model) -> Item {
    let state = store.state(of: model)
    let sets = store.sets(of: model)
    return Item(
      model: model, path: store.path(of: model), state: state, sets: sets,
      remedy: state == .ok ? nil : store.remedy(for: model),
      isOptional: !sets.isEmpty && sets.allSatisfy { isOptional(ModelSet(rawValue: $0)) })
  }
}

extension ModelInstallation {
  /// The JSON form of the result of ``check()``.
  package func jsonValue(of items: [Item]) -> JSONValue {
    [
      "version": .string(FaceVerifyVersion.string), "folder": .string(folder),
      "ok": .bool(!items.contains(where: \.isProblem)), "models": items.jsonValue,
      "sets": .array(
        sets.map {
          [
            "set": .string($0.set.rawValue), "installed": .bool($0.isInstalled), "used": .bool($0.set == bestSet),
            "gain": .optional(gain(of: $0.set)),
          ]
        }),
    ]
  }
}

extension ModelInstallation.Item: JSONConvertible {
  public var jsonValue: JSONValue {
    var found: JSONValue = .null
    let name: String
    switch state {
    case .ok: (name, found) = ("ok", .string(model.sha256))
    case .missing: name = "missing"
    case .mismatch(let hash): (name, found) = ("mismatch", .string(hash))
    }
    return [
      "id": .string(model.id), "role": .string(model.role), "version": .string(model.version),
      "file": .string(model.file), "size": .integer(model.size), "licence": .string(model.licence),
      "source": .string(sourceText), "sets": .array(sets.map(JSONValue.string)), "state": .string(name),
      "optional": .bool(isOptional),
      "sha256": ["expected": .string(model.sha256), "found": found], "remedy": .optional(remedy),
    ]
  }

  /// A short description of the file's source.
  package var sourceText: String {
    let source = model.source
    if let package = source.package { return "PyPI \(package)" }
    if let url = source.url { return url.split(separator: "/").dropFirst().first.map(String.init) ?? url }
    return source.madeBy.map { "made by \($0)" } ?? "unknown"
  }
}
