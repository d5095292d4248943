import ArgumentParser
import FaceVerify
import FaceVerifyCapture

struct CodeCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "code", abstract: "Read codes in photos, in a video or from a camera.",
    discussion: """
      QR, Data Matrix, Aztec, PDF417 and other codes, and bar codes, with any
      content: bytes, text with its character set, GS1 elements. Nothing that a
      code says is opened or obeyed. A video or a camera is read until three
      frames had the same code.

      Examples:
        faceverify code licence-back.jpg
        faceverify code --json --formats qr,pdf417 *.jpg
        faceverify code --camera /dev/video0
        faceverify code label.jpg --annotate marked.png

      Exit codes:
        0  a code was read in every photo, or one in the video
        2  usage error
        3  runtime error
        4  no code was read; the reason is on standard error
      """)

  @Argument(help: "Photos, folders of them, or one video.", completion: .file()) var files: [String] = []
  @Option(help: .init("Take frames from this camera, such as /dev/video0.", "device")) var camera: String?
  @Option(
    help: .init(
      "Search only these, separated by commas: \(CodeFormat.all.map(\.rawValue).joined(separator: ", ")).", "list"))
  var formats: String?
  @OptionGroup var drawing: AnnotateOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var models: ModelsFolderOption
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var photo: PhotoOptions
  @OptionGroup var time: TimeoutOption

  func validate() throws {
    try require(files.isEmpty == (camera != nil), "name photos, one video, or --camera DEVICE")
    try require(!drawing.isWanted || camera == nil, "--annotate takes one photo.")
    let unknown = wanted.filter { !CodeFormat.all.contains($0) }
    try require(!wanted.isEmpty && unknown.isEmpty, "--formats does not know '\(unknown.first?.rawValue ?? "")'.")
  }

  private var wanted: [CodeFormat] {
    formats?.split(separator: ",").map { CodeFormat(rawValue: String($0)) } ?? CodeFormat.all
  }

  func run(on console: Console) throws -> ExitStatus {
    let budget = time.budget()
    if let camera { return try scan(.camera(camera), budget, on: console) }
    if files.count == 1, isVideo(files[0]) { return try scan(.video(files[0]), budget, on: console) }
    if let video = files.first(where: isVideo) { throw ValidationError("\(video) is a video; name it alone") }
    let photos = try drawing.files(files, on: console)
    if photos.count == 1, photos[0] != "-", !FrameSource.isPhoto(photos[0]),
      try !RegularFile.beginning(path: photos[0], bytes: 1).isEmpty
    {
      throw VerifyError(
        .unknownFormat,
        "\(photos[0]) is neither a photo nor a video; photos are \(PictureFormat.list), videos MP4, MOV, "
          + "MKV, WebM, AVI, GIF or Motion JPEG")
    }
    let reader = try CodeReader(formats: wanted, modelsFolder: models.named)
    var results = PhotoResults(on: console)
    let last = try results.add(photos, photo, threads, keepsPictures: drawing.isWanted) { photo in
      (photo: photo, frame: try reader.read(photo, budget: budget))
    } describe: { path, found in
      if let fault = found.frame.fault { console.warn("\(path): \(fault.advice)") }
      let head = photos.count > 1 ? console.styled(Input.name(path), .strong) + "\n" : ""
      return (
        found.frame.readings.isEmpty ? .refused : .done,
        head + found.frame.readings.map { describe($0, on: console) }.joined(),
        found.frame.jsonValue.with("input", found.photo.jsonValue)
      )
    }
    try console.show(["version": .string(FaceVerifyVersion.string), "photos": .array(results.records)], results.text)
    if let last { try drawing.save(sheet(last.photo, last.frame), on: console) }
    return results.status
  }

  /// Whether a file is neither a photo nor a folder, and begins as a video does.
  private func isVideo(_ path: String) -> Bool {
    path != "-" && !Folder.isFolder(path) && !FrameSource.isPhoto(path) && FrameSource.isVideo(path)
  }

  /// Reads frames until several had the same code; at the end of a video, one reading is enough.
  private func scan(_ source: FrameSource, _ budget: Budget, on console: Console) throws -> ExitStatus {
    let scanner = try CodeScanner(.init(formats: wanted, modelsFolder: models.named))
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
    faults[.noneThere] = nil
    let common = faults.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
    let fault = last == nil ? common?.key ?? .noneThere : nil
    let none: JSONValue = ["reading": .null, "report": .null, "verdict": .null, "specimen": .null]
    let record = (last?.jsonValue ?? none).with("fault", fault?.jsonValue ?? .null)
    try console.show(
      record.with("version", .string(FaceVerifyVersion.string)),
      last?.reading.map { describe($0, on: console) } ?? "")
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
    let (good, bad): (UInt32, UInt32) = (Style.good.colour, Style.bad.colour)
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
