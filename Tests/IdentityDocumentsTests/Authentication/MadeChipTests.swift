import FoundationEssentials
import IdentityDocuments
import TestSupport
import Testing

/// Chips of test authorities, genuine and broken ones; `chips.json` says what has to be found.
@Suite(.needsChips) struct MadeChipTests {
  struct Expected: Decodable {
    let verdict: String
    let failed: [String: String]
    let notChecked: [String: String]
    let mrz: String
    let standard: String
    let format: String
    let records: Int
    let portraitProblem: String?
    let weaknesses: [String]
  }

  struct List: Decodable {
    let date: String
    let chips: [String: Expected]
  }

  private static let list = try? JSONDecoder().decode(List.self, from: Data(TestData.made("chips.json")))
  static let names = list?.chips.keys.sorted() ?? []
  static let trust = Result { try TrustStore(folder: TestData.chips + "trust") }

  static func date() throws -> DateTime {
    let digits = try #require(list).date.compactMap { $0.wholeNumberValue }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { 10 * $0 + $1 } }
    return try DateTime(year: number(0..<4), month: number(4..<6), day: number(6..<8))
  }

  @Test func `there are chips`() {
    #expect(Self.names.count >= 30)
  }

  @Test(arguments: names) func `passive authentication finds what was made`(_ name: String) throws {
    let expected = try #require(Self.list?.chips[name])
    let files = try ChipFiles(folder: TestData.chips + name)
    let result = PassiveAuthentication(ChipContents(files), trust: try Self.trust.get(), date: try Self.date())
    #expect(result.verdict.rawValue == expected.verdict)
    let failed = result.steps.filter { $0.status == .failed }.map { ($0.name.rawValue, $0.reason?.rawValue) }
    #expect(Dictionary(uniqueKeysWithValues: failed) == expected.failed.mapValues { $0 })
    for (step, reason) in expected.notChecked {
      let found = result.step(.init(rawValue: step))
      #expect(found?.status == .notChecked)
      #expect(found?.reason?.rawValue == reason)
    }
    #expect(result.steps.allSatisfy { ($0.reason == nil) == ($0.status == .passed) })
    if result.verdict == .authentic { #expect(result.weaknesses.map(\.rawValue) == expected.weaknesses) }
  }

  @Test(arguments: names) func `zone and portrait are what was written`(_ name: String) throws {
    let expected = try #require(Self.list?.chips[name])
    let contents = ChipContents(try ChipFiles(folder: TestData.chips + name))
    if !name.hasSuffix("wrong-hash") { #expect(try contents.dataGroup1?.get().text == expected.mrz) }
    let portrait = try #require(contents.dataGroup2)
    #expect(portrait.problem?.rawValue == expected.portraitProblem)
    if case .success(let group) = portrait {
      #expect(group.images.count == expected.records)
      #expect(group.images.allSatisfy { $0.format.rawValue == expected.format })
      #expect(group.images.allSatisfy { $0.standard.rawValue.hasPrefix(expected.standard) })
    }
  }

  @Test(arguments: names) func `without trust nothing is authentic, and only broken chips are invalid`(
    _ name: String
  ) throws {
    let expected = try #require(Self.list?.chips[name])
    let files = try ChipFiles(folder: TestData.chips + name)
    let result = PassiveAuthentication(ChipContents(files), trust: TrustStore(), date: try Self.date())
    let genuine = expected.verdict == "authentic" || expected.verdict == "valid-without-anchor"
    #expect(result.verdict != .authentic)
    if genuine { #expect(result.verdict == .validWithoutAnchor) }
  }

  @Test func `a link between two keys of a CSCA is followed`() throws {
    let files = try ChipFiles(folder: TestData.chips + "link")
    let result = PassiveAuthentication(ChipContents(files), trust: try Self.trust.get(), date: try Self.date())
    #expect(result.path.count == 2)
    #expect(result.anchor?.country == "UT")
  }

  @Test func `another issuing state than the document's is found`() throws {
    let files = try ChipFiles(folder: TestData.chips + "td3-jpeg")
    let trust = try Self.trust.get()
    let other = PassiveAuthentication(ChipContents(files), trust: trust, date: try Self.date(), issuingState: "D<<")
    #expect(other.step(.country)?.reason == .countryMismatch)
    let unknown = PassiveAuthentication(ChipContents(files), trust: trust, date: try Self.date(), issuingState: "XYZ")
    #expect(unknown.step(.country)?.reason == .countryUnknown)
    #expect(unknown.verdict == .notChecked)
  }

  @Test func `an old revocation list does not vouch for anybody`() throws {
    let files = try ChipFiles(folder: TestData.chips + "sha384")
    let later = try DateTime(year: 2027, month: 1, day: 1)
    let result = PassiveAuthentication(ChipContents(files), trust: try Self.trust.get(), date: later)
    #expect(result.step(.revocation)?.reason == .revocationListOutdated)
    let now = PassiveAuthentication(ChipContents(files), trust: try Self.trust.get(), date: try Self.date())
    #expect(now.step(.revocation)?.status == .passed)
  }

  @Test func `the same result comes of a master list, but not of one with a wrong signature`() throws {
    let files = try ChipFiles(folder: TestData.chips + "td3-j2k")
    var store = TrustStore()
    #expect(store.add(try TestData.made("masterlist/broken.ml"), name: "broken").kind == .refused)
    #expect(store.sources.first?.signature == .failed)
    #expect(
      PassiveAuthentication(ChipContents(files), trust: store, date: try Self.date()).verdict == .validWithoutAnchor)
    let source = store.add(try TestData.made("masterlist/test.ml"), name: "test")
    #expect(source.kind == .masterList)
    #expect(source.signerChain == .passed)
    #expect(PassiveAuthentication(ChipContents(files), trust: store, date: try Self.date()).verdict == .authentic)
  }

  @Test func `no truncated file crashes or passes`() throws {
    let sod = try TestData.made("td3-j2k/EF.SOD")
    let zone = try TestData.made("td3-j2k/EF.DG1")
    for count in stride(from: 1, to: sod.count, by: 7) {
      let files = try ChipFiles(files: ["EF.SOD": Array(sod.prefix(count)), "EF.DG1": zone])
      let result = PassiveAuthentication(ChipContents(files), trust: try Self.trust.get(), date: try Self.date())
      #expect(result.steps.map(\.reason) == [.sodDamaged])
      #expect(result.verdict == .invalid)
    }
  }

  @Test func `no bit of the hashes, the signer's certificate or the signature may change`() throws {
    let sod = try TestData.made("td2-39794-jpeg/EF.SOD")
    let object = try DocumentSecurityObject(sod)
    let hash = try #require(object.content.hashes[1])
    let certificate = try #require(object.signerCertificate).bytes
    // What lies between them is not signed: names of algorithms, and who signed.
    let signed = [range(of: hash, in: sod), range(of: certificate, in: sod), sod.count - 64..<sod.count]
    let zone = try TestData.made("td2-39794-jpeg/EF.DG1")
    let picture = try TestData.made("td2-39794-jpeg/EF.DG2")
    for position in signed.joined() where position % 3 == 0 {
      var bytes = sod
      bytes[position] ^= 1 << UInt8(position % 8)
      let files = try ChipFiles(files: ["EF.SOD": bytes, "EF.DG1": zone, "EF.DG2": picture])
      let result = PassiveAuthentication(ChipContents(files), trust: try Self.trust.get(), date: try Self.date())
      #expect(result.verdict != .authentic, "bit changed in byte \(position)")
    }
  }

  private func range(of part: [UInt8], in whole: [UInt8]) -> Range<Int> {
    let start = whole.indices.first { whole[$0...].starts(with: part) } ?? 0
    return start..<start + part.count
  }
}
