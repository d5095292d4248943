import Testing

@testable import DocumentImaging

@Suite("Pages: geometry")
struct PageGeometryTests {
  @Test("a parabola passes through its points, and keeps its values when shifted")
  func parabola() throws {
    let made = Parabola(a: 3, b: -0.5, c: 0.02)
    let points = (-20...20).map { (x: Double($0), y: made(Double($0)), weight: 1.0 + Double($0 % 3)) }
    let found = try #require(Parabola(through: points))
    for x in [-30.0, 0, 12.5] {
      #expect(abs(found(x) - made(x)) < 1e-6)
      #expect(abs(found.moved(to: 7)(x - 7) - made(x)) < 1e-6)
    }
    #expect(Parabola(through: [(x: 1.0, y: 1.0, weight: 1.0), (x: 2.0, y: 1.0, weight: 1.0)]) == nil)
  }

  @Test("a line maps points to positions along and below it and back, also when read in reverse")
  func line() {
    let line = TextLine(
      middle: Point(x: 100, y: 50), angle: 0.3, length: 80, capHeight: 10, curvature: Parabola(a: 1, b: 0.02, c: 0.001))
    for (u, v) in [(0.0, 0.0), (-30, 5), (40, -8)] {
      let place = line.coordinates(of: line.point(u, v))
      #expect(abs(place.u - u) < 0.6 && abs(place.v - v) < 0.2)
      let back = line.reversed.point(-u, -v)
      #expect(abs(back.x - line.point(u, v).x) < 1e-9 && abs(back.y - line.point(u, v).y) < 1e-9)
    }
  }

  /// A zone of 44 characters at a passport's position, rotated by `angle`.
  private func zone(angle: Double, scale: Double) -> ZoneReading {
    let (c, s) = (cosine(angle) * scale, sine(angle) * scale)
    func place(_ x: Double, _ y: Double) -> Point { Point(x: 500 + c * x - s * y, y: 400 + s * x + c * y) }
    let line = [[Float]](repeating: [Float](repeating: 1 / 37, count: 37), count: 44)
    return ZoneReading(
      probabilities: [line, line], corners: [], score: 0, capHeight: 2.45 * scale,
      lastLine: (place(0, 0), place(44 * 2.54, 0)))
  }

  @Test("a passport's corners follow from its zone at any rotation", arguments: [0.0, 0.4, 1.6, -2.8])
  func frame(angle: Double) throws {
    let frame = try #require(PageOutline(zone(angle: angle, scale: 3), isVisa: false))
    #expect(abs(frame.scale - 3) < 1e-9 && (frame.width, frame.height) == (125, 88))
    let corners = frame.corners
    #expect(abs(corners[0].distance(to: corners[1]) - 375) < 1e-6)
    #expect(abs(corners[1].distance(to: corners[2]) - 264) < 1e-6)
    let back = frame.millimetres(frame.point(12, 34))
    #expect(abs(back.x - 12) < 1e-9 && abs(back.y - 34) < 1e-9)
  }

  @Test("the fraction of a page outside the picture is reported")
  func outside() throws {
    let frame = try #require(PageOutline(zone(angle: 0, scale: 3), isVisa: false))
    let (left, top) = (frame.corners[0].x, frame.corners[0].y)
    #expect(frame.shareOutside(width: Int(left) + 400, height: Int(top) + 300) == 0)
    #expect(abs(frame.shareOutside(width: Int(left + 187.5), height: Int(top) + 300) - 0.5) < 0.03)
    #expect(frame.shareOutside(width: 1, height: 1) == 1)
  }

  @Test("small text is sampled from the picture itself, large text from a reduced one")
  func levels() throws {
    let picture = PixelBuffer(width: 1024, height: 512) { out in
      for i in out.indices { out[i] = UInt8((i / 3) % 1024 % 2 == 0 ? 0 : 200) }
    }
    let luma = PageLuma(picture)
    #expect(luma.level(pixelsApart: 1).scale == 1)
    let coarse = luma.level(pixelsApart: 2)
    #expect(coarse.scale == 2)
    // Stripes of one pixel are grey there.
    #expect(abs(coarse.value(at: Point(x: 300, y: 100)) - 100) <= 1)
    #expect(luma.level(pixelsApart: 1).value(at: Point(x: -5, y: -5)) == 0)
  }
}

private func cosine(_ angle: Double) -> Double { AffineMap(scale: 1, angle: angle, origin: Point(x: 0, y: 0)).xx }
private func sine(_ angle: Double) -> Double { AffineMap(scale: 1, angle: angle, origin: Point(x: 0, y: 0)).yx }
