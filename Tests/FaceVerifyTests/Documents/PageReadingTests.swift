import EngineTestSupport
import FaceVerify
import Glibc
import TestSupport
import Testing

@Suite("Reading synthetic pages", .needsModels, .needsPages, .serialized)
struct PageReadingTests {
  private static let read = Swift.Result {
    let engine = try Installed.engine.get()
    let day = try TestDocuments.date().calendarDate
    return try TestDocuments.pages.map { ($0, try engine.readPage($0.photo(), on: day)) }
  }

  private func pages(_ kind: String) throws -> [(made: TestDocuments.Page, read: DocumentPage)] {
    let found = try Self.read.get().filter { $0.0.kind == kind }
    #expect(!found.isEmpty)
    return found.map { (made: $0.0, read: $0.1) }
  }

  // Rows: NV51
  @Test(
    "at least 99 of 100 clean pages are read exactly, and 90 of 100 degraded ones",
    arguments: [("clean", 0.99), ("degraded", 0.9)])
  func exact(kind: String, share: Double) throws {
    let all = try pages(kind)
    let wrong = all.filter { $0.read.reading?.zone.lines != $0.made.lines }
    #expect(
      Double(all.count - wrong.count) >= share * Double(all.count), "misread: \(wrong.map(\.made.file))")
    // No misread page has only certain characters and only valid check digits.
    for (made, read) in wrong {
      #expect(read.reading.map { $0.isSure && $0.zone.findings.isEmpty } != true, "\(made.file)")
    }
  }

  @Test("of a page that is cut off at a side of its zone, no wrong value passes")
  func cutOff() throws {
    let engine = try Installed.engine.get()
    var readings = 0
    for (made, read) in try pages("clean").filter({ abs($0.made.turn) < 3 && $0.read.reading != nil }).prefix(5) {
      let picture = try made.photo().pixels()
      func data(_ columns: Range<Int>) throws -> DocumentData {
        let cut = PixelBuffer(width: columns.count, height: picture.height) { out in
          for i in out.indices {
            let (x, y) = (columns.lowerBound + i / 3 % columns.count, i / 3 / columns.count)
            out[i] = picture.rgb[3 * (picture.width * y + x) + i % 3]
          }
        }
        return try engine.readDocument(pages: [Photo(pixels: cut)], date: TestDocuments.date(), accepted: [.page])
          .report.data
      }
      let whole = try data(0..<picture.width)
      let (left, right) = (made.zone[3][0], made.zone[2][0])
      let pitch = (right - left) / Double(made.lines[0].count)
      for count in [0.6, 1.6, 2.6] {
        for columns in [0..<Int(right - count * pitch), Int(left + count * pitch)..<picture.width] {
          let found = try data(columns)
          if found[.mrzLines].value != nil { readings += 1 }
          for (name, field) in found.fields where field.status == .passed {
            #expect(field.value == whole[name].value, "\(made.file) \(columns) \(name)")
          }
        }
      }
    }
    #expect(readings >= 10)
  }

  @Test("the position of the zone and the rotation of the page are reported")
  func places() throws {
    for (made, read) in try pages("clean") where read.reading != nil {
      let size = hypot(made.zone[1][0] - made.zone[0][0], made.zone[1][1] - made.zone[0][1])
      for (corner, wanted) in zip(read.zoneCorners, made.zone) {
        #expect(hypot(corner.x - wanted[0], corner.y - wanted[1]) < 0.06 * size, "\(made.file)")
      }
      let turn = try #require(read.turn)
      #expect(abs(remainder(turn - made.turn, 360)) < 1, "\(made.file)")
    }
  }

  @Test("a cropped page is upright: its zone is read again at the expected position")
  func cutOut() throws {
    let engine = try Installed.engine.get()
    for (made, read) in try pages("clean").prefix(6) where read.reading != nil {
      let image = try #require(try read.image(from: made.photo()))
      #expect(abs(Double(image.width) / Double(image.height) - 1.42) < 0.2)
      let again = try engine.readPage(Photo(pixels: image), on: TestDocuments.date().calendarDate)
      #expect(again.reading?.zone.lines == made.lines && abs(again.turn ?? 90) < 1, "\(made.file)")
    }
  }

  @Test("the printed text of a page in any rotation leaves out its zone; without a request there is none")
  func text() throws {
    let engine = try Installed.engine.get()
    let zones = try pages("clean").prefix(8).filter { $0.1.reading != nil }
    #expect(zones.count > 5)
    for (made, read) in zones {
      #expect(read.text == nil)
      let page = try engine.readPage(made.photo(), on: TestDocuments.date().calendarDate, readsText: true)
      let text = try #require(page.text)
      #expect(text.count >= 5 && !text.contains { $0.text.contains("<") }, "\(made.file): \(text.map(\.text))")
      let first = try #require(text.first).corners
      let turn = atan2(first[1].y - first[0].y, first[1].x - first[0].x) * 180 / .pi
      #expect(abs(remainder(turn - made.turn, 360)) < 5, "\(made.file)")
    }
  }

  @Test("printed fields that agree with the zone pass, and an altered one is named")
  func print() throws {
    let engine = try Installed.engine.get()
    var (named, altered) = (0, 0)
    for page in TestDocuments.pages where ["printed", "altered"].contains(page.kind) {
      let reading = try engine.readDocument(
        pages: [page.photo()], date: TestDocuments.date(), accepted: [.page], readsText: true)
      let names = reading.report.mismatches.map(\.name.rawValue)
      #expect(names.allSatisfy { $0 == page.altered }, "\(page.file): \(names)")
      guard page.kind == "altered" else { continue }
      altered += 1
      named += names.count
      let check = try #require(reading.report[.printMatches])
      #expect(check.status != .passed || page.altered == "sex" || page.altered == "givenNames", "\(page.file)")
    }
    #expect(altered >= 6 && 6 * named >= 5 * altered, "\(named) of \(altered)")
  }

  @Test("a page without a zone has none")
  func empty() throws {
    for (made, read) in try pages("empty") {
      #expect(read.reading == nil && read.zoneCorners.isEmpty, "\(made.file)")
      #expect((read.turn == nil) == read.corners.isEmpty, "\(made.file)")
    }
  }

  @Test("the portrait is upright for any rotation of the page")
  func portraits() throws {
    let found = try pages("clean").compactMap(\.read.portrait)
    #expect(found.count >= 10)
    let upright = found.filter { abs($0.sample.face.landmarks.pose?.roll ?? 90) < 12 }
    #expect(upright.count == found.count)
  }

  // Rows: DR2
  @Test(
    "pages are read until the first one with a zone, or all of them",
    arguments: [(true, [false, true, true]), (false, [false, true])])
  func several(multipage: Bool, haveZones: [Bool]) throws {
    let empty = try #require(pages("empty").first).made
    let clean = try pages("clean").filter { $0.read.reading != nil }.prefix(2).map(\.made)
    let reading = try Installed.engine.get().readDocument(
      pages: ([empty] + clean).map { try $0.photo() }, date: TestDocuments.date(), multipage: multipage)
    #expect(reading.pages.map { $0.reading != nil } == haveZones)
    #expect(reading.zone != nil)
  }

  // Rows: RR-102
  @Test("a copy without colour is detected, a page with colour is not")
  func colour() throws {
    func status(_ page: DocumentPage) -> CheckStatus? { page.checks.first { $0.reason == .blackWhiteCopy }?.status }
    for (made, read) in try pages("copy") where read.reading != nil { #expect(status(read) == .failed, "\(made.file)") }
    for (made, read) in try pages("clean") where read.reading != nil {
      #expect(status(read) == .passed, "\(made.file)")
    }
  }

  // Rows: RR-103 RR-104
  @Test(
    "most photos of prints and of displays are detected, each with its reason",
    arguments: [
      ("print", DocumentImageCheck.Reason.colourPhotocopy, 0.8), ("display", .digitalCopy, 0.8),
    ])
  func copies(kind: String, reason: DocumentImageCheck.Reason, share: Double) throws {
    let checked = try pages(kind).compactMap { page in
      page.read.checks.first { $0.reason == reason && $0.value != nil }
    }
    #expect(checked.count >= 5)
    let found = checked.count { $0.status == .failed }
    #expect(Double(found) >= share * Double(checked.count), "\(checked.map(\.value))")
  }

  @Test("a page that is neither a print nor on a display is not taken for one")
  func originals() throws {
    let reasons: [DocumentImageCheck.Reason] = [.colourPhotocopy, .digitalCopy]
    var checked = 0
    for kind in ["clean", "degraded", "close"] {
      for (made, read) in try pages(kind) {
        let copies = read.checks.filter { reasons.contains($0.reason) }
        if copies.contains(where: { $0.value != nil }) { checked += 1 }
        #expect(copies.allSatisfy { $0.status != .failed }, "\(made.file): \(copies.map(\.value))")
      }
    }
    // The others have too few pixels.
    #expect(checked >= 5)
  }

  @Test("a picture of two documents is reported, one of a single document is not")
  func severalDocuments() throws {
    let engine = try Installed.engine.get()
    let day = try TestDocuments.date().calendarDate
    let made = try #require(TestDocuments.pages.first { $0.kind == "clean" && abs($0.turn) < 5 })
    let whole = try #require(try engine.readPage(made.photo(), on: day).image(from: made.photo()))
    let card = whole.resized(width: 700, height: 700 * whole.height / whole.width)
    func status(_ places: [Int]) throws -> CheckStatus? {
      let picture = PixelBuffer(width: 1700, height: card.height + 200) { out in
        for i in out.indices {
          let (x, y) = (i / 3 % 1700, i / 3 / 1700 - 100)
          let left = places.first { (0..<card.width).contains(x - $0) && (0..<card.height).contains(y) }
          out[i] = left.map { card.rgb[3 * (y * card.width + x - $0) + i % 3] } ?? 60
        }
      }
      let page = try engine.readPage(Photo(pixels: picture), on: day)
      return page.checks.first { $0.reason == .severalDocuments }?.status
    }
    #expect(try status([100]) == .passed && status([100, 900]) == .failed)
    // Two pages of a booklet have corners in common.
    #expect(try status([100, 800]) != .failed)
  }

  /// Clean pages, upright, without their background.
  private func upright(_ count: Int, where isWanted: (DocumentPage) -> Bool) throws -> [PixelBuffer] {
    let found = try pages("clean").filter { isWanted($0.read) }.prefix(count)
    return try found.map { try #require(try $0.read.image(from: $0.made.photo())) }
  }

  @Test("every zone in a photo is read: zones of two people are not of one document, one zone in two photos is")
  func severalZones() throws {
    let engine = try Installed.engine.get()
    let cards = try upright(2) { $0.reading?.zone.format == .td1 && $0.reading?.zone.findings.isEmpty == true }
      .map { $0.resized(width: 900, height: 900 * $0.height / $0.width) }
    // One above the other: zones side by side are read as one, and not at all.
    let height = try #require(cards.map(\.height).min())
    let both = PixelBuffer(width: 1000, height: 2 * height + 200) { out in
      for i in out.indices {
        let (x, y) = (i / 3 % 1000 - 50, i / 3 / 1000 - 50)
        let card = y < height + 50 ? 0 : 1
        let top = y - card * (height + 100)
        let isInside = (0..<900).contains(x) && (0..<height).contains(top)
        out[i] = isInside ? cards[card].rgb[3 * (top * 900 + x) + i % 3] : 60
      }
    }
    func pagesMatch(_ photos: [PixelBuffer]) throws -> DocumentCheck {
      let reading = try engine.readDocument(
        pages: photos.map { Photo(pixels: $0) }, date: TestDocuments.date(), accepted: [.page])
      #expect(reading.pages[0].otherReadings.count == (photos[0].width == 1000 ? 1 : 0))
      let check = try #require(reading.report[.pagesMatch])
      #expect(reading.report.result == .failed || check.status != .failed)
      return check
    }
    let two = try pagesMatch([both])
    #expect(two.status == .failed && two.reason == .sourcesDiffer)
    #expect(two.text.hasPrefix("compared: 2 machine-readable zones"))
    #expect(try pagesMatch([cards[0]]).reason == .oneSource)
    #expect(try pagesMatch([cards[0], cards[0]]).status == .passed)
    #expect(try pagesMatch([cards[0], cards[0], cards[1]]).status == .failed)
  }

  @Test("a face in another photo than the zone is not the document's portrait unless something joins them")
  func faceOfAnother() throws {
    let engine = try Installed.engine.get()
    func validation(_ photos: [Photo]) throws -> DocumentCheck? {
      try engine.readDocument(pages: photos, date: TestDocuments.date(), accepted: [.page]).report[.validation]
    }
    let cards = try upright(.max) { page in
      page.portrait != nil && page.rejections.isEmpty
        && page.reading.map { $0.isSure && $0.zone.format != .td3 } == true
    }
    let card = try #require(
      try cards.first { try validation([Photo(pixels: $0)])?.status == .passed }, "no card with a portrait")
    // The portrait is painted over.
    let faceless = PixelBuffer(width: card.width, height: card.height) { out in
      for i in out.indices {
        let (x, y) = (i / 3 % card.width, i / 3 / card.width)
        out[i] = 2 * x < card.width && 2 * y < card.height ? 190 : card.rgb[i]
      }
    }
    let face = try Photo(path: Installed.samples + "/obama2.jpg")
    for photos in [[Photo(pixels: faceless)], [Photo(pixels: faceless), face], [face, Photo(pixels: faceless)]] {
      let check = try validation(photos)
      #expect(check?.status == .notChecked && check?.reason == .noPortrait)
    }
  }

  @Test("a zone in another font than OCR-B is rejected, one in OCR-B is not")
  func wrongFont() throws {
    func statuses(_ kind: String) throws -> [CheckStatus] {
      try pages(kind).filter { $0.read.reading != nil }.flatMap { page in
        page.read.checks.filter { $0.reason == .wrongFont }.map(\.status)
      }
    }
    let retyped = try statuses("retyped")
    #expect(retyped.count >= 4 && retyped.allSatisfy { $0 == .failed })
    let clean = try statuses("clean")
    #expect(clean.count >= 40 && clean.allSatisfy { $0 == .passed })
  }

  @Test("every check is present, with a reason if it was not made")
  func checks() throws {
    for (_, read) in try Self.read.get() {
      #expect(read.checks.map(\.reason) == DocumentImageCheck.Reason.allCases)
      #expect(read.checks.allSatisfy { ($0.status == .passed) == $0.text.isEmpty })
      #expect(read.checks.allSatisfy { $0.status != .notChecked || $0.value == nil })
    }
  }

  // Rows: RR-2001 RR-2003 RR-2006
  @Test("a blurred, truncated or glaring page is reported")
  func spoiled() throws {
    let engine = try Installed.engine.get()
    let day = try TestDocuments.date().calendarDate
    let made = try #require(TestDocuments.pages.first { $0.kind == "clean" && abs($0.turn) < 5 })
    let picture = try made.photo().pixels()
    func failing(_ picture: PixelBuffer) throws -> [DocumentImageCheck.Reason] {
      try engine.readPage(Photo(pixels: picture), on: day).rejections.map(\.reason)
    }
    #expect(try failing(picture) == [])
    // Half a page: with the zone, without the part above it.
    let top = picture.height / 2
    let half = PixelBuffer(width: picture.width, height: picture.height - top) { out in
      for i in out.indices { out[i] = picture.rgb[3 * picture.width * top + i] }
    }
    #expect(try failing(half).contains(.missingPart))
    var blurred = picture
    for _ in 0..<3 {
      blurred = blurred.resized(width: picture.width / 5, height: picture.height / 5)
        .resized(width: picture.width, height: picture.height)
    }
    let found = try engine.readPage(Photo(pixels: blurred), on: day)
    #expect(found.reading == nil || found.rejections.contains { $0.reason == .blurry })
    // Glare in the middle of the page, far from its zone.
    let glare = PixelBuffer(width: picture.width, height: picture.height) { out in
      for i in out.indices {
        let (x, y) = (i / 3 % picture.width * 100 / picture.width, i / 3 / picture.width * 100 / picture.height)
        out[i] = (45..<65).contains(x) && (30..<50).contains(y) ? 255 : picture.rgb[i]
      }
    }
    #expect(try failing(glare).contains(.glare))
  }
}
