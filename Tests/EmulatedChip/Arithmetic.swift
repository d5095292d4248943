import FaceVerifyBase

/// Arithmetic modulo an odd number by Montgomery's method, and curves over it: the emulated chip's own, so that it
/// shares no code with the product. Not in constant time.
struct Modulus {
  /// 64-bit limbs, the lowest first.
  typealias Number = [UInt64]

  let bytes: [UInt8]
  let limbs: Number
  private let inverse: UInt64
  /// 1 and 256 in Montgomery's form.
  private let one: Number
  private let byte: Number

  init(_ bytes: [UInt8]) {
    self.bytes = Array(bytes.drop { $0 == 0 })
    limbs = Self.limbs(self.bytes, count: (self.bytes.count + 7) / 8)
    var inverse: UInt64 = 1
    for _ in 0..<6 { inverse = inverse &* (2 &- limbs[0] &* inverse) }
    self.inverse = 0 &- inverse
    // 2 ^ (64 * limbs) by doubling.
    var power = Number(repeating: 0, count: limbs.count)
    power[0] = 1
    for _ in 0..<64 * limbs.count { power = Self.sum(power, power, limbs) }
    one = power
    for _ in 0..<8 { power = Self.sum(power, power, limbs) }
    byte = power
  }

  init(_ hex: String) { self.init(hexBytes(hex)) }

  var bitCount: Int { 8 * bytes.count - (bytes.first?.leadingZeroBitCount ?? 0) }

  static func limbs(_ bytes: [UInt8], count: Int) -> Number {
    var limbs = Number(repeating: 0, count: count)
    for (index, byte) in bytes.reversed().enumerated() where byte != 0 {
      limbs[index / 8] |= UInt64(byte) << (8 * (index % 8))
    }
    return limbs
  }

  private static func isLess(_ a: Number, _ b: Number) -> Bool {
    for index in a.indices.reversed() where a[index] != b[index] { return a[index] < b[index] }
    return false
  }

  private static func difference(_ a: Number, _ b: Number) -> Number {
    var (result, borrow) = (a, UInt64(0))
    for index in a.indices {
      let (first, low) = a[index].subtractingReportingOverflow(b[index])
      let (second, high) = first.subtractingReportingOverflow(borrow)
      result[index] = second
      borrow = low || high ? 1 : 0
    }
    return result
  }

  private static func sum(_ a: Number, _ b: Number, _ modulus: Number) -> Number {
    var (result, carry) = (a, UInt64(0))
    for index in a.indices {
      let (first, low) = a[index].addingReportingOverflow(b[index])
      let (second, high) = first.addingReportingOverflow(carry)
      result[index] = second
      carry = low || high ? 1 : 0
    }
    return carry == 1 || !isLess(result, modulus) ? difference(result, modulus) : result
  }

  func add(_ a: Number, _ b: Number) -> Number { Self.sum(a, b, limbs) }

  func subtract(_ a: Number, _ b: Number) -> Number {
    Self.isLess(a, b) ? Self.difference(limbs, Self.difference(b, a)) : Self.difference(a, b)
  }

  func multiply(_ a: Number, _ b: Number) -> Number {
    let count = limbs.count
    var t = Number(repeating: 0, count: count + 2)
    for i in 0..<count {
      var carry: UInt64 = 0
      func accumulate(_ x: UInt64, _ y: UInt64, _ z: UInt64) -> UInt64 {
        var (high, low) = x.multipliedFullWidth(by: y)
        var overflow = false
        (low, overflow) = low.addingReportingOverflow(z)
        if overflow { high += 1 }
        (low, overflow) = low.addingReportingOverflow(carry)
        if overflow { high += 1 }
        carry = high
        return low
      }
      for j in 0..<count { t[j] = accumulate(a[j], b[i], t[j]) }
      var overflow = false
      (t[count], overflow) = t[count].addingReportingOverflow(carry)
      t[count + 1] = overflow ? 1 : 0
      let m = t[0] &* inverse
      carry = 0
      _ = accumulate(m, limbs[0], t[0])
      for j in 1..<count { t[j - 1] = accumulate(m, limbs[j], t[j]) }
      (t[count - 1], overflow) = t[count].addingReportingOverflow(carry)
      t[count] = t[count + 1] + (overflow ? 1 : 0)
    }
    let result = Array(t[..<count])
    return t[count] != 0 || !Self.isLess(result, limbs) ? Self.difference(result, limbs) : result
  }

