/// Distinguishes a living face from a print, a screen or a cut-out by the texture of a single frame: dots, stripes,
/// glare, paper edges.
///
/// Its input is four crops: two of the face, at two scales for dots and stripes, made upright by the landmarks like the
/// face chip, and two of its surroundings, to detect the medium.
final class TextureNetwork {
  /// Sides in pixels of the crops of the face, and of those of its surroundings.
  private static let side = 112
  private static let aroundSide = 80
  /// The scales of the face in its crops; 1 is that of dlib's chip, which is about 1.3 times as wide as the face. At
  /// 112 pixels that is about the resolution of the training photos of LFW; the closer crop has that of a webcam.
  private static let zooms = [1.0, 2]
  /// Widths of the surrounding squares in widths of the face's box: the crops of Silent-Face's two networks, 2.7 and 4
  /// times the width of its own detector's box, which is narrower by a factor of 0.8 (fitted on NUAA's training
  /// pictures).
  private static let reaches = [0.8 * 2.7, 0.8 * 4]

  /// Lower scores are classified as attacks. On data sets not used in training, 360 of 360 live pictures of NUAA and 15
  /// of 15 of MSU-MFSD are above, 353 of 360 prints of NUAA are below, but 44 of 45 attacks of MSU-MFSD are above. It
  /// is low because it was chosen on clips: the means of 27 live ones are at least 0.25, those of three replays at most
  /// 0.2. 22 November 2026; model card: `models/README.md`.
  static let threshold = 0.21

  private let request: InferenceRequest

  init(_ model: CompiledModel) throws {
    let sides = Self.zooms.map { _ in Self.side } + Self.reaches.map { _ in Self.aroundSide }
    request = try InferenceRequest(model, of: "the texture network", inputs: sides.reduce(0) { $0 + 3 * $1 * $1 })
  }

  /// Returns the score, 0 for an attack to 1 for bona fide.
  func score(of face: LocatedFace) throws -> Double {
    var start = 0
    for view in Self.views(of: face) {
      // The network normalises the bytes itself.
      let count = view.rgb.count
      view.copyPlanes(blueFirst: false, into: .init(rebasing: request.input[start..<start + count]))
      start += count
    }
    try request.run()
    return Double(try request.output(0, count: 1)[0])
  }

  /// Returns the network's crops of a face; training uses this function for its crops.
  static func views(of face: LocatedFace) -> [PixelBuffer] {
    zooms.map { zoom in
      var map = FaceChips.map(face.landmarksInPicture, zoom: zoom)
      map.stretch(by: Double(FaceChips.side) / Double(side))
      // Reflected at the edges: black padding would look like the surroundings of a sheet or a display.
      return face.picture.crop(map, width: side, height: side, mirrored: true)
    } + reaches.map { around(face, reach: $0) }
  }

  /// Whether a low score is evidence of an attack: living faces cropped from their pictures score low as well, and so
  /// do pictures without colour.
  static func isTelling(_ face: LocatedFace) -> Bool {
    let (box, picture) = (face.inPicture.box, face.picture)
    // The fraction of the wider square's side that is inside the picture. In camera frames 0.4 or more (30 clips,
    // MSU-MFSD, NUAA); in crops 0.2 to 0.35 (seven sources).
    guard Double(min(picture.width, picture.height)) >= 0.4 * reaches[1] * box.width else { return false }
    let part = picture.cutOut(corner: Point(x: box.x, y: box.y), angle: 0, scale: box.width / 16, width: 16, height: 16)
    let chroma = stride(from: 0, to: part.rgb.count, by: 3).map { i in
      Int(part.rgb[i..<i + 3].max() ?? 0) - Int(part.rgb[i..<i + 3].min() ?? 0)
    }
    // Of 255; chosen: skin has 20 or more, video codecs leave 1 or 2 of none.
    return chroma.reduce(0, +) > 4 * chroma.count
  }

  /// Returns the upright square around a face, shifted into the picture and no larger than it.
  private static func around(_ face: LocatedFace, reach: Double) -> PixelBuffer {
    let (box, picture) = (face.inPicture.box, face.picture)
    let (width, height) = (Double(picture.width), Double(picture.height))
    let length = min(reach * box.width, width, height)
    func start(_ middle: Double, _ end: Double) -> Double { min(max(0, middle - length / 2), end - length) }
    // Silent-Face's detector boxes are slightly lower.
    let corner = Point(x: start(box.centre.x, width), y: start(box.centre.y + 0.03 * box.width, height))
    return picture.cutOut(
      corner: corner, angle: 0, scale: length / Double(aroundSide), width: aroundSide, height: aroundSide)
  }
}

/// The texture network's score, averaged over the sampled frames.
struct Texture: FrameMeasuring {
  static let signal = LivenessSignal.texture
  static let unit = "score"
  static let source = "the network's model card, models/README.md"
  let failure = "The face has the texture of a print or a screen."
  let minimum: Double? = TextureNetwork.threshold

  private var sum = 0.0
  private var count = 0
  private var telling = 0

  mutating func add(_ frame: LivenessFrame) {
    guard let texture = frame.texture, let face = frame.face else { return }
    sum += texture
    if TextureNetwork.isTelling(face) { telling += 1 }
    count += 1
  }

  var measured: Measured {
    guard count > 0 else { return .unavailable("No frame shows a face that the network can assess.") }
    let mean = sum / Double(count)
    guard mean >= TextureNetwork.threshold || 2 * telling >= count else {
      return .unavailable(
        "The pictures are grey, or cropped too close to the face, to distinguish a living face from a picture of one.")
    }
    return .value(mean)
  }
}
