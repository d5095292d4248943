import Glibc
import IdentityDocuments
import TestSupport
import Testing

/// Mutated real EF.SODs. `FACEVERIFY_MUTATIONS=100000` sets the number of mutations; the default is small.
@Suite(.needsSpecimenChips) struct MutationTests {
  private static let count = getenv("FACEVERIFY_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 2000
  private static let states = [
    ("AT", "AUT"), ("DE", "D<<"), ("FI", "FIN"), ("FR", "FRA"), ("MY", "MYS"), ("NZ", "NZL"), ("UK", "GBR"),
    ("US", "USA"),
  ]

  @Test(arguments: states) func `no changed byte passes, except unsigned bytes without meaning`(
    _ file: String, _ state: String
  ) throws {
    let sod = try TestData.bytes("sod_real/\(file)_EF.SOD.bin")
    let trust = try RealChipTests.masterList.get()
    let date = try DateTime(year: 2024, month: 8, day: 7)
    func passes(_ bytes: [UInt8]) throws -> Bool {
      guard let files = try? ChipFiles(files: ["EF.SOD": bytes]) else { return false }
      let result = PassiveAuthentication(ChipContents(files), trust: trust, date: date, issuingState: state)
      let needed: [PassiveAuthentication.StepName] = [.signature, .chain, .country, .signerValidity, .anchorValidity]
      return result.verdict != .invalid && needed.allSatisfy { result.step($0)?.status == .passed }
    }
    #expect(try passes(sod))
    let object = try DocumentSecurityObject(sod)
    let certificate = try #require(object.signerCertificate).bytes
    let start = first(certificate, in: sod)
    let behind = start + certificate.count
    let attribute: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09]
    // In the signed data: version and digests, and the tag of the set of certificates. In the signer: version, encoding
    // of the issuer, and parameters of the digest.
    let meaningless = [
      0..<first([0x06, 0x06] + [0x67, 0x81, 0x08, 0x01, 0x01, 0x01], in: sod),
      start - 4..<start,
      behind..<first(attribute, in: sod, from: behind),
    ]
    var random = SplitMix(state: UInt64(sod.count))
    for _ in 0..<Self.count / Self.states.count {
      let (position, mask) = (Int.random(in: 0..<sod.count, using: &random), UInt8.random(in: 1...255, using: &random))
      var bytes = sod
      bytes[position] ^= mask
      if try passes(bytes) {
        #expect(meaningless.contains { $0.contains(position) }, "byte \(position) of \(sod.count)")
      }
    }
  }

  private func first(_ part: [UInt8], in whole: [UInt8], from start: Int = 0) -> Int {
    whole.indices.dropFirst(start).first { whole[$0...].starts(with: part) } ?? whole.count
  }
}