  /// Montgomery's form of a number of any size, reduced.
  func number(_ bytes: [UInt8]) -> Number {
    var result = Number(repeating: 0, count: limbs.count)
    for digit in bytes {
      result = multiply(result, byte)
      for bit in (0..<8).reversed() where digit >> bit & 1 == 1 {
        var value = one
        for _ in 0..<bit { value = add(value, value) }
        result = add(result, value)
      }
    }
    return result
  }

  /// The bytes of a number in Montgomery's form, as many as the modulus has.
  func bytes(of number: Number) -> [UInt8] {
    var unit = Number(repeating: 0, count: limbs.count)
    unit[0] = 1
    let plain = multiply(number, unit)
    let all = plain.reversed().flatMap { limb in (0..<8).reversed().map { UInt8(limb >> (8 * $0) & 255) } }
    return Array(all.suffix(bytes.count))
  }

  func power(_ base: Number, _ exponent: [UInt8]) -> Number {
    var result = one
    for byte in exponent {
      for bit in (0..<8).reversed() {
        result = multiply(result, result)
        if byte >> bit & 1 == 1 { result = multiply(result, base) }
      }
    }
    return result
  }

  /// By Fermat's theorem: the modulus is a prime.
  func inverse(_ number: Number) -> Number { power(number, minus(2)) }

  var unit: Number { one }
  var zero: Number { Number(repeating: 0, count: limbs.count) }

  /// The modulus minus a small number.
  func minus(_ small: UInt8) -> [UInt8] {
    var (result, borrow) = (bytes, Int(small))
    for index in result.indices.reversed() where borrow > 0 {
      let value = Int(result[index]) - borrow
      (result[index], borrow) = (UInt8(truncatingIfNeeded: value), value < 0 ? 1 : 0)
    }
    return result
  }

  /// (modulus - 1) / divisor, by long division of bits.
  func lessOne(dividedBy divisor: [UInt8]) -> [UInt8] {
    let count = (max(bytes.count, divisor.count) + 8) / 8
    let (value, other) = (Self.limbs(minus(1), count: count), Self.limbs(divisor, count: count))
    var (rest, quotient) = (Number(repeating: 0, count: count), [UInt8](repeating: 0, count: bytes.count))
    for bit in (0..<8 * bytes.count).reversed() {
      var carry = value[bit / 64] >> (bit % 64) & 1
      for index in rest.indices { (rest[index], carry) = (rest[index] << 1 | carry, rest[index] >> 63) }
      if !Self.isLess(rest, other) {
        rest = Self.difference(rest, other)
        quotient[bytes.count - 1 - bit / 8] |= 1 << (bit % 8)
      }
    }
    precondition(rest.allSatisfy { $0 == 0 })
    return quotient
  }
}

/// A curve y^2 = x^3 + a x + b with Jacobian coordinates.
struct Curve {
  struct Point { var x, y, z: Modulus.Number }

  let p, n: Modulus
  let a, b: Modulus.Number
  let generator: Point

  init(_ number: Int) {
    let values = StandardParameters.curves[number] ?? []
    (p, n) = (Modulus(values[0]), Modulus(values[5]))
    (a, b) = (p.number(hexBytes(values[1])), p.number(hexBytes(values[2])))
    generator = Point(x: p.number(hexBytes(values[3])), y: p.number(hexBytes(values[4])), z: p.unit)
  }

  func double(_ q: Point) -> Point {
    if q.z == p.zero { return q }
    let yy = p.multiply(q.y, q.y)
    let xyy = p.multiply(q.x, yy)
    let s = p.add(p.add(xyy, xyy), p.add(xyy, xyy))
    let xx = p.multiply(q.x, q.x)
    let zz = p.multiply(q.z, q.z)
    let m = p.add(p.add(xx, p.add(xx, xx)), p.multiply(a, p.multiply(zz, zz)))
    let x = p.subtract(p.multiply(m, m), p.add(s, s))
    var eight = p.multiply(yy, yy)
    for _ in 0..<3 { eight = p.add(eight, eight) }
    let yz = p.multiply(q.y, q.z)
    return Point(x: x, y: p.subtract(p.multiply(m, p.subtract(s, x)), eight), z: p.add(yz, yz))
  }

