/// A BER-TLV data object. It shares the memory that it was read from.
package struct TLV: Sendable {
  /// Maximum nesting depth of data objects; records of ISO/IEC 39794-5 need 15 levels.
  package static let maximumDepth = 24
  private static let maximumFields = 64

  package let tag: TLVTag
  /// The object as stored: tag, length and value.
  package let encoded: ArraySlice<UInt8>
  /// A cursor over the value.
  package let reader: ByteReader
  let depth: Int

  /// An error in this data object, with its position in the file or certificate that was read.
  func damaged(_ problem: String) -> VerifyError {
    VerifyError(.damaged, "\(problem) (data object \(tag) at byte \(encoded.startIndex))")
  }

  package var value: ArraySlice<UInt8> {
    var reader = reader
    return reader.rest()
  }

  /// Returns a reader of the data objects in the value.
  package func children() throws -> TLVReader {
    guard depth < Self.maximumDepth else {
      throw damaged("data objects are nested deeper than \(Self.maximumDepth) levels")
    }
    return TLVReader(reader, depth: depth + 1)
  }

  /// Passes each data object in the value to `body`, which is called before the next one is read.
  func forEachChild(_ body: (TLV) throws -> Void) throws {
    var children = try children()
    while let child = try children.next() { try body(child) }
  }

  /// Returns a value for each data object in the value, made before the next one is read.
  ///
  /// - Parameter error: thrown if there are more than `most`; nil leaves the others unread.
  func mapChildren<Value>(
    atMost most: Int = .max, else error: VerifyError? = nil, _ transform: (TLV) throws -> Value
  ) throws -> [Value] {
    var (children, values) = (try children(), [Value]())
    while error != nil || values.count < most, let child = try children.next() {
      if let error, values.count >= most { throw error }
      values.append(try transform(child))
    }
    return values
  }

  /// Returns the first data object in the value that has the tag. Intended for structures with a few named fields: more
  /// than ``maximumFields`` data objects are refused, so that looking up field after field stays fast.
  package func child(_ tag: TLVTag) throws -> TLV? {
    var children = try children()
    for _ in 0..<Self.maximumFields {
      guard let child = try children.next() else { return nil }
      if child.tag == tag { return child }
    }
    throw damaged("there are more than \(Self.maximumFields) fields")
  }

  package func requiredChild(_ tag: TLVTag) throws -> TLV {
    guard let child = try child(tag) else { throw damaged("the field \(tag) is missing") }
    return child
  }

  /// Decodes an integer in two's complement (ISO/IEC 8825-1, 8.3) of at most eight bytes.
  package func integer() throws -> Int {
    guard let first = value.first, value.count <= 8 else {
      throw damaged("a number has \(value.count) bytes, not 1 to 8")
    }
    var number = first >= 0x80 ? -1 : 0
    for byte in value { number = number << 8 | Int(byte) }
    return number
  }

  /// Decodes an object identifier to dotted form (ISO/IEC 8825-1, 8.19), with at most 32 numbers.
  package func objectIdentifier() throws -> String {
    // At most ten bytes, of seven bits each, per 64-bit number; the first byte holds two numbers.
    guard value.count <= 31 * 10 else { throw damaged("an object identifier has \(value.count) bytes") }
    var numbers: [UInt64] = []
    var number: UInt64 = 0
    for byte in value {
      guard number < 1 << 56 else { throw damaged("an object identifier has too large a number") }
      number = number << 7 | UInt64(byte & 0x7F)
      guard byte < 0x80 else { continue }
      if numbers.isEmpty {
        let root = min(number / 40, 2)
        numbers = [root, number - 40 * root]
      } else {
        numbers.append(number)
      }
      number = 0
    }
    guard let last = value.last, last < 0x80, numbers.count <= 32 else {
      throw damaged("an object identifier is truncated")
    }
    return numbers.map(String.init).joined(separator: ".")
  }

  package func boolean() throws -> Bool {
    guard value.count == 1, let byte = value.first else { throw damaged("a Boolean has \(value.count) bytes, not 1") }
    return byte != 0
  }

  /// Text in UTF-8, as Doc 9303-10 prescribes; other bytes are decoded as ISO 8859-1, which some chips hold.
  package var text: String { String(validating: value, as: UTF8.self) ?? latin1 }

  package var latin1: String { String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) })) }

  /// Decodes a time of an X.509 certificate: UTCTime with a two-digit year, 50 to 99 meaning 1950 to 1999 (RFC 5280,
  /// 4.1.2.5.1), or GeneralizedTime. Seconds may be missing, and the zone may be an offset (ITU-T X.680, 46 and 47), as
  /// in old certificates.
  ///
  /// - Parameter type: the universal tag, if the object has an implicit one.
  package func time(of type: TLVTag? = nil) throws -> DateTime {
    let (type, text) = (type ?? tag, Array(value))
    let wrong = damaged("a time is not encoded as X.509 requires")
    let yearDigits = type == .utcTime ? 2 : 4
    guard type == .utcTime || type == .generalizedTime,
      let digits = Self.digits(text.prefix { (48...57).contains($0) }),
      digits.count == yearDigits + 10 || digits.count == yearDigits + 8
    else { throw wrong }
    var zone = text.dropFirst(digits.count)
    if type == .generalizedTime, zone.first == UInt8(ascii: ".") {
      zone = zone.dropFirst().drop { (48...57).contains($0) }
    }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { 10 * $0 + $1 } }
    let year = number(0..<yearDigits)
    let pairs = stride(from: yearDigits, to: digits.count, by: 2).map { number($0..<$0 + 2) }
    let local = try DateTime(
      year: yearDigits == 4 ? year : year < 50 ? 2000 + year : 1900 + year, month: pairs[0], day: pairs[1],
      hour: pairs[2], minute: pairs[3], second: pairs.count > 4 ? pairs[4] : 0)
    if zone.elementsEqual("Z".utf8) { return local }
    guard zone.count == 5, let sign = zone.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign),
      let offset = Self.digits(zone.dropFirst()), offset[0] * 10 + offset[1] < 24, offset[2] < 6,
      let time = local.adding(
        minutes: (offset[0] * 600 + offset[1] * 60 + offset[2] * 10 + offset[3]) * (sign == UInt8(ascii: "+") ? -1 : 1))
    else { throw wrong }
    return time
  }

  /// Returns the values of the digits, or nil if a character is not a digit.
  package static func digits(_ bytes: some Collection<UInt8>) -> [Int]? {
    let digits = bytes.compactMap { (48...57).contains($0) ? Int($0) - 48 : nil }
    return digits.count == bytes.count ? digits : nil
  }
}

/// The tag of a BER-TLV data object (ISO/IEC 8825-1, 8.1.2; ISO/IEC 7816-4, 5.2.2.1): its one to three bytes as one
/// number, such as 0x5F1F.
package struct TLVTag: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package init(integerLiteral value: UInt32) { rawValue = value }

  /// Whether the value is a sequence of data objects (bit 6 of the first byte).
  package var isConstructed: Bool {
    var first = rawValue
    while first > 0xFF { first >>= 8 }
    return first & 0x20 != 0
  }

  package var description: String { String(rawValue, radix: 16, uppercase: true) }

  // Universal tags of ASN.1 (ITU-T X.680, table 1).
  package static let boolean: Self = 0x01
  package static let integer: Self = 0x02
  package static let octetString: Self = 0x04
  package static let objectIdentifier: Self = 0x06
  package static let utcTime: Self = 0x17
  package static let generalizedTime: Self = 0x18
  package static let sequence: Self = 0x30
  package static let set: Self = 0x31
}
