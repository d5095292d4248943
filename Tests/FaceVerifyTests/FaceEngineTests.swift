import Dispatch
import EngineTestSupport
import FaceVerify
import Synchronization
import TestSupport
import Testing

@Suite("FaceEngine")
struct FaceEngineTests {
  @Test("a thread count out of range and a folder without models are errors")
  func badConfiguration() {
    var configuration = Installed.configuration()
    configuration.threads = 0
    #expect(code { _ = try FaceEngine(configuration) } == .badArgument)
    configuration = Installed.configuration()
    configuration.modelsFolder = "/nonexistent"
    #expect(code { _ = try FaceEngine(configuration) } == .modelMissing)
  }

  @Test("an unknown model set is an error that lists the known ones", .needsModels)
  func unknownSet() {
    var configuration = Installed.configuration()
    configuration.modelSet = ModelSet(rawValue: "other")
    #expect(code { _ = try FaceEngine(configuration) } == .badArgument)
  }

  @Test("no file, option or variable selects the scripted models")
  func noScript() throws {
    // In a manifest, their name is treated like a set without files.
    try withTemporaryFolder { folder in
      let manifest = #"{"schema": 1, "sets": {"answers": []}, "models": []}"#
      try write(Array(manifest.utf8), to: folder + "/manifest.json")
      var configuration = FaceEngine.Configuration()
      configuration.modelsFolder = folder
      configuration.modelSet = ModelSet(rawValue: "answers")
      #expect(code { _ = try FaceEngine(configuration) } == .modelMissing)
    }
  }

  @Test("a picture without a face has no face and no sample", .needsModels)
  func noFace() throws {
    let engine = try Installed.engine.get()
    #expect(try engine.detect(plainPhoto()).isEmpty)
    #expect(code { _ = try engine.sample(plainPhoto(), policy: .selfie) } == .noFace)
    #expect(code { _ = try engine.assess(plainPhoto(width: 1, height: 1), policy: .selfie) } == .noFace)
  }

  // Rows: J11
  @Test("compiled models are not removed while an engine exists", .needsModels)
  func clean() throws {
    let engine = try Installed.engine.get()
    try withTemporaryFolder { folder in
      #expect(code { try FaceEngine.clean(cacheFolder: folder) } == .wrongState)
    }
    #expect(try engine.detect(plainPhoto()).isEmpty)
  }

  @Test("a sample photo has one face, with a template", .needsModels, .needsSamples)
  func sample() throws {
    let photo = try Installed.photo("obama.jpg")
    let sample = try Installed.engine.get().sample(photo, policy: .selfie)
    #expect(sample.faces.count == 1 && sample.choice == nil)
    #expect(sample.quality.isAccepted && sample.template != nil)
    #expect(sample.sha256 == photo.sha256 && sample.width == photo.width)
    #expect(try Installed.engine.get().assess(photo, policy: .selfie).template == nil)
  }

  @Test("threads share an engine and get the same result")
  func shared() throws {
    let engine = try Scripted.engine.get()
    let photo = try Scripted.photo(.one)
    let answers = Mutex<Set<String>>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let answer = (try? engine.sample(photo, policy: .selfie).json) ?? "failed"
      answers.withLock { _ = $0.insert(answer) }
    }
    #expect(answers.withLock { $0.count == 1 && !$0.contains("failed") })
  }

  @Test("a damaged compiled model is not used and is replaced", .needsModels)
  func damagedCache() throws {
    try withTemporaryFolder { folder in
      var configuration = Installed.configuration()
      configuration.cacheFolder = folder
      try FaceEngine(configuration).preload()
      let kept = names(in: folder)
      #expect(kept.count == 7 && kept.allSatisfy { $0.hasSuffix(".blob") })
      for name in kept {
        var bytes = try RegularFile.read(path: folder + "/" + name, maximumBytes: 1 << 30)
        bytes[bytes.count / 2] ^= 1
        try RegularFile.write(bytes, to: folder + "/" + name)
      }
      let damaged = try names(in: folder).map { try RegularFile.read(path: folder + "/" + $0, maximumBytes: 1 << 30) }
      let engine = try FaceEngine(configuration)
      try engine.preload()
      #expect(try engine.detect(plainPhoto()).isEmpty)
      let mended = try names(in: folder).map { try RegularFile.read(path: folder + "/" + $0, maximumBytes: 1 << 30) }
      #expect(mended != damaged && names(in: folder) == kept)
    }
  }

  @Test("automatic precision is that of the processor and is reported; its compiled models are separate", .needsModels)
  func precision() throws {
    try withTemporaryFolder { folder in
      var configuration = Installed.configuration()
      configuration.cacheFolder = folder
      let exact = try FaceEngine(configuration)
      try exact.preload()
      let kept = names(in: folder)
      configuration.precision = .automatic
      let fast = try FaceEngine(configuration)
      try fast.preload()
      #expect(exact.modelVersion.precision == .f32)
      #expect(exact.modelVersion.identifier == fast.modelVersion.identifier)
      let name = Processor.bf16Unit == nil ? "f32" : "bf16"
      #expect(fast.modelVersion.precision.rawValue == name && fast.json.contains("\"\(name)\""))
      #expect(Set(names(in: folder)).isSuperset(of: kept))
      // The embedding network of the set retail is computed in f32 alone.
      let networks = fast.modelVersion.set == .retail ? 2 : 3
      #expect(names(in: folder).count == kept.count + (name == "f32" ? 0 : networks))
    }
  }

  @Test("the dlib set always computes in f32", .needsDlibModels)
  func precisionOfDlib() throws {
    var configuration = Installed.configuration()
    configuration.modelSet = .dlib
    configuration.precision = .automatic
    #expect(try FaceEngine(configuration).modelVersion.precision == .f32)
  }

  @Test("each stage of the measurement takes time", .needsModels, .needsSamples)
  func measure() throws {
    let timing = try Installed.engine.get().measure(Installed.photo("obama.jpg"), rounds: 1)
    #expect(timing.decode > 0 && timing.detect > 0 && timing.faces == 1)
    #expect(timing.embed ?? 0 > 0 && timing.compare ?? 0 > 0)
  }
}
