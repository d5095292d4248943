import EngineTestSupport
import ScriptedModels
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyJourney

@Suite("Driving licences in a journey", .needsModels)
struct JourneyLicenceTests {
  /// The example printed in the AAMVA standard of 2020, with replacements.
  func payload(_ changes: (String, String)...) -> [UInt8] {
    var text =
      "@\n\u{1E}\rANSI 636000100102DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDDGN\n"
      + "DCUJR\nDCAD\nDCBK\nDCDPH\nDBD06062019\nDBB06061986\nDBA12102024\nDBC1\nDAU068 in\nDAYBRO\n"
      + "DAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\nDCK123456789\n"
      + "DDAF\nDDB06062018\nDDC06062020\nDDD1\rZVZVA01\r"
    for (old, new) in changes { text = text.replacing(old, with: new) }
    return Array(text.utf8)
  }

  private var withoutAddress: [UInt8] { payload(("DAG2300 WEST BROAD STREET\nDAIRICHMOND\n", "")) }

  private func play(
    _ kept: JourneyPlay.Kept? = nil, _ change: (inout JourneyConfiguration) -> Void = { _ in }
  ) throws -> JourneyPlay {
    let play = try JourneyPlay(evidence: kept) {
      $0.requests = [.init(.id)]
      $0.requests[0].types = [.drivingLicence]
      $0.requests[0].countries = ["USA"]
      $0.date = CalendarDate("2024-06-01")
      $0.assurance.accepted = [.licence]
      $0.givesInstantFeedback = false
      change(&$0)
    }
    try play.call(.start, .startCredential(0))
    #expect(play.state == .choosing)
    return play
  }

  /// Plays from the beginning to a captured front.
  private func front(_ play: JourneyPlay) throws {
    try play.call(.startPart(.front, mode: .file), .attach(try Scripted.photo(.one)), .finishPart)
  }

  private func told(_ play: JourneyPlay) -> JourneyError? {
    for event in play.events.reversed() { if case .error(let error) = event.kind { return error } }
    return nil
  }

  // Rows: NV41 NV49 NV54 ID-extractionMethod
  @Test("the code on the back is read, and the report is based on it")
  func code() throws {
    for isMultipart in [false, true] {
      let play = try play { $0.isMultipart = isMultipart }
      if isMultipart {
        try play.call(.startPart(.multipart, mode: .file), .attach(try Scripted.photo(.one)))
      } else {
        try front(play)
        try play.call(.startPart(.back, mode: nil))
      }
      #expect(play.state == .scanning)
      try play.call(.attachCode(payload()))
      #expect(play.state == .captured && play.names.last == "can-finish")
      try play.call(.finishPart, .finishCredential, .finish)
      let credential = try #require(play.journey.result?.credentials[0])
      #expect(credential.result == .passed && play.journey.result?.assurance.document == .pageSeen)
      #expect(credential.modes == (isMultipart ? [.multipart: .file] : [.front: .file, .back: .barcode]))
      let reading = try #require(credential.document)
      #expect(reading.pages.count == 1 && reading.licence?.version == 10)
      #expect(reading.report.data[.documentNumber] == .passed("T64235789"))
      #expect(reading.report.data[.subdivision] == .passed("VA") && reading.report.data.type == .drivingLicence)
      #expect(reading.json.contains(#""hasAddress" : true"#))
    }
  }

  @Test("an unsigned code passes only if the configuration accepts it")
  func unauthenticated() throws {
    let play = try play { $0.assurance.accepted = [] }
    try front(play)
    try play.call(.startPart(.back, mode: .barcode), .attachCode(payload()), .finishPart, .finishCredential, .finish)
    let result = try #require(play.journey.result)
    #expect(result.result == .notChecked && result.reasons.contains { $0.code == "document.unauthenticated" })
  }

  // Rows: NV83 E3-Y00000 E4-Y NV34
  @Test("a code without an address is a retryable error: the front is due")
  func address() throws {
    let backFirst = try play()
    try backFirst.call(.startPart(.back, mode: .barcode), .attachCode(withoutAddress))
    #expect(backFirst.state == .failed)
    let error = try #require(told(backFirst))
    #expect(error.code == .barcodeWithoutAddress && error.code.rawValue == "Y000000" && error.isRetryable)
    #expect(SpecificationNames.olderCode(error.code) == "Y00000")
    try backFirst.call(.retry)
    #expect(backFirst.state == .captured && backFirst.names.suffix(2) == ["next-part", "can-finish"])
    try backFirst.call(.finishPart)
    #expect(backFirst.refusal(.finishCredential) == .credentialNotCompleted)
    try front(backFirst)
    try backFirst.call(.finishCredential, .finish)
    let data = try #require(backFirst.journey.result?.credentials[0].document?.report.data)
    #expect(data[.address] == .absent && data[.city] == .absent && data[.surname] == .passed("SAMPLE"))
    // If the front was already scanned, the journey continues.
    let frontFirst = try play()
    try front(frontFirst)
    try frontFirst.call(.startPart(.back, mode: .barcode), .attachCode(withoutAddress), .retry)
    #expect(frontFirst.state == .captured && !frontFirst.names.contains("next-part"))
    try frontFirst.call(.finishPart, .finishCredential, .finish)
    #expect(frontFirst.journey.result?.isComplete == true)
    // Or it is declined.
    let given = try play()
    try given.call(.startPart(.back, mode: .barcode), .attachCode(withoutAddress), .cancel)
    #expect(given.journey.result?.error?.code == .barcodeWithoutAddress)
  }

