internal import COpenSSL

/// The symmetric algorithms of chips: encryption, message authentication code, key derivation and padding
/// (ICAO Doc 9303-11, 9.7 and 9.8).
package enum ChipCipher: Int, Sendable, CaseIterable {
  // The last number of the protocols' object identifiers (BSI TR-03110-3, A.1.1).
  case tripleDES = 1
  case aes128, aes192, aes256

  var keySize: Int {
    switch self {
    case .tripleDES, .aes128: 16
    case .aes192: 24
    case .aes256: 32
    }
  }

  var blockSize: Int { self == .tripleDES ? 8 : 16 }

  /// Bytes of a message authentication code: all of DES's, the first half of AES's (9.8.6.2, 9.8.7.2).
  static let macSize = 8

  /// What a derived key is for (9.7.1).
  enum Purpose: UInt8 {
    case encryption = 1
    case authentication
    case password
  }

  /// Derives a key from a shared secret (9.7.1): SHA-1 for keys of up to 128 bits, SHA-256 for longer ones. The parity
  /// bits of DES keys, which nothing reads, are not adjusted (9.7.1.1).
  func key(from secret: SecretBytes, for purpose: Purpose) throws -> SecretBytes {
    let input = secret.appending([0, 0, 0, purpose.rawValue])
    var digest = [UInt8](repeating: 0, count: 64)
    defer { wipe(&digest) }
    guard copenssl_digest(keySize > 16 ? "SHA256" : "SHA1", input.bytes, input.count, &digest) >= keySize else {
      throw Self.failure
    }
    var key = Array(digest.prefix(keySize))
    return SecretBytes(moving: &key)
  }

  /// Encrypts whole blocks in CBC mode.
  ///
  /// - Parameter vector: nil for zeros.
  package func encrypt(_ data: [UInt8], key: SecretBytes, vector: [UInt8]? = nil) throws -> [UInt8] {
    try cbc(data, key: key, vector: vector, encrypts: true)
  }

  /// Decrypts whole blocks in CBC mode.
  package func decrypt(_ data: [UInt8], key: SecretBytes, vector: [UInt8]? = nil) throws -> [UInt8] {
    try cbc(data, key: key, vector: vector, encrypts: false)
  }

  private func cbc(_ data: [UInt8], key: SecretBytes, vector: [UInt8]?, encrypts: Bool) throws -> [UInt8] {
    let vector = vector ?? [UInt8](repeating: 0, count: blockSize)
    guard data.count % blockSize == 0, vector.count == blockSize else {
      throw VerifyError(.damaged, "\(data.count) encrypted bytes are not whole blocks of \(blockSize)")
    }
    var result = [UInt8](repeating: 0, count: data.count)
    let cipher = self == .tripleDES ? COPENSSL_DES3 : COPENSSL_AES
    let done = copenssl_cbc(
      Int32(cipher), encrypts ? 1 : 0, key.bytes, key.count, vector, data, data.count, &result)
    guard done == 1 else { throw Self.failure }
    return result
  }

  /// Computes a message authentication code of padded data: the retail MAC with DES (ISO/IEC 9797-1, MAC algorithm 3),
  /// or CMAC with AES.
  func mac(_ data: [UInt8], key: SecretBytes) throws -> [UInt8] {
    guard self == .tripleDES else {
      var mac = [UInt8](repeating: 0, count: 16)
      guard copenssl_aes_cmac(key.bytes, key.count, data, data.count, &mac) == 1 else { throw Self.failure }
      return Array(mac.prefix(Self.macSize))
    }
    // All blocks but the last by single DES, which is triple DES with equal keys, with the first half of the key; the
    // last by triple DES.
    guard data.count >= blockSize else { throw Self.failure }
    let chained = try encrypt(Array(data.dropLast(blockSize)), key: key.prefix(8, times: 2))
    return try encrypt(
      Array(data.suffix(blockSize)), key: key, vector: chained.isEmpty ? nil : Array(chained.suffix(blockSize)))
  }

  /// Computes the code of data without padding, as in authentication tokens: for DES padded by method 2 (4.4.3.4).
  func token(_ data: [UInt8], key: SecretBytes) throws -> [UInt8] {
    try mac(self == .tripleDES ? padded(data) : data, key: key)
  }

  /// Pads data by method 2 of ISO/IEC 9797-1: 80, then zeros to whole blocks.
  func padded(_ data: [UInt8]) -> [UInt8] {
    data + [0x80] + [UInt8](repeating: 0, count: blockSize - 1 - data.count % blockSize)
  }

  /// Removes the padding of method 2.
  ///
  /// - Throws: ``VerifyError/Code/damaged``.
  func unpadded(_ data: [UInt8]) throws -> [UInt8] {
    guard let end = data.lastIndex(where: { $0 != 0 }), data[end] == 0x80, data.count - end <= blockSize else {
      throw VerifyError(.damaged, "decrypted data of the chip are not padded as ISO/IEC 9797-1 prescribes")
    }
    return Array(data[..<end])
  }

  static var failure: VerifyError {
    VerifyError(.internalFailure, "OpenSSL cannot compute a chip's algorithms; is DES or SHA-1 disabled?")
  }
}

/// Compares codes in constant time.
func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.count == right.count && copenssl_equal(left, right, left.count) == 1
}

/// Overwrites bytes with zeros.
func wipe(_ bytes: inout [UInt8]) { bytes.withUnsafeMutableBytes { wipe($0) } }

/// A key or another secret, overwritten with zeros when freed.
package final class SecretBytes: @unchecked Sendable {
  // Sendable: the memory changes only in functions that make a new object.
  private let memory: UnsafeMutableBufferPointer<UInt8>

  private init(count: Int) {
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0)
  }

  /// Copies bytes and overwrites the original.
  package convenience init(moving bytes: inout [UInt8]) {
    self.init(count: bytes.count)
    for (index, byte) in bytes.enumerated() { memory[index] = byte }
    wipe(&bytes)
  }

  /// Returns the first bytes, or all if there are fewer, several times in a row.
  func prefix(_ length: Int, times: Int = 1) -> SecretBytes {
    let length = min(length, count)
    let result = SecretBytes(count: length * times)
    for index in 0..<length * times { result.memory[index] = memory[index % length] }
    return result
  }

  func appending(_ bytes: [UInt8]) -> SecretBytes {
    let result = SecretBytes(count: count + bytes.count)
    for index in 0..<count { result.memory[index] = memory[index] }
    for (index, byte) in bytes.enumerated() { result.memory[count + index] = byte }
    return result
  }

  deinit {
    wipe(UnsafeMutableRawBufferPointer(memory))
    memory.deallocate()
  }

  var count: Int { memory.count }
  /// Valid as long as this object.
  var bytes: UnsafePointer<UInt8>? { UnsafePointer(memory.baseAddress) }
  /// A copy, which the caller wipes.
  func copy() -> [UInt8] { Array(memory) }
}

/// The source of challenges, nonces and ephemeral secrets; the worked examples of ICAO Doc 9303-11 set their own.
struct ChipRandomness {
  var bytes: (_ count: Int) throws -> [UInt8] = { count in
    var bytes = [UInt8](repeating: 0, count: count)
    guard copenssl_random(&bytes, count) == 1 else { throw ChipCipher.failure }
    return bytes
  }
  var secret: (_ parameters: DomainParameters) throws -> SecretBytes = { try $0.randomSecret() }
}
