import EmulatedChip
import Foundation
import TestSupport
import Testing

@testable import IdentityDocuments

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
    #expect(source.kind == .certificates && source.certificateCount == 0)
    #expect(source.text.contains("1 certificates of document signers"))
    #expect(store.anchors.isEmpty)
  }

  static func pem(_ bytes: [UInt8], _ label: String = "CERTIFICATE") -> [UInt8] {
    let base64 = Data(bytes).base64EncodedString(options: .lineLength64Characters)
    return Array("-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n".utf8)
  }

  /// Signed data with certificates and revocation lists alone (RFC 8551, 3.8).
  static func bundle(_ certificates: [UInt8], lists: [UInt8] = [], isIndefinite: Bool = false) -> [UInt8] {
    func constructed(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
      isIndefinite ? [tag, 0x80] + value + [0, 0] : tlv(UInt32(tag), value)
    }
    let type: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7]
    let content = tlv(0x30, type + [1])
    let parts = constructed(0xA0, certificates) + (lists.isEmpty ? [] : constructed(0xA1, lists))
    let data = constructed(0x30, [2, 1, 1] + tlv(0x31, []) + content + parts + tlv(0x31, []))
    return constructed(0x30, type + [2] + constructed(0xA0, data))
  }

  private static func ldif(_ values: [(String, [UInt8])], newline: String = "\n") -> [UInt8] {
    var lines = ["version: 1", "", "dn: cn=1,o=csca,c=UT,dc=data,dc=download,dc=pkd,dc=icao,dc=int", "cn:: w6k="]
    for (name, value) in values {
      var text = "\(name):: \(Data(value).base64EncodedString())"[...]
      lines.append(String(text.prefix(78)))
      text = text.dropFirst(78)
      while !text.isEmpty {
        lines.append(" " + text.prefix(77))
        text = text.dropFirst(77)
      }
    }
    return Array(lines.joined(separator: newline).utf8)
  }

  @Test(.needsChips) func `a file that is not one of certificates contributes no anchor`() throws {
    let csca = try TestData.made("trust/csca-0.cer")
    let (crl, list) = (try TestData.made("trust/nist.crl"), try TestData.made("lists/right.ml"))
    let base64 = Array(Data(csca).base64EncodedString().utf8)
    let (mark, prose) = ([0xEF, 0xBB, 0xBF] as [UInt8], Array("# Trust\n\nAdd this certificate:\n\n".utf8))
    var files: [String: [UInt8]] = [
      "label-crl.pem": Self.pem(csca, "X509 CRL"), "label-p7.pem": Self.pem(csca, "PKCS7"),
      "label-cms.pem": Self.pem(csca, "CMS"), "label-request.pem": Self.pem(csca, "CERTIFICATE REQUEST"),
      "label-key.pem": Self.pem(csca, "PRIVATE KEY"), "label-none.pem": Self.pem(csca, ""),
      "label-lower.pem": Self.pem(csca, "certificate"), "label-of-bundle.pem": Self.pem(Self.bundle(csca)),
      "key.pem": Self.pem(csca) + Self.pem([0x30, 0], "EC PRIVATE KEY"),
      "encrypted.pem": Self.pem(csca) + Array("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n".utf8),
      "ends.pem": Self.pem(csca).dropLast(26) + Array("-----END X509 CRL-----\n".utf8),
      "rejected.pem": Self.pem(csca + tlv(0x30, tlv(0xA0, [0x06, 1, 0x2A])), "TRUSTED CERTIFICATE"),
      "list.crl": crl + csca, "both.crl": Self.pem(crl, "X509 CRL") + Self.pem(csca), "p7.crl": Self.bundle(csca),
      "p7.ml": Self.bundle(csca), "p7-pem.ml": Self.pem(Self.bundle(csca), "PKCS7"), "mark.crl": mark + Self.pem(csca),
      "base64.crl": base64, "base64.txt": base64, "README": prose + Self.pem(csca), "list.ml": list + csca,
      "in.ldif": Self.ldif([("cACertificate;binary", csca), ("userCertificate;binary", csca)]),
      "ldif.cer": Self.ldif([("userCertificate;binary", csca)]), "p7.ldif": Self.ldif([("x", Self.bundle(csca))]),
      "page.cer": Array("<!DOCTYPE html>".utf8) + Self.pem(csca),
    ]
    for ending in ["crl", "CRL", "ml", "dl", "md", "txt", "key", "bak", "cer~", "cer.old", "json", "crl.1", ""] {
      files["der." + ending] = csca
      files["pem." + ending] = Self.pem(csca)
    }
    files["der"] = csca
    for (name, bytes) in files {
      try withTemporaryFolder { folder in
        try RegularFile.write(bytes, to: "\(folder)/\(name)")
        let store = try TrustStore(folder: folder)
        #expect(store.anchors.isEmpty, "\(name): \(store.sources.map(\.text))")
        // What is not used is reported.
        #expect(store.sources.contains { $0.kind == .refused || $0.unreadableCount > 0 }, "\(name)")
      }
      guard name.contains(".") else { continue }
      var store = TrustStore()
      store.add(bytes, name: name)
      #expect(store.anchors.isEmpty, "\(name)")
    }
    // The rest of a file counts.
    var store = TrustStore()
    store.add(try #require(files["both.crl"]), name: "both.crl")
    #expect(store.revocationLists.count == 1 && store.sources[0].unreadableCount == 1)
  }

  @Test(.needsChips) func `trust files are read as they are published`() throws {
    let (csca, crl) = (try TestData.made("trust/csca-0.cer"), try TestData.made("trust/nist.crl"))
    let base64 = Data(csca).base64EncodedString()
    let lines = Data(csca).base64EncodedString(options: .lineLength76Characters)
    let (mark, pem) = ([0xEF, 0xBB, 0xBF] as [UInt8], Self.pem(csca))
    let files: [String: [UInt8]] = [
      "mark.pem": mark + pem, "base64.cer": Array(base64.utf8), "lines.crt": Array(lines.utf8) + [13, 10],
      "mark.b64": mark + Array(lines.utf8),
      "trusted.pem": Self.pem(csca, "TRUSTED CERTIFICATE"), "x509.pem": Self.pem(csca, "X509 CERTIFICATE"),
      "aux.pem": Self.pem(csca + tlv(0x30, tlv(0x30, [0x06, 1, 0x2A])), "TRUSTED CERTIFICATE"),
      "der.p7b": Self.bundle(csca), "both.p7c": Self.bundle(csca, lists: crl),
      "pem.p7b": Self.pem(Self.bundle(csca), "PKCS7"),
      "cms.pem": Self.pem(Self.bundle(csca), "CMS"), "ber.p7b": Self.bundle(csca, isIndefinite: true), "CSCA.CER": csca,
    ]
    for (name, bytes) in files {
      try withTemporaryFolder { folder in
        try RegularFile.write(bytes, to: "\(folder)/\(name)")
        let store = try TrustStore(folder: folder)
        #expect(store.anchors.map(\.certificate.bytes) == [csca], "\(name): \(store.sources.map(\.text))")
        #expect(store.sources[0].unreadableCount == 0, "\(name)")
      }
    }
  }

  /// The ICAO PKD publishes signers and revocation lists in one file, and master lists in another one.
  @Test(.needsChips, arguments: ["\n", "\r\n"]) func `the LDIF of the ICAO PKD is read`(_ newline: String) throws {
    let list = try TestData.made("lists/right.ml")
    let signer = try #require(try DocumentSecurityObject(TestData.made("deviating/EF.SOD")).signerCertificate).bytes
    let ldif = Self.ldif(
      [
        ("pkdMasterListContent", list), ("CscaMasterListData", try TestData.made("masterlist/broken.ml")),
        ("userCertificate;binary", signer), ("certificateRevocationList;binary", try TestData.made("trust/nist.crl")),
      ], newline: newline)
    try withTemporaryFolder { folder in
      try RegularFile.write(ldif, to: folder + "/icaopkd.ldif")
      // Its lists are trusted under the same condition as in a file of their own.
      let alone = try TrustStore(folder: folder)
      #expect(alone.anchors.isEmpty && alone.revocationLists.count == 1 && alone.documentSigners.count == 2)
      #expect(alone.sources.map(\.name) == ["icaopkd.ldif", "icaopkd.ldif#1", "icaopkd.ldif#2"])
      #expect(alone.sources.map(\.kind) == [.certificates, .notPinned, .refused])
      let pinned = try TrustStore(folder: folder, pins: [#require(alone.sources[1].pin)])
      #expect(pinned.sources.map(\.kind) == [.certificates, .masterList, .refused] && !pinned.anchors.isEmpty)
      // A URL is not fetched; text in base64 is no certificate.
      let more = Array("version: 1\ndn: c=UT\nuserCertificate;binary:< file:///csca.cer\ncn:: w6k=\nsn:: !\n".utf8)
      var store = TrustStore()
      #expect(store.add(more, name: "more.ldif").kind == .refused && store.sources[0].text.contains("2 parts"))
    }
  }

  @Test(
    arguments: [
      ("list.zip", [0x50, 0x4B, 3, 4, 20], "unzip 'list.zip'"), ("list.ml.gz", [0x1F, 0x8B, 8], "gunzip"),
      ("wide.pem", [0xFF, 0xFE, 0x2D, 0], "iconv -f UTF-16"), ("wide.cer", [0xFE, 0xFF, 0, 0x2D], "iconv -f UTF-16"),
      ("own.p12", [0x30, 0x82, 3, 1, 2, 1, 3, 0x30, 0x82], "openssl pkcs12"),
      ("page.cer", Array("\n<html>".utf8), "web page"),
    ] as [(String, [UInt8], String)])
  func `another format is named with the command that converts it`(
    _ name: String, _ bytes: [UInt8], _ command: String
  ) {
    var store = TrustStore()
    let source = store.add(bytes, name: name)
    #expect(source.kind == .refused && source.text.contains(command), "\(source.text)")
  }

  @Test(.needsChips) func `pins may begin with a byte order mark`() throws {
    try withTemporaryFolder { folder in
      let pins = try TestData.made("masterlist/pins.txt")
      try RegularFile.write([0xEF, 0xBB, 0xBF] + pins, to: folder + "/pins.txt")
      try RegularFile.write(try TestData.made("masterlist/test.ml"), to: folder + "/test.ml")
      #expect(try TrustStore(folder: folder).sources.map(\.kind) == [.masterList])
    }
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
        (".hidden.crl", "hidden"), ("pem-behind.der", "cannot be read"), ("below", "folder"), ("link.crl", "link"),
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
    #expect(!store.add(try TestData.made("trust-list-by-sha256/1.der"), name: "list").text.contains("does not show"))
  }

  @Test(.needsChips) func `a folder is read with all its files`() throws {
    let store = try TrustStore(folder: TestData.chips + "trust")
    #expect(store.anchors.count >= 4)
    #expect(store.revocationLists.count == 1)
    #expect(Set(store.anchors.map(\.source)).contains("two.pem"))
    #expect(code { _ = try TrustStore(folder: "/no/such/folder") } == .unreadable)
  }
}
