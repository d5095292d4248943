/// Pipeline for one photo: pixels, faces, landmarks, chip, template. Not thread-safe.
package final class FacePipeline {
  let models: LoadedModels
  private let detector: any FaceDetector
  private let landmarks: any LandmarkEstimator
  private let embedder: any FaceEmbedder
  private let textureScore: ((LocatedFace) throws -> Double)?
  private let smileScore: ((LocatedFace) throws -> Double?)?
  private let seesDetail: Bool

  /// - Parameters:
  ///   - texture: Computes ``texture(of:)``; nil without a network for it.
  ///   - smile: Computes ``smile(of:)``; nil without a network for it.
  ///   - seesDetail: Whether ``FaceDetail`` is available: false where all faces are drawn alike.
  package init(
    models: LoadedModels, detector: any FaceDetector, landmarks: any LandmarkEstimator,
    embedder: any FaceEmbedder, texture: ((LocatedFace) throws -> Double)? = nil,
    smile: ((LocatedFace) throws -> Double?)? = nil, seesDetail: Bool = true
  ) {
    (self.models, self.detector, self.landmarks, self.embedder) = (models, detector, landmarks, embedder)
    textureScore = texture
    smileScore = smile
    self.seesDetail = seesDetail
  }

  /// Returns the smallest face searched for, as the side of its box in pixels of the full photo: 40, and beyond 12
  /// megapixels scaled with the photo's side, so that no search costs more than that of 4000×3000 pixels.
  package static func smallestFace(width: Int, height: Int) -> Int {
    Int(40 * max(1, (Double(width * height) / 12_000_000).squareRoot()))
  }

  /// At or above this confidence, rotated searches are skipped: 98 % of 1,531 upright faces are above it, none of 20
  /// upside-down ones.
  private static let uprightConfidence = 0.85

  /// A face that fills a fifth of a picture of this side already gives a chip at full resolution.
  private static let frameSide = 640

  package func locate(in photo: Photo, all: Bool = false, budget: Budget = .unlimited) throws -> [LocatedFace] {
    try locate(in: DecodedPhoto(photo, budget: budget), all: all, budget: budget)
  }

  /// Returns the faces in a photo, the most prominent first (``LocatedFace/prominence``).
  ///
  /// - Parameters:
  ///   - expected: Where to look next, in this order, while no face is certain; in pixels of the photo.
  ///   - all: Also search for small faces when larger ones have been found.
  package func locate(
    in photo: DecodedPhoto, expected: [FaceSearch.Square] = [], all: Bool = false, budget: Budget
  ) throws -> [LocatedFace] {
    let reduction = photo.photo.reduction(longSideAtLeast: Self.frameSide)
    let picture = try photo.picture(reduction: reduction)
    func faces(_ search: FaceSearch) throws -> [LocatedFace] {
      try self.faces(in: picture, scale: reduction, search: search, budget)
    }
    func confidence(_ faces: [LocatedFace]) -> Double { faces.map(\.confidence).max() ?? 0 }

    var found = try faces(.frame)
    var isSure = confidence(found) >= Self.uprightConfidence
    for square in expected where !isSure {
      let reduction = Photo.reduction(of: square.side, atLeast: Self.frameSide)
      let seen = try self.faces(
        in: photo.picture(reduction: reduction), scale: reduction, search: .square(square.reduced(by: reduction)),
        budget)
      if seen.contains(where: { $0.score >= detector.sureScore }) { (found, isSure) = (seen, true) }
    }
    if !isSure {
      // A rotated or upside-down face is often found without rotating the photo, but inaccurately: the pass with the
      // highest confidence counts.
      for search in [FaceSearch.turned(90), .turned(270), .turned(180), .margin] {
        let seen = try faces(search)
        if confidence(seen) > confidence(found) + 0.05 { found = seen }
      }
      isSure = confidence(found) >= Self.uprightConfidence
    }
    if !isSure || all { found += try smallFaces(in: photo, all: all, budget) }
    // Doubtful faces count only if there is no better one.
    if found.contains(where: { $0.score >= detector.sureScore }) { found.removeAll { $0.score < detector.sureScore } }
    return try addingEyes(
      distinct(found).sorted { ($0.prominence, $1.box.x, $1.box.y) > ($1.prominence, $0.box.x, $0.box.y) })
  }

  /// Returns the sides of the tiles in which a photo is searched, in its own pixels, the largest first; empty if the
  /// whole frame suffices.
  package static func tileSides(width: Int, height: Int) -> [Int] {
    let smallest = smallestFace(width: width, height: height)
    let (longSide, shortSide) = (max(width, height), min(width, height))
    // A tile shows faces from a tenth of its side, and overlaps the next one by a quarter.
    guard 10 * smallest <= longSide else { return [] }
    var sides = [10 * smallest]
    // The whole frame shows larger faces, and no face is larger than the photo.
    while let last = sides.last, last / 4 < min(longSide / 10, shortSide) { sides.append(2 * last) }
    return sides.reversed()
  }

  /// Searches tiles of the finest picture, the larger ones first: they are fewer, and small faces are rare.
  private func smallFaces(in photo: DecodedPhoto, all: Bool, _ budget: Budget) throws -> [LocatedFace] {
    let scale = photo.finestReduction
    var found: [LocatedFace] = []
    for side in Self.tileSides(width: photo.photo.width, height: photo.photo.height) {
      let fine = try photo.picture(reduction: scale)
      found += try faces(in: fine, scale: scale, search: .tiles(side / scale), budget)
      if !all, found.contains(where: { $0.confidence >= Self.uprightConfidence }) { break }
    }
    return found
  }

  /// Removes duplicates, keeping one face per location. Passes may find different sizes at one location: in a coarse
  /// pass, a whole portrait can look like a face.
  private func distinct(_ faces: [LocatedFace]) -> [LocatedFace] {
    var kept: [LocatedFace] = []
    for face in faces.sorted(by: { ($0.confidence, $1.box.x, $1.box.y) > ($1.confidence, $0.box.x, $0.box.y) })
    where !kept.contains(where: {
      $0.box.overlap(with: face.box) > 0.3 || $0.box.contains(face.box.centre) || face.box.contains($0.box.centre)
    }) { kept.append(face) }
    return kept
  }

  /// Returns the most prominent face of one frame of a stream, unrotated, from a single detector pass.
  package func find(in frame: PixelBuffer) throws -> LocatedFace? { try Self.mostProminent(of: all(in: frame)) }

  static func mostProminent(of faces: [LocatedFace]) -> LocatedFace? { faces.max { $0.prominence < $1.prominence } }

  /// Returns the faces of one frame of a stream, unrotated, from a single detector pass. Not cancellable: a partly
  /// processed frame would leave the session inconsistent.
  func all(in frame: PixelBuffer, search: FaceSearch = .frame) throws -> [LocatedFace] {
    try addingEyes(
      distinct(faces(in: frame, scale: 1, search: search, .uninterrupted).filter { $0.score >= detector.sureScore }),
      inStream: true)
  }

  /// Completes the landmarks of the faces that are kept, in the pictures in which they were found.
  ///
  /// - Parameter inStream: a mesh of the detector's box differs from those of the next frames, each of the mesh before:
  ///   the difference would pass for a movement of the skin.
  private func addingEyes(_ faces: [LocatedFace], inStream: Bool = false) throws -> [LocatedFace] {
    try faces.map {
      let found = $0.landmarksInPicture
      let followed = inStream ? try landmarks.landmarks(following: found, in: $0.picture) : nil
      return LocatedFace(
        picture: $0.picture, pictureScale: $0.pictureScale, box: $0.inPicture.box, score: $0.score,
        landmarks: try followed ?? landmarks.addingEyes(to: found, in: $0.picture))
    }
  }

  /// Returns the same face in the next frame without running the detector; nil if it is not near its last position.
  package func follow(_ last: LocatedFace, in frame: PixelBuffer) throws -> LocatedFace? {
    try landmarks.landmarks(following: last.landmarksInPicture, in: frame).flatMap { last.followed(by: $0, in: frame) }
  }

  private func faces(
    in picture: PixelBuffer, scale: Int, search: FaceSearch, _ budget: Budget
  ) throws -> [LocatedFace] {
    try detector.faces(in: picture, search: search, budget: budget).compactMap { face in
      try budget.check()
      guard let landmarks = try landmarks.landmarks(of: face, in: picture) else { return nil }
      let located = LocatedFace(
        picture: picture, pictureScale: scale, box: face.box, score: face.score, landmarks: landmarks)
      // A face in the detector's own crop may not be confirmed by the crop around its landmarks.
      if let mesh = landmarks.mesh, mesh.presence < MeshEstimator.surePresence,
        try !detector.confirms(face.box, turn: located.face.turn, in: picture)
      {
        return nil
      }
      return located
    }
  }

  package func template(of chips: FaceChips, quality: Int?) throws -> FaceTemplate {
    guard let normalisation = models.normalisation else {
      throw VerifyError(
        .modelMissing, "the model set \"\(models.version.set)\" has no score normalisation: no template can be made")
    }
    var embedding = try embedding(of: chips)
    var vector = normalisation.projected(embedding)
    defer {
      embedding.withUnsafeMutableBytes { wipe($0) }
      vector.withUnsafeMutableBytes { wipe($0) }
    }
    return FaceTemplate(
      modelIdentifier: models.version.identifier, vector: vector, cohort: normalisation.statistics(of: vector),
      quality: quality)
  }

  /// Returns the score of the face as a bona fide presentation in this frame: 0 (attack) to 1 (bona fide); nil if the
  /// model set has no network for it. It is not a probability.
  package func texture(of face: LocatedFace) throws -> Double? { try textureScore?(face) }

  /// Returns the network inputs of ``texture(of:)``.
  package static func textureViews(of face: LocatedFace) -> [PixelBuffer] { TextureNetwork.views(of: face) }

  /// Returns how much the mouth looks like a smile, 0 to 1; nil without a network for it in the model set, or without a
  /// mesh.
  package func smile(of face: LocatedFace) throws -> Double? { try smileScore?(face) }

  /// Returns the network input of ``smile(of:)``: see ``SmileNetwork/view(of:side:margin:)``.
  package static func smileView(of face: LocatedFace, side: Int, margin: Double) -> PixelBuffer? {
    SmileNetwork.view(of: face, side: side, margin: margin)
  }

  package func embedding(of chips: FaceChips) throws -> [Float] { try embedder.embed(chips) }

  package func chips(of face: LocatedFace, in photo: Photo) throws -> FaceChips {
    try chips(of: face, in: DecodedPhoto(photo))
  }

  func chips(of landmarks: FaceLandmarks, in picture: PixelBuffer) -> FaceChips {
    FaceChips(landmarks, picture: picture, framing: embedder.framing)
  }

  package func chips(of face: LocatedFace, in photo: DecodedPhoto) throws -> FaceChips {
    let (landmarks, picture) = try view(of: face, in: photo)
    return chips(of: landmarks, in: picture)
  }

  /// Returns the detail by which a copy of this picture of the face is recognised; nil without a mesh.
  package func detail(of face: LocatedFace, in photo: DecodedPhoto) throws -> FaceDetail? {
    let (landmarks, picture) = try view(of: face, in: photo)
    return detail(of: landmarks, in: picture)
  }

  func detail(of landmarks: FaceLandmarks, in picture: PixelBuffer) -> FaceDetail? {
    seesDetail ? FaceDetail(landmarks, picture: picture) : nil
  }

  /// Returns the landmarks and picture of a located face, in a finer picture than the one it was found in if the face
  /// has fewer pixels there than a chip.
  private func view(of face: LocatedFace, in photo: DecodedPhoto) throws -> (FaceLandmarks, PixelBuffer) {
    let landmarks = face.landmarksInPicture
    var scale = face.pictureScale
    var pixels = FaceChips.map(landmarks).scale
    while pixels < 1 && scale > 1 {
      pixels *= 2
      scale /= 2
    }
    guard scale != face.pictureScale else { return (landmarks, face.picture) }
    return (landmarks.scaled(by: Double(face.pictureScale / scale)), try photo.picture(reduction: scale))
  }
}
