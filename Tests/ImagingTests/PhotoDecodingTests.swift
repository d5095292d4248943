import Imaging
import Testing

@Suite("Photo: decoding")
struct PhotoDecodingTests {
  /// File, kind, tolerance, margin around the lines between the quarters.
  static let colour: [(String, String, Double, Int)] = [
    ("colour.jpg", "jpeg", 8, 0), ("halved.jpg", "jpeg", 12, 2), ("progressive.jpg", "jpeg", 8, 0),
    ("extraneous.jpg", "jpeg", 8, 0), ("exif-hostile.jpg", "jpeg", 8, 0),
    ("cmyk-adobe.jpg", "jpeg", 8, 0), ("cmyk.jpg", "jpeg", 8, 0), ("ycck-adobe.jpg", "jpeg", 8, 0),
    ("colour.png", "png", 0.5, 0), ("interlaced.png", "png", 0.5, 0), ("rgb16.png", "png", 0.51, 0),
    ("exif-6.png", "png", 0.5, 0),
    ("colour.jp2", "jpeg2000", 0.5, 0), ("colour.j2k", "jpeg2000", 0.5, 0), ("flat.j2k", "jpeg2000", 0.5, 0),
    ("tiles.j2k", "jpeg2000", 0.5, 0), ("halved.jp2", "jpeg2000", 8, 2), ("halved.j2k", "jpeg2000", 8, 2),
    ("lzw.tif", "tiff", 0.5, 0), ("packed.tif", "tiff", 0.5, 0), ("plain.tif", "tiff", 0.5, 0),
    ("turned.tif", "tiff", 0.5, 0), ("jpeg.tif", "tiff", 12, 2), ("colour.webp", "webp", 0.5, 0),
    ("lossy.webp", "webp", 16, 2), ("exif-6.webp", "webp", 0.5, 0), ("colour.bmp", "bmp", 0.5, 0),
    ("alpha.bmp", "bmp", 0.5, 0),
  ]

