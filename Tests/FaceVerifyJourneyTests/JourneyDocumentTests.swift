import EngineTestSupport
import Glibc
import ScriptedModels
import TestSupport
import Testing

@testable import EmulatedChip
@testable import FaceVerify
@testable import FaceVerifyJourney

@Suite("Documents in a journey", .needsModels, .needsPages, .needsChips)
struct JourneyDocumentTests {
  /// A clean page whose zone starts with `start`.
  private func page(_ start: String) throws -> Photo {
    try #require(TestDocuments.pages.first { $0.kind == "clean" && $0.lines[0].hasPrefix(start) }).photo()
  }

  private func play(
    _ type: DocumentType, _ country: String, _ change: (inout JourneyConfiguration) -> Void = { _ in }
  ) throws -> JourneyPlay {
    let play = try JourneyPlay {
      $0.requests = [.init(.id)]
      $0.requests[0].types = [type]
      $0.requests[0].countries = [country]
      $0.requests[0].variants = [type == .idCard ? .plastic : .paper]
      $0.date = CalendarDate("2026-06-01")
      $0.readsChip = false
      change(&$0)
    }
    try play.call(.start, .startCredential(0))
    #expect(play.state == .choosing)
    return play
  }

  private func updates(_ play: JourneyPlay) -> [DocumentHint?] {
    play.events.compactMap { if case .update(.document(let hint)) = $0.kind { .some(hint) } else { nil } }
  }

  // Rows: J53 J63 V6-states-document J45 NV40 J55
  @Test("the first good frame of a page is captured, and each obstacle before it is reported once")
  func finder() throws {
    let passport = try page("P<MYS").pixels()
    let play = try play(.passport, "MYS")
    try play.call(.startPart(.front, mode: nil))
    for i in 0..<3 { try play.call(.frame(JourneyFrame(JourneyPlay.grey(), time: Double(i)))) }
    #expect(updates(play) == [.centreDocument] && play.state == .scanning)
    try play.call(.frame(JourneyFrame(passport, time: 3)))
    #expect(play.state == .captured && updates(play) == [.centreDocument, nil])
    try play.call(.finishPart, .finishCredential, .finish)
    let result = try #require(play.journey.result)
    #expect(result.credentials[0].document?.report.data[.documentNumber].value == "L8YBI95UP")
    #expect(result.credentials[0].modes == [.front: .docFinder] && result.credentials[0].choice?.country == "MYS")
    #expect(play.names.filter { $0 == "image-taken" }.count == 1)
  }

  // Rows: J64 J63
  @Test("a tilted page must be straightened, by a stated angle; a sideways one is read")
  func askew() throws {
    let sideways = try #require(
      TestDocuments.pages.first { $0.kind == "clean" && $0.lines[0].hasPrefix("P<ARG") && abs($0.turn - 90) < 2 })
    let read = try self.play(.passport, "ARG")
    try read.call(.startPart(.front, mode: nil), .frame(JourneyFrame(sideways.photo().pixels(), time: 0)))
    #expect(read.state == .captured, "\(updates(read))")
    let tilted = try PixelBuffer.turned(page("P<MYS").pixels(), degrees: 28)
    let play = try self.play(.passport, "MYS")
    try play.call(.startPart(.front, mode: nil), .frame(JourneyFrame(tilted, time: 0)))
    #expect(updates(play) == [.holdStraight] && play.state == .scanning, "\(updates(play))")
    guard case .update(.tilt(let current, let target))? = play.events.last?.kind else { return #expect(Bool(false)) }
    #expect(abs(abs(current) - 28) < 3 && target == 0)
  }

