import Glibc
import IdentityDocuments
import TestSupport
import Testing

/// Specimen chips, certificates and face records, which are not part of the product, and chips made by
/// `Tests/documents/make_chips`.
enum TestData {
  static let shared = Installed.shared + "/testdata/chip/"
  static let chips = Installed.documents + "/chips/"

  /// A file of the specimens.
  static func bytes(_ name: String) throws -> [UInt8] {
    try RegularFile.read(path: shared + name, maximumBytes: 1 << 24)
  }

  /// A file of the generated chips.
  static func made(_ name: String) throws -> [UInt8] {
    try RegularFile.read(path: chips + name, maximumBytes: 1 << 24)
  }
}

extension Trait where Self == Need {
  static var needsSpecimenChips: Self { .needsShared("testdata/chip") }
}

/// The code of the error thrown by `body`, or nil.
func code(_ body: () throws -> Void) -> VerifyError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? VerifyError)?.code
  }
}

/// The error code and the duration of `body`.
func timed(_ body: () throws -> Void) -> (VerifyError.Code?, Double) {
  var found: VerifyError.Code?
  let time = seconds { found = code(body) }
  return (found, time)
}

/// A BER-TLV data object with the given tag and value.
func tlv(_ tag: UInt32, _ value: [UInt8]) -> [UInt8] {
  var bytes = withUnsafeBytes(of: tag.bigEndian) { Array($0.drop { $0 == 0 }) }
  switch value.count {
  case 0..<0x80: bytes.append(UInt8(value.count))
  case 0x80..<0x100: bytes += [0x81, UInt8(value.count)]
  case 0x100..<0x10000: bytes += [0x82, UInt8(value.count >> 8), UInt8(value.count & 255)]
  default: bytes += [0x83, UInt8(value.count >> 16), UInt8(value.count >> 8 & 255), UInt8(value.count & 255)]
  }
  return bytes + value
}
