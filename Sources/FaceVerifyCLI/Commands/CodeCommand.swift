import ArgumentParser
import FaceVerify
import FaceVerifyCapture

struct CodeCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "code",
    abstract: "Read codes in photos, a video or a camera's frames, or say why not.",
    discussion: """
      QR, Data Matrix, Aztec, PDF417 and other codes, and bar codes, whatever
      they hold: bytes, text with its character set, GS1 elements. Nothing that
      a code says is opened or obeyed. Of a video or a camera, frames are looked
      at until a code is read, in three of them the same.

      Exit code 0 if a code was read in every photo, or one in the video, 4 if
      not, with the reason, 3 if it could not be done.

      Examples:
        faceverify code licence-back.jpg
        faceverify code --json --formats qr,pdf417 *.jpg
        faceverify code --camera /dev/video0
        faceverify code label.jpg --annotate marked.png
      """)

  @Argument(help: "Photos, or one video.", completion: .file())
  var files: [String] = []

  @Option(help: ArgumentHelp("Take frames from this camera, such as /dev/video0.", valueName: "device"))
  var camera: String?

  @Option(
    help: ArgumentHelp(
      "Look for these alone, separated by commas: \(CodeFormat.all.map(\.rawValue).joined(separator: ", ")).",
      valueName: "list"))
  var formats: String?

  @Option(help: ArgumentHelp("Draw what was found into a PNG file; for one photo.", valueName: "file"))
  var annotate: String?

  @OptionGroup var output: JSONOption
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var photo: PhotoOptions
  @OptionGroup var time: TimeoutOption

  func validate() throws {
    guard files.isEmpty == (camera != nil) else {
      throw ValidationError("Name photos, one video, or --camera DEVICE.")
    }
    if annotate != nil && (files.count != 1 || camera != nil) {
      throw ValidationError("--annotate takes one photo.")
    }
    let unknown = wanted.filter { !CodeFormat.all.contains($0) }
    if formats != nil, wanted.isEmpty || !unknown.isEmpty {
      throw ValidationError("--formats does not know '\(unknown.first?.rawValue ?? "")'.")
    }
  }

  private var wanted: [CodeFormat] {
    guard let formats else { return CodeFormat.all }
    return formats.split(separator: ",").map { CodeFormat(rawValue: String($0)) }
  }

  func run(on console: Console) throws -> ExitStatus {
    let budget = time.budget()
    if let camera { return try scan(.camera(camera), budget, on: console) }
    if files.count == 1, !FrameSource.isPhoto(files[0]) { return try scan(.video(files[0]), budget, on: console) }
    if files.count > 1, let video = files.first(where: { (try? Photo(path: $0)) == nil && isVideo($0) }) {
      throw VerifyError(.badArgument, "\(video): a video is looked at alone, not beside other files")
    }
    let reader = try CodeReader(formats: wanted)
    let results = PhotoBatch.run(files, limits: photo.limits, threads: threads.threads) { [annotate] photo in
      let photo = photo.keepingPictures(if: annotate != nil)
      return (photo: photo, frame: try reader.read(photo, budget: budget))
    }
    var statuses: [ExitStatus] = []
    var text = ""
    var records: [JSONValue] = []
    for (path, result) in zip(files, results) {
      switch result {
      case .success(let (photo, frame)):
        statuses.append(frame.readings.isEmpty ? .refused : .done)
        if files.count > 1 { text += console.styled(path, .strong) + "\n" }
        for reading in frame.readings { text += describe(reading, on: console) }
        if let fault = frame.fault { console.warn("\(path): \(fault.advice)") }
        records.append(
          PhotoRecord.with("file", .string(path), in: PhotoRecord.with("input", photo.jsonValue, in: frame.jsonValue)))
      case .failure(let error):
        statuses.append(.failed)
        records.append(PhotoRecord.failed(path, error))
        console.warn(error.message)
      }
    }
    let record: JSONValue = ["version": .string(FaceVerifyVersion.string), "photos": .array(records)]
    try console.write(output.json ? record.text : text)
    if let annotate, case .success(let found) = results[0] {
      try RegularFile.write(sheet(found.photo, found.frame).encodedAsPNG(), to: annotate)
    }
    return .worst(statuses)
  }

  private func isVideo(_ path: String) -> Bool { (try? VideoReader(path: path)) != nil }

  /// Reads frames until several had the same code; at the end of a video, one reading is enough.
  private func scan(_ source: FrameSource, _ budget: Budget, on console: Console) throws -> ExitStatus {
    let scanner = try CodeScanner(.init(formats: wanted))
    scanner.start()
    var faults: [CodeFault: Int] = [:]
    var last: CodeScan?
    while let frame = try source.next() {
      guard let scan = try scanner.process(frame.pixels, budget: budget) else { break }
      if let fault = scan.fault { faults[fault, default: 0] += 1 }
      if scan.reading != nil { last = scan }
      if scan.report.isFinal { break }
    }
    // The most frequent reason other than that there was no code.
    let common = faults.filter { $0.key != .noneThere }.max {
      ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue)
    }
    let fault = last == nil ? common?.key ?? .noneThere : nil
    if output.json {
      var record = last?.jsonValue ?? ["reading": .null, "report": .null, "verdict": .null, "specimen": .null]
      record = PhotoRecord.with("fault", fault?.jsonValue ?? .null, in: record)
      try console.write(PhotoRecord.with("version", .string(FaceVerifyVersion.string), in: record).text)
    } else if let reading = last?.reading {
      try console.write(describe(reading, on: console))
    }
    if let fault { console.warn(fault.advice) }
    return last == nil ? .refused : .done
  }

  private func describe(_ reading: CodeReading, on console: Console) -> String {
    var text = console.styled(reading.format.rawValue, .strong) + "  "
    if let content = reading.text {
      text += content.printable + "\n"
    } else {
      text += "\(reading.bytes.count) bytes: \(hexadecimal(Array(reading.bytes.prefix(64))))\n"
    }
    for element in reading.gs1 ?? [] { text += "  (\(element.identifier)) \(element.value.printable)\n" }
    if let purpose = reading.purpose, !purpose.text.isEmpty { text += "  \(purpose.text)\n" }
    return text
  }

  private func sheet(_ photo: Photo, _ frame: CodeFrame) throws -> PixelBuffer {
    var picture = try photo.pixels()
    let (good, bad): (UInt32, UInt32) = (0x2E_CC40, 0xFF_4136)
    let thickness = max(2, Double(max(picture.width, picture.height)) / 400)
    func outline(_ corners: [Point], _ colour: UInt32, _ text: String) {
      for i in corners.indices {
        picture.drawLine(from: corners[i], to: corners[(i + 1) % corners.count], colour: colour, thickness: thickness)
      }
      guard let place = corners.min(by: { $0.y < $1.y }) else { return }
      picture.drawText(
        text.printable, at: Point(x: max(4, place.x), y: max(6 * thickness, place.y - 2 * thickness)),
        size: 5 * thickness, colour: colour)
    }
    for reading in frame.readings { outline(reading.corners, good, reading.format.rawValue) }
    if let fault = frame.fault, fault != .noneThere, let place = frame.places.first {
      outline(place.corners, bad, fault.rawValue)
    }
    return picture
  }
}
