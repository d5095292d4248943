import Glibc
import Testing

@testable import IdentityDocuments

@Suite("OpenSSL is shared with the host program")
struct HostLibraryTests {
  private typealias Peek = @convention(c) () -> UInt
  private typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> UnsafeMutableRawPointer?

  private func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
    unsafeBitCast(try #require(dlsym(nil, name)), to: type)
  }

  @Test("the host's error queue survives files that are read and rejected")
  func errorQueue() throws {
    let peek = try function("ERR_peek_error", as: Peek.self)
    let open = try function("BIO_new_file", as: Open.self)
    #expect(open("/nowhere/at/all", "r") == nil)
    let error = peek()
    #expect(error != 0)
    _ = try? SignedData([0x30, 0x03, 0x02, 0x01, 0x01])
    _ = try? Certificate([0x30, 0x00])
    _ = try? CardSecurity([0x30, 0x80])
    #expect(peek() == error)
  }

  @Test("EF.CardSecurity of 200 kB is rejected by its size")
  func cardSecurity() {
    #expect { try CardSecurity([UInt8](repeating: 0x30, count: 200_000)) } throws: {
      ($0 as? VerifyError)?.code == .tooLarge
    }
  }
}
