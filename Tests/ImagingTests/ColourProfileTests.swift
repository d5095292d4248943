import TestSupport
import Testing

@testable import Imaging

@Suite("Photo: colour profiles")
struct ColourProfileTests {
  /// Maximum error of the scene's pixels after rounding to 8 bits in the other space: `make.py` prints 5.1 and 7.1.
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
    // A lower resolution of JPEG 2000 is not a mean.
    guard photo.format != "jpeg2000" else { return }
    // And a mean in one colour space differs from that in another.
    let reduced = Scene.difference(try photo.pixels(reduction: 4)) { Scene.mean(x: $0, y: $1, side: 4) }
    #expect(reduced <= tolerance + 1)
  }

  @Test("without its profile a picture has wrong colours")
  func ignored() throws {
    let bytes = try RegularFile.read(path: Fixture.path("cicp.png"), maximumBytes: 1 << 16)
    let place = try #require(bytes.firstRange(of: Array("cICP".utf8)))
    var changed = bytes
    changed.replaceSubrange(place, with: Array("cIcP".utf8))
    // Its checksum is wrong, which libpng ignores in ancillary chunks.
    #expect(Scene.difference(try Photo(bytes: changed).pixels(), Scene.colour) > 25)
  }

  @Test("a grey picture is converted by its own curve")
  func grey() throws {
    #expect(Scene.difference(try Fixture.photo("gamma.png").pixels(), Scene.grey) <= 2)
  }

  @Test("an ink picture is converted by its own profile, which is grey for all inks")
  func inks() throws {
    let picture = try Fixture.photo("inks.jpg").pixels()
    for (x, y) in [(5, 5), (40, 5), (40, 28), (5, 28)] {
      let colour = picture[x, y].map(Int.init)
      let spread = (colour.max() ?? 0) - (colour.min() ?? 0)
      #expect(spread <= 4 && (60...235).contains(colour[0]), "\(colour)")
    }
  }

  @Test("an sRGB profile costs nothing")
  func standard() throws {
    let bytes = try RegularFile.read(path: Fixture.path("srgb.png"), maximumBytes: 1 << 16)
    let header = try ImageCodec.header(of: bytes)
    #expect(header.colour == nil && header.warnings.isEmpty)
    #expect(Scene.difference(try Fixture.photo("srgb.png").pixels(), Scene.colour) <= 0.5)
  }

  @Test(
    "a malformed profile, or one for another colour type, is ignored with a warning",
    arguments: [
      "broken-profile.jpg", "half-profile.jpg", "broken-profile.png", "inks-profile.png", "pq.png",
      "broken-profile.webp", "broken-profile.tif",
    ])
  func broken(name: String) throws {
    let photo = try Fixture.photo(name)
    #expect(photo.warnings == [.colourProfileIgnored])
    #expect(Scene.difference(try photo.pixels(), Scene.colour) <= (name.hasSuffix("jpg") ? 8 : 0.5))
  }

  @Test("profiles of random bytes are a VerifyError or harmless")
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
