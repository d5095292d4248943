import EmulatedChip
import IdentityDocuments
import Testing

@Suite struct TLVReaderTests {
  @Test func `tags have one to three bytes`() throws {
    var reader = TLVReader([0x61, 0x00, 0x5F, 0x1F, 0x01, 0xAA, 0x7F, 0x81, 0x02, 0x01, 0xBB])
    let objects = try [reader.next(), reader.next(), reader.next()]
    #expect(objects.map { $0?.tag } == [0x61, 0x5F1F, 0x7F8102])
    #expect(objects.map { $0?.tag.isConstructed } == [true, false, true])
    #expect(objects.map { $0.map { Array($0.value) } } == [[], [0xAA], [0xBB]])
    #expect(try reader.next() == nil)
  }

  @Test(
    arguments: [
      [0x04, 0x02, 1, 2], [0x04, 0x81, 0x02, 1, 2], [0x04, 0x82, 0x00, 0x02, 1, 2],
      [0x04, 0x83, 0x00, 0x00, 0x02, 1, 2], [0x04, 0x84, 0x00, 0x00, 0x00, 0x02, 1, 2],
    ] as [[UInt8]])
  func `lengths have one to five bytes, also more than necessary`(_ bytes: [UInt8]) throws {
    var reader = TLVReader(bytes + [0xFF])
    let object = try #require(try reader.next())
    #expect(Array(object.value) == [1, 2])
    #expect(Array(object.encoded) == bytes)
  }

  @Test(
    arguments: [
      [0x30, 0x80, 0x00, 0x00], [0x30, 0x85, 0, 0, 0, 0, 1, 0], [0x30, 0xFF], [0x7F, 0x80, 0x80, 0x01, 0x00],
      [0x00, 0x00], [0x04, 0x03, 1, 2], [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0], [0x5F], [0x04], [0x04, 0x82, 0x01],
    ] as [[UInt8]])
  func `an incomplete data object is damage`(_ bytes: [UInt8]) {
    #expect(
      code {
        var reader = TLVReader(bytes)
        _ = try reader.next()
      } == .damaged)
  }

  @Test func `the depth is limited`() throws {
    var bytes: [UInt8] = []
    for _ in 0..<TLV.maximumDepth + 2 { bytes = tlv(0x30, bytes) }
    func depth(_ reader: TLVReader) throws -> Int {
      var reader = reader
      guard let object = try reader.next() else { return 0 }
      return try 1 + depth(object.children())
    }
    #expect(code { _ = try depth(TLVReader(bytes)) } == .damaged)
    #expect(try depth(TLVReader(Array(bytes.dropFirst(4)))) == TLV.maximumDepth)
  }

  @Test func `a structure with too many fields is rejected in time`() {
    let bytes = tlv(0x30, Array(repeating: [0x05, 0x00], count: 30_000).flatMap(\.self))
    var reader = TLVReader(bytes)
    #expect(code { _ = try reader.next()?.child(0x04) } == .damaged)
  }

  @Test func `fields are found by their tags`() throws {
    var reader = TLVReader([0x30, 0x06, 0x02, 0x01, 0x05, 0x04, 0x01, 0x09])
    let object = try reader.next(.sequence)
    #expect(try object.child(.octetString).map { Array($0.value) } == [9])
    #expect(try object.child(.boolean) == nil)
    #expect(code { _ = try object.requiredChild(.boolean) } == .damaged)
    var fields = try object.children()
    #expect(try fields.nextIfPresent(.octetString) == nil)
    #expect(try fields.next(.integer).integer() == 5)
    #expect(try fields.nextIfPresent(.octetString) != nil)
    #expect(code { _ = try fields.next(.integer) } == .damaged)
  }

  @Test(
    arguments: [
      ([0x00], 0), ([0x7F], 127), ([0x80], -128), ([0x00, 0x80], 128), ([0xFF, 0x00], -256),
      ([0x01, 0x00, 0x00], 65_536),
      ([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .max),
    ] as [([UInt8], Int)])
  func `numbers are in two's complement`(_ bytes: [UInt8], _ number: Int) throws {
    var reader = TLVReader(tlv(0x02, bytes))
    #expect(try reader.next(.integer).integer() == number)
  }

  // 2.100.3 is from ITU-T X.690, 8.19.5, the others from RFC 3279.
  @Test(
    arguments: [
      ([0x81, 0x34, 0x03], "2.100.3"), ([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01], "1.2.840.10045.2.1"),
      ([0x55, 0x04, 0x06], "2.5.4.6"), ([0x04, 0x00, 0x7F, 0x00, 0x07], "0.4.0.127.0.7"),
    ] as [([UInt8], String)])
  func `object identifiers are read`(_ bytes: [UInt8], _ text: String) throws {
    var reader = TLVReader(tlv(0x06, bytes))
    #expect(try reader.next(.objectIdentifier).objectIdentifier() == text)
  }

  @Test(arguments: [[], [0x81], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]] as [[UInt8]])
  func `a truncated object identifier is damage`(_ bytes: [UInt8]) {
    var reader = TLVReader(tlv(0x06, bytes))
    #expect(code { _ = try reader.next()?.objectIdentifier() } == .damaged)
  }

  @Test
  func `an object identifier of a megabyte is rejected by its length`() throws {
    var reader = TLVReader(tlv(0x06, [UInt8](repeating: 0x01, count: 1 << 20)))
    let object = try #require(try reader.next())
    #expect { try object.objectIdentifier() } throws: {
      ($0 as? VerifyError)?.message == "an object identifier has 1048576 bytes (data object 6 at byte 0)"
    }
  }

  @Test(
    arguments: [
      (0x17, "491231235959Z", "2049-12-31T23:59:59Z"), (0x17, "500101000000Z", "1950-01-01T00:00:00Z"),
      (0x17, "0801282300Z", "2008-01-28T23:00:00Z"), (0x18, "20500101000000Z", "2050-01-01T00:00:00Z"),
      (0x17, "230101003000+0100", "2022-12-31T23:30:00Z"), (0x17, "231231233000-0045", "2024-01-01T00:15:00Z"),
      (0x17, "2401010800+0000", "2024-01-01T08:00:00Z"), (0x18, "20240229235959.5Z", "2024-02-29T23:59:59Z"),
    ] as [(UInt32, String, String)])
  func `times of certificates are read`(_ tag: UInt32, _ text: String, _ expected: String) throws {
    var reader = TLVReader(tlv(tag, Array(text.utf8)))
    #expect(try reader.next()?.time().description == expected)
  }

  @Test(arguments: [
    "", "Z", "20240230000000Z", "20241301000000Z", "2024010100000xZ", "2024", "20240101000000",
    "20240101000000+01", "20240101000000+2400", "20240101000000+0060", "20240101000000*0100", "00010101000000+0100",
  ])
  func `an invalid time is an error`(_ text: String) {
    var reader = TLVReader(tlv(0x18, Array(text.utf8)))
    #expect(code { _ = try reader.next()?.time() } != nil)
  }
}
