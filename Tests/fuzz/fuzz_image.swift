// Feeds arbitrary bytes to the picture decoders: header, EXIF, colour profile, all reductions. Any crash, leak or
// memory error is a finding; a thrown VerifyError is the expected result.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImage(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let photo = try? Photo(bytes: bytes, limits: ImageLimits(maximumPixels: 1 << 16, maximumBytes: 1 << 20)) else {
    return 0
  }
  for reduction in [1, 2, 8] {
    guard let picture = try? photo.pixels(reduction: reduction) else { continue }
    precondition(picture.width == photo.width.dividedUp(by: reduction))
    precondition(picture.height == photo.height.dividedUp(by: reduction))
    precondition(picture.rgb.count == 3 * picture.width * picture.height)
  }
  return 0
}
