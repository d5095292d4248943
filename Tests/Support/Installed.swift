package import FaceAnalysis
internal import Glibc
package import Testing

/// Locations of test data outside of the sources.
package enum Installed {
  /// The repository; links are resolved, because a package may link to its tests.
  package static let root = {
    guard let resolved = realpath(#filePath, nil) else { return "" }
    defer { free(resolved) }
    return "/" + String(cString: resolved).split(separator: "/").dropLast(3).joined(separator: "/")
  }()

  private static func folder(_ variable: String, _ standard: String) -> String {
    getenv(variable).map { String(cString: $0) } ?? root + "/" + standard
  }

  /// The model set under test: the default set, unless another one is selected.
  package static let set = ModelSet(rawValue: getenv("FACEVERIFY_TEST_SET").map { String(cString: $0) } ?? "default")
  package static let models = folder("FACEVERIFY_MODELS", "models")
  package static let samples = folder("FACEVERIFY_SAMPLES", ".deps/samples")
  /// Chips and pages made by `scripts/test`.
  package static let documents = folder("FACEVERIFY_DOCUMENTS", ".deps/documents")
  /// Specimens of real documents, which are not part of the product.
  package static let shared = folder("FACEVERIFY_SHARED", "../shared")

  package static func sample(_ name: String) -> String { samples + "/" + name }

  package static func has(_ path: String) -> Bool { access(path, R_OK) == 0 }

  fileprivate static func hasProgram(_ name: String) -> Bool {
    getenv("PATH").map { String(cString: $0) }?.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
      ?? false
  }

  fileprivate static let hasSamples = ["obama.jpg", "obama2.jpg", "biden.jpg"].allSatisfy { has(sample($0)) }

  /// Whether the files exist, including the trained ones: a manifest without these cannot compare.
  fileprivate static func hasModels(_ set: ModelSet) -> Bool {
    guard let store = try? ModelStore(folder: models), let ids = store.manifest.sets[set.rawValue] else { return false }
    let files = ids.compactMap { try? store.model($0) }
    return files.count == ids.count && files.allSatisfy { has(store.path(of: $0)) }
      && ["score normalisation", "calibration"].allSatisfy { role in files.contains { $0.role == role } }
  }

  fileprivate static let hasStandardModels = hasModels(set)
  fileprivate static let hasRetailModels = hasModels(.retail)
  fileprivate static let hasDlibModels = hasModels(.dlib)
}

extension Trait where Self == Need {
  package static var needsModels: Self {
    Need(
      "models", "scripts/setup installs them, or name their folder in FACEVERIFY_MODELS",
      isMet: Installed.hasStandardModels)
  }
  package static var needsRetailModels: Self {
    Need(
      "models of retail", "`faceverify models install --set retail` brings them", isMet: Installed.hasRetailModels)
  }
  package static var needsDlibModels: Self {
    Need(
      "models", "scripts/setup installs them, or name their folder in FACEVERIFY_MODELS",
      isMet: Installed.hasDlibModels)
  }
  package static var needsSamples: Self {
    Need(
      "sample photos", "scripts/test fetches them, or name their folder in FACEVERIFY_SAMPLES",
      isMet: Installed.hasSamples)
  }
  package static var needsChips: Self {
    Need(
      "test documents", "scripts/test makes them, or name their folder in FACEVERIFY_DOCUMENTS",
      isMet: Installed.has(Installed.documents + "/chips/chips.json"))
  }
  package static var needsPages: Self {
    Need(
      "test documents", "scripts/test makes them, or name their folder in FACEVERIFY_DOCUMENTS",
      isMet: Installed.has(Installed.documents + "/pages/pages.json"))
  }
  /// - Parameter file: below the shared folder.
  package static func needsShared(_ file: String) -> Self {
    Need("shared data", "name their folder in FACEVERIFY_SHARED", isMet: Installed.has(Installed.shared + "/" + file))
  }
  /// For measurements on data that only developers have.
  package static func needsLabelled(_ isThere: Bool) -> Self {
    Need("labelled data", "name their folder in FACEVERIFY_TESTDATA", isMet: isThere)
  }
  package static var needsFFmpeg: Self {
    Need(
      "ffmpeg", "apt-get install ffmpeg", isMet: Installed.hasProgram("ffmpeg") && Installed.hasProgram("ffprobe"))
  }
  /// For operations that require root.
  package static func needsRoot(_ isRoot: Bool) -> Self { Need("root", "run it as root", isMet: isRoot) }
  package static func needsProgram(_ path: String) -> Self {
    Need("the command", "scripts/setup builds it, or name it in FACEVERIFY_BINARY", isMet: Installed.has(path))
  }
}
