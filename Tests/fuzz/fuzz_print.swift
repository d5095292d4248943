// Feeds printed lines of a page to the parser of the visual inspection zone, and compares its fields with those of a
// zone. A line of the input has its left and upper edge, height and confidence in one byte each, and then its text. Any
// crash or leak is a finding.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPrint(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  guard let day = CalendarDate(year: 2026, month: 11, day: 21) else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  let lines = bytes.split(separator: 10).map { line in
    let place = line.prefix(4).map(Double.init) + [0, 0, 0, 0]
    let text = String(decoding: line.dropFirst(4), as: UTF8.self)
    return VisualZone.Line(
      text: text, confidence: place[3] / 255, left: place[0], top: place[1],
      right: place[0] + place[2] / 2 * Double(text.count), bottom: place[1] + place[2])
  }
  let page = VisualZone(lines)
  for (_, found) in page.fields(on: day) {
    precondition(found.field.status == .notChecked && (found.line == nil) == (found.confidence == nil))
  }
  let source: [DocumentFieldName: DocumentField] = [
    .surname: .passed("MUELLER"), .givenNames: .passed("ANNA MARIA"),
    .surnameAndGivenNames: .passed("MUELLER ANNA MARIA"), .documentNumber: .passed("L898902C3"),
    .nationalityCode: .passed("D"), .nationality: .passed("Germany"), .dateOfBirth: .passed("1974-08-12"),
    .sex: .passed("F"), .dateOfExpiry: .notChecked("2032-04-15", .unverified),
  ]
  let printed = VisualZone.compared([page, page], with: source)
  for (name, field) in printed {
    // What passed is the source's value, and nothing is compared with a value that did not pass.
    precondition(field.status != .passed || field.value == source[name]?.value)
    precondition(field.status == .notChecked || source[name]?.status == .passed)
  }
  precondition(VisualZone.check(printed).status != .passed || printed[.surname]?.status == .passed)
  return 0
}
