import Imaging
import TestSupport
import Testing

@testable import DocumentImaging

@Suite("Documents found by their edges", .needsModels)
struct DocumentEdgesTests {
  private let finder: DocumentFinder

  init() throws {
    finder = try DocumentFinder(DocumentModels(.outlines, store: ModelStore(folder: Installed.models), threads: 1))
  }

  /// Seen from the front, turned by 20 degrees, and tilted by 25 degrees before a camera with a focal length of 0.9 long
  /// sides.
  private static let views: [[Point]] = [
    [(180, 140), (608, 140), (608, 410), (180, 410)], [(230, 110), (571, 234), (493, 449), (152, 325)],
    [(196.5, 183.7), (603.5, 183.7), (639.6, 437.0), (160.4, 437.0)],
  ].map { $0.map { Point(x: $0.0, y: $0.1) } }

  /// A grey picture of 800 × 600 pixels with cards of ID-1: pale, with a portrait and rows of dark print.
  private func picture(_ cards: [[Point]], width: Int = 800, height: Int = 600) -> PixelBuffer {
    let maps = cards.compactMap { PerspectiveMap(width: 85.6, height: 53.98, to: $0) }
    return PixelBuffer(width: width, height: height) { out in
      for i in 0..<width * height {
        let place = Point(x: Double(i % width) + 0.5, y: Double(i / width) + 0.5)
        let onCard = maps.lazy.map { $0.inverse(place) }.first {
          (0...85.6).contains($0.x) && (0...53.98).contains($0.y)
        }
        let colour = onCard.map(Self.colour) ?? [110, 110, 110]
        for channel in 0..<3 { out[3 * i + channel] = colour[channel] }
      }
    }
  }

  /// The colour of a card at a place in millimetres.
  private static func colour(_ place: Point) -> [UInt8] {
    let (x, y) = (place.x, place.y)
    if (5...25).contains(x) && (10...38).contains(y) {
      let isFace = ((x - 15) / 6) * ((x - 15) / 6) + ((y - 22) / 8) * ((y - 22) / 8) < 1
      return isFace ? [225, 190, 170] : [150, 120, 100]
    }
    let isPrint = x > 30 && y > 6 && y < 48 && Int(y) % 6 == 0 && Int(x * 0.7) % 4 > 0
    return isPrint ? [60, 60, 60] : [200, 220, 230]
  }

  private func distance(_ found: PageOutline, _ card: [Point]) -> Double {
    zip(found.corners, card).map { $0.distance(to: $1) }.max() ?? .infinity
  }

  @Test("the corners of a card are found within 1 % of its diagonal, also with perspective", arguments: views)
  func corners(card: [Point]) throws {
    let found = try finder.outlines(in: picture([card]))
    let outline = try #require(found.first)
    #expect(found.count == 1 && distance(outline, card) < 5)
    #expect((outline.width, outline.height) == (85.6, 53.98))
  }

  @Test("a found card is rectified, with its print in place")
  func rectified() throws {
    let outline = try #require(try finder.outlines(in: picture([Self.views[2]])).first)
    let card = outline.rectified(picture([Self.views[2]]), resolution: 4)
    #expect((card.width, card.height) == (342, 216))
    let front = [(0, 0), (342, 0), (342, 216), (0, 216)].map { Point(x: Double($0.0), y: Double($0.1)) }
    let wanted = picture([front], width: 342, height: 216)
    let differing = zip(card.luma(), wanted.luma()).filter { abs(Int($0) - Int($1)) > 60 }.count
    #expect(Double(differing) < 0.1 * Double(342 * 216))
  }

  @Test("several cards are found, a picture without a card has none")
  func count() throws {
    let left = [(30, 60), (350, 60), (350, 262), (30, 262)].map { Point(x: Double($0.0), y: Double($0.1)) }
    let right = left.map { Point(x: $0.x + 400, y: $0.y + 230) }
    let found = try finder.outlines(in: picture([left, right]))
    #expect(found.count == 2)
    for card in [left, right] { #expect(found.contains { distance($0, card) < 5 }) }
    let none = try finder.outlines(in: picture([]))
    #expect(none.isEmpty)
  }

  @Test("a card beyond the picture's edge is partly outside")
  func cut() throws {
    let card = Self.views[1].map { Point(x: $0.x - 190, y: $0.y) }
    let outline = try #require(try finder.outlines(in: picture([card])).first)
    #expect(distance(outline, card) < 10)
    #expect((0.005...0.05).contains(outline.shareOutside(width: 800, height: 600)))
  }

  @Test("the upper side of an outline follows the direction in which it is upright")
  func turned() throws {
    let outline = try #require(try finder.outlines(in: picture([Self.views[0]])).first)
    #expect(abs(outline.turned(to: 3).angle.magnitude - .pi) < 0.02)
    let vertical = outline.turned(to: 1.5)
    #expect(vertical.height == 85.6 && abs(vertical.angle - .pi / 2) < 0.02)
    #expect(vertical.contains(Point(x: 400, y: 300)) && !vertical.contains(Point(x: 100, y: 100)))
  }

  @Test("an outline is sharpened by the edges of the same document only")
  func sharpened() throws {
    let outline = try #require(try finder.outlines(in: picture([Self.views[2]])).first)
    let near = try #require(outline.scaled(by: 1.05)).sharpened(by: [outline])
    #expect(distance(near, outline.corners) < 1e-9)
    let far = try #require(outline.scaled(by: 1.5))
    #expect(distance(far.sharpened(by: [outline]), far.corners) < 1e-9)
  }

  @Test(
    "tiny, thin, constant, random and striped pictures have no document, and take bounded time",
    arguments: [(1, 1), (2, 3), (4000, 1), (1, 4000), (6000, 12), (700, 700)])
  func hostile(width: Int, height: Int) throws {
    var random = SystemRandomNumberGenerator()
    let fills: [(Int) -> UInt8] = [
      { _ in 0 }, { _ in 255 }, { _ in UInt8.random(in: 0...255, using: &random) },
      { $0 / 3 % width % 16 < 8 ? 0 : 255 }, { ($0 / 3 % width / 20 + $0 / 3 / width / 20) % 2 == 0 ? 0 : 255 },
    ]
    for fill in fills {
      let picture = PixelBuffer(width: width, height: height) { out in for i in out.indices { out[i] = fill(i) } }
      let start = ContinuousClock.now
      let found = try finder.outlines(in: picture)
      #expect(found.isEmpty && start.duration(to: .now) < .seconds(20))
    }
  }

  @Test("a perspective maps corners to corners and back, and rejects what no camera sees")
  func perspective() throws {
    let map = try #require(PerspectiveMap(width: 85.6, height: 53.98, to: Self.views[2]))
    for (x, y, corner) in [(0, 0, 0), (85.6, 0, 1), (85.6, 53.98, 2), (0, 53.98, 3)] {
      #expect(map(Point(x: x, y: y)).distance(to: Self.views[2][corner]) < 1e-9)
      #expect(map.inverse(Self.views[2][corner]).distance(to: Point(x: x, y: y)) < 1e-9)
    }
    let crossed = [Self.views[0][0], Self.views[0][2], Self.views[0][1], Self.views[0][3]]
    let point = [Point](repeating: Point(x: 1, y: 1), count: 4)
    for corners in [crossed, point, [], Array(Self.views[0].prefix(3))] {
      #expect(PerspectiveMap(width: 85.6, height: 53.98, to: corners) == nil)
    }
  }
}