  @Test("a photo that caches its pictures is decoded once", arguments: ["colour.jpg", "colour.png", "turned.tif"])
  func kept(name: String) throws {
    let photo = try Fixture.photo(name)
    let kept = photo.keepingPictures()
    for reduction in [1, 2] {
      let pictures = try [kept, kept, photo].map { try $0.pixels(reduction: reduction) }
      #expect(pictures[0].rgb == pictures[2].rgb)
      // Both share the same memory.
      let places = pictures.map { $0.rgb.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
      #expect(places[0] == places[1] && places[0] != places[2])
    }
    let notKept = photo.keepingPictures(if: false)
    let pictures = try (0..<2).map { _ in try notKept.pixels() }
    #expect(pictures[0].rgb == pictures[1].rgb)
  }

  @Test("a photo whose pixels are known is not decoded; decoding its PNG yields the same pixels")
  func known() throws {
    let picture = try Fixture.photo("colour.jpg").pixels()
    let bytes = try picture.encodedAsPNG()
    #expect(try Photo(bytes: bytes).pixels().rgb == picture.rgb)
    let other = PixelBuffer(width: picture.width, height: picture.height) { $0.update(repeating: 7) }
    #expect(try Photo(bytes: bytes, decoded: other).pixels().rgb == other.rgb)
  }

  // Rows: V4.16-e
  @Test("colour pictures have the scene's pixels", arguments: colour)
  func colourPixels(name: String, format: String, tolerance: Double, margin: Int) throws {
    let photo = try Fixture.photo(name)
    #expect(photo.format == format)
    #expect((photo.width, photo.height) == (Scene.width, Scene.height))
    #expect(Scene.difference(try photo.pixels(), margin: margin, Scene.colour) <= tolerance)
  }

  @Test(
    "grey pictures have three equal channels",
    arguments: [
      ("grey.jpg", 6.0), ("grey8.png", 0.5), ("grey16.png", 0.5), ("grey.jp2", 0.5), ("grey16.jp2", 0.5),
      ("grey.tif", 0.5), ("grey-jpeg.tif", 6), ("grey.bmp", 0.5),
    ])
  func greyPixels(name: String, tolerance: Double) throws {
    #expect(Scene.difference(try Fixture.photo(name).pixels(), Scene.grey) <= tolerance)
  }

  @Test(
    "scans equal the same picture as PNG",
    arguments: [("noise.tif", "noise-tif.png"), ("two-tone.bmp", "two-tone.png")])
  func scans(scan: String, same: String) throws {
    #expect(try Fixture.photo(scan).pixels().rgb == Fixture.photo(same).pixels().rgb)
  }

  // Rows: J28
  @Test("all EXIF orientations of a JPEG are applied, in both byte orders", arguments: 1...8)
  func orientation(number: Int) throws {
    let photo = try Fixture.photo("exif-\(number).jpg")
    #expect((photo.width, photo.height) == (Scene.width, Scene.height))
    #expect(Scene.difference(try photo.pixels(), Scene.colour) <= 8)
    let half = try photo.pixels(reduction: 2)
    #expect(Scene.difference(half) { Scene.mean(x: $0, y: $1, side: 2) } <= 10)
  }

  @Test("a reduced picture is the mean of the full one", arguments: [2, 4, 8])
  func reduction(side: Int) throws {
    let cases: [(String, Double, Int)] = [
      ("colour.png", 1, 0), ("interlaced.png", 1, 0), ("colour.jpg", 10, 0), ("progressive.jpg", 10, 0),
      ("cmyk-adobe.jpg", 10, 0), ("flat.j2k", 1, 0),
      ("colour.webp", 2, 0), ("lossy.webp", 20, 8 / side),
      // A lower resolution of JPEG 2000 is close to the mean, but bleeds at colour edges.
      ("colour.jp2", 25, 1), ("tiles.j2k", 25, 1), ("halved.jp2", 25, 12 / side),
    ]
    for (name, tolerance, margin) in cases {
      let picture = try Fixture.photo(name).pixels(reduction: side)
      #expect((picture.width, picture.height) == (Scene.width / side, Scene.height / side), "\(name)")
      let difference = Scene.difference(picture, margin: margin) { Scene.mean(x: $0, y: $1, side: side) }
      #expect(difference <= tolerance, "\(name)")
    }
  }

  @Test(
    "a picture of one pixel is decoded at every reduction",
    arguments: ["one.jpg", "one.png", "one.jp2", "one.webp", "interlaced-one.png"])
  func onePixel(name: String) throws {
    let photo = try Fixture.photo(name)
    for reduction in [1, 2, 4, 8] {
      let picture = try photo.pixels(reduction: reduction)
      #expect((picture.width, picture.height) == (1, 1))
      for (value, wanted) in zip(picture.rgb, [200, 100, 50]) { #expect(abs(Int(value) - wanted) <= 3) }
    }
  }

  @Test("grey of 1, 2 and 4 bits spans black to white", arguments: [1, 2, 4])
  func fewBits(bits: Int) throws {
    let picture = try Fixture.photo("grey\(bits).png").pixels()
    let top = 1 << bits - 1
    for x in 0..<16 { #expect(Int(picture[x, 0, 1]) == x % (1 << bits) * 255 / top) }
  }

  @Test("transparency is blended over white")
  func transparency() throws {
    let palette = try Fixture.photo("palette.png").pixels()
    #expect(palette.rgb == [255, 0, 0, 127, 255, 127, 255, 255, 255, 0, 0, 0])
    #expect(try Fixture.photo("grey-alpha.png").pixels().rgb == [100, 100, 100, 255, 255, 255])
    let half = Scene.difference(try Fixture.photo("alpha.png").pixels()) { x, y in
      x < Scene.width / 2 ? Scene.colour(x: x, y: y) : Scene.colour(x: x, y: y).map { 0.2 * $0 + 204 }
    }
    #expect(half <= 1)
    let boxed = Scene.difference(try Fixture.photo("alpha.jp2").pixels()) { x, y in
      Scene.colour(x: x, y: y).map { 0.2 * $0 + 204 }
    }
    #expect(boxed <= 1)
    for (name, tolerance, margin) in [("alpha.webp", 1.0, 0), ("lossy-alpha.webp", 6, 2)] {
      let difference = Scene.difference(try Fixture.photo(name).pixels(), margin: margin) { x, y in
        Scene.colour(x: x, y: y).map { 0.2 * $0 + 204 }
      }
      #expect(difference <= tolerance, "\(name)")
    }
  }

  @Test("the same bytes give the same pixels")
  func deterministic() throws {
    for name in ["colour.jpg", "colour.jp2", "interlaced.png"] {
      #expect(try Fixture.photo(name).pixels(reduction: 2).rgb == Fixture.photo(name).pixels(reduction: 2).rgb)
    }
  }
}
