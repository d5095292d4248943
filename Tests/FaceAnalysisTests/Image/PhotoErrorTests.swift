import FaceAnalysis
import Glibc
import Testing

@Suite("Photo: what cannot be read")
struct PhotoErrorTests {
  /// Runs the whole reading and gives what it throws.
  private func failure(_ body: () throws -> Photo) -> VerifyError? {
    do {
      _ = try body().pixels()
      return nil
    } catch {
      return error as? VerifyError
    }
  }

  @Test(
    "a truncated or broken file is damaged, and the message says so",
    arguments: [
      ("truncated.jpg", "truncated"), ("no-end.jpg", "truncated"), ("truncated.png", "truncated"),
      ("no-end.png", "truncated"), ("truncated.jp2", "truncated"), ("truncated.j2k", "truncated"),
      ("flipped.png", "broken"), ("zero.png", "a side that is 0"),
    ])
  func damaged(name: String, word: String) throws {
    let error = try #require(failure { try Fixture.photo(name) })
    #expect(error.code == .damaged)
    #expect(error.message.contains(word) && error.message.contains(name), "\(error.message)")
    #expect(!error.message.contains("\n"))
  }

  @Test("every cut of a file is an error, never a picture", arguments: ["colour.jpg", "colour.png", "colour.jp2"])
  func everyCut(name: String) throws {
    let whole = try bytes(of: name)
    for length in stride(from: 1, to: whole.count - 2, by: 7) {
      let error = failure { try Photo(bytes: Array(whole[..<length])) }
      #expect(error?.code == .damaged || error?.code == .unknownFormat, "\(name) cut to \(length)")
    }
  }

  @Test("a huge picture is refused by its header", arguments: ["huge.png", "huge.jpg", "huge.jp2"])
  func huge(name: String) throws {
    let error = try #require(failure { try Fixture.photo(name) })
    #expect(error.code == .tooLarge)
    #expect(error.message.contains("30000×30000") && error.message.contains("raise the limit"), "\(error.message)")
  }

  @Test("limits are the caller's")
  func limits() throws {
    let size = try bytes(of: "colour.png")
    #expect(failure { try Photo(bytes: size, limits: ImageLimits(maximumPixels: 48 * 32)) } == nil)
    #expect(failure { try Photo(bytes: size, limits: ImageLimits(maximumPixels: 48 * 32 - 1)) }?.code == .tooLarge)
    let few = ImageLimits(maximumBytes: size.count - 1)
    #expect(failure { try Photo(bytes: size, limits: few) }?.code == .tooLarge)
    #expect(
      failure { try Photo(path: Fixture.path("colour.png"), limits: few) }?.message.contains("maximumBytes") == true)
  }

  @Test("a progressive JPEG of endless scans is refused")
  func scanBomb() throws {
    #expect(failure { try Fixture.photo("scan-bomb.jpg") }?.code == .tooLarge)
  }

  @Test("content decides, not the name")
  func otherContent() throws {
    let text = try #require(failure { try Fixture.photo("text.jpg") })
    #expect(text.code == .unknownFormat)
    #expect(text.message.contains("text file") && text.message.contains("JPEG, PNG, JPEG 2000, TIFF and BMP"))
    let empty = try #require(failure { try Fixture.photo("empty.jpg") })
    #expect(empty.code == .unknownFormat && empty.message.hasSuffix("empty.jpg is empty"))
    #expect(failure { try Photo(bytes: []) }?.message == "the picture is empty")
    #expect(failure { try Photo(bytes: [0, 1, 2, 0xFF]) }?.code == .unknownFormat)
    let heic = Array("\0\0\0\u{18}ftypheic".utf8)
    #expect(failure { try Photo(bytes: heic) }?.message.contains("HEIC") == true)
  }

  @Test("only regular files are read, and nothing waits")
  func specialFiles() throws {
    #expect(failure { try Photo(path: "/no/such/file.jpg") }?.message == "/no/such/file.jpg: there is no such file")
    #expect(failure { try Photo(path: "/tmp") }?.message.contains("directory") == true)
    #expect(failure { try Photo(path: "/dev/zero") }?.code == .unreadable)
    #expect(failure { try Photo(path: "") }?.code == .badArgument)
    #expect(failure { try Photo(path: "a\0b") }?.code == .badArgument)
    #expect(failure { try Photo(path: "line\nbreak") }?.message.contains("\n") == false)

    let pipe = "/tmp/faceverify-pipe-\(getpid())"
    try #require(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    let error = try #require(failure { try Photo(path: pipe) })
    #expect(error.code == .unreadable && error.message.contains("pipe"))
  }

  @Test("another reduction is a bad argument", arguments: [0, 3, -1, 16])
  func reduction(side: Int) throws {
    let photo = try Fixture.photo("colour.png")
    #expect(throws: VerifyError(.badArgument, "")) { try photo.pixels(reduction: side) }
  }

  private func bytes(of name: String) throws -> [UInt8] {
    let file = try #require(fopen(Fixture.path(name), "rb"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<count])
  }
}
