internal import COpenSSL

/// Domain parameters of Diffie-Hellman key agreement (ICAO Doc 9303-11, 9.5 and 9.6): a curve or a group modulo a
/// prime, with a generator. Elements are uncompressed points, or numbers. Not thread-safe.
final class DomainParameters {
  private let group: OpaquePointer

  private init?(_ group: OpaquePointer?) {
    guard let group else { return nil }
    self.group = group
  }

  /// - Parameter number: that of 9.5.1.
  convenience init?(standard number: Int) {
    self.init(Int32(exactly: number).flatMap(copenssl_group_standard))
  }

  deinit { copenssl_group_free(group) }

  var isCurve: Bool { copenssl_group_is_curve(group) == 1 }
  /// The size of the prime in bits.
  var bits: Int { copenssl_group_bits(group) }
  private var elementSize: Int { copenssl_group_element_size(group) }

  /// Reads the domain parameters and the key of a SubjectPublicKeyInfo: with standardised parameters (9.5.1), with a
  /// named curve or with explicit parameters.
  ///
  /// - Throws: ``VerifyError/Code/damaged``.
  static func reading(key: [UInt8]) throws -> (DomainParameters, publicKey: [UInt8]) {
    var reader = TLVReader(key)
    var fields = try reader.next(.sequence).children()
    var algorithm = try fields.next(.sequence).children()
    let unusable = VerifyError(.damaged, "the chip's public key cannot be read, or has unknown domain parameters")
    guard try algorithm.next(.objectIdentifier).objectIdentifier() == "0.4.0.127.0.7.1.2" else {
      var (publicKey, size) = ([UInt8](repeating: 0, count: Int(COPENSSL_GROUP_LARGEST)), 0)
      guard let parameters = DomainParameters(copenssl_group_of_key(key, key.count, &publicKey, &size)) else {
        throw unusable
      }
      return (parameters, Array(publicKey.prefix(size)))
    }
    let bits = try fields.next(0x03).value
    guard let parameters = DomainParameters(standard: try algorithm.next(.integer).integer()), bits.first == 0 else {
      throw unusable
    }
    // A number is an INTEGER in the bit string (BSI TR-03110-3, D.3.2).
    var number = TLVReader(Array(bits.dropFirst()))
    return (parameters, parameters.isCurve ? Array(bits.dropFirst()) : Array(try number.next(.integer).value))
  }

  func randomSecret() throws -> SecretBytes {
    var bytes = [UInt8](repeating: 0, count: copenssl_group_secret_size(group))
    guard copenssl_group_secret(group, &bytes) == 1 else { throw ChipCipher.failure }
    return SecretBytes(moving: &bytes)
  }

  /// Returns the public key of a secret.
  func publicKey(of secret: SecretBytes) throws -> [UInt8] {
    guard let element = multiply(secret, nil) else { throw ChipCipher.failure }
    return element
  }

  /// Returns the shared secret (9.6): the x-coordinate of a point, or a number with as many bytes as the prime.
  ///
  /// - Throws: ``VerifyError/Code/damaged`` if the chip's key is not an element.
  func sharedSecret(_ secret: SecretBytes, with publicKey: [UInt8]) throws -> SecretBytes {
    guard var element = multiply(secret, publicKey) else { throw Self.notAnElement }
    defer { wipe(&element) }
    var shared = isCurve ? Array(element[1..<1 + (elementSize - 1) / 2]) : element
    return SecretBytes(moving: &shared)
  }

  /// Returns the multiple or power of an element; nil if it is not in the group, or the result is neutral.
  func multiply(_ secret: SecretBytes, _ element: [UInt8]?) -> [UInt8]? {
    var result = [UInt8](repeating: 0, count: elementSize)
    let done = copenssl_group_multiply(group, secret.bytes, secret.count, element, element?.count ?? 0, &result)
    return done == 1 ? result : nil
  }

  /// Generic mapping (4.4.3.3.1).
  ///
  /// - Throws: ``VerifyError/Code/damaged`` if the chip's key is not an element.
  func mapped(nonce: SecretBytes, _ secret: SecretBytes, with publicKey: [UInt8]) throws -> DomainParameters {
    guard
      let mapped = DomainParameters(
        copenssl_group_map_generic(
          group, nonce.bytes, nonce.count, secret.bytes, secret.count, publicKey, publicKey.count))
    else { throw Self.notAnElement }
    return mapped
  }

  /// Integrated mapping (4.4.3.3.2) of a pseudo-random number.
  func mapped(random: SecretBytes) throws -> DomainParameters {
    guard let mapped = DomainParameters(copenssl_group_map_integrated(group, random.bytes, random.count)) else {
      throw VerifyError(.damaged, "the chip's nonce has no image in the group of its domain parameters; try again")
    }
    return mapped
  }

  /// Encodes an element for commands and authentication tokens (9.4): a point, or a number without leading zeros.
  func encoded(_ element: [UInt8]) -> [UInt8] { isCurve ? element : Array(element.drop { $0 == 0 }) }

  /// Whether two elements are the same, regardless of leading zeros.
  func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool { isEqual(encoded(left), encoded(right)) }

  private static var notAnElement: VerifyError {
    VerifyError(.damaged, "the chip sent a public key that is not in the group of its domain parameters")
  }
}
