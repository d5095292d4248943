internal import Glibc

/// A models folder as it lies on the disk: what is in it, and whether it is right.
///
/// Nothing is fetched: that is the business of `faceverify models install`.
public struct ModelInstallation: Sendable {
  /// One file of the manifest and its state.
  public struct Item: Sendable {
    public let model: ModelManifest.Model
    public let path: String
    public let state: ModelStore.State
    /// The sets that need it.
    public let sets: [String]
    /// How to put it right; nil if it is right.
    public let remedy: String?
    /// Whether only sets that are installed by themselves need it.
    public let isOptional: Bool
    /// Whether it is not right, and should be: what is optional may be missing, and must not be damaged.
    public var isProblem: Bool { state != .ok && !(isOptional && state == .missing) }
  }

  private let store: ModelStore
  public var folder: String { store.folder }
  /// The set that an engine takes which is not told which.
  public var bestSet: ModelSet { store.bestSet }

  /// - Throws: ``VerifyError/Code/modelMissing`` if the folder holds no manifest.
  public init(folder: String) throws { store = try ModelStore(folder: folder) }

  /// Every file, after hashing it.
  public func check() -> [Item] { store.manifest.models.map(item) }

  /// The files of some sets, after hashing them.
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` if there is no such set, ``VerifyError/Code/modelMissing`` if the manifest
  ///   does not have a model that it names.
  public func check(_ sets: [ModelSet]) throws -> [Item] { try models(of: sets).map(item) }

  /// Each once, since sets share models.
  private func models(of sets: [ModelSet]) throws -> [ModelManifest.Model] {
    let ids = Set(try sets.flatMap(store.models).map(\.id))
    return store.manifest.models.filter { ids.contains($0.id) }
  }

  /// The sets, whether their files are there, and which of them are installed by themselves.
  package var sets: [(set: ModelSet, isInstalled: Bool, isOptional: Bool)] {
    store.manifest.sets.keys.sorted().map {
      let set = ModelSet(rawValue: $0)
      return (set, store.hasFiles(of: set), isOptional(set))
    }
  }

  /// What a set that is installed by itself is better at, with figures; nil if that is not known.
  package func gain(of set: ModelSet) -> String? { store.manifest.gains?[set.rawValue] }

  private func isOptional(_ set: ModelSet) -> Bool {
    let ids = store.manifest.sets[set.rawValue] ?? []
    return store.manifest.models.contains { $0.source.url != nil && ids.contains($0.id) }
  }

  /// Removes what was fetched. What belongs to the repository or the package stays.
  ///
  /// - Returns: the names of the files that were removed, and their bytes.
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
  /// The JSON form of what ``check()`` found.
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

  /// Where the file comes from, in a few words.
  package var sourceText: String {
    let source = model.source
    if let package = source.package { return "PyPI \(package)" }
    if let url = source.url { return url.split(separator: "/").dropFirst().first.map(String.init) ?? url }
    return source.madeBy.map { "made by \($0)" } ?? "unknown"
  }
}
