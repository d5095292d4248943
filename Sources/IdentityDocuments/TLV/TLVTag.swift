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
  package static let bitString: Self = 0x03
  package static let octetString: Self = 0x04
  package static let objectIdentifier: Self = 0x06
  package static let utcTime: Self = 0x17
  package static let generalizedTime: Self = 0x18
  package static let sequence: Self = 0x30
  package static let set: Self = 0x31
}
