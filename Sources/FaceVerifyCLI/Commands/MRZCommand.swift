import ArgumentParser
import FaceVerify

struct MRZCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "mrz", abstract: "Read a machine-readable zone, from text or from photos.",
    discussion: """
      Text is a zone of two or three lines, with or without line ends; anything
      else is the name of a photo, which may show a whole page, rotated in any
      way, a zone, or one line of it. Check digits are verified, never repaired.

      Examples:
        faceverify mrz passport.jpg
        faceverify mrz --json scans/*.tif
        faceverify mrz 'I<UTOD231458907<<<<<<<<<<<<<<<
        7408122F1204159UTO<<<<<<<<<<<6
        ERIKSSON<<ANNA<MARIA<<<<<<<<<<'

      Exit codes:
        0  every zone was read, and its check digits are right
        1  a field is wrong
        2  usage error
        3  runtime error, there is no zone, or it is not supported, such as the
           one-line zone of a driving licence
        4  a character is uncertain, a field cannot be judged, or a single line
           has no check digit
      """)

  @Argument(help: "The text of a zone, or photos, or folders of them.", completion: .file()) var inputs: [String]
  @OptionGroup var output: OutputOptions
  @OptionGroup var date: DateOption
  @OptionGroup var batch: BatchOptions

  func run(on console: Console) throws -> ExitStatus {
    let day = try date.day()
    if inputs.count == 1, MachineReadableZone.isText(inputs[0]) {
      let zone = try MachineReadableZone(inputs[0], on: day)
      try console.show(zone.jsonValue, ZoneText.text(zone, on: console))
      return Self.status(zone, isSure: true)
    }
    let budget = batch.time.budget()
    let engine = try batch.makeEngine()
    let files = try Input.photos(inputs)
    var results = PhotoResults(on: console)
    try results.add(files, batch.photo, batch.threads, keepsPictures: true) { photo in
      let zone = try engine.readZone(photo, on: day, budget: budget)
      return (zone: zone, line: zone == nil ? try engine.readLine(photo, budget: budget) : nil)
    } describe: { path, found in
      let head = files.count > 1 ? console.styled(Input.name(path), .strong) + "\n" : ""
      if let reading = found.zone {
        return (
          Self.status(reading.zone, isSure: reading.isSure),
          head + ZoneText.text(reading, on: console), ["mrz": reading.jsonValue, "line": .null]
        )
      }
      if let reading = found.line {
        let digits = reading.checkDigits
        let isChecked = !digits.isEmpty && reading.characters.allSatisfy(\.isSure)
        if let name = reading.unsupported { console.warn("\(path): \(name) is not supported; nothing was checked") }
        return (
          reading.unsupported != nil
            ? .failed : digits.contains { $0.status == .failed } ? .noMatch : isChecked ? .done : .refused,
          head + ZoneText.text(reading), ["mrz": .null, "line": reading.jsonValue]
        )
      }
      console.warn("\(path): no machine-readable zone was read; show the lines with the < signs, sharp and uncut")
      return (.failed, head, ["mrz": .null, "line": .null])
    }
    try console.show(.array(results.records), results.text)
    return results.status
  }

  /// A zone that states no date of birth or expiry is complete; other remarks are doubts.
  private static func status(_ zone: MachineReadableZone, isSure: Bool) -> ExitStatus {
    if !zone.findings.isEmpty { return .noMatch }
    return isSure && zone.remarks.allSatisfy { $0.reason == .empty } ? .done : .refused
  }
}
