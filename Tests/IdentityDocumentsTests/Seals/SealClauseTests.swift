import EmulatedChip
import Foundation
import TestSupport
import Testing

@testable import IdentityDocuments

/// Each clause of docs/seals.md, with seals and certificates of a test authority.
@Suite struct SealClauseTests {
  typealias Reason = PassiveAuthentication.Reason
  typealias StepName = PassiveAuthentication.StepName

  private func report(
    _ seal: EmulatedSeal, printed: [String] = [], trust: TrustStore? = nil, date: String = "2026-06-01",
    policy: AuthenticationPolicy = .standard
  ) throws -> SealReport {
    let day = try #require(CalendarDate(date))
    return SealReport(
      payload: seal.payload, printed: try printed.map { try MachineReadableZone($0, on: day) },
      trust: trust ?? seal.trust(), date: DateTime(day), policy: policy)
  }

  /// Expects that exactly the step fails, with the reason, and that the seal is invalid.
  private func expectFailure(
    _ seal: EmulatedSeal, _ step: StepName, _ reason: Reason, printed: [String] = [], trust: TrustStore? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let report = try report(seal, printed: printed, trust: trust)
    let failed = report.steps.filter { $0.status == .failed }
    #expect(failed.map(\.name) == [step] && failed.first?.reason == reason, "\(failed)", sourceLocation: location)
    #expect(report.verdict == .invalid && report.status == .failed, sourceLocation: location)
  }

  private func expectDamage(_ seal: EmulatedSeal, at location: SourceLocation = #_sourceLocation) throws {
    let report = try report(seal)
    #expect(report.seal == nil && report.verdict == .invalid && report.status == .failed, sourceLocation: location)
    #expect(report.steps.map(\.reason) == [.sealDamaged], sourceLocation: location)
  }

  // MARK: Genuine seals

  @Test func `a seal of a trusted state is authentic`() throws {
    for (seal, zone) in [(EmulatedSeal.visa(), EmulatedSeal.visaZone), (.sheet(), EmulatedSeal.sheetZone)] {
      let report = try report(seal, printed: [zone])
      #expect(report.verdict == .authentic && report.validity == .passed && report.status == .passed)
      #expect(report.steps.allSatisfy { $0.status == .passed || [.revocation, .passportNumber].contains($0.name) })
      #expect(report.signer?.serialNumber == "5B" && report.anchor?.country == "UT")
      #expect(report.weaknesses.isEmpty && report.leniencies.isEmpty)
      #expect(report.zone?.surname == "ERIKSSON")
    }
  }

  @Test func `a policy without leniencies accepts the profile of Doc 9303-12`() throws {
    let report = try report(.visa(), policy: .strict)
    #expect(report.verdict == .authentic && report.status == .passed, "\(report.steps)")
  }

  @Test func `a visa has MRV-B, and a header of version 3`() throws {
    let zone = "V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<\nL898902C<3UTO6908061F9406236ZE184226"
    var seal = EmulatedSeal.visa(zone)
    (seal.version, seal.reference) = (2, "0005B")
    let report = try report(seal, printed: [zone])
    #expect(report.status == .passed && report.seal?.version == 3, "\(report.steps)")
    #expect(report.zone?.format == .mrvB && report.step(.printedZone)?.status == .passed)
  }

  // MARK: 9303-13, 2.2

  @Test func `2.2 a code with another first byte is not a seal`() throws {
    var seal = EmulatedSeal.visa()
    seal.magic = 0xDB
    #expect(!DigitalSeal.isSeal(seal.payload) && DigitalSeal.isSeal(EmulatedSeal.visa().payload))
    #expect(code { _ = try DigitalSeal(payload: seal.payload) } == .unknownFormat)
    #expect(code { _ = try DigitalSeal(payload: []) } == .unknownFormat)
  }

  @Test(arguments: [0, 1, 4, 255] as [UInt8]) func `2.2 another version is not checked`(_ version: UInt8) throws {
    var seal = EmulatedSeal.visa()
    seal.version = version
    seal.reference = "0005B"
    let report = try report(seal)
    #expect(report.verdict == .notChecked && report.status == .notChecked && report.seal == nil)
    #expect(report.steps.map(\.reason) == [.sealUnknown])
  }