  func add(_ q: Point, _ r: Point) -> Point {
    if q.z == p.zero { return r }
    if r.z == p.zero { return q }
    let (zq, zr) = (p.multiply(q.z, q.z), p.multiply(r.z, r.z))
    let (u1, u2) = (p.multiply(q.x, zr), p.multiply(r.x, zq))
    let s1 = p.multiply(q.y, p.multiply(zr, r.z))
    let s2 = p.multiply(r.y, p.multiply(zq, q.z))
    if u1 == u2 { return s1 == s2 ? double(q) : Point(x: p.unit, y: p.unit, z: p.zero) }
    let (h, k) = (p.subtract(u2, u1), p.subtract(s2, s1))
    let hh = p.multiply(h, h)
    let hhh = p.multiply(h, hh)
    let v = p.multiply(u1, hh)
    let x = p.subtract(p.subtract(p.multiply(k, k), hhh), p.add(v, v))
    return Point(
      x: x, y: p.subtract(p.multiply(k, p.subtract(v, x)), p.multiply(s1, hhh)), z: p.multiply(h, p.multiply(q.z, r.z)))
  }

  func multiply(_ scalar: [UInt8], _ point: Point) -> Point {
    var result = Point(x: p.unit, y: p.unit, z: p.zero)
    for byte in scalar {
      for bit in (0..<8).reversed() {
        result = double(result)
        if byte >> bit & 1 == 1 { result = add(result, point) }
      }
    }
    return result
  }

  func encoded(_ q: Point) -> [UInt8] {
    let z = p.inverse(q.z)
    let zz = p.multiply(z, z)
    return [4] + p.bytes(of: p.multiply(q.x, zz)) + p.bytes(of: p.multiply(q.y, p.multiply(z, zz)))
  }

  /// nil if the point is not on the curve.
  func decoded(_ bytes: [UInt8]) -> Point? {
    let size = p.bytes.count
    guard bytes.count == 1 + 2 * size, bytes.first == 4 else { return nil }
    let (x, y) = (p.number(Array(bytes[1...size])), p.number(Array(bytes[(size + 1)...])))
    let right = p.add(p.multiply(p.add(p.multiply(x, x), a), x), b)
    return p.multiply(y, y) == right ? Point(x: x, y: y, z: p.unit) : nil
  }

  /// An ECDSA signature of a hash in the plain format.
  func sign(_ hash: [UInt8], secret: [UInt8], nonce: [UInt8]) -> [UInt8] {
    let x = Array(encoded(multiply(nonce, generator))[1...p.bytes.count])
    let r = n.number(x)
    // The leftmost bits of the hash; the orders here have whole bytes, or more bits than any hash.
    let e = n.number(Array(hash.prefix(n.bytes.count)))
    let s = n.multiply(n.inverse(n.number(nonce)), n.add(e, n.multiply(r, n.number(secret))))
    func padded(_ value: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: p.bytes.count - value.count) + value }
    return padded(n.bytes(of: r)) + padded(n.bytes(of: s))
  }
}

/// A BER-TLV data object with the given tag and value.
package func tlv(_ tag: UInt32, _ value: [UInt8]) -> [UInt8] {
  var bytes = withUnsafeBytes(of: tag.bigEndian) { Array($0.drop { $0 == 0 }) }
  switch value.count {
  case 0..<0x80: bytes.append(UInt8(value.count))
  case 0x80..<0x100: bytes += [0x81, UInt8(value.count)]
  case 0x100..<0x10000: bytes += [0x82, UInt8(value.count >> 8), UInt8(value.count & 255)]
  default: bytes += [0x83, UInt8(value.count >> 16), UInt8(value.count >> 8 & 255), UInt8(value.count & 255)]
  }
  return bytes + value
}

/// The bytes of hexadecimal text; spaces are ignored.
func hexBytes(_ hex: String) -> [UInt8] { decodedHexadecimal(hex.utf8.filter { $0 != 32 }) ?? [] }
