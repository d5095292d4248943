import CFaceVerify
import Testing

@Suite("C interface: structs of other releases, and texts")
struct StructTests {
  /// A struct of another release: `words` of 8 bytes, the first of which is its size.
  private func describe(_ image: OpaquePointer, words: [Int]) -> (status: fv_status, words: [Int]) {
    var words = words
    let status = words.withUnsafeMutableBytes { bytes in
      fv_image_describe(bytes.baseAddress?.assumingMemoryBound(to: fv_image_info.self), image)
    }
    return (status, words)
  }

  // Rows: V6-support
  @Test("an older, shorter struct gets its fields; a newer, longer one gets zeros for the rest")
  func output() throws {
    let image = try Program.plainImage(side: 20)
    let short = describe(image, words: [16, -1, -1, -1])
    #expect(short.status == FV_OK && short.words == [16, 20, -1, -1])
    let long = describe(image, words: [56, -1, -1, -1, -1, -1, -1])
    #expect(long.status == FV_OK && long.words[..<3] == [56, 20, 20] && long.words[5...] == [0, 0])
    for size in [0, 7, -8, 1 << 40] {
      let wrong = describe(image, words: [size, -1, -1, -1, -1])
      #expect(wrong.status == FV_E_BAD_ARGUMENT && wrong.words == [size, -1, -1, -1, -1])
    }
    fv_image_free(image)
  }

  @Test("a newer, longer struct is accepted if its new fields are zero")
  func input() throws {
    func status(_ words: [Int]) -> fv_status {
      var image: OpaquePointer?
      defer { fv_image_free(image) }
      return words.withUnsafeBytes { bytes in
        let limits = bytes.baseAddress?.assumingMemoryBound(to: fv_image_limits.self)
        return [UInt8](arrayLiteral: 0xFF, 0xD8).withUnsafeBytes {
          fv_image_from_bytes(&image, $0.baseAddress, $0.count, limits, nil, 0)
        }
      }
    }
    // Two bytes are not a picture, which is detected after the limits are read.
    #expect(status([8]) == FV_E_UNKNOWN_FORMAT)
    #expect(status([16, 1000]) == FV_E_UNKNOWN_FORMAT)
    #expect(status([40, 0, 1, 0, 0]) == FV_E_TOO_LARGE)
    #expect(status([40, 0, 0, 0, 1]) == FV_E_BAD_ARGUMENT)
    #expect(status([24, -1, 0]) == FV_E_BAD_ARGUMENT)
  }

  @Test("a message is truncated at a character boundary in any buffer", arguments: 0...80)
  func message(capacity: Int) throws {
    var buffer = [CChar](repeating: 7, count: 81)
    var image: OpaquePointer?
    let status = fv_image_from_file(&image, "/nowhere/größer-日本語/😀.jpg", nil, &buffer, capacity)
    #expect(status == FV_E_UNREADABLE && image == nil)
    #expect(buffer[capacity...].allSatisfy { $0 == 7 })
    guard capacity > 0 else { return }
    let end = try #require(buffer.firstIndex(of: 0))
    #expect(end < capacity)
    #expect(String(validating: buffer[..<end].map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self) != nil)
  }
}
