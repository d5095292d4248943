import EngineTestSupport
import FaceVerify
import TestSupport
import Testing

/// Photos of specimen documents. They were used to develop the reader, and are therefore no independent measurement.
@Suite("Reading specimens of real documents", .needsModels, .needsShared("testdata/mrz.csv"), .serialized)
struct SpecimenTests {
  private func photo(_ path: String) throws -> Photo { try Photo(path: TestDocuments.shared + "/" + path) }
  private func day() throws -> CalendarDate { try TestDocuments.date().calendarDate }

  @Test("at least 95 of 100 zones with valid check digits are read exactly, and no misread one passes")
  func zones() throws {
    let engine = try Installed.engine.get()
    var (right, all) = (0, 0)
    var missed: [String] = []
    for row in try TestDocuments.table("mrz.csv") where row.count == 5 {
      let lines = row[1...3].filter { !$0.isEmpty }
      let reading = try engine.readZone(photo(row[0]), on: day())
      let isExact = reading?.zone.lines == lines
      if row[4] == "yes" {
        all += 1
        if isExact { right += 1 } else { missed.append(row[0]) }
      } else if let reading {
        #expect(!reading.zone.findings.isEmpty, "\(row[0]) has a wrong digit that was not named")
      }
      if let reading, !isExact { #expect(!reading.isSure || !reading.zone.findings.isEmpty, "\(row[0])") }
    }
    #expect(Double(right) >= 0.95 * Double(all), "\(right) of \(all); missed: \(missed)")
  }

  /// 154 of 160; three of the others have a label that their picture does not confirm.
  @Test("at least 96 of 100 cropped lines are read exactly")
  func lines() throws {
    let engine = try Installed.engine.get()
    var (right, all) = (0, 0)
    for row in try TestDocuments.table("mrz_lines.csv") where row.count == 2 {
      all += 1
      if try engine.readLine(photo(row[0]))?.text == row[1] { right += 1 }
    }
    #expect(Double(right) >= 0.96 * Double(all), "\(right) of \(all)")
  }

  /// Names, numbers and dates on pages in Latin, as read by eye.
  private static let values = [
    "documents/pe_100_pass-cze.jpg":
      "99003853|SPECIMEN|Vzor|ČESKÁ REPUBLIKA / CZECH REPUBLIC|01.01.1911|110101/111|04.07.2002|04.07.2012",
    "documents/pe_62_pass-pol.png":
      "ZS 0000177|KOWALSKA|ANNA|30 MAR/MAR 1972|72033012347|SZCZECIN|13 LIP/JUL 2006|13 LIP/JUL 2016",
    "documents/pe_62_pass-aus.png":
      "PA0940409|CITIZEN|JANE|AUSTRALIAN|07 JUN 1984|CANBERRA|01 MAR 2014|01 MAR 2024",
    "documents/reg_example_WHITE.jpg":
      "C01YPTNHM|MUSTERMANN|GABLER|ERIKA|12.08.1964|DEUTSCH|BERLIN|01.03.2017|28.02.2027|AUSWÄRTIGES AMT",
    "documents/pe_tests_data_passport-td3.jpg":
      "L898902C3|ERIKSSON|ANNA MARIA|UTOPIAN|12 AUGUST/AOUT 74|ZENITH|16 APR/AVR 07|15 APR/AVR 12|PASSPORT OFFICE",
    "documents/fm_nomrz.jpg": "5412 7512 3412 3456|12/23|Lee M. Cardholder",
  ]

  @Test("at least 95 of 100 printed values of clear specimens are read exactly")
  func text() throws {
    let engine = try Installed.engine.get()
    func joined(_ text: String) -> String { text.filter { $0 != " " } }
    var (right, all) = (0, 0)
    var missed: [String] = []
    for (path, values) in Self.values {
      let page = try engine.readPage(photo(path), on: day(), readsText: true)
      let lines = try #require(page.text).map { joined($0.text) }
      for value in values.split(separator: "|").map(String.init) {
        all += 1
        if lines.contains(where: { $0.contains(joined(value)) }) { right += 1 } else { missed.append(value) }
      }
    }
    #expect(Double(right) >= 0.95 * Double(all), "\(right) of \(all); missed: \(missed)")
  }

  @Test("photos of people and of cards without a zone have none")
  func none() throws {
    let engine = try Installed.engine.get()
    var photos = ["documents/fm_nomrz.jpg", "documents/kby_ca_driver_license.jpg"]
    var seen: Set<String> = []
    for row in try TestDocuments.table("pairs.csv") where row.count >= 2 {
      for path in row.prefix(2) where path.contains("lfw") && seen.count < 120 && seen.insert(path).inserted {
        photos.append(path)
      }
    }
    #expect(photos.count > 100)
    for path in photos {
      #expect(try engine.readZone(photo(path), on: day()) == nil, "\(path)")
    }
  }

  @Test("a chip's portrait matches its own page and no other")
  func pairs() throws {
    let engine = try Installed.engine.get()
    for row in try TestDocuments.table("chip_face_pairs.csv") where row.count == 3 {
      let chip = try ChipFiles(files: [
        "EF.DG2": RegularFile.read(path: TestDocuments.shared + "/" + row[0], maximumBytes: 1 << 20)
      ])
      let date = try TestDocuments.date()
      let document = try engine.readDocument(pages: [], chip: chip, date: date)
      let page = try #require(try engine.readPage(photo(row[1]), on: day()).portrait, "\(row[1])")
      let template = try #require(page.sample.template, "\(row[1])")
      let decision = try engine.compare(selfie: .template(template), portrait: .document(document))
      #expect((decision.faceResult == .match) == (row[2] == "1"), "\(row[1])")
      #expect(decision.result == .refused, "the rest of the chip is not there")
      let both = try engine.readDocument(pages: [photo(row[1])], chip: chip, date: date)
      #expect(both.report[.portraitMatchesChip]?.status == (row[2] == "1" ? .passed : .failed), "\(row[1])")
    }
  }
}
