import Testing

@testable import FaceAnalysis

@Suite("Photo: colour profiles")
struct ColourProfileTests {
  /// How far the scene's pixels are off that were rounded to 8 bits in the other space: `make.py` gives 5.1 and 7.1.
  private static let (p3, adobe) = (5.6, 7.6)

  @Test(
    "pictures in Display P3 and Adobe RGB have the scene's colours in sRGB",
    arguments: [
      ("p3.jpg", 12.0), ("p3-parts.jpg", 12), ("p3.png", p3), ("cicp.png", p3), ("p3.webp", p3), ("p3.tif", p3),
      ("p3.jp2", p3), ("adobe.jpg", 17), ("adobe.png", adobe),
    ])
  func colours(name: String, tolerance: Double) throws {
    let photo = try Fixture.photo(name)
    #expect(photo.warnings.isEmpty)
    #expect(Scene.difference(try photo.pixels(), Scene.colour) <= tolerance)
    // A lower resolution of JPEG 2000 is no mean.
    guard photo.format != "jpeg2000" else { return }
    // And a mean of values in one space is not that in another.
    let reduced = Scene.difference(try photo.pixels(reduction: 4)) { Scene.mean(x: $0, y: $1, side: 4) }
    #expect(reduced <= tolerance + 1)
  }

  @Test("without its profile a picture has other colours: the scene tells")
  func ignored() throws {
    let bytes = try RegularFile.read(path: Fixture.path("cicp.png"), maximumBytes: 1 << 16)
    let place = try #require(bytes.firstRange(of: Array("cICP".utf8)))
    var changed = bytes
    changed.replaceSubrange(place, with: Array("cIcP".utf8))
    // Its checksum does not fit, which libpng overlooks in chunks that do not matter.
    #expect(Scene.difference(try Photo(bytes: changed).pixels(), Scene.colour) > 25)
  }

  @Test("grey under a curve of its own")
  func grey() throws {
    #expect(Scene.difference(try Fixture.photo("gamma.png").pixels(), Scene.grey) <= 2)
  }

  @Test("inks by their own profile: these print grey, all of them")
  func inks() throws {
    let picture = try Fixture.photo("inks.jpg").pixels()
    for (x, y) in [(5, 5), (40, 5), (40, 28), (5, 28)] {
      let colour = picture[x, y].map(Int.init)
      let spread = (colour.max() ?? 0) - (colour.min() ?? 0)
      #expect(spread <= 4 && (60...235).contains(colour[0]), "\(colour)")
    }
  }

  @Test("a profile that is sRGB costs nothing")
  func standard() throws {
    let bytes = try RegularFile.read(path: Fixture.path("srgb.png"), maximumBytes: 1 << 16)
    let header = try ImageCodec.header(of: bytes)
    #expect(header.colour == nil && header.warnings.isEmpty)
    #expect(Scene.difference(try Fixture.photo("srgb.png").pixels(), Scene.colour) <= 0.5)
  }

  @Test(
    "a broken profile, or one of another kind of picture, is ignored with a warning",
    arguments: [
      "broken-profile.jpg", "half-profile.jpg", "broken-profile.png", "inks-profile.png", "pq.png",
      "broken-profile.webp", "broken-profile.tif",
    ])
  func broken(name: String) throws {
    let photo = try Fixture.photo(name)
    #expect(photo.warnings == [.colourProfileIgnored])
    #expect(Scene.difference(try photo.pixels(), Scene.colour) <= (name.hasSuffix("jpg") ? 8 : 0.5))
  }

  @Test("profiles of any bytes are a VerifyError or harmless")
  func hostile() throws {
    let corpus = Fixture.corpus.replacing("/image", with: "/profile")
    for name in Fixture.names(in: corpus) {
      let whole = try RegularFile.read(path: "\(corpus)/\(name)", maximumBytes: 1 << 16)
      for place in stride(from: 0, to: whole.count - 4, by: 3) {
        var changed = whole
        changed.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        do {
          var picture = try PixelBuffer.plain(width: 2, height: 2)
          try ColourTransform.make(profile: changed, isGrey: false)?.apply(to: &picture, .unlimited)
        } catch { #expect(error is VerifyError) }
      }
      #expect(throws: VerifyError.self) { try ColourTransform.make(profile: Array(whole.prefix(130)), isGrey: false) }
    }
  }
}
