internal import Glibc
@_exported public import IdentityDocuments

extension FaceEngine {
  /// Zones are read, and pages measured, at this size: the capitals of a passport that fills the photo then have 30
  /// pixels of height, where 6 can do.
  private static let readingSide = 1600

  /// Mean -log(likelihood) of a character above which a zone is none. (Chosen: none is read in 300 photos of LFW, and
  /// all 43 specimens of zones are.)
  private static let maximumCost = 0.5

  /// Reads a photo of a document's page, however it is turned: its zone, its portrait, and what may be wrong with it.
  ///
  /// - Parameters:
  ///   - reference: the day for which the centuries of dates are told.
  ///   - policy: how good the portrait must be.
  /// - Throws: ``VerifyError`` if the photo cannot be decoded, the models are not installed, or the budget is used up. A
  ///   photo without a document is a result.
  public func readPage(
    _ photo: Photo, on reference: CalendarDate, policy: QualityPolicy = .documentPortrait,
    budget: Budget = .unlimited
  ) throws -> DocumentPage {
    let reduction = photo.reduction(longSideAtLeast: Self.readingSide)
    let decoded = DecodedPhoto(photo, budget: budget)
    let picture = try decoded.picture(reduction: reduction)
    let found = try useReader(budget) { try $0.zones(in: picture, budget: budget) }
    let best = Self.best(found, on: reference)
    let frame = best.flatMap { PageOutline($0.zone, isVisa: $0.reading.zone.format.isVisa) }
    let whole = frame?.scaled(by: Double(reduction))
    let (face, portrait) = try portrait(in: decoded, frame: whole, policy: policy, budget)
    try budget.check()
    return DocumentPage(
      sha256: photo.sha256, width: photo.width, height: photo.height, reading: best?.reading,
      zoneCorners: best?.zone.scaled(by: Double(reduction)).corners ?? [], face: face, portrait: portrait,
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
    let picture = try Self.picture(of: photo, budget)
    return Self.best(try useReader(budget) { try $0.zones(in: picture, budget: budget) }, on: reference)?.reading
  }

  /// A single line of a zone, as on a cut-out; nil if there is none that can be read.
  ///
  /// - Throws: as ``readPage(_:on:policy:budget:)``.
  public func readLine(_ photo: Photo, budget: Budget = .unlimited) throws -> MRZLineReading? {
    let picture = try Self.picture(of: photo, budget)
    let lines = try useReader(budget) { try $0.lines(in: picture, budget: budget) }
    return Self.best(of: lines.prefix(6), cost: \.cost) { MRZDecoder.decode(line: $0.probabilities[0]) }?.reading
  }

  private static func picture(of photo: Photo, _ budget: Budget) throws -> PixelBuffer {
    try DecodedPhoto(photo, budget: budget).picture(reduction: photo.reduction(longSideAtLeast: readingSide))
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
      cost($0.reading) < maximumCost
    }
    .min { cost($0.reading) - $0.zone.score < cost($1.reading) - $1.zone.score }
  }

  /// Where the portrait's middle is expected on a page of width 1, and how far off a face may be to count as much as one
  /// there of half its size: the left part of the page (ICAO 9303-4, 2.2.1, zone V). Ghost images are on the right.
  private static let portraitPlace = (x: 0.19, y: 0.32, reach: 0.25)

  private func portrait(
    in photo: DecodedPhoto, frame: PageOutline?, policy: QualityPolicy, _ budget: Budget
  ) throws -> (Face?, DocumentPortrait?) {
    let found = try use(budget) { pipeline in
      guard let frame else { return try pipeline.locate(in: photo, budget: budget).first.map(\.face) }
      /// In units of the reach.
      func distance(_ face: Face) -> Double {
        let middle = frame.millimetres(face.box.centre)
        return hypot(middle.x / frame.width - Self.portraitPlace.x, middle.y / frame.width - Self.portraitPlace.y)
          / Self.portraitPlace.reach
      }
      func weight(_ face: Face) -> Double { face.box.width * face.box.height * exp2(-distance(face) * distance(face)) }
      var faces = try pipeline.locate(in: photo, budget: budget).map(\.face)
      // Small ones are looked for only if the portrait is not there.
      if !faces.contains(where: { distance($0) < 1 }) {
        faces = try pipeline.locate(in: photo, all: true, budget: budget).map(\.face)
      }
      return faces.max { weight($0) < weight($1) }
    }
    guard let found else { return (nil, nil) }
    // As the document stands; without a zone, as the face does.
    let angle = frame?.angle ?? -Double(found.turn) * .pi / 180
    let bytes = try photo.picture(reduction: 1).portrait(of: found.landmarks, angle: angle).encodedAsPNG()
    do {
      let sample = try sample(Photo(bytes: bytes), policy: policy, budget: budget)
      return (found, DocumentPortrait(source: .page, bytes: bytes, sample: sample))
    } catch let error as VerifyError where !error.endsCall {
      return (found, nil)
    }
  }

