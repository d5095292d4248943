import EngineTestSupport
import FaceVerify
import Glibc
import TestSupport
import Testing

@Suite("Files are written atomically")
struct RegularFileTests {
  @Test("a file is replaced, also through a link, and no temporary file remains")
  func replace() throws {
    try withTemporaryFolder { folder in
      try RegularFile.write([1], to: folder + "/a", permissions: 0o600)
      #expect(symlink(folder + "/a", folder + "/b") == 0)
      try RegularFile.write([2, 3], to: folder + "/b")
      #expect(try RegularFile.read(path: folder + "/a", maximumBytes: 10) == [2, 3])
      #expect(names(in: folder) == ["a", "b"])
    }
  }

  @Test(
    "a device, a directory and a missing folder are errors", arguments: ["/dev/null", "/tmp", "/nonexistent/a", ""])
  func refused(path: String) {
    let found = code { try RegularFile.write([1], to: path) }
    #expect(found == .unwritable || found == .badArgument)
  }

  @Test("a temporary file is removed with its value")
  func temporary() throws {
    try withTemporaryFolder { folder in
      do {
        let file = try TemporaryFile(for: folder + "/a")
        #expect(names(in: folder).count == 1 && file.descriptor >= 0)
      }
      #expect(names(in: folder).isEmpty)
    }
  }
}
