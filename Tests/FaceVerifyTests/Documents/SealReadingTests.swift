import EmulatedChip
import EngineTestSupport
import FaceVerify
import TestSupport
import Testing

/// The pictures and files of `Fixtures/seals`, which its `make.py` draws.
@Suite struct SealReadingTests {
  private static let folder = Installed.root + "/Tests/DocumentImagingTests/Fixtures/seals/"

  private static func bytes(_ name: String) throws -> [UInt8] {
    try RegularFile.read(path: folder + name, maximumBytes: 1 << 20)
  }

  private static func photo(_ name: String) throws -> Photo { try Photo(path: folder + name) }

  private static func date() throws -> DateTime { try DateTime(year: 2026, month: 6, day: 1) }

  @Test("the files are those of the generator")
  func files() throws {
    let table = String(decoding: try Self.bytes("seals.csv"), as: UTF8.self)
    let lines =
      ["seal,hex"] + [("visa", EmulatedSeal.visa()), ("sheet", .sheet())].map { "\($0),\(hexadecimal($1.payload))" }
    #expect(table == lines.joined(separator: "\n") + "\n")
    #expect(try Self.bytes("trust/csca.cer") == EmulatedState.shared.authority)
    #expect(try Self.bytes("trust/signer.cer") == EmulatedSeal.visa().certificate)
  }

  @Test("the seal is read from each kind of bar code", arguments: ["data-matrix", "qr", "aztec"])
  func codes(kind: String) throws {
    let reader = try CodeReader(modelsFolder: Installed.root + "/models")
    let readings = try reader.read(Self.photo("visa-\(kind).png")).readings
    #expect(readings.map(\.format.rawValue) == [kind] && readings.map(\.bytes) == [EmulatedSeal.visa().payload])
    let report = try SealReport(
      payload: readings[0].bytes, trust: TrustStore(folder: Self.folder + "trust"), date: Self.date())
    #expect(report.verdict == .authentic && report.status == .passed)
  }

  @Test("the seal of a page is verified and compared with its zone", .needsModels)
  func page() throws {
    let engine = try Installed.engine.get()
    let trust = try TrustStore(folder: Self.folder + "trust")
    let reading = try engine.readDocument(pages: [Self.photo("sheet.jpg")], trust: trust, date: Self.date())
    let seal = try #require(reading.seal)
    #expect(seal.verdict == .authentic && seal.status == .passed, "\(seal.steps)")
    #expect(seal.step(.printedZone)?.status == .passed)
    #expect(reading.report.data.documentClass == .emergencyTravelDocument)
    // There is no portrait, and nothing authenticates the page.
    #expect(reading.report.result == .notChecked && reading.report[.validation]?.reason == .noPortrait)
    let untrusted = try engine.readDocument(pages: [Self.photo("sheet.jpg")], date: Self.date())
    #expect(untrusted.seal?.verdict == .notChecked && untrusted.report.result == .notChecked)
    #expect(reading.jsonValue["seal"]?["verdict"]?.string == "authentic")
  }

  @Test("a page with the seal of another document fails", .needsModels)
  func otherPage() throws {
    let engine = try Installed.engine.get()
    let trust = try TrustStore(folder: Self.folder + "trust")
    for trust in [trust, TrustStore()] {
      let reading = try engine.readDocument(
        pages: [Self.photo("sheet-other-name.jpg")], trust: trust, date: Self.date())
      #expect(reading.seal?.step(.printedZone)?.text.hasSuffix("name") == true, "\(reading.seal?.steps ?? [])")
      #expect(reading.report.result == .failed && reading.report[.validation]?.reason == .sealInvalid)
      #expect(!reading.report.mayMatch && reading.report.assurance == .none)
    }
    // The same with bytes from a scanner in place of the page's own seal.
    let visa = try engine.readDocument(
      pages: [Self.photo("sheet.jpg")], code: EmulatedSeal.visa().payload, trust: trust, date: Self.date())
    #expect(visa.seal?.step(.passportNumber)?.status == .failed && visa.report.result == .failed)
  }

  @Test("bytes of a seal are read without a page")
  func withoutPage() throws {
    let trust = try TrustStore(folder: Self.folder + "trust")
    let reading = try DocumentReading(seal: EmulatedSeal.sheet().payload, trust: trust, date: Self.date())
    #expect(reading.seal?.status == .passed && reading.zone?.surname == "ERIKSSON")
    #expect(reading.report.data[.documentNumber].value == "D23145890")
    #expect(reading.report.result == .notChecked && reading.report.assurance == .dataOnly)
    let expected = try DocumentReading(seal: EmulatedSeal.sheet().payload, date: Self.date(), chipExpected: true)
    #expect(expected.report.result == .failed && expected.report[.chipRead]?.reason == .noChip)
    let damaged = try DocumentReading(seal: [0xDC, 3], trust: trust, date: Self.date())
    #expect(damaged.seal?.status == .failed && damaged.report.result == .failed && damaged.zone == nil)
  }
}
