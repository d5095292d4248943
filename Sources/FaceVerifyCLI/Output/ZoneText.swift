import FaceVerify

/// A machine-readable zone as text.
enum ZoneText {
  static func text(_ zone: MachineReadableZone, on console: Console) -> String {
    lines(zone.lines) + fields(zone, on: console)
  }

  /// Ambiguous characters are marked below their line.
  static func text(_ reading: MRZReading, on console: Console) -> String {
    var text = ""
    for (line, characters) in zip(reading.zone.lines, reading.characters) {
      text += "  \(line.printable)\n"
      let marks = String(characters.map { $0.isDecidedByCheckDigit ? "c" : $0.isSure ? " " : "?" })
      if marks.contains(where: { $0 != " " }) { text += console.styled("  \(marks)", .caution) + "\n" }
    }
    if reading.characters.joined().contains(where: { !$0.isSure }) { text += "  ? may be another character\n" }
    if reading.characters.joined().contains(where: \.isDecidedByCheckDigit) {
      text += "  c another looked likelier, but with it a check digit would be wrong\n"
    }
    return text + fields(reading.zone, on: console)
  }

  private static func lines(_ lines: [String]) -> String { lines.reduce("") { $0 + "  \($1.printable)\n" } }

  private static func fields(_ zone: MachineReadableZone, on console: Console) -> String {
    var table = Table()
    let values: [(String, String?, MRZField)] = [
      ("format", zone.format.rawValue.uppercased(), .documentCode),
      ("document", zone.documentType.rawValue, .documentCode),
      ("issuing state", named(zone.issuingState), .issuingState), ("number", zone.documentNumber, .documentNumber),
      ("surname", zone.surname, .name), ("given names", zone.givenNames, .name),
      ("nationality", named(zone.nationality), .nationality),
      ("date of birth", zone.dateOfBirth.date?.description, .dateOfBirth), ("sex", zone.sex?.rawValue, .sex),
      ("date of expiry", zone.dateOfExpiry.date?.description, .dateOfExpiry),
      ("optional data", zone.optionalData, .optionalData), ("optional data 2", zone.optionalData2, .optionalData2),
      ("all together", "", .composite),
    ]
    for (name, value, field) in values {
      let findings = zone.findings.filter { $0.field == field }.map(\.reason.rawValue)
      guard field == .composite ? !findings.isEmpty : value?.isEmpty == false || !findings.isEmpty else { continue }
      let digit = zone.checkDigit(of: field)
      let state: Table.Cell =
        !findings.isEmpty
        ? .init("failed: \(findings.joined(separator: ", "))", .bad)
        : digit?.status == .passed ? .init("check digit right", .good) : .init("")
      table.add(.init(name, .faint), .init(value ?? "-"), state)
    }
    return table.text(indent: 2, on: console)
  }

  private static func named(_ code: String) -> String {
    CountryName.english(code).map { "\(code) (\($0))" } ?? code
  }
}
