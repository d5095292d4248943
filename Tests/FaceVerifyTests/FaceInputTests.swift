import EngineTestSupport
import FaceVerify
import TestSupport
import Testing

@Suite("FaceInput: detecting the type of a file")
struct FaceInputTests {
  @Test("bytes with a template's signature are read as one, and errors name the file")
  func damagedTemplate() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/person.fvt"
      for (bytes, expected) in [
        (Array("FVTEMPL\u{1}".utf8), VerifyError.Code.damaged),
        (Array("FVTEMPL\u{2}".utf8) + [UInt8](repeating: 0, count: 584), .unknownFormat),
        (Array("FVTEMPL\u{1}".utf8) + [UInt8](repeating: 0, count: 584), .damaged),
      ] {
        try RegularFile.write(bytes, to: path)
        do {
          _ = try FaceInput(path: path)
          Issue.record("no error")
        } catch let error as VerifyError {
          #expect(error.code == expected && error.message.hasPrefix(path))
        }
      }
    }
  }

  @Test("other bytes are a photo, or an error that names the file")
  func photo() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/text.jpg"
      try RegularFile.write(Array("hello".utf8), to: path)
      #expect(code { _ = try FaceInput(path: path) } == .unknownFormat)
      #expect(code { _ = try FaceInput(path: folder) } == .unreadable)
      #expect(code { _ = try FaceInput(path: folder + "/none") } == .unreadable)
      try RegularFile.write(PixelBuffer(width: 1, height: 1, rgb: [1, 2, 3]).encodedAsPNG(), to: path)
      guard case .photo(let photo) = try FaceInput(path: path) else {
        Issue.record("not a photo")
        return
      }
      #expect(photo.width == 1)
    }
  }
}