  /// Reads a document from photos of its pages, from its chip's files, or from both.
  ///
  /// A chip that cannot be read takes nothing away from the fields of the pages, but a document whose chip was given and
  /// is not whole has failed, and nobody matches it (``DocumentEvidence``). The chip's portrait comes first, for it is the
  /// better one and can be authenticated.
  ///
  /// - Parameters:
  ///   - pages: photos of the document: the page with the zone, and further ones.
  ///   - chip: nil if there is none.
  ///   - code: what the PDF417 on the back of a driving licence holds, if it was read already; then the report is of it, and
  ///     says whether a zone of the card says the same.
  ///   - trust: the certificates that are trusted; empty if none are known.
  ///   - authentication: how strictly the chip is authenticated.
  ///   - date: the day for which expiry, age and certificates are judged.
  ///   - chipExpected: whether the document is known to have a chip: then without one the report has failed, and nobody
  ///     matches.
  ///   - accepted: kinds of documents that pass although no chip authenticates them; none by default.
  ///   - multipage: whether pages behind the first that has a machine readable zone are read, too.
  /// - Throws: ``VerifyError`` if a photo cannot be decoded, the code is none of a licence, nothing is given, or the budget
  ///   is used up.
  public func readDocument(
    pages: [Photo], chip files: ChipFiles? = nil, code: [UInt8]? = nil, trust: TrustStore = .init(),
    authentication: AuthenticationPolicy = .standard, date: DateTime,
    chipExpected: Bool = false, accepted: Set<UnauthenticatedDocument> = [], multipage: Bool = true,
    budget: Budget = .unlimited
  ) throws -> DocumentReading {
    guard !pages.isEmpty || files != nil || code != nil else {
      throw VerifyError(.badArgument, "there is nothing to read: give photos of the document's pages, or its chip")
    }
    guard files == nil || code == nil else {
      throw VerifyError(.badArgument, "a document has a chip that is read here or a licence's code, not both")
    }
    let licence = try code.map { try DrivingLicence(payload: $0, on: date.calendarDate) }
    var read: [DocumentPage] = []
    for photo in pages where multipage || read.allSatisfy({ $0.reading == nil }) {
      read.append(try readPage(photo, on: date.calendarDate, budget: budget))
    }
    return try readDocument(
      read: read, chip: files, licence: licence, trust: trust, authentication: authentication, date: date,
      chipExpected: chipExpected, accepted: accepted, budget: budget)
  }

  /// The same with pages that were read already.
  func readDocument(
    read: [DocumentPage], chip files: ChipFiles?, licence: DrivingLicence?, trust: TrustStore,
    authentication: AuthenticationPolicy, date: DateTime, chipExpected: Bool, accepted: Set<UnauthenticatedDocument>,
    budget: Budget
  ) throws -> DocumentReading {
    let day = date.calendarDate
    try budget.check()
    let chip = files.map { DocumentChip($0, trust: trust, date: date, policy: authentication) }
    let (portrait, problem) = try portrait(of: chip, or: read, budget)
    var chipReading = chip?.reading
    if portrait?.source != .chip, chipReading?.evidence.dataGroup2 == .usable {
      chipReading?.evidence.dataGroup2 = .unusable
    }
    let best = read.compactMap(\.reading).min { $0.cost < $1.cost }
    let page = try best.map(Self.zone)
    let report =
      try licence.map {
        DocumentReport(
          licence: $0, front: best.map(Self.printed) ?? [:], isFrontGiven: !read.isEmpty, accepted: accepted,
          portraitSHA256: portrait?.sample.sha256, on: day)
      }
      ?? DocumentReport(
        page: page, pageGiven: !read.isEmpty, chip: chipReading, chipExpected: chipExpected, accepted: accepted,
        portraitSHA256: portrait?.sample.sha256, sides: sides(read, portrait, on: day), on: day)
    return DocumentReading(
      pages: read, zone: best?.zone, chip: chip, licence: licence, portrait: portrait, portraitProblem: problem,
      report: report, date: day)
  }

