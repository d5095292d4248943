// Feeds arbitrary bytes to the template parser, unmodified and with a valid checksum appended, without which the search
// would not get past it. Any crash or leak is a finding.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTemplate(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  let body = Array(bytes.prefix(548))
  for candidate in [bytes, body + sha256Bytes(body)] {
    guard let template = try? FaceTemplate(serialised: candidate) else { continue }
    precondition(template.serialised() == candidate)
    precondition((try? template.distance(to: template)) == 0)
  }
  return 0
}
