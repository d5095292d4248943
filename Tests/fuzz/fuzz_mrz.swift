// Feeds arbitrary bytes to the parser of machine-readable zones, and writes a zone from them, because a document's
// fields are untrusted as well. Any crash or leak is a finding.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMRZ(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  let text = String(decoding: bytes, as: UTF8.self)
  guard let day = CalendarDate(year: 2026, month: 11, day: 21) else { return 0 }
  if let zone = try? MachineReadableZone(text, on: day) {
    let corrected = try? MachineReadableZone(zone.linesWithCorrectCheckDigits.joined(), on: day)
    precondition(corrected?.checkDigits.contains { $0.status == .failed } == false)
    precondition(zone.checkDigits.count == 5)
  }
  let words = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  if let birth = PartialDate(year: bytes.first.map { 1900 + Int($0) }, month: nil, day: nil) {
    for format in MRZFormat.allCases {
      let content = MRZContent(
        documentCode: format.isVisa ? "V" : "P", issuingState: "UTO", surname: words.first ?? "",
        givenNames: words.dropFirst().first ?? "", documentNumber: words.dropFirst(2).first ?? "1", nationality: "UTO",
        dateOfBirth: birth, sex: .unspecified, dateOfExpiry: nil, optionalData: words.dropFirst(3).first ?? "")
      guard let lines = try? content.lines(format) else { continue }
      let zone = try? MachineReadableZone(lines.joined(), on: day)
      precondition(zone?.lines == lines && zone?.format == format)
    }
  }
  return 0
}
