// Feeds arbitrary bytes to the parser of visible digital seals, unmodified and after the header of a visa, and creates the
// report. Any crash or leak is a finding.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSeal(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let day = CalendarDate(year: 2026, month: 6, day: 1) else { return 0 }
  // Doc 9303-8, appendix B, with the numbers of a visa.
  let header: [UInt8] = [
    0xDC, 0x03, 0xD9, 0xC5, 0xD9, 0xCA, 0xC8, 0xA7, 0x3A, 0x99, 0x2D, 0xF5, 0xBA, 0x2E, 0x1C, 0xCA, 0x5D, 0x01,
  ]
  for payload in [bytes, header + bytes] {
    let report = SealReport(payload: payload, trust: TrustStore(), date: DateTime(day))
    // Nothing is trusted, and the seal contains nothing that is not in the code.
    precondition(report.status != .passed && report.verdict != .validWithoutAnchor)
    guard let seal = report.seal else { continue }
    let features = seal.features.reduce(0) { $0 + 2 + $1.bytes.count }
    precondition(features + seal.signature.count < payload.count)
  }
  return 0
}
