internal import Glibc
@_exported public import IdentityDocuments

extension FaceEngine {
  /// Zones are read, and pages measured, at this size: the capitals of a passport that fills the photo then have 30
  /// pixels of height, where 6 can do.
  private static let readingSide = 1600

  /// Mean -log(likelihood) of a character above which a zone is none. (Chosen: none is read in 300 photos of LFW, and
  /// all 43 specimens of zones are.)
  private static let minimumLikelihood = 0.5

  /// Reads a photo of a document's page, however it is turned: its zone, its portrait, and what may be wrong with it.
  ///
  /// - Parameters:
  ///   - reference: the day for which the centuries of dates are told.
  ///   - policy: how good the portrait must be.
  /// - Throws: ``VerifyError`` if the photo cannot be decoded or the models are not installed;
  ///   ``VerifyError/Code/timeout``, ``VerifyError/Code/cancelled``. A photo without a document is a result.
  public func readPage(
    _ photo: Photo, on reference: CalendarDate, policy: QualityPolicy = .documentPortrait, budget: Budget = .unlimited
  ) throws -> DocumentPage {
    let reduction = photo.reduction(longSideAtLeast: Self.readingSide)
    let decoded = DecodedPhoto(photo, budget: budget)
    let picture = try decoded.picture(reduction: reduction)
    let found = try useReader(budget) { try $0.zones(in: picture, budget: budget) }
    let best = Self.best(found, on: reference)
    let frame = best.flatMap { PageOutline($0.zone, isVisa: $0.reading.zone.format.isVisa) }
    let whole = frame?.scaled(by: Double(reduction))
    let portrait = try portrait(in: decoded, frame: whole, policy: policy, budget)
    try budget.check()
    return DocumentPage(
      photoHash: photo.sha256, width: photo.width, height: photo.height, reading: best?.reading,
      zoneCorners: best?.zone.scaled(by: Double(reduction)).corners ?? [], portrait: portrait,
      checks: DocumentImageCheck.all(
        picture: picture, place: best.flatMap { best in frame.map { (best.zone, $0) } },
        isRead: found.isEmpty ? nil : best != nil, hasFace: portrait?.sample.quality.isAccepted == true),
      frame: whole)
  }

  /// The machine readable zone on a photo of a document, however the photo is turned; nil if there is none that can be
  /// read. Faster than ``readPage(_:on:policy:budget:)``.
  ///
  /// - Throws: as ``readPage(_:on:policy:budget:)``.
  public func readZone(
    _ photo: Photo, on reference: CalendarDate, budget: Budget = .unlimited
  ) throws -> MRZReading? {
    let picture = try readingPicture(photo, budget)
    return Self.best(try useReader(budget) { try $0.zones(in: picture, budget: budget) }, on: reference)?.reading
  }

  /// A single line of a zone, as on a cut-out; nil if there is none that can be read.
  ///
  /// - Throws: as ``readPage(_:on:policy:budget:)``.
  public func readLine(_ photo: Photo, budget: Budget = .unlimited) throws -> MRZLineReading? {
    let picture = try readingPicture(photo, budget)
    let lines = try useReader(budget) { try $0.lines(in: picture, budget: budget) }
    return Self.best(of: lines.prefix(6), cost: \.cost) { MRZDecoder.decode(line: $0.probabilities[0]) }?.reading
  }

  private func readingPicture(_ photo: Photo, _ budget: Budget) throws -> PixelBuffer {
    try DecodedPhoto(photo, budget: budget).picture(
      reduction: photo.reduction(longSideAtLeast: Self.readingSide))
  }

  private static func best(
    _ zones: [ZoneReading], on reference: CalendarDate
  ) -> (zone: ZoneReading, reading: MRZReading)? {
    best(of: zones.prefix(4), cost: \.cost) { MRZDecoder.decode($0.probabilities, on: reference) }
  }

  /// The zone whose text fits both what may stand there and what was seen, its length among it.
  private static func best<Reading>(
    of zones: some Sequence<ZoneReading>, cost: (Reading) -> Double, decode: (ZoneReading) -> Reading?
  ) -> (zone: ZoneReading, reading: Reading)? {
    zones.compactMap { zone in decode(zone).map { (zone: zone, reading: $0) } }.filter {
      cost($0.reading) < minimumLikelihood
    }
    .min { cost($0.reading) - $0.zone.score < cost($1.reading) - $1.zone.score }
  }

  /// Where the portrait's middle is expected on a page of width 1, and how far off a face may be to count as much as one
  /// there of half its size: the left part of the page (ICAO 9303-4, 2.2.1, zone V). Ghost images are on the right.
  private static let portraitPlace = (x: 0.19, y: 0.32, reach: 0.25)

  private func portrait(
    in photo: DecodedPhoto, frame: PageOutline?, policy: QualityPolicy, _ budget: Budget
  ) throws -> DocumentPortrait? {
    let found = try use(budget) { pipeline in
      guard let frame else { return try pipeline.locate(in: photo, budget: budget).first.map(Face.init) }
      /// In units of the reach.
      func distance(_ face: Face) -> Double {
        let middle = frame.millimetres(face.box.centre)
        return hypot(middle.x / frame.width - Self.portraitPlace.x, middle.y / frame.width - Self.portraitPlace.y)
          / Self.portraitPlace.reach
      }
      func weight(_ face: Face) -> Double { face.box.width * face.box.height * exp2(-distance(face) * distance(face)) }
      var faces = try pipeline.locate(in: photo, budget: budget).map(Face.init)
      // Small ones are looked for only if the portrait is not there.
      if !faces.contains(where: { distance($0) < 1 }) {
        faces = try pipeline.locate(in: photo, all: true, budget: budget).map(Face.init)
      }
      return faces.max { weight($0) < weight($1) }
    }
    guard let found else { return nil }
    // As the document stands; without a zone, as the face does.
    let angle = frame?.angle ?? -Double(found.turn) * .pi / 180
    let bytes = try photo.picture(reduction: 1).portrait(of: found.landmarks, angle: angle).encodedAsPNG()
    do {
      let sample = try sample(Photo(bytes: bytes), policy: policy, budget: budget)
      return DocumentPortrait(bytes: bytes, face: found, sample: sample)
    } catch let error as VerifyError where !error.endsCall {
      return nil
    }
  }
}
