internal import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// Opaque secrets of 256 bits; the server stores only their SHA-256.
enum Token {
  enum Kind: String {
    case key = "fvk_"
    /// Begins as all keys do.
    case testKey = "fvk_test_"
    /// The last component of a page's address; can be claimed once.
    case page = "fvp_"
    /// The token of a claimed page.
    case session = "fvs_"
  }

  static func make(_ kind: Kind, from bytes: [UInt8] = randomBytes(32)) -> String {
    kind.rawValue + Base64.url.encode(bytes)
  }

  static func digest(_ token: String) -> String { sha256(token.utf8) }
}

/// The key in the data folder, kept out of the database: it seals webhook secrets and derives page tokens and
/// pseudonyms of persons. All nodes of a cluster share it.
struct ServerSecrets: Sendable {
  private let key: [UInt8]

  /// Reads the key; creates it on first use.
  init(path: String) throws {
    if !RegularFile.exists(path) {
      do {
        let digits = Array((hexadecimal(randomBytes(32)) + "\n").utf8)
        try RegularFile.write(to: path, permissions: 0o600, mayReplace: false) { try $0(ContiguousArray(digits)) }
      } catch  where RegularFile.exists(path) {
        // Another process created it first.
      }
    }
    let text = String(decoding: try RegularFile.read(path: path, maximumBytes: 128), as: UTF8.self).trimmed
    guard let key = decodedHexadecimal(text), key.count == 32 else {
      throw VerifyError(.damaged, "\(path) is not a key of 64 hexadecimal digits: restore it from a backup")
    }
    self.key = key
  }

  func code(_ purpose: String, _ text: String) -> [UInt8] {
    hmacSHA256(key: hmacSHA256(key: key, Array(purpose.utf8)), Array(text.utf8))
  }

  /// Identifies the key in the database that was created with it.
  var fingerprint: String { hexadecimal(code("fingerprint", "")) }

  /// Pseudonym of a person, by which failures per day are counted.
  func person(_ name: String, of tenant: String) -> String { hexadecimal(code("person", "\(tenant)\0\(name)")) }

  /// Returns the page token of a session. It is deterministic, so that a repeated request receives the same one.
  func pageToken(_ session: ServerStore.Session) -> String {
    Token.make(.page, from: code("page", "\(session.id)\0\(hexadecimal(session.nonce))"))
  }

  private var sealingKey: [UInt8] { hmacSHA256(key: key, Array("seal".utf8)) }

  /// - Parameter id: authenticated context; the text can be opened only with the same one.
  func seal(_ text: String, for id: String) throws -> String {
    hexadecimal(try Sealing.seal(Array(text.utf8), key: sealingKey, context: Array(id.utf8)))
  }

  /// - Throws: ``VerifyError/Code/damaged``.
  func open(_ sealed: String, for id: String) throws -> String {
    guard let bytes = decodedHexadecimal(sealed),
      let text = try Sealing.open(bytes, key: sealingKey, context: Array(id.utf8))
    else { throw VerifyError(.damaged, "cannot decrypt the secret of the key \(id): it was changed in the database") }
    return String(decoding: text, as: UTF8.self)
  }
}

/// HMAC with SHA-256 (RFC 2104).
func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
  var block = key.count > 64 ? sha256Bytes(key) : key
  block += [UInt8](repeating: 0, count: 64 - block.count)
  return sha256Bytes(block.map { $0 ^ 0x5C } + sha256Bytes(block.map { $0 ^ 0x36 } + message))
}

/// Formats a time per RFC 3339, in UTC: "2026-11-22T01:29:43Z".
package func timestamp(_ seconds: Double) -> String {
  var time = time_t(seconds.rounded(.down))
  var parts = tm()
  gmtime_r(&time, &parts)
  var text = [CChar](repeating: 0, count: 32)
  let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
  return String(decoding: text.prefix(count).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
}
