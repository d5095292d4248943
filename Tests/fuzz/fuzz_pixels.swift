// Feeds arbitrary bytes as raw pixels of arbitrary formats, sizes and strides. Any out-of-bounds read is a finding; a
// thrown VerifyError is the expected result.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPixels(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  var reader = ByteReader(Array(UnsafeBufferPointer(start: data, count: size)))
  let formats: [PixelFormat] = [.rgb8, .bgr8, .rgba8, .bgra8, .gray8, .nv12, .i420, .yuyv]
  guard let format = try? reader.u8(), let width = try? reader.u16(), let height = try? reader.u16(),
    let stride = try? reader.u16()
  else { return 0 }
  // In a separate allocation, so that the sanitizer detects reads beyond it.
  let pixels = Array(reader.rest())
  let photo = pixels.withUnsafeBytes {
    try? Photo(
      pixels: $0, width: width, height: height, rowStride: stride, format: formats[format % formats.count],
      limits: ImageLimits(maximumPixels: 1 << 16))
  }
  if let picture = try? photo?.pixels() { precondition(picture.rgb.count == 3 * width * height) }
  return 0
}
