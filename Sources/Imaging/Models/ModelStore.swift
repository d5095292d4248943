internal import Glibc

/// The model folder: `manifest.json` and the files it names.
///
/// A file is used only if its SHA-256 matches the manifest.
public struct ModelStore: Sendable {
  public let folder: String
  public let manifest: ModelManifest

  /// - Throws: ``VerifyError/Code/modelMissing`` if the folder has no manifest.
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

  /// The state of a model file.
  public enum State: Sendable, Equatable {
    case ok
    case missing
    /// The SHA-256 that was found instead.
    case mismatch(String)
  }

  public func state(of model: ModelManifest.Model) -> State {
    guard let bytes = try? RegularFile.read(path: path(of: model), maximumBytes: Self.largest) else { return .missing }
    let found = sha256(bytes)
    return found == model.sha256 ? .ok : .mismatch(found)
  }

  /// The default set: the best preferred set whose files all exist, damaged or not, since damage must not change the
  /// models in use. If no set is complete, ``ModelSet/standard``, whose missing files are then reported.
  public var bestSet: ModelSet {
    (manifest.preferred ?? []).map(ModelSet.init(rawValue:)).first(where: hasFiles) ?? .standard
  }

  /// Returns whether all files of a set exist, valid or not.
  public func hasFiles(of set: ModelSet) -> Bool {
    guard let models = try? models(of: set) else { return false }
    return models.allSatisfy { access(path(of: $0), F_OK) == 0 }
  }

  /// - Throws: ``VerifyError/Code/badArgument`` if there is no such set, ``VerifyError/Code/modelMissing`` if it names
  ///   a model that is not in the manifest.
  package func models(of set: ModelSet) throws -> [ModelManifest.Model] {
    guard let ids = manifest.sets[set.rawValue] else {
      let known = manifest.sets.keys.sorted().joined(separator: ", ")
      throw VerifyError(.badArgument, "there is no model set \"\(set)\"; the manifest has: \(known)")
    }
    return try ids.map(model)
  }

  /// The sets, keyed by the identifier of the templates that they make.
  package var setNames: [String: ModelSet] {
    let versions = manifest.sets.keys.sorted().compactMap { name in
      let set = ModelSet(rawValue: name)
      return (try? models(of: set)).map { ModelVersion(set: set, models: $0, precision: .f32) }
    }
    return Dictionary(versions.map { ($0.identifier, $0.set) }) { first, _ in first }
  }

  /// Returns how to install or restore a model file.
  package func remedy(for model: ModelManifest.Model) -> String {
    let source = model.source
    if source.url != nil, let set = sets(of: model).first { return "install the model set \(set)" }
    return source.package != nil ? "install the models" : "restore it from this version's package or repository"
  }

  /// Returns the sets that contain a model.
  package func sets(of model: ModelManifest.Model) -> [String] {
    manifest.sets.filter { $0.value.contains(model.id) }.keys.sorted()
  }

  public func path(of model: ModelManifest.Model) -> String { folder + "/" + model.file }

  public func model(_ id: String) throws -> ModelManifest.Model {
    guard let model = manifest.models.first(where: { $0.id == id }) else {
      throw VerifyError(.modelMissing, "manifest.json in \(folder) has no model \(id)")
    }
    return model
  }

  private func missing(_ model: ModelManifest.Model, _ reason: String) -> VerifyError {
    VerifyError(.modelMissing, "\(path(of: model)) is missing (\(reason)); \(remedy(for: model))")
  }

  /// - Throws: ``VerifyError/Code/modelMissing`` for the first model without a file, ``VerifyError/Code/modelMismatch``
  ///   for one of another size.
  package func requireFiles(of models: [ModelManifest.Model]) throws {
    for model in models {
      var status = stat()
      guard access(path(of: model), R_OK) == 0, stat(path(of: model), &status) == 0 else {
        throw missing(model, RegularFile.reason(errno))
      }
      if status.st_size != model.size { _ = try bytes(of: model) }
    }
  }

  /// Returns the bytes of a model after verifying their hash.
  package func bytes(of model: ModelManifest.Model) throws -> [UInt8] {
    let bytes: [UInt8]
    do {
      bytes = try RegularFile.read(path: path(of: model), maximumBytes: Self.largest)
    } catch {
      throw missing(model, "\(error)")
    }
    let found = sha256(bytes)
    guard found == model.sha256 else {
      throw VerifyError(
        .modelMismatch,
        "\(path(of: model)) is not the expected model: its SHA-256 is \(found), expected \(model.sha256); "
          + remedy(for: model))
    }
    return bytes
  }

  private static let largest = 1 << 30
}
