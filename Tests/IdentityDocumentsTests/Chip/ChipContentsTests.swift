import EmulatedChip
import IdentityDocuments
import TestSupport
import Testing

@Suite struct ChipContentsTests {
  @Test func `a damaged file does not affect the others`() throws {
    let contents = ChipContents(
      try ChipFiles(files: ["EF.DG1": ChipFilesTests.dataGroup1, "EF.DG2": [0x75, 0x10], "EF.DG11": tlv(0x6B, [])]))
    #expect(try contents.dataGroup1?.get().text == ChipFilesTests.zone)
    #expect(contents.dataGroup2?.problem == .damaged)
    #expect(contents.dataGroup11?.problem == nil)
    #expect(contents.documentSecurity == nil)
  }

  @Test(.needsSpecimenChips) func `a complete specimen is read`() throws {
    let contents = ChipContents(try ChipFiles(folder: TestData.shared + "de_bsi2008"))
    let common = try #require(try contents.common?.get())
    #expect(common.ldsVersion == "1.7")
    #expect(common.dataGroups == [1, 2, 3, 14])
    let zone = try #require(try contents.dataGroup1?.get())
    #expect(zone.text.hasPrefix("P<D<<MUSTERMANN<<ERIKA<<"))
    #expect(zone.issuingState == "D")
    let image = try #require(try contents.dataGroup2?.get().images.first)
    #expect(image.format == .jp2)
    #expect(image.bytes.count == 14_999)
    #expect(image.bytes.suffix(2) == [0xFF, 0xD9])
    #expect(image.standard == .iso19794Edition2005)
    #expect(image.header?.formatType == 8)
    let protocols = try #require(try contents.dataGroup14?.get().infos)
    #expect(protocols.map(\.name) == ["id-PK-ECDH", "id-CA-ECDH-3DES-CBC-CBC", "id-TA"])
    let key = try #require(try contents.dataGroup15?.get().publicKey)
    #expect(key.algorithm == "RSA" && key.bits == 1024 && key.curve == nil)
    let sod = try #require(try contents.documentSecurity?.get())
    #expect(sod.content.hashes.keys.sorted() == [1, 2, 3, 14])
  }

  @Test(.needsSpecimenChips) func `the standard's example of EF_DG14 is read`() throws {
    let infos = try SecurityInfos(TestData.bytes("misc/doc9303_DG14.bin")).infos
    #expect(infos.map(\.name) == ["id-PK-DH", "id-CA-DH-3DES-CBC-CBC", "id-TA"])
    #expect(infos.first?.publicKey?.algorithm == "DH")
    #expect(infos.first?.publicKey?.bits == 1024)
  }

  @Test(.needsSpecimenChips, arguments: ["DE", "FI"]) func `EF_CardSecurity of real cards is read`(_ state: String)
    throws
  {
    let files = try ChipFiles(files: ["x": TestData.bytes("sod_real/\(state)_EF.CardSecurity.bin")])
    let infos = try #require(try ChipContents(files).cardSecurity?.get().infos.infos)
    #expect(infos.contains { $0.kind == .pace && $0.name.hasPrefix("id-PACE-ECDH-") })
    #expect(infos.contains { $0.kind == .chipAuthenticationPublicKey && $0.publicKey?.curve?.isEmpty == false })
  }

  @Test(.needsChips, arguments: ["td3-jpeg", "text-files"])
  func `a chip with all files is read, also from text`(_ name: String) throws {
    let files = try ChipFiles(folder: TestData.chips + name)
    #expect(files.ignored.isEmpty)
    let contents = ChipContents(files)
    #expect(try contents.common?.get().dataGroups == [1, 2, 11, 12, 14, 15])
    #expect(try contents.dataGroup11?.get().fullName == "ERIKSSON<<ÅNNA<MARIA")
    #expect(try contents.dataGroup12?.get().personalisationSystem == "SERIAL 7")
    let names = [
      "id-PACE-ECDH-GM-AES-CBC-CMAC-128", "id-CA-ECDH-AES-CBC-CMAC-128", "id-PK-ECDH",
      "id-icao-mrtd-security-aaProtocolObject",
    ]
    let infos = try #require(try contents.dataGroup14?.get().infos)
    #expect(Set(infos.map(\.name)) == Set(names))
    #expect(infos.compactMap(\.signatureAlgorithm) == ["1.2.840.10045.4.3.2"])
    #expect(infos.compactMap(\.publicKey?.curve) == ["prime256v1"])
    #expect(try contents.cardSecurity?.get().infos.infos == infos)
    #expect(try contents.cardAccess?.get().infos.map(\.name) == [names[0]])
    #expect(try contents.dataGroup15?.get().publicKey.curve == "prime256v1")
  }
}

extension Result where Failure == VerifyError {
  var problem: VerifyError.Code? {
    if case .failure(let error) = self { error.code } else { nil }
  }
}
