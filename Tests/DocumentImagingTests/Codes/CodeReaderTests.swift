import TestSupport
import Testing

@testable import DocumentImaging

@Suite("CodeReader")
struct CodeReaderTests {
  // Rows: ST13
  @Test("every format is read, byte for byte", arguments: DrawnCode.all)
  func formats(_ code: DrawnCode) throws {
    let frame = try codeReader().read(code.photo)
    let reading = try #require(frame.readings.first)
    #expect(frame.readings.count == 1)
    #expect(reading.format == code.format)
    #expect(reading.bytes == code.bytes)
    #expect(reading.encoding == code.encoding)
    #expect(frame.fault == nil && frame.state == .ok)
    #expect(reading.corners.count == 4)
    if let text = reading.text { #expect(code.file == "qr-bytes.png" || Array(text.utf8) == code.bytes) }
    // With that format alone, and without others.
    #expect(try codeReader(formats: [code.format]).read(code.photo).readings.map(\.bytes) == [code.bytes])
    let others = CodeFormat.all.filter { $0 != code.format && !($0 == .ean13 && code.format == .upcA) }
    #expect(try codeReader(formats: others).read(code.photo).readings == [])
  }

  @Test("each format has a test code")
  func drawn() { #expect(Set(DrawnCode.all.map(\.format)) == Set(CodeFormat.all)) }

  @Test("rotated, mirrored and light-on-dark codes are read", arguments: ["qr", "data-matrix", "pdf417", "code-128"])
  func ways(_ name: String) throws {
    let code = try DrawnCode.named(name)
    let reader = try codeReader()
    for quarters in 1...3 {
      #expect(try reader.read(code.pixels.turned(quarters)).readings.map(\.bytes) == [code.bytes])
    }
    let inverted = try reader.read(code.pixels.mapped { 255 - $0 }).readings
    guard name != "pdf417" else { return }
    #expect(inverted.map(\.bytes) == [code.bytes] && inverted.allSatisfy(\.isInverted))
  }

  @Test("corners surround the code, also if the locator found it", arguments: CodeReader.Effort.allCases)
  func corners(_ effort: CodeReader.Effort) throws {
    let frame = try DrawnCode.named("qr").frame(x: 300)
    let reading = try #require(codeReader(effort: effort).read(frame).readings.first)
    let code = try DrawnCode.named("qr").pixels
    // The code without its margin of 64 pixels.
    let (left, right) = (300.0 + 64, 300.0 + Double(code.width) - 64)
    #expect(abs(reading.corners[0].x - left) < 2 && abs(reading.corners[1].x - right) < 2)
  }

  @Test("bytes that are not text remain bytes")
  func binary() throws {
    let reading = try #require(codeReader().read(DrawnCode.named("qr-bytes").photo).readings.first)
    #expect(reading.bytes == (0...255).map(UInt8.init))
    #expect(reading.text == nil && reading.encoding == nil)
  }

  @Test("a mobile licence is named as unsupported")
  func mobileLicence() throws {
    let reading = try #require(codeReader().read(DrawnCode.named("qr-mdoc").photo).readings.first)
    #expect(reading.purpose == .mobileLicence)
    #expect(reading.purpose?.text.contains("not supported") == true)
    #expect(try codeReader().read(DrawnCode.named("pdf417").photo).readings.first?.purpose == .licence)
  }

  @Test("unknown formats are rejected")
  func unknown() {
    #expect(throws: VerifyError(.badArgument, "")) { try codeReader(formats: []) }
    #expect(throws: VerifyError(.badArgument, "")) { try codeReader(formats: [CodeFormat(rawValue: "bokode")]) }
  }

  @Test("a budget ends reading")
  func budget() throws {
    let reader = try codeReader()
    #expect(throws: VerifyError(.timeout, "")) {
      try reader.read(DrawnCode.named("qr").photo, budget: Budget(seconds: 0))
    }
  }

  @Test(
    "the reason of a failure is reported",
    arguments: [
      ("qr", CodeFault.tooFar), ("qr", .blurred), ("qr", .partlyOut), ("qr", .glare),
      ("code-128", .blurred), ("code-128", .lowContrast), ("qr", .tooNear), ("aztec", .tilted),
    ])
  func faults(_ name: String, _ fault: CodeFault) throws {
    let code = try DrawnCode.named(name)
    let frame = try spoiled(code, fault)
    let seen = try codeReader().read(frame)
    #expect(seen.readings == [] && seen.state == .unreadable)
    #expect(seen.fault == fault, "\(seen.places.first as Any)")
    #expect(!fault.advice.isEmpty)
  }

  private func spoiled(_ code: DrawnCode, _ fault: CodeFault) throws -> PixelBuffer {
    switch fault {
    case .tooFar: try code.frame(scale: 0.22)
    case .blurred: try code.frame(scale: 1.5).smoothed(4)
    case .lowContrast: try code.frame(scale: 1.5).mapped { 100 + $0 / 24 }
    case .partlyOut: try code.frame(scale: 1.5, x: -110)
    case .tooNear: try code.frame(scale: 6)
    case .glare:
      try code.frame(scale: 1.5).mapped { $0 == 255 ? 220 : $0 }.with(
        .plain(width: 60, height: 60, grey: 255), x: 290, y: 210)
    case .tilted: try code.frame(scale: 2, flattened: 2.5)
    default: try code.frame()
    }
  }

  /// Pictures of training/codes/simulate.py: lines miss the first bars, and zxing-cpp reads 764475, and a UPC-E.
  @Test("parts of bar codes are not separate codes", arguments: ["part-itf.jpg", "part-ean-13.jpg"])
  func parts(_ file: String) throws {
    let frame = try codeReader().read(Photo(path: DrawnCode.folder + file))
    #expect(frame.readings == [])
    #expect(frame.places.first?.isLinear == true)
  }

  /// Pictures of training/codes/simulate.py, in which zxing-cpp reads other texts.
  @Test(
    "for PDF417 that is hard to read, at most one text is returned",
    arguments: [("far", "g2hWaS/fnhGyRuLJxKCF:4tRfE4xZKSzaqu"), ("tilted", nil)])
  func hard(_ name: String, _ text: String?) throws {
    let frame = try codeReader().read(Photo(path: DrawnCode.folder + "hard-pdf417-\(name).jpg"))
    #expect(frame.readings.map(\.text) == [text].compactMap(\.self))
    #expect(frame.fault == (text == nil ? .tilted : nil))
  }

  @Test("corrected errors are reported for matrix codes, not for bar codes")
  func correction() throws {
    let clean = try #require(try codeReader().read(DrawnCode.named("pdf417").photo).readings.first)
    let hard = try codeReader().read(Photo(path: DrawnCode.folder + "hard-pdf417-far.jpg"))
    let bars = try codeReader().read(DrawnCode.named("code-128").photo)
    #expect(clean.unusedCorrection > 0.9)
    #expect(try #require(hard.readings.first).unusedCorrection < clean.unusedCorrection)
    #expect(bars.readings.map(\.unusedCorrection) == [0])
  }

  @Test("a reader without its model reports what is missing")
  func model() throws {
    #expect(throws: VerifyError(.modelMissing, "")) { try CodeReader(modelsFolder: "/nowhere") }
    #expect(throws: VerifyError(.modelMissing, "")) { try CodeScanner(.init(modelsFolder: "/nowhere")) }
    let store = try ModelStore(folder: DrawnCode.models)
    let bytes = try store.bytes(of: store.model("code-locator"))
    _ = try CodeNetworks(bytes: bytes)
    let others: [[UInt8]] = [[0], bytes.dropLast(), bytes + [0], [bytes[0] ^ 1] + bytes.dropFirst()]
    for other in others {
      #expect(throws: VerifyError(.damaged, "")) { try CodeNetworks(bytes: other) }
    }
  }

  /// Pages of training/codes/simulate.py that resemble blurred codes, but not when mirrored or upside down.
  @Test("a region that resembles a code in only one view is not a code", arguments: ["page-zone.jpg", "page-text.jpg"])
  func views(_ file: String) throws {
    let page = try GreyPicture(Photo(path: DrawnCode.folder + file).pixels(reduction: 1))
    let alone = try page.findCodes(by: .installed(in: DrawnCode.models))
    #expect(CodeFault.isSeen(try #require(alone.first)))
    let frame = try codeReader().read(page.picture)
    #expect(frame.readings == [] && frame.fault == .noneThere)
    #expect(frame.places.map(\.likeness) == frame.places.map(\.likeness).sorted(by: >))
    #expect(frame.places.count == alone.count)
  }

  @Test("views show the same code")
  func mirrored() throws {
    let code = try DrawnCode.named("qr").frame(scale: 0.22)
    let grey = GreyPicture(code)
    #expect(grey.mirrored.mirrored.pixels == grey.pixels && grey.upsideDown.upsideDown.pixels == grey.pixels)
    #expect(grey.mirrored.pixels[0..<grey.width].elementsEqual(grey.pixels[0..<grey.width].reversed()))
    let places = try grey.findCodes(by: .installed(in: DrawnCode.models))
    let doubted = try grey.doubted(places, by: .installed(in: DrawnCode.models))
    #expect(doubted.first.map { $0.likeness > 0.9 && $0.corners == places.first?.corners } == true)
  }

  @Test("a spot as small as a module is a reflection, unless it is as white as the paper")
  func spot() throws {
    let code = try DrawnCode.named("aztec").frame(scale: 1.2)
    func fault(paper: UInt8) throws -> CodeFault? {
      let frame = try code.mapped { min($0, paper) }.with(
        .plain(width: 8, height: 8, grey: 255), x: 316, y: 236)
      return try codeReader(effort: .frame).read(frame).fault
    }
    #expect(try fault(paper: 220) == .glare)
    #expect(try fault(paper: 255) == .notDecoded)
  }

  @Test("a few modules that fill the picture are too near", arguments: ["aztec", "pdf417", "rmqr", "qr"])
  func squares(_ name: String) throws {
    let frame = try codeReader(effort: .frame).read(DrawnCode.named(name).frame(repeated: 9))
    #expect(frame.places.isEmpty && frame.fault == .tooNear)
  }

  @Test("in a picture without sharp edges the absence of a code cannot be stated")
  func blurred() throws {
    let reader = try codeReader()
    let sharp = try PixelBuffer.plain(width: 640, height: 480, grey: 40).with(
      .plain(width: 320, height: 480, grey: 200), x: 320, y: 0)
    #expect(try reader.read(sharp).fault == .noneThere)
    #expect(try reader.read(sharp.smoothed(6)).fault == .blurred)
    let dim = try sharp.mapped { $0 / 4 }
    #expect(try reader.read(dim.smoothed(6)).fault == .noneThere, "too little contrast to tell")
  }

  @Test("a picture without a code is reported so")
  func none() throws {
    let reader = try codeReader()
    #expect(try reader.read(.plain(width: 640, height: 480)).fault == .noneThere)
    #expect(try reader.read(.plain(width: 1, height: 1)).fault == .noneThere)
    #expect(try reader.read(.plain(width: 3, height: 2000)).fault == .noneThere)
  }

  @Test("every picture of the fuzz corpus is handled")
  func corpus() throws {
    let folder = Installed.root + "/Tests/fuzz/corpus/locator/"
    let files = names(in: folder)
    #expect(files.count >= 3)
    for file in files {
      // As in fuzz_locator.swift.
      let bytes = try RegularFile.read(path: folder + file, maximumBytes: 1 << 16)
      let width = 4 + Int(bytes[0]) % 60
      let rows = (bytes.count - 1) / width
      let small = GreyPicture(width: width, height: rows, pixels: Array(bytes[1...(width * rows)]))
      let grey = try #require(try small.part(x: 0, y: 0, width: width, height: rows, scale: 4))
      _ = try codeReader(effort: .frame).read(grey.picture)
    }
  }

  @Test("faces contain no codes", .needsShared("testdata/faces/lfw"))
  func faces() throws {
    let folder = Installed.shared + "/testdata/faces/lfw"
    let people = names(in: folder)
    let reader = try codeReader()
    var wrong: [String] = []
    for person in stride(from: 0, to: people.count, by: max(1, people.count / 100)).map({ people[$0] }) {
      guard let file = names(in: folder + "/" + person).first else { continue }
      let frame = try reader.read(Photo(path: folder + "/" + person + "/" + file))
      #expect(frame.readings == [])
      if frame.fault != .noneThere { wrong.append(file) }
    }
    // docs/codes.md has the rate.
    #expect(wrong.count <= 5, "\(wrong)")
  }
}
