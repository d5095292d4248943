import IdentityDocuments
import TestSupport
import Testing

@Suite struct TrustStoreTests {
  @Test(
    arguments: [
      [], [0x30], [0x30, 0x00], Array("-----BEGIN CERTIFICATE-----\nxx\n".utf8), Array("text".utf8),
      [0x30, 0x02, 0x30, 0x00],
    ]
      as [[UInt8]])
  func `what is no certificate is refused with a reason`(_ bytes: [UInt8]) {
    var store = TrustStore()
    let source = store.add(bytes, name: "file")
    #expect(source.kind == .refused)
    #expect(!source.text.isEmpty)
    #expect(store.anchors.isEmpty)
    #expect(store.sources.count == 1)
  }

  @Test(.needsChips) func `several certificates stand in one file, in PEM or one behind the other`() throws {
    var store = TrustStore()
    #expect(store.add(try TestData.made("trust/two.pem"), name: "pem").certificateCount == 2)
    let both = store.anchors.flatMap(\.certificate.bytes)
    var other = TrustStore()
    #expect(other.add(both, name: "der").certificateCount == 2)
    #expect(other.anchors.map(\.certificate) == store.anchors.map(\.certificate))
    // Once more changes nothing.
    other.add(both, name: "again")
    #expect(other.anchors.count == 2)
  }

  @Test(.needsChips) func `a document signer's certificate is no anchor`() throws {
    let sod = try DocumentSecurityObject(TestData.made("td3-jpeg/EF.SOD"))
    var store = TrustStore()
    let source = store.add(try #require(sod.signerCertificate).bytes, name: "signer")
    #expect(source.kind == .refused)
    #expect(store.anchors.isEmpty)
  }

  @Test(.needsChips) func `a folder is read with what it has`() throws {
    let store = try TrustStore(folder: TestData.chips + "trust")
    #expect(store.anchors.count >= 4)
    #expect(store.revocationLists.count == 1)
    #expect(Set(store.anchors.map(\.source)).contains("two.pem"))
    #expect(code { _ = try TrustStore(folder: "/no/such/folder") } == .unreadable)
  }
}
