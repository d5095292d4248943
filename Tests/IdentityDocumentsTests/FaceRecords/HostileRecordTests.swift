import EmulatedChip
import IdentityDocuments
import TestSupport
import Testing

@Suite struct HostileRecordTests {
  /// A record of ISO/IEC 39794-5 with lists of the maximum length that the tags permit.
  @Test func `long lists are rejected in time`() {
    let entry = tlv(0x30, Array(repeating: [0x80, 0x00], count: 60).flatMap(\.self))
    let list = tlv(0xA9, Array(repeating: entry, count: 10_000).flatMap(\.self))
    let image = tlv(0xA1, tlv(0xA0, tlv(0xA0, tlv(0x80, FaceImageTests.jpeg))))
    let block = tlv(0x65, tlv(0xA0, []) + tlv(0xA1, tlv(0x30, image + list)))
    let (found, time) = timed { _ = try FaceImage.images(in: block) }
    #expect(found == .tooLarge && time < 0.1)
    let fields = Array(repeating: [0x9F, 0x01, 0x00] as [UInt8], count: 1_000_000).flatMap(\.self)
    let wide = tlv(0x65, tlv(0xA0, []) + tlv(0xA1, tlv(0x30, fields)))
    let (refused, wideTime) = timed { _ = try FaceImage.images(in: wide) }
    #expect(refused == .damaged && wideTime < 0.1)
  }

  @Test func `endless templates are rejected in time`() {
    let template = tlv(0x7F60, tlv(0x5F2E, FaceImageTests.record(FaceImageTests.jpeg)))
    let group = tlv(0x75, tlv(0x7F61, Array(repeating: template, count: 50_000).flatMap(\.self)))
    let (found, time) = timed { _ = try DataGroup2(group) }
    #expect(found == .tooLarge && time < 0.1)
  }

  @Test func `deep nesting is rejected in time`() {
    var bytes: [UInt8] = []
    for _ in 0..<20_000 { bytes = tlv(0x75, bytes).count < 1 << 23 ? tlv(0x75, bytes) : bytes }
    let (found, time) = timed { _ = try DataGroup2(bytes) }
    #expect(found != nil && time < 0.1)
  }

  @Test(arguments: [0x75, 0x61, 0x60, 0x77, 0x6B, 0x6C, 0x6E, 0x6F] as [UInt8])
  func `lengths of four gigabytes are rejected in time`(_ tag: UInt8) throws {
    for bytes in [[tag, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 1], [tag, 0x08, 0x7F, 0x61, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 1]] {
      let time = try seconds {
        let files = try ChipFiles(files: ["EF.DG1": bytes])
        #expect(files.files.values.contains(bytes))
        #expect(code { _ = try DataGroup1(bytes) } != nil)
        #expect(code { _ = try DataGroup2(bytes) } != nil)
        #expect(code { _ = try DocumentSecurityObject(bytes) } != nil)
        _ = ChipContents(files)
      }
      #expect(time < 1)
    }
  }
}
