import EngineTestSupport
import FaceVerify
import Glibc
import TestSupport
import Testing

/// A folder of fake models: the set `default` with one file, and `better`, which has a URL.
private struct MadeUpModels {
  let folder: String
  let plain: [UInt8] = Array("plain".utf8)
  let better: [UInt8] = Array("better".utf8)

  func writeManifest(preferred: String = #""preferred": ["none", "partial", "better", "default"],"#) throws {
    func model(_ id: String, _ content: [UInt8], source: String) -> String {
      """
      {"id": "\(id)", "role": "\(id)", "version": "1", "file": "\(id).bin", "sha256": "\(sha256(content))",
      "size": \(content.count), "licence": "none", "source": {\(source)}}
      """
    }
    let url = #""url": "https://models.example/a/better.bin", "sha384": """#
    let manifest = """
      {"schema": 1, \(preferred) "gains": {"better": "half the misses"},
      "sets": {"default": ["plain"], "better": ["plain", "better"], "partial": ["plain", "unknown"]},
      "models": [\(model("plain", plain, source: #""madeBy": "a test""#)), \(model("better", better, source: url))]}
      """
    try write(Array(manifest.utf8), to: folder + "/manifest.json")
  }

  static func use(_ body: (MadeUpModels) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let models = MadeUpModels(folder: folder)
      try models.writeManifest()
      try write(models.plain, to: folder + "/plain.bin")
      try body(models)
    }
  }

  var bestSet: ModelSet { get throws { try ModelStore(folder: folder).bestSet } }
  var installation: ModelInstallation { get throws { try ModelInstallation(folder: folder) } }
  var diagnosis: Diagnosis { Diagnosis(modelsFolder: folder, cacheFolder: folder) }
}

@Suite("The default model set of an engine")
struct ModelSetTests {
  @Test("the best set is the first preferred one that is complete; damage does not change it")
  func best() throws {
    try MadeUpModels.use { models in
      #expect(try models.bestSet == .standard)
      for content in [models.better, [], Array("other".utf8)] {
        try write(content, to: models.folder + "/better.bin")
        #expect(try models.bestSet.rawValue == "better")
      }
      unlink(models.folder + "/plain.bin")
      #expect(try models.bestSet == .standard)
    }
  }

  @Test("a set that the manifest does not prefer is never the default")
  func notPreferred() throws {
    try MadeUpModels.use { models in
      try write(models.better, to: models.folder + "/better.bin")
      for preferred in ["", #""preferred": [],"#, #""preferred": ["default", "better"],"#] {
        try models.writeManifest(preferred: preferred)
        #expect(try models.bestSet == .standard)
      }
    }
    let manifest = try ModelStore(folder: Installed.root + "/models").manifest
    #expect(manifest.preferred == ["retail", "default"])
  }

