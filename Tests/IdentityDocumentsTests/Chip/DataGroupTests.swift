import EmulatedChip
import IdentityDocuments
import Testing

@Suite struct DataGroupTests {
  @Test func `EF_COM lists versions and data groups`() throws {
    // The layout of Doc 9303-10, 4.6.1.
    let bytes: [UInt8] = [
      0x60, 0x16, 0x5F, 0x01, 0x04, 0x30, 0x31, 0x30, 0x37, 0x5F, 0x36, 0x06, 0x30, 0x34, 0x30, 0x30, 0x30, 0x30, 0x5C,
      0x04, 0x61, 0x75, 0x76, 0x6C,
    ]
    let common = try EFCommon(bytes)
    #expect(common.ldsVersion == "1.7")
    #expect(common.unicodeVersion == "4.0.0")
    #expect(common.dataGroups == [1, 2, 4, 12])
    #expect(try EFCommon(tlv(0x60, [])).ldsVersion == nil)
    #expect(code { _ = try EFCommon(tlv(0x61, [])) } == .unknownFormat)
  }

  @Test func `EF_COM of chips in circulation is read`() throws {
    let list = tlv(0x5C, [0x60, 0x61, 0x75, 0x6E, 0x77, 0x62, 0x00])
    let padded = try EFCommon(tlv(0x60, tlv(0x5F01, Array("0107".utf8)) + list + [0, 0, 0, 0]))
    #expect(padded.dataGroups == [1, 2, 14] && padded.ldsVersion == "1.7" && padded.unicodeVersion == nil)
    #expect(try EFCommon(tlv(0x60, tlv(0x5F01, Array("017".utf8)) + list)).ldsVersion == nil)
    #expect(try EFCommon(tlv(0x60, list + tlv(0x5C, [0x6F]))).dataGroups == [1, 2, 14])
  }

  @Test(arguments: [(90, MRZFormat.td1), (72, .td2), (88, .td3)])
  func `EF_DG1 has the characters of a zone`(_ count: Int, _ format: MRZFormat) throws {
    let text = "I<D<<" + String(repeating: "A", count: count - 5)
    let group = try DataGroup1(tlv(0x61, tlv(0x5F1F, Array(text.utf8))))
    #expect(group.text == text)
    #expect(group.format == format)
    #expect(group.issuingState == "D")
  }

  @Test func `fillers are ignored at the end of a code, and nowhere else`() throws {
    func group(_ codes: String) throws -> DataGroup1 {
      try DataGroup1(tlv(0x61, tlv(0x5F1F, Array((codes + String(repeating: "A", count: 83)).utf8))))
    }
    #expect(try group("P<D<<").documentCode == "P" && group("P<D<<").issuingState == "D")
    #expect(try group("<PU<T").documentCode == "<P" && group("<PU<T").issuingState == "U<T")
  }

  @Test func `EF_DG1 of another size or with other characters is damaged`() {
    for text in ["", String(repeating: "A", count: 89), String(repeating: "\u{7}", count: 88)] {
      #expect(code { _ = try DataGroup1(tlv(0x61, tlv(0x5F1F, Array(text.utf8)))) } == .damaged)
    }
    #expect(code { _ = try DataGroup1(tlv(0x61, [])) } == .damaged)
    #expect(code { _ = try DataGroup1([]) } == .damaged)
  }

