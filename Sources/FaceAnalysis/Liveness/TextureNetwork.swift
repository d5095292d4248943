/// Tells a living face from a print, a screen or a cut-out of one by what a single frame shows: dots, stripes, glare,
/// paper edges.
///
/// It looks at the face three times: at the whole of it, wider, for what holds the picture, and closer, for dots and
/// stripes. All views are turned upright by the landmarks, as the face chip is.
final class TextureNetwork {
  /// Pixels a side of each view.
  static let side = 112
  private static let size = 3 * side * side
  /// How large the face is in each view, in the order of the network's input; at 1 it is as large as in dlib's chip,
  /// which is about 1.3 times as wide as the face. At 112 pixels that has about the resolution of the training photos
  /// of LFW; the closer view has that of a webcam.
  static let zooms = [1, 0.45, 2]

  /// Scores below are taken for attacks. Of people the network was not trained on, with whom it was chosen, none of 673
  /// is refused (NUAA, four of eight subjects left out in turn; 95 % bounds 0-0.55 %), and 2 of 800 photos of LFW
  /// (0.03-0.9 %); of NUAA's prints, 248 of 720 are accepted (31.0-38.0 %). At 0.5 it would be 64, but 12 % of the frames
  /// of living people's clips would be refused, instead of 2.5 %. 21 November 2026; see `models/README.md`, also for
  /// what it does not see.
  static let threshold = 0.2

  private let request: InferenceRequest

  init(_ model: CompiledModel) throws {
    request = try InferenceRequest(model)
    guard request.input.count == Self.zooms.count * Self.size else {
      throw VerifyError(.modelMismatch, "the texture network's input has \(request.input.count) numbers")
    }
  }

  /// 0 = surely an attack, 1 = surely bona fide.
  func score(of face: LocatedFace) throws -> Double {
    for (i, view) in Self.views(of: face).enumerated() {
      // The network itself brings bytes into its range.
      view.copyPlanes(blueFirst: false, into: .init(rebasing: request.input[i * Self.size..<(i + 1) * Self.size]))
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
    }
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

  init(_ context: LivenessContext) {}

  mutating func add(_ frame: LivenessFrame) {
    guard let texture = frame.texture else { return }
    sum += texture
    count += 1
  }

  var measured: Measured {
    count > 0 ? .value(sum / Double(count)) : .unavailable("No frame shows a face that the network can judge.")
  }
}