  @Test func `2.2 a profile of another number is not checked, but its signature is`() throws {
    for (definition, category) in [(0x5D, 3), (0xFB, 6), (0x5C, 1)] as [(UInt8, UInt8)] {
      var seal = EmulatedSeal.visa()
      (seal.definition, seal.category) = (definition, category)
      let genuine = try report(seal)
      #expect(genuine.verdict == .notChecked && genuine.step(.signature)?.status == .passed)
      #expect(genuine.step(.sealFeatures)?.reason == .sealUnknown)
      seal.signingSecret = [UInt8](repeating: 7, count: 24)
      try expectFailure(seal, .signature, .signatureWrong)
    }
    for number in [0, 255] as [UInt8] {
      var seal = EmulatedSeal.visa()
      seal.definition = number
      try expectDamage(seal)
      (seal.definition, seal.category) = (0x5D, number)
      try expectDamage(seal)
    }
  }

  @Test(arguments: [13_01_2026, 2_30_2026, 2_29_2025, 1_00_2026, 00_01_2026, 1_01_0000, 0xFFFFFF])
  func `2.3.1 a date that does not exist damages the seal`(_ date: Int) throws {
    var seal = EmulatedSeal.visa()
    seal.issued = date
    try expectDamage(seal)
    (seal.issued, seal.signed) = (3_01_2026, date)
    try expectDamage(seal)
    seal.signed = 2_28_2026
    #expect(try report(seal).status == .passed)
  }

  @Test func `a document is not issued after the date of the check`() throws {
    var seal = EmulatedSeal.visa()
    seal.issued = 6_02_2026
    try expectFailure(seal, .sealFormat, .issuedInFuture)
    seal.issued = 6_01_2026
    #expect(try report(seal).status == .passed)
  }

  // MARK: 9303-13, 2.2.1

  @Test(arguments: ["5B", "05B", "0000000000005B", "1", "ABCDEF0123456789"])
  func `2.2.1 version 4 states the length of the reference`(_ reference: String) throws {
    var seal = EmulatedSeal.visa()
    seal.reference = reference
    let number = try #require(UInt64(reference, radix: 16))
    seal.serial = withUnsafeBytes(of: number.bigEndian) { Array($0) }
    let report = try report(seal)
    #expect(report.seal?.certificateReference == reference && report.status == .passed, "\(report.steps)")
  }

  @Test(arguments: ["00", "01", "03", "0G", "FF", "  "]) func `2.2.1 … and a wrong one damages the seal`(
    _ length: String
  ) throws {
    var seal = EmulatedSeal.visa()
    seal.referenceLength = length
    try expectDamage(seal)
  }

  @Test func `2.2.1 version 3 has a reference of five characters`() throws {
    var seal = EmulatedSeal.visa()
    (seal.version, seal.reference) = (2, "5B")
    try expectDamage(seal)
    seal.reference = "0005G"
    try expectDamage(seal)
    (seal.reference, seal.signer) = ("0005B", "U1TS")
    try expectDamage(seal)
    seal.signer = "UTT "
    try expectDamage(seal)
  }

  @Test func `2.2.1 a reference of zeros is for tests`() throws {
    var seal = EmulatedSeal.visa()
    seal.reference = "00"
    let report = try report(seal)
    #expect(report.step(.sealFormat)?.reason == .testSeal && report.status == .failed)
  }

  @Test func `2.2.1 the certificate has the country, the name and the serial number of the header`() throws {
    for change: (inout EmulatedSeal) -> Void in [
      { $0.subject = ["UT", "TX"] }, { $0.subject = ["DE", "TS"] }, { $0.serial = [0x5C] },
      { $0.serial = [0x05, 0xB0] },
    ] {
      var seal = EmulatedSeal.visa()
      change(&seal)
      let report = try report(seal)
      #expect(report.verdict == .notChecked && report.signer == nil)
      #expect(report.step(.signature)?.reason == .signerCertificateMissing)
      #expect(report.step(.chain)?.status == .notChecked)
    }
  }

