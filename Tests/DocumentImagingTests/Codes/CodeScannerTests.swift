import TestSupport
import Testing

@testable import DocumentImaging

@Suite("CodeScanner")
struct CodeScannerTests {
  // Rows: ST3 ST4 ST5
  @Test("only twelve of the twenty-one pairs are reported")
  func pairs() {
    let table: [(CodeReport.Kind, String)] = [
      (.completed, "ok blurry not-proprietary no-authentication"),
      (.inProgress, "ok blurry unreadable zone-not-in-frame too-small"),
      (.unsupported, "unreadable ok not-proprietary"),
    ]
    var count = 0
    for (kind, states) in table {
      let allowed = states.split(separator: " ")
      for state in CodeFrameState.allCases {
        let report = CodeReport(kind, state)
        #expect((report != nil) == allowed.contains { $0 == state.rawValue }, "\(kind) \(state)")
        count += report == nil ? 0 : 1
        if let report {
          #expect(report.isFinal == (kind == .completed || kind == .unsupported && state != .unreadable))
        }
      }
    }
    #expect(count == 12 && CodeFrameState.allCases.count * CodeReport.Kind.allCases.count == 21)
  }

  private static let mine = CodeOwnership.prefix("https://example.org/")
  private static let empty = Result { try PixelBuffer.plain(width: 640, height: 480) }

  /// The reports of a scanner on repeated frames, until it stops.
  private func reports(
    _ configuration: CodeScanner.Configuration, _ frames: [PixelBuffer], most: Int = 10
  ) throws -> [String] {
    let scanner = try codeScanner(configuration)
    scanner.start()
    var out: [String] = []
    for i in 0..<most {
      guard let scan = try scanner.process(frames[i % frames.count]) else { break }
      out.append("\(scan.report.kind.rawValue) \(scan.report.state.rawValue)")
    }
    return out
  }

  /// A stub with a fixed verdict and fixed requirements.
  private struct Judge: CodeJudge {
    var side = 128
    var leastSide = 50.0
    var mostEdge = 4.0
    var can = true
    func canJudge(_ reading: CodeReading) -> Bool { can }
    func judge(_ specimen: CodeSpecimen) throws -> CodeVerdict {
      CodeVerdict(status: .passed, score: specimen.resolution, text: "an original")
    }
  }

