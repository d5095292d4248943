import ArgumentParser
import FaceAnalysis

struct AlignFaces: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Crops faces upright and to one size, with their meshes.",
    discussion: """
        find PHOTOS -name '*.jpg' | sort | training-tool align-faces MODELS OUTPUT > aligned.txt

      OUTPUT.u8 contains 216×216 RGB bytes for each photo with a face, OUTPUT.f4 470 points (x, y; 32-bit floats) in pixels of \
      these: the 468 of the mesh, then the centres of the right and the left iris. The paths of these photos go to standard \
      output, in the same order; the others to standard error.
      """)
  @Argument var models: String
  @Argument var output: String

  func run() throws {
    let faces = photosWithFaces(try loadModels(models)) { photo, pipeline in
      try pipeline.locate(in: photo).first.flatMap { AlignedFace($0) }
    }
    var (pixels, points): ([UInt8], [UInt8]) = ([], [])
    for (path, face) in faces {
      print(path)
      pixels += face.picture.rgb
      for point in face.points {
        for number in [Float(point.x), Float(point.y)] { withUnsafeBytes(of: number) { points += $0 } }
      }
    }
    try RegularFile.write(pixels, to: output + ".u8")
    try RegularFile.write(points, to: output + ".f4")
  }
}

struct EmbedPhotos: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the embedding of each photo's face.",
    discussion: """
        find PHOTOS -name '*.jpg' | sort | training-tool embed-photos MODELS SET OUTPUT > paths.txt

      OUTPUT contains the 32-bit floats of the set's network for each photo with a face, 256 in default and retail, 128 in \
      dlib; the paths of these photos go to standard output, in the same order, the others to standard error.
      """)
  @Argument var models: String
  @Argument(help: "default, retail or dlib.") var set: String
  @Argument var output: String

  func run() throws {
    let embeddings = photosWithFaces(try loadModels(models, set: ModelSet(rawValue: set))) { photo, pipeline in
      try pipeline.locate(in: photo).first.map { try pipeline.embedding(of: pipeline.chips(of: $0, in: photo)) }
    }
    var bytes: [UInt8] = []
    for (path, embedding) in embeddings {
      print(path)
      embedding.withUnsafeBytes { bytes += $0 }
    }
    try RegularFile.write(bytes, to: output)
  }
}

struct ComparePictures: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Scores pairs of photos as copies of one picture.",
    discussion: """
        tr '\\t' '\\n' < PAIRS | sort -u | training-tool compare-pictures MODELS PAIRS > scores.tsv

      PAIRS has one line per pair, two paths separated by a tab. Each output line has the score and both paths; nan for a \
      photo without a face or with too little detail.
      """)
  @Argument var models: String
  @Argument var pairs: String

  func run() throws {
    let found = photosWithFaces(try loadModels(models)) { photo, pipeline -> FaceDetail? in
      let decoded = DecodedPhoto(photo, budget: .unlimited)
      guard let face = try pipeline.locate(in: decoded, budget: .unlimited).first else { return nil }
      return try pipeline.detail(of: face, in: decoded)
    }
    let details = Dictionary(found, uniquingKeysWith: { first, _ in first })
    let lines = String(decoding: try RegularFile.read(path: pairs, maximumBytes: 1 << 28), as: UTF8.self)
    var (count, milliseconds) = (0, 0.0)
    for line in lines.split(separator: "\n") {
      let paths = line.split(separator: "\t").map(String.init)
      guard paths.count == 2 else { continue }
      var score: Double?
      let time = ContinuousClock().measure {
        guard let a = details[paths[0]], let b = details[paths[1]] else { return }
        score = SamePicture([a], b, threshold: SamePicture.thresholds.frames).score
      }
      milliseconds += time / .milliseconds(1)
      count += 1
      print("\(score ?? .nan)\t\(paths[0])\t\(paths[1])")
    }
    log("\(count) pairs, \(milliseconds / Double(max(1, count))) ms each")
  }
}

struct CutFaces: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Crops faces to the views of the texture network.",
    discussion: """
        find PHOTOS -name '*.png' | sort | training-tool cut-faces MODELS OUTPUT > cuts.tsv

      OUTPUT contains the four views of each picture with a face as RGB bytes. The paths of these pictures go to standard \
      output, in the same order, each with the score of the network in the models folder, the distance between the eyes in \
      pixels and the position of the face (centre and width of its bounding box, as fractions of the picture's size), \
      separated by tabs; the others go to standard error, and at the end the median time of cropping and scoring a face on one \
      thread.
      """)
  @Argument var models: String
  @Argument var output: String

  func run() throws {
    let cuts = photosWithFaces(try loadModels(models)) { photo, pipeline -> ([Double], [UInt8], Duration)? in
      guard let face = try pipeline.locate(in: photo).first else { return nil }
      let views = FacePipeline.textureViews(of: face)
      var score: Double?
      let time = try ContinuousClock().measure { score = try pipeline.texture(of: face) }
      let (width, height) = (Double(photo.width), Double(photo.height))
      let numbers = [
        score ?? .nan, face.landmarks.interEyeDistance, face.box.centre.x / width, face.box.centre.y / height,
        face.box.width / width,
      ]
      return (numbers, views.flatMap(\.rgb), time)
    }
    let times = cuts.map(\.found.2).sorted()
    if !times.isEmpty { log("\(times[times.count / 2]) a face, cut and judged (median of \(times.count))") }
    for (path, cut) in cuts { print(([path] + cut.0.map { "\(rounded($0, 1e5))" }).joined(separator: "\t")) }
    try RegularFile.write(cuts.flatMap(\.found.1), to: output)
  }
}

struct CutMouths: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Crops mouths to the view of the smile network, with a margin for training.",
    discussion: """
        find PHOTOS -name '*.jpg' | sort | training-tool cut-mouths MODELS OUTPUT > mouths.txt

      OUTPUT contains the view of each face, 64×64 RGB bytes; the network uses the central 40×40. The paths of these pictures \
      go to standard output, in the same order; the others to standard error.
      """)
  @Argument var models: String
  @Argument var output: String

  func run() throws {
    let cuts = photosWithFaces(try loadModels(models)) { photo, pipeline in
      try pipeline.locate(in: photo).first.flatMap { FacePipeline.smileView(of: $0, side: 64, margin: 1.6)?.rgb }
    }
    for (path, _) in cuts { print(path) }
    try RegularFile.write(cuts.flatMap(\.found), to: output)
  }
}
