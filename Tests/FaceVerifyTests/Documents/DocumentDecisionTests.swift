import EngineTestSupport
import FaceVerify
import TestSupport
import Testing

@Suite("DocumentDecision", .needsModels, .needsSamples, .needsChips)
struct DocumentDecisionTests {
  private func decide(_ selfie: String, chip: String, trust: Bool = true) throws -> FaceDecision {
    let engine = try Installed.engine.get()
    let document = try engine.readDocument(
      pages: [], chip: TestDocuments.chip(chip), trust: trust ? TestDocuments.trust() : TrustStore(),
      date: TestDocuments.date())
    return try engine.compare(selfie: .photo(Installed.photo(selfie)), portrait: .document(document))
  }

  @Test(
    "the holder matches a genuine chip, in every encoding of its picture",
    arguments: ["td3-jpeg", "td3-jp2", "td3-j2k", "td1-39794-jp2"])
  func holder(chip: String) throws {
    let decision = try decide("obama2.jpg", chip: chip)
    #expect(decision.faceResult == .match && decision.document?.portrait?.source == .chip)
    #expect(decision.document?.chip?.authentication.verdict == .authentic)
    // Those of Utopia expired in 2012: they are the holder's, but nobody matches them.
    let isExpired = decision.document?.report[.expiry]?.status == .failed
    #expect(isExpired == (chip != "td3-j2k") && decision.result == (isExpired ? .refused : .match))
    #expect(
      decision.reasons.map(\.code).filter { $0.hasPrefix("document.") } == (isExpired ? ["document.expiry"] : []))
  }

  @Test("another person does not match it")
  func other() throws { #expect(try decide("biden.jpg", chip: "td3-jpeg").result == .noMatch) }

  @Test("a chip without a path to a trust anchor cannot match")
  func stranger() throws {
    let decision = try decide("obama2.jpg", chip: "unknown-csca")
    #expect(decision.result == .refused && decision.faceResult == .match)
    #expect(decision.document?.chip?.authentication.verdict == .validWithoutAnchor)
    #expect(decision.reasons.first?.code == "document.portrait-valid-without-anchor")
  }

  @Test("a trust folder without usable certificates differs from none")
  func nothingTrusted() throws {
    try withTemporaryFolder { folder in
      let engine = try Installed.engine.get()
      let document = try engine.readDocument(
        pages: [], chip: TestDocuments.chip("td3-jpeg"), trust: TrustStore(folder: folder), date: TestDocuments.date())
      let decision = try engine.compare(selfie: .photo(Installed.photo("obama2.jpg")), portrait: .document(document))
      #expect(decision.result == .refused && decision.faceResult == .match)
    }
  }

  @Test("without a trust anchor the portrait is not authentic")
  func noAnchor() throws {
    let decision = try decide("obama2.jpg", chip: "td3-j2k", trust: false)
    #expect(decision.result == .match && decision.document?.chip?.authentication.verdict == .validWithoutAnchor)
    #expect(decision.reasons.first?.code == "document.portrait-valid-without-anchor")
    #expect(decision.reasons.first?.text.contains("add the certificate of") == true)
  }

  // Rows: DR2
  @Test("a budget ends the reading of a document and is reported")
  func budget() throws {
    let engine = try Installed.engine.get()
    let photo = try Installed.photo("obama.jpg")
    let chip = try TestDocuments.chip("td3-jpeg")
    for budget in [Budget(seconds: 0), Budget(seconds: -1)] {
      #expect(throws: VerifyError(.timeout, "")) {
        try engine.readDocument(pages: [photo], date: TestDocuments.date(), budget: budget)
      }
      #expect(throws: VerifyError(.timeout, "")) {
        try engine.readDocument(pages: [], chip: chip, date: TestDocuments.date(), budget: budget)
      }
      #expect(throws: VerifyError(.timeout, "")) {
        try engine.readZone(photo, on: TestDocuments.date().calendarDate, budget: budget)
      }
    }
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: VerifyError(.cancelled, "")) {
      try engine.readDocument(
        pages: [photo], date: TestDocuments.date(), budget: Budget(cancellation: cancellation))
    }
  }

  @Test(
    "an altered or forged chip is refused, regardless of the faces",
    arguments: ["wrong-hash", "wrong-signature", "wrong-country", "revoked-signer"])
  func altered(chip: String) throws {
    let decision = try decide("obama2.jpg", chip: chip)
    #expect(decision.result == .refused && decision.document?.chip?.authentication.verdict == .invalid)
    #expect(decision.reasons.first?.code == "document.portrait-invalid")
    #expect(decision.json.contains(#""result" : "refused""#))
  }

  @Test("a genuine chip that is not in date is refused, but not reported as forged")
  func outOfDate() throws {
    let decision = try decide("obama2.jpg", chip: "expired-signer")
    #expect(decision.result == .refused && decision.document?.chip?.authentication.verdict == .authentic)
    #expect(decision.reasons.first?.code == "document.chip-out-of-date")
  }

  // Rows: DR6
  @Test("a chip with an unreadable portrait is reported, and the page's portrait is used", .needsPages)
  func broken() throws {
    let engine = try Installed.engine.get()
    let alone = try engine.readDocument(
      pages: [], chip: TestDocuments.chip("truncated-dg2"), date: TestDocuments.date())
    #expect(alone.portrait == nil && alone.portraitProblem?.contains("portrait") == true)
    #expect(throws: VerifyError(.noFace, "")) {
      try engine.compare(selfie: .photo(Installed.photo("obama.jpg")), portrait: .document(alone))
    }
    let page = try #require(TestDocuments.pages.first { $0.kind == "clean" })
    let both = try engine.readDocument(
      pages: [page.photo()], chip: TestDocuments.chip("truncated-dg2"), date: TestDocuments.date())
    #expect(both.portrait?.source == .page && both.portraitProblem != nil)
  }

  @Test(
    "an incomplete chip does not match, not even with a page's portrait, and its document does not pass", .needsPages,
    arguments: [
      ("EF.SOD", nil, "sod-unusable"), ("EF.SOD", [0x77, 0], "sod-unusable"), ("EF.DG1", nil, "chip-unreadable"),
      ("EF.DG2", nil, "portrait-unreadable"), ("EF.DG2", [0x89, 0x50, 0x4E, 0x47], "portrait-unreadable"),
      ("EF.DG14", nil, "chip-incomplete"),
    ] as [(String, [UInt8]?, String)])
  func notWhole(file: String, content: [UInt8]?, reason: String) throws {
    let engine = try Installed.engine.get()
    var files = Dictionary(
      uniqueKeysWithValues: try TestDocuments.chip("td3-jpeg").files.map { ($0.key.rawValue, $0.value) })
    files[file] = content
    let chip = try ChipFiles(files: files)
    let page = try #require(TestDocuments.pages.first { $0.kind == "clean" })
    // The pages' portrait is obama.jpg.
    let selfie = FaceInput.photo(try Installed.photo("obama2.jpg"))
    for pages in [[], [try page.photo()]] {
      let reading = try engine.readDocument(
        pages: pages, chip: chip, trust: TestDocuments.trust(), date: TestDocuments.date())
      #expect(reading.report.result == .failed && reading.report[.chipRead]?.reason?.rawValue == reason)
      guard reading.portrait != nil else { continue }
      let decision = try engine.compare(selfie: selfie, portrait: .document(reading))
      #expect(decision.result == .refused && decision.faceResult != .refused)
      #expect(decision.reasons.contains { $0.code == "document.\(reason)" && $0.text.contains("EF.") })
      #expect(decision.reasons.contains { $0.code == "document.portrait-page" } == (reading.portrait?.source == .page))
    }
  }

  // Rows: DR7
  @Test("a missing chip that is expected prevents a match", .needsPages)
  func expected() throws {
    let engine = try Installed.engine.get()
    let page = try #require(TestDocuments.pages.first { $0.kind == "clean" })
    // The pages' portrait is obama.jpg.
    let selfie = FaceInput.photo(try Installed.photo("obama2.jpg"))
    func decide(_ chipExpected: Bool) throws -> FaceDecision {
      try engine.compare(
        selfie: selfie,
        portrait: .document(
          engine.readDocument(pages: [page.photo()], date: TestDocuments.date(), chipExpected: chipExpected)))
    }
    let unasked = try decide(false)
    #expect(unasked.faceResult == .match && !unasked.reasons.contains { $0.code == "document.no-chip" })
    let asked = try decide(true)
    #expect(asked.result == .refused && asked.reasons.first?.code == "document.no-chip")
  }

  @Test("another person's page is detected, next to a genuine chip and next to another page")
  func otherPerson() throws {
    let engine = try Installed.engine.get()
    func read(_ pages: [String], _ chip: String?) throws -> DocumentReading {
      try engine.readDocument(
        pages: pages.map(Installed.photo), chip: chip.map(TestDocuments.chip), trust: TestDocuments.trust(),
        date: TestDocuments.date())
    }
    let genuine = try read(["obama2.jpg"], "td3-jpeg")
    #expect(genuine.report[.portraitMatchesChip]?.status == .passed)
    #expect(try read(["obama.jpg"], "td3-jpeg").report[.portraitMatchesChip]?.status == .passed, "a copy of the chip's")
    let other = try read(["biden.jpg"], "td3-jpeg")
    #expect(other.report[.portraitMatchesChip]?.reason == .portraitsDiffer && other.report.result == .failed)
    let decision = try engine.compare(selfie: .photo(Installed.photo("obama2.jpg")), portrait: .document(other))
    #expect(decision.result == .refused && decision.faceResult == .match)
    #expect(decision.reasons.contains { $0.code == "document.portrait-matches-chip" })
    #expect(try read([], "td3-jpeg").report[.portraitMatchesChip]?.status == .notChecked)
    let two = try read(["obama.jpg", "biden.jpg"], nil)
    #expect(two.report[.pagesMatch]?.reason == .portraitsDiffer && two.report.result == .failed)
    #expect(try read(["obama.jpg", "obama2.jpg"], nil).report[.pagesMatch]?.status == .passed)
    #expect(try read(["obama.jpg"], nil).report[.pagesMatch]?.reason == .oneSource)
  }

  @Test("pages of two documents are detected", .needsPages)
  func twoDocuments() throws {
    let engine = try Installed.engine.get()
    let pages = TestDocuments.pages.filter { $0.kind == "clean" && $0.lines.first?.first == "P" }.prefix(2)
    try #require(pages.count == 2 && pages[0].lines != pages[1].lines)
    let reading = try engine.readDocument(pages: pages.map { try $0.photo() }, date: TestDocuments.date())
    #expect(reading.report[.pagesMatch]?.reason == .sourcesDiffer && reading.report.result == .failed)
    let twice = try engine.readDocument(pages: [pages[0].photo(), pages[0].photo()], date: TestDocuments.date())
    #expect(twice.report[.pagesMatch]?.status == .passed)
  }

  // Rows: DR1 DR26
  @Test("differences of page and chip are reported per field", .needsPages)
  func mismatch() throws {
    let engine = try Installed.engine.get()
    let page = try #require(TestDocuments.pages.first { $0.kind == "clean" && $0.lines.first?.first == "P" })
    let reading = try engine.readDocument(
      pages: [page.photo()], chip: TestDocuments.chip("td3-jpeg"), trust: TestDocuments.trust(),
      date: TestDocuments.date())
    #expect(reading.report[.mrzMatchesChip]?.status == .failed)
    #expect(reading.report.mismatches.contains { $0.name == .documentNumber })
    #expect(reading.report.pageData?[.documentNumber].value != reading.report.chipData?[.documentNumber].value)
  }

  @Test("empty input is an error")
  func nothing() throws {
    #expect(code { _ = try Installed.engine.get().readDocument(pages: [], date: TestDocuments.date()) } == .badArgument)
  }
}
