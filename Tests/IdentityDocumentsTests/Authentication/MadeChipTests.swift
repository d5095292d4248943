import EmulatedChip
import Foundation
import TestSupport
import Testing

@testable import IdentityDocuments

/// Chips of test authorities, genuine and defective ones; `chips.json` has the expected findings.
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
    let validity: String
    let leniencies: [String]
    /// The failures without leniencies; nil if they are the same.
    let strict: [String: String]?
    let trust: String
  }

  struct List: Decodable {
    let date: String
    let chips: [String: Expected]
    /// The kinds of the lists in the folder `lists`, under the policies standard and strict.
    let lists: [String: [String]]
  }

  private static let list = try? JSONDecoder().decode(List.self, from: Data(TestData.made("chips.json")))
  static let names = list?.chips.keys.sorted() ?? []
  private static let trust = Result { try TrustStore(folder: TestData.chips + "trust") }

  static func date() throws -> DateTime {
    let digits = try #require(list).date.compactMap { $0.wholeNumberValue }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { 10 * $0 + $1 } }
    return try DateTime(year: number(0..<4), month: number(4..<6), day: number(6..<8))
  }

  /// The trust folder for a chip.
  static func trust(for name: String) throws -> TrustStore {
    let folder = try #require(list?.chips[name]).trust
    return try folder == "trust" ? trust.get() : TrustStore(folder: TestData.chips + folder)
  }

  /// Authenticates a chip at its reference date.
  private static func authenticate(
    _ name: String, trust: TrustStore? = nil, policy: AuthenticationPolicy = .standard
  ) throws -> (PassiveAuthentication, Expected) {
    let expected = try #require(list?.chips[name])
    let contents = ChipContents(try ChipFiles(folder: TestData.chips + name))
    let store = try trust ?? Self.trust(for: name)
    let day = DateTime(try date().calendarDate)
    return (PassiveAuthentication(contents, trust: store, date: day, policy: policy), expected)
  }

  private static func failed(_ result: PassiveAuthentication) -> [String: String?] {
    let failed = result.steps.filter { $0.status == .failed }
    return Dictionary(uniqueKeysWithValues: failed.map { ($0.name.rawValue, $0.reason?.rawValue) })
  }

  @Test func `more than eighty of the chips are forged`() {
    #expect(Self.names.count >= 150)
    #expect(Self.list?.chips.values.count { $0.verdict == "invalid" } ?? 0 >= 80)
  }

  // Rows: DR25
  @Test(arguments: names) func `passive authentication has the expected result for each chip`(_ name: String) throws {
    let (result, expected) = try Self.authenticate(name)
    #expect(result.verdict.rawValue == expected.verdict)
    #expect(result.validity.rawValue == expected.validity)
    #expect(Self.failed(result) == expected.failed.mapValues { $0 })
    for (step, reason) in expected.notChecked {
      let found = result.step(.init(rawValue: step))
      #expect(found?.status == .notChecked)
      #expect(found?.reason?.rawValue == reason)
    }
    #expect(result.steps.allSatisfy { ($0.reason == nil) == ($0.status == .passed) })
    guard result.verdict == .authentic else { return }
    #expect(result.weaknesses.map(\.rawValue) == expected.weaknesses)
    #expect(Set(result.leniencies.map(\.rawValue)) == Set(expected.leniencies))
  }

  /// Excludes reading the files and the trust folder. It takes milliseconds; chips designed to be slow must not exceed
  /// it.
  @Test(arguments: names) func `a chip is authenticated in time`(_ name: String) throws {
    let trust = try Self.trust(for: name)
    let (files, date) = (try ChipFiles(folder: TestData.chips + name), try Self.date())
    let time = seconds { _ = PassiveAuthentication(ChipContents(files), trust: trust, date: date) }
    #expect(time < 1)
  }

  @Test(arguments: names) func `a strict policy forgives nothing`(_ name: String) throws {
    let (result, expected) = try Self.authenticate(name, policy: .strict)
    #expect(result.leniencies.isEmpty)
    #expect(result.weaknesses.isEmpty)
    if expected.verdict == "authentic" {
      #expect(result.verdict == (expected.strict == nil ? .authentic : .invalid))
      #expect(Self.failed(result) == expected.failed.merging(expected.strict ?? [:]) { $1 }.mapValues { $0 })
    } else {
      #expect(result.verdict != .authentic)
    }
  }

  @Test(arguments: names) func `zone and portrait equal those that were written`(_ name: String) throws {
    let expected = try #require(Self.list?.chips[name])
    let contents = ChipContents(try ChipFiles(folder: TestData.chips + name))
    if !name.hasSuffix("wrong-hash") { #expect(try contents.dataGroup1?.get().text == expected.mrz) }
    if expected.portraitProblem == "absent" {
      #expect(contents.dataGroup2 == nil)
      return
    }
    let portrait = try #require(contents.dataGroup2)
    #expect(portrait.problem?.rawValue == expected.portraitProblem)
    if case .success(let group) = portrait {
      #expect(group.images.count == expected.records)
      #expect(group.images.allSatisfy { $0.format.rawValue == expected.format })
      #expect(group.images.allSatisfy { $0.standard.rawValue.hasPrefix(expected.standard) })
    }
  }

  @Test(arguments: names) func `without trust anchors no chip is authentic, and only broken chips are invalid`(
    _ name: String
  ) throws {
    let (result, expected) = try Self.authenticate(name, trust: TrustStore())
    let genuine = expected.verdict == "authentic" || expected.verdict == "valid-without-anchor"
    #expect(result.verdict != .authentic)
    // Without the trust folder, these have no signer's certificate.
    let isSignerMissing = name.hasSuffix("in-trust-folder")
    if genuine { #expect(result.verdict == (isSignerMissing ? .notChecked : .validWithoutAnchor)) }
  }

  @Test func `a link between two keys of a CSCA is followed`() throws {
    let files = try ChipFiles(folder: TestData.chips + "link")
    let result = PassiveAuthentication(ChipContents(files), trust: try Self.trust.get(), date: try Self.date())
    #expect(result.path.count == 2)
    #expect(result.anchor?.country == "UT")
  }

  /// An object with indefinite lengths, to a depth of 4 or with all its members.
  private static func indefinite(_ object: TLV, depth: Int = 0, whole: Bool) throws -> [UInt8] {
    guard object.tag.isConstructed, whole || depth < 4 else { return Array(object.encoded) }
    let members = try object.mapChildren { try indefinite($0, depth: depth + 1, whole: whole) }
    return Array(object.encoded.prefix(1)) + [0x80] + members.joined() + [0, 0]
  }

  /// The issuer signed the DER of a certificate.
  @Test func `signed data may have indefinite lengths, their certificates may not`() throws {
    var files: [String: [UInt8]] = [:]
    for name in ["EF.COM", "EF.DG1", "EF.DG2", "EF.SOD"] { files[name] = try TestData.made("td3-jpeg/" + name) }
    var reader = try ElementaryFile.object(in: #require(files["EF.SOD"]), tag: 0x77).children()
    let data = try #require(try reader.next())
    func result(_ signedData: [UInt8]) throws -> PassiveAuthentication {
      files["EF.SOD"] = tlv(0x77, signedData)
      return PassiveAuthentication(
        ChipContents(try ChipFiles(files: files)), trust: try Self.trust.get(), date: try Self.date())
    }
    #expect(try result(Self.indefinite(data, whole: false)).verdict == .authentic)
    let unread = try result(Self.indefinite(data, whole: true))
    #expect(unread.verdict == .notChecked)
    #expect(unread.step(.signature)?.reason == .signerCertificateMissing)
  }

  /// One bit of the year makes the time unreadable, so that the certificate is, too; its serial number is not the
  /// signer's any more.
  @Test func `an unreadable certificate that the signer does not name is reported`() throws {
    var bytes = try TestData.made("td3-jpeg/EF.SOD")
    let serial = try #require(try DocumentSecurityObject(bytes).signerCertificate?.serialNumber)
    let number = stride(from: 0, to: serial.count, by: 2).compactMap {
      UInt8(serial.dropFirst($0).prefix(2), radix: 16)
    }
    let field = try #require(bytes.firstRange(of: [0x02, UInt8(number.count)] + number))
    bytes[field.upperBound - 1] ^= 1
    let time = try #require(bytes.firstRange(of: [0x17, 0x0D]))
    bytes[time.upperBound] = 0x7F
    let data = try #require(try? DocumentSecurityObject(bytes))
    #expect(data.signerCertificate == nil)
    #expect(data.signedData.violations.map(\.reason) == [.signerNotIdentified])
  }

  // Rows: DR25
  @Test func `a difference of the issuing states is detected`() throws {
    let files = try ChipFiles(folder: TestData.chips + "td3-jpeg")
    let trust = try Self.trust.get()
    let other = PassiveAuthentication(ChipContents(files), trust: trust, date: try Self.date(), issuingState: "D<<")
    #expect(other.step(.country)?.reason == .countryMismatch)
    let unknown = PassiveAuthentication(ChipContents(files), trust: trust, date: try Self.date(), issuingState: "XYZ")
    #expect(unknown.step(.country)?.reason == .countryUnknown)
    #expect(unknown.verdict == .notChecked)
  }

  @Test func `an outdated revocation list confirms no certificate`() throws {
    let files = try ChipFiles(folder: TestData.chips + "sha384")
    let later = try DateTime(year: 2027, month: 1, day: 1)
    let result = PassiveAuthentication(ChipContents(files), trust: try Self.trust.get(), date: later)
    #expect(result.step(.revocation)?.reason == .revocationListOutdated)
    #expect(result.verdict == .authentic)
    let now = PassiveAuthentication(ChipContents(files), trust: try Self.trust.get(), date: try Self.date())
    #expect(now.step(.revocation)?.status == .passed)
  }

  @Test func `the signature of a revocation list is verified once for each key`() throws {
    let trust = try TrustStore(folder: TestData.chips + "trust")
    let contents = ChipContents(try ChipFiles(folder: TestData.chips + "sha384"))
    func count() throws -> Int {
      #expect(PassiveAuthentication(contents, trust: trust, date: try Self.date()).step(.revocation)?.status == .passed)
      return trust.revocationLists.map(\.verificationCount).reduce(0, +)
    }
    let first = try count()
    #expect(first > 0)
    #expect(try count() == first)
  }

  @Test func `a master list gives the same result, unless its signature is invalid`() throws {
    let files = try ChipFiles(folder: TestData.chips + "td3-j2k")
    var store = TrustStore()
    #expect(store.add(try TestData.made("masterlist/broken.ml"), name: "broken").kind == .refused)
    #expect(store.sources.first?.signature == .failed)
    // Nor a self-consistent one, until it is pinned.
    let alone = store.add(try TestData.made("masterlist/test.ml"), name: "alone")
    #expect(alone.kind == .notPinned)
    #expect(alone.signature == .passed)
    #expect(store.anchors.isEmpty)
    #expect(
      PassiveAuthentication(ChipContents(files), trust: store, date: try Self.date()).verdict == .validWithoutAnchor)
    try store.pin(try #require(alone.pin))
    let source = store.add(try TestData.made("masterlist/test.ml"), name: "test")
    #expect(source.kind == .masterList)
    #expect(source.signerChain == .passed)
    #expect(PassiveAuthentication(ChipContents(files), trust: store, date: try Self.date()).verdict == .authentic)
  }

  @Test func `a list is trusted for its signer alone`() throws {
    let list = try #require(Self.list)
    let trust = try Self.trust.get()
    let day = DateTime(try Self.date().calendarDate)
    for (name, kinds) in list.lists {
      var store = trust
      store.add(try TestData.made("lists/" + name), name: name)
      for (policy, kind) in zip([AuthenticationPolicy.standard, .strict], kinds) {
        let judged = store.judged(on: day, by: policy)
        #expect(judged.sources.last?.kind.rawValue == kind, "\(name): \(judged.sources.last?.text ?? "")")
        #expect(judged.anchors.count == trust.anchors.count, "\(name)")
      }
    }
    #expect(list.lists.count >= 20)
  }

  /// Only these lists have the chip's CSCA.
  @Test(arguments: [
    ("unknown.ml", 2026, true, true), ("unknown-revoked.ml", 2026, false, false),
    ("unknown-in-future.ml", 2026, false, false), ("unknown-in-future.ml", 2031, true, true),
    ("unknown-uncritical.ml", 2026, true, false),
  ])
  func `a chip is as genuine as the list that has its CSCA, for the date and the policy in force`(
    _ name: String, _ year: Int, _ standard: Bool, _ strict: Bool
  ) throws {
    var store = try Self.trust.get()
    store.add(try TestData.made("lists/" + name), name: name)
    let contents = ChipContents(try ChipFiles(folder: TestData.chips + "unknown-csca"))
    let date = try DateTime(year: year, month: 6, day: 1)
    for (policy, isTrusted) in [(AuthenticationPolicy.standard, standard), (.strict, strict)] {
      let result = PassiveAuthentication(contents, trust: store, date: date, policy: policy)
      #expect(result.verdict == (isTrusted ? .authentic : .validWithoutAnchor), "\(result.explanation)")
      #expect(store.judged(on: date, by: policy).sources.last?.kind == (isTrusted ? .masterList : .refused))
    }
  }

  @Test func `a list counts if a trusted list has its certificates, too, in any order`() throws {
    let names = ["unknown-revoked.ml", "unknown.ml"]
    for names in [names, names.reversed()] {
      var store = try Self.trust.get()
      for name in names { store.add(try TestData.made("lists/" + name), name: name) }
      let contents = ChipContents(try ChipFiles(folder: TestData.chips + "unknown-csca"))
      #expect(PassiveAuthentication(contents, trust: store, date: try Self.date()).verdict == .authentic)
    }
  }

  @Test func `a later revocation list revokes the signer of an earlier list`() throws {
    var store = TrustStore()
    for name in try FileManager.default.contentsOfDirectory(atPath: TestData.chips + "trust") where name != "nist.crl" {
      store.add(try TestData.made("trust/" + name), name: name)
    }
    let list = store.add(try TestData.made("lists/unknown-revoked.ml"), name: "list")
    let count = store.anchors.count
    #expect(list.kind == .masterList)
    store.add(try TestData.made("trust/nist.crl"), name: "crl")
    #expect(store.sources.map(\.kind).contains(.refused) && store.anchors.count == count - 1)
  }

  @Test func `a PEM list is judged after the certificates next to it, for any name`() throws {
    try withTemporaryFolder { folder in
      let list = Data(try TestData.made("lists/right.ml")).base64EncodedString(options: .lineLength64Characters)
      try RegularFile.write(
        Array("-----BEGIN CMS-----\n\(list)\n-----END CMS-----\n".utf8), to: folder + "/a list.pem")
      for name in ["csca-0.cer", "csca-1.cer", "two.pem"] {
        try RegularFile.write(try TestData.made("trust/" + name), to: "\(folder)/\(name)")
      }
      #expect(try TrustStore(folder: folder).sources.first?.kind == .masterList)
    }
  }

  @Test func `pins of a folder and of the caller are applied`() throws {
    let folder = TestData.chips + "masterlist"
    let store = try TrustStore(folder: folder)
    #expect(store.sources.map(\.kind) == [.refused, .masterList])
    #expect(store.anchors.count >= 4)
    let pin = try #require(store.pins.first)
    var other = TrustStore()
    let colons = stride(from: 0, to: 64, by: 2).map { String(Array(pin.uppercased())[$0..<$0 + 2]) }
    try other.pin(colons.joined(separator: ":"))
    #expect(other.add(try TestData.made("masterlist/test.ml"), name: "test").kind == .masterList)
    for wrong in ["", "12", String(repeating: "g", count: 64), pin + "00"] {
      #expect(code { try other.pin(wrong) } == .badArgument)
    }
  }

  @Test func `a deviation published by its issuer is reported`() throws {
    var store = try Self.trust.get()
    store.add(try TestData.made("lists/right.dl"), name: "right.dl")
    let (result, _) = try Self.authenticate("deviating", trust: store)
    #expect(result.deviations.map(\.types) == [["2.23.136.1.1.7.2.2"]])
    #expect(result.deviations.map(\.source) == ["right.dl"])
    #expect(try Self.authenticate("td2-39794-jpeg", trust: store).0.deviations.isEmpty)
  }

  @Test(arguments: [
    ("from-eight-o-clock", 7, CheckStatus.failed), ("from-eight-o-clock", 8, .passed),
    ("until-one-o-clock", 1, .passed),
    ("until-one-o-clock", 2, .failed),
  ])
  func `a certificate is valid to the second, and on a day if it is valid at any moment of it`(
    _ name: String, _ hour: Int, _ validity: CheckStatus
  ) throws {
    let (day, _) = try Self.authenticate(name)
    #expect(day.validity == .passed)
    let contents = ChipContents(try ChipFiles(folder: TestData.chips + name))
    let date = try DateTime(year: 2026, month: 6, day: 1, hour: hour)
    let result = PassiveAuthentication(contents, trust: try Self.trust.get(), date: date)
    #expect(result.validity == validity)
    #expect(result.verdict == .authentic)
    #expect(result.status == validity)
  }

  @Test func `no truncated file causes a crash or passes`() throws {
    let sod = try TestData.made("td3-j2k/EF.SOD")
    let zone = try TestData.made("td3-j2k/EF.DG1")
    for count in stride(from: 1, to: sod.count, by: 7) {
      let files = try ChipFiles(files: ["EF.SOD": Array(sod.prefix(count)), "EF.DG1": zone])
      let result = PassiveAuthentication(ChipContents(files), trust: try Self.trust.get(), date: try Self.date())
      #expect(result.steps.map(\.reason) == [.sodDamaged])
      #expect(result.verdict == .invalid)
    }
  }

  // Rows: DR25
  @Test func `no changed bit of the hashes, the signer's certificate or the signature passes`() throws {
    let sod = try TestData.made("td2-39794-jpeg/EF.SOD")
    let object = try DocumentSecurityObject(sod)
    let hash = try #require(object.content.hashes[1])
    let certificate = try #require(object.signerCertificate).bytes
    // The bytes between them are not signed: names of algorithms, and the signer's identifier.
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
