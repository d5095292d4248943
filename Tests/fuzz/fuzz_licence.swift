// Feeds arbitrary bytes to the parser of licence codes, unmodified and after a valid header, and creates the report.
// Any crash or leak is a finding.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLicence(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let day = CalendarDate(year: 2026, month: 11, day: 21) else { return 0 }
  let version = bytes.first.map { Array("0\($0 % 10)".utf8) } ?? []
  let headed = Array("@\n\u{1E}\rANSI 636012".utf8) + version + Array("0001DL00410000DL".utf8) + bytes.dropFirst()
  for payload in [bytes, headed] {
    guard let licence = try? DrivingLicence(payload: payload, on: day) else { continue }
    // The result contains nothing that is not in the code, and every failure is among the findings.
    precondition(licence.elements.reduce(0) { $0 + 3 + ($1.value?.unicodeScalars.count ?? 0) } <= payload.count)
    for element in licence.elements where element.status == .failed {
      precondition(licence.findings.contains { $0.place == element.id })
    }
    guard payload == headed else { continue }
    let report = DocumentReport(licence: licence, front: [.surname: "SAMPLE", .sex: "F"], on: day)
    precondition(report.data.sha256 == report.dataSHA256)
    if report.result == .passed { precondition(!licence.elements.contains { $0.status == .failed }) }
  }
  return 0
}
