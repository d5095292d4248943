import EngineTestSupport
import FaceVerify
import ScriptedModels
import TestSupport
import Testing

@Suite("Comparing and FaceDecision")
struct ComparingTests {
  private func compare(_ selfie: ScriptedPicture, _ portrait: ScriptedPicture, _ policy: ComparisonPolicy = .init())
    throws
    -> FaceDecision
  {
    try Scripted.engine.get()
      .compare(selfie: Scripted.photo(selfie), portrait: Scripted.photo(portrait), policy: policy)
  }

  @Test("two photos of one person match, photos of two people do not")
  func decisions() throws {
    let same = try compare(.one, .same)
    #expect(same.result == .match)
    #expect(same.comparison.map { $0.score < same.threshold.score && $0.similarity > 75 } == true)
    let other = try compare(.one, .other)
    #expect(other.result == .noMatch)
    #expect(other.reasons.first?.code == "score-beyond-threshold")
    #expect(other.comparison.map { $0.falseMatchRate > 1e-3 && $0.similarity < 75 } == true)
  }

  @Test("the same input gives the same bytes, also in another engine")
  func determinism() throws {
    let first = try compare(.one, .other).json
    #expect(try compare(.one, .other).json == first)
    let engine = try FaceEngine(Scripted.configuration())
    let again =
      try engine
      .compare(selfie: Scripted.photo(.one), portrait: Scripted.photo(.other))
    #expect(again.json == first)
  }

  @Test("a template yields the decision of its photo")
  func templates() throws {
    let engine = try Scripted.engine.get()
    let template = try #require(try engine.sample(Scripted.photo(.same), policy: .selfie).template)
    let read = try FaceTemplate(serialised: template.serialised())
    let decision = try engine.compare(
      selfie: .photo(Scripted.photo(.one)), portrait: .template(read))
    let photos = try compare(.one, .same)
    #expect(decision.result == .match)
    #expect(decision.comparison?.score == photos.comparison?.score)
    #expect(decision.portrait.sample == nil)
    #expect(decision.portrait.sha256 == template.sha256 && decision.portrait.quality == template.quality)
    let one = try #require(try engine.sample(Scripted.photo(.one), policy: .selfie).template)
    let both = try engine.compare(selfie: .template(one), portrait: .template(read))
    #expect(both.result == .match && both.reasons.isEmpty)
    let json = both.json
    #expect(json.contains("\"kind\" : \"template\"") && json.contains("\"faces\" : null"))
  }

