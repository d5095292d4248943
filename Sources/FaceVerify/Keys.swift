internal import COpenSSL

/// The purpose of a key.
public enum KeyPurpose: String, Sendable, CaseIterable {
  /// Ed25519 (RFC 8032): signs decision records.
  case signing
  /// X25519 (RFC 7748): evidence bundles are encrypted to it.
  case encryption

  fileprivate var kind: Int32 { Int32(self == .signing ? COPENSSL_ED25519 : COPENSSL_X25519) }
  /// The name in standards and files.
  public var algorithm: String { self == .signing ? "Ed25519" : "X25519" }
}

/// A public key: 32 bytes.
public struct PublicKey: Hashable, Sendable {
  public let purpose: KeyPurpose
  public let bytes: [UInt8]
  private let key: Key

  public static func == (left: Self, right: Self) -> Bool { left.purpose == right.purpose && left.bytes == right.bytes }
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  /// - Throws: ``VerifyError/Code/badArgument`` unless there are 32 bytes.
  public init(_ bytes: [UInt8], for purpose: KeyPurpose) throws {
    guard bytes.count == Key.size, let key = copenssl_key_from_public(purpose.kind, bytes) else {
      throw VerifyError(.badArgument, "a public key has \(Key.size) bytes, not \(bytes.count)")
    }
    self.init(Key(key))
  }

  fileprivate init(_ key: Key) {
    self.key = key
    purpose = key.purpose
    bytes = key.publicBytes
  }

  /// Reads a PEM file with a public key (SubjectPublicKeyInfo, RFC 8410), or with a private key, for its public part.
  public init(path: String) throws { self.init(try Key(path: path)) }
  /// As ``init(path:)``, from the file's contents.
  public init(pem: String) throws { self.init(try Key(pem: Array(pem.utf8), name: "the text")) }

  /// The key as PEM, as `openssl pkey -pubin` reads it.
  public var pem: String { String(decoding: key.pem(secret: false), as: UTF8.self) }

  /// SHA-256 of the SubjectPublicKeyInfo in DER, in lower-case hexadecimal, for comparison by people.
  public var fingerprint: String {
    // RFC 8410, 4: a sequence of the algorithm, 1.3.101.112 or 1.3.101.110, and a bit string of 32 bytes.
    sha256(
      [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, purpose == .signing ? 0x70 : 0x6E, 0x03, 0x21, 0x00] + bytes)
  }

  /// Returns whether a signature of these bytes is valid for this key.
  public func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    signature.count == Int(COPENSSL_ED25519_SIGNATURE)
      && copenssl_ed25519_verify(key.pointer, bytes, bytes.count, signature) == 1
  }
}

/// A private key, wiped when freed.
public struct PrivateKey: Sendable {
  public let publicKey: PublicKey
  fileprivate let key: Key

  private init(_ key: Key) {
    self.key = key
    publicKey = PublicKey(key)
  }

  /// Generates a key.
  public init(for purpose: KeyPurpose) throws {
    guard let key = copenssl_key_generate(purpose.kind) else {
      throw VerifyError(.internalFailure, "OpenSSL offers no \(purpose.algorithm)")
    }
    self.init(Key(key))
  }

  /// Reads an unencrypted PEM file (PKCS #8, RFC 8410).
  public init(path: String) throws {
    let key = try Key(path: path)
    guard key.hasSecret else {
      throw VerifyError(.badArgument, "\(path) holds a public key; name the file with the private one")
    }
    self.init(key)
  }

  /// As ``init(path:)``, from the file's contents.
  public init(pem: String) throws {
    var bytes = Array(pem.utf8)
    defer { bytes.withUnsafeMutableBytes { wipe($0) } }
    let key = try Key(pem: bytes, name: "the text")
    guard key.hasSecret else { throw VerifyError(.badArgument, "the text holds a public key; give the private one") }
    self.init(key)
  }

  /// Writes a PEM file that only its owner may read.
  ///
  /// - Throws: ``VerifyError/Code/unwritable``, also if the file exists: it may have the only copy of a key.
  public func write(to path: String) throws {
    var pem = ContiguousArray(key.pem(secret: true))
    defer { pem.withUnsafeMutableBytes { wipe($0) } }
    guard !pem.isEmpty else { throw VerifyError(.internalFailure, "OpenSSL could not write the key") }
    try RegularFile.write(to: path, permissions: 0o600, mayReplace: false) { try $0(pem) }
  }