  // Rows: J57 NV75 NV83 E3-Z00000 E4-Z RR-206 RR-214 NV34 NV72 J46 J47 J55
  @Test("both sides of a card are scanned in order, and a wrong side is reported and retried")
  func card() throws {
    let back = try page("INARG")
    let front = try Scripted.photo(.one)
    for isMultipart in [false, true] {
      let play = try play(.idCard, "ARG") {
        $0.isMultipart = isMultipart
        $0.documentModes = [.file]
        $0.givesInstantFeedback = false
      }
      try play.call(.startPart(isMultipart ? .multipart : .front, mode: nil), .attach(front))
      if isMultipart {
        #expect(play.state == .scanning && play.names.contains("next-part"))
      } else {
        #expect(play.refusal(.finishCredential) == .scanPartNotCompleted)
        try play.call(.finishPart)
        #expect(play.refusal(.finishCredential) == .credentialNotCompleted)
        try play.call(.startPart(.back, mode: nil))
      }
      try play.call(.attach(front))
      #expect(play.state == .failed)
      guard case .error(let error)? = play.events.last?.kind else { return #expect(Bool(false)) }
      #expect(error.code == .wrongSide && error.isRetryable)
      try play.call(.retry, .attach(back), .finishPart, .finishCredential, .finish)
      let reading = try #require(play.journey.result?.credentials[0].document)
      #expect(reading.pages.count == 2 && reading.zone?.format == .td1)
      #expect(play.names.filter { $0 == "image-taken" }.count == (isMultipart ? 1 : 2))
    }
  }

  @Test("printed text is read once all pages are captured, and another value than the zone's fails the document")
  func printed() throws {
    for (kind, type, start) in [("printed", DocumentType.passport, "P<CZE"), ("altered", .visa, "V<IRN")] {
      let made = try #require(TestDocuments.pages.first { $0.kind == kind && $0.lines[0].hasPrefix(start) })
      for readsText in [false, true] {
        let play = try play(type, String(start.dropFirst(2))) {
          ($0.readsText, $0.givesInstantFeedback) = (readsText, false)
          $0.documentModes = [.file]
          $0.assurance.accepted = [.page]
        }
        try play.call(.startPart(.front, mode: nil), .attach(made.photo()), .finishPart, .finishCredential, .finish)
        let report = try #require(play.journey.result?.credentials[0].document?.report)
        let check = report[.printMatches]?.status
        #expect(check == (!readsText ? .notChecked : kind == "printed" ? .passed : .failed), "\(made.file)")
        #expect(report.mismatches.map(\.name.rawValue) == (check == .failed ? [made.altered] : []), "\(made.file)")
      }
    }
  }

  @Test("a card without a zone: the front is captured once its edges are visible, then the back")
  func paper() throws {
    let photo = try Installed.photo("obama.jpg")
    let play = try JourneyPlay(engine: Installed.engine.get()) {
      $0.requests = [.init(.id)]
      $0.requests[0].types = [.idCard]
      $0.requests[0].countries = ["GRC"]
      $0.requests[0].variants = [.paper]
      $0.documentModes = [.docFinder]
      $0.date = CalendarDate("2026-06-01")
    }
    // ID-1, of 20 pixels per millimetre.
    let plain = try PixelBuffer.plain(width: 1712, height: 1080, grey: 225)
    func scene(_ card: PixelBuffer) throws -> PixelBuffer {
      try .plain(width: 2200, height: 1500, grey: 90).with(card, x: 240, y: 200)
    }
    let front = try scene(plain.with(photo.pixels(reduction: 4), x: 60, y: 120))
    try play.call(.start, .startCredential(0), .startPart(.front, mode: nil))
    try play.call(.frame(JourneyFrame(photo.pixels(reduction: 4), time: 0)))
    #expect(play.state == .scanning && updates(play) == [.centreDocument])
    try play.call(.frame(JourneyFrame(front, time: 1)))
    #expect(play.state == .captured, "\(updates(play))")
    try play.call(.finishPart, .startPart(.back, mode: nil), .frame(JourneyFrame(front, time: 2)))
    #expect(play.state == .scanning && updates(play).last == .flip)
    try play.call(.frame(JourneyFrame(PixelBuffer.plain(width: 2200, height: 1500, grey: 90), time: 3)))
    #expect(play.state == .scanning && updates(play).last == .centreDocument)
    try play.call(.frame(JourneyFrame(scene(plain), time: 4)), .finishPart, .finishCredential, .finish)
    let reading = try #require(play.journey.result?.credentials[0].document)
    #expect(reading.pages.count == 1 && reading.portrait?.source == .page && reading.report.result == .failed)
  }

  // Rows: RR-401 V4.11-d J58 NV82
  @Test("a document of another country is rejected immediately and can be retaken")
  func rejected() throws {
    let play = try play(.passport, "MYS") { $0.documentModes = [.file] }
    try play.call(.startPart(.front, mode: nil), .attach(try page("P<GBRCNYW")))
    #expect(play.state == .rejected)
    guard case .step(.rejectView(.front, let reasons))? = play.events.last?.kind else { return #expect(Bool(false)) }
    #expect(reasons.contains(.unsupportedDocument))
    #expect(SpecificationNames.rejectionNumber(.unsupportedDocument) == 401)
    try play.call(.retake, .attach(try page("P<MYS")))
    #expect(play.state == .captured)
  }

  // Rows: J60 J62 DR1 DR4 DR7 J46 V4.15-c
  @Test("the chip follows the zone, is optional unless required, and page and chip are compared")
  func chip() throws {
    let pages = try page("P<MYS")
    let chip = try TestDocuments.chip("td3-jpeg")
    for isRequired in [false, true] {
      let play = try play(.passport, "MYS") {
        $0.readsChip = true
        $0.requiresChip = isRequired
        $0.documentModes = [.file]
      }
      try play.call(.startPart(.front, mode: nil), .attach(pages), .finishPart, .finishCredential)
      guard case .step(.addonPart(.chip, let told))? = play.events.last?.kind else { return #expect(Bool(false)) }
      #expect(told == isRequired && play.state == .choosing)
      if isRequired {
        #expect(play.refusal(.finishCredential) == .credentialNotCompleted)
        try play.call(.startPart(.chip, mode: nil), .attachChip(chip))
        #expect(
          play.names.contains("chip-started") && play.names.contains("chip-progress") && play.names.last == "can-finish"
        )
        try play.call(.finishPart)
      }
      try play.call(.finishCredential, .finish)
      let reading = try #require(play.journey.result?.credentials[0].document)
      #expect(reading.zone != nil && (reading.chip != nil) == isRequired)
      // The chip of another passport.
      if isRequired { #expect(reading.report[.mrzMatchesChip]?.status == .failed && reading.report.result == .failed) }
    }
    let again = try play(.passport, "UTO") {
      $0.readsPages = false
      $0.requiresChip = true
    }
    try again.call(.startPart(.chip, mode: nil), .attachChip(chip), .cancelPart)
    #expect(again.refusal(.finishCredential) == .credentialNotCompleted)
    try again.call(.startPart(.chip, mode: nil), .attachChip(chip), .finishPart, .finishCredential, .finish)
    let alone = try play(.passport, "UTO") {
      $0.readsPages = false
      $0.requiresChip = true
    }
    try alone.call(.startPart(.chip, mode: nil), .attachChip(chip), .finishPart, .finishCredential, .finish)
    #expect(alone.journey.result?.credentials[0].document?.chip != nil)
    let unread = try self.play(.passport, "UTO") {
      $0.readsPages = false
      $0.requiresChip = true
      $0.maximumTries = 2
    }
    try unread.call(.startPart(.chip, mode: nil))
    try unread.call(.tick, after: 31)
    #expect(unread.state == .retrying)
    try unread.call(.retryPart)
    try unread.call(.tick, after: 31)
    #expect(unread.state == .halted)
  }

  private enum Copy: CaseIterable { case none, keyless, silent, file }

  @Test(
    "a live chip is an original, a suspected copy fails, and replay verifies the proof again", arguments: Copy.allCases)
  private func live(_ copy: Copy) throws {
    var document = EmulatedDocument()
    document.zone = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F3012316ZE184226B<<<<<18"
    document.portrait = try EmulatedDocument.dataGroup2(Scripted.photo(.one).pixels().encodedAsJPEG())
    document.variants = [.init(mapping: 6, cipher: 2, parameters: 12)]
    document.agreement = .init(parameters: 12, cipher: 2)
    document.signing = .ecdsa(curve: 12, digest: 3)
    document.issue()
    let chip = EmulatedChip(document)
    if copy == .keyless { chip.fault = .wrongSignature }
    let session = ChipSession(copy == .silent ? Silent(chip) : chip)
    let access = try session.open(
      with: ChipPassword(documentNumber: "L898902C3", dateOfBirth: "740812", dateOfExpiry: "301231"))
    #expect(access == .opened("id-PACE-ECDH-CAM-AES-CBC-CMAC-128"))
    var files = try session.read()
    if copy == .file {
      files = try ChipFiles(files: Dictionary(uniqueKeysWithValues: files.files.map { ($0.key.rawValue, $0.value) }))
    }

    let kept = JourneyPlay.Kept()
    let play = try JourneyPlay(evidence: kept) {
      $0.requests = [.init(.id)]
      ($0.requests[0].types, $0.requests[0].countries) = ([.passport], ["UTO"])
      $0.date = CalendarDate("2026-06-01")
      ($0.readsPages, $0.requiresChip) = (false, true)
      $0.trust = EmulatedState.shared.trust()
      $0.assurance.document = .chipAuthentic
    }
    try play.call(
      .start, .startCredential(0), .startPart(.chip, mode: nil), .attachChip(files), .finishPart, .finishCredential,
      .finish)
    let result = try #require(play.journey.result)
    let report = try #require(result.credentials[0].document?.report)
    switch copy {
    case .none: #expect(result.result == .passed && report.assurance == .chipAuthentic)
    case .file:
      #expect(result.result == .notChecked && report.assurance == .chipCopyAuthentic)
      #expect(result.reasons.last?.code == "document.below-policy")
    case .keyless:
      #expect(result.result == .failed && report[.chipRead]?.reason == .cloneSuspected && !report.mayMatch)
    case .silent:
      #expect(result.result == .failed && report[.chipRead]?.reason == .chipIncomplete && !report.mayMatch)
    }

    let record = try DecisionRecord(body: play.journey.recordBody(), signedBy: SigningKey(PrivateKey(for: .signing)))
    let inputs = Dictionary(
      uniqueKeysWithValues: kept.all.withLock { $0 }.map { input, content in
        if case .bytes(let bytes) = content { (input.index, bytes) } else { (input.index, []) }
      })
    func differences(_ record: DecisionRecord) throws -> [String] {
      try JourneyReplay.differences(
        of: record, engine: Scripted.engine.get(), trust: EmulatedState.shared.trust(), inputs: { inputs[$0.index] }
      ).map(\.path)
    }
    #expect(try differences(record).isEmpty)
    guard copy == .none else { return }
    // The signer of a record cannot state a signature or mapping data that the chip did not make.
    let body = try play.journey.recordBody()
    let call = try #require(body["calls"]?.elements.firstIndex { $0["session"] != nil })
    let recorded = try #require(body["calls"]?.elements[call]["session"])
    for (path, value) in [
      ("activeAuthentication.signature", recorded["activeAuthentication"]?["signature"]),
      ("chipAuthenticationMappings.0.data", recorded["chipAuthenticationMappings"]?.elements[0]["data"]),
    ] {
      let made = try #require(value?.string)
      let changed = body.setting(
        "calls.\(call).session.\(path)", .string((made.hasPrefix("0") ? "1" : "0") + made.dropFirst()))
      let forged = try DecisionRecord(body: changed, signedBy: SigningKey(PrivateKey(for: .signing)))
      #expect(try differences(forged).contains { $0.hasPrefix("body.credentials[0]") }, "\(path)")
    }
  }

  /// A copy that ends the session before it must sign.
  private final class Silent: ChipTransport {
    let chip: EmulatedChip
    init(_ chip: EmulatedChip) { self.chip = chip }
    func transmit(_ command: [UInt8]) throws -> [UInt8] {
      // INTERNAL AUTHENTICATE
      guard command[1] != 0x88 else { throw VerifyError(.unreadable, "the card was removed") }
      return try chip.transmit(command)
    }
  }

  // Rows: NV7 NV54 ID-extractionMethod
  @Test("data are read without any comparison")
  func extraction() throws {
    let play = try play(.passport, "MYS") {
      $0.extractsOnly = true
      $0.documentModes = [.file]
      $0.recordsPersonalData = true
    }
    try play.call(.startPart(.front, mode: nil), .attach(try page("P<MYS")), .finishPart, .finishCredential, .finish)
    let body = try play.journey.recordBody()
    #expect(body["credentials"]?.elements[0]["document"]?["data"]?["documentNumber"]?["value"] == "L8YBI95UP")
    #expect(body["credentials"]?.elements[0]["modes"]?["front"] == "file")
    #expect(play.journey.result?.credentials[0].face == nil)
  }

  @Test("a document seen at an angle is to be held straight, one seen from above is not")
  func angle() throws {
    let engine = try Installed.engine.get()
    let day = try TestDocuments.date().calendarDate
    // Edges of visas are not used.
    let made = try #require(
      TestDocuments.pages.first { $0.kind == "clean" && abs($0.turn) < 5 && $0.lines.first?.hasPrefix("P") == true })
    let whole = try #require(try engine.readPage(made.photo(), on: day).image(from: made.photo()))
    let card = whole.resized(width: 1000, height: 1000 * whole.height / whole.width)
    let (width, height) = (1200.0, Double(card.height + 200))
    let flat = PixelBuffer(width: 1200, height: card.height + 200) { out in
      for i in out.indices {
        let (x, y) = (i / 3 % 1200 - 100, i / 3 / 1200 - 100)
        out[i] =
          (0..<card.width).contains(x) && (0..<card.height).contains(y)
          ? card.rgb[3 * (y * card.width + x) + i % 3] : 60
      }
    }
    /// The picture on a tilted plane, by a camera whose focal length is the picture's width.
    func seen(degrees: Double) throws -> Photo {
      let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
      let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { u, v in
        let down = v * height / width
        let reach = 1 / (c - down * s)
        return Point(x: width * (0.5 + u * c * reach), y: height / 2 + width * down * reach)
      }
      return Photo(pixels: flat.rectified(corners, width: 1200, height: card.height + 200))
    }
    #expect(DocumentHint(try engine.readPage(seen(degrees: 5), on: day), showing: .zone) == nil)
    let play = try self.play(.passport, String(made.lines[0].dropFirst(2).prefix(3)))
    try play.call(.startPart(.front, mode: nil), .frame(JourneyFrame(seen(degrees: 30).pixels(), time: 0)))
    #expect(updates(play) == [.holdStraight])
    // It is not rotated.
    #expect(!play.events.contains { if case .update(.tilt) = $0.kind { true } else { false } })
  }
}

extension PixelBuffer {
  /// Rotated clockwise by degrees, on a grey background that contains all of it.
  static func turned(_ picture: PixelBuffer, degrees: Double) throws -> PixelBuffer {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let (w, h) = (Double(picture.width), Double(picture.height))
    let (width, height) = (Int(abs(w * c) + abs(h * s)) + 40, Int(abs(w * s) + abs(h * c)) + 40)
    var rgb = [UInt8](repeating: 128, count: 3 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let (dx, dy) = (Double(x) - Double(width) / 2, Double(y) - Double(height) / 2)
        let (u, v) = (dx * c + dy * s + w / 2, dy * c - dx * s + h / 2)
        guard u >= 0, v >= 0, u < w - 1, v < h - 1 else { continue }
        let (i, j, a, b) = (Int(u), Int(v), u - u.rounded(.down), v - v.rounded(.down))
        for k in 0..<3 {
          func at(_ i: Int, _ j: Int) -> Double { Double(picture.rgb[3 * (j * picture.width + i) + k]) }
          let top: Double = at(i, j) * (1 - a) + at(i + 1, j) * a
          let below: Double = at(i, j + 1) * (1 - a) + at(i + 1, j + 1) * a
          rgb[3 * (y * width + x) + k] = UInt8(top * (1 - b) + below * b)
        }
      }
    }
    return try PixelBuffer(width: width, height: height, rgb: rgb)
  }
}

@Suite("Names of journeys in the specification")
struct JourneyNamesTests {
  // Rows: J50 NV74 E3-G00000 E3-Y00000 E4-D E3-D10403 J46 E3-A10000 E3-B10000 E3-C10401 E3-E20000 E3-H00000
  // Rows: E3-I00000 E3-J00000 E3-Z00000
  @Test("modes, parts, hints, errors and codes have the specification's names")
  func names() {
    #expect(
      ScanMode.allCases.map(SpecificationNames.scanMode) == [
        "manual", "faceManual", "liveness", "livenessPremium", nil, "barcode", "nfc", "docFinder", "file", "web",
      ])
    #expect(
      JourneyPart.allCases.map(SpecificationNames.part) == [
        "front", "back", "nfc", "face", "document", "multipart", "digital",
      ])
    #expect(
      DocumentHint.allCases.map(SpecificationNames.hint) == [
        "centerId", "tooClose", "moveCloser", "holdStraight", "holdStill", "tilt", "moreLight", "oneDocument",
        "rotate",
      ])
    #expect(
      LogicalError.allCases.compactMap(SpecificationNames.logicalError) == [
        "dependencyWrongVersion", "notYetImplemented", "deadController", "errorNotRetryable", "needToConsentFirst",
        "controllerNotCompleted", "isBeingFinished", "multipleCredentials", "unknownCredential", "deadCredential",
        "credentialNotCompleted", "multipleScanParts", "unknownScanPart", "scanPartNotCompleted", "deadScanPart",
        "noFallbackAvailable", "takePictureNotAllowed", "tokenValidationFailed", "dataCenterValidationFailed",
      ])
    #expect(
      JourneyError.Code.allCases.map(SpecificationNames.olderCode) == [
        "A10000", "B10000", "C10401", "E20000", "F00000", "G00000", "H00000", "I00000", "J00000", nil, "Y00000",
        "Z00000",
      ])
    #expect(
      JourneyError.Code.allCases.filter(\.isRetryable) == [.transport, .offline, .barcodeWithoutAddress, .wrongSide])
    #expect(!JourneyError.Code(rawValue: "D000000").isKnown)
    func event(_ kind: JourneyEvent.Kind) -> String { SpecificationNames.event(JourneyEvent(at: 0, kind: kind)) }
    #expect(event(.step(.addonPart(.chip, isRequired: false))) == "addonScanPart")
    #expect(
      event(.step(.confirmationView(.front))) == "confirmationView" && event(.step(.scanView(.front))) == "scanView")
    #expect(event(.update(.face(nil))) == "extractionState" && event(.allCaptured) == "didCaptureAllParts")
    #expect(
      event(.update(.nextPosition(.smile))) == "nextPosition" && event(.update(.chipStarted)) == "nfcExtractionStarted")
  }

  // Rows: J20 NV17 LE-tokenValidationFailed V4.11-c
  @Test("a required token must be present, unaltered, in date, and for this product and account")
  func token() throws {
    let (key, other) = (try PrivateKey(for: .signing), try PrivateKey(for: .signing))
    let signer = try SigningKey(key)
    let account = "11111111-2222-4333-8444-555555555555"
    func refusal(_ token: String?, account: String? = account) -> LogicalError? {
      do {
        _ = try JourneyPlay {
          $0.tokenKey = key.publicKey
          $0.token = token
          $0.accountID = account
        }
      } catch { return error as? LogicalError }
      return nil
    }
    let later = JourneyPlay.start + 60
    let good = try JourneyToken.make(accountID: account, expires: later, signedBy: signer)
    #expect(refusal(good) == nil)
    #expect(refusal(try JourneyToken.make(accountID: nil, expires: later, signedBy: signer)) == nil)
    #expect(
      refusal(try JourneyToken.make(accountID: account, expires: JourneyPlay.start, signedBy: signer))
        == .tokenValidationFailed)
    #expect(
      refusal(try JourneyToken.make(accountID: account, expires: later, signedBy: SigningKey(other)))
        == .tokenValidationFailed)
    #expect(refusal(good, account: "11111111-2222-4333-8444-555555555556") == .tokenValidationFailed)
    for token in [nil, "", ".", "a.b", good + "x", "x" + good, String(good.dropLast())] {
      #expect(refusal(token) == .tokenValidationFailed)
    }
    #expect(try !JourneyPlay { $0.token = good }.journey.configuration.json.contains(good))
  }
}
