import Imaging
import TestSupport
import Testing

@testable import DocumentImaging

@Suite("Detecting copied documents", .needsModels)
struct CopyDetectorTests {
  /// A card of 1000 by 631 pixels in front of a dark background, with rows of print, and noise of up to 8 levels.
  private static func picture(width: Int = 1200, level: (_ x: Int, _ channel: Int) -> Int) -> PixelBuffer {
    PixelBuffer(width: width, height: 800) { out in
      for i in out.indices {
        let (x, y, channel) = (i / 3 % width, i / 3 / width, i % 3)
        let isCard = (100..<1100).contains(x) && (85..<716).contains(y)
        let isPrint = y / 20 % 3 == 0 && x / 13 % 5 != 0
        let noise = (x * 7919 + y * 104_729) * (x + 3 * y + 11) % 1013 % 9 - 4
        let value = isCard ? level(x, channel) / (isPrint ? 4 : 1) : 40
        out[i] = UInt8(clamping: value + 2 * noise)
      }
    }
  }

  @Test("stripes of three colours are a display's, an even card is not, and too little of a card is not judged")
  func stripes() throws {
    let store = try ModelStore(folder: Installed.models)
    let detector = try CopyDetector(DocumentModels(.copies, store: store, threads: 1))
    let finder = try DocumentFinder(DocumentModels(.outlines, store: store, threads: 1))
    let even = Self.picture { _, channel in [230, 215, 190][channel] }
    let outline = try #require(try finder.outlines(in: even).first)
    #expect(outline.scale > CopyDetector.minimumResolution)
    let document = try #require(try detector.scores(of: outline, in: even))
    let shown = Self.picture { x, channel in x % 3 == channel ? 200 : 120 }
    let copy = try #require(try detector.scores(of: outline, in: shown))
    #expect(max(document.print, document.display) < 0.8 && copy.display > 0.9 && copy.print < 0.1)
    let part = Self.picture(width: 400) { _, channel in [230, 215, 190][channel] }
    #expect(try detector.scores(of: outline, in: part) == nil)
  }
}
