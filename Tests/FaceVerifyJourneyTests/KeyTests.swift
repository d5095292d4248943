import EngineTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FaceVerify

/// Runs `openssl`, which may have another version than the library.
private func openssl(_ arguments: [String]) throws -> (code: Int32, out: [UInt8]) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
  process.arguments = arguments
  let out = Pipe()
  process.standardOutput = out
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = out.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, Array(data))
}

@Suite("Keys")
struct KeyTests {
  @Test("a key survives a round trip, and only its owner can read the private one", arguments: KeyPurpose.allCases)
  func files(purpose: KeyPurpose) throws {
    try withTemporaryFolder { folder in
      let key = try PrivateKey(for: purpose)
      try key.write(to: folder + "/a.pem")
      try write(Array(key.publicKey.pem.utf8), to: folder + "/a.pub.pem")
      var status = stat()
      #expect(stat(folder + "/a.pem", &status) == 0 && status.st_mode & 0o777 == 0o600)
      #expect(try PrivateKey(path: folder + "/a.pem").publicKey == key.publicKey)
      #expect(try PublicKey(path: folder + "/a.pub.pem") == key.publicKey)
      #expect(try PublicKey(path: folder + "/a.pem") == key.publicKey)
      #expect(throws: VerifyError(.badArgument, "")) { try PrivateKey(path: folder + "/a.pub.pem") }
      // It may be the only copy.
      #expect(throws: VerifyError(.unwritable, "")) { try PrivateKey(for: purpose).write(to: folder + "/a.pem") }
      #expect(try PrivateKey(path: folder + "/a.pem").publicKey == key.publicKey)
      #expect(names(in: folder) == ["a.pem", "a.pub.pem"])
    }
  }

  @Test("openssl reads our keys, we read its keys, and the fingerprints agree", .needsOpenSSL)
  func openSSL() throws {
    try withTemporaryFolder { folder in
      for (purpose, algorithm) in [(KeyPurpose.signing, "ed25519"), (.encryption, "x25519")] {
        let (ours, theirs) = ("\(folder)/our \(algorithm).pem", "\(folder)/their \(algorithm).pem")
        let key = try PrivateKey(for: purpose)
        try key.write(to: ours)
        let der = try openssl(["pkey", "-in", ours, "-pubout", "-outform", "DER"])
        #expect(der.code == 0 && sha256(der.out) == key.publicKey.fingerprint)
        #expect(try openssl(["genpkey", "-algorithm", algorithm, "-out", theirs]).code == 0)
        let pem = try openssl(["pkey", "-in", theirs, "-pubout"])
        #expect(String(decoding: pem.out, as: UTF8.self) == (try PrivateKey(path: theirs).publicKey.pem))
      }
    }
  }

  @Test("openssl verifies our signature, and we verify its signature", .needsOpenSSL)
  func signatures() throws {
    try withTemporaryFolder { folder in
      let (private_, public_, data, signature) = (folder + "/k", folder + "/p", folder + "/d", folder + "/s")
      let key = try PrivateKey(for: .signing)
      try key.write(to: private_)
      let bytes = Array("a record".utf8)
      try write(Array(key.publicKey.pem.utf8), to: public_)
      try write(bytes, to: data)
      try write(try SigningKey(key).signature(of: bytes), to: signature)
      let verified = try openssl(
        ["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", public_, "-in", data, "-sigfile", signature])
      #expect(verified.code == 0)
      let signed = try openssl(["pkeyutl", "-sign", "-rawin", "-inkey", private_, "-in", data])
      #expect(key.publicKey.verifies(signed.out, of: bytes))
      #expect(!key.publicKey.verifies(signed.out, of: bytes + [0]))
      #expect(!key.publicKey.verifies(Array(signed.out.dropLast()), of: bytes))
    }
  }

  /// RFC 8032, 7.1, test 2.
  @Test("the signature of RFC 8032 is verified")
  func published() throws {
    func bytes(_ text: String) -> [UInt8] {
      let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
      return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
    let key = try PublicKey(bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"), for: .signing)
    let signature = bytes(
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
        + "b00d291612bb0c00")
    #expect(key.verifies(signature, of: [0x72]) && !key.verifies(signature, of: [0x73]))
  }

  @Test("invalid keys are rejected, and no pass phrase is requested", .needsOpenSSL)
  func refused() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/key.pem"
      for bytes in [
        [], Array("text".utf8), Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8),
      ] {
        try write(bytes, to: path)
        #expect(throws: VerifyError(.unknownFormat, "")) { try PrivateKey(path: path) }
        #expect(throws: VerifyError(.unknownFormat, "")) { try PublicKey(path: path) }
      }
      for arguments in [
        ["-algorithm", "RSA"], ["-algorithm", "ED448"], ["-algorithm", "ed25519", "-aes256", "-pass", "pass:secret"],
      ] {
        #expect(try openssl(["genpkey", "-out", path] + arguments).code == 0)
        #expect(throws: VerifyError(.unknownFormat, "")) { try PrivateKey(path: path) }
      }
    }
    #expect(throws: VerifyError(.badArgument, "")) { try PublicKey([1, 2, 3], for: .signing) }
  }

  @Test("a key for encryption does not sign")
  func purpose() throws {
    let key = try PrivateKey(for: .encryption)
    #expect(throws: VerifyError(.badArgument, "")) { try SigningKey(key) }
    #expect(throws: VerifyError(.badArgument, "")) { try SigningKey(publicKey: key.publicKey) { _ in [] } }
    #expect(!key.publicKey.verifies([UInt8](repeating: 0, count: 64), of: []))
  }
}

extension Trait where Self == Need {
  fileprivate static var needsOpenSSL: Self { .needsProgram("/usr/bin/openssl") }
}
