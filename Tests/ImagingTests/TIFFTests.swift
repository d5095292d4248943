import FaceVerifyBase
import TestSupport
import Testing

@testable import Imaging

@Suite("TIFF")
struct TIFFTests {
  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A little-endian file with a directory of entries: tag, type, count, value.
  private static func file(_ entries: [(Int, Int, Int, Int)], data: [UInt8] = []) -> [UInt8] {
    let directory = 8 + data.count
    return Array("II*\0".utf8) + number(directory, 4) + data + number(entries.count, 2)
      + entries.flatMap { number($0.0, 2) + number($0.1, 2) + number($0.2, 4) + number($0.3, 4) } + number(0, 4)
  }

  private static func grey(_ more: [(Int, Int, Int, Int)] = []) -> [UInt8] {
    file(
      [(256, 3, 1, 4), (257, 3, 1, 2), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8), (279, 4, 1, 8)]
        + more, data: [0, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test("a directory of 65,535 tags that each refer to the whole file costs little")
  func manyTags() throws {
    // Known tags repeated, and unknown ones; each value is the whole file, as bytes and as numbers.
    let known = [256, 257, 258, 259, 262, 273, 277, 278, 279, 320, 347, 34675]
    let entries = (0..<65_535).map { i in
      let tag = i % 2 == 0 ? known[i / 2 % known.count] : 1000 + i % 50_000
      return i % 3 == 0 ? (tag, 1, 780_000, 8) : (tag, 4, 195_000, 8)
    }
    let bytes = Self.file(entries)
    let time = seconds { #expect(throws: VerifyError.self) { try Photo(bytes: bytes) } }
    #expect(time < 1)
  }

  @Test("unused tags, of any type and beyond the end, are ignored")
  func unusedTags() throws {
    let photo = try Photo(bytes: Self.grey([(700, 4, 1 << 30, 1 << 31), (50_000, 99, 7, 0)]))
    #expect(try photo.pixels().rgb.enumerated().allSatisfy { $1 == UInt8($0 / 3) })
  }

  @Test("the first of several entries for one tag counts")
  func repeatedTag() throws {
    #expect(try Photo(bytes: Self.grey([(256, 3, 1, 40)])).width == 4)
  }

  @Test("the orientation of the directory is applied", arguments: [(1, 4), (6, 2), (9, 4)])
  func orientation(value: Int, width: Int) throws {
    #expect(try Photo(bytes: Self.grey([(274, 3, 1, value)])).width == width)
  }

  @Test("more strips than rows are rejected before they are read")
  func tooManyStrips() throws {
    let bytes = Self.file([
      (256, 3, 1, 4), (257, 3, 1, 2), (258, 3, 1, 8), (262, 3, 1, 1), (273, 4, 3, 8), (278, 3, 1, 1), (279, 4, 3, 8),
    ])
    #expect { try Photo(bytes: bytes) } throws: { ($0 as? VerifyError)?.code == .damaged }
  }
}