  @Test func `of two certificates that the header names, the one whose key has signed is used`() throws {
    let seal = EmulatedSeal.visa()
    var other = seal
    (other.curve, other.dates) = (13, ["260102", "281231"])
    for order in [[seal, other], [other, seal]] {
      var trust = EmulatedState.shared.trust()
      for one in order { trust.add(one.certificate, name: "\(one.curve)") }
      #expect(trust.sealSigners.count == 2)
      #expect(try report(seal, trust: trust).status == .passed)
      #expect(try report(other, trust: trust).status == .passed)
    }
  }

  // MARK: 9303-13, 2.3

  @Test func `2.3 the length of a feature has one byte in version 3 and is DER in version 4`() throws {
    let long = [UInt8](repeating: 1, count: 200)
    var seal = EmulatedSeal.visa()
    seal.features.append((7, long))
    #expect(seal.content.suffix(203).prefix(3) == [7, 0x81, 200])
    #expect(try report(seal).status == .passed)
    (seal.version, seal.reference) = (2, "0005B")
    #expect(seal.content.suffix(202).prefix(2) == [7, 200])
    #expect(try report(seal).status == .passed)
    seal = .visa()
    for length: @Sendable (Int) -> [UInt8] in [
      { [0x81, UInt8($0)] }, { [0x82, 0, UInt8($0)] }, { _ in [0x80] }, { _ in [0x85, 0, 0, 0, 0, 1] }, { _ in [0xFF] },
      { _ in [0x84, 0xFF, 0xFF, 0xFF, 0xFF] }, { [UInt8($0 + 1)] },
    ] {
      seal.length = length
      try expectDamage(seal)
    }
  }

  @Test func `2.3 features have any order, and those with unknown tags do not matter`() throws {
    var seal = EmulatedSeal.visa()
    seal.features.reverse()
    seal.features.insert((200, [1, 2, 3]), at: 1)
    seal.features.append((0, []))
    let report = try report(seal)
    #expect(report.status == .passed && report.seal?.features.filter { $0.name == nil }.map(\.tag) == [200, 0])
  }

  @Test(arguments: [1, 4, 5, 200] as [UInt8]) func `2.3.1 a tag is unique`(_ tag: UInt8) throws {
    var seal = EmulatedSeal.visa()
    seal.features.append((200, [1]))
    let first = try #require(seal.features.first { $0.tag == tag })
    seal.features.append(first)
    try expectFailure(seal, .sealFeatures, .featureTwice)
  }

  @Test func `2.3 the seal of an emergency travel document has version 4`() throws {
    var seal = EmulatedSeal.sheet()
    (seal.version, seal.reference) = (2, "0005B")
    try expectFailure(seal, .sealFeatures, .sealVersionOld)
  }

  // MARK: 9303-13, 2.4 to 2.6

  @Test func `2.4 the signature is over header and message zone`() throws {
    let genuine = EmulatedSeal.visa().payload
    let trust = EmulatedSeal.visa().trust()
    let date = try DateTime(year: 2026, month: 6, day: 1)
    for index in genuine.indices {
      var payload = genuine
      payload[index] ^= 1
      guard DigitalSeal.isSeal(payload) else { continue }
      let report = SealReport(payload: payload, trust: trust, date: date)
      #expect(report.status != .passed && report.verdict != .authentic, "byte \(index)")
    }
    for count in 1..<genuine.count {
      let report = SealReport(payload: Array(genuine.prefix(count)), trust: trust, date: date)
      #expect(report.steps.map(\.reason) == [.sealDamaged], "\(count) bytes")
    }
  }

  @Test func `2.4 another key has not signed it`() throws {
    var seal = EmulatedSeal.visa()
    seal.signingSecret = [UInt8](repeating: 0x44, count: 24)
    try expectFailure(seal, .signature, .signatureWrong)
  }

