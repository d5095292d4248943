import ArgumentParser
import FaceVerify

struct MRZCommand: Subcommand {
  static let configuration = CommandConfiguration(commandName: "mrz", abstract: "Read a machine readable zone.")

  @Argument(help: "Photos")
  var photos: [String]
  @OptionGroup var engine: EngineOptions

  func run(on console: Console) throws -> ExitStatus {
    let engine = try engine.engine(threads: 1)
    for path in photos {
      let photo = try Photo(path: path)
      let c = ContinuousClock(); let t0 = c.now
      let reading = try engine.readZone(photo, on: CalendarDate(year: 2026, month: 11, day: 21)!)
      let t1 = c.now
      let page = try engine.readPage(photo, on: CalendarDate(year: 2026, month: 11, day: 21)!)
      let t2 = c.now
      console.warn("\(path) \(t1-t0) \(t2-t1) turn \(page.turn ?? 999) \(page.corners) face \(page.portrait?.sample.quality.score ?? -1) \(page.checks.map { "\($0.reason.rawValue) \($0.status) \($0.value ?? -1)" })")
      if let p = page.portrait { try RegularFile.write(p.bytes, to: "/tmp/portraits/\(FileName.last(path)).png") }
      try console.write("\(path)\t\(reading?.cost ?? -1)\t\(reading?.zone.lines.joined(separator: "\t") ?? "-")\n")
    }
    return .done
  }
}
