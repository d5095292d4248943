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

extension MRZContent {
  static let specimen = MRZContent(
    documentCode: "PD", issuingState: "UTO", surname: "ERIKSSON", givenNames: "ANNA MARIA", documentNumber: "L898902C3",
    nationality: "D", dateOfBirth: PartialDate("1974-08-12")!, sex: .female, dateOfExpiry: PartialDate("2030-04-15"),
    optionalData: "ZE184226B")
}

extension PageZone {
  /// Read with certainty, except for the character at `doubtful`.
  init(certain zone: MachineReadableZone, doubtful: (line: Int, column: Int)? = nil) throws {
    var confidences = zone.lines.map { Array(repeating: 0.99, count: $0.count) }
    if let doubtful { confidences[doubtful.line][doubtful.column] = 0.4 }
    try self.init(zone, confidences: confidences, minimumConfidence: 0.5)
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
