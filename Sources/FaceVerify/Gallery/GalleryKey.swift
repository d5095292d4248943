extension Gallery {
  /// The key that encrypts a gallery's templates: AES-256 in Galois/Counter Mode (GCM). Wiped when freed.
  public final class Key: @unchecked Sendable {
    // Sendable: written only in init, and wiped in deinit.
    private let bytes: UnsafeMutableRawBufferPointer

    /// Key size in bytes (256 bits).
    public static let size = 32

    /// - Throws: ``VerifyError/Code/badArgument`` unless there are 32 bytes.
    public init(_ bytes: some Collection<UInt8>) throws {
      guard bytes.count == Self.size else {
        throw VerifyError(.badArgument, "a gallery's key has \(Self.size) bytes, not \(bytes.count)")
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

    func cipher() throws -> Cipher { try Cipher(bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)) }
  }
}
