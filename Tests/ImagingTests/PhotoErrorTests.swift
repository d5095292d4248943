import Glibc
import Imaging
import Testing

@Suite("Photo: errors")
struct PhotoErrorTests {
  /// Decodes the photo completely and returns the error.
  private func failure(_ body: () throws -> Photo) -> VerifyError? {
    do {
      _ = try body().pixels()
      return nil
    } catch {
      return error as? VerifyError
    }
  }

  @Test(
    "a truncated or malformed file is damaged, and the message states the fault",
    arguments: [
      ("truncated.jpg", "truncated"), ("truncated.webp", "truncated"), ("truncated.png", "truncated"),
      ("no-end.png", "truncated"), ("truncated.jp2", "truncated"), ("truncated.j2k", "truncated"),
      ("flipped.png", "malformed"), ("zero.png", "invalid size"),
    ])
  func damaged(name: String, word: String) throws {
    let error = try #require(failure { try Fixture.photo(name) })
    #expect(error.code == .damaged)
    #expect(error.message.contains(word) && error.message.contains(name), "\(error.message)")
    #expect(!error.message.contains("\n"))
  }

  @Test(
    "every truncation of a file is an error, never a picture",
    arguments: ["colour.png", "colour.jp2", "lossy.webp", "alpha.webp", "jpeg.tif"])
  func everyCut(name: String) throws {
    let whole = try bytes(of: name)
    for length in stride(from: 1, to: whole.count - 2, by: 7) {
      let error = failure { try Photo(bytes: Array(whole[..<length])) }
      #expect(error?.code == .damaged || error?.code == .unknownFormat, "\(name) cut to \(length)")
    }
  }

  @Test("a truncated JPEG is an error, or a picture with a warning", arguments: ["colour.jpg", "progressive.jpg"])
  func everyCutOfJPEG(name: String) throws {
    let whole = try bytes(of: name)
    var read = 0
    for length in stride(from: 1, to: whole.count - 1, by: 5) {
      do {
        let photo = try Photo(bytes: Array(whole[..<length]))
        _ = try photo.pixels()
        #expect(photo.warnings == [.truncated], "\(name) cut to \(length)")
        read += 1
      } catch let error as VerifyError {
        #expect(error.code == .damaged || error.code == .unknownFormat, "\(name) cut to \(length)")
        #expect(read == 0, "\(name) cut to \(length): less of it was read")
      }
    }
    #expect(read > 2)
  }

  @Test("a JPEG without its end is decoded if three quarters of its rows are present", arguments: [1, 2, 8])
  func withoutEnd(reduction: Int) throws {
    let missing = try Fixture.photo("no-end.jpg")
    #expect(missing.warnings == [.truncated])
    #expect(
      try missing.pixels(reduction: reduction).rgb == Fixture.photo("colour.jpg").pixels(reduction: reduction).rgb)
    #expect(try Fixture.photo("colour.jpg").warnings.isEmpty)
    // The scene has four rows of blocks; the first two contain about half of the data.
    let whole = try bytes(of: "colour.jpg")
    let scan = try #require(whole.indices.first { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA })
    let most = try Photo(bytes: Array(whole[..<(whole.count - (whole.count - scan) / 8)]))
    let picture = try most.pixels()
    let last = picture.rgb.suffix(3)
    #expect(last.allSatisfy { (127...128).contains($0) }, "the rows that are missing are grey")
    let upper = try PixelBuffer(width: 48, height: 16, rgb: Array(picture.rgb.prefix(3 * 48 * 16)))
    #expect(Scene.difference(upper) { Scene.colour(x: $0, y: $1) } <= 8)
    let half = failure { try Photo(bytes: Array(whole[..<((whole.count + scan) / 2)])) }
    #expect(half?.code == .damaged && half?.message.contains("three quarters") == true)
  }

  @Test(
    "a huge picture is rejected by its header",
    arguments: [
      ("huge.png", "30000×30000"), ("huge.jpg", "30000×30000"), ("huge.jp2", "30000×30000"),
      ("huge.webp", "16384×16384"),
    ])
  func huge(name: String, size: String) throws {
    let error = try #require(failure { try Fixture.photo(name) })
    #expect(error.code == .tooLarge)
    #expect(error.message.contains(size) && error.message.contains("limit"), "\(error.message)")
  }

  @Test(
    "unsupported variants are rejected, and the error names them",
    arguments: [("animated.webp", "animated"), ("old-jpeg.tif", "old")])
  func variants(name: String, word: String) throws {
    let error = try #require(failure { try Fixture.photo(name) })
    #expect(error.code == .unknownFormat && error.message.contains(word), "\(error.message)")
  }

  @Test("wrong chunk lengths are errors, or have no effect")
  func lyingChunks() throws {
    for name in ["p3.webp", "exif-6.webp", "lossy-alpha.webp", "jpeg.tif", "p3.tif"] {
      let whole = try bytes(of: name)
      for place in stride(from: 4, to: min(whole.count - 4, 400), by: 1) {
        for length in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0xFE, 0xFF, 0xFF, 0x7F]] as [[UInt8]] {
          var changed = whole
          changed.replaceSubrange(place..<place + 4, with: length)
          let limits = ImageLimits(maximumPixels: 1 << 16)
          do { _ = try Photo(bytes: changed, limits: limits).pixels(reduction: 2) } catch {
            #expect(error is VerifyError, "\(name) at \(place)")
          }
        }
      }
    }
  }

  @Test("the caller's limits apply")
  func limits() throws {
    let size = try bytes(of: "colour.png")
    #expect(failure { try Photo(bytes: size, limits: ImageLimits(maximumPixels: 48 * 32)) } == nil)
    #expect(failure { try Photo(bytes: size, limits: ImageLimits(maximumPixels: 48 * 32 - 1)) }?.code == .tooLarge)
    let few = ImageLimits(maximumBytes: size.count - 1)
    #expect(failure { try Photo(bytes: size, limits: few) }?.code == .tooLarge)
    #expect(
      failure { try Photo(path: Fixture.path("colour.png"), limits: few) }?.message.contains("the limit is") == true)
  }

  @Test("a progressive JPEG with too many scans is rejected")
  func scanBomb() throws {
    #expect(failure { try Fixture.photo("scan-bomb.jpg") }?.code == .tooLarge)
  }

  @Test("the content determines the format, not the name")
  func otherContent() throws {
    let text = try #require(failure { try Fixture.photo("text.jpg") })
    #expect(text.code == .unknownFormat)
    #expect(text.message.contains("text file") && text.message.contains(PictureFormat.list))
    #expect(PictureFormat.list == "JPEG, PNG, WebP, HEIC, AVIF, JPEG 2000, TIFF and BMP")
    let empty = try #require(failure { try Fixture.photo("empty.jpg") })
    #expect(empty.code == .unknownFormat && empty.message.hasSuffix("empty.jpg is empty"))
    #expect(failure { try Photo(bytes: []) }?.message == "the picture is empty")
    #expect(failure { try Photo(bytes: [0, 1, 2, 0xFF]) }?.code == .unknownFormat)
    let video = Array("\0\0\0\u{18}ftypisom\0\0\0\0isommp42".utf8)
    #expect(failure { try Photo(bytes: video) }?.message.contains("a video") == true)
  }

  @Test("only regular files are read, and no call blocks")
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

  @Test("an unsupported reduction is a usage error", arguments: [0, 3, -1, 16])
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
