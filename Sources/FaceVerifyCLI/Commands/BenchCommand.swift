import ArgumentParser
import FaceVerify
import Glibc

struct BenchCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure how long each stage takes on this machine.",
    discussion: """
      Medians in milliseconds, on one thread: decoding at full size, detection
      with landmarks, template, comparison. Without photos a drawn face is
      measured; real photos are more representative.

      Examples:
        faceverify bench
        faceverify bench selfie.jpg --rounds 50 --json

      Exit codes: 0 measured, 2 usage error, 3 runtime error.
      """)

  @Argument(help: "Photos: \(PictureFormat.list).", completion: .file()) var photos: [String] = []
  @Option(help: .init("Number of measurements of each photo, 1 to 1000.", "number")) var rounds = 20
  @OptionGroup var output: OutputOptions
  @OptionGroup var engine: EngineOptions
  @OptionGroup var photo: PhotoOptions

  func validate() throws { try require((1...1000).contains(rounds), "--rounds must be 1 to 1000") }

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
      records.append(["file": .string(name), "input": photo.jsonValue, "milliseconds": timing.jsonValue])
    }
    return try console.show(
      PhotoRecord.all(records, by: engine).with("rounds", .integer(rounds)), table.text(on: console))
  }
}

/// A face drawn with simple shapes that the detectors accept, for measurements without a photo.
enum DrawnFace {
  static func photo() throws -> Photo {
    let (width, height) = (960, 1280)
    var canvas = try PixelBuffer(width: width, height: height, colour: 0x8FA3B5)
    func oval(_ x: Double, _ y: Double, _ a: Double, _ b: Double, _ colour: UInt32) {
      // Discs along the longer axis.
      for i in -60...60 {
        let t = Double(i) / 60
        let r = min(a, b) * (1 - t * t * 0.25)
        let (dx, dy) = a > b ? (t * (a - b), 0) : (0, t * (b - a))
        canvas.drawDisc(centre: Point(x: x + dx, y: y + dy), radius: r, colour: colour)
      }
    }
    oval(480, 1240, 420, 200, 0x2E3B55)
    oval(480, 930, 110, 170, 0xC68F74)
    oval(480, 470, 255, 330, 0x3A2A20)
    oval(480, 560, 215, 295, 0xE0AC92)
    for side in [-1.0, 1.0] {
      oval(480 + side * 92, 440, 62, 12, 0x35261D)
      oval(480 + side * 92, 505, 46, 20, 0xF7F3EE)
      canvas.drawDisc(centre: Point(x: 480 + side * 92, y: 505), radius: 18, colour: 0x5A3C28)
      canvas.drawDisc(centre: Point(x: 480 + side * 92, y: 505), radius: 8, colour: 0x120C08)
      oval(480 + side * 24, 640, 16, 12, 0xB57B63)
    }
    oval(480, 580, 20, 75, 0xD49C82)
    oval(480, 735, 78, 17, 0xA8524C)
    canvas.drawLine(from: Point(x: 408, y: 735), to: Point(x: 552, y: 735), colour: 0x7A3430, thickness: 4)
    return try Photo(bytes: canvas.encodedAsPNG())
  }
}