  private static func zone(_ reading: MRZReading) throws -> PageZone {
    try PageZone(
      reading.zone, confidences: reading.characters.map { $0.map(\.confidence) },
      minimumConfidence: MRZReading.Character.sureConfidence)
  }

  /// Whether the pages are of one document and one person, and the chip's portrait is of that person.
  private func sides(
    _ pages: [DocumentPage], _ portrait: DocumentPortrait?, on date: CalendarDate
  ) throws -> [DocumentCheck] {
    let faces = pages.compactMap(\.portrait?.sample)
    func check(
      _ name: DocumentCheck.Name, _ zones: CheckStatus, _ one: FaceSample?, _ others: some Sequence<FaceSample>
    ) throws -> DocumentCheck {
      let people = try one.map { one in try others.map { try isOnePerson(one, $0) } } ?? []
      let failed: DocumentReason? =
        zones == .failed ? .sourcesDiffer : people.contains(.failed) ? .portraitsDiffer : nil
      if let failed { return DocumentCheck(name: name, status: .failed, reason: failed) }
      let isPassed = !people.contains(.notChecked) && ([zones] + people).contains(.passed)
      return DocumentCheck(
        name: name, status: isPassed ? .passed : .notChecked, reason: people.isEmpty ? .oneSource : .portraitsUnclear)
    }
    let zones = DocumentReport.areOfOneDocument(try pages.compactMap(\.reading).map(Self.zone), on: date)
    return [
      try check(.pagesMatch, zones, faces.first, faces.dropFirst()),
      try check(.portraitMatchesChip, .notChecked, portrait?.source == .chip ? portrait?.sample : nil, faces),
    ]
  }

  /// Whether two portraits of a document are of one person. Most are copies of one picture. Of others, which may be old and
  /// poor, a match passes at a false-match rate of 1e-3, and what is none at 1e-2 fails.
  private func isOnePerson(_ a: FaceSample, _ b: FaceSample) throws -> CheckStatus {
    let copies = SamePicture([a.detail].compactMap { $0 }, b.detail, threshold: SamePicture.thresholds.frames)
    if a.sha256 == b.sha256 || copies.status == .failed { return .passed }
    guard let one = a.template, let other = b.template, let calibration else { return .notChecked }
    let comparison = try Comparison(
      one, other, calibration.threshold(at: .oneIn1000, portrait: .page), calibration: calibration)
    if comparison.isMatch { return .passed }
    return comparison.score > (try calibration.threshold(at: .oneIn100, portrait: .page)).score ? .failed : .notChecked
  }

  /// The PDF417 in a picture of a licence's back, or why there is none.
  package func licenceCode(in photo: Photo, _ effort: CodeReader.Effort = .photo, budget: Budget) throws -> CodeFrame {
    try CodeReader(formats: [.pdf417], effort: effort).read(photo, budget: budget)
  }

  /// What the zone of a card that has one beside its code (enhanced licences) must have in common with it. The numbers of the
  /// two are not the same.
  private static func printed(_ reading: MRZReading) -> [DocumentFieldName: String] {
    let zone = reading.zone
    var fields: [DocumentFieldName: String] = [:]
    if zone.status(of: .dateOfBirth) == .passed { fields[.dateOfBirth] = zone.dateOfBirth.date?.description }
    if zone.status(of: .dateOfExpiry) == .passed { fields[.dateOfExpiry] = zone.dateOfExpiry.date?.description }
    if !zone.isNameTruncated && reading.isSure {
      fields[.surname] = zone.surname
      fields[.givenNames] = zone.givenNames
    }
    return fields
  }

  private func portrait(
    of chip: DocumentChip?, or pages: [DocumentPage], _ budget: Budget
  ) throws -> (DocumentPortrait?, problem: String?) {
    var problem: String?
    if let chip {
      do {
        let image = try chip.portrait()
        let sample = try sample(Photo(bytes: image.bytes), policy: .chipPortrait, budget: budget)
        return (DocumentPortrait(source: .chip, bytes: image.bytes, sample: sample), nil)
      } catch let error as VerifyError where !error.endsCall {
        problem = "the chip's portrait, EF.DG2, cannot be used: \(error.message)"
      }
    }
    // The page with the zone is the one whose portrait is known to be the holder's.
    let candidates = pages.filter { $0.reading != nil } + pages.filter { $0.reading == nil }
    guard let portrait = candidates.compactMap(\.portrait).first else {
      return (nil, problem ?? (pages.isEmpty ? nil : "no portrait was found on the page"))
    }
    return (portrait, problem)
  }
}