  @Test("a template of other models is rejected on either side")
  func foreign() throws {
    let engine = try Scripted.engine.get()
    let template = try #require(try engine.sample(Scripted.photo(.one), policy: .selfie).template)
    var bytes = template.serialised().dropLast(32)
    bytes.replaceSubrange(8..<24, with: Array("0123456789abcdef".utf8))
    let digest = sha256(bytes)
    let checksum = stride(from: 0, to: 64, by: 2).compactMap { i in
      UInt8(digest.dropFirst(i).prefix(2), radix: 16)
    }
    let foreign = try FaceTemplate(serialised: Array(bytes) + checksum)
    let photo = FaceInput.photo(try Scripted.photo(.one))
    #expect(
      code { _ = try engine.compare(selfie: .template(foreign), portrait: photo) } == .incompatibleTemplate)
    #expect(
      code { _ = try engine.compare(selfie: photo, portrait: .template(foreign)) } == .incompatibleTemplate)
  }

  @Test("an uncalibrated rate is rejected before any photo is processed")
  func rate() throws {
    var policy = ComparisonPolicy()
    policy.falseMatchRate = try #require(FalseMatchRate("1e-7"))
    let engine = try Scripted.engine.get()
    let plain = try plainPhoto()
    #expect(code { _ = try engine.compare(selfie: plain, portrait: plain, policy: policy) } == .unsupportedRate)
  }

  // Rows: FACE-reasons
  @Test("a stricter rate never turns a non-match into a match")
  func rates() throws {
    var thresholds: [Double] = []
    for rate in [FalseMatchRate.oneIn100, .oneIn1000, .oneIn10000] {
      var policy = ComparisonPolicy()
      policy.falseMatchRate = rate
      let decision = try compare(.one, .same, policy)
      #expect(decision.threshold.rate == rate)
      thresholds.append(decision.threshold.score)
    }
    #expect(thresholds == thresholds.sorted(by: >))
  }

  // Rows: FACE-reasons
  @Test("a photo that the policy refuses is not compared, and the reason names it")
  func refused() throws {
    var policy = ComparisonPolicy()
    policy.portrait = QualityPolicy(
      name: "impossible", requirements: [.interEyeDistance: .init(atLeast: 5000, refusedBelow: 5000)])
    let decision = try compare(.one, .same, policy)
    #expect(decision.result == .refused && decision.comparison == nil)
    #expect(decision.reasons.contains { $0.code == "portrait.inter-eye-distance" })
    #expect(decision.portrait.sample?.template == nil)
    #expect(decision.json.contains("\"comparison\" : null"))
  }

  // Rows: V4.15-a
  @Test("a budget, another thread or task cancellation ends a call, and the next one is unaffected")
  func budget() async throws {
    let engine = try Scripted.engine.get()
    let photo = FaceInput.photo(try Scripted.photo(.one))
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(code { _ = try engine.compare(selfie: photo, portrait: photo, budget: Budget(seconds: 0)) } == .timeout)
    #expect(
      code { _ = try engine.compare(selfie: photo, portrait: photo, budget: Budget(cancellation: cancellation)) }
        == .cancelled)
    let task = Task { () -> VerifyError.Code? in
      withUnsafeCurrentTask { $0?.cancel() }
      return code { _ = try engine.compare(selfie: photo, portrait: photo) }
    }
    #expect(await task.value == .cancelled)
    let other = FaceInput.photo(try Scripted.photo(.same))
    #expect(try engine.compare(selfie: photo, portrait: other, budget: Budget(seconds: 1e9)).result == .match)
  }

  @Test("comparing one template with many equals comparing each, and an incompatible one is named")
  func many() throws {
    let engine = try Scripted.engine.get()
    let templates = try [ScriptedPicture.one, .same, .other].map {
      try #require(try engine.sample(Scripted.photo($0), policy: .selfie).template)
    }
    let found = try engine.compare(templates[0], with: templates)
    #expect(try found.map(\.score) == templates.map { try engine.compare(templates[0], $0).score })
    #expect(found.map(\.isMatch) == [true, true, false])
    #expect(try engine.compare(templates[0], with: []).isEmpty)
  }

  @Test("any supported rate between the calibrated ones can be requested, with its bounds")
  func anyRate() throws {
    var policy = ComparisonPolicy()
    policy.falseMatchRate = try #require(FalseMatchRate("2e-5"))
    let decision = try compare(.one, .other, policy)
    #expect(decision.result == .noMatch && decision.threshold.score < -4)
    #expect(abs(decision.threshold.point.falseMatchRateBounds[1] / 2e-5 - 1) < 1e-6)
    policy.falseMatchRate = try #require(FalseMatchRate("5e-4"))
    let threshold = try compare(.one, .other, policy).threshold
    #expect(0.02 < threshold.point.falseNonMatchRate && threshold.point.falseNonMatchRate < 0.04)
  }

  // Rows: V6-log
  @Test("the log has calls, durations and error codes, and no personal data")
  func log() throws {
    let entries = Lock<[LogEntry]>([])
    var configuration = Scripted.configuration()
    configuration.log = { entry in entries.withLock { $0.append(entry) } }
    let engine = try FaceEngine(configuration)
    _ = try engine.compare(selfie: Scripted.photo(.one), portrait: Scripted.photo(.other))
    _ = code { _ = try engine.sample(plainPhoto(), policy: .selfie) }
    let told = entries.withLock { $0 }
    #expect(told.first?.level == .info && told.contains { $0.text.hasPrefix("compare: ok, ") })
    #expect(told.last?.text.hasPrefix("sample: no-face, ") == true)
    #expect(!told.contains { $0.text.contains("obama") || $0.text.contains("no-match") })
  }

  @Test("an error names the photo without a face")
  func noFace() throws {
    let engine = try Scripted.engine.get()
    do {
      _ = try engine.compare(selfie: Scripted.photo(.one), portrait: plainPhoto())
      Issue.record("no error")
    } catch let error as VerifyError {
      #expect(error.code == .noFace && error.message.hasPrefix("portrait: "))
    }
  }

  @Test("a check that was not made appears in JSON, with null or its value")
  func notChecked() throws {
    let policy = QualityPolicy(name: "nothing", requirements: [:])
    let sample = try Scripted.engine.get().assess(Scripted.photo(.one), policy: policy)
    #expect(sample.quality.checks.allSatisfy { $0.status == .notChecked })
    #expect(sample.json.contains("\"status\" : \"not-checked\""))
    #expect(!sample.json.contains("\"status\" : \"passed\""))
  }

  @Test("the most prominent of several faces is compared, and the others are reported")
  func several() throws {
    let crowd = ScriptedPicture([
      ScriptedFace { ($0.person, $0.x, $0.y, $0.eyes) = (2, 60, 150, 25) }, ScriptedFace { $0.person = 1 },
    ])
    let decision = try compare(crowd, .same)
    #expect(decision.result == .match && decision.selfie.sample?.faces.count == 2)
    #expect(decision.selfie.sample?.choice?.contains("2 faces") == true)
    #expect(decision.reasons.map(\.code) == ["selfie.single-face-present"])
    let twins = ScriptedPicture([
      ScriptedFace { ($0.person, $0.x, $0.eyes) = (2, 100, 45) },
      ScriptedFace { ($0.person, $0.x, $0.eyes) = (1, 220, 45) },
    ])
    #expect(try compare(twins, .same).result == .refused)
  }

  @Test("a selfie is compared with a chip: its holder and its authenticity", .needsChips)
  func documents() throws {
    let engine = try Scripted.engine.get()
    func decide(_ selfie: ScriptedPicture, _ chip: String, _ trust: TrustStore) throws -> FaceDecision {
      let document = try engine.readDocument(
        pages: [], chip: TestDocuments.chip(chip), trust: trust, date: TestDocuments.date())
      return try engine.compare(selfie: .photo(Scripted.photo(selfie)), portrait: .document(document))
    }
    let trust = try TestDocuments.trust()
    for chip in ["drawn-jpeg", "drawn-jp2"] {
      let decision = try decide(.one, chip, trust)
      #expect(decision.faceResult == .match && decision.document?.chip?.authentication.verdict == .authentic)
      // Its holder, but it expired in 2012.
      #expect(decision.result == .refused && decision.reasons.contains { $0.code == "document.expiry" })
    }
    #expect(try decide(.other, "drawn-jpeg", trust).result == .noMatch)
    let unknown = try decide(.one, "drawn-jpeg", TrustStore())
    #expect(unknown.document?.chip?.authentication.verdict == .validWithoutAnchor)
    #expect(unknown.reasons.first?.code == "document.portrait-valid-without-anchor")
    let altered = try decide(.one, "drawn-wrong-hash", trust)
    #expect(altered.result == .refused && altered.reasons.first?.code == "document.portrait-invalid")
  }

  @Test(
    "a chip with any signed file missing or damaged does not match", .needsChips,
    arguments: ["drawn-jpeg", "drawn-jp2", "drawn-wrong-hash"])
  func damagedChips(chip: String) throws {
    let engine = try Scripted.engine.get()
    let trust = try TestDocuments.trust()
    let files = try TestDocuments.chip(chip).files
    let selfie = FaceInput.photo(try Scripted.photo(.one))
    for (file, bytes) in files where file != .common {
      for damage in [nil, [], Array(bytes.prefix(bytes.count / 2)), [UInt8](repeating: 0xFF, count: bytes.count)] {
        var changed = Dictionary(uniqueKeysWithValues: files.map { ($0.key.rawValue, $0.value) })
        changed[file.rawValue] = damage
        let reading = try engine.readDocument(
          pages: [], chip: ChipFiles(files: changed), trust: trust, date: TestDocuments.date())
        #expect(reading.report.result == .failed)
        guard reading.portrait != nil else { continue }
        let decision = try engine.compare(selfie: selfie, portrait: .document(reading))
        #expect(decision.result == .refused && decision.reasons.first?.code.hasPrefix("document.") == true, "\(file)")
      }
    }
  }
}

