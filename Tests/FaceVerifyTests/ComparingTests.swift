import FaceVerify
import TestSupport
import Testing

@Suite("Comparing, and FaceDecision", .needsModels, .needsSamples)
struct ComparingTests {
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

  @Test("the same input gives the same bytes, in another engine too")
  func determinism() throws {
    let first = try compare("obama.jpg", "biden.jpg").json
    #expect(try compare("obama.jpg", "biden.jpg").json == first)
    let engine = try FaceEngine(Installed.configuration())
    let again =
      try engine
      .compare(selfie: Installed.photo("obama.jpg"), portrait: Installed.photo("biden.jpg"))
    #expect(again.json == first)
  }

  @Test("a template decides as its photo does")
  func templates() throws {
    let engine = try Installed.engine.get()
    let template = try #require(try engine.sample(Installed.photo("obama2.jpg"), policy: .selfie).template)
    let read = try FaceTemplate(serialised: template.serialised())
    let decision = try engine.compare(
      selfie: .photo(Installed.photo("obama.jpg")), portrait: .template(read))
    let photos = try compare("obama.jpg", "obama2.jpg")
    #expect(decision.result == .match)
    #expect(decision.comparison?.score == photos.comparison?.score)
    #expect(decision.portrait.kind == .template && decision.portrait.sample == nil)
    #expect(decision.portrait.sha256 == template.sha256 && decision.portrait.quality == template.quality)
    let both = try engine.compare(selfie: .template(read), portrait: .template(read))
    #expect(both.result == .match && both.reasons.isEmpty)
    let json = both.json
    #expect(json.contains("\"kind\" : \"template\"") && json.contains("\"faces\" : null"))
  }

  @Test("a template of other models is refused, on either side")
  func foreign() throws {
    let engine = try Installed.engine.get()
    let template = try #require(try engine.sample(Installed.photo("obama.jpg"), policy: .selfie).template)
    var bytes = template.serialised().dropLast(32)
    bytes.replaceSubrange(8..<24, with: Array("0123456789abcdef".utf8))
    let digest = sha256(bytes)
    let checksum = stride(from: 0, to: 64, by: 2).compactMap { i in
      UInt8(digest.dropFirst(i).prefix(2), radix: 16)
    }
    let foreign = try FaceTemplate(serialised: Array(bytes) + checksum)
    let photo = FaceInput.photo(try Installed.photo("obama.jpg"))
    #expect(
      code { _ = try engine.compare(selfie: .template(foreign), portrait: photo) } == .incompatibleTemplate)
    #expect(
      code { _ = try engine.compare(selfie: photo, portrait: .template(foreign)) } == .incompatibleTemplate)
  }

  @Test("a rate that was not measured is refused before a photo is looked at")
  func rate() throws {
    var policy = ComparisonPolicy()
    policy.falseMatchRate = try #require(FalseMatchRate("1e-7"))
    let engine = try Installed.engine.get()
    let plain = try plainPhoto()
    #expect(code { _ = try engine.compare(selfie: plain, portrait: plain, policy: policy) } == .unsupportedRate)
  }

  @Test("a stricter rate never turns no match into a match")
  func rates() throws {
    var thresholds: [Double] = []
    for rate in [FalseMatchRate.oneIn100, .oneIn1000, .oneIn10000] {
      var policy = ComparisonPolicy()
      policy.falseMatchRate = rate
      let decision = try compare("obama.jpg", "obama2.jpg", policy)
      #expect(decision.falseMatchRate == rate && decision.threshold.rate == rate.description)
      thresholds.append(decision.threshold.score)
    }
    #expect(thresholds == thresholds.sorted(by: >))
  }

  @Test("a photo that the policy refuses is not compared, and the reason says which")
  func refused() throws {
    var policy = ComparisonPolicy()
    policy.portrait = QualityPolicy(
      name: "impossible", requirements: [.interEyeDistance: .init(atLeast: 5000, refusedBelow: 5000)])
    let decision = try compare("obama.jpg", "obama2.jpg", policy)
    #expect(decision.result == .refused && decision.comparison == nil)
    #expect(decision.reasons.contains { $0.code == "portrait.inter-eye-distance" })
    #expect(decision.portrait.sample?.template == nil)
    #expect(decision.json.contains("\"comparison\" : null"))
  }

  @Test("a call is ended by its budget, from another thread or by its task, and the next one is whole")
  func budget() async throws {
    let engine = try Installed.engine.get()
    let photo = FaceInput.photo(try Installed.photo("obama.jpg"))
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
    #expect(try engine.compare(selfie: photo, portrait: photo, budget: Budget(seconds: 1e9)).result == .match)
  }

  @Test("which photo shows no face is said")
  func noFace() throws {
    let engine = try Installed.engine.get()
    do {
      _ = try engine.compare(selfie: Installed.photo("obama.jpg"), portrait: plainPhoto())
      Issue.record("no error")
    } catch let error as VerifyError {
      #expect(error.code == .noFace && error.message.hasPrefix("portrait: "))
    }
  }

  @Test("a check that was not made says so in JSON, with null or its value")
  func notChecked() throws {
    let policy = QualityPolicy(name: "nothing", requirements: [:])
    let sample = try Installed.engine.get().assess(Installed.photo("obama.jpg"), policy: policy)
    #expect(sample.quality.checks.allSatisfy { $0.status == .notChecked })
    #expect(sample.json.contains("\"status\" : \"not-checked\""))
    #expect(!sample.json.contains("\"status\" : \"passed\""))
    var configuration = Installed.configuration()
    configuration.modelSet = .dlib
    guard let dlib = try? FaceEngine(configuration) else { return }
    let json = try dlib.assess(Installed.photo("obama.jpg"), policy: .selfie).json
    #expect(json.contains("\"pose\" : null") && json.contains("\"value\" : null"))
  }
}
