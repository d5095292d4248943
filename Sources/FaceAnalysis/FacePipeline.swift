/// The way of one photo: pixels, faces, landmarks, chip, template. One object serves one thread.
package final class FacePipeline {
  let models: LoadedModels
  private let detector: any FaceDetector
  private let landmarks: any LandmarkEstimator
  private let embedder: any FaceEmbedder

  init(
    models: LoadedModels, detector: any FaceDetector, landmarks: any LandmarkEstimator,
    embedder: any FaceEmbedder
  ) {
    self.models = models
    self.detector = detector
    self.landmarks = landmarks
    self.embedder = embedder
  }

  /// The smallest face that is looked for, as the side of its box, in pixels of the full photo.
  package static let smallestFace = 40

  private static let framePasses: [FaceSearch] = [.frame, .margin, .turned(90), .turned(270), .turned(180)]

  /// The faces in a photo, the most prominent first (``LocatedFace/prominence``).
  ///
  /// - Parameter all: also look for small faces when larger ones have been found already.
  package func locate(in photo: Photo, all: Bool = false) throws -> [LocatedFace] {
    // A face that fills a fifth of 640 pixels already gives a chip at full resolution.
    let reduction = photo.reduction(longSideAtLeast: 640)
    let picture = try photo.pixels(reduction: reduction)
    var found: [LocatedFace] = []
    for search in Self.framePasses where found.isEmpty {
      found = try faces(in: picture, scale: reduction, search: search)
    }
    // Larger tiles first: they are few, and small faces are rare.
    if found.isEmpty || all {
      let fine = reduction == 1 ? picture : try photo.pixels(reduction: 1)
      var side = max(fine.width, fine.height) / 2
      repeat {
        side = max(side, Self.smallestFace * 12)
        for face in try faces(in: fine, scale: 1, search: .tiles(side))
        where !found.contains(where: { $0.box.overlap(with: face.box) > 0.3 }) { found.append(face) }
        side /= 2
      } while side > Self.smallestFace * 6 && (found.isEmpty || all)
    }
    // Doubtful faces count only where there is no better one.
    if found.contains(where: { $0.score >= detector.sureScore }) { found.removeAll { $0.score < detector.sureScore } }
    return found.sorted {
      ($0.prominence, $1.box.x, $1.box.y) > ($1.prominence, $0.box.x, $0.box.y)
    }
  }

  private func faces(in picture: PixelBuffer, scale: Int, search: FaceSearch) throws -> [LocatedFace] {
    try detector.faces(in: picture, search: search).compactMap { face in
      try landmarks.landmarks(of: face, in: picture).map {
        LocatedFace(picture: picture, pictureScale: scale, detection: face, landmarksInPicture: $0)
      }
    }
  }

  /// The embedding of a located face.
  package func embedding(of face: LocatedFace, in photo: Photo) throws -> [Float] {
    try embedder.embed(chip: chip(of: face, in: photo))
  }

  package func template(of face: LocatedFace, in photo: Photo, quality: Int?) throws -> FaceTemplate {
    try template(chip: chip(of: face, in: photo), quality: quality)
  }

  /// - Parameter chip: what ``chip(of:in:)`` gave.
  package func template(chip: PixelBuffer, quality: Int?) throws -> FaceTemplate {
    guard let normalisation = models.normalisation else {
      throw VerifyError(
        .modelMissing, "the model set \"\(models.set)\" has no score normalisation: no template can be made")
    }
    let vector = try embedder.embed(chip: chip)
    return FaceTemplate(
      modelIdentifier: models.identifier, vector: vector, strangers: normalisation.statistics(of: vector),
      quality: quality)
  }

  /// The chip, from a finer picture than the face was found in if that has fewer pixels than the chip.
  package func chip(of face: LocatedFace, in photo: Photo) throws -> PixelBuffer {
    var scale = face.pictureScale
    let map = FaceChip.map(alignment: face.landmarksInPicture.alignment)
    var finer = map.scale
    while finer < 1 && scale > 1 {
      finer *= 2
      scale /= 2
    }
    guard scale != face.pictureScale else { return FaceChip.sample(map, from: face.picture) }
    let factor = Double(face.pictureScale / scale)
    let points = face.landmarksInPicture.alignment.map { Point(x: $0.x * factor, y: $0.y * factor) }
    return FaceChip.sample(FaceChip.map(alignment: points), from: try photo.pixels(reduction: scale))
  }
}