  /// Numbers of Doc 9303-11, 9.5.1, and the digest for the size of the order.
  @Test(arguments: [(10, "SHA224"), (12, "SHA256"), (13, "SHA256"), (14, "SHA384"), (16, "SHA384"), (17, "SHA512")])
  func `2.4 the size of the key determines the digest`(_ curve: Int, _ digest: String) throws {
    var seal = EmulatedSeal.visa()
    (seal.curve, seal.digest) = (curve, digest)
    #expect(try report(seal).status == .passed)
    for other in ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"] where other != digest {
      seal.digest = other
      try expectFailure(seal, .signature, .signatureWrong)
    }
  }

  @Test func `2.4 no digest is defined for more than 512 bits; 9303-12, 4.1.8, requires ECDSA`() throws {
    var seal = EmulatedSeal.visa()
    seal.curve = 18
    for key in [nil, EmulatedSeal.rsaKey] {
      seal.publicKey = key
      let report = try report(seal)
      #expect(report.step(.signature)?.reason == .unsupportedAlgorithm && report.status == .failed)
      #expect(report.step(.algorithms)?.status == .failed)
    }
  }

  @Test func `2.4 the signature is two numbers of the size of the key`() throws {
    for change: @Sendable ([UInt8]) -> [UInt8] in [
      { Array($0.dropLast()) }, { $0 + [0] }, { [0] + $0 }, { [0] + $0.prefix(32) + [0] + $0.suffix(32) }, { _ in [] },
      { [UInt8](repeating: 0, count: $0.count) }, { Array($0.suffix(32) + $0.prefix(32)) },
    ] {
      var seal = EmulatedSeal.visa()
      seal.signatureChange = change
      try expectFailure(seal, .signature, .signatureWrong)
    }
  }

  @Test func `2.5 nothing follows the signature`() throws {
    var seal = EmulatedSeal.visa()
    seal.trailing = [0]
    try expectDamage(seal)
  }

  @Test func `2.6 text that is not C40 makes a feature wrong`() throws {
    try expectFailure(EmulatedSeal.visa().replacing(5, [0, 0, 0, 0, 0, 0]), .sealFeatures, .featureWrong)
    let seal = EmulatedSeal.visa().replacing(1, [UInt8](repeating: 0, count: 48))
    let report = try report(seal)
    #expect(report.step(.sealFeatures)?.reason == .featureWrong && report.zone == nil && report.status == .failed)
  }

  // MARK: 9303-7, 9.1, and 9303-8, 6.1

  @Test(arguments: [1, 4, 5] as [UInt8]) func `9303-7, 9.1.3 a mandatory feature is present`(_ tag: UInt8) throws {
    try expectFailure(EmulatedSeal.visa().replacing(tag, nil), .sealFeatures, .featureMissing)
  }

  @Test func `9303-8, 6.1.3 the zone is present`() throws {
    try expectFailure(EmulatedSeal.sheet().replacing(2, nil), .sealFeatures, .featureMissing)
  }

  @Test func `9303-7, 9.1.3 there is one zone`() throws {
    var seal = EmulatedSeal.visa()
    seal.features.append(
      (2, EmulatedSeal.c40("V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<L898902C<3UTO6908061F9406236")))
    try expectFailure(seal, .sealFeatures, .featureTwice)
  }

  @Test(arguments: [(1, 46), (3, 0), (3, 2), (4, 2), (4, 4), (5, 4), (5, 8), (6, 0), (6, 5)] as [(UInt8, Int)])
  func `9303-7, 9.1.3 a feature has the size of its profile`(_ tag: UInt8, _ count: Int) throws {
    var seal = EmulatedSeal.visa()
    seal.features.removeAll { $0.tag == tag }
    seal.features.append((tag, [UInt8](repeating: 0x59, count: count)))
    #expect(try report(seal).step(.sealFeatures)?.reason == .featureWrong)
    #expect(try report(seal).status == .failed)
  }

  @Test func `9303-7, 9.1.3 entries, stay, passport and type are decoded`() throws {
    var seal = EmulatedSeal.visa()
    seal.features += [(6, [0xC0, 0xDE]), (7, [])]
    func value(_ name: String, _ tag: UInt8, _ bytes: [UInt8]) throws -> String? {
      try report(seal.replacing(tag, bytes)).seal?.value(of: name)
    }
    #expect(try value("number-of-entries", 3, [0]) == "unlimited" && value("number-of-entries", 3, [255]) == "255")
    #expect(try value("duration-of-stay", 4, [0, 0, 0]) == "until-expiry")
    #expect(try value("duration-of-stay", 4, [255, 255, 255]) == "decided-at-border")
    #expect(try value("duration-of-stay", 4, [254, 254, 254]) == "transit")
    #expect(
      try value("duration-of-stay", 4, [5, 3, 1]) == "P1Y3M5D" && value("duration-of-stay", 4, [90, 0, 0]) == "P90D")
    #expect(try value("passport-number", 5, EmulatedSeal.c40("AB1234567")) == "AB1234567")
    #expect(try value("passport-number", 5, EmulatedSeal.c40("AB12     ")) == "AB12")
    #expect(try value("visa-type", 6, [0xC0, 0xDE]) == "c0de" && report(seal).status == .passed)
  }

  // MARK: 9303-13, appendix D; 9303-7, 9.4; 9303-8, appendix A

  @Test func `the zone in the seal is right`() throws {
    for zone in [
      EmulatedSeal.visaZone.replacingOccurrences(of: "C<3UTO", with: "C<4UTO"),
      EmulatedSeal.visaZone.replacingOccurrences(of: "UTO6908061", with: "UTO6908062"),
    ] {
      try expectFailure(.visa(zone), .sealZone, .sealZoneWrong)
    }
    try expectFailure(
      .sheet(EmulatedSeal.sheetZone.replacingOccurrences(of: "<8", with: "<9")), .sealZone, .sealZoneWrong)
    // The zone of a visa in the profile of the other document.
    try expectFailure(
      .sheet("V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<\nL898902C<3UTO6908061F9406236ZE184226"), .sealZone, .sealZoneWrong)
  }

  @Test func `the issuing state is the same in header, zone, signer and CSCA`() throws {
    var seal = EmulatedSeal.visa()
    seal.issuer = "D"
    try expectFailure(seal, .sealZone, .countryMismatch)
    let german = EmulatedSeal.visaZone.replacingOccurrences(of: "V<UTO", with: "V<D<<")
    seal = .visa(german)
    seal.issuer = "D"
    try expectFailure(seal, .country, .countryMismatch)
    seal.signer = "DETS"
    try expectFailure(seal, .country, .countryMismatch)
  }

  @Test func `the printed zone is the one in the seal, except for a visa's optional data`() throws {
    let visa = EmulatedSeal.visaZone
    let other = visa.replacingOccurrences(of: "ZE184226B", with: "ZE184226C")
    #expect(try report(.visa(), printed: [other]).step(.printedZone)?.status == .passed)
    for (old, new, field) in [
      ("ANNA<MARIA", "ANNE<MARIA", "name"), ("L898902C<3", "L898902D<8", "document-number"),
      ("F9406236", "M9406236", "sex"), ("9406236", "9506232", "date-of-expiry"), ("V<UTO", "VAUTO", "document-code"),
    ] {
      let printed = visa.replacingOccurrences(of: old, with: new)
      try expectFailure(.visa(), .printedZone, .zoneDiffers, printed: [printed])
      try expectFailure(.visa(), .printedZone, .zoneDiffers, printed: [printed, printed])
      // The seal is of one of two visas.
      for both in [[visa, printed], [printed, visa]] {
        #expect(try report(.visa(), printed: both).step(.printedZone)?.status == .passed)
      }
      #expect(try report(.visa(), printed: [printed]).step(.printedZone)?.text.contains(field) == true)
    }
    let sheet = EmulatedSeal.sheetZone
    try expectFailure(
      .sheet(), .printedZone, .zoneDiffers, printed: [sheet.replacingOccurrences(of: "7<<<<<<<8", with: "7A<<<<<<8")])
  }

  @Test func `a zone that was not read is not checked, and one of another kind is of another document`() throws {
    let passport = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C<3UTO6908061F9406236ZE184226B<<<<<14"
    let unread = try report(.visa())
    #expect(unread.step(.printedZone)?.reason == .zoneNotRead && unread.status == .passed)
    #expect(try report(.visa(), printed: [passport]).step(.printedZone)?.reason == .zoneNotRead)
    try expectFailure(.sheet(), .printedZone, .zoneDiffers, printed: [EmulatedSeal.visaZone])
    try expectFailure(.sheet(), .printedZone, .zoneDiffers, printed: [passport])
  }

  @Test func `9303-7, 9.4 the visa is in the passport that it names`() throws {
    let passport = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C<3UTO6908061F9406236ZE184226B<<<<<14"
    #expect(try report(.visa(), printed: [passport]).step(.passportNumber)?.status == .passed)
    #expect(try report(.visa()).step(.passportNumber)?.reason == .zoneNotRead)
    #expect(try report(.sheet()).step(.passportNumber) == nil)
    try expectFailure(
      EmulatedSeal.visa().replacing(5, EmulatedSeal.c40("L898902D ")), .passportNumber, .passportDiffers,
      printed: [passport])
    // The visa may be in one of two passports.
    let other = passport.replacingOccurrences(
      of: "L898902C<3UTO6908061F9406236ZE184226B<<<<<14",
      with:
        "L898902D<6UTO6908061F9406236ZE184226B<<<<<18")
    #expect(try report(.visa(), printed: [other, passport]).step(.passportNumber)?.status == .passed)
  }

  @Test func `the signer's certificate must be supplied, and lead to a CSCA`() throws {
    let seal = EmulatedSeal.visa()
    let unknown = try report(seal, trust: EmulatedState.shared.trust())
    #expect(unknown.verdict == .notChecked && unknown.status == .notChecked && unknown.signer == nil)
    #expect(unknown.explanation == unknown.step(.signature)?.text)
    var trust = TrustStore()
    let source = trust.add(seal.certificate, name: "signer.cer")
    #expect(source.kind == .certificates && source.certificateCount == 0 && trust.anchors.isEmpty)
    let alone = try report(seal, trust: trust)
    #expect(alone.verdict == .validWithoutAnchor && alone.status == .notChecked)
    #expect(alone.step(.chain)?.reason == .noTrustAnchor && alone.explanation == alone.step(.chain)?.text)
  }

  /// 9303-12, table 8: such a certificate has neither key usage nor basic constraints, like those of old authorities.
  @Test func `the certificate of a seal's signer is never a trust anchor`() throws {
    for purposes in [["2.23.136.1.1.11.1"], nil] {
      var seal = EmulatedSeal.visa()
      seal.purposes = purposes
      #expect(try !Certificate(seal.certificate).isAuthority)
      #expect(seal.trust().anchors.count == 1 && seal.trust().sealSigners.count == 1)
    }
    var authority = EmulatedSeal.visa()
    authority.keyUsage = 0x04
    #expect(try Certificate(authority.certificate).isAuthority && authority.trust().sealSigners.isEmpty)
  }

  @Test func `the document type is one of the certificate's, if it has some`() throws {
    var seal = EmulatedSeal.visa()
    for (types, isRight) in [(["V"], true), (["P", "V<"], true), (["P"], false), (["VC"], false)] {
      seal.documentTypes = types
      if isRight {
        #expect(try report(seal).status == .passed)
      } else {
        try expectFailure(seal, .documentType, .documentTypeWrong)
      }
    }
  }

  @Test func `an expired certificate is not in date`() throws {
    var seal = EmulatedSeal.visa()
    seal.dates = ["260101", "260531"]
    let report = try report(seal)
    #expect(report.verdict == .authentic && report.validity == .failed && report.status == .failed)
    #expect(report.step(.signerValidity)?.reason == .certificateExpired)
    seal.dates = ["260101", "260601"]
    #expect(try self.report(seal).status == .passed)
  }

  @Test func `a revoked certificate is refused`() throws {
    let seal = EmulatedSeal.visa()
    var trust = seal.trust()
    trust.add(seal.revocationList, name: "csca.crl")
    try expectFailure(seal, .revocation, .revoked, trust: trust)
    var other = EmulatedSeal.visa()
    (other.serial, other.reference) = ([0x5D], "5D")
    trust.add(other.certificate, name: "other.cer")
    #expect(try report(other, trust: trust).step(.revocation)?.status == .passed)
  }

  // MARK: 9303-12

  @Test func `9303-12, 7.1.3 the certificate is for seals, and its key for signatures`() throws {
    var seal = EmulatedSeal.visa()
    for purposes in [nil, ["2.23.136.1.1.3"], ["2.5.29.37.0"]] {
      seal.purposes = purposes
      try expectFailure(seal, .extendedKeyUsage, .extendedKeyUsageWrong)
    }
    seal.purposes = ["2.23.136.1.1.11.1", "2.23.136.1.1.9.8.2"]
    seal.keyUsage = 0x80
    #expect(try report(seal).status == .passed)
    seal.keyUsage = 0x20
    try expectFailure(seal, .keyUsage, .keyUsageWrong)
  }

  @Test func `9303-12, 4 the seal was signed while key and certificate were valid, and not in the future`() throws {
    var seal = EmulatedSeal.visa()
    seal.keyPeriod = ["20260302120000Z", "20260302180000Z"]
    #expect(try report(seal).status == .passed)
    seal.keyPeriod = ["20260303000000Z", "20270101000000Z"]
    try expectFailure(seal, .privateKeyUsage, .privateKeyUsageOver)
    seal.keyPeriod = ["20260101000000Z", "20260301235959Z"]
    try expectFailure(seal, .privateKeyUsage, .privateKeyUsageOver)
    seal.keyPeriod = nil
    seal.signed = 12_31_2025
    try expectFailure(seal, .signerValidityAtSigning, .signedOutsideValidity)
    seal.signed = 6_02_2026
    try expectFailure(seal, .signingTime, .signingTimeInFuture)
  }

  // MARK: The document

  @Test func `a seal never improves a document's result, and one that failed fails it`() throws {
    let day = try #require(CalendarDate("2026-06-01"))
    let zone = try MachineReadableZone(EmulatedSeal.sheetZone, on: day)
    let sure = zone.lines.map { $0.map { _ in 1.0 } }
    let page = try PageZone(zone, confidences: sure, minimumConfidence: 0.9)
    var wrong = EmulatedSeal.sheet()
    wrong.signingSecret = [UInt8](repeating: 7, count: 24)
    var late = EmulatedSeal.sheet()
    late.dates = ["260101", "260531"]
    var unknown = EmulatedSeal.sheet()
    unknown.serial = [1]
    for accepted in [[], [.page]] as [Set<UnauthenticatedDocument>] {
      let without = DocumentReport(page: page, pageGiven: true, chip: nil, accepted: accepted, on: day)
      #expect(without.result == (accepted.isEmpty ? .notChecked : .passed))
      for (seal, status) in [
        (EmulatedSeal.sheet(), CheckStatus.passed), (unknown, .notChecked), (wrong, .failed), (late, .failed),
      ] {
        let seal = try report(seal, printed: [EmulatedSeal.sheetZone])
        #expect(seal.status == status)
        let with = DocumentReport(page: page, pageGiven: true, chip: nil, accepted: accepted, seal: seal, on: day)
        #expect(with.result == (status == .failed ? .failed : without.result))
        #expect(with.mayMatch == (status != .failed) && with.assurance <= without.assurance)
        #expect(with[.validation]?.reason == (status == .failed ? .sealInvalid : nil))
      }
    }
  }

  @Test func `JSON has the seal, its zone and every step`() throws {
    let report = try report(.visa(), printed: [EmulatedSeal.visaZone])
    let json = report.jsonValue
    #expect(json["content"]?["certificateReference"]?.string == "5B" && json["content"]?["profile"]?.string == "visa")
    #expect(json["mrz"]?["surname"]?.string == "ERIKSSON" && json["verdict"]?.string == "authentic")
    let damaged = SealReport(
      payload: [0xDC], trust: TrustStore(), date: DateTime(try #require(CalendarDate("2026-06-01"))))
    #expect(damaged.jsonValue["content"] == .null && damaged.verdict == .invalid && !damaged.explanation.isEmpty)
  }
}
