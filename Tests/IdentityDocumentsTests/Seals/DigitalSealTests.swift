import TestSupport
import Testing

@testable import IdentityDocuments

/// Published examples. Their certificates are not published, so that their signatures are compared as bytes.
@Suite struct DigitalSealTests {
  private func seal(_ hex: String) throws -> DigitalSeal {
    try DigitalSeal(payload: try #require(decodedHexadecimal(hex.filter { !$0.isWhitespace }.utf8)))
  }

  /// ICAO Doc 9303-8, appendix B.
  private static let sheet = """
    DC03D9C5D9CAC8A73A995D913A7D9C57 5E030230BAB3D2B3C549CD1DA93C5BD4 58135C6F57FC133C133C133C6B38208A
    4D0D4A32B0C11AE6268427153F7C453C 133C1345FF4039034E85DA183C1CC0D3 AC16732D7EE2C20D7AEF7B381C0AE509
    F10A97890D511C3C47B94807A4D0F67C E9083A7F206F04FB35AFDB8AB9658A93 327A4E0EE6ED
    """

  @Test func `the emergency travel document of Doc 9303-8 is decoded`() throws {
    let seal = try seal(Self.sheet)
    #expect(seal.version == 4 && seal.issuingState == "UTO" && seal.signerCountry == "UT" && seal.signerName == "TS")
    #expect(seal.certificateReference == "5B" && seal.profileName == "emergency-travel-document")
    #expect(seal.dateOfIssue.description == "2026-06-13" && seal.dateOfSignature.description == "2023-08-23")
    #expect(seal.features.map(\.tag) == [2])
    #expect(seal.value(of: "mrz-td2") == "PUUTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<\nD231458907UTO7408122F2606277<<<<<<<8")
    #expect(seal.signature.count == 64 && seal.signature.first == 0x39 && seal.signature.last == 0xED)
    #expect(seal.signed.count == 68)
    let date = try DateTime(year: 2026, month: 6, day: 20)
    let payload = seal.signed + [0xFF, 64] + seal.signature
    let report = SealReport(payload: payload, trust: TrustStore(), date: date)
    #expect(report.step(.sealFeatures)?.status == .passed && report.step(.sealZone)?.status == .passed)
    #expect(report.zone?.documentNumber == "D23145890" && report.zone?.findings.isEmpty == true)
    #expect(report.verdict == .notChecked && report.step(.signature)?.reason == .signerCertificateMissing)
  }

  /// BSI TR-03137-1, version 2.5, annex F, E and C: version 4 with a profile of ICAO and with a national one, version 3.
  @Test func `the examples of TR-03137 are decoded`() throws {
    let visa = try seal(
      """
      dc036abc6d32c8a72cb10f7134b798155d01022cdd52134a74da1347c6fed95cb89f9fce133c133c133c133c20383373
      4aaf47f0c32f1a1e20eb2625393afe310403a00000050633be1fed20c6ff38d5573247608c9b64cae022c1c5249660e5
      1ae316d600f974aac2129c3f093c359553140263 04705cd24c1b8100711bd4411f068e8d93e8b7
      """)
    #expect(visa.version == 4 && visa.issuingState == "D" && visa.signerCountry == "DE" && visa.signerName == "TS")
    #expect(visa.certificateReference == "32" && visa.profileName == "visa")
    #expect(visa.dateOfIssue.description == "2020-01-01" && visa.dateOfSignature.description == "2021-12-03")
    #expect(
      visa.value(of: "mrz-mrv-b") == "VCD<<DENT<<ARTHUR<PHILIP<<<<<<<<<<<<\n1234567XY7GBR5203116M2005250<<<<<<<<")
    #expect(visa.value(of: "duration-of-stay") == "P160D" && visa.value(of: "passport-number") == "47110815P")
    #expect(visa.signature.count == 56)
    let permit = try seal(
      """
      dc036abc6d32c8a727390f71341145f4fb0602305cba135875976ec066d417b59e8c6abc133c133c133c133c3fef3a29
      38ee43f1593d1ae52dbb26751fe64b7c133c136b0306d79519a65306ff40158cf5b0bb7fbda099e8e7c94abefc9677b2
      e71e9885f5cd9057a8bfcf930a6046bcf897650af8f9b0343c034d2f64ce081f95fbf3d01292d1f8165ece27d327
      """)
    #expect(permit.certificateReference == "27" && permit.profileName == nil && permit.features.map(\.tag) == [2, 3])
    #expect(permit.featureDefinition == 0xFB && permit.documentCategory == 6)
    #expect(permit.features.allSatisfy { $0.name == nil && $0.value == nil })
    let attestation = try seal(
      """
      dc026abc6d32c8a519fc0f71341145f4fd020230a5621353d9a275735bd4134bc549133c133c133c133c133ca32519a5
      19a4344a5e681ae7204b20d532cf4b7c133c133f030820d5201019a51aeaff404a1f218ca4392647ecff6c8abf9e796a
      78eebe0b1ac8cc25c4ee17eed961d1189091358d7d616f1a517abc747f6c4490ff159d4dcf50248b00b1e32e9e7805e7
      """)
    #expect(attestation.version == 3 && attestation.certificateReference == "00027")
    #expect(attestation.dateOfIssue.description == "2020-01-01" && attestation.features.map(\.tag) == [2, 3])
  }

  /// Doc 9303-13, appendix C and 2.3.1; TR-03137-1, 3.2.3 and annex G.
  @Test(
    arguments: [
      ([0xEB, 0x04, 0x66, 0xA9], "XK CD"), ([0xEB, 0x11, 0xFE, 0x45], "XKCD"), ([0xDE, 0x51, 0x58, 0x26], "VISA01"),
      ([0x62, 0xD7, 0x19, 0xC9], "BSI01"), ([0x1A, 0x70, 0x20, 0x85, 0x19, 0xA1], "05314000"), ([], ""),
    ] as [([UInt8], String)])
  func `C40 text is decoded`(_ bytes: [UInt8], _ text: String) throws {
    #expect(try C40.decoded(bytes[...]) == text)
  }

  /// An odd number of bytes; values below 1 and above 64,000; the shifts 1 to 3 before and at the end; 254 before the
  /// end, and with a character that is none of the 37.
  @Test(
    arguments: [
      [0xEB], [0, 0], [0xFA, 0x01], [0x00, 0x01, 0xEB, 0x11], [0x13, 0x3D - 3], [0x00, 0x29], [0xFE, 0x45, 0xEB, 0x11],
      [0xFE, 0x3D], [0xFE, 0x00],
    ] as [[UInt8]])
  func `other bytes are not C40 text of a seal`(_ bytes: [UInt8]) {
    #expect(code { _ = try C40.decoded(bytes[...]) } == .damaged)
  }
}