  // Rows: ST6 ST8
  @Test("consecutive good frames confirm a code")
  func confirmation() throws {
    let frame = try DrawnCode.named("qr").frame()
    #expect(
      try reports(.init(ownership: Self.mine), [frame]) == ["in-progress ok", "in-progress ok", "completed ok"])
    // Another code in between restarts the count.
    let other = try DrawnCode.named("qr-mdoc").frame()
    #expect(
      try reports(.init(framesToConfirm: 2), [frame, other, other]) == [
        "in-progress ok", "in-progress ok", "completed ok",
      ])
  }

  // Rows: ST6 ST10
  @Test("the best of the good frames is kept")
  func best() throws {
    let scanner = try codeScanner(.init(judge: Judge(), framesToConfirm: 3))
    scanner.start()
    let code = try DrawnCode.named("qr")
    // Nearer and equally sharp is better; nearer and blurred is not.
    let near = try code.frame(repeated: 2)
    var last: CodeScan?
    for frame in [try code.frame(), near, try near.smoothed(1)] { last = try scanner.process(frame) }
    let specimen = try #require(last?.specimen)
    #expect(abs(specimen.resolution * 128 - 2 * Double(try code.pixels.width - 128)) < 4)
    #expect(specimen.edge < 2)
    #expect(last?.verdict?.status == .passed && last?.report.isFinal == true)
    #expect(specimen.pixels.count == 128 * 128)
  }

  // Rows: ST8
  @Test("another issuer's code is not proprietary, and the report is final")
  func ownership() throws {
    let frame = try DrawnCode.named("qr-mdoc").frame()
    #expect(try reports(.init(ownership: Self.mine), [frame]) == ["completed not-proprietary"])
    // Undecidable ownership is treated the same.
    #expect(try reports(.init(ownership: CodeOwnership { _ in nil }), [frame]) == ["completed not-proprietary"])
  }

  // Rows: ST8
  @Test("a pattern selects the codes of an issuer")
  func patterns() throws {
    let reading = try #require(codeReader().read(DrawnCode.named("qr").photo).readings.first)
    for (pattern, owns) in [
      ("https://example.org/*", true), ("*", true), ("*b=?", true), ("https://example.org/a?b=1", true), ("*b=", false),
      ("", false), ("a*", false), ("*example*b*", true), ("https://*.net/*", false),
    ] {
      #expect(CodeOwnership.pattern(pattern).owns(reading) == owns, "\(pattern)")
    }
    // Exponential for a backtracking matcher.
    let long = CodeReading(
      format: .qr, bytes: [], text: String(repeating: "a", count: 4000), marked: [], identifier: "", isGS1: false)
    #expect(CodeOwnership.pattern(String(repeating: "*a", count: 50) + "b").owns(long) == false)
  }

  @Test("a small code, a blurred one and one without criteria have distinct states")
  func demands() throws {
    let frame = try DrawnCode.named("qr").frame()
    #expect(
      try reports(.init(judge: Judge(leastSide: 300)), [frame], most: 2)
        == Array(repeating: "in-progress too-small", count: 2))
    #expect(
      try reports(.init(judge: Judge(mostEdge: 0.1), framesToGiveUp: 3), [frame]) == [
        "in-progress blurry", "in-progress blurry", "completed blurry",
      ])
    #expect(try reports(.init(judge: Judge(can: false)), [frame]) == ["completed no-authentication"])
  }

  // Rows: ST7 ST11
  @Test("every frame has a report, also one without a code")
  func unreadable() throws {
    #expect(
      try reports(.init(), [Self.empty.get()], most: 2) == Array(repeating: "in-progress unreadable", count: 2))
    // Half of the code is outside of the frame, more than its correction restores.
    #expect(try reports(.init(), [DrawnCode.named("qr").frame(x: -110)], most: 1) == ["in-progress unreadable"])
  }

  // Rows: ST9
  @Test("a zone next to the code must be in the frame")
  func zone() throws {
    let zone = Rectangle(x: 1.2, y: 0, width: 1, height: 1)
    let inside = try DrawnCode.named("qr").frame(x: 100)
    #expect(try reports(.init(zone: zone, framesToConfirm: 1), [inside]) == ["completed ok"])
    let outside = try DrawnCode.named("qr").frame(x: 420)
    #expect(try reports(.init(zone: zone), [outside], most: 1) == ["in-progress zone-not-in-frame"])
    #expect(throws: VerifyError(.badArgument, "")) {
      try codeScanner(.init(zone: Rectangle(x: 0, y: 0, width: 0, height: 1)))
    }
    let scanner = try codeScanner(.init(judge: Judge(), zone: zone, framesToConfirm: 1))
    scanner.start()
    #expect(try scanner.process(inside)?.specimen?.zone?.width == 128)
  }

  // Rows: ST12 ST14
  @Test("a limited scanner completes immediately, by content alone")
  func limited() throws {
    let frame = try DrawnCode.named("qr").frame()
    #expect(try reports(.init(isLimited: true, ownership: Self.mine), [frame]) == ["completed ok"])
    let other = try DrawnCode.named("ean-13").frame()
    #expect(try reports(.init(isLimited: true, ownership: Self.mine), [other]) == ["completed not-proprietary"])
    #expect(try reports(.init(isLimited: true), [Self.empty.get()], most: 1) == ["in-progress unreadable"])
    // Data Matrix is not among its formats.
    let matrix = try DrawnCode.named("data-matrix").frame()
    #expect(try reports(.init(isLimited: true), [matrix], most: 1) == ["in-progress unreadable"])
    let scanner = try codeScanner(.init(isLimited: true, ownership: Self.mine))
    scanner.start()
    let scan = try #require(try scanner.process(frame))
    #expect(scan.reading?.text == "https://example.org/a?b=1" && scan.report.state == .ok)
  }

  // Rows: ST3 ST15
  @Test("an insufficient camera is reported with each reading")
  func unsupported() throws {
    let frame = try DrawnCode.named("qr").frame()
    let configuration = CodeScanner.Configuration(ownership: Self.mine, isCameraSupported: false)
    #expect(try reports(configuration, [Self.empty.get(), frame]) == ["unsupported unreadable", "unsupported ok"])
    #expect(try reports(configuration, [DrawnCode.named("qr-mdoc").frame()]) == ["unsupported not-proprietary"])
  }

  // Rows: ST1 ST2
  @Test("start, pause and resume control source and processing, and the torch is switched")
  func verbs() throws {
    let scanner = try codeScanner(.init(framesToConfirm: 1, hasTorch: true))
    let frame = try DrawnCode.named("qr").frame()
    #expect(try scanner.process(frame) == nil && !scanner.isSourceWanted)
    scanner.start()
    #expect(scanner.isSourceWanted && scanner.isProcessing)
    #expect(try scanner.process(frame)?.report.isFinal == true)
    // A final report ends processing, not the source.
    #expect(!scanner.isProcessing && scanner.isSourceWanted)
    #expect(try scanner.process(frame) == nil)
    scanner.resume()
    #expect(try scanner.process(frame)?.report.isFinal == true)
    scanner.pause()
    #expect(!scanner.isSourceWanted && !scanner.isProcessing)
    scanner.resume()
    #expect(!scanner.isSourceWanted && scanner.isProcessing)
    try scanner.setTorch(true)
    #expect(scanner.isTorchWanted)
    #expect(throws: VerifyError(.badArgument, "")) { try codeScanner().setTorch(true) }
    #expect(throws: VerifyError(.badArgument, "")) { try codeScanner(.init(framesToConfirm: 0)) }
  }
}
