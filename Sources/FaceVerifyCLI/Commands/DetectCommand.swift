import ArgumentParser
import FaceVerify

struct DetectCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "detect",
    abstract: "Find all faces in photos: where, how large, how they are turned.",
    discussion: """
      The most prominent face of a photo comes first: the one that a comparison
      takes. Exit code 3 if a photo cannot be read or shows no face.

      Examples:
        faceverify detect group.jpg
        faceverify detect --json --threads 2 *.jpg
        faceverify detect group.jpg --annotate marked.png
      """)

  @Argument(help: "Photos: \(PictureFormat.list).", completion: .file())
  var photos: [String]

  @Option(help: ArgumentHelp("Draw what was found into a PNG file; for one photo.", valueName: "file"))
  var annotate: String?

  @OptionGroup var output: JSONOption
  @OptionGroup var engine: EngineOptions
  @OptionGroup var threads: ThreadsOption
  @OptionGroup var photo: PhotoOptions
  @OptionGroup var time: TimeoutOption

  func validate() throws {
    if annotate != nil && photos.count > 1 { throw ValidationError("--annotate takes one photo, not \(photos.count)") }
  }

  func run(on console: Console) throws -> ExitStatus {
    let budget = time.budget()
    let engine = try engine.engine(threads: threads.threads)
    let results = PhotoBatch.run(photos, limits: photo.limits, threads: threads.threads) { [annotate] photo in
      let photo = photo.keepingPictures(if: annotate != nil)
      return (photo: photo, faces: try engine.detect(photo, budget: budget))
    }
    var statuses: [ExitStatus] = []
    var text = ""
    var records: [JSONValue] = []
    for (path, result) in zip(photos, results) {
      switch result {
      case .success(let (photo, faces)):
        statuses.append(faces.isEmpty ? .failed : .done)
        text += describe(path, photo, faces, on: console)
        records.append(["file": .string(path), "input": photo.jsonValue, "faces": faces.jsonValue])
        if faces.isEmpty {
          console.warn(
            "\(path): no face found, upright or turned; use a photo that shows one from the front")
        }
      case .failure(let error):
        statuses.append(.failed)
        records.append(PhotoRecord.failed(path, error))
        console.warn(error.message)
      }
    }
    try console.write(output.json ? PhotoRecord.all(records, by: engine).text : text)
    if let annotate, case .success(let found) = results[0] {
      try RegularFile.write(sheet(found.photo, found.faces).encodedAsPNG(), to: annotate)
    }
    return .worst(statuses)
  }

  private func describe(_ path: String, _ photo: Photo, _ faces: [Face], on console: Console) -> String {
    var text = console.styled(path, .strong)
    text += "  \(photo.width)×\(photo.height) \(photo.format), \(faces.count) face\(faces.count == 1 ? "" : "s")\n"
    for warning in photo.warnings { text += "  \(warning.text)\n" }
    var table = Table()
    for (i, face) in faces.enumerated() {
      let box = face.box
      func whole(_ value: Double) -> String { Text.number(value, 0) }
      var cells: [Table.Cell] = [
        .init("\(i + 1)", right: true),
        .init("\(whole(box.width))×\(whole(box.height))"),
        .init("at \(whole(box.x)),\(whole(box.y))"),
        .init("score \(Text.number(face.score, 2))"),
        .init("eyes \(whole(face.landmarks.interEyeDistance)) px apart"),
      ]
      if let pose = face.landmarks.pose {
        cells.append(
          .init("yaw \(Text.signed(pose.yaw))° pitch \(Text.signed(pose.pitch))° roll \(Text.signed(pose.roll))°"))
      }
      if face.turn != 0 { cells.append(.init("after turning the photo by \(face.turn)°", .caution)) }
      table.add(cells)
    }
    return text + table.text(indent: 2, on: console)
  }

  private func sheet(_ photo: Photo, _ faces: [Face]) throws -> PixelBuffer {
    var marks = try FaceMarks(photo, width: Sheet.single.width, height: Sheet.single.height)
    marks.draw(faces)
    let count = "\(faces.count) face\(faces.count == 1 ? "" : "s")"
    let caption = "\(FileName.last(photos[0])): \(photo.width)x\(photo.height), \(count)"
    return try Sheet.make([marks.picture], captions: [caption], lines: [])
  }
}
