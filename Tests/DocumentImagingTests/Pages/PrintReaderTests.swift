import FaceVerifyBase
import Glibc
import Imaging
import TestSupport
import Testing

@testable import DocumentImaging

@Suite("Printed text", .needsModels)
struct PrintReaderTests {
  private static let models = Swift.Result {
    try DocumentModels(.print, store: ModelStore(folder: Installed.models), threads: 1)
  }
  private let reader: PrintReader

  init() throws { reader = try PrintReader(Self.models.get()) }

  /// Fictitious names with letters that the network reads well, in eleven languages.
  private static let names = [
    "Čapková Žofie", "Gößmann Jürgen", "ŚWIĘTOSŁAWA ŻÓŁĆ", "Ångström Bjørn", "Çelik Gülşah Işık", "Đorđević Šime",
    "Ünal François", "Szőke Márta", "Peña Muñoz", "ÁLVAREZ JOSÉ", "Mäkelä Päivi", "Vieira João",
  ]
  /// And with letters that it often takes for others (models/README.md).
  private static let hardNames = ["ÆVARSDÓTTIR ÞURIÐUR", "BASANAVIČIENĖ BIRUTĖ", "BĒGĻU ĶĒNIŅŠ", "Źrebiec Űrsula"]
  private static let values = ["L898902C3", "12.08.1964", "31 DES/DEC 66", "311266-9539"]
  private static let size = 24.0

  /// A white page with a line of text in each row, at the left and at the right margin in turn.
  private static func page(_ lines: [String], greys: Bool = true) throws -> PixelBuffer {
    var page = try PixelBuffer.plain(width: 900, height: 40 + 60 * lines.count, grey: 240)
    for (i, line) in lines.enumerated() {
      page.drawText(
        line,
        at: Point(
          x: i.isMultiple(of: 2) ? 40 : 860 - PixelBuffer.widthOfText(line, size: size),
          y: Double(60 + 60 * i)), size: size, colour: 0x202830, isPlated: false)
    }
    return page
  }

  private func read(_ picture: PixelBuffer, outline: PageOutline? = nil) throws -> [PrintedLine] {
    try reader.lines(in: picture, outline: outline)
  }

