import ArgumentParser
import FaceVerify

struct MRZCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "mrz",
    abstract: "Read a machine readable zone, from text or from pictures.",
    discussion: """
      Text is a zone of two or three lines, with line ends or without; anything
      else is the name of a picture, which may show a whole page, turned as it
      likes, a zone, or one line of it. Check digits are judged, never repaired.

      Exit code 1 if a field is wrong, 3 if there is no zone, 4 if a character
      could not be told surely.

      Examples:
        faceverify mrz passport.jpg
        faceverify mrz --json scans/*.tif
        faceverify mrz 'I<UTOD231458907<<<<<<<<<<<<<<<
        7408122F1204159UTO<<<<<<<<<<<6
        ERIKSSON<<ANNA<MARIA<<<<<<<<<<'
      """)

  @Argument(help: "The text of a zone, or pictures.", completion: .file())
  var inputs: [String]

  @OptionGroup var output: JSONOption
  @OptionGroup var date: DateOption
  @OptionGroup var engine: EngineOptions
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var photo: PhotoOptions
  @OptionGroup var time: TimeoutOption

  private enum Found: Sendable {
    case zone(MRZReading)
    case line(MRZLineReading)
    case nothing
  }

  func run(on console: Console) throws -> ExitStatus {
    let day = try date.day()
    if inputs.count == 1, inputs[0].contains("<") {
      let zone = try MachineReadableZone(inputs[0], on: day)
      try console.write(output.json ? zone.json : ZoneText.text(zone, on: console))
      return zone.findings.isEmpty ? .done : .noMatch
    }
    let budget = time.budget()
    let engine = try engine.engine(threads: threads.threads)
    let results = PhotoBatch.run(inputs, limits: photo.limits, threads: threads.threads) { photo in
      let photo = photo.keepingPictures()
      if let reading = try engine.readZone(photo, on: day, budget: budget) { return Found.zone(reading) }
      return try engine.readLine(photo, budget: budget).map(Found.line) ?? .nothing
    }
    var statuses: [ExitStatus] = []
    var records: [JSONValue] = []
    var text = ""
    for (path, result) in zip(inputs, results) {
      if inputs.count > 1 { text += console.styled(path, .strong) + "\n" }
      switch result {
      case .success(.zone(let reading)):
        text += ZoneText.text(reading, on: console)
        records.append(["file": .string(path), "mrz": reading.jsonValue, "line": .null])
        statuses.append(!reading.zone.findings.isEmpty ? .noMatch : reading.isSure ? .done : .refused)
      case .success(.line(let reading)):
        text += "\(reading.text.printable)\n"
        records.append(["file": .string(path), "mrz": .null, "line": reading.jsonValue])
        statuses.append(reading.characters.allSatisfy(\.isSure) ? .done : .refused)
      case .success(.nothing):
        records.append(["file": .string(path), "mrz": .null, "line": .null])
        statuses.append(.failed)
        console.warn(
          "\(path): no machine readable zone that can be read; show the lines with the < signs, sharp and whole")
      case .failure(let error):
        records.append(PhotoRecord.failed(path, error))
        statuses.append(.failed)
        console.warn(error.message)
      }
    }
    try console.write(output.json ? JSONValue.array(records).text : text)
    return [.failed, .noMatch, .refused].first(where: statuses.contains) ?? .done
  }
}
