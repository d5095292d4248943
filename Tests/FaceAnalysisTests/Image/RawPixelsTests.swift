import FaceAnalysis
import Testing

@Suite("Photo: raw pixels")
struct RawPixelsTests {
  private func photo(_ bytes: [UInt8], _ width: Int, _ height: Int, stride: Int = 0, _ format: PixelFormat) throws
    -> Photo
  {
    try bytes.withUnsafeBytes { try Photo(pixels: $0, width: width, height: height, rowStride: stride, format: format) }
  }

  @Test("every format, with and without a stride")
  func formats() throws {
    let cases: [(PixelFormat, [UInt8])] = [
      (.rgb8, [10, 20, 30]), (.bgr8, [30, 20, 10]), (.rgba8, [10, 20, 30, 0]), (.bgra8, [30, 20, 10, 9]),
      (.gray8, [77]),
    ]
    for (format, pixel) in cases {
      let wanted: [UInt8] = format == .gray8 ? [77, 77, 77] : [10, 20, 30]
      let row = pixel + pixel.map { $0 + 1 }
      let pixels = wanted + wanted.map { $0 + 1 }
      let rgb = try photo(row + row, 2, 2, format).pixels().rgb
      #expect(rgb == pixels + pixels, "\(format)")
      let padded = try photo(row + [1, 2, 3] + row, 2, 2, stride: row.count + 3, format)
      #expect(try padded.pixels().rgb == rgb, "\(format) with a stride")
      #expect(padded.format == "pixels")
    }
  }

  @Test("arguments that do not fit together are refused before a pixel is read")
  func arguments() {
    let bytes = [UInt8](repeating: 0, count: 100)
    let bad = VerifyError(.badArgument, "")
    for (width, height, stride) in [
      (0, 1, 0), (1, 0, 0), (-1, 5, 0), (6, 6, 0), (5, 5, 14), (5, 5, -15), (5, 5, 22), (5, 5, .max), (33, 1, 98),
      (5, 1_000, .max / 999),
    ] {
      #expect(throws: bad) { try photo(bytes, width, height, stride: stride, .rgb8) }
    }
    #expect(throws: bad) { try photo([], 1, 1, .rgb8) }
    #expect(throws: VerifyError(.tooLarge, "")) { try photo(bytes, .max, .max, .rgb8) }
    #expect(throws: VerifyError(.tooLarge, "")) { try photo(bytes, 20_000, 20_000, .gray8) }
    #expect(throws: Never.self) { try photo(bytes, 5, 5, stride: 21, .rgb8) }
  }

  @Test("a pixel buffer holds exactly its pixels")
  func buffer() {
    for (width, height, count) in [(2, 2, 11), (0, 0, 0), (-1, -1, 3), (.max, .max, 3), (.max, 1, 3)] {
      #expect(throws: VerifyError(.badArgument, "")) {
        try PixelBuffer(width: width, height: height, rgb: [UInt8](repeating: 0, count: count))
      }
    }
  }

  @Test("reduced raw pixels are means")
  func reduction() throws {
    let picture = try photo([0, 100, 50, 10, 20, 30, 200, 0, 7], 3, 3, .gray8).pixels(reduction: 2)
    #expect((picture.width, picture.height) == (2, 2))
    #expect(picture.rgb == [33, 33, 33, 40, 40, 40, 100, 100, 100, 7, 7, 7])
    let even = try photo([0, 100, 51, 49, 10, 30, 200, 0], 4, 2, .gray8).pixels(reduction: 2)
    #expect(even.rgb == [35, 35, 35, 75, 75, 75])
  }
}
