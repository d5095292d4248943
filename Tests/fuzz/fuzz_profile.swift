// Feeds arbitrary bytes to the parser of colour profiles, and pixels through the resulting transform. Any crash, leak
// or memory error is a finding; a thrown VerifyError is the expected result.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProfile(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  for isGrey in [false, true] {
    guard let transform = try? ColourTransform.make(profile: bytes, isGrey: isGrey) else { continue }
    var picture = PixelBuffer(width: 16, height: 16) { out in
      for i in out.indices { out[i] = UInt8(truncatingIfNeeded: i &* 37) }
    }
    transform.apply(to: &picture)
  }
  return 0
}