@Suite("Comparing sample photos", .needsModels, .needsSamples)
struct SamplePhotoComparingTests {
  private func compare(_ selfie: String, _ portrait: String, _ policy: ComparisonPolicy = .init()) throws
    -> FaceDecision
  {
    try Installed.engine.get()
      .compare(selfie: Installed.photo(selfie), portrait: Installed.photo(portrait), policy: policy)
  }

  @Test("two photos of one person match, photos of two people do not")
  func decisions() throws {
    let same = try compare("obama.jpg", "obama2.jpg")
    #expect(same.result == .match)
    #expect(same.comparison.map { $0.score < same.threshold.score && $0.similarity > 75 } == true)
    let other = try compare("obama.jpg", "biden.jpg")
    #expect(other.result == .noMatch)
    #expect(other.reasons.first?.code == "score-beyond-threshold")
    #expect(other.comparison.map { $0.falseMatchRate > 1e-3 && $0.similarity < 75 } == true)
  }

  @Test("the same input gives the same bytes, also in another engine")
  func determinism() throws {
    let first = try compare("obama.jpg", "biden.jpg").json
    #expect(try compare("obama.jpg", "biden.jpg").json == first)
    let engine = try FaceEngine(Installed.configuration())
    let again =
      try engine
      .compare(selfie: Installed.photo("obama.jpg"), portrait: Installed.photo("biden.jpg"))
    #expect(again.json == first)
  }

