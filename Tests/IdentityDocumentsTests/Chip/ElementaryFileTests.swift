import IdentityDocuments
import Testing

@testable import IdentityDocuments

@Suite struct ElementaryFileTests {
  @Test(arguments: [
    ("EF.COM", "EF.COM"), ("EF_COM.bin", "EF.COM"), ("com", "EF.COM"), ("011E", "EF.COM"), ("EF.SOD", "EF.SOD"),
    ("sod.hex", "EF.SOD"), ("011d.bin", "EF.SOD"), ("EF.DG1", "EF.DG1"), ("dg01.dat", "EF.DG1"), ("DG1", "EF.DG1"),
    ("Datagroup14.bin", "EF.DG14"), ("EF_DG16", "EF.DG16"), ("0101", "EF.DG1"), ("010F.bin", "EF.DG15"),
    ("EF.CardAccess", "EF.CardAccess"), ("ef-cardaccess.der", "EF.CardAccess"), ("011C", "EF.CardAccess"),
    ("CardSecurity.bin", "EF.CardSecurity"), ("0110", "EF.DG16"),
  ])
  func `usual names are known`(_ name: String, _ file: String) {
    #expect(ElementaryFile(fileName: name)?.rawValue == file)
  }

  @Test(arguments: ["EF.DG0", "EF.DG17", "portrait.jpg", "README", "chips.json", "0111", "DG", "EF.DG1.bin.old", ""])
  func `other names are unknown`(_ name: String) {
    #expect(ElementaryFile(fileName: name) == nil)
  }

  @Test func `only data groups have a number`() {
    #expect(ElementaryFile.dataGroup(16).dataGroupNumber == 16)
    #expect(ElementaryFile(rawValue: "EF.DG17").dataGroupNumber == nil)
    #expect(ElementaryFile.common.dataGroupNumber == nil)
  }
}
