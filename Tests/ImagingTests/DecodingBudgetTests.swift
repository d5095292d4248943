import FaceVerifyBase
import Foundation
import TestSupport
import Testing

@testable import Imaging

@Suite("Budget: decoding")
struct DecodingBudgetTests {
  /// 24 megapixels, which take at least 0.1 s to decode.
  private static let large = try! PixelBuffer.plain(width: 6000, height: 4000)

  private static func bitmap() -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    return Array("BM".utf8) + number(0) + number(0) + number(54) + number(40) + number(6000) + number(4000)
      + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24) + large.rgb
  }

  private static let files: [String: @Sendable () throws -> [UInt8]] = [
    "png": { try large.encodedAsPNG() },
    "jpeg": { try large.encodedAsJPEG() },
    "bmp": { bitmap() },
  ]

  private func file(_ name: String) throws -> [UInt8] {
    Array(try #require(FileManager.default.contents(atPath: Fixture.path(name))))
  }

  private func ended(_ bytes: [UInt8], reduction: Int = 1, seconds: Double) throws -> VerifyError? {
    let photo = try Photo(bytes: bytes, limits: ImageLimits(maximumBytes: 1 << 27))
    do {
      _ = try photo.pixels(reduction: reduction, budget: Budget(seconds: seconds))
      return nil
    } catch { return error as? VerifyError }
  }

  @Test("a deadline ends the decoding of a large picture", arguments: files.keys.sorted(), [1, 8])
  func deadline(name: String, reduction: Int) throws {
    let make = try #require(Self.files[name])
    // No machine decodes that fast.
    let error = try #require(try ended(make(), reduction: reduction, seconds: 0.001))
    #expect(error.code == .timeout && error.message == "the call exceeded its budget of 0.001 s")
  }

  @Test("a cancelled call decodes nothing")
  func cancelled() throws {
    let photo = try Photo(bytes: Self.large.encodedAsPNG())
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect { try photo.pixels(reduction: 1, budget: Budget(cancellation: cancellation)) } throws: {
      ($0 as? VerifyError)?.code == .cancelled
    }
  }

  @Test(
    "a step that cannot be interrupted is refused if the remaining time is insufficient",
    arguments: [("colour.j2k", "JPEG 2000"), ("colour.webp", "WebP")])
  func estimate(name: String, format: String) throws {
    var bytes = try file(name)
    // The same data under a header of 98 megapixels.
    let (width, height) = (16_000, 6_100)
    if name == "colour.webp" {
      let sides = width - 1 | (height - 1) << 14
      for i in 0..<4 { bytes[21 + i] = UInt8(truncatingIfNeeded: sides >> (8 * i)) }
    } else {
      for (at, side) in [(8, width), (12, height), (24, width), (28, height)] {
        for i in 0..<4 { bytes[at + i] = UInt8(truncatingIfNeeded: side >> (24 - 8 * i)) }
      }
    }
    let error = try #require(try ended(bytes, seconds: 0.1))
    #expect(error.code == .timeout && error.message.contains("decoding this \(format) picture takes about"))
    #expect(try ended(bytes, seconds: 60)?.code == .damaged)
  }

  @Test("a non-finite budget is rejected")
  func notANumber() {
    #expect { try Budget(seconds: .nan).check() } throws: { ($0 as? VerifyError)?.code == .badArgument }
    #expect(throws: Never.self) { try Budget(seconds: .infinity).check() }
  }
}
