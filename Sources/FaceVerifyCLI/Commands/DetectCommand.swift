import ArgumentParser
import FaceVerify

struct DetectCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "detect", abstract: "Find all faces in photos: where, how large, how they are turned.",
    discussion: """
      Of a folder, all photos in it and below. The most prominent face of a photo
      comes first: the one that a comparison takes.

      Examples:
        faceverify detect group.jpg
        faceverify detect --json --threads 2 photos/
        faceverify detect group.jpg --annotate marked.png
        faceverify detect - < group.jpg

      Exit codes:
        0  every photo shows a face
        2  usage error
        3  runtime error, or a photo cannot be read or shows no face
      """)

  @Argument(help: "Photos, or folders of them: \(PictureFormat.list).", completion: .file()) var photos: [String]
  @OptionGroup var drawing: AnnotateOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var batch: BatchOptions

  func run(on console: Console) throws -> ExitStatus {
    let budget = batch.time.budget()
    let files = try drawing.files(photos, on: console)
    let engine = try batch.makeEngine()
    var results = PhotoResults(on: console)
    let last = try results.add(files, batch.photo, batch.threads, keepsPictures: drawing.isWanted) { photo in
      (photo: photo, faces: try engine.detect(photo, budget: budget))
    } describe: { path, found in
      if found.faces.isEmpty {
        console.warn("\(path): no face found, upright or turned; use a photo that shows one from the front")
      }
      return (
        found.faces.isEmpty ? .failed : .done, describe(path, found.photo, found.faces, on: console),
        ["input": found.photo.jsonValue, "faces": found.faces.jsonValue]
      )
    }
    try results.show(by: engine)
    if let last { try drawing.save(sheet(files[0], last.photo, last.faces), on: console) }
    return results.status
  }

  private func describe(_ path: String, _ photo: Photo, _ faces: [Face], on console: Console) -> String {
    var text = console.styled(Input.name(path), .strong)
    text += "  \(photo.width)×\(photo.height) \(photo.format), \(Text.counted(faces.count, "face"))\n"
    for warning in photo.warnings { text += "  \(warning.text)\n" }
    var table = Table()
    for (i, face) in faces.enumerated() {
      let box = face.box
      func whole(_ value: Double) -> String { Text.number(value, 0) }
      var cells: [Table.Cell] = [
        .init("\(i + 1)", right: true), .init("\(whole(box.width))×\(whole(box.height))"),
        .init("at \(whole(box.x)),\(whole(box.y))"), .init("score \(Text.number(face.score, 2))"),
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

  private func sheet(_ path: String, _ photo: Photo, _ faces: [Face]) throws -> PixelBuffer {
    var marks = try FaceMarks(photo, width: Sheet.single.width, height: Sheet.single.height)
    marks.draw(faces)
    let caption = "\(FileName.last(path)): \(photo.width)×\(photo.height), \(Text.counted(faces.count, "face"))"
    return try Sheet.make([marks.picture], captions: [caption], lines: [])
  }
}

struct AnnotateOption: ParsableArguments {
  @Option(help: .init("Draw what was found into a PNG file; for one photo.", "file")) var annotate: String?

  /// Returns the photos, and those in folders; checks the output.
  func files(_ paths: [String], on console: Console) throws -> [String] {
    let files = try Input.photos(paths)
    try require(annotate == nil || files.count <= 1, "--annotate takes one photo, not \(files.count)")
    try console.prepare(annotate)
    return files
  }

  var isWanted: Bool { annotate != nil }

  func save(_ picture: @autoclosure () throws -> PixelBuffer, on console: Console) throws {
    try console.save(picture().encodedAsPNG(), to: annotate)
  }
}
