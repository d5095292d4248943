import EmulatedChip
import Foundation
import TestSupport
import Testing

@testable import IdentityDocuments

@Suite struct ChipFilesTests {
  static let zone = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10"
  static let dataGroup1 = tlv(0x61, tlv(0x5F1F, Array(zone.utf8)))

  // Rows: J6 V4.13-a
  @Test func `the tag determines the kind of a file, not its name`() throws {
    let files = try ChipFiles(files: ["EF.DG2": Self.dataGroup1, "x": tlv(0x60, []), "EF.DG15": [0x6F]])
    #expect(files[.dataGroup(1)] == Self.dataGroup1)
    #expect(files[.dataGroup(2)] == nil)
    #expect(files[.common] == [0x60, 0])
    // Damaged: it is identified only by its name.
    #expect(files[.dataGroup(15)] == [0x6F])
    #expect(files.dataGroups == [1, 15])
  }

  @Test func `bytes after the data object are ignored`() throws {
    let files = try ChipFiles(files: ["EF.DG1": Self.dataGroup1 + [UInt8](repeating: 0, count: 100)])
    #expect(files[.dataGroup(1)] == Self.dataGroup1)
  }

  @Test(arguments: ["hexadecimal", "with colons", "base64", "base64url"])
  func `hexadecimal and base64 text is decoded`(_ form: String) throws {
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

  /// RFC 4648 letters after a tag and a length that are letters, too.
  @Test(arguments: [
    (13, Array("mAabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abc".utf8)),
    (16, Array("p0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".utf8)),
    (5, Array("e0a text of printable characters; 48 in all, ends.".utf8)),
    (4, [0x76, 0x20] + Array("00112233445566778899aabbccddeeff".utf8)),
  ])
  func `a printable data group is not decoded as text`(number: Int, bytes: [UInt8]) throws {
    #expect(try ChipFiles(files: ["EF.DG\(number)": bytes])[.dataGroup(number)] == bytes)
    // As text, it is one.
    let text = Array(hexadecimal(bytes).utf8)
    #expect(try ChipFiles(files: ["EF.DG\(number).hex": text])[.dataGroup(number)] == bytes)
  }

  @Test func `base64 of every data group is text`() throws {
    for (index, tag) in ElementaryFile.dataGroupTags.enumerated() {
      let bytes = tlv(tag.rawValue, [UInt8](repeating: 0x5F, count: 100))
      let text = Array(Data(bytes).base64EncodedString().utf8)
      let name = "EF.DG\(index + 1).b64"
      #expect(try ChipFiles(files: [name: text])[.dataGroup(index + 1)] == bytes)
    }
  }

  @Test func `a file with an unknown name is recognised by its first bytes`() throws {
    try withTemporaryFolder { folder in
      let large = tlv(0x75, [UInt8](repeating: 7, count: 20_000))
      let holder = Data(tlv(0x6B, [UInt8](repeating: 7, count: 999)))
      let base64 = holder.base64EncodedString(options: .lineLength76Characters)
      let files: [(String, [UInt8])] = [
        ("one", Self.dataGroup1), ("two", Array(hexadecimal(large).utf8)), ("eleven", Array(base64.utf8)),
        ("fifteen", Array(hexadecimal(tlv(0x6F, [UInt8](repeating: 7, count: 400))).map { "\($0) " }.joined().utf8)),
        ("zeros", [UInt8](repeating: 0, count: 1000)), ("too large", [0x63, 0x84, 0x7F, 0, 0, 0]), ("empty", []),
        ("note", Array("a note".utf8)),
      ]
      for (name, bytes) in files { try write(bytes, to: folder + "/" + name) }
      let chip = try ChipFiles(folder: folder)
      #expect(chip.dataGroups == [1, 2, 11, 15] && chip[.dataGroup(2)] == large)
      #expect(chip.ignored == ["empty", "note", "too large", "zeros"])
    }
  }

  @Test func `the total size of the files is limited`() throws {
    let half = [UInt8](repeating: 0, count: ChipFiles.maximumBytes / 2)
    let files = ["EF.DG2": tlv(0x75, half), "EF.DG3": tlv(0x63, half)]
    #expect(code { _ = try ChipFiles(files: files) } == .tooLarge)
    var chip = try ChipFiles(files: ["EF.DG2": tlv(0x75, half)])
    try chip.add(tlv(0x75, half), name: "EF.DG2")
    #expect(code { try chip.add(tlv(0x63, half), name: "EF.DG3") } == .tooLarge && chip.dataGroups == [2])
  }

  @Test func `other files are ignored and listed`() throws {
    let files = try ChipFiles(files: [
      "EF.DG1": Self.dataGroup1, "a note.txt": Array("a note, not hexadecimal".utf8),
      "portrait.jpg": [0xFF, 0xD8, 0xFF],
      "empty": [],
    ])
    #expect(files.files.count == 1)
    #expect(files.ignored == ["a note.txt", "empty", "portrait.jpg"])
  }

  @Test func `a duplicate file counts once`() throws {
    let text = Array(hexadecimal(Self.dataGroup1).utf8)
    #expect(try ChipFiles(files: ["DG1.bin": Self.dataGroup1, "DG1.hex": text]).files.count == 1)
  }

  @Test func `two different files of one kind are rejected`() {
    let other = tlv(0x61, [0])
    #expect(code { _ = try ChipFiles(files: ["a/EF.DG1": Self.dataGroup1, "EF.DG1": other]) } == .badArgument)
  }

  // Rows: J6
  @Test func `files are added one by one, and a rejected one changes nothing`() throws {
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

  @Test func `a folder without a chip's file is an error`() {
    #expect(code { _ = try ChipFiles(files: [:]) } == .badArgument)
    #expect(code { _ = try ChipFiles(files: ["photo.jpg": [0xFF, 0xD8, 0xFF]]) } == .badArgument)
    #expect(code { _ = try ChipFiles(folder: "/no/such/folder") } == .unreadable)
    #expect(code { _ = try ChipFiles(folder: "") } == .badArgument)
  }

  @Test func `too many or too large files are rejected`() {
    let many = Dictionary(uniqueKeysWithValues: (0...ChipFiles.maximumFiles).map { ("\($0)", [UInt8(0)]) })
    #expect(code { _ = try ChipFiles(files: many) } == .tooLarge)
    let large = [UInt8](repeating: 0x61, count: ChipFiles.maximumFileBytes + 1).map { $0 ^ 0x80 }
    #expect(code { _ = try ChipFiles(files: ["EF.DG1": large]) } == .tooLarge)
  }

  @Test func `pipes and folders in a folder are ignored`() throws {
    var template = Array("/tmp/faceverify-chip.XXXXXX".utf8CString)
    _ = try #require(mkdtemp(&template))
    let folder = String(decoding: template.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
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
