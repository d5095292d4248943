/// Tells a living face from a print, a screen or a cut-out of one by what a single frame shows: dots, stripes, glare,
/// paper edges.
///
/// It looks at the face twice: near, for texture, and wide, for what holds the picture. Both views are turned upright
/// by the landmarks, as the face chip is.
final class TextureNetwork {
  /// Pixels a side of each view.
  static let side = 112
  /// The near view is dlib's chip: about 1.3 times as wide as the face. At 112 pixels it has about the resolution that
  /// the training photos have, so that nothing is learned from enlargement.
  static let nearZoom = 1.0
  /// The wide view: about 2.8 times the face.
  static let wideZoom = 0.45

  /// Scores below are taken for attacks. Chosen on photos of people the network was not trained on: of the living, 16 of
  /// 673 are refused (NUAA, four of eight subjects left out in turn; 95 % bounds 1.4-3.8 %), and 2 of 400 of LFW
  /// (0.1-1.8 %); of NUAA's prints, 207 of 720 are accepted (25.5-32.2 %). 21 November 2026; see `models/README.md`, also
  /// for what it does not see.
  static let threshold = 0.15

  private let request: InferenceRequest

  init(_ model: CompiledModel) throws {
    request = try InferenceRequest(model)
    guard request.input.count == 2 * 3 * Self.side * Self.side else {
      throw VerifyError(.modelMismatch, "the texture network's input has \(request.input.count) numbers")
    }
  }

  /// 0 = surely an attack, 1 = surely bona fide.
  func score(of face: LocatedFace) throws -> Double {
    let views = Self.views(of: face)
    let half = request.input.count / 2
    // The network itself brings bytes into its range.
    views.near.normalisePlanar(bias: [0, 0, 0], scale: 1, into: .init(rebasing: request.input[..<half]))
    views.wide.normalisePlanar(bias: [0, 0, 0], scale: 1, into: .init(rebasing: request.input[half...]))
    try request.run()
    return Double(try request.output(0, count: 1)[0])
  }

  /// What the network sees of a face; training cuts its pictures with this function.
  static func views(of face: LocatedFace) -> (near: PixelBuffer, wide: PixelBuffer) {
    func view(zoom: Double) -> PixelBuffer {
      var map = FaceChips.map(face.landmarksInPicture, zoom: zoom)
      map.stretch(by: Double(FaceChips.side) / Double(side))
      return face.picture.crop(map: map.betweenPixels, width: side, height: side)
    }
    return (view(zoom: nearZoom), view(zoom: wideZoom))
  }
}
