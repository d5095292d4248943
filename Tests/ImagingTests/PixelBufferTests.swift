import Imaging
import Testing

@Suite("Pixel buffer")
struct PixelBufferTests {
  /// A smooth picture, in which rounding by any sampler is small.
  private static func smooth(_ width: Int, _ height: Int) throws -> PixelBuffer {
    var rgb: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        rgb += [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) * 255 / (width + height))]
      }
    }
    return try PixelBuffer(width: width, height: height, rgb: rgb)
  }

  /// Stripes of one pixel, black and white: their mean is mid grey, and any aliasing is visible as contrast.
  private static func stripes(_ side: Int) throws -> PixelBuffer {
    let row = (0..<side).flatMap { x in [UInt8](repeating: x % 2 == 0 ? 0 : 255, count: 3) }
    return try PixelBuffer(width: side, height: side, rgb: (0..<side).flatMap { _ in row })
  }

  /// Straightforward bilinear sampling, black outside.
  private static func reference(_ picture: PixelBuffer, _ map: [Double], _ x: Int, _ y: Int) -> [Double] {
    let px = map[0] * Double(x) + map[1] * Double(y) + map[2]
    let py = map[3] * Double(x) + map[4] * Double(y) + map[5]
    let (left, top) = (px.rounded(.down), py.rounded(.down))
    var sum = [0.0, 0, 0]
    for (dx, dy) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
      let (x, y) = (Int(left + dx), Int(top + dy))
      guard x >= 0, y >= 0, x < picture.width, y < picture.height else { continue }
      let weight = (1 - abs(px - left - dx)) * (1 - abs(py - top - dy))
      for channel in 0..<3 { sum[channel] += weight * Double(picture[x, y, channel]) }
    }
    return sum
  }

  @Test("a crop of any size equals the picture, across the internal tiles")
  func largeCrop() throws {
    let picture = try Self.smooth(9000, 20)
    #expect(picture.crop(map: [1, 0, 0, 0, 1, 0], width: 9000, height: 20).rgb == picture.rgb)
    #expect(picture.crop(map: [1, 0, 100, 0, 1, 0], width: 8300, height: 1).rgb == Array(picture.rgb[300..<3 * 8400]))
  }

  @Test(
    "a crop equals bilinear sampling",
    arguments: [
      [1.0, 0, 0, 0, 1, 0], [1, 0, 17, 0, 1, 9], [1, 0, 10.5, 0, 1, 3.25], [0.8, -0.6, 60, 0.6, 0.8, 20],
      [0.3, 0.1, 50, -0.1, 0.3, 40], [1.4, 0.9, 10, -0.9, 1.4, 70], [1, 0, -30, 0, 1, -30], [-1, 0, 180, 0, 1, 0],
    ])
  func crop(map: [Double]) throws {
    let picture = try Self.smooth(200, 150)
    let crop = picture.crop(map: map, width: 64, height: 48)
    #expect((crop.width, crop.height) == (64, 48))
    // The backend quantises positions to 1/32 of a pixel, which is visible at black borders.
    #expect(Scene.difference(crop) { Self.reference(picture, map, $0, $1) } <= 4.5)
  }

  @Test("a reducing crop keeps positions, without a shift", arguments: [2.0, 2.5, 3, 5, 7.9])
  func shrinkingCrop(scale: Double) throws {
    let picture = try Self.smooth(400, 300)
    let width = Int(300 / scale)
    let height = Int(200 / scale)
    let map = [scale, 0, 41.5, 0, scale, 37.25]
    let crop = picture.crop(map: map, width: width, height: height)
    #expect(Scene.difference(crop) { Self.reference(picture, map, $0, $1) } <= 1.5)
    let turned = [scale * 0.8, -scale * 0.6, 190, scale * 0.6, scale * 0.8, 60]
    let tilted = picture.crop(map: turned, width: width / 2, height: height / 2)
    #expect(Scene.difference(tilted) { Self.reference(picture, turned, $0, $1) } <= 1.5)
  }

  @Test("reducing does not alias", arguments: [2.0, 3, 4, 6.5])
  func noAlias(scale: Double) throws {
    let picture = try Self.stripes(256)
    let side = Int(200 / scale)
    let crop = picture.crop(map: [scale, 0, 20, 0, scale, 20], width: side, height: side)
    let spread = Scene.difference(crop) { _, _ in [127.5, 127.5, 127.5] }
    #expect(spread <= (scale == 2 || scale == 4 ? 1 : 45))
    let small = picture.resized(width: 64, height: 64)
    #expect(Scene.difference(small) { _, _ in [127.5, 127.5, 127.5] } <= 1)
  }

  @Test("a crop at the edge of a reduced picture has its last pixels")
  func edge() throws {
    let white = try PixelBuffer(width: 101, height: 67, rgb: [UInt8](repeating: 255, count: 3 * 101 * 67))
    let crop = white.crop(map: [4, 0, 1.5, 0, 4, 1.5], width: 25, height: 16)
    #expect(crop.rgb.allSatisfy { $0 == 255 })
  }

  @Test("beyond its edges, a picture is mirrored on request and otherwise black", arguments: [1, 2])
  func mirrored(_ scale: Int) throws {
    let (width, height) = (40, 30)
    let picture = try PixelBuffer(
      width: width, height: height,
      rgb: (0..<width * height).flatMap { [UInt8(5 * ($0 % width)), UInt8(7 * ($0 / width)), 100] })
    let beyond = 8
    let map = [Double(scale), 0, -Double(beyond), 0, Double(scale), -Double(beyond)]
    func blue(_ mirrored: Bool) -> Set<UInt8> {
      let rgb = picture.crop(map: map, width: 56 / scale, height: 46 / scale, mirrored: mirrored).rgb
      return Set(stride(from: 2, to: rgb.count, by: 3).map { rgb[$0] })
    }
    #expect(blue(true) == [100])
    #expect(blue(false).contains(0))
    let crop = picture.crop(map: map, width: 56 / scale, height: 46 / scale, mirrored: true)
    let edge = beyond / scale
    for i in 1..<edge {
      let (outside, inside) = (3 * (20 * crop.width + edge - i), 3 * (20 * crop.width + edge - 1 + i))
      #expect(abs(Int(crop.rgb[outside]) - Int(crop.rgb[inside])) <= 5 * scale)
    }
  }

  @Test("maps outside of the picture yield black")
  func strangeMaps() throws {
    let picture = try Self.smooth(40, 30)
    for map in [
      [1, 0, 1e9, 0, 1, 0], [.nan, 0, 0, 0, 1, 0], [.infinity, 0, 0, 0, 1, 0], [1, 0, .nan, 0, 1, 0],
      [1, 0, 0, 0, 1, -1e300], [1e7, 0, 0, 0, 1e7, 0], [1, 0, 40, 0, 1, 30],
    ] as [[Double]] {
      #expect(picture.crop(map: map, width: 8, height: 8).rgb.allSatisfy { $0 == 0 }, "\(map)")
    }
    let point = picture.crop(map: [0, 0, 5, 0, 0, 6], width: 8, height: 8)
    #expect(Scene.difference(point) { _, _ in picture[5, 6].map(Double.init) } == 0)
    let far = picture.crop(map: [4000, 0, -8000, 0, 4000, -8000], width: 8, height: 8)
    #expect(far.width == 8)
  }

  @Test("a picture is resized by area or bilinearly")
  func resize() throws {
    let scene = try Fixture.photo("colour.png").pixels()
    let half = scene.resized(width: 24, height: 16)
    #expect(Scene.difference(half) { Scene.mean(x: $0, y: $1, side: 2) } <= 1)
    let grown = try Self.smooth(20, 20).resized(width: 40, height: 10)
    #expect((grown.width, grown.height) == (40, 10))
    #expect(grown[0, 0, 0] < grown[20, 0, 0] && grown[20, 0, 0] < grown[39, 0, 0])
  }

  @Test("the luma of the primaries, black and white is that of the standard")
  func luma() throws {
    let picture = try PixelBuffer(
      width: 5, height: 1, rgb: [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255])
    #expect(picture.luma() == [76, 150, 29, 0, 255])
  }

  @Test("a PNG round trip is lossless")
  func roundTrip() throws {
    for picture in [try Self.smooth(33, 21), try Self.stripes(1), try Fixture.photo("colour.jpg").pixels()] {
      let back = try Photo(bytes: picture.encodedAsPNG())
      #expect(back.format == "png")
      #expect(try back.pixels().rgb == picture.rgb)
    }
  }

  @Test("drawing stays within its marks and the picture")
  func drawing() throws {
    var picture = try PixelBuffer(width: 60, height: 40, rgb: [UInt8](repeating: 0, count: 7200))
    picture.drawDisc(centre: Point(x: 10.5, y: 10.5), radius: 4, colour: 0xFF8000)
    #expect(picture[10, 10] == [255, 128, 0])
    #expect(picture[20, 10] == [0, 0, 0])
    picture.drawLine(from: Point(x: 0, y: 30.5), to: Point(x: 60, y: 30.5), colour: 0x00FF00, thickness: 1)
    #expect(picture[30, 30, 1] > 200)
    picture.drawText("Ag", at: Point(x: 30, y: 20), size: 10, colour: 0xFFFFFF)
    #expect(picture.rgb.contains(255))
    for far in [-1e9, 1e9, .nan, .infinity] as [Double] {
      picture.drawDisc(centre: Point(x: far, y: 3), radius: 4, colour: 0xFF)
      picture.drawLine(from: Point(x: far, y: far), to: Point(x: 3, y: 3), colour: 0xFF)
      picture.drawText("far", at: Point(x: far, y: far), size: 8, colour: 0xFF)
      picture.drawText("size", at: Point(x: 1, y: 1), size: far, colour: 0xFF)
    }
    picture.drawLine(from: Point(x: -5e5, y: -5e5), to: Point(x: 5e5, y: 5e5), colour: 0xFF, thickness: 300)
  }

  @Test("rectangles are filled, translucent, clipped, or outside")
  func rectangle() throws {
    var picture = try PixelBuffer(width: 8, height: 8, rgb: [UInt8](repeating: 100, count: 192))
    func red(_ x: Int, _ y: Int) -> UInt8 { picture.rgb[3 * (y * 8 + x)] }
    picture.fill(Rectangle(x: 2, y: 2, width: 3, height: 2), colour: 0xFF0000)
    #expect(red(2, 2) == 255 && red(4, 3) == 255 && red(5, 3) == 100 && red(2, 4) == 100 && red(1, 2) == 100)
    picture.fill(Rectangle(x: -5, y: -5, width: 7, height: 7), colour: 0, opacity: 0.5)
    #expect(red(0, 0) == 50 && red(1, 1) == 50 && red(2, 2) == 255)
    let before = picture.rgb
    for far in [1e9, -1e9, .nan, .infinity] {
      picture.fill(Rectangle(x: far, y: 1, width: 2, height: 2), colour: 0xFF)
      picture.fill(Rectangle(x: 1, y: 1, width: 2, height: 2), colour: 0xFF, opacity: far == 1e9 ? 2 : far)
    }
    #expect(picture.rgb == before)
  }

  @Test("the width of a text is known before drawing")
  func textWidth() throws {
    let width = PixelBuffer.widthOfText("Head", size: 13)
    #expect(width > 30 && width < 60 && PixelBuffer.widthOfText("Head Head", size: 13) > 2 * width)
    #expect(PixelBuffer.widthOfText("", size: 13) == 0 && PixelBuffer.widthOfText("a", size: .nan) == 0)
    var plain = try PixelBuffer(width: 60, height: 30, rgb: [UInt8](repeating: 200, count: 5400))
    plain.drawText("I", at: Point(x: 30, y: 22), size: 10, colour: 0, isPlated: false)
    #expect(plain.rgb[0] == 200 && plain.rgb.contains { $0 < 50 })
    // Without a plate, the background next to the letter is unchanged.
    #expect(plain.rgb[3 * (15 * 60 + 27)] == 200)
  }
}