  @Test func `EF_DG11 has all its fields`() throws {
    let bytes = tlv(
      0x6B,
      tlv(0x5C, [0x5F, 0x0E]) + tlv(0x5F0E, Array("ERIKSSON<<ÅNNA".utf8))
        + tlv(0xA0, tlv(0x02, [2]) + tlv(0x5F0F, Array("NILSSON".utf8)) + tlv(0x5F0F, Array("ANN".utf8)))
        + tlv(0x5F10, Array("123".utf8)) + tlv(0x5F2B, Array("19740812".utf8))
        + tlv(0x5F11, Array("ZENITH<UTOPIA".utf8)) + tlv(0x5F42, Array("1 MAIN ST<ZENITH".utf8))
        + tlv(0x5F12, Array("+1".utf8)) + tlv(0x5F13, Array("AGENT".utf8)) + tlv(0x5F14, Array("DR".utf8))
        + tlv(0x5F15, Array("S".utf8)) + tlv(0x5F16, [1, 2]) + tlv(0x5F17, Array("A1<B2".utf8))
        + tlv(0x5F18, Array("NONE".utf8)))
    let group = try DataGroup11(bytes)
    #expect(group.fullName == "ERIKSSON<<ÅNNA")
    #expect(group.otherNames == ["NILSSON", "ANN"])
    #expect(group.personalNumber == "123")
    #expect(group.dateOfBirth?.description == "1974-08-12")
    #expect(group.placeOfBirth == ["ZENITH", "UTOPIA"])
    #expect(group.address == ["1 MAIN ST", "ZENITH"])
    #expect(group.telephone == "+1")
    #expect(group.profession == "AGENT")
    #expect(group.title == "DR")
    #expect(group.personalSummary == "S")
    #expect(group.proofOfCitizenship == [1, 2])
    #expect(group.otherTravelDocumentNumbers == ["A1", "B2"])
    #expect(group.custodyInformation == "NONE")
  }

  @Test func `every field of EF_DG11 and EF_DG12 may be absent`() throws {
    let person = try DataGroup11(tlv(0x6B, []))
    #expect(person.fullName == nil && person.otherNames.isEmpty && person.dateOfBirth == nil && person.address.isEmpty)
    let document = try DataGroup12(tlv(0x6C, tlv(0x5F19, [])))
    #expect(document.issuingAuthority == nil && document.dateOfIssue == nil && document.otherPersons.isEmpty)
  }

  @Test func `text that is not UTF-8 is unreadable, and its bytes are kept`() throws {
    // ИВАНОВ in Windows-1251, and MÜL in ISO 8859-1.
    let group = try DataGroup11(
      tlv(0x6B, tlv(0x5F0E, [0x4D, 0xDC, 0x4C]) + tlv(0x5F11, [0xC8, 0xC2, 0xC0]) + tlv(0x5F10, Array("12".utf8))))
    #expect(group.fullName == nil && group.placeOfBirth.isEmpty && group.personalNumber == "12")
    #expect(group.unreadable == ["fullName": "4ddc4c", "placeOfBirth": "c8c2c0"])
  }

  @Test(
    arguments: [
      (Array("19740812".utf8), "1974-08-12"), ([0x19, 0x74, 0x08, 0x12], "1974-08-12"),
      (Array("19740800".utf8), "1974-08-XX"),
      (Array("1974<<<<".utf8), "1974-XX-XX"), ([0x19, 0x74, 0x00, 0x00], "1974-XX-XX"),
      // Packed digits that are fillers as characters: the years 2000 to 2099, the 20th, the minute 3C.
      ([0x20, 0x05, 0x08, 0x20], "2005-08-20"), ([0x20, 0x20, 0x12, 0x20], "2020-12-20"),
      (Array("2005  20".utf8), "2005-XX-20"), (Array("20050820".utf8), "2005-08-20"),
      // An unknown year (Doc 9303-10, 4.7.11.1).
      (Array("00000812".utf8), "XXXX-08-12"), (Array("<<<<0812".utf8), "XXXX-08-12"),
      ([0x00, 0x00, 0x08, 0x12], "XXXX-08-12"),
    ] as [([UInt8], String)])
  func `dates are characters or packed, and may have unknown parts`(_ bytes: [UInt8], _ text: String) throws {
    #expect(try DataGroup11(tlv(0x6B, tlv(0x5F2B, bytes))).dateOfBirth?.description == text)
  }

