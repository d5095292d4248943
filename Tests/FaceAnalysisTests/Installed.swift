import FaceAnalysis
import Glibc
import Testing

/// The sample photos of the demonstration and the models, where they are installed.
enum Installed {
  static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  private static func folder(_ variable: String, _ standard: String) -> String {
    getenv(variable).map { String(cString: $0) } ?? root + "/" + standard
  }

  static let models = folder("FACEVERIFY_MODELS", "models")
  static let samples = folder("FACEVERIFY_SAMPLES", ".deps/samples")

  static func sample(_ name: String) -> String { samples + "/" + name }

  static let hasSamples = ["obama.jpg", "obama2.jpg", "biden.jpg"].allSatisfy { access(sample($0), R_OK) == 0 }

  static func hasModels(_ set: ModelSet) -> Bool {
    guard let store = try? ModelStore(folder: models), let ids = store.manifest.sets[set.rawValue] else { return false }
    return ids.allSatisfy { id in (try? store.model(id)).map { access(store.path(of: $0), R_OK) == 0 } ?? false }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, and says why, where the models of a set are not installed.
  static func needsModels(of set: ModelSet) -> Self {
    .enabled(
      if: Installed.hasModels(set), "models of the \(set) set are missing: name their folder in FACEVERIFY_MODELS")
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, and says why, where the sample photos or the models of a set are not installed.
  static func needsSamples(and set: ModelSet = .standard) -> Self {
    .enabled(
      if: Installed.hasSamples && Installed.hasModels(set),
      "sample photos or models are missing: name their folders in FACEVERIFY_SAMPLES and FACEVERIFY_MODELS")
  }
}

/// One pipeline of each set for all tests that need one: loading takes longer than most tests.
enum Shared {
  static let standard = load(.standard)
  static let dlib = load(.dlib)

  private static func load(_ set: ModelSet) -> Result<LoadedModels, any Error> {
    Result { try LoadedModels(set: set, store: ModelStore(folder: Installed.models), threads: 4) }
  }

  static func pipeline(_ set: ModelSet = .standard) throws -> FacePipeline {
    try (set == .dlib ? dlib : standard).get().makePipeline()
  }
}

extension Photo {
  init(_ picture: PixelBuffer) throws {
    self = try picture.rgb.withUnsafeBytes {
      try Photo(pixels: $0, width: picture.width, height: picture.height, format: .rgb8)
    }
  }
}

extension PixelBuffer {
  /// One colour.
  static func plain(width: Int, height: Int, grey: UInt8 = 128) throws -> PixelBuffer {
    try PixelBuffer(width: width, height: height, rgb: [UInt8](repeating: grey, count: 3 * width * height))
  }

  /// This picture with another laid into it.
  func with(_ other: PixelBuffer, x: Int, y: Int) throws -> PixelBuffer {
    var rgb = rgb
    for row in 0..<other.height where y + row >= 0 && y + row < height {
      for column in 0..<other.width where x + column >= 0 && x + column < width {
        for c in 0..<3 {
          rgb[3 * ((y + row) * width + x + column) + c] = other.rgb[3 * (row * other.width + column) + c]
        }
      }
    }
    return try PixelBuffer(width: width, height: height, rgb: rgb)
  }

  /// Turned clockwise by quarter turns.
  func turned(_ quarters: Int) throws -> PixelBuffer {
    var picture = self
    for _ in 0..<quarters {
      let (w, h) = (picture.height, picture.width)
      var rgb = [UInt8](repeating: 0, count: 3 * w * h)
      for y in 0..<h {
        for x in 0..<w {
          let from = 3 * ((picture.height - 1 - x) * picture.width + y)
          for c in 0..<3 { rgb[3 * (y * w + x) + c] = picture.rgb[from + c] }
        }
      }
      picture = try PixelBuffer(width: w, height: h, rgb: rgb)
    }
    return picture
  }
}
