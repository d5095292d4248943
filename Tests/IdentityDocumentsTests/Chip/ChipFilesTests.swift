import Glibc
import IdentityDocuments
import TestSupport
import Testing

@Suite struct ChipFilesTests {
  static let zone = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10"
  static let dataGroup1 = tlv(0x61, tlv(0x5F1F, Array(zone.utf8)))

  @Test func `the tag decides what a file is, not its name`() throws {
    let files = try ChipFiles(files: ["EF.DG2": Self.dataGroup1, "x": tlv(0x60, []), "EF.DG15": [0x6F]])
    #expect(files[.dataGroup(1)] == Self.dataGroup1)
    #expect(files[.dataGroup(2)] == nil)
    #expect(files[.common] == [0x60, 0])
    // Damaged: its name is all there is.
    #expect(files[.dataGroup(15)] == [0x6F])
    #expect(files.dataGroups == [1, 15])
  }

  @Test func `bytes behind the data object are left out`() throws {
    let files = try ChipFiles(files: ["EF.DG1": Self.dataGroup1 + [UInt8](repeating: 0, count: 100)])
    #expect(files[.dataGroup(1)] == Self.dataGroup1)
  }

  @Test(arguments: ["hexadecimal", "with colons", "base64", "base64url"])
  func `text is turned back into bytes`(_ form: String) throws {
    let hexadecimal = hexadecimal(Self.dataGroup1)
    let text =
      switch form {
      case "hexadecimal": hexadecimal.uppercased() + "\r\n"
      case "with colons":
        stride(from: 0, to: hexadecimal.count, by: 2)
          .map { String(hexadecimal.dropFirst($0).prefix(2)) }.joined(separator: ": ")
      // From Python's base64 module.
      case "base64":
        """
        YVtfH1hQPFVUT0VSSUtTU09OPDxBTk5BPE1BUklBPDw8PDw8PDw8PDw8PDw8PDw8
        PEw4OTg5MDJDMzZVVE83NDA4MTIyRjEyMDQxNTlaRTE4NDIyNkI8PDw8PDEw
        """
      default:
        "YVtfH1hQPFVUT0VSSUtTU09OPDxBTk5BPE1BUklBPDw8PDw8PDw8PDw8PDw8PDw8PEw4OTg5MDJDMzZVVE83NDA4MTIyRjEyMDQxNTlaRTE4"
          + "NDIyNkI8PDw8PDEw"
      }
    #expect(try ChipFiles(files: ["dg1.txt": Array(text.utf8)])[.dataGroup(1)] == Self.dataGroup1)
  }

  @Test func `other files are ignored by name`() throws {
    let files = try ChipFiles(files: [
      "EF.DG1": Self.dataGroup1, "a note.txt": Array("a note, not hexadecimal".utf8),
      "portrait.jpg": [0xFF, 0xD8, 0xFF],
      "empty": [],
    ])
    #expect(files.files.count == 1)
    #expect(files.ignored == ["a note.txt", "empty", "portrait.jpg"])
  }

  @Test func `the same file twice is one file`() throws {
    let text = Array(hexadecimal(Self.dataGroup1).utf8)
    #expect(try ChipFiles(files: ["DG1.bin": Self.dataGroup1, "DG1.hex": text]).files.count == 1)
  }

  @Test func `two different files of one kind are refused`() {
    let other = tlv(0x61, [0])
    #expect(code { _ = try ChipFiles(files: ["a/EF.DG1": Self.dataGroup1, "EF.DG1": other]) } == .badArgument)
  }

  @Test func `files are added one by one, and a refused one changes nothing`() throws {
    var files = ChipFiles()
    #expect(files.files.isEmpty && files.dataGroups.isEmpty)
    #expect(try files.add(Self.dataGroup1, name: "0101") == .dataGroup(1))
    #expect(try files.add(Array(hexadecimal(Self.dataGroup1).utf8), name: "DG1.hex") == .dataGroup(1))
    #expect(try files.add([0x60, 0, 0, 0], name: "x") == .common)
    #expect(code { try files.add(tlv(0x61, [0]), name: "EF.DG1") } == .badArgument)
    #expect(code { try files.add([0xFF, 0xD8, 0xFF], name: "photo.jpg") } == .unknownFormat)
    let large = [UInt8](repeating: 0, count: ChipFiles.maximumFileBytes + 1)
    #expect(code { try files.add(tlv(0x75, large), name: "EF.DG2") } == .tooLarge)
    #expect(files.files == [.dataGroup(1): Self.dataGroup1, .common: [0x60, 0]] && files.ignored.isEmpty)
  }

  @Test func `no file of a chip is an error`() {
    #expect(code { _ = try ChipFiles(files: [:]) } == .badArgument)
    #expect(code { _ = try ChipFiles(files: ["photo.jpg": [0xFF, 0xD8, 0xFF]]) } == .badArgument)
    #expect(code { _ = try ChipFiles(folder: "/no/such/folder") } == .unreadable)
    #expect(code { _ = try ChipFiles(folder: "") } == .badArgument)
  }

  @Test func `too many or too large files are refused`() {
    let many = Dictionary(uniqueKeysWithValues: (0...ChipFiles.maximumFiles).map { ("\($0)", [UInt8(0)]) })
    #expect(code { _ = try ChipFiles(files: many) } == .tooLarge)
    let large = [UInt8](repeating: 0x61, count: ChipFiles.maximumFileBytes + 1).map { $0 ^ 0x80 }
    #expect(code { _ = try ChipFiles(files: ["EF.DG1": large]) } == .tooLarge)
  }

  @Test func `pipes and folders in a folder are left alone`() throws {
    var template = Array("/tmp/faceverify-chip.XXXXXX".utf8CString)
    _ = try #require(mkdtemp(&template))
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer {
      for name in ["EF.DG1", "EF.DG2"] { unlink(folder + "/" + name) }
      rmdir(folder + "/EF.SOD")
      rmdir(folder)
    }
    mkfifo(folder + "/EF.DG2", 0o600)
    mkdir(folder + "/EF.SOD", 0o700)
    try RegularFile.write(Self.dataGroup1, to: folder + "/EF.DG1")
    #expect(try ChipFiles(folder: folder).files == [.dataGroup(1): Self.dataGroup1])
  }
}