  /// Derives the key shared by this key and another: X25519, then HKDF-SHA-256 with `info`.
  package func cipher(with other: [UInt8], info: [UInt8]) throws -> Cipher {
    var secret = [UInt8](repeating: 0, count: SealingKey.size)
    defer { secret.withUnsafeMutableBytes { wipe($0) } }
    guard copenssl_x25519_derive(key.pointer, other, info, info.count, &secret) == 1 else {
      throw VerifyError(.damaged, "the two keys give no common secret")
    }
    return try Cipher(secret)
  }
}

/// A signer of decision records: a key in memory, or a device that does not disclose its key.
public struct SigningKey: Sendable {
  public let publicKey: PublicKey
  private let sign: @Sendable ([UInt8]) throws -> [UInt8]

  /// - Throws: ``VerifyError/Code/badArgument`` unless it is a signing key.
  public init(_ key: PrivateKey) throws {
    try self.init(publicKey: key.publicKey) { bytes in
      var signature = [UInt8](repeating: 0, count: Int(COPENSSL_ED25519_SIGNATURE))
      guard copenssl_ed25519_sign(key.key.pointer, bytes, bytes.count, &signature) == 1 else {
        throw VerifyError(.internalFailure, "OpenSSL could not sign")
      }
      return signature
    }
  }

  /// - Parameters:
  ///   - publicKey: verifies every signature before it is used.
  ///   - sign: returns the 64-byte Ed25519 signature (RFC 8032, "pure", not pre-hashed) of the bytes, for example from
  ///     an HSM; called on the thread that creates the record.
  public init(publicKey: PublicKey, sign: @escaping @Sendable ([UInt8]) throws -> [UInt8]) throws {
    guard publicKey.purpose == .signing else {
      throw VerifyError(.badArgument, "an \(publicKey.purpose.algorithm) key cannot sign; it must be an Ed25519 key")
        .advising(.makeKey)
    }
    (self.publicKey, self.sign) = (publicKey, sign)
  }

  /// - Throws: ``VerifyError/Code/internalFailure`` for an invalid signature.
  package func signature(of bytes: [UInt8]) throws -> [UInt8] {
    let signature = try sign(bytes)
    guard publicKey.verifies(signature, of: bytes) else {
      throw VerifyError(
        .internalFailure,
        "the signature does not fit the public key with fingerprint \(publicKey.fingerprint); nothing was written")
    }
    return signature
  }
}

private final class Key: @unchecked Sendable {
  // Sendable: immutable, and OpenSSL's keys may be shared by threads.
  let pointer: OpaquePointer
  static let size = 32

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  convenience init(path: String) throws {
    var pem = try RegularFile.read(path: path, maximumBytes: 1 << 16)
    defer { pem.withUnsafeMutableBytes { wipe($0) } }
    try self.init(pem: pem, name: path)
  }

  convenience init(pem: [UInt8], name: String) throws {
    guard let key = copenssl_key_read(pem, pem.count) else {
      throw VerifyError(.unknownFormat, "\(name) is not an Ed25519 or X25519 key in PEM without a pass phrase")
        .advising(.makeKey)
    }
    self.init(key)
  }

  deinit { copenssl_key_free(pointer) }

  var purpose: KeyPurpose { copenssl_key_kind(pointer) == Int32(COPENSSL_ED25519) ? .signing : .encryption }
  var hasSecret: Bool { copenssl_key_has_secret(pointer) == 1 }

  var publicBytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.size) { bytes, count in
      copenssl_key_public(pointer, bytes.baseAddress)
      count = Self.size
    }
  }

  func pem(secret: Bool) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 256) { bytes, count in
      count = copenssl_key_write(pointer, secret ? 1 : 0, bytes.baseAddress, 256)
    }
  }
}

extension PublicKey: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "algorithm": .string(purpose.algorithm), "fingerprint": .string(fingerprint),
      "key": .string(Base64.standard.encode(bytes)), "pem": .string(pem),
    ]
  }
}