  @Test("a separately installed set may be missing, but must not be damaged")
  func optional() throws {
    try MadeUpModels.use { models in
      func better() throws -> ModelInstallation.Item { try models.installation.check()[1] }
      #expect(try better().isOptional && !better().isProblem)
      #expect(try better().remedy == "install the model set better")
      #expect(try better().json.contains(#""source" : "models.example""#))
      #expect(try !models.installation.check()[0].isOptional)
      try write([1], to: models.folder + "/better.bin")
      #expect(try better().isProblem && better().remedy?.contains("set better") == true)
      #expect(throws: VerifyError(.modelMismatch, "")) {
        let store = try ModelStore(folder: models.folder)
        _ = try store.bytes(of: store.model("better"))
      }
      try write(models.better, to: models.folder + "/better.bin")
      #expect(try better().state == .ok && better().remedy == nil)
      #expect(try models.installation.removeInstalled().files == ["better.bin"])
    }
  }

  @Test("a set consists of the files that it lists; an unknown set is an error that lists the known ones")
  func files() throws {
    try MadeUpModels.use { models in
      let installation = try models.installation
      #expect(try installation.check([.standard]).map(\.model.id) == ["plain"])
      #expect(try installation.check([ModelSet(rawValue: "better")]).map(\.model.id) == ["plain", "better"])
      #expect(code { _ = try installation.check([ModelSet(rawValue: "partial")]) } == .modelMissing)
      #expect {
        _ = try installation.check([ModelSet(rawValue: "best")])
      } throws: {
        let error = $0 as? VerifyError
        return error?.code == .badArgument && error?.message.contains("better, default, partial") == true
      }
    }
  }

  @Test("a diagnosis reports the set in use and the benefit of a missing one, without failing")
  func diagnosis() throws {
    try MadeUpModels.use { models in
      func finding(_ name: String) -> Finding? { models.diagnosis.findings.first { $0.name == name } }
      #expect(finding("model set")?.value == "default is used; installed: default")
      #expect(finding("models")?.status == .ok)
      let missing = try #require(finding("model set better"))
      #expect(missing.status == .warning && missing.value.contains("half the misses"))
      #expect(missing.remedy?.contains("install the model set better") == true)
      try write(models.better, to: models.folder + "/better.bin")
      #expect(finding("model set")?.value == "better is used; installed: better, default")
      #expect(finding("models")?.value.hasPrefix("2 of 2") == true)
      try write([1], to: models.folder + "/better.bin")
      #expect(finding("model better")?.status == .problem)
    }
  }

  @Test("the list states for each set whether it is installed and in use")
  func list() throws {
    try MadeUpModels.use { models in
      let installation = try models.installation
      let json = installation.jsonValue(of: installation.check()).text
      #expect(json.contains(#""gain" : "half the misses""#) && json.contains(#""ok" : true"#))
      #expect(installation.sets.map(\.set.rawValue) == ["better", "default", "partial"])
      #expect(installation.sets.map(\.isInstalled) == [false, true, false])
      #expect(installation.sets.map(\.isOptional) == [true, false, false])
    }
  }

  /// The installed models, with an additional set with one more file: its templates have another identifier.
  private func withBetterSet(_ body: (String, FaceEngine.Configuration) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let store = try ModelStore(folder: Installed.models)
      for model in store.manifest.models { symlink(store.path(of: model), folder + "/" + model.file) }
      let bytes = try RegularFile.read(path: Installed.models + "/manifest.json", maximumBytes: 1 << 20)
      let ids = try #require(store.manifest.sets["default"]).map { "\"\($0)\"" }.joined(separator: ", ")
      let note = """
        {"id": "note", "role": "note", "version": "1", "file": "note", "sha256": "\(sha256([1]))", "size": 1,
        "licence": "none", "source": {"url": "https://models.example/note", "sha384": ""}},
        """
      let manifest = String(decoding: bytes, as: UTF8.self)
        .replacing(#""preferred": [""#, with: #""preferred": ["better", ""#)
        .replacing(#""sets": {"#, with: #""sets": {"better": ["# + ids + #", "note"],"#)
        .replacing(#""models": ["#, with: #""models": ["# + note)
      try write(Array(manifest.utf8), to: folder + "/manifest.json")
      try write([1], to: folder + "/note")
      var configuration = FaceEngine.Configuration()
      configuration.modelsFolder = folder
      try body(folder, configuration)
    }
  }

  @Test("an engine uses the best set, or the requested one", .needsModels)
  func engine() throws {
    try withBetterSet { folder, configuration in
      var configuration = configuration
      let better = try FaceEngine(configuration).modelVersion
      #expect(better.set.rawValue == "better")
      configuration.modelSet = .standard
      let standard = try FaceEngine(configuration).modelVersion
      #expect(standard.set == .standard && standard.identifier != better.identifier)
      configuration.modelSet = nil
      unlink(folder + "/note")
      #expect(try FaceEngine(configuration).modelVersion.set != better.set)
    }
  }

  @Test("retail is the default if it is installed", .needsRetailModels, .needsSamples)
  func retail() throws {
    var configuration = FaceEngine.Configuration()
    configuration.modelsFolder = Installed.models
    let engine = try FaceEngine(configuration)
    let selfie = try Installed.photo("obama.jpg")
    let match = try engine.compare(selfie: selfie, portrait: Installed.photo("obama2.jpg"))
    #expect(match.result == .match && match.modelVersion.set == .retail)
    #expect(try engine.compare(selfie: selfie, portrait: Installed.photo("biden.jpg")).result == .noMatch)
  }

  @Test("a template of another set is rejected, and the error names the set, or unknown models", .needsModels)
  func foreignTemplate() throws {
    try withBetterSet { _, configuration in
      var configuration = configuration
      let better = try FaceEngine(configuration)
      configuration.modelSet = .standard
      let standard = try FaceEngine(configuration)
      func message(_ engine: FaceEngine, _ identifier: String) throws -> String {
        let template = FaceTemplate(
          modelIdentifier: identifier, vector: [Float](repeating: 1, count: 128), cohortMean: 1, cohortDeviation: 1,
          quality: nil)
        // As stored: 580 bytes, which contain only the identifier.
        let kept = try FaceTemplate(serialised: template.serialised())
        do { _ = try engine.compare(kept, kept) } catch let error as VerifyError {
          #expect(error.code == .incompatibleTemplate)
          return error.message
        }
        return ""
      }
      let toldByStandard = try message(standard, better.modelVersion.identifier)
      #expect(toldByStandard.contains("model set better, this engine uses default"), "\(toldByStandard)")
      #expect(toldByStandard.contains("the model set better"))
      let toldByBetter = try message(better, standard.modelVersion.identifier)
      #expect(toldByBetter.contains("model set default, this engine uses better"), "\(toldByBetter)")
      let unknown = try message(standard, "0123456789abcdef")
      #expect(unknown.contains("other models (0123456789abcdef"), "\(unknown)")
    }
  }
}