  // Rows: RR-401 V4.11-d
  @Test("another country's licence and an identity card are rejected, and other codes are refused")
  func rejected() throws {
    let kept = JourneyPlay.Kept()
    let play = try play(kept) { $0.maximumTries = 3 }
    try play.call(.startPart(.back, mode: .barcode))
    for other in [payload(("DCGUSA", "DCGCAN")), payload(("DL", "ID"))] {
      try play.call(.attachCode(other))
      #expect(play.state == .rejected)
      guard case .step(.rejectView(.back, let reasons))? = play.events.last?.kind else { return #expect(Bool(false)) }
      #expect(reasons == [.unsupportedDocument])
      try play.call(.retake)
    }
    #expect(kept.all.withLock(\.count) == 2)
    for bytes in [[], Array("P<UTO".utf8), Array(payload().prefix(20))] {
      #expect(throws: VerifyError.self) { try play.call(.attachCode(bytes)) }
      #expect(play.state == .scanning)
    }
    #expect(kept.all.withLock(\.count) == 2)
    try play.call(.attachCode(payload(("DCGUSA", "DCGCAN"))))
    #expect(play.state == .halted && told(play)?.code == .imagesMissing)
  }

  // Rows: LE-unknownScanPart V6-modes NV74
  @Test("codes are allowed only on the backs of licences, if enabled")
  func modes() throws {
    let licence = try play()
    #expect(licence.refusal(.startPart(.front, mode: .barcode)) == .unknownScanPart)
    #expect(licence.refusal(.startPart(.back, mode: .docFinder)) == .unknownScanPart)
    try licence.call(.startPart(.front, mode: .file))
    #expect(licence.refusal(.attachCode(payload())) == .unknownScanPart)
    try licence.call(.cancelPart, .startPart(.back, mode: nil))
    #expect(licence.journey.snapshot.fallback == .manual)
    // Frames are analysed, and the feedback states why no code was read.
    #expect(
      CodeFault.allCases.map { DocumentHint($0) } == [
        .centreDocument, .moveCloser, .tooClose, .holdStill, .tilt, .holdStraight, .tooClose, .moreLight, .holdStill,
      ])
    for i in 0..<2 { try licence.call(.frame(JourneyFrame(JourneyPlay.grey(), time: Double(i)))) }
    #expect(licence.names.filter { $0 == "document-hint" }.count == 1 && licence.state == .scanning)
    func fault() -> CodeFault? { licence.journey.snapshot.part?.codeFault }
    #expect(fault() == .noneThere)
    try licence.call(.attach(Photo(pixels: JourneyPlay.grey())))
    #expect(licence.state == .rejected && fault() == .noneThere)
    try licence.call(.retake)
    #expect(licence.state == .scanning && fault() == nil)
    // If no code is requested, a picture is kept, but not read.
    try licence.call(.fallback, .frame(JourneyFrame(JourneyPlay.grey(), time: 3)), .takePicture, .finishPart)
    try front(licence)
    try licence.call(.finishCredential, .finish)
    let credential = try #require(licence.journey.result?.credentials[0])
    #expect(credential.result == .failed && credential.document?.licence == nil && credential.modes[.back] == .manual)
    #expect(credential.document?.report[.validation]?.reason == .noData)
    let card = try JourneyPlay {
      $0.requests = [.init(.id)]
      $0.requests[0].types = [.idCard]
      $0.requests[0].countries = ["UTO"]
      $0.requests[0].variants = [.plastic]
    }
    try card.call(.start, .startCredential(0))
    #expect(card.refusal(.startPart(.back, mode: .barcode)) == .unknownScanPart)
    let none = try play { $0.documentModes = [.file] }
    #expect(none.refusal(.startPart(.back, mode: .barcode)) == .unknownScanPart)
    #expect(EngineTestSupport.code { _ = try JourneyPlay { $0.documentModes = [.barcode] } } == .badArgument)
  }

  @Test("a record has the hash of the code, and the code can be replayed")
  func record() throws {
    let kept = JourneyPlay.Kept()
    let play = try play(kept)
    try front(play)
    try play.call(.startPart(.back, mode: .barcode), .attachCode(payload()), .finishPart, .finishCredential, .finish)
    let body = try play.journey.recordBody()
    let input = try #require(body["inputs"]?.elements.last)
    #expect(input["kind"]?.string == "code" && input["sha256"]?.string == sha256(payload()))
    let text = String(decoding: body.canonical, as: UTF8.self)
    for word in ["SAMPLE", "T64235789", "RICHMOND", "19860606"] { #expect(!text.contains(word)) }
    let record = try DecisionRecord(body: body, signedBy: SigningKey(PrivateKey(for: .signing)))
    #expect(record.verify().allSatisfy { $0.status != .failed })
    func differences(_ code: [UInt8]) throws -> [String] {
      try JourneyReplay.differences(of: record, engine: Scripted.engine.get()) { input in
        if input.kind == .code { return code }
        return kept.all.withLock { all in
          all.first { $0.0.index == input.index }.flatMap {
            switch $0.1 {
            case .picture(let picture): try? picture.encodedAsPNG()
            case .bytes(let bytes): bytes
            }
          }
        }
      }.map(\.path)
    }
    #expect(try differences(payload()) == [])
    #expect(try differences(payload(("SAMPLE", "SIMPLE"))).first == "inputs[1]")
  }
}
