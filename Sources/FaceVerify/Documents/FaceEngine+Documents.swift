internal import Glibc
@_exported public import IdentityDocuments

extension FaceEngine {
  /// Zones are read, and pages measured, at this size: the characters of a passport that fills the photo then have 14
  /// pixels of height, twice what reading needs.
  private static let readingSide = 1600

  /// Mean -log(likelihood) of a character above which a zone is none. (Of photos without a zone that the finder took
  /// for one, none has been below 0.6; specimens that are read right lie below 0.3.)
  private static let leastLikely = 0.5

  /// Reads a photo of a document's page, however it is turned: its zone, its portrait, and what may be wrong with it.
  ///
  /// - Parameters:
  ///   - reference: the day for which the centuries of dates are told.
  ///   - policy: how good the portrait must be.
  /// - Throws: ``VerifyError`` if the photo cannot be decoded or the models are not installed. A photo without a document
  ///   is a result.
  public func readPage(
    _ photo: Photo, on reference: CalendarDate, policy: QualityPolicy = .documentPortrait
  ) throws -> DocumentPage {
    let reduction = photo.reduction(longSideAtLeast: Self.readingSide)
    let picture = try photo.pixels(reduction: reduction)
    let found = try useReader { try $0.zones(in: picture) }
    let best = Self.best(found, on: reference)
    let frame = best.flatMap { PageFrame($0.zone) }
    let portrait = try portrait(in: photo, frame: frame.map { ($0, Double(reduction)) }, policy: policy)
    let factor = Double(reduction)
    let zone = best?.zone.scaled(by: factor)
    let whole = frame?.scaled(by: factor)
    return DocumentPage(
      photoHash: photo.hash, width: photo.width, height: photo.height, reading: best?.reading,
      zoneCorners: zone?.corners ?? [], corners: whole?.corners ?? [],
      turn: frame.map { $0.angle * 180 / .pi }, portrait: portrait,
      checks: DocumentImageCheck.all(
        picture: picture, frame: frame, zone: best?.zone, reading: best?.reading, sawLines: !found.isEmpty,
        hasFace: portrait?.sample.quality.isAccepted == true), frame: whole)
  }

  /// The machine readable zone on a photo of a document, however the photo is turned; nil if there is none that can be
  /// read. Faster than ``readPage(_:on:policy:)``.
  ///
  /// - Throws: as ``readPage(_:on:policy:)``.
  public func readZone(_ photo: Photo, on reference: CalendarDate) throws -> MRZReading? {
    let picture = try photo.pixels(reduction: photo.reduction(longSideAtLeast: Self.readingSide))
    return Self.best(try useReader { try $0.zones(in: picture) }, on: reference)?.reading
  }

  /// A single line of a zone, as on a cut-out; nil if there is none that can be read.
  ///
  /// - Throws: as ``readPage(_:on:policy:)``.
  public func readLine(_ photo: Photo) throws -> MRZLineReading? {
    let picture = try photo.pixels(reduction: photo.reduction(longSideAtLeast: Self.readingSide))
    return try useReader { try $0.lines(in: picture) }.prefix(6)
      .compactMap { zone in MRZDecoder.decode(line: zone.probabilities[0]).map { (zone, $0) } }
      .filter { $0.1.cost < Self.leastLikely }.min { $0.1.cost - $0.0.score < $1.1.cost - $1.0.score }?.1
  }

  /// The zone whose text fits both what may stand there and what was seen, its length among it.
  private static func best(
    _ zones: [ZoneReading], on reference: CalendarDate
  ) -> (zone: ZoneReading, reading: MRZReading)? {
    zones.prefix(4).compactMap { zone in
      MRZDecoder.decode(zone.probabilities, on: reference).map { (zone, $0) }
    }.filter { $0.1.cost < leastLikely }.min { $0.1.cost - $0.0.score < $1.1.cost - $1.0.score }
  }

  /// Where the portrait's middle is expected on a page of width 1, and how far off a face may be to count as much as one
  /// there of half its size: the left part of the page (ICAO 9303-4, 2.2.1, zone V). Ghost images are on the right.
  private static let portraitPlace = (x: 0.19, y: 0.32, reach: 0.25)

  private func portrait(
    in photo: Photo, frame: (frame: PageFrame, scale: Double)?, policy: QualityPolicy
  ) throws -> DocumentPortrait? {
    let found = try use { pipeline in
      guard let (frame, scale) = frame else { return try pipeline.locate(in: photo).first.map(Face.init) }
      /// In units of the reach.
      func distance(_ face: Face) -> Double {
        let middle = frame.millimetres(Point(x: face.box.centre.x / scale, y: face.box.centre.y / scale))
        return hypot(middle.x / frame.width - Self.portraitPlace.x, middle.y / frame.width - Self.portraitPlace.y)
          / Self.portraitPlace.reach
      }
      func weight(_ face: Face) -> Double { face.box.width * face.box.height * exp2(-distance(face) * distance(face)) }
      var faces = try pipeline.locate(in: photo).map(Face.init)
      // Small ones are looked for only if the portrait is not there.
      if !faces.contains(where: { distance($0) < 1 }) {
        faces = try pipeline.locate(in: photo, all: true).map(Face.init)
      }
      return faces.max { weight($0) < weight($1) }
    }
    guard let found else { return nil }
    // As the document stands; without a zone, as the face does.
    let turn = frame.map { $0.frame.angle } ?? -Double(found.turn) * .pi / 180
    let cut = try photo.pixels().portrait(of: found, turn: turn)
    let bytes = try cut.encodedAsPNG()
    guard let sample = try? sample(Photo(bytes: bytes), policy: policy) else { return nil }
    return DocumentPortrait(bytes: bytes, hash: sha256(bytes), face: found, sample: sample)
  }
}

extension PixelBuffer {
  /// A portrait of 35:45 around a face, turned upright. The distance of the eyes is a quarter of its width, as on a chip
  /// (ISO/IEC 19794-5:2005, 8.3), and they stand at 45 % of its height.
  fileprivate func portrait(of face: Face, turn: Double) -> PixelBuffer {
    let (right, left) = (face.landmarks.rightEyeCentre, face.landmarks.leftEyeCentre)
    let eyes = Point(x: (right.x + left.x) / 2, y: (right.y + left.y) / 2)
    let width = 4 * face.landmarks.interEyeDistance
    let height = width * 45 / 35
    let (c, s) = (cos(turn), sin(turn))
    let (x, y) = (-width / 2, -0.45 * height)
    let corner = [c, -s, eyes.x + c * x - s * y - 0.5, s, c, eyes.y + s * x + c * y - 0.5]
    return crop(map: corner, width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
  }
}
