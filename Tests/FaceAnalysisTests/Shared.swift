import FaceAnalysis
import TestSupport
import Testing

/// One pipeline per set, shared by all tests: loading takes longer than most tests.
enum Shared {
  static let standard = load(Installed.set)
  static let dlib = load(.dlib)

  private static func load(_ set: ModelSet) -> Result<LoadedModels, any Error> {
    Result { try LoadedModels(set: set, store: ModelStore(folder: Installed.models), threads: 4) }
  }

  static func pipeline(_ set: ModelSet = .standard) throws -> FacePipeline {
    try (set == .dlib ? dlib : standard).get().makePipeline()
  }
}
