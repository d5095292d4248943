internal import Glibc

/// The evidence behind a record, encrypted to one recipient: a tar archive (POSIX ustar) of `record.json` and the
/// inputs.
///
/// File format: "FVB1", a byte 1, an ephemeral X25519 public key, the recipient's; then chunks of 64 KiB, each
/// encrypted with AES-256-GCM and followed by its tag. The key is HKDF-SHA-256 (no salt) of the X25519 shared secret,
/// with "faceverify bundle 1" and both public keys as info. A chunk's nonce is its number, its additional data a byte
/// that is 1 for the last chunk: truncation, reordering and insertion are detected (STREAM, Hoang, Reyhanitabar,
/// Rogaway & Vizár, CRYPTO 2015).
public enum EvidenceBundle {
  public static let recordName = "record.json"

  /// - Parameter suffix: "rgb.png" for a frame's pixels, "bin" for an unmodified file.
  public static func inputName(_ index: Int, suffix: String) -> String {
    let digits = String(index)
    return "inputs/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + "." + suffix
  }

  /// The file name of an input.
  public static func inputName(_ input: JourneyInput) -> String {
    inputName(input.index, suffix: input.isPixels ? "rgb.png" : "bin")
  }

  /// Whether a PNG file has chunks or bytes that no pixel comes from.
  static func hasMore(thanPicture bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return false }
    var offset = 8
    while bytes.count - offset >= 12 {
      let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      let name = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      // sRGB is one byte, the rendering intent.
      guard ["IHDR", "IDAT", "IEND"].contains(name) || name == "sRGB" && length == 1,
        length <= bytes.count - offset - 12
      else { return true }
      offset += length + 12
      if name == "IEND" { return offset != bytes.count || length != 0 }
    }
    return true
  }

  fileprivate static let magic = Array("FVB1".utf8)
  fileprivate static let version: UInt8 = 1
  fileprivate static let chunkSize = 1 << 16
  fileprivate static let headerSize = 4 + 1 + 2 * 32

  fileprivate static func info(_ ephemeral: [UInt8], _ recipient: [UInt8]) -> [UInt8] {
    Array("faceverify bundle 1".utf8) + ephemeral + recipient
  }

  /// Decrypts a bundle and calls `body` with each of its files. Each file is authenticated, but the bundle is known to
  /// be complete only when this returns.
  ///
  /// - Throws: ``VerifyError/Code/badArgument`` for another recipient's bundle, ``VerifyError/Code/unknownFormat``,
  ///   ``VerifyError/Code/damaged``, and errors of `body`.
  public static func read(
    path: String, key: PrivateKey, _ body: (_ name: String, _ bytes: [UInt8]) throws -> Void
  ) throws {
    var archive = TarReader()
    try decrypt(path: path, key: key) { try archive.take($0, body) }
    try archive.finish()
  }

  /// Extracts the files of a bundle into a new folder, all or none.
  ///
  /// - Returns: the names of the files.
  @discardableResult
  public static func extract(path: String, key: PrivateKey, to folder: String) throws -> [String] {
    guard mkdir(folder, 0o700) == 0 else {
      let reason = errno == EEXIST ? "there is such a folder already; choose another name" : RegularFile.reason(errno)
      throw VerifyError(.unwritable, "\(folder): \(reason)")
    }
    var names: [String] = []
    do {
      try read(path: path, key: key) { name, bytes in
        if name.contains("/") && mkdir(folder + "/inputs", 0o700) != 0 && errno != EEXIST {
          throw VerifyError(.unwritable, "\(folder)/inputs: \(RegularFile.reason(errno))")
        }
        try RegularFile.write(bytes, to: folder + "/" + name, permissions: 0o600)
        names.append(name)
      }
    } catch {
      for name in names { unlink(folder + "/" + name) }
      rmdir(folder + "/inputs")
      rmdir(folder)
      throw error
    }
    return names
  }

  /// - Parameter body: receives the archive in pieces.
  static func decrypt(path: String, key: PrivateKey, _ body: ([UInt8]) throws -> Void) throws {
    let (file, size) = try RegularFile.open(path: path)
    defer { close(file) }
    func next(_ wanted: Int) throws -> [UInt8] {
      try [UInt8](unsafeUninitializedCapacity: wanted) { bytes, count in
        while count < wanted {
          let got = Glibc.read(file, bytes.baseAddress?.advanced(by: count), wanted - count)
          if got == 0 { return }
          if got > 0 {
            count += got
          } else if errno != EINTR {
            throw VerifyError(.unreadable, "\(path): \(RegularFile.reason(errno))")
          }
        }
      }
    }
    let header = try next(headerSize)
    guard header.starts(with: magic) else { throw VerifyError(.unknownFormat, "\(path) is not an evidence bundle") }
    guard header.count > magic.count, header[magic.count] == version else {
      throw VerifyError(.unknownFormat, "\(path) is a bundle of an unsupported version")
    }
    guard header.count == headerSize else { throw VerifyError(.damaged, "\(path) ends in its header: it was cut") }
    let (ephemeral, recipient) = (Array(header[5..<37]), Array(header[37..<69]))
    guard key.publicKey.purpose == .encryption else {
      throw VerifyError(.badArgument, "the key is for signing; a bundle is opened with its recipient's X25519 key")
    }
    guard key.publicKey.bytes == recipient else {
      let wanted = try PublicKey(recipient, for: .encryption).fingerprint
      throw VerifyError(
        .badArgument,
        "\(path) is encrypted to the key \(wanted), and was changed or is another's: this key is \(key.publicKey.fingerprint)"
      )
    }
    let cipher = try key.cipher(with: ephemeral, info: info(ephemeral, recipient))
    let sealedSize = chunkSize + Cipher.chunkExtra
    let count = max(1, (size - headerSize + sealedSize - 1) / sealedSize)
    for number in 0..<count {
      let sealed = try next(sealedSize)
      let isLast = number == count - 1
      guard let chunk = cipher.open(sealed, number: number, isLast: isLast) else {
        let part = "part \(number + 1) of \(count)"
        let what =
          cipher.open(sealed, number: number, isLast: !isLast) == nil
          ? "\(part) was changed, or stood elsewhere"
          : isLast ? "it was cut behind \(part)" : "\(part) was its last one"
        throw VerifyError(.damaged, "\(path) is not as it was written: \(what)")
      }
      try body(chunk)
    }
  }
}