  @Test("a selfie compressed as JPEG gives nearly the same template, and matches like the original")
  func selfieAsJPEG() throws {
    let engine = try Installed.engine.get()
    let picture = try Installed.photo("obama.jpg").pixels()
    let file = try Photo(bytes: picture.encodedAsJPEG())
    #expect(file.format == "jpeg" && (file.width, file.height) == (picture.width, picture.height))
    let one = try #require(try engine.sample(Photo(pixels: picture), policy: .selfie).template)
    let other = try #require(try engine.sample(file, policy: .selfie).template)
    let second = try #require(try engine.sample(Installed.photo("obama2.jpg"), policy: .selfie).template)
    let (same, two) = (try engine.compare(one, other).score, try engine.compare(one, second).score)
    #expect(same < two - 1, "\(same) against \(two) for a second photo")
    #expect(code { _ = try picture.encodedAsJPEG(quality: 0) } == .badArgument)
    #expect(code { _ = try picture.encodedAsJPEG(quality: .max) } == .badArgument)
  }

  @Test("without a mesh the pose is null in JSON", .needsDlibModels)
  func noMesh() throws {
    var configuration = Installed.configuration()
    configuration.modelSet = .dlib
    let dlib = try FaceEngine(configuration)
    let json = try dlib.assess(Installed.photo("obama.jpg"), policy: .selfie).json
    #expect(json.contains("\"pose\" : null") && json.contains("\"value\" : null"))
  }
}
