import ArgumentParser
import FaceVerify

struct BenchCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure how long each stage takes on this machine.",
    discussion: """
      Medians in milliseconds, on one thread: decoding at full size, detection
      with landmarks, template, comparison. Without photos a drawn face is
      measured; real photos are more representative.

      Examples:
        faceverify bench
        faceverify bench selfie.jpg --rounds 50 --json

      Exit codes: 0 measured, 2 usage error, 3 runtime error.
      """)

  @Argument(help: "Photos: \(PictureFormat.list).", completion: .file())
  var photos: [String] = []
  @Option(help: .init("Number of measurements of each photo, 1 to 1000.", valueName: "number"))
  var rounds = 20
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions
  @OptionGroup var photo: PhotoOptions

  func validate() throws {
    guard (1...1000).contains(rounds) else { throw ValidationError("--rounds must be 1 to 1000") }
  }

  func run(on console: Console) throws -> ExitStatus {
    let inputs =
      photos.isEmpty
      ? [("drawn face", try DrawnFace.photo())]
      : try photos.map { ($0, try Input.photo($0, limits: photo.limits)) }
    let engine = try engine.engine()
    var table = Table()
    let titles = ["decode", "detect", "template", "compare", "ms"]
    table.add([.init("photo", .faint), .init("size", .faint)] + titles.map { .init($0, .faint, right: true) })
    var records: [JSONValue] = []
    for (name, photo) in inputs {
      let timing = try engine.measure(photo, rounds: rounds)
      let size = "\(photo.width)×\(photo.height)"
      let cells = [timing.decode, timing.detect, timing.embed, timing.compare].enumerated().map { i, value in
        Table.Cell(value.map { Text.number($0, i == 3 ? 4 : 1) } ?? "-", right: true)
      }
      let note = timing.faces == 0 ? "no face found: every search was made" : ""
      table.add([.init(name), .init(size)] + cells + [.init(note, .caution)])
      records.append(
        PhotoRecord.with(
          "milliseconds", timing.jsonValue, in: ["file": .string(name), "input": photo.jsonValue]))
    }
    try console.show(
      PhotoRecord.with("rounds", .integer(rounds), in: PhotoRecord.all(records, by: engine)), table.text(on: console))
    return .done
  }
}
