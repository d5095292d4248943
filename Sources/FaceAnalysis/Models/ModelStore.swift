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
        .modelMissing, "\(path(of: model)) is missing (\(error)); run `faceverify models install`")
    }
    let found = sha256(bytes)
    guard found == model.sha256 else {
      throw VerifyError(
        .modelMismatch,
        "\(path(of: model)) is not the model it should be: its SHA-256 is \(found), expected \(model.sha256); "
          + "run `faceverify models install`")
    }
    return bytes
  }

  private static let largest = 1 << 30
}