  /// Levenshtein distance.
  private func errors(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for (i, character) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        (diagonal, row[j + 1]) = (
          row[j + 1], min(row[j] + 1, row[j + 1] + 1, diagonal + (character == other ? 0 : 1))
        )
      }
    }
    return row[b.count]
  }

  /// Returns the number of wrong characters among 100.
  private func errorRate(of lines: [String]) throws -> Double {
    let found = try read(Self.page(lines))
    try #require(found.count == lines.count, "\(found.map(\.text))")
    let wrong = zip(lines, found).reduce(0) { $0 + errors($1.0, $1.1.text) }
    return 100 * Double(wrong) / Double(lines.joined().count)
  }

  @Test("names with diacritics have at most 2 wrong characters of 100, hard ones 30, values none")
  func diacritics() throws {
    #expect(try errorRate(of: Self.names) <= 2)
    #expect(try errorRate(of: Self.hardNames) <= 30)
    #expect(try errorRate(of: Self.values) == 0)
  }

  private static let plain = ["SURNAME", "ERIKSSON", "GIVEN NAMES", "ANNA MARIA", "NATIONALITY", "UTOPIAN"]

  @Test("a page is read in any rotation, with corners in reading direction", arguments: 0..<4)
  func turned(quarters: Int) throws {
    let found = try read(Self.page(Self.plain).turned(quarters))
    #expect(found.map(\.text) == Self.plain)
    let first = try #require(found.first).corners
    let direction = atan2(first[1].y - first[0].y, first[1].x - first[0].x)
    #expect(abs(remainder(direction - Double(quarters) * .pi / 2, 2 * .pi)) < 0.05)
  }

  @Test("a tilted page is read", arguments: [-0.3, 0.15, 0.7, 2.5])
  func tilted(angle: Double) throws {
    let page = try Self.page(Self.plain)
    let (side, middle) = (1200, AffineMap(scale: 1, angle: angle, origin: Point(x: 0, y: 0)))
    let shift = middle(Point(x: Double(side) / 2, y: Double(side) / 2))
    let corner = Point(x: Double(page.width) / 2 - shift.x, y: Double(page.height) / 2 - shift.y)
    let tilted = page.cutOut(corner: corner, angle: angle, scale: 1, width: side, height: side)
    #expect(try read(tilted).map(\.text) == Self.plain)
  }

  @Test("corners enclose the line's letters")
  func corners() throws {
    let line = try #require(try read(Self.page(["SPECIMEN"])).first)
    let (left, right) = (line.corners.map(\.x).min() ?? 0, line.corners.map(\.x).max() ?? 0)
    let (top, bottom) = (line.corners.map(\.y).min() ?? 0, line.corners.map(\.y).max() ?? 0)
    let width = PixelBuffer.widthOfText("SPECIMEN", size: Self.size)
    #expect(left < 42 && left > 40 - Self.size && right > 38 + width && right < 40 + width + Self.size)
    #expect(top < 37 && top > 60 - 2 * Self.size && bottom > 59 && bottom < 60 + Self.size)
  }

  @Test("lines of one row are read from left to right, and text across the page after the others")
  func order() throws {
    var page = try PixelBuffer.plain(width: 900, height: 700, grey: 240)
    func draw(_ text: String, _ x: Double, _ y: Double) {
      page.drawText(text, at: Point(x: x, y: y), size: Self.size, colour: 0x202830, isPlated: false)
    }
    draw("NATIONALITY", 560, 96)
    draw("SURNAME", 60, 100)
    draw("ERIKSSON", 60, 200)
    draw("UTOPIAN", 560, 202)
    draw("PASSPORT NUMBER", 60, 300)
    let side = try Self.page(["ENDORSEMENTS"]).turned(1).cutOut(
      corner: Point(x: 0, y: 0), angle: 0, scale: 1, width: 100, height: 330)
    page = try page.with(side, x: 100, y: 340)
    #expect(
      try read(page).map(\.text) == [
        "SURNAME", "NATIONALITY", "ERIKSSON", "UTOPIAN", "PASSPORT NUMBER", "ENDORSEMENTS",
      ])
  }

  @Test("the script is that of most letters")
  func scripts() throws {
    let found = try read(Self.page(["ΕΛΛΗΝΙΚΗ ΔΗΜΟΚΡΑΤΙΑ", "Utopia", "12.08.1964"]))
    #expect(found.map(\.script) == [.greek, .latin, .common])
    #expect(found.map(\.text) == ["ΕΛΛΗΝΙΚΗ ΔΗΜΟΚΡΑΤΙΑ", "Utopia", "12.08.1964"])
  }

  @Test("letters of one shape in both alphabets are Greek in words with Greek letters, and only there")
  func twins() {
    func text(_ text: String) -> String { PrintedLine(text: text, confidence: 1, corners: []).text }
    #expect(text("ΔHMOKPATIA/NAME") == "ΔΗΜΟΚΡΑΤΙΑ/NAME")
    #expect(text("ΔSURNAME HMO") == "ΔSURNAME HMO")
  }

  @Test("an outline limits the search and sets the direction, and a zone that was read is left out")
  func outline() throws {
    // A zone of 44 characters whose page spans the picture, upside down.
    let page = try Self.page(["SURNAME", "ERIKSSON", "GIVEN NAMES", "ANNA MARIA", "SEX", "12.08.1974"])
    let turned = try page.turned(2)
    let resolution = Double(page.width) / 125
    func place(_ x: Double, _ y: Double) -> Point {
      Point(x: Double(turned.width) - x * resolution, y: Double(turned.height) - y * resolution)
    }
    let line = [[Float]](repeating: [Float](repeating: 1 / 37, count: 37), count: 44)
    let zone = ZoneReading(
      probabilities: [line, line], corners: [], score: 0, capHeight: 2.45 * resolution,
      lastLine: (place(6.3, 88 - 9.4), place(6.3 + 44 * 2.54, 88 - 9.4)))
    let outline = try #require(PageOutline(zone, isVisa: false))
    let texts = try read(page).map(\.text)
    #expect(try read(turned, outline: outline).map(\.text) == texts)
    let row = Rectangle(x: 500, y: 330, width: 370, height: 45).corners.map {
      place($0.x / resolution, $0.y / resolution)
    }
    #expect(try reader.lines(in: turned, outline: outline, zone: row).map(\.text) == texts.dropLast())
  }

  @Test("nothing is read from plain, tiny and noisy pictures, and a hostile one has at most 200 lines")
  func nothing() throws {
    #expect(try read(.plain(width: 640, height: 480)).isEmpty)
    #expect(try read(.plain(width: 1, height: 1)).isEmpty)
    #expect(try read(.plain(width: 3000, height: 2)).isEmpty)
    var bars = try PixelBuffer.plain(width: 1600, height: 1600, grey: 255)
    for row in 0..<40 {
      for column in 0..<16 {
        bars.drawText(
          "ID \(row)", at: Point(x: Double(100 * column), y: Double(40 * row + 30)), size: 18, colour: 0,
          isPlated: false)
      }
    }
    let found = try read(bars)
    #expect(found.count > 100 && found.count <= 200)
  }

  @Test("a deadline ends a call between two lines")
  func budget() throws {
    let page = try Self.page(Self.names + Self.names)
    let whole = try seconds { _ = try reader.lines(in: page) }
    let part = seconds {
      let error = #expect(throws: VerifyError.self) { try reader.lines(in: page, budget: Budget(seconds: 0.01)) }
      #expect(error?.code == .timeout)
    }
    #expect(part < whole / 2, "\(part) of \(whole) s")
  }

  @Test("missing networks, and an alphabet of another network, are reported")
  func missing() throws {
    let manifest = String(
      decoding: try RegularFile.read(path: Installed.models + "/manifest.json", maximumBytes: 1 << 20), as: UTF8.self)
    func error(_ manifest: String, files: [String], _ body: (DocumentModels) throws -> Void = { _ in }) throws
      -> VerifyError?
    {
      try withTemporaryFolder { folder in
        try write(Array(manifest.utf8), to: folder + "/manifest.json")
        for file in files { symlink("\(Installed.models)/\(file)", "\(folder)/\(file)") }
        return #expect(throws: VerifyError.self) {
          try body(DocumentModels(.print, store: ModelStore(folder: folder), threads: 1, cacheFolder: folder))
        }
      }
    }
    let unknown = try error(manifest.replacing("\"text-lines\"", with: "\"other\""), files: [])
    #expect(unknown?.code == .modelMissing && unknown?.message.contains("text-lines") == true)
    let absent = try error(manifest, files: [])
    #expect(absent?.code == .modelMissing && absent?.message.contains("text-lines.xml") == true)
    let files = ["lines", "characters"].flatMap { ["text-\($0).xml", "text-\($0).bin"] }
    let other = try error(manifest.replacing("0123456789", with: ""), files: files) { models in
      _ = try PrintReader(models).lines(in: Self.page(Self.values))
    }
    #expect(other?.code == .modelMismatch && other?.message.contains("alphabet") == true)
  }

  @Test("the region of a single character is upright, that of a line along it")
  func singleCharacter() throws {
    let (width, height) = (160, 80)
    var likelihood = [Float](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        // A diamond, and a line that rises by a quarter of its length.
        let isCharacter = abs(x - 30) + abs(y - 40) <= 10
        let isLine = (70..<150).contains(x) && abs(Double(y) - 50 + Double(x - 70) / 4) < 5
        if isCharacter || isLine { likelihood[y * width + x] = 0.9 }
      }
    }
    let regions = try likelihood.withUnsafeBufferPointer {
      try TextRegion.all(in: $0, width: width, height: height, most: 10)
    }.sorted { $0.centre.x < $1.centre.x }
    #expect(regions.count == 2)
    #expect(abs(sin(2 * regions[0].angle)) < 1e-6)
    #expect(abs(regions[0].length - regions[0].height) < 1 && abs(regions[0].centre.x - 30.5) < 1e-3)
    #expect(abs(remainder(regions[1].angle - atan(-0.25), .pi)) < 0.1)
  }
}
