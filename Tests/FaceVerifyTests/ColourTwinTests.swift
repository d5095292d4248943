import EngineTestSupport
import FaceVerify
import Glibc
import TestSupport
import Testing

/// Photos in wider colour spaces, as stored by cameras: twins of the sample photos, converted here and not by the
/// library.
@Suite("Photos in other colour spaces", .needsModels, .needsSamples)
struct ColourTwinTests {
  /// Rows of the matrix from linear sRGB to linear light in another space (D65), and its transfer function.
  struct Space: CustomTestStringConvertible {
    let testDescription: String
    let matrix: [[Double]]
    let value: @Sendable (Double) -> Double

    static let displayP3 = Space(
      testDescription: "p3",
      matrix: [[0.8224620, 0.1775380, 0], [0.0331942, 0.9668058, 0], [0.0170826, 0.0723974, 0.9105199]]
    ) { $0 <= 0.0031308 ? 12.92 * $0 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
    static let adobeRGB = Space(
      testDescription: "adobe",
      matrix: [[0.7151256, 0.2848744, 0], [0, 1, 0], [0, 0.0411619, 0.9588381]]
    ) { pow($0, 256.0 / 563) }

    func twin(of picture: PixelBuffer) throws -> PixelBuffer {
      let light = (0...255).map { byte in
        let value = Double(byte) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      var rgb: [UInt8] = []
      rgb.reserveCapacity(picture.rgb.count)
      for pixel in stride(from: 0, to: picture.rgb.count, by: 3) {
        let source = (0..<3).map { light[Int(picture.rgb[pixel + $0])] }
        for row in matrix {
          let amount = zip(row, source).reduce(0) { $0 + $1.0 * $1.1 }
          rgb.append(UInt8((value(min(max(amount, 0), 1)) * 255).rounded()))
        }
      }
      return try PixelBuffer(width: picture.width, height: picture.height, rgb: rgb)
    }

    /// The profile, from the fuzzer's seeds.
    func profile() throws -> [UInt8] {
      let tests = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
      return try RegularFile.read(path: tests + "/fuzz/corpus/profile/" + testDescription, maximumBytes: 1 << 16)
    }
  }

  /// An uncompressed TIFF file (6.0) with one strip and an optional profile.
  private func tiff(_ picture: PixelBuffer, _ profile: [UInt8]) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let tags = profile.isEmpty ? 9 : 10
    let bits = 8 + 2 + 12 * tags + 4
    let pixels = bits + 6
    var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
      (256, 4, 1, picture.width), (257, 4, 1, picture.height), (258, 3, 3, bits), (259, 3, 1, 1), (262, 3, 1, 2),
      (273, 4, 1, pixels), (277, 3, 1, 3), (278, 4, 1, picture.height), (279, 4, 1, picture.rgb.count),
    ]
    if !profile.isEmpty { entries.append((34675, 7, profile.count, pixels + picture.rgb.count)) }
    var file = Array("II*\0".utf8) + little(8, 4) + little(tags, 2)
    for entry in entries {
      file += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4) + little(entry.value, 4)
    }
    return file + little(0, 4) + [8, 0, 8, 0, 8, 0] + picture.rgb + profile
  }

  /// Lossless files: JPEG changes scores by up to 0.06 with each compression, in any colour space.
  @Test("photos score as their twins in sRGB", arguments: [Space.displayP3, .adobeRGB], ["obama2.jpg", "biden.jpg"])
  func scores(space: Space, name: String) throws {
    let engine = try Installed.engine.get()
    let picture = try Installed.photo(name).pixels()
    let twin = try space.twin(of: picture)
    func score(_ bytes: [UInt8]) throws -> Double {
      let decision = try engine.compare(
        selfie: .photo(Photo(bytes: bytes)), portrait: .photo(Installed.photo("obama.jpg")))
      return try #require(decision.comparison?.score)
    }
    let original = try score(tiff(picture, []))
    let converted = try score(tiff(twin, space.profile()))
    #expect(abs(converted - original) <= 0.05, "\(space.testDescription): \(original), \(converted)")
    // The pixels show that the profile was applied, and how accurately.
    let shown = try Photo(bytes: tiff(twin, space.profile())).pixels()
    func distance(_ other: PixelBuffer) -> Double {
      let squares = zip(picture.rgb, other.rgb).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
      return (Double(squares) / Double(picture.rgb.count)).squareRoot()
    }
    #expect(distance(shown) < 0.6 && distance(twin) > 2)
  }

  @Test("a truncated photo is reported")
  func truncated() throws {
    let bytes = try Installed.photo("obama.jpg").pixels().encodedAsJPEG()
    let cut = try Photo(bytes: Array(bytes.dropLast(bytes.count / 10)))
    let sample = try Installed.engine.get().sample(cut, policy: .selfie)
    #expect(sample.warnings == [.truncated])
    #expect(sample.json.contains("\"truncated\""))
    let whole = try Installed.engine.get().sample(Photo(bytes: bytes), policy: .selfie)
    #expect(whole.warnings.isEmpty && !whole.json.contains("\"truncated\""))
  }
}
