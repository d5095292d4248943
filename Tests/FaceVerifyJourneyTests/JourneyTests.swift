import EngineTestSupport
import ScriptedModels
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyJourney

@Suite("Journeys")
struct JourneyTests {
  // Rows: J30 J41 J47 J52 J55 J56 J60 NV30 NV31 NV35 FACE-passed V4.6-b NV34 J51 J66 V6-steps V4.14-d
  @Test("a person who follows the prompts reaches a result, and every step is reported once")
  func passed() throws {
    let play = try JourneyPlay { $0.portrait = .photo(try! Scripted.photo(.one)) }
    try play.call(.start)
    try play.passFace()
    #expect(play.state == .ready)
    try play.call(.finish)
    let result = try #require(play.journey.result)
    #expect(result.isComplete && result.result == .passed && result.error == nil, "\(result.reasons)")
    let steps = play.names.filter { !["face-hint", "next-position"].contains($0) }
    #expect(
      steps == [
        "initialized", "prepare", "started", "scan-view", "processing", "image-taken", "can-finish",
        "credential-finished", "all-captured", "finished",
      ])
    #expect(play.names.filter { $0 == "next-position" }.count == 3)
    let face = try #require(result.credentials.first?.face)
    #expect(face.mode == .liveness && face.liveness.result == .live && face.match?.result == .match)
  }

  // Rows: J32 J34 NV32 V6-identifiers E3-G00000 E4-G DR10
  @Test("a cancelled journey ends in one result with its identifiers and the error")
  func cancelled() throws {
    for state in JourneyState.allCases where ![.finished, .finishing, .rejected].contains(state) {
      let play = try JourneyPlay.inState(state)
      try play.call(.cancel)
      let result = try #require(play.journey.result)
      #expect(!result.isComplete && result.result == .notChecked && result.credentials.isEmpty)
      #expect(result.id.count == 36 && result.accountID.count == 36 && result.id != result.accountID)
      let codes: [JourneyState: JourneyError.Code] = [.halted: .camera, .failed: .transport]
      #expect(result.error?.code == codes[state] ?? .cancelled)
      #expect(play.names.filter { $0 == "finished" }.count == 1 && play.names.last == "finished")
      #expect(play.refusal(.cancel) == .deadController)
    }
  }

  // Rows: J35 J36 J83 DR30 LE-needToConsentFirst V4.17-d DR10 J30
  @Test("nothing starts before every consent is decided, and a refusal blocks until it is revoked")
  func consent() throws {
    let play = try JourneyPlay {
      $0.consents = [
        .init("Your face is compared.", isActive: true, url: "https://example.org", link: "compared"),
        .init("Terms", isActive: false),
      ]
    }
    #expect(play.refusal(.startCredential(0)) == .needToConsentFirst)
    try play.call(.start)
    guard case .initialized(let requests, let consents)? = play.events.last?.kind else { return #expect(Bool(false)) }
    #expect(requests.map(\.category) == [.face] && consents.map(\.isActive) == [true, false])
    #expect(consents[0].url == "https://example.org" && consents[0].link == "compared" && consents[1].text == "Terms")
    #expect(play.refusal(.startCredential(0)) == .needToConsentFirst)
    try play.call(.consent(item: 0, isGiven: true))
    #expect(
      play.refusal(.startCredential(0)) == .needToConsentFirst
        && play.refusal(.startPart(.face, mode: nil)) == .needToConsentFirst)
    try play.call(.consent(item: 1, isGiven: false))
    #expect(play.state == .consenting && play.refusal(.startCredential(0)) == .needToConsentFirst)
    try play.call(.consent(item: 1, isGiven: true))
    #expect(play.state == .ready)
    #expect(throws: VerifyError.self) { try play.call(.consent(item: 2, isGiven: true)) }
    try play.call(.startCredential(0), .cancelCredential)
    #expect(play.refusal(.consent(item: 0, isGiven: false)) == .wrongOrder)
    let declined = try JourneyPlay { $0.consents = [.init("?", isActive: true)] }
    try declined.call(.start, .consent(item: 0, isGiven: false), .cancel)
    #expect(declined.journey.result?.error?.message == "The person did not consent.")
  }

  // Rows: NV4 J22 V6-lifetime E3-J00000 E4-J NV1 DR5 DR4
  @Test("deadlines end a journey and cannot be disabled")
  func deadlines() throws {
    #expect(JourneyConfiguration().timeout == 900 && JourneyConfiguration().startBy == 60)
    let late = try JourneyPlay()
    try late.call(.tick, after: 59)
    #expect(late.state == .created)
    #expect(late.refusal(.start, after: 2) == .errorNotRetryable && late.state == .halted)
    let long = try JourneyPlay { $0.timeout = 30 }
    try long.call(.start)
    try long.call(.tick, after: 29.9)
    #expect(long.state == .ready)
    try long.call(.tick, after: 0.2)
    #expect(long.state == .halted && long.refusal(.retry) == .errorNotRetryable)
    try long.call(.cancel)
    #expect(long.journey.result?.error?.code == .sessionOver && long.journey.result?.error?.isRetryable == false)
    for change: (inout JourneyConfiguration) -> Void in [
      { $0.startBy = 4 }, { $0.startBy = .infinity }, { $0.timeout = 29 }, { $0.timeout = .nan }, { $0.timeout = 3601 },
      { $0.partTimeout = 9.999 }, { $0.partTimeout = 60.001 }, { $0.maximumTries = 0 }, { $0.maximumTries = 11 },
    ] { #expect(code { _ = try JourneyPlay(change) } == .badArgument) }
    for seconds in [10.0, 60.0] { _ = try JourneyPlay { $0.partTimeout = seconds } }
  }

  // Rows: J23 NV12 NV13 NV14
  @Test("identifiers have at most 100 characters, and personal data in them cause a warning")
  func identifiers() throws {
    _ = try JourneyPlay { $0.customerInternalReference = String(repeating: "ü", count: 100) }
    for change: (inout JourneyConfiguration) -> Void in [
      { $0.customerInternalReference = String(repeating: "x", count: 101) },
      { $0.reportingCriteria = String(repeating: "x", count: 101) },
      { $0.userReference = String(repeating: "x", count: 101) }, { $0.id = "not-a-uuid" },
    ] { #expect(code { _ = try JourneyPlay(change) } == .badArgument) }
    for personal in ["anna@example.org", "1980-02-29", "29.02.1980", "P<UTOERIKSSON<<ANNA", "+49 170 1234567"] {
      #expect(try JourneyPlay { $0.userReference = personal }.journey.warnings.count == 1, "\(personal)")
    }
    #expect(try JourneyPlay { $0.userReference = "case-2026-000123" }.journey.warnings.isEmpty)
  }

  // Rows: J3 J21 NV2 LE-dependencyWrongVersion LE-dataCenterValidationFailed LE-notYetImplemented J50 V6-modes J7
  // Rows: NV1 J40 V6-categories V4.11-c
  @Test("unsupported settings are reported when the journey is created")
  func configuration() throws {
    func refusal(_ change: (inout JourneyConfiguration) -> Void) -> LogicalError? {
      do { _ = try JourneyPlay(change) } catch { return error as? LogicalError }
      return nil
    }
    #expect(refusal { $0.requiredVersion = "9.9" } == .dependencyWrongVersion)
    #expect(refusal { $0.requiredVersion = String(FaceVerifyVersion.string.prefix(3)) } == nil)
    #expect(refusal { $0.region = "Mars" } == .dataCentreValidationFailed)
    #expect(refusal { $0.requiresRegion = true } == .dataCentreValidationFailed)
    #expect(
      refusal {
        $0.region = "EU"
        $0.requiresRegion = true
      } == nil)
    let european = try JourneyPlay { $0.region = "EU" }
    try european.call(.start, .cancel)
    #expect(try european.journey.recordBody()["configuration"]?["region"] == "EU")
    #expect(refusal { $0.documentModes = [.web] } == .notYetImplemented)
    #expect(code { _ = try JourneyPlay { $0.faceModes = [.docFinder] } } == .badArgument)
    let play = try JourneyPlay { $0.requests = [.init(.data), .init(.face)] }
    try play.call(.start)
    #expect(play.refusal(.startCredential(0)) == .notYetImplemented)
    try play.call(.startCredential(1))
    #expect(play.refusal(.startPart(.digital, mode: nil)) == .notYetImplemented)
  }

  // Rows: J40 J68 LE-multipleCredentials LE-unknownCredential LE-deadCredential LE-multipleScanParts
  // Rows: LE-unknownScanPart LE-deadScanPart LE-scanPartNotCompleted LE-credentialNotCompleted
  // Rows: LE-controllerNotCompleted LE-deadController LE-errorNotRetryable LE-noFallbackAvailable
  // Rows: LE-takePictureNotAllowed J67 V6-categories
  @Test("each mistake of the calling program has a logical error")
  func logicalErrors() throws {
    let play = try JourneyPlay {
      $0.requests = [.init(.face), .init(.document)]
      $0.faceModes = [.liveness]
    }
    try play.call(.start)
    #expect(play.refusal(.startCredential(2)) == .unknownCredential)
    #expect(play.refusal(.startPart(.face, mode: nil)) == .deadCredential)
    #expect(play.refusal(.finish) == .controllerNotCompleted)
    #expect(play.refusal(.retry) == .errorNotRetryable)
    try play.call(.startCredential(0))
    #expect(play.refusal(.startCredential(1)) == .multipleCredentials)
    #expect(play.refusal(.startPart(.front, mode: nil)) == .unknownScanPart)
    #expect(play.refusal(.startPart(.face, mode: .faceManual)) == .unknownScanPart)
    #expect(play.refusal(.finishCredential) == .credentialNotCompleted)
    #expect(play.refusal(.frame(JourneyFrame(try JourneyPlay.grey(), time: 0))) == .deadScanPart)
    try play.call(.startPart(.face, mode: nil))
    #expect(play.refusal(.startPart(.face, mode: nil)) == .multipleScanParts)
    #expect(play.refusal(.takePicture) == .takePictureNotAllowed)
    #expect(play.refusal(.fallback) == .noFallbackAvailable)
    try play.show()
    try play.call(.finishPart)
    #expect(play.refusal(.startPart(.face, mode: nil)) == .deadScanPart)
    try play.call(.finishCredential)
    #expect(play.refusal(.startCredential(0)) == .deadCredential)
    try play.call(.startCredential(1), .startPart(.document, mode: .manual))
    #expect(play.refusal(.finishPart) == .scanPartNotCompleted)
    #expect(play.refusal(.takePicture) == .takePictureNotAllowed, "no frame came")
    try play.call(.cancel)
    #expect(play.refusal(.start) == .deadController)
    for error in LogicalError.allCases { #expect(error.text.hasSuffix(".")) }
  }

  // Rows: J33 J34 NV36 NV37 V6-soft-hard E3-A10000 E4-A E3-B10000 E4-B E3-C10401 E4-C E3-E20000 E4-E E3-H00000 E4-H
  // Rows: E3-I00000 E4-I
  @Test("transient errors are retryable, others can only be cancelled, according to the code alone")
  func errors() throws {
    for (code, isRetryable) in [
      ("A000000", true), ("B000000", false), ("C000401", false), ("E000000", true), ("H000000", false),
      ("I000000", false), ("J000000", false), ("A101234", true),
    ] {
      let play = try JourneyPlay.inState(.scanning)
      try play.call(.report(.init(rawValue: code)))
      guard case .error(let error)? = play.events.last?.kind else { return #expect(Bool(false)) }
      #expect(error.code.rawValue == code && error.isRetryable == isRetryable && !error.message.isEmpty)
      if isRetryable {
        try play.call(.retry)
        #expect(play.state == .scanning)
      } else {
        #expect(play.refusal(.retry) == .errorNotRetryable && play.refusal(.startCredential(0)) == .errorNotRetryable)
        try play.call(.cancel)
        #expect(play.journey.result?.error == error)
      }
    }
    for code in ["D000000", "F000000", "G000000", "A00000", "Axxxxxx", ""] {
      #expect(throws: VerifyError.self) { try JourneyPlay.inState(.scanning).call(.report(.init(rawValue: code))) }
    }
  }

  // Rows: NV73
  @Test("a pause drops and counts frames, and suspends the person's deadline")
  func paused() throws {
    let play = try JourneyPlay()
    try play.call(.start, .startCredential(0), .startPart(.face, mode: nil), .pause)
    for i in 0..<7 { try play.call(.frame(JourneyFrame(try JourneyPlay.grey(), time: Double(i)))) }
    try play.call(.tick, after: 200)
    try play.call(.resume)
    #expect(play.events.contains { if case .update(.droppedFrames(7)) = $0.kind { true } else { false } })
    try play.show()
    #expect(play.state == .captured)
  }

  // Rows: NV9 NV80 J61 J67 J44 NV76 V4.18-a FACE-extractionMethod NV34
  @Test("a face falls back to one photo if allowed, and the result states it")
  func fallback() throws {
    let play = try JourneyPlay()
    try play.call(.start, .startCredential(0), .startPart(.face, mode: nil))
    #expect(play.journey.snapshot.fallback == .faceManual && !play.journey.snapshot.isShutterEnabled)
    try play.call(.fallback)
    #expect(play.journey.snapshot.fallback == nil && play.journey.snapshot.isShutterEnabled)
    try play.call(.frame(JourneyFrame(try ScriptedPicture.one.pixels(), time: 0)), .takePicture)
    #expect(play.state == .captured)
    try play.call(.finishPart, .finishCredential, .finish)
    let face = try #require(play.journey.result?.credentials[0].face)
    #expect(face.mode == .faceManual && face.liveness.policy == .photo)
    #expect(
      play.events.contains {
        if case .update(.fallback(.userAction, mode: .faceManual)) = $0.kind { true } else { false }
      })
    // At two frames per second no blink is visible.
    let slow = try JourneyPlay()
    try slow.call(.start, .startCredential(0), .startPart(.face, mode: nil))
    try slow.show(seconds: 4, rate: 2)
    #expect(
      slow.events.contains {
        if case .update(.fallback(.lowPerformance, mode: .faceManual)) = $0.kind { true } else { false }
      })
    let forbidden = try JourneyPlay { $0.faceModes = [.liveness] }
    try forbidden.call(.start, .startCredential(0), .startPart(.face, mode: nil))
    try forbidden.show(seconds: 4, rate: 2)
    #expect(!forbidden.names.contains("fallback") && forbidden.journey.snapshot.fallback == nil)
  }

  @Test("a declined movement prevents a pass and is one of the reasons")
  func declined() throws {
    let play = try JourneyPlay { $0.portrait = .photo(try! Scripted.photo(.one)) }
    try play.call(.start, .startCredential(0))
    #expect(play.refusal(.decline) == .deadScanPart)
    try play.call(.startPart(.face, mode: nil), .decline, .cancelPart, .cancelCredential)
    try play.passFace()
    try play.call(.finish)
    let result = try #require(play.journey.result)
    #expect(result.result == .notChecked && result.credentials[0].face?.liveness.result == .live)
    #expect(result.assurance.presence == .challengeAnswered && result.credentials[0].hasDeclined)
    #expect(result.reasons.contains { $0.code == "presence.movement-declined" })
  }

  // Rows: J59 V4.9-a V6-retries V6-retry-screen E4-N
  @Test("a wrong movement leads to a retry with other challenges, a limited number of times")
  func retries() throws {
    let play = try JourneyPlay {
      $0.challenges = [.openMouth, .smile]
      $0.challengeCount = 1
      $0.maximumTries = 2
      $0.faceModes = [.liveness]
    }
    try play.call(.start, .startCredential(0), .startPart(.face, mode: nil))
    try play.show(DrawnPerson { $0.stubborn = .turnLeft })
    #expect(play.state == .retrying)
    guard case .step(.retry(.face, let reason))? = play.events.last?.kind else { return #expect(Bool(false)) }
    #expect(reason == .wrongMovement && SpecificationNames.retryCode(reason) != nil)
    try play.call(.retryPart)
    try play.show(DrawnPerson { $0.stubborn = .turnLeft })
    try play.call(.finishPart, .finishCredential, .finish)
    let result = try #require(play.journey.result)
    #expect(result.isComplete && result.result == .notChecked)
    // A document that never appears.
    let waiting = try JourneyPlay.inState(.scanning)
    for _ in 1..<5 {
      try waiting.call(.tick, after: 31)
      #expect(waiting.state == .retrying)
      try waiting.call(.retryPart)
    }
    try waiting.call(.tick, after: 31)
    #expect(waiting.state == .halted)
    try waiting.call(.cancel)
    #expect(waiting.journey.result?.error?.code == .imagesMissing)
  }

  // Rows: NV8
  @Test("an attack and another person fail, and undecided results do not pass")
  func failed() throws {
    let other = try JourneyPlay { $0.portrait = .photo(try! Scripted.photo(.other)) }
    try other.call(.start)
    try other.passFace()
    try other.call(.finish)
    #expect(other.journey.result?.result == .failed)
    #expect(other.journey.result?.reasons.contains { $0.code == "comparison.score-beyond-threshold" } == true)
    let nobody = try JourneyPlay()
    try nobody.call(.start)
    try nobody.passFace()
    try nobody.call(.finish)
    #expect(nobody.journey.result?.result == .notChecked)
    #expect(nobody.journey.result?.reasons.map(\.code) == ["comparison.portrait-missing"])
    let print = try JourneyPlay { $0.portrait = .photo(try! Scripted.photo(.one)) }
    try print.call(.start)
    try print.passFace(DrawnPerson { $0.face.texture = 0.01 })
    try print.call(.finish)
    #expect(print.journey.result?.result == .failed)
    #expect(print.journey.result?.reasons.first?.code == "liveness.texture")
    let unasked = try JourneyPlay { $0.comparesFace = false }
    try unasked.call(.start)
    try unasked.passFace()
    try unasked.call(.finish)
    #expect(unasked.journey.result?.result == .passed)
  }

  // Rows: J42 J43 J24 NV10 NV11 NV33 NV70 NV71
  @Test("a single remaining document needs no choice, others are chosen among the readable ones")
  func choices() throws {
    func choices(_ extractsOnly: Bool, _ change: (inout JourneyConfiguration.Request) -> Void) throws
      -> [DocumentChoice]
    {
      var request = JourneyConfiguration.Request(.id)
      change(&request)
      return try JourneyPlay {
        $0.requests = [request]
        $0.extractsOnly = extractsOnly
      }.journey.choices(0)
    }
    let german = try choices(false) { $0.countries = ["DEU"] }
    #expect(
      Set(german.map { "\($0.type) \($0.variant)" }) == [
        "passport paper", "visa paper", "id-card paper", "id-card plastic",
      ])
    #expect(german.allSatisfy { $0.country == "D" })
    // Data-only journeys need a zone; Germany's is the only paper card with one.
    #expect(
      try choices(true) {
        $0.countries = ["ITA"]
        $0.types = [.idCard]
      }.map(\.variant) == [.plastic])
    #expect(
      try choices(true) {
        $0.countries = ["D"]
        $0.types = [.idCard]
      }.map(\.variant) == [.paper, .plastic])
    // Licences are those whose code is read.
    #expect(
      try choices(false) { $0.types = [.drivingLicence] }
        == ["CAN", "USA"].map {
          .init(country: $0, type: .drivingLicence, variant: .plastic)
        })
    let unread = { (request: inout JourneyConfiguration.Request) in
      request.types = [.drivingLicence]
      request.countries = ["DEU"]
    }
    #expect(code { _ = try choices(false, unread) } == .badArgument)
    let play = try JourneyPlay { $0.requests = [.init(.id)] }
    try play.call(.start, .startCredential(0))
    guard case .choiceNeeded(0, let countries)? = play.events.last?.kind else { return #expect(Bool(false)) }
    #expect(countries.contains("UTO") && countries.count > 200)
    #expect(play.refusal(.startPart(.front, mode: nil)) == .credentialNotCompleted)
    #expect(throws: VerifyError.self) {
      try play.call(.configure(.init(country: "XYZ", type: .passport, variant: .paper)))
    }
    try play.call(.configure(.init(country: "UTO", type: .idCard, variant: .plastic)))
    try play.call(.startPart(.front, mode: .file), .cancelPart, .startPart(.back, mode: .file), .cancelPart)
    #expect(try JourneyPlay.inState(.choosing).names.contains("choice-needed") == false)
  }

  // Rows: NV81
  @Test("the legal advice of a country is acknowledged before the scan")
  func legalAdvice() throws {
    let play = try JourneyPlay {
      $0.requests = [.init(.id)]
      $0.legalAdvice = ["UTO": "Only for this check."]
    }
    try play.call(
      .start, .startCredential(0), .configure(.init(country: "UTO", type: .idCard, variant: .plastic)))
    guard case .legalAdvice(0, "Only for this check.")? = play.events.last?.kind else { return #expect(Bool(false)) }
    #expect(play.state == .advising && play.refusal(.startPart(.front, mode: .file)) != nil)
    try play.call(.acknowledge, .startPart(.front, mode: .file))
    #expect(play.state == .scanning)
  }

  // Rows: J45 J46 J58 NV82 V6-attachFile IMG ID-imageData
  @Test("a picture of any document is attached, confirmed or retaken, and kept only on request")
  func document() throws {
    for keeps in [false, true] {
      let play = try JourneyPlay {
        $0.requests = [.init(.document)]
        $0.documentModes = [.file]
        $0.asksConfirmation = true
        $0.keepsPictures = keeps
      }
      try play.call(
        .start, .startCredential(0), .startPart(.document, mode: nil), .attach(Photo(pixels: JourneyPlay.grey())))
      #expect(play.state == .confirming && play.journey.snapshot.picture?.width == 320)
      try play.call(.retake)
      #expect(play.state == .scanning && play.journey.snapshot.picture == nil)
      try play.call(.attach(Photo(pixels: JourneyPlay.grey(99))), .confirm, .finishPart, .finishCredential, .finish)
      let result = try #require(play.journey.result)
      #expect(result.isComplete && result.result == .notChecked && result.credentials[0].result == nil)
      #expect(result.credentials[0].pictures.count == (keeps ? 1 : 0))
      #expect(play.names.filter { $0 == "image-taken" }.count == 1)
    }
  }

  // Rows: DR3
  @Test("a cancel from another thread ends the running call, and events can be awaited")
  func threads() async throws {
    let play = try JourneyPlay()
    let stream = play.journey.events()
    let reader = Task {
      var names: [String] = []
      for await event in stream { names.append(event.name) }
      return names
    }
    let (journey, now) = (play.journey, play.now)
    try play.call(.start, .startCredential(0), .startPart(.face, mode: nil))
    let frame = try ScriptedPicture.one.pixels()
    let worker = Task.detached {
      for i in 0..<100_000 {
        do { try journey.perform(.frame(JourneyFrame(frame, time: Double(i))), at: now + 1) } catch { return }
      }
    }
    for i in 0..<1000 where journey.state != .finished {
      if i > 20 { try? journey.perform(.cancel, at: now + 2) }
      await Task.yield()
    }
    await worker.value
    if journey.state != .finished { try? journey.perform(.cancel, at: now + 3) }
    #expect(journey.state == .finished && journey.result?.error?.code == .cancelled)
    #expect(await reader.value.last == "finished")
  }

  @Test("a frame refused for its time is immediately passed on as evidence, and not retained")
  func refusedFrames() throws {
    let kept = JourneyPlay.Kept()
    let play = try JourneyPlay(evidence: kept)
    try play.call(.start, .startCredential(0), .startPart(.face, mode: nil))
    for i in 0..<4 {
      let refused = code { try play.call(.frame(JourneyFrame(JourneyPlay.grey(), time: 1))) }
      #expect(refused == (i == 0 ? nil : .badArgument))
      #expect(kept.all.withLock(\.count) == i + 1)
    }
  }

  // Rows: E3-F00000 E4-F
  @Test("evidence that cannot be stored halts the journey")
  func lostEvidence() throws {
    var configuration = JourneyConfiguration()
    configuration.requests = [.init(.document)]
    configuration.documentModes = [.file]
    let journey = try JourneyController(
      engine: Scripted.engine.get(), configuration: configuration, at: JourneyPlay.start,
      evidence: { _, _ in throw VerifyError(.timeout, "") })
    let calls: [JourneyCall] = [
      .start, .startCredential(0), .startPart(.document, mode: nil), .attach(Photo(pixels: try JourneyPlay.grey())),
    ]
    for call in calls { try journey.perform(call, at: JourneyPlay.start) }
    #expect(journey.state == .halted)
    try journey.perform(.cancel, at: JourneyPlay.start)
    #expect(journey.result?.error?.code.rawValue == "F000000" && journey.result?.error?.isRetryable == false)
  }

  private func code(_ body: () throws -> Void) -> VerifyError.Code? {
    do { try body() } catch { return (error as? VerifyError)?.code }
    return nil
  }
}
