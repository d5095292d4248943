/// A connection to one chip: a reader, a phone that relays, a recording, or an emulator.
public protocol ChipTransport {
  /// Sends a command APDU to the chip and returns the response APDU, its data followed by two status bytes
  /// (ISO/IEC 7816-3, 12.1). Responses are untrusted.
  ///
  /// - Throws: any error; ``ChipSession`` ends with it.
  func transmit(_ command: [UInt8]) throws -> [UInt8]

  /// The largest number of data bytes in a command or response that the transport carries: below 256 if it supports no
  /// extended length; nil if unknown.
  var maximumDataBytes: Int? { get }
}

extension ChipTransport {
  public var maximumDataBytes: Int? { nil }

  /// Bytes of the largest response APDU: data of extended length, and the status (ISO/IEC 7816-4, 5.1).
  package static var largestResponse: Int { ChipCommand.largestExtended + 2 }
}

/// A command APDU (ISO/IEC 7816-4, 5.1).
struct ChipCommand: Sendable, Hashable {
  /// 00, with 10 for command chaining (5.4.1) and 0C for secure messaging of command and header (table 2).
  var classByte: UInt8 = 0
  let instruction: UInt8
  let p1: UInt8
  let p2: UInt8
  var data: [UInt8] = []
  /// The maximum number of bytes in the response, 1 to 65,536; nil if none are expected.
  var expected: Int?

  static let largestShortData = 255
  static let largestShortResponse = 256
  static let largestExtended = 65_536

  /// The bit of the class that announces another command of a chain.
  static let chaining: UInt8 = 0x10
  static let secure: UInt8 = 0x0C

  var needsExtendedLength: Bool {
    data.count > Self.largestShortData || expected ?? 0 > Self.largestShortResponse
  }

  /// Lengths of one byte, or, if one does not fit, of two bytes after a zero byte (5.2). Zero is the largest.
  var encoded: [UInt8] {
    var bytes = [classByte, instruction, p1, p2]
    let isExtended = needsExtendedLength
    if !data.isEmpty {
      bytes += isExtended ? [0, UInt8(data.count >> 8 & 255), UInt8(data.count & 255)] : [UInt8(data.count)]
      bytes += data
    }
    if let expected {
      if isExtended {
        bytes += (data.isEmpty ? [0] : []) + [UInt8(expected >> 8 & 255), UInt8(expected & 255)]
      } else {
        bytes.append(UInt8(expected & 255))
      }
    }
    return bytes
  }

  // ISO/IEC 7816-4, table 4; ICAO Doc 9303-10, 3.6.
  static let manageSecurityEnvironment: UInt8 = 0x22
  static let externalAuthenticate: UInt8 = 0x82
  static let getChallenge: UInt8 = 0x84
  static let generalAuthenticate: UInt8 = 0x86
  static let internalAuthenticate: UInt8 = 0x88
  static let select: UInt8 = 0xA4
  static let readBinary: UInt8 = 0xB0
  /// With data objects for offset and content; for offsets above 32,767.
  static let readBinaryOdd: UInt8 = 0xB1
  static let getResponse: UInt8 = 0xC0
}

/// A response APDU (ISO/IEC 7816-4, 5.1).
struct ChipResponse: Sendable, Hashable {
  var data: [UInt8]
  var status: ChipStatus

  /// - Throws: ``VerifyError/Code/damaged`` if there are no status bytes.
  init(_ bytes: [UInt8]) throws {
    guard bytes.count >= 2, bytes.count <= ChipCommand.largestExtended + 2 else {
      throw VerifyError(.damaged, "the chip answered with \(bytes.count) bytes, which is no response; try again")
    }
    data = Array(bytes.dropLast(2))
    status = ChipStatus(rawValue: UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1]))
  }

  init(data: [UInt8], status: ChipStatus) { (self.data, self.status) = (data, status) }
}

/// The two status bytes of a response (ISO/IEC 7816-4, 5.6).
public struct ChipStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// Four hexadecimal digits.
  public var description: String { hexadecimal([UInt8(rawValue >> 8), UInt8(rawValue & 255)]).uppercased() }

  public static let success = Self(rawValue: 0x9000)
  /// Fewer bytes than requested were left in the file.
  static let endOfFile = Self(rawValue: 0x6282)
  static let verificationFailed = Self(rawValue: 0x6300)
  static let wrongLength = Self(rawValue: 0x6700)
  static let chainingNotSupported = Self(rawValue: 0x6884)
  static let securityStatusNotSatisfied = Self(rawValue: 0x6982)
  static let secureMessagingObjectWrong = Self(rawValue: 0x6988)
  static let fileNotFound = Self(rawValue: 0x6A82)
  static let wrongOffset = Self(rawValue: 0x6B00)

  /// Whether the chip may have refused the number of bytes to read: chips differ in the status.
  var refusesLength: Bool { [.wrongLength, .wrongOffset, .endOfFile].contains(self) || first == 0x6C }

  var first: UInt8 { UInt8(rawValue >> 8) }
  var second: UInt8 { UInt8(rawValue & 255) }

  /// 63Cx: the number of attempts left.
  var attemptsLeft: Int? { rawValue & 0xFFF0 == 0x63C0 ? Int(rawValue & 15) : nil }

  /// Whether the chip may have refused a password: 6300 and 63Cx (ICAO Doc 9303-11, 4.4.4.2), and 6982 or 6988, which
  /// chips return if a cryptogram is wrong.
  var refusesPassword: Bool {
    first == 0x63 || self == .securityStatusNotSatisfied || self == .secureMessagingObjectWrong
  }
}
