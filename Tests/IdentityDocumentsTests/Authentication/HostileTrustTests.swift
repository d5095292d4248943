import EmulatedChip
import IdentityDocuments
import TestSupport
import Testing

@Suite struct HostileTrustTests {
  /// id-signedData, and a SignedData with the given certificates.
  private static func signedData(certificates: [UInt8]) -> [UInt8] {
    let content = tlv(0x30, tlv(0x06, [0x67, 0x81, 0x08, 0x01, 0x01, 0x01]) + tlv(0xA0, tlv(0x04, tlv(0x30, []))))
    let data = tlv(0x30, [2, 1, 3] + tlv(0x31, []) + content + tlv(0xA0, certificates) + tlv(0x31, []))
    return tlv(0x30, tlv(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]) + tlv(0xA0, data))
  }

  @Test(.needsChips) func `a signed file full of certificates is processed in time`() throws {
    let certificate = try #require(
      try DocumentSecurityObject(TestData.made("td3-j2k/EF.SOD")).signerCertificate)
    let many = Array(repeating: certificate.bytes, count: 120_000 / certificate.bytes.count).flatMap(\.self)
    let files = try ChipFiles(files: ["EF.SOD": tlv(0x77, Self.signedData(certificates: many))])
    let date = try DateTime(year: 2026, month: 6, day: 1)
    let time = seconds {
      #expect(PassiveAuthentication(ChipContents(files), trust: TrustStore(), date: date).verdict == .invalid)
    }
    #expect(time < 1)
  }

  @Test func `an oversized signed file is not read`() throws {
    let files = try ChipFiles(files: ["EF.SOD": tlv(0x77, [UInt8](repeating: 0x30, count: 1 << 20))])
    let result = PassiveAuthentication(
      ChipContents(files), trust: TrustStore(), date: try DateTime(year: 2026, month: 6, day: 1))
    #expect(result.steps.map(\.reason) == [.sodDamaged])
  }

  @Test func `deep nesting in signed data is rejected in time`() {
    let indefinite = Array(repeating: [0x30, 0x80] as [UInt8], count: 50_000).flatMap(\.self)
    for bytes in [indefinite, [0x77, 0x83, 0x01, 0x86, 0xA0] + indefinite, tlv(0x30, indefinite)] {
      var store = TrustStore()
      let (_, time) = timed {
        #expect(store.add(bytes, name: "deep").kind == .refused)
        _ = try DocumentSecurityObject(bytes)
      }
      #expect(time < 1)
    }
  }

  @Test func `bundles in bundles and endless values are rejected in time`() {
    var nested: [UInt8] = [0x30, 0]
    for _ in 0..<500 { nested = TrustStoreTests.bundle(nested) }
    let values = Array(repeating: Array("c;binary:: MAA=\n".utf8), count: 20_000).flatMap(\.self)
    for (name, bytes) in [("deep.p7b", nested), ("long.ldif", Array("dn: c=UT\n".utf8) + values)] {
      var store = TrustStore()
      let (_, time) = timed { #expect(store.add(bytes, name: name).kind == .refused) }
      #expect(time < 2)
    }
  }

  @Test func `endless names, extensions and revoked numbers are rejected in time`() {
    let part = tlv(0x31, tlv(0x30, tlv(0x06, [0x55, 4, 6]) + tlv(0x13, Array("UT".utf8))))
    let name = tlv(0x30, Array(repeating: part, count: 100_000).flatMap(\.self))
    let algorithm = tlv(0x30, tlv(0x06, [0x2A, 3]))
    let body = tlv(0x30, tlv(0xA0, [2, 1, 2]) + [2, 1, 1] + algorithm + name)
    let certificate = tlv(0x30, body + algorithm + tlv(0x03, [0]))
    var store = TrustStore()
    let (_, time) = timed { #expect(store.add(certificate, name: "name").kind == .refused) }
    #expect(time < 1)
  }
}
