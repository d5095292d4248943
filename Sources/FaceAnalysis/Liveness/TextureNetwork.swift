internal import Glibc

/// Distinguishes a living face from a print, a screen or a cut-out in a single frame.
///
/// Its input is three upright squares around the face, each judged by a network of its own: two with surroundings, which
/// show the medium, and one of the face alone, for pictures that end close to it.
final class TextureNetwork {
  /// A square view: pixels per side, and extent in widths of the face's box.
  private typealias View = (side: Int, reach: Double)

  /// The views of Silent-Face's two networks, 2.7 and 4 times the width of its own detector's box, which is narrower by
  /// a factor of 0.8 (fitted on NUAA's training pictures).
  private static let surroundings: [View] = [(80, 0.8 * 2.7), (80, 0.8 * 4)]
  /// The view of minifas_se_128, around a point higher than the box's centre: its own detector's boxes include the
  /// forehead (width and height fitted on the AUC of nine training sources).
  private static let close: View = (128, 1.5)

  /// Lower scores are classified as attacks. The network's biases are chosen so that a single picture of a living person
  /// has a lower one in 5 % of cases, over six sources: `models/README.md`.
  static let threshold = 0.21

  private let request: InferenceRequest

  init(_ model: CompiledModel) throws {
    let numbers = (Self.surroundings + [Self.close]).reduce(0) { $0 + 3 * $1.side * $1.side }
    request = try InferenceRequest(model, of: "the texture network", inputs: numbers)
  }

  /// Returns the score, 0 for an attack to 1 for bona fide: of all views, or of the face alone where the picture ends
  /// close to it.
  func score(of face: LocatedFace) throws -> Double {
    var start = 0
    for view in Self.views(of: face) {
      // The network normalises the bytes itself.
      let count = view.rgb.count
      view.copyPlanes(blueFirst: false, into: .init(rebasing: request.input[start..<start + count]))
      start += count
    }
    try request.run()
    return Double(try request.output(0, count: 2)[Self.hasSurroundings(face) ? 0 : 1])
  }

  /// Returns the network's crops of a face; training uses this function for its crops.
  static func views(of face: LocatedFace) -> [PixelBuffer] {
    let (box, picture) = (face.inPicture.box, face.picture)
    let middle = Point(x: box.centre.x, y: box.centre.y - 0.2 * box.width)
    let map = AffineMap(square: middle, side: close.reach * box.width, angle: 0, pixels: close.side)
    // Reflected at the edges, like the teacher's.
    return surroundings.map { around(face, $0) }
      + [picture.crop(map, width: close.side, height: close.side, mirrored: true)]
  }

  /// Whether enough of the widest view is inside the picture. Of its side, camera frames have 0.4 or more (30 clips,
  /// MSU-MFSD, NUAA), faces cropped from their pictures 0.2 to 0.35 (seven sources).
  private static func hasSurroundings(_ face: LocatedFace) -> Bool {
    Double(min(face.picture.width, face.picture.height)) >= 0.4 * surroundings[1].reach * face.inPicture.box.width
  }

  /// Whether a low score is evidence of an attack: living faces cropped from their pictures score low as well, and so
  /// do pictures without colour.
  static func isTelling(_ face: LocatedFace) -> Bool {
    let (box, picture) = (face.inPicture.box, face.picture)
    guard hasSurroundings(face) else { return false }
    let part = picture.cutOut(corner: Point(x: box.x, y: box.y), angle: 0, scale: box.width / 16, width: 16, height: 16)
    let chroma = stride(from: 0, to: part.rgb.count, by: 3).map { i in
      Int(part.rgb[i..<i + 3].max() ?? 0) - Int(part.rgb[i..<i + 3].min() ?? 0)
    }
    // Of 255; chosen: skin has 20 or more, video codecs leave 1 or 2 of none.
    return chroma.reduce(0, +) > 4 * chroma.count
  }

  /// Returns the upright square around a face, shifted into the picture and no larger than it.
  private static func around(_ face: LocatedFace, _ view: View) -> PixelBuffer {
    let (box, picture) = (face.inPicture.box, face.picture)
    let (width, height) = (Double(picture.width), Double(picture.height))
    let length = min(view.reach * box.width, width, height)
    func start(_ middle: Double, _ end: Double) -> Double { min(max(0, middle - length / 2), end - length) }
    // Silent-Face's detector boxes are slightly lower.
    let corner = Point(x: start(box.centre.x, width), y: start(box.centre.y + 0.03 * box.width, height))
    return picture.cutOut(
      corner: corner, angle: 0, scale: length / Double(view.side), width: view.side, height: view.side)
  }
}

/// The texture network's score of the sampled frames together: the mean of their log-odds.
struct Texture: LivenessMeasuring {
  static let signal = LivenessSignal.texture
  static let unit = "score"
  static let source = "the network's model card, models/README.md"
  let failure = "The face has the texture of a print or a screen."
  let minimum: Double? = TextureNetwork.threshold

  /// Added to the mean of a session, where other checks count as well, and a failure is an attack. Chosen: without it,
  /// 27 clips of living people have -2.8 to 5.2 relative to the operating point of pictures, three replays -11 to -5.5.
  static let session = 2.5
  /// Of a frame's log-odds: they stay finite, and no frame decides alone.
  private static let limit = 12.0

  private let allowance: Double
  private var sum = 0.0
  private var count = 0
  private var telling = 0

  init(_ context: LivenessContext) { allowance = context.isPicture ? 0 : Self.session }

  mutating func add(_ frame: LivenessFrame) {
    guard let texture = frame.texture, let face = frame.face else { return }
    sum += min(Self.limit, max(-Self.limit, log(texture / (1 - texture))))
    if TextureNetwork.isTelling(face) { telling += 1 }
    count += 1
  }

  var measured: Measured {
    guard count > 0 else { return .unavailable("No frame shows a face that the network can assess.") }
    let mean = 1 / (1 + exp(-(sum / Double(count) + allowance)))
    guard mean >= TextureNetwork.threshold || 2 * telling >= count else {
      return .unavailable(
        "The pictures are grey, or cropped too close to the face, to distinguish a living face from a picture of one.")
    }
    return .value(mean)
  }
}
