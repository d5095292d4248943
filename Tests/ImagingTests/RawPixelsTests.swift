import Imaging
import Testing

@Suite("Photo: raw pixels")
struct RawPixelsTests {
  private func photo(
    _ bytes: some Collection<UInt8>, _ width: Int, _ height: Int, stride: Int = 0, _ format: PixelFormat
  ) throws
    -> Photo
  {
    try Array(bytes).withUnsafeBytes {
      try Photo(pixels: $0, width: width, height: height, rowStride: stride, format: format)
    }
  }

  @Test("every format is read, with and without a stride")
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

  /// Luma and chroma of BT.601, limited range, and the corresponding red, green and blue.
  private static let colours: [(yuv: [UInt8], rgb: [Int])] = [
    ([16, 128, 128], [0, 0, 0]), ([235, 128, 128], [255, 255, 255]), ([126, 128, 128], [128, 128, 128]),
    ([82, 90, 240], [255, 0, 0]), ([145, 54, 34], [0, 255, 0]), ([41, 240, 110], [0, 0, 255]),
    ([0, 128, 128], [0, 0, 0]), ([255, 128, 128], [255, 255, 255]),
  ]

  /// Columns of two pixels, one colour each: as NV12, I420 and YUYV.
  private static func planes(_ format: PixelFormat, height: Int, stride: Int) -> [UInt8] {
    let yuv = colours.map(\.yuv)
    func padded(_ row: [UInt8], _ stride: Int) -> [UInt8] { row + [UInt8](repeating: 99, count: stride - row.count) }
    let luma = (0..<height).flatMap { _ in padded(yuv.flatMap { [$0[0], $0[0]] }, stride) }
    let chromaRows = 0..<(height + 1) / 2
    switch format {
    case .nv12: return luma + chromaRows.flatMap { _ in padded(yuv.flatMap { [$0[1], $0[2]] }, stride) }
    case .i420:
      let half = (stride + 1) / 2
      return luma + chromaRows.flatMap { _ in padded(yuv.map { $0[1] }, half) }
        + chromaRows.flatMap { _ in padded(yuv.map { $0[2] }, half) }
    default: return (0..<height).flatMap { _ in padded(yuv.flatMap { [$0[0], $0[1], $0[0], $0[2]] }, stride) }
    }
  }

  @Test(
    "luma and chroma of cameras are read, with and without a stride, including odd sizes",
    arguments: [PixelFormat.nv12, .i420, .yuyv], [0, 7])
  func lumaChroma(format: PixelFormat, padding: Int) throws {
    let full = 2 * Self.colours.count
    for (width, height) in [(full, 4), (full, 3), (full - 1, 5), (full, 1)] {
      let stride = (format == .yuyv ? 2 * full : full) + padding
      let bytes = Self.planes(format, height: height, stride: stride)
      let picture = try photo(bytes, width, height, stride: stride, format).pixels()
      for y in 0..<height {
        for x in 0..<width {
          for (value, wanted) in zip(picture[x, y], Self.colours[x / 2].rgb) {
            #expect(abs(Int(value) - wanted) <= 2, "\(format) at \(x), \(y) of \(width)×\(height)")
          }
        }
      }
    }
  }

  @Test("planes that exceed the bytes are rejected before reading")
  func planesThatAreMissing() throws {
    // Required bytes: 5×5 tightly packed, and with a stride of 8.
    for (format, tight, wide) in [(PixelFormat.nv12, 48, 62), (.i420, 43, 63), (.yuyv, 60, 0)] {
      for (stride, needed) in [(0, tight), (8, wide)] where needed > 0 {
        let bytes = [UInt8](repeating: 128, count: needed)
        #expect(throws: Never.self) { try photo(bytes, 5, 5, stride: stride, format).pixels() }
        #expect(throws: VerifyError(.badArgument, "")) { try photo(bytes.dropLast(), 5, 5, stride: stride, format) }
      }
      #expect(throws: VerifyError(.badArgument, "")) {
        try photo([UInt8](repeating: 0, count: 100), 5, 5, stride: 4, format)
      }
      for stride in [Int.max, .max / 2, .max / 8, -8] {
        #expect(throws: VerifyError(.badArgument, "")) {
          try photo([UInt8](repeating: 0, count: 100), 5, 5, stride: stride, format)
        }
      }
    }
  }

  @Test("inconsistent arguments are rejected before reading")
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

  @Test("a pixel buffer contains exactly its pixels")
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
