import EngineTestSupport
import FaceVerify
import Glibc
import TestSupport
import Testing

@Suite("ModelInstallation")
struct ModelInstallationTests {
  /// A folder of links to the installed models.
  private func withModels(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      for item in try ModelInstallation(folder: Installed.models).check() where item.state == .ok {
        #expect(symlink(item.path, folder + "/" + item.model.file) == 0)
      }
      let manifest = try RegularFile.read(path: Installed.models + "/manifest.json", maximumBytes: 1 << 20)
      try RegularFile.write(manifest, to: folder + "/manifest.json")
      try body(folder)
    }
  }

  @Test("a missing or damaged manifest is an error")
  func noManifest() throws {
    try withTemporaryFolder { folder in
      #expect(code { _ = try ModelInstallation(folder: folder) } == .modelMissing)
      try RegularFile.write(Array("{".utf8), to: folder + "/manifest.json")
      #expect(code { _ = try ModelInstallation(folder: folder) } == .damaged)
    }
  }

  // Rows: J10
  @Test("missing and replaced files are reported with a remedy, and an engine rejects them", .needsModels)
  func states() throws {
    try withModels { folder in
      unlink(folder + "/iris_landmark.tflite")
      unlink(folder + "/face_landmark.tflite")
      try RegularFile.write([1, 2, 3], to: folder + "/face_landmark.tflite")
      let items = try ModelInstallation(folder: folder).check()
      let iris = try #require(items.first { $0.model.id == "iris" })
      let mesh = try #require(items.first { $0.model.id == "face-mesh" })
      #expect(iris.state == .missing && mesh.state == .mismatch(sha256([1, 2, 3])))
      #expect(iris.remedy?.contains("install the models") == true && iris.json.contains("\"found\" : null"))
      #expect(!Diagnosis(modelsFolder: folder, cacheFolder: folder).isReady)
      // The correct file again; only the wrong one remains.
      #expect(symlink(Installed.models + "/iris_landmark.tflite", folder + "/iris_landmark.tflite") == 0)
      #expect(code { _ = try engine(folder) } == .modelMismatch)
    }
  }

  @Test("a wrong model of the right size is an error of the model, and of no photo", .needsModels)
  func notThePhoto() throws {
    try withModels { folder in
      try change(folder + "/face_landmark.tflite")
      let engine = try engine(folder)
      let photo = try Installed.photo("obama.jpg")
      #expect { try engine.compare(selfie: .photo(photo), portrait: .photo(photo)) } throws: {
        let error = $0 as? VerifyError
        return error?.code == .modelMismatch && error?.message.hasPrefix(folder) == true
      }
    }
  }

  private func engine(_ folder: String) throws -> FaceEngine {
    var configuration = FaceEngine.Configuration()
    configuration.modelsFolder = folder
    return try FaceEngine(configuration)
  }

  /// Changes one byte.
  private func change(_ path: String) throws {
    var bytes = try RegularFile.read(path: path, maximumBytes: 1 << 24)
    bytes[bytes.count / 2] ^= 1
    unlink(path)
    try RegularFile.write(bytes, to: path)
  }

  @Test("a photo is compared without the networks of liveness, which are verified when they are used", .needsModels)
  func late() throws {
    try withModels { folder in
      try change(folder + "/smile.bin")
      let engine = try engine(folder)
      let photo = try Installed.photo("obama.jpg")
      #expect(try engine.compare(selfie: .photo(photo), portrait: .photo(photo)).result != .match)
      #expect(code { try engine.preload() } == .modelMismatch)
      let session = try LivenessSession(
        engine: engine, script: ChallengeScript(prompts: [.init(.smile)]), nonce: [UInt8](repeating: 1, count: 16),
        configuration: .init())
      #expect(code { _ = try session.add(photo.pixels(reduction: 4), at: 0) } == .modelMismatch)
    }
  }

  // Rows: J11
  @Test("downloaded files are removed, files of the repository stay", .needsModels)
  func remove() throws {
    try withModels { folder in
      let installation = try ModelInstallation(folder: folder)
      let removed = try installation.removeInstalled()
      #expect(removed.files.contains("iris_landmark.tflite") && removed.files.count == 6)
      #expect(names(in: folder).contains("manifest.json"))
      #expect(installation.check().filter { $0.model.role == "calibration" }.allSatisfy { $0.state == .ok })
      #expect(try installation.removeInstalled().files.isEmpty)
    }
  }
}