  @Test(
    arguments: [
      [0x19, 0x74, 0x13, 0x01], [0x1A, 0x74, 0x01, 0x01], Array("740812".utf8), [1], [0x20, 0x05, 0x3C, 0x3C],
      [0x20, 0x20, 0x20, 0x20], Array("00000000".utf8), Array("<<<<<<<<".utf8), Array("1974130".utf8),
    ] as [[UInt8]])
  func `an unreadable date does not affect the other fields`(_ bytes: [UInt8]) throws {
    let person = try DataGroup11(tlv(0x6B, tlv(0x5F2B, bytes) + tlv(0x5F10, Array("12".utf8))))
    #expect(person.dateOfBirth == nil && person.personalNumber == "12")
    #expect(person.unreadable == ["dateOfBirth": hexadecimal(bytes)])
    let document = try DataGroup12(
      tlv(0x6C, tlv(0x5F26, bytes) + tlv(0x5F55, bytes) + tlv(0x5F19, Array("UT".utf8))))
    #expect(document.dateOfIssue == nil && document.personalisationTime == nil && document.issuingAuthority == "UT")
    #expect(document.unreadable == ["dateOfIssue": hexadecimal(bytes), "personalisationTime": hexadecimal(bytes)])
  }

  @Test func `the time of personalisation may have the incomplete tag 5F85`() throws {
    let time = Array("20230505101112".utf8)
    let field = [0x5F, 0x85, UInt8(time.count)] + time
    let group = try DataGroup12(tlv(0x6C, tlv(0x5C, [0x5F, 0x19, 0x5F, 0x85]) + field + tlv(0x5F19, Array("UT".utf8))))
    #expect(group.personalisationTime?.description == "2023-05-05T10:11:12Z" && group.issuingAuthority == "UT")
    #expect(group.unreadable.isEmpty)
  }

  @Test(arguments: [Array("20230505101112".utf8), [0x20, 0x23, 0x05, 0x05, 0x10, 0x11, 0x12]] as [[UInt8]])
  func `EF_DG12 has all its fields`(_ time: [UInt8]) throws {
    let bytes = tlv(
      0x6C,
      tlv(0x5F19, Array("ZENITH".utf8)) + tlv(0x5F26, Array("20230505".utf8))
        + tlv(0xA0, tlv(0x02, [1]) + tlv(0x5F1A, Array("LARS".utf8))) + tlv(0x5F1B, Array("E".utf8))
        + tlv(0x5F1C, Array("T".utf8)) + tlv(0x5F1D, [1]) + tlv(0x5F1E, [2]) + tlv(0x5F55, time)
        + tlv(0x5F56, Array("7".utf8)))
    let group = try DataGroup12(bytes)
    #expect(group.issuingAuthority == "ZENITH")
    #expect(group.dateOfIssue?.description == "2023-05-05")
    #expect(group.otherPersons == ["LARS"])
    #expect(group.endorsements == "E")
    #expect(group.taxOrExitRequirements == "T")
    #expect(group.imageOfFront == [1])
    #expect(group.imageOfRear == [2])
    #expect(group.personalisationTime?.description == "2023-05-05T10:11:12Z")
    #expect(group.personalisationSystem == "7")
  }

  @Test func `protocols are named as in the standards`() throws {
    func info(_ last: [UInt8]) -> [UInt8] {
      tlv(0x30, tlv(0x06, [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02] + last) + [0x02, 1, 2, 0x02, 1, 13])
    }
    let infos = try SecurityInfos(
      tlv(0x6E, tlv(0x31, info([4, 2, 2]) + info([4, 6, 4]) + info([3, 1, 1]) + info([2]) + info([9, 9])))
    ).infos
    #expect(
      infos.map(\.name) == [
        "id-PACE-ECDH-GM-AES-CBC-CMAC-128", "id-PACE-ECDH-CAM-AES-CBC-CMAC-256", "id-CA-DH-3DES-CBC-CBC", "id-TA",
        "0.4.0.127.0.7.2.2.9.9",
      ])
    #expect(infos.map(\.kind) == [.pace, .pace, .chipAuthentication, .terminalAuthentication, .other])
    #expect(infos.map(\.version) == [2, 2, 2, 2, 2])
    #expect(infos.map(\.parameter) == [13, 13, 13, 13, 13])
  }
}
