import Glibc
import IdentityDocuments
import TestSupport
import Testing

@Suite struct DocumentCorpusTests {
  private static let corpus = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/fuzz/corpus/"

  /// The files of a target's corpus.
  private static func inputs(_ target: String) throws -> [[UInt8]] {
    let folder = corpus + target
    let names = try #require(opendir(folder))
    defer { closedir(names) }
    var inputs: [[UInt8]] = []
    while let entry = readdir(names) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard !name.hasPrefix(".") else { continue }
      inputs.append(try RegularFile.read(path: folder + "/" + name, maximumBytes: 1 << 16))
    }
    return inputs
  }

  @Test(arguments: ["tlv", "dg2", "sod", "masterlist"])
  func `every file of the corpus is processed in time`(_ target: String) throws {
    let inputs = try Self.inputs(target)
    #expect(inputs.count > 4)
    let date = try DateTime(year: 2026, month: 6, day: 1)
    for bytes in inputs {
      let time = seconds {
        var store = TrustStore()
        store.add(bytes, name: target)
        _ = try? FaceImage.images(in: bytes)
        guard let files = try? ChipFiles(files: ["EF.SOD": bytes]) else { return }
        _ = ChipContents(files)
        #expect(PassiveAuthentication(ChipContents(files), trust: TrustStore(), date: date).verdict != .authentic)
      }
      #expect(time < 1)
    }
  }

  @Test func `a chip that answers with the corpus is read in time, and proves nothing`() throws {
    /// Each response is preceded by its size in a byte, as in fuzz_chip.swift.
    final class Responses: ChipTransport {
      private var rest: ArraySlice<UInt8>
      init(_ bytes: [UInt8]) { rest = bytes[...] }
      func transmit(_ command: [UInt8]) throws -> [UInt8] {
        guard let size = rest.popFirst() else { throw VerifyError(.unreadable, "the input has ended") }
        defer { rest = rest.dropFirst(Int(size)) }
        return Array(rest.prefix(Int(size)))
      }
    }
    let inputs = try Self.inputs("chip")
    #expect(inputs.count > 4)
    let date = try DateTime(year: 2026, month: 6, day: 1)
    let passwords = [
      nil, try ChipPassword(mrz: "L898902C3,740812,120415"), try ChipPassword(cardAccessNumber: "123456"),
    ]
    var opened = 0
    for (bytes, password) in inputs.flatMap({ bytes in passwords.map { (bytes, $0) } }) {
      let time = seconds {
        let session = ChipSession(Responses(bytes))
        guard case .opened = try? session.open(with: password), let chip = try? session.read() else { return }
        opened += 1
        #expect(password == nil)
        #expect(ChipReading(chip, trust: TrustStore(), date: date).proof?.verdict != .notCloned)
      }
      #expect(time < 1)
    }
    #expect(opened > 0)
  }

  @Test func `every seal of the corpus is read in time, and proves nothing`() throws {
    let inputs = try Self.inputs("seal")
    #expect(inputs.count > 4)
    let date = try DateTime(year: 2026, month: 6, day: 20)
    for bytes in inputs {
      var status: CheckStatus?
      #expect(seconds { status = SealReport(payload: bytes, trust: TrustStore(), date: date).status } < 0.1)
      #expect(status != .passed)
    }
  }

  @Test func `every page of the corpus is read in time, and verifies nothing`() throws {
    let inputs = try Self.inputs("print")
    #expect(inputs.count > 4)
    for bytes in inputs {
      // As in fuzz_print.swift.
      let lines = bytes.split(separator: 10).map { line in
        let place = line.prefix(4).map(Double.init) + [0, 0, 0, 0]
        return VisualZone.Line(
          text: String(decoding: line.dropFirst(4), as: UTF8.self), confidence: place[3] / 255, left: place[0],
          top: place[1], right: place[0] + 200, bottom: place[1] + place[2])
      }
      var fields: [DocumentFieldName: VisualZone.Field] = [:]
      #expect(seconds { fields = VisualZone(lines).fields(on: MachineReadableZoneTests.day) } < 0.1)
      #expect(fields.values.allSatisfy { $0.field.status == .notChecked })
    }
  }

  @Test func `every licence's code of the corpus is read in time`() throws {
    let inputs = try Self.inputs("licence")
    #expect(inputs.count > 4)
    let day = try #require(CalendarDate("2026-11-21"))
    for bytes in inputs {
      #expect(seconds { _ = try? DrivingLicence(payload: bytes, on: day) } < 0.1)
    }
  }
}
