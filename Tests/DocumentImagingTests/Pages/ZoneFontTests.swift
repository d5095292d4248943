import Imaging
import Testing

@testable import DocumentImaging

@Suite("The font of a zone")
struct ZoneFontTests {
  /// Two lines of 44 characters, each 16 pixels wide, as drawn by `ink`.
  private static func zone(capHeight: Double = 15.4) -> ZoneReading {
    let ends = (Point(x: 40, y: 130), Point(x: 744, y: 130))
    let half = 0.75 * capHeight
    return ZoneReading(
      probabilities: [],
      corners: [
        Point(x: 40, y: 90 - half), Point(x: 744, y: 90 - half), Point(x: 744, y: 130 + half),
        Point(x: 40, y: 130 + half),
      ], score: 0, capHeight: capHeight, lastLine: ends)
  }

  /// A page on which each `E` of a zone is drawn: as the table's template, or as three bars of a plain font.
  private static func page(_ level: (_ x: Double, _ y: Double) -> Double) -> PixelBuffer {
    PixelBuffer(width: 800, height: 220) { out in
      for i in out.indices {
        let (x, y) = (i / 3 % 800, i / 3 / 800)
        // From the character's centre, in units of a patch's pixels; a capital has 15.4 of the picture's pixels.
        let across = (Double((x - 40) % 16) + 0.5 - 8) * 18 / 15.4
        let down = (Double(y) + 0.5 - (y < 110 ? 90 : 130)) * 18 / 15.4
        let isText = (40..<744).contains(x) && abs(across) < 7.5 && abs(down) < 11.5
        out[i] = UInt8(clamping: 220 - (isText ? Int(180 * level(across, down)) : 0))
      }
    }
  }

  private static let text = [[Character?]](repeating: [Character?](repeating: "E", count: 44), count: 2)

  /// The template of `E`, scaled to ink from 0 to 1.
  private static func template(_ x: Double, _ y: Double) -> Double {
    let rows = ZoneFontTable.glyphs[14]
    let (lightest, darkest) = (rows.map { $0.max() }.max() ?? 1, rows.map { $0.min() }.min() ?? 0)
    let value = rows[min(23, max(0, Int(y + 12)))][min(15, max(0, Int(x + 8)))]
    return Double((lightest - value) / (lightest - darkest))
  }

  @Test("the table has a template and a classifier for each of 37 characters")
  func table() {
    #expect(ZoneFontTable.glyphs.count == 37 && ZoneFontTable.weights.count == 37)
    #expect(ZoneFontTable.scales.count == 37 && ZoneFontTable.biases.count == 37)
    #expect((ZoneFontTable.glyphs + ZoneFontTable.weights).allSatisfy { $0.count == 24 })
    for glyph in ZoneFontTable.glyphs {
      #expect(abs(glyph.reduce(0) { $0 + $1.sum() }) < 1e-3)
      #expect(abs(glyph.reduce(0) { $0 + ($1 * $1).sum() } - 1) < 1e-3)
    }
  }

  @Test("characters of OCR-B have a lower score than others")
  func scores() throws {
    let standard = try #require(ZoneFont.score(of: Self.zone(), text: Self.text, in: Self.page(Self.template)))
    // A wide E with serifs.
    let other = Self.page { x, y in
      let isBar = abs(y) > 7 && abs(y) < 9 || abs(y) < 1 && x < 3
      return abs(x) < 7 && (isBar || x < -3 && x > -5 && abs(y) < 9 || x > 5 && abs(y) > 5 && abs(y) < 9) ? 1 : 0
    }
    let wrong = try #require(ZoneFont.score(of: Self.zone(), text: Self.text, in: other))
    #expect(standard < 0.45 && wrong > standard + 0.1, "\(standard) \(wrong)")
  }

  @Test("nothing is measured on small or few characters, without contrast, or outside the picture")
  func unmeasured() throws {
    let page = Self.page(Self.template)
    #expect(ZoneFont.score(of: Self.zone(), text: Self.text.map { $0.map { _ in nil } }, in: page) == nil)
    #expect(ZoneFont.score(of: Self.zone(), text: [Self.text[0], []], in: page) == nil)
    #expect(ZoneFont.score(of: Self.zone(), text: [], in: page) == nil)
    #expect(ZoneFont.score(of: Self.zone(), text: Self.text, in: Self.page { _, _ in 0 }) == nil)
    let small = page.resized(width: 400, height: 110)
    #expect(ZoneFont.score(of: Self.zone().scaled(by: 0.5), text: Self.text, in: small) == nil)
    #expect(ZoneFont.score(of: Self.zone().scaled(by: 40), text: Self.text, in: small) == nil)
    #expect(ZoneFont.score(of: Self.zone().scaled(by: 0), text: Self.text, in: small) == nil)
  }
}
