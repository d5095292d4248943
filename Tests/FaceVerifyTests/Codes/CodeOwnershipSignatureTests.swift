import EngineTestSupport
import Foundation
import TestSupport
import Testing

@testable import FaceVerify

@Suite("Signed codes")
struct CodeOwnershipSignatureTests {
  private func reading(_ text: String) -> CodeReading {
    CodeReading(format: .qr, bytes: Array(text.utf8), text: text, marked: [], identifier: "", isGS1: false)
  }

  private func encoded(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  @Test("a code is the issuer's if its key signed everything before the last separator")
  func signed() throws {
    let key = try PrivateKey(for: .signing)
    let signer = try SigningKey(key)
    let ownership = CodeOwnership.signed(by: key.publicKey, separator: "&s=")
    for content in ["https://id.example/?a=1", "", "a&s=b", "ä&s="] {
      let signature = encoded(try signer.signature(of: Array(content.utf8)))
      #expect(ownership.owns(reading(content + "&s=" + signature)) == true)
      // Another text, another key, a truncated, padded or extended signature.
      #expect(ownership.owns(reading("x" + content + "&s=" + signature)) == false)
      let other = try PrivateKey(for: .signing).publicKey
      #expect(CodeOwnership.signed(by: other, separator: "&s=").owns(reading(content + "&s=" + signature)) == false)
      for wrong in [String(signature.dropLast()), signature + "==", signature + "A", signature + " ", ""] {
        #expect(ownership.owns(reading(content + "&s=" + wrong)) == false, "\(wrong)")
      }
      #expect(ownership.owns(reading(content + "&S=" + signature)) == false)
    }
  }

  @Test("the last letter of a signature has only one spelling")
  func spelling() throws {
    let key = try PrivateKey(for: .signing)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let text = encoded(try SigningKey(key).signature(of: Array("a".utf8)))
    let last = try #require(text.last.flatMap { letters.firstIndex(of: $0) })
    // 86 letters encode 516 bits, four more than a signature has.
    let others = letters.indices.filter { $0 / 16 == last / 16 && $0 != last }.map { letters[$0] }
    let ownership = CodeOwnership.signed(by: key.publicKey, separator: ".")
    #expect(ownership.owns(reading("a." + text)) == true && others.count == 15)
    for letter in others { #expect(ownership.owns(reading("a." + text.dropLast() + String(letter))) == false) }
  }

  @Test("undecidable ownership is nil")
  func unknown() throws {
    let key = try PrivateKey(for: .signing).publicKey
    #expect(CodeOwnership.signed(by: key, separator: "").owns(reading("a")) == nil)
    #expect(CodeOwnership.signed(by: key, separator: "&signature=").owns(reading("a")) == nil)
    let sealing = try PrivateKey(for: .encryption).publicKey
    #expect(CodeOwnership.signed(by: sealing, separator: ".").owns(reading("a.b")) == nil)
  }
}
