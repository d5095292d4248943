internal import COpenSSL

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D) for small values, with a 32-byte key.
package enum Sealing {
  /// - Parameter context: authenticated, not encrypted: a sealed value can be opened only in the same context.
  package static func seal(_ data: [UInt8], key: [UInt8], context: [UInt8]) throws -> [UInt8] {
    let cipher = try SealingKey(key).cipher()
    return try data.withUnsafeBytes { try cipher.seal($0, with: context) }
  }

  /// - Returns: nil unless it was sealed with this key and context.
  package static func open(_ sealed: [UInt8], key: [UInt8], context: [UInt8]) throws -> [UInt8]? {
    guard sealed.count >= Cipher.extra else { return nil }
    let cipher = try SealingKey(key).cipher()
    var data = [UInt8](repeating: 0, count: sealed.count - Cipher.extra)
    let isGenuine = sealed.withUnsafeBytes { sealed in
      data.withUnsafeMutableBytes { cipher.open(sealed, with: context, into: $0) }
    }
    return isGenuine ? data : nil
  }
}

/// A key of AES-256 in Galois/Counter Mode (GCM), which encrypts the templates of a gallery. Wiped when freed.
public final class SealingKey: @unchecked Sendable {
  // Sendable: written only in init, and wiped in deinit.
  private let bytes: UnsafeMutableRawBufferPointer

  /// Key size in bytes (256 bits).
  public static let size = 32

  /// - Throws: ``VerifyError/Code/badArgument`` unless there are 32 bytes.
  public init(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count == Self.size else {
      throw VerifyError(.badArgument, "a key has \(Self.size) bytes, not \(bytes.count)")
    }
    self.bytes = .allocate(byteCount: Self.size, alignment: 1)
    self.bytes.copyBytes(from: bytes)
  }

  /// Reads a key from a file of 32 bytes or 64 hexadecimal digits.
  public convenience init(path: String) throws {
    var content = try RegularFile.read(path: path, maximumBytes: 128)
    defer { content.withUnsafeMutableBytes { wipe($0) } }
    if content.count == Self.size {
      try self.init(content)
      return
    }
    let line = content.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    guard var key = decodedHexadecimal(line), key.count == Self.size, content.count <= line.count + 2 else {
      throw VerifyError(
        .badArgument,
        "\(path) is not a key: that is \(Self.size) bytes, or \(2 * Self.size) hexadecimal digits, "
          + "as written by `openssl rand -hex \(Self.size)`")
    }
    defer { key.withUnsafeMutableBytes { wipe($0) } }
    try self.init(key)
  }

  deinit {
    wipe(bytes)
    bytes.deallocate()
  }

  package func cipher() throws -> Cipher { try Cipher(bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)) }
}

/// AES-256-GCM with one key. Not thread-safe.
package final class Cipher {
  /// Bytes that sealing adds: nonce and tag.
  package static let extra = Int(COPENSSL_GCM_EXTRA)
  /// Bytes that sealing adds to a numbered chunk: the tag.
  package static let chunkExtra = Int(COPENSSL_GCM_TAG)
  private let gcm: OpaquePointer

  /// - Parameter key: 32 bytes.
  package init(_ key: UnsafePointer<UInt8>) throws {
    guard let gcm = copenssl_gcm_new(key) else { throw VerifyError(.internalFailure, "OpenSSL offers no AES-256-GCM") }
    self.gcm = gcm
  }

  deinit { copenssl_gcm_free(gcm) }

  /// Encrypts data with a random nonce.
  package func seal(_ data: UnsafeRawBufferPointer, with additional: [UInt8]) throws -> [UInt8] {
    let data = data.bindMemory(to: UInt8.self)
    var sealed = [UInt8](repeating: 0, count: data.count + Self.extra)
    let done = copenssl_gcm_seal(gcm, additional, additional.count, data.baseAddress, data.count, &sealed)
    guard done == 1 else { throw VerifyError(.internalFailure, "OpenSSL could not encrypt") }
    return sealed
  }

  /// - Parameter data: as large as the sealed plaintext.
  /// - Returns: whether the data are authentic for this key and these additional bytes.
  package func open(
    _ sealed: UnsafeRawBufferPointer, with additional: [UInt8], into data: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let (sealed, data) = (sealed.bindMemory(to: UInt8.self), data.bindMemory(to: UInt8.self))
    return sealed.count == data.count + Self.extra
      && copenssl_gcm_open(gcm, additional, additional.count, sealed.baseAddress, sealed.count, data.baseAddress) == 1
  }

  /// Encrypts a chunk of a stream; a key encrypts a single stream.
  package func seal(_ chunk: ArraySlice<UInt8>, number: Int, isLast: Bool) throws -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: chunk.count + Self.chunkExtra)
    let done = chunk.withUnsafeBufferPointer {
      copenssl_gcm_seal_with(gcm, Self.nonce(number), [isLast ? 1 : 0], 1, $0.baseAddress, $0.count, &sealed)
    }
    guard done == 1 else { throw VerifyError(.internalFailure, "OpenSSL could not encrypt") }
    return sealed
  }

  /// - Returns: nil unless the chunk is authentic for this number and position.
  package func open(_ sealed: [UInt8], number: Int, isLast: Bool) -> [UInt8]? {
    guard sealed.count >= Self.chunkExtra else { return nil }
    var chunk = [UInt8](repeating: 0, count: sealed.count - Self.chunkExtra)
    let done = copenssl_gcm_open_with(gcm, Self.nonce(number), [isLast ? 1 : 0], 1, sealed, sealed.count, &chunk)
    return done == 1 ? chunk : nil
  }

  private static func nonce(_ number: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: Int(COPENSSL_GCM_NONCE) - 8)
      + withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
  }
}
