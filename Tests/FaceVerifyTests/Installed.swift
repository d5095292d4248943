import FaceVerify
import Glibc
import Testing

/// The sample photos of the demonstration and the models, where they are installed.
enum Installed {
  private static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  private static func folder(_ variable: String, _ standard: String) -> String {
    getenv(variable).map { String(cString: $0) } ?? root + "/" + standard
  }

  static let models = folder("FACEVERIFY_MODELS", "models")
  private static let samples = folder("FACEVERIFY_SAMPLES", ".deps/samples")

  static func photo(_ name: String) throws -> Photo { try Photo(path: samples + "/" + name) }

  static let hasSamples = ["obama.jpg", "obama2.jpg", "biden.jpg"].allSatisfy {
    access(samples + "/" + $0, R_OK) == 0
  }

  static let hasModels: Bool = {
    guard let items = try? ModelInstallation(folder: models).check() else { return false }
    let needed = items.filter { $0.sets.contains("default") }
    return needed.allSatisfy { $0.state == .ok }
      && ["score normalisation", "calibration"].allSatisfy { role in needed.contains { $0.model.role == role } }
  }()

  static func configuration() -> FaceEngine.Configuration {
    var configuration = FaceEngine.Configuration()
    configuration.modelsFolder = models
    return configuration
  }

  /// One for all tests, which it serves at the same time.
  static let engine = Swift.Result { try FaceEngine(configuration()) }
}

extension Trait where Self == ConditionTrait {
  static var needsModels: Self {
    .enabled(
      if: Installed.hasModels, "the default models are not all installed: name their folder in FACEVERIFY_MODELS")
  }

  static var needsSamples: Self {
    .enabled(if: Installed.hasSamples, "no sample photos: name their folder in FACEVERIFY_SAMPLES")
  }
}

/// The code of what `body` throws, or nil.
func code(_ body: () throws -> Void) -> VerifyError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? VerifyError)?.code
  }
}

/// A picture of one colour: it has no face.
func plainPhoto(width: Int = 320, height: Int = 240) throws -> Photo {
  let pixels = [UInt8](repeating: 120, count: width * height)
  return try pixels.withUnsafeBytes { try Photo(pixels: $0, width: width, height: height, format: .gray8) }
}

/// A folder that is gone after `body`.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  var template = Array("/tmp/faceverify-test.XXXXXX".utf8CString)
  _ = try #require(mkdtemp(&template))
  let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  defer {
    for name in files(in: folder) { unlink(folder + "/" + name) }
    rmdir(folder)
  }
  return try body(folder)
}
