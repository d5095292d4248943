import EngineTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FaceVerify
@testable import FaceVerifyJourney

@Suite("Evidence bundles")
struct EvidenceBundleTests {
  private static let header = 69
  private static let chunk = 65_536 + 16
  private let key: PrivateKey
  private let files: [(name: String, bytes: [UInt8])]

  init() throws {
    key = try PrivateKey(for: .encryption)
    var random = SplitMix(state: 1)
    // Three full chunks and a partial one.
    files = [
      ("inputs/000000.rgb.png", (0..<100_000).map { _ in .random(in: 0...255, using: &random) }),
      ("inputs/000001.bin", []), ("inputs/000002.bin", [UInt8](repeating: 7, count: 512)),
      ("inputs/000003.bin", [UInt8](repeating: 8, count: 99_999)), ("record.json", Array("{}".utf8)),
    ]
  }

  private func withBundle(_ body: (_ folder: String, _ path: String, _ bytes: [UInt8]) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/evidence.fvb"
      let writer = try EvidenceBundleWriter(path: path, recipient: key.publicKey)
      for (name, bytes) in files { try writer.add(bytes, as: name) }
      #expect(!RegularFile.exists(path))
      try writer.finish()
      #expect(names(in: folder) == ["evidence.fvb"])
      try body(folder, path, RegularFile.read(path: path, maximumBytes: 1 << 20))
    }
  }

  @Test("files are extracted unchanged and in order, and only the owner can read the bundle")
  func roundTrip() throws {
    try withBundle { folder, path, bytes in
      var read: [(String, [UInt8])] = []
      try EvidenceBundle.read(path: path, key: key) { read.append(($0, $1)) }
      #expect(read.map(\.0) == files.map(\.name) && read.map(\.1) == files.map(\.bytes))
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      #expect(bytes.count > Self.header + 3 * Self.chunk && !Data(bytes).contains(Data("record.json".utf8)))
      #expect(try EvidenceBundle.extract(path: path, key: key, to: folder + "/out") == files.map(\.name))
      #expect(names(in: folder + "/out") == ["inputs", "record.json"])
      #expect(try RegularFile.read(path: folder + "/out/inputs/000003.bin", maximumBytes: 1 << 20) == files[3].bytes)
      #expect(throws: VerifyError(.unwritable, "")) {
        try EvidenceBundle.extract(path: path, key: key, to: folder + "/out")
      }
    }
  }

  @Test("tar reads the decrypted archive")
  func tar() throws {
    try withBundle { folder, path, _ in
      var archive: [UInt8] = []
      try EvidenceBundle.decrypt(path: path, key: key) { archive += $0 }
      try write(archive, to: folder + "/evidence.tar")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["tar", "-xf", folder + "/evidence.tar", "-C", folder]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      for (name, bytes) in files {
        #expect(try RegularFile.read(path: "\(folder)/\(name)", maximumBytes: 1 << 20) == bytes)
      }
    }
  }

  /// Bundles that end exactly at a chunk's boundary, or next to it.
  @Test(
    "a bundle of any length is read",
    arguments: [0, 1, 511, 512, 63_000, 63_487, 63_488, 63_489, 64_000, 129_024, 129_025])
  func lengths(size: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/a"
      let writer = try EvidenceBundleWriter(path: path, recipient: key.publicKey)
      try writer.add([UInt8](repeating: 9, count: size), as: "record.json")
      try writer.finish()
      var sizes: [Int] = []
      try EvidenceBundle.read(path: path, key: key) { sizes.append($1.count) }
      #expect(sizes == [size])
    }
  }

  struct Tampering: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: VerifyError.Code
    let text: String
    let edit: @Sendable ([UInt8]) -> [UInt8]

    init(
      _ title: String, _ code: VerifyError.Code, _ text: String, _ edit: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
      (testDescription, self.code, self.text, self.edit) = (title, code, text, edit)
    }
  }

  private static let tamperings: [Tampering] = [
    .init("another magic", .unknownFormat, "not an evidence bundle") { flipped($0, 0) },
    .init("another version", .unknownFormat, "version") { flipped($0, 4) },
    .init("another ephemeral key", .damaged, "part 1 of 4 was changed") { flipped($0, 10) },
    .init("another recipient", .badArgument, "encrypted to the key") { flipped($0, 40) },
    .init("a flipped bit", .damaged, "part 1 of 4 was changed") { flipped($0, header + 5) },
    .init("a flipped bit in a later chunk", .damaged, "part 3 of 4 was changed") {
      flipped($0, header + 2 * chunk + 9)
    },
    .init("a flipped bit in the last tag", .damaged, "part 4 of 4 was changed") { flipped($0, $0.count - 1) },
    .init("cut between chunks", .damaged, "cut behind part 3") { Array($0.prefix(header + 3 * chunk)) },
    .init("cut in a chunk", .damaged, "part 3 of 3 was changed") { Array($0.prefix(header + 2 * chunk + 1000)) },
    .init("cut by a byte", .damaged, "part 4 of 4 was changed") { Array($0.dropLast()) },
    .init("cut to its header", .damaged, "part 1 of 1 was changed") { Array($0.prefix(header)) },
    .init("cut in its header", .damaged, "header") { Array($0.prefix(20)) },
    .init("empty", .unknownFormat, "not an evidence bundle") { _ in [] },
    .init("two chunks exchanged", .damaged, "part 1 of 4 was changed, or stood elsewhere") {
      chunks($0, [1, 0, 2, 3])
    },
    .init("a chunk taken out", .damaged, "part 2 of 3 was changed, or stood elsewhere") { chunks($0, [0, 2, 3]) },
    .init("a chunk twice", .damaged, "part 2 of 5 was changed, or stood elsewhere") { chunks($0, [0, 0, 1, 2, 3]) },
    .init("a byte added", .damaged, "part 4 of 4 was changed") { $0 + [0] },
  ]

  /// A bundle composed of another one's chunks.
  private static func chunks(_ bytes: [UInt8], _ order: [Int]) -> [UInt8] {
    order.reduce(into: Array(bytes.prefix(header))) { $0 += bytes.dropFirst(header + $1 * chunk).prefix(chunk) }
  }

  private static func flipped(_ bytes: [UInt8], _ offset: Int) -> [UInt8] {
    var bytes = bytes
    bytes[offset] ^= 1
    return bytes
  }

  @Test("an altered bundle is detected and named, and leaves no files", arguments: tamperings)
  func tampering(_ tampering: Tampering) throws {
    try withBundle { folder, path, bytes in
      let changed = tampering.edit(bytes)
      #expect(changed != bytes)
      try write(changed, to: path)
      let error = #expect(throws: VerifyError.self) {
        try EvidenceBundle.extract(path: path, key: key, to: folder + "/out")
      }
      #expect(
        error?.code == tampering.code && error?.message.contains(tampering.text) == true, "\(error?.message ?? "")")
      #expect(names(in: folder) == ["evidence.fvb"])
    }
  }

  @Test("a bundle for another recipient names it, and a signing key opens nothing")
  func foreign() throws {
    try withBundle { folder, path, _ in
      let other = try PrivateKey(for: .encryption)
      let error = #expect(throws: VerifyError.self) {
        try EvidenceBundle.extract(path: path, key: other, to: folder + "/o")
      }
      #expect(error?.code == .badArgument && error?.message.contains(key.publicKey.fingerprint) == true)
      let signing = try PrivateKey(for: .signing)
      #expect(throws: VerifyError(.badArgument, "")) { try EvidenceBundle.read(path: path, key: signing) { _, _ in } }
      #expect(throws: VerifyError(.badArgument, "")) {
        try EvidenceBundleWriter(path: folder + "/b", recipient: signing.publicKey)
      }
    }
  }

  @Test("an abandoned writer leaves no files, and a finished one accepts nothing more")
  func unfinished() throws {
    try withTemporaryFolder { folder in
      do {
        let writer = try EvidenceBundleWriter(path: folder + "/a", recipient: key.publicKey)
        try writer.add([1], as: "record.json")
        #expect(throws: VerifyError(.badArgument, "")) { try writer.add([1], as: "../record.json") }
      }
      #expect(names(in: folder).isEmpty)
      let writer = try EvidenceBundleWriter(path: folder + "/a", recipient: key.publicKey)
      try writer.finish()
      #expect(throws: VerifyError(.wrongState, "")) { try writer.finish() }
      #expect(throws: VerifyError(.unwritable, "")) {
        try EvidenceBundleWriter(path: folder + "/nowhere/a", recipient: key.publicKey)
      }
    }
  }

  @Test("an archive with unsafe paths, or none, is rejected: anyone can encrypt to a public key")
  func hostile() throws {
    let good = try Tar.header(name: "record.json", size: 1)
    func header(_ edit: (inout [UInt8]) -> Void) -> [UInt8] {
      var header = good
      edit(&header)
      header.replaceSubrange(148..<156, with: Array("\(octal(Tar.checksum(header)))\u{0} ".utf8))
      return header
    }
    func octal(_ number: Int) -> String { String(("000000" + String(number, radix: 8)).suffix(6)) }
    func named(_ name: String) -> [UInt8] {
      header {
        $0.replaceSubrange(0..<100, with: Array(name.utf8) + [UInt8](repeating: 0, count: 100 - name.utf8.count))
      }
    }
    let content: [UInt8] = [65] + [UInt8](repeating: 0, count: 511)
    let archives: [[UInt8]] = [
      [], good, good + content, good + content + Tar.end + [1] + content.dropFirst(),
      good + content + good + content + Tar.end,
      [UInt8](repeating: 65, count: 512), named("../a") + content + Tar.end, named("/etc/a") + content + Tar.end,
      named("inputs/../a") + content + Tar.end, named(".a") + content + Tar.end, named("other/a") + content + Tar.end,
      named("a b") + content + Tar.end, named("") + content + Tar.end,
      // A link, a folder, an extended header.
      header { $0[156] = UInt8(ascii: "2") } + Tar.end, header { $0[156] = UInt8(ascii: "5") } + Tar.end,
      header { $0[156] = UInt8(ascii: "x") } + Tar.end, header { $0[345] = UInt8(ascii: "a") } + content + Tar.end,
      header { $0.replaceSubrange(124..<136, with: Array("77777777777\u{0}".utf8)) } + content + Tar.end,
      header { $0.replaceSubrange(124..<136, with: Array("-0000000001\u{0}".utf8)) } + content + Tar.end,
      header { $0[124] = 0x80 } + content + Tar.end,
    ]
    for (i, archive) in archives.enumerated() {
      let error = #expect(throws: VerifyError.self, "\(i)") {
        var reader = TarReader()
        try reader.take(archive) { _, _ in }
        try reader.finish()
      }
      #expect(error?.code == .damaged || error?.code == .tooLarge, "\(i)")
    }
    var reader = TarReader()
    for byte in good + content + Tar.end { try reader.take([byte]) { #expect($0 == "record.json" && $1 == [65]) } }
    try reader.finish()
  }

  @Test("a PNG file with anything but a picture is found")
  func png() throws {
    let bytes = try PixelBuffer(width: 2, height: 1, rgb: [1, 2, 3, 4, 5, 6]).encodedAsPNG()
    let note: [UInt8] = [0, 0, 0, 1] + Array("tEXt".utf8) + [0, 0, 0, 0, 0]
    #expect(!EvidenceBundle.hasMore(thanPicture: bytes) && !EvidenceBundle.hasMore(thanPicture: Array("BM".utf8)))
    #expect(EvidenceBundle.hasMore(thanPicture: bytes + [0]))
    #expect(EvidenceBundle.hasMore(thanPicture: bytes.dropLast(12) + note + bytes.suffix(12)))
    for count in 8..<bytes.count { #expect(EvidenceBundle.hasMore(thanPicture: Array(bytes.prefix(count)))) }
  }
}
