import TestSupport
import Testing

@testable import EmulatedChip
@testable import IdentityDocuments

/// Key agreement: equal to the emulated chip's arithmetic, and closed to elements that are not in the group.
@Suite struct DomainParametersTests {
  static let numbers = [0, 1, 2] + Array(8...18)

  private static func secret(_ bytes: [UInt8]) -> SecretBytes {
    var bytes = bytes
    return SecretBytes(moving: &bytes)
  }

  @Test(arguments: numbers) func `products equal those of another implementation`(_ number: Int) throws {
    let (parameters, other) = (try #require(DomainParameters(standard: number)), EmulatedGroup(number))
    #expect(parameters.isCurve == (number >= 8))
    var random = SplitMix(state: UInt64(number))
    for count in [1, 8, 19] {
      let scalar = [3] + (1..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let product = try parameters.publicKey(of: Self.secret(scalar))
      #expect(product == other.times(scalar, other.base))
      #expect(parameters.multiply(Self.secret([5]), product) == other.times([5], product))
      #expect(try parameters.sharedSecret(Self.secret([5]), with: product).copy() == other.shared([5], product))
    }
  }

  @Test(arguments: numbers) func `a random secret agrees with a random secret`(_ number: Int) throws {
    let parameters = try #require(DomainParameters(standard: number))
    let secrets = try (0..<2).map { _ in try parameters.randomSecret() }
    #expect(secrets[0].copy() != secrets[1].copy())
    let keys = try secrets.map(parameters.publicKey)
    #expect(
      try parameters.sharedSecret(secrets[0], with: keys[1]).copy()
        == parameters.sharedSecret(secrets[1], with: keys[0]).copy())
  }

  @Test func `reserved numbers have no parameters`() {
    for number in [-1, 3, 7, 19, 31, 32, 256, Int.max] { #expect(DomainParameters(standard: number) == nil) }
  }

  @Test(arguments: [0, 1, 2]) func `numbers outside of the group are refused`(_ number: Int) throws {
    let parameters = try #require(DomainParameters(standard: number))
    let values = try #require(StandardParameters.groups[number]).map(hexBytes)
    let prime = Modulus(values[0])
    let outside: [[UInt8]] = [[], [0], [1], [2], prime.minus(1), prime.bytes, prime.bytes + [0], prime.minus(2)]
    for element in outside {
      #expect(parameters.multiply(Self.secret([7]), element) == nil, "\(hexadecimal(element))")
      #expect(code { _ = try parameters.mapped(nonce: Self.secret([9]), Self.secret([7]), with: element) } == .damaged)
    }
    // Leading zeros are allowed.
    #expect(parameters.multiply(Self.secret([7]), [0, 0] + values[2]) == parameters.multiply(Self.secret([7]), nil))
  }

  @Test(arguments: 8...18) func `points that are not on the curve are refused`(_ number: Int) throws {
    let parameters = try #require(DomainParameters(standard: number))
    let curve = Curve(number)
    let point = curve.encoded(curve.generator)
    let (x, y) = (Array(point[1...curve.p.bytes.count]), Array(point[(curve.p.bytes.count + 1)...]))
    var off = point
    off[point.count - 1] ^= 1
    let zero = [UInt8](repeating: 0, count: x.count)
    let outside: [[UInt8]] = [
      [], [0], [4], off, [2] + x, [3] + x, [6] + x + y, [7] + x + y, Array(point.dropLast()), point + [0],
      [4] + zero + zero, [4] + y + x, [4] + curve.p.bytes + y, [0] + x + y,
      [UInt8](repeating: 0xFF, count: point.count),
    ]
    for element in outside {
      #expect(parameters.multiply(Self.secret([7]), element) == nil, "\(hexadecimal(element))")
      #expect(code { _ = try parameters.mapped(nonce: Self.secret([9]), Self.secret([7]), with: element) } == .damaged)
    }
  }

  @Test func `a mapped generator that is neutral is refused`() throws {
    for number in [0, 13] {
      let (parameters, group) = (try #require(DomainParameters(standard: number)), EmulatedGroup(number))
      let order = hexBytes(
        number == 0 ? StandardParameters.groups[0]?[1] ?? "" : StandardParameters.curves[13]?[5] ?? "")
      let minusOne = Modulus(order).minus(1)
      // 1 * G + 1 * (-G)
      let inverse = try #require(group.times(minusOne, group.base))
      #expect(code { _ = try parameters.mapped(nonce: Self.secret([1]), Self.secret([1]), with: inverse) } == .damaged)
      #expect(parameters.multiply(Self.secret(order), nil) == nil)
      #expect(parameters.multiply(Self.secret([0]), nil) == nil)
    }
  }

  @Test func `integrated mapping of numbers without an image is refused`() throws {
    let unmapped: [(Int, [[UInt8]])] = [(13, [[UInt8](repeating: 0, count: 48), [1]]), (0, [[0], [1]]), (10, [[5]])]
    for (number, values) in unmapped {
      let parameters = try #require(DomainParameters(standard: number))
      for value in values { #expect(code { _ = try parameters.mapped(random: Self.secret(value)) } == .damaged) }
    }
  }

  @Test func `keys with unknown or oversized parameters are refused in time`() throws {
    let curve = Curve(12)
    let point = curve.encoded(curve.generator)
    // A curve without a name: that of P-256 with another coefficient; secp256k1 has one, secp160r1 is too small.
    let values = try #require(StandardParameters.curves[12]).map(hexBytes)
    let field = DER.sequence(DER.oid("1.2.840.10045.1.1"), DER.unsigned(values[0]))
    let coefficients = DER.sequence(DER.octets(values[1]), DER.octets(Array(values[2].dropLast()) + [0]))
    let strange = DER.sequence(
      DER.integer(1), field, coefficients, DER.octets(point), DER.unsigned(values[5]), DER.integer(1))
    let huge = [UInt8](repeating: 0xFF, count: 20_000)
    let keys: [[UInt8]] = [
      DER.sequence(DER.sequence(DER.oid("1.2.840.10045.2.1"), strange), DER.bits(point)),
      EmulatedState.publicKey(point, curve: "1.3.132.0.8"), [], [0x30, 0], EmulatedRSA.key(1024).publicKey,
      DER.sequence(DER.sequence(DER.oid("0.4.0.127.0.7.1.2"), DER.integer(99)), DER.bits(point)),
      DER.sequence(
        DER.sequence(
          DER.oid("1.2.840.10046.2.1"), DER.sequence(DER.unsigned(huge), DER.integer(2), DER.unsigned(huge))),
        DER.bits(DER.integer(5))),
      DER.sequence(
        DER.sequence(
          DER.oid("1.2.840.10046.2.1"),
          DER.sequence(DER.unsigned(Array(huge.prefix(256))), DER.integer(2), DER.unsigned(huge))),
        DER.bits(DER.integer(5))),
    ]
    for key in keys {
      let (found, time) = timed { _ = try DomainParameters.reading(key: key) }
      #expect(found == .damaged, "\(hexadecimal(key.prefix(40)))")
      #expect(time < 0.5)
    }
  }
}
