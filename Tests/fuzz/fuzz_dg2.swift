// Feeds arbitrary bytes to the parsers of face records, unmodified and within the templates of EF.DG2. Any crash or
// leak is a finding.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDG2(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  check(bytes, size)
  guard size < 0xF000 else { return 0 }
  for tag in [0x5F, 0x7F] as [UInt8] {
    let record = object([tag, 0x2E], bytes)
    check(object([0x75], object([0x7F, 0x61], [0x02, 1, 1] + object([0x7F, 0x60], record))), size)
  }
  return 0
}

private func object(_ tag: [UInt8], _ value: [UInt8]) -> [UInt8] {
  tag + [0x82, UInt8(value.count >> 8), UInt8(value.count & 255)] + value
}

private func check(_ bytes: [UInt8], _ size: Int) {
  guard let images = try? FaceImage.images(in: bytes) else { return }
  precondition(!images.isEmpty && images.count <= 32)
  for image in images { precondition(!image.bytes.isEmpty && image.bytes.count <= size) }
}
