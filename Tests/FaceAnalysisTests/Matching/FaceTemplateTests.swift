import FaceAnalysis
import TestSupport
import Testing

@Suite("Templates")
struct FaceTemplateTests {
  private static func template(_ identifier: String = "0123456789abcdef", scale: Float = 0.01) -> FaceTemplate {
    FaceTemplate(
      modelIdentifier: identifier, vector: (0..<128).map { Float($0) * scale }, cohortMean: 0.8,
      cohortDeviation: 0.05, quality: 77)
  }

  @Test("templates survive serialisation unchanged")
  func roundTrip() throws {
    let template = Self.template()
    let bytes = template.serialised()
    let back = try FaceTemplate(serialised: bytes)
    #expect(bytes.count == 580)
    #expect(back.serialised() == bytes)
    #expect(back.modelIdentifier == template.modelIdentifier)
    #expect(back.quality == 77)
    #expect(try Comparison.score(template, back) == -16)  // distance 0: the mean over the deviation
  }

  @Test("any changed byte is detected")
  func changed() {
    let bytes = Self.template().serialised()
    for i in bytes.indices {
      var wrong = bytes
      wrong[i] ^= 0x10
      #expect(throws: VerifyError.self) { try FaceTemplate(serialised: wrong) }
    }
  }

  @Test("any other length is rejected, with the appropriate code")
  func lengths() {
    let bytes = Self.template().serialised()
    for count in 0..<bytes.count {
      let code: VerifyError.Code = count < 8 ? .unknownFormat : .damaged
      #expect(throws: VerifyError(code, "")) { try FaceTemplate(serialised: Array(bytes.prefix(count))) }
    }
    #expect(throws: VerifyError(.damaged, "")) { try FaceTemplate(serialised: bytes + [0]) }
    #expect(throws: VerifyError(.unknownFormat, "")) { try FaceTemplate(serialised: Array("not a template".utf8)) }
  }

  @Test("templates of other models are not compared")
  func foreign() {
    #expect(throws: VerifyError(.incompatibleTemplate, "")) {
      try Comparison.score(Self.template(), Self.template("fedcba9876543210"))
    }
  }

  @Test("impossible numbers are rejected even with a valid checksum", arguments: [Float.nan, .infinity])
  func impossible(number: Float) {
    let template = FaceTemplate(
      modelIdentifier: "0123456789abcdef", vector: [Float](repeating: number, count: 128), cohortMean: 0.8,
      cohortDeviation: 0.05, quality: nil)
    #expect(throws: VerifyError(.damaged, "")) { try FaceTemplate(serialised: template.serialised()) }
    let zero = FaceTemplate(
      modelIdentifier: "0123456789abcdef", vector: [Float](repeating: 0, count: 128), cohortMean: 0.8,
      cohortDeviation: 0, quality: nil)
    #expect(throws: VerifyError(.damaged, "")) { try FaceTemplate(serialised: zero.serialised()) }
  }

  @Test("every file of the template corpus yields a template or a VerifyError")
  func templates() throws {
    let corpus = Installed.root + "/Tests/fuzz/corpus/template"
    var whole = 0
    for name in names(in: corpus) {
      do {
        _ = try FaceTemplate(serialised: RegularFile.read(path: "\(corpus)/\(name)", maximumBytes: 1 << 16))
        whole += 1
      } catch {
        #expect(error is VerifyError, "\(name)")
      }
    }
    #expect(whole == 1)
  }
}
