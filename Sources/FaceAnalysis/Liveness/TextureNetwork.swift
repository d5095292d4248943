/// Tells a living face from a print, a screen or a cut-out of one by what a single frame shows: dots, stripes, glare,
/// paper edges.
///
/// It looks at the face twice, at the whole of it and closer, for dots and stripes, turned upright by the landmarks as the
/// face chip is; and twice at what is around it, for what holds the picture.
final class TextureNetwork {
  /// Pixels a side of the views of the face, and of those of what is around it.
  private static let side = 112
  private static let aroundSide = 80
  /// How large the face is in its views; at 1 it is as large as in dlib's chip, which is about 1.3 times as wide as the
  /// face. At 112 pixels that has about the resolution of the training photos of LFW; the closer view has that of a webcam.
  private static let zooms = [1.0, 2]
  /// Widths of the face's box in the squares around it: what Silent-Face's two networks see, 2.7 and 4 times the width of
  /// their own detector's box, which is narrower by 0.8 (fitted on NUAA's training pictures).
  private static let reaches = [0.8 * 2.7, 0.8 * 4]

  /// Scores below are taken for attacks: in sources that the network knew nothing of 360 of 360 living people's pictures of
  /// NUAA and 15 of 15 of MSU-MFSD are above, and 353 of 360 prints of NUAA below, but 44 of 45 attacks of MSU above. It is low
  /// for the sake of clips, on which it was chosen: the means of 27 living ones are 0.25 and more, those of three replays 0.2
  /// and less. 22 November 2026; `models/README.md` has the card.
  static let threshold = 0.21

  private let request: InferenceRequest

  init(_ model: CompiledModel) throws {
    request = try InferenceRequest(model)
    let sides = Self.zooms.map { _ in Self.side } + Self.reaches.map { _ in Self.aroundSide }
    guard request.input.count == sides.map({ 3 * $0 * $0 }).reduce(0, +) else {
      throw VerifyError(.modelMismatch, "the texture network's input has \(request.input.count) numbers")
    }
  }

  /// 0 = surely an attack, 1 = surely bona fide.
  func score(of face: LocatedFace) throws -> Double {
    var start = 0
    for view in Self.views(of: face) {
      // The network itself brings bytes into its range.
      let count = view.rgb.count
      view.copyPlanes(blueFirst: false, into: .init(rebasing: request.input[start..<start + count]))
      start += count
    }
    try request.run()
    return Double(try request.output(0, count: 1)[0])
  }

  /// What the network sees of a face; training cuts its pictures with this function.
  static func views(of face: LocatedFace) -> [PixelBuffer] {
    zooms.map { zoom in
      var map = FaceChips.map(face.landmarksInPicture, zoom: zoom)
      map.stretch(by: Double(FaceChips.side) / Double(side))
      // Mirrored at the edges: black beyond them would look like what surrounds a sheet or a display.
      return face.picture.crop(map: map.betweenPixels, width: side, height: side, mirrored: true)
    } + reaches.map { around(face, reach: $0) }
  }

  /// Whether a low score is a sign of an attack: living faces that were cut out of their pictures have one, too, and so have
  /// pictures without colour.
  static func isTelling(_ face: LocatedFace) -> Bool {
    let (box, picture) = (face.inPicture.box, face.picture)
    // The side of the wider square that lies in the picture. In what cameras gave, 0.4 and more (30 clips, MSU-MFSD, NUAA);
    // in what was cut out, 0.2 to 0.35 (seven sources).
    guard Double(min(picture.width, picture.height)) >= 0.4 * reaches[1] * box.width else { return false }
    let part = picture.cutOut(
      corner: Point(x: box.x, y: box.y), angle: 0, scale: box.width / 16, width: 16, height: 16)
    let chroma = stride(from: 0, to: part.rgb.count, by: 3).map { i in
      Int(part.rgb[i..<i + 3].max() ?? 0) - Int(part.rgb[i..<i + 3].min() ?? 0)
    }
    // Of 255; chosen: skin has 20 and more, what video codecs leave of none 1 or 2.
    return chroma.reduce(0, +) > 4 * chroma.count
  }

  /// The upright square around a face, moved into the picture where it reaches beyond it, and no larger than it.
  private static func around(_ face: LocatedFace, reach: Double) -> PixelBuffer {
    let (box, picture) = (face.inPicture.box, face.picture)
    let (width, height) = (Double(picture.width), Double(picture.height))
    let length = min(reach * box.width, width, height)
    func start(_ middle: Double, _ end: Double) -> Double { min(max(0, middle - length / 2), end - length) }
    // Their detector's boxes lie a little lower.
    let corner = Point(x: start(box.centre.x, width), y: start(box.centre.y + 0.03 * box.width, height))
    return picture.cutOut(
      corner: corner, angle: 0, scale: length / Double(aroundSide), width: aroundSide, height: aroundSide)
  }
}

/// What the texture network says: the mean over the frames that it saw.
struct Texture: LivenessMeasuring {
  static let signal = LivenessSignal.texture
  static let unit = "score"
  static let source = "the network's model card, models/README.md"
  let failure = "The face has the texture of a print or a screen."
  let minimum: Double? = TextureNetwork.threshold

  private var sum = 0.0
  private var count = 0
  private var telling = 0

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    guard let texture = frame.texture, let face = frame.face else { return }
    sum += texture
    if TextureNetwork.isTelling(face) { telling += 1 }
    count += 1
  }

  var measured: Measured {
    guard count > 0 else { return .unavailable("No frame shows a face that the network can judge.") }
    let mean = sum / Double(count)
    guard mean >= TextureNetwork.threshold || 2 * telling >= count else {
      return .unavailable(
        "The pictures have no colour, or end too close to the face, to tell a living one from a picture of one.")
    }
    return .value(mean)
  }
}
