import Foundation
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
  func `input that is not a certificate is rejected with a reason`(_ bytes: [UInt8]) {
    var store = TrustStore()
    let source = store.add(bytes, name: "file")
    #expect(source.kind == .refused)
    #expect(!source.text.isEmpty)
    #expect(store.anchors.isEmpty)
    #expect(store.sources.count == 1)
  }

  @Test(.needsChips) func `a file may have several certificates, in PEM or concatenated`() throws {
    var store = TrustStore()
    #expect(store.add(try TestData.made("trust/two.pem"), name: "pem").certificateCount == 2)
    let both = store.anchors.flatMap(\.certificate.bytes)
    var other = TrustStore()
    #expect(other.add(both, name: "der").certificateCount == 2)
    #expect(other.anchors.map(\.certificate) == store.anchors.map(\.certificate))
    // Adding it again changes nothing.
    other.add(both, name: "again")
    #expect(other.anchors.count == 2)
  }

  @Test(.needsChips) func `a document signer's certificate is not a trust anchor`() throws {
    let sod = try DocumentSecurityObject(TestData.made("td3-jpeg/EF.SOD"))
    var store = TrustStore()
    let source = store.add(try #require(sod.signerCertificate).bytes, name: "signer")
    #expect(source.kind == .refused)
    #expect(store.anchors.isEmpty)
  }

  @Test(.needsChips) func `unread files, and unread parts of files, are named`() throws {
    try withTemporaryFolder { folder in
      let list = try TestData.made("trust/nist.crl")
      let pem = try TestData.made("trust/two.pem")
      let base64 = Data(list).base64EncodedString(options: .lineLength64Characters)
      let block = Array("-----BEGIN X509 CRL-----\n\(base64)\n".utf8)
      let end = Array("-----END X509 CRL-----\n".utf8)
      let files: [(String, [UInt8], Int)] = [
        ("whole.pem", pem + block + end, 0), ("text.pem", Array("Bag Attributes\n\t1: é\u{C}\n".utf8) + pem, 0),
        ("der-behind.pem", pem + list, 1), ("der-before.pem", list.dropFirst() + [10] + pem, 1),
        ("no-end.pem", pem + block, 1), ("no-end-before.pem", block + pem, 1),
        ("base64.pem", pem + block + [33] + end, 1),
        ("two.der", list + list + [0, 0, 10], 0), ("cut.der", list + list.dropLast(), 1),
      ]
      for (name, bytes, _) in files { try RegularFile.write(bytes, to: "\(folder)/\(name)") }
      try RegularFile.write(list, to: folder + "/.hidden.crl")
      try RegularFile.write(list + pem, to: folder + "/pem-behind.der")
      for name in ["below", "..data"] { mkdir("\(folder)/\(name)", 0o755) }
      symlink("nowhere", folder + "/link.crl")
      mkfifo(folder + "/pipe", 0o644)
      let latin = (folder + "/").utf8CString.dropLast() + [CChar(truncatingIfNeeded: 0xE9)] + ".crl".utf8CString
      let file = latin.withUnsafeBufferPointer { open($0.baseAddress!, O_WRONLY | O_CREAT, 0o644) }
      #expect(file >= 0 && list.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == list.count)
      close(file)

      let store = try TrustStore(folder: folder)
      let found = Dictionary(uniqueKeysWithValues: store.sources.map { ($0.name, $0) })
      for (name, _, lost) in files {
        #expect(found[name]?.kind == .certificates && found[name]?.unreadableCount == lost, "\(name)")
        #expect(found[name]?.text.contains("cannot be read") == (lost > 0), "\(name)")
      }
      for (name, reason) in [
        (".hidden.crl", "hidden"), ("pem-behind.der", "no signed data"), ("below", "folder"), ("link.crl", "link"),
        ("pipe", "no regular file"),
        ("\u{FFFD}.crl", "UTF-8"),
      ] {
        #expect(found[name]?.kind == .refused && found[name]?.text.contains(reason) == true, "\(name)")
      }
      // Kubernetes stores the targets of its links there.
      #expect(found.count == files.count + 6)
    }
  }

  @Test(.needsChips) func `a revocation list that confirms no certificate is reported`() throws {
    var store = TrustStore()
    #expect(store.add(try TestData.made("trust-list-by-sha1/1.der"), name: "list").text.contains("SHA-1"))
    #expect(!store.add(try TestData.made("trust-list-by-sha256/1.der"), name: "list").text.contains("vouches"))
  }

  @Test(.needsChips) func `a folder is read with all its files`() throws {
    let store = try TrustStore(folder: TestData.chips + "trust")
    #expect(store.anchors.count >= 4)
    #expect(store.revocationLists.count == 1)
    #expect(Set(store.anchors.map(\.source)).contains("two.pem"))
    #expect(code { _ = try TrustStore(folder: "/no/such/folder") } == .unreadable)
  }
}