/// Writes a bundle incrementally, buffering at most one chunk in addition to the current file.
///
/// The bundle has a temporary name until ``finish()``; releasing an unfinished writer removes it.
public final class EvidenceBundleWriter {
  private let path: String
  private let target: String
  private var file: TemporaryFile?
  private let cipher: Cipher
  private var number = 0
  private var pending: [UInt8] = []

  /// - Throws: ``VerifyError/Code/unwritable``, or ``VerifyError/Code/badArgument`` for a signing key.
  public init(path: String, recipient: PublicKey) throws {
    guard recipient.purpose == .encryption else {
      throw VerifyError(.badArgument, "nothing can be encrypted to an Ed25519 key; give the recipient's X25519 key")
        .advising(.makeKey)
    }
    self.path = path
    target = try RegularFile.replaceable(path)
    let ephemeral = try PrivateKey(for: .encryption)
    let publicBytes = ephemeral.publicKey.bytes
    cipher = try ephemeral.cipher(with: recipient.bytes, info: EvidenceBundle.info(publicBytes, recipient.bytes))
    file = try TemporaryFile(for: target)
    try write(EvidenceBundle.magic + [EvidenceBundle.version] + publicBytes + recipient.bytes)
  }

  /// Adds a file; names must be unique.
  public func add(_ bytes: [UInt8], as name: String) throws {
    try append(Tar.header(name: name, size: bytes.count))
    try append(bytes)
    try append([UInt8](repeating: 0, count: Tar.padding(bytes.count)))
  }

  /// Finishes the bundle, and moves it to its final name.
  public func finish() throws {
    try append(Tar.end)
    try seal(pending[...], isLast: true)
    guard let file = file.take() else { throw VerifyError(.wrongState, "the bundle is finished already") }
    try RegularFile.finish(file, as: target, named: path, permissions: 0o600)
  }

  private func append(_ bytes: [UInt8]) throws {
    pending += bytes
    // The last chunk is sealed differently, so the newest chunk must wait.
    var start = 0
    while pending.count - start > EvidenceBundle.chunkSize {
      try seal(pending[start..<start + EvidenceBundle.chunkSize], isLast: false)
      start += EvidenceBundle.chunkSize
    }
    pending.removeFirst(start)
  }

  private func seal(_ chunk: ArraySlice<UInt8>, isLast: Bool) throws {
    try write(cipher.seal(chunk, number: number, isLast: isLast))
    number += 1
  }

  private func write(_ bytes: [UInt8]) throws {
    guard let descriptor = file?.descriptor else { throw VerifyError(.wrongState, "the bundle is finished already") }
    try bytes.withUnsafeBytes { try RegularFile.write($0, to: descriptor, named: path) }
  }
}
