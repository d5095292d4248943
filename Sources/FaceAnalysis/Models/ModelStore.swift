internal import Glibc

/// The folder that holds the models: `manifest.json` and the files it names.
///
/// A file is used only if its SHA-256 is the manifest's.
public struct ModelStore: Sendable {
  public let folder: String
  public let manifest: ModelManifest

  /// - Throws: ``VerifyError/Code/modelMissing`` if the folder holds no manifest.
  public init(folder: String) throws {
    self.folder = folder
    do {
      manifest = try ModelManifest(json: RegularFile.read(path: folder + "/manifest.json", maximumBytes: 1 << 20))
    } catch let error as VerifyError where error.code == .unreadable {
      throw VerifyError(
        .modelMissing,
        "no models in \(folder): \(error.message); name the folder of the models, or set FACEVERIFY_MODELS")
    }
  }

  /// The state of one file.
  public enum State: Sendable, Equatable {
    case ok
    case missing
    /// The SHA-256 found.
    case mismatch(String)
  }

  public func state(of model: ModelManifest.Model) -> State {
    guard let bytes = try? RegularFile.read(path: path(of: model), maximumBytes: Self.largest) else { return .missing }
    let found = sha256(bytes)
    return found == model.sha256 ? .ok : .mismatch(found)
  }

  /// The set of an engine that is not told which: the best of those whose files are all there, right or not, since
  /// damage must not change who decides. Where none is whole, ``ModelSet/standard``, whose missing files are then named.
  public var bestSet: ModelSet {
    (manifest.preferred ?? []).map(ModelSet.init(rawValue:)).first(where: hasFiles) ?? .standard
  }

  /// Whether all files of a set are there, right or not.
  public func hasFiles(of set: ModelSet) -> Bool {
    guard let models = try? models(of: set) else { return false }
    return models.allSatisfy { access(path(of: $0), F_OK) == 0 }
  }

  /// - Throws: ``VerifyError/Code/badArgument`` if there is no such set, ``VerifyError/Code/modelMissing`` if it names a
  ///   model that the manifest does not have.
  package func models(of set: ModelSet) throws -> [ModelManifest.Model] {
    guard let ids = manifest.sets[set.rawValue] else {
      let known = manifest.sets.keys.sorted().joined(separator: ", ")
      throw VerifyError(.badArgument, "there is no model set \"\(set)\"; the manifest has: \(known)")
    }
    return try ids.map(model)
  }

  /// What scores of a set mean; nil if there is no such set, its models have another revision, or the file is not right.
  package func calibration(of set: ModelSet, revision: String) -> Calibration? {
    guard let models = try? models(of: set),
      ModelVersion(set: set, models: models, precision: .f32).revision == revision,
      let model = models.first(where: { $0.role == "calibration" })
    else { return nil }
    return try? Calibration(json: bytes(of: model))
  }

  /// The sets by the identifiers of the templates that they make.
  package var setNames: [String: ModelSet] {
    let versions = manifest.sets.keys.sorted().compactMap { name in
      let set = ModelSet(rawValue: name)
      return (try? models(of: set)).map { ModelVersion(set: set, models: $0, precision: .f32) }
    }
    return Dictionary(versions.map { ($0.identifier, $0.set) }) { first, _ in first }
  }

  /// What brings a file, or brings it back.
  package func remedy(for model: ModelManifest.Model) -> String {
    let source = model.source
    if source.url != nil, let set = sets(of: model).first { return "run `faceverify models install --set \(set)`" }
    return source.package != nil
      ? "run `faceverify models install`" : "restore it from this version's package or repository"
  }

  /// The sets that need a model.
  package func sets(of model: ModelManifest.Model) -> [String] {
    manifest.sets.filter { $0.value.contains(model.id) }.keys.sorted()
  }

  public func path(of model: ModelManifest.Model) -> String { folder + "/" + model.file }

  public func model(_ id: String) throws -> ModelManifest.Model {
    guard let model = manifest.models.first(where: { $0.id == id }) else {
      throw VerifyError(.modelMissing, "manifest.json in \(folder) names no model \(id)")
    }
    return model
  }

  /// The bytes of a model, after their hash was checked.
  package func bytes(of model: ModelManifest.Model) throws -> [UInt8] {
    let bytes: [UInt8]
    do {
      bytes = try RegularFile.read(path: path(of: model), maximumBytes: Self.largest)
    } catch {
      throw VerifyError(
        .modelMissing, "\(path(of: model)) is missing (\(error)); \(remedy(for: model))")
    }
    let found = sha256(bytes)
    guard found == model.sha256 else {
      throw VerifyError(
        .modelMismatch,
        "\(path(of: model)) is not the model it should be: its SHA-256 is \(found), expected \(model.sha256); "
          + remedy(for: model))
    }
    return bytes
  }

  private static let largest = 1 << 30
}
