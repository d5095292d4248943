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
