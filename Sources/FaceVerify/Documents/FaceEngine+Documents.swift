internal import Glibc
@_exported public import IdentityDocuments

extension FaceEngine {
  /// Target long side in pixels for reading zones and measuring pages. The capitals of a passport that fills the photo
  /// are then 30 pixels high; 6 are enough.
  private static let readingSide = 1600

  /// Maximum mean -log(likelihood) of a zone's characters. (Chosen: no zone is read in 300 photos of LFW, and all 43
  /// specimens of zones are.)
  private static let maximumCost = 0.5

  /// Reads a photo of a document's page in any rotation: its zone, its portrait, and the checks of its picture.
  ///
  /// - Parameters:
  ///   - reference: the date for resolving two-digit years.
  ///   - policy: the required quality of the portrait.
  ///   - readsText: whether to read the page's printed text, which takes longer than the rest.
  /// - Throws: ``VerifyError`` if the photo cannot be decoded, the models are not installed, or the budget is
  ///   exhausted. A photo without a document is a result.
  public func readPage(
    _ photo: Photo, on reference: CalendarDate, policy: QualityPolicy = .documentPortrait,
    readsText: Bool = false, budget: Budget = .unlimited
  ) throws -> DocumentPage {
    let reduction = photo.reduction(longSideAtLeast: Self.readingSide)
    let decoded = DecodedPhoto(photo, budget: budget)
    let picture = try decoded.picture(reduction: reduction)
    let found = try useReader(budget) { try $0.zones(in: picture, budget: budget) }
    let best = Self.best(found, on: reference)
    // The zone decides which document it is; its edges determine the corners better. A visa is smaller than its page.
    let edges = try useDocumentFinder(budget) { try $0.outlines(in: picture) }
    let known = best.flatMap { best in
      let isVisa = best.reading.zone.format.isVisa
      return PageOutline(best.zone, isVisa: isVisa).map { isVisa ? $0 : $0.sharpened(by: edges) }
    }
    let (face, portrait, whole, hasOthers) = try portrait(
      in: decoded, known: known?.scaled(by: Double(reduction)),
      edges: edges.compactMap { $0.scaled(by: Double(reduction)) }, policy: policy, budget)
    let frame = whole?.scaled(by: 1 / Double(reduction))
    let copies = try whole.flatMap { try copyScores(of: $0, in: decoded, budget) }
    try budget.check()
    let page = DocumentPage(
      sha256: photo.sha256, width: photo.width, height: photo.height, reading: best?.reading,
      otherReadings: best.map { Self.others(found, than: $0.zone, on: reference) } ?? [],
      zoneCorners: best?.zone.scaled(by: Double(reduction)).corners ?? [], face: face, portrait: portrait,
      checks: DocumentImageCheck.all(
        picture: picture, zone: best?.zone, frame: frame, resolution: whole?.scale,
        isRead: found.isEmpty ? nil : best != nil, hasFace: portrait?.sample.quality.isAccepted == true, copies: copies,
        hasOthers: hasOthers, otherFont: best.flatMap { otherFont($0.zone, $0.reading, in: picture) }),
      day: reference, frame: whole,
      isPortraitWithZone: known?.scaled(by: Double(reduction)).flatMap { frame in
        face.map { frame.contains($0.box.centre) }
      } ?? false)
    return readsText ? try readText(of: page, in: picture, reduction: reduction, budget: budget) : page
  }

  /// Returns how likely a zone has another font than OCR-B, measured on its sure characters; nil if there are too few.
  private func otherFont(_ zone: ZoneReading, _ reading: MRZReading, in picture: PixelBuffer) -> Double? {
    let text = zip(reading.zone.lines, reading.characters).map { line, characters in
      zip(line, characters).map { $1.isSure ? $0 : nil }
    }
    return ZoneFont.score(of: zone, text: text, in: picture)
  }

  /// Returns a page that was read before, with its printed text.
  ///
  /// - Parameter photo: the photo that was read.
  /// - Throws: as ``readPage(_:on:policy:readsText:budget:)``.
  func readText(of page: DocumentPage, in photo: Photo, budget: Budget) throws -> DocumentPage {
    let reduction = photo.reduction(longSideAtLeast: Self.readingSide)
    let picture = try DecodedPhoto(photo, budget: budget).picture(reduction: reduction)
    return try readText(of: page, in: picture, reduction: reduction, budget: budget)
  }

  /// Returns pages with their printed text: of all, or of those whose portrait nothing else joins to a zone on another
  /// side.
  package func withText(
    _ pages: [(page: DocumentPage, photo: Photo)], ofAll isRequested: Bool, hasChip: Bool, budget: Budget
  ) throws -> [DocumentPage] {
    let isJoined =
      hasChip || pages.contains { $0.page.isPortraitWithZone } || !pages.contains { $0.page.reading != nil }
    return try pages.map { page, photo in
      let isNeeded = isRequested || !isJoined && page.reading == nil && page.portrait != nil
      return isNeeded && page.text == nil ? try readText(of: page, in: photo, budget: budget) : page
    }
  }

  private func readText(
    of page: DocumentPage, in picture: PixelBuffer, reduction: Int, budget: Budget
  ) throws -> DocumentPage {
    // Edges without a zone may be those of something else.
    let scale = 1 / Double(reduction)
    let outline = page.reading.flatMap { _ in page.frame?.scaled(by: scale) }
    let zone = page.zoneCorners.map { $0.scaled(by: scale) }
    let lines = try usePrintReader(budget) { try $0.lines(in: picture, outline: outline, zone: zone, budget: budget) }
    try budget.check()
    var page = page
    page.text = lines.map { $0.scaled(by: Double(reduction)) }
    page.visualZone = VisualZone(lines)
    return page
  }

  /// Detects whether a document is a copy, at the resolution of the photo, at which screens of prints and pixels of
  /// displays are visible; nil if that is too low.
  private func copyScores(
    of document: PageOutline, in photo: DecodedPhoto, _ budget: Budget
  ) throws -> CopyDetector.Scores? {
    guard document.scale >= CopyDetector.minimumResolution else { return nil }
    let reduction = [1, 2, 4].first { document.scale / Double($0) <= CopyDetector.maximumResolution } ?? 8
    guard let outline = document.scaled(by: 1 / Double(reduction)) else { return nil }
    let picture = try photo.picture(reduction: reduction)
    return try useCopyDetector(budget) { try $0.scores(of: outline, in: picture) }
  }

  /// Reads the machine-readable zone on a photo of a document in any rotation; nil if there is none or it is
  /// unreadable. Faster than ``readPage(_:on:policy:readsText:budget:)``.
  ///
  /// - Throws: as ``readPage(_:on:policy:readsText:budget:)``.
  public func readZone(_ photo: Photo, on reference: CalendarDate, budget: Budget = .unlimited) throws -> MRZReading? {
    let picture = try Self.picture(of: photo, budget)
    return Self.best(try useReader(budget) { try $0.zones(in: picture, budget: budget) }, on: reference)?.reading
  }

  /// Reads a single line of a zone, as on a crop; nil if there is none or it is unreadable.
  ///
  /// - Throws: as ``readPage(_:on:policy:readsText:budget:)``.
  public func readLine(_ photo: Photo, budget: Budget = .unlimited) throws -> MRZLineReading? {
    let picture = try Self.picture(of: photo, budget)
    let lines = try useReader(budget) { try $0.lines(in: picture, budget: budget) }
    func best(_ lines: some Sequence<ZoneReading>) -> MRZLineReading? {
      Self.best(of: lines, cost: \.cost) { MRZDecoder.decode(line: $0.probabilities[0]) }?.reading
    }
    // The line that names an unsupported zone explains why there is no whole one.
    return lines.prefix(6).lazy.compactMap { best([$0]) }.first { $0.unsupported != nil } ?? best(lines.prefix(6))
  }

  private static func picture(of photo: Photo, _ budget: Budget) throws -> PixelBuffer {
    try DecodedPhoto(photo, budget: budget).picture(reduction: photo.reduction(longSideAtLeast: readingSide))
  }

  private static func best(
    _ zones: [ZoneReading], on reference: CalendarDate
  ) -> (zone: ZoneReading, reading: MRZReading)? {
    best(of: zones.prefix(4), cost: \.cost) { MRZDecoder.decode($0.probabilities, on: reference) }
  }

  /// Returns the readings of the zones that have no line in common with the best one, nor with each other. Text that is no
  /// zone rarely fits the format and one of its check digits.
  private static func others(
    _ zones: [ZoneReading], than best: ZoneReading, on reference: CalendarDate
  ) -> [MRZReading] {
    var (taken, readings) = ([best], [MRZReading]())
    for zone in zones where taken.allSatisfy(zone.isApart) {
      guard let reading = MRZDecoder.decode(zone.probabilities, on: reference), reading.cost < maximumCost,
        reading.zone.checkDigits.contains(where: { $0.status == .passed })
      else { continue }
      taken.append(zone)
      readings.append(reading)
    }
    return readings
  }

  /// Returns the zone whose text best fits the format and the recognised characters, including its length.
  private static func best<Reading>(
    of zones: some Sequence<ZoneReading>, cost: (Reading) -> Double, decode: (ZoneReading) -> Reading?
  ) -> (zone: ZoneReading, reading: Reading)? {
    zones.compactMap { zone in decode(zone).map { (zone: zone, reading: $0) } }.filter {
      cost($0.reading) < maximumCost
    }
    .min { cost($0.reading) - $0.zone.score < cost($1.reading) - $1.zone.score }
  }

  /// The expected centre of the portrait on a page of width 1, and the distance at which a face's weight is halved: the
  /// left part of the page (ICAO 9303-4, 2.2.1, zone V). Ghost images are on the right.
  fileprivate static let portraitPlace = (x: 0.19, y: 0.32, reach: 0.25)

  /// Returns the portrait, and the outline of its document: the one that is known, or the one among those found by
  /// their edges that has the portrait, upright as the portrait; if none has, the most likely one. The last value is
  /// whether others have one, too; nil if this is unknown.
  private func portrait(
    in photo: DecodedPhoto, known: PageOutline?, edges: [PageOutline], policy: QualityPolicy, _ budget: Budget
  ) throws -> (Face?, DocumentPortrait?, PageOutline?, hasOthers: Bool?) {
    var faces: [Face] = []
    let found: Face? = try use(budget) { pipeline in
      faces = try pipeline.locate(in: photo, expected: known?.squares ?? [], budget: budget).map(\.face)
      guard let frame = known else {
        return faces.first { face in edges.contains { $0.contains(face.box.centre) } } ?? faces.first
      }
      /// The distance in units of the reach.
      func distance(_ face: Face) -> Double {
        let middle = frame.millimetres(face.box.centre)
        return hypot(middle.x / frame.width - Self.portraitPlace.x, middle.y / frame.width - Self.portraitPlace.y)
          / Self.portraitPlace.reach
      }
      func weight(_ face: Face) -> Double { face.box.width * face.box.height * exp2(-distance(face) * distance(face)) }
      // Small faces are searched for only if the portrait was not found.
      if !faces.contains(where: { distance($0) < 1 }) {
        faces = try pipeline.locate(in: photo, all: true, budget: budget).map(\.face)
      }
      return faces.max { weight($0) < weight($1) }
    }
    guard let found else { return (nil, nil, known ?? edges.first, nil) }
    let up = -Double(found.turn) * .pi / 180
    let frame = known ?? edges.first { $0.contains(found.box.centre) }?.turned(to: up)
    var hasOthers: Bool?
    if let frame, frame.contains(found.box.centre), !edges.isEmpty {
      let others = edges.filter { $0.isApart(from: frame) }
      // The portraits of documents that share a picture are small.
      if !others.isEmpty {
        faces += try use(budget) { try $0.locate(in: photo, all: true, budget: budget).map(\.face) }
      }
      hasOthers = others.contains { $0.hasPortrait(faces.map(\.box)) }
    }
    // Upright as the document; without one, as the face.
    let angle = frame?.angle ?? up
    let picture = try photo.picture(reduction: 1).portrait(of: found.landmarks, angle: angle)
    let bytes = try picture.encodedAsPNG()
    do {
      let sample = try sample(Photo(bytes: bytes, decoded: picture), policy: policy, budget: budget)
      return (found, DocumentPortrait(source: .page, bytes: bytes, sample: sample), frame ?? edges.first, hasOthers)
    } catch let error as VerifyError where !error.endsCall {
      return (found, nil, frame ?? edges.first, hasOthers)
    }
  }

  /// Reads a document from photos of its pages, from its chip's files, or from both.
  ///
  /// An unreadable chip does not affect the fields of the pages, but a document whose chip was given and is incomplete
  /// fails, and cannot be matched (``DocumentEvidence``). The chip's portrait takes precedence: it has better quality
  /// and can be authenticated.
  ///
  /// - Parameters:
  ///   - pages: photos of the document: the page with the zone, and further ones.
  ///   - chip: the chip's files; nil without a chip.
  ///   - code: the content of a code, if already read. With the PDF417 of the back of a driving licence the report is of
  ///     the licence, and includes whether a zone on the card agrees with it. A visible digital seal is judged as one that
  ///     is read from the pages.
  ///   - trust: the trust anchors; may be empty.
  ///   - authentication: how strictly the chip is authenticated.
  ///   - date: the reference date for expiry, age and certificates.
  ///   - chipExpected: whether the document is known to have a chip; without one the report then fails, and cannot be
  ///     matched.
  ///   - accepted: kinds of documents that pass without an authenticated chip; none by default.
  ///   - multipage: whether to read pages after the first with a machine-readable zone.
  ///   - readsText: whether to read the printed text of all pages (``DocumentPage/text``). Without a chip, it is read in any
  ///     case where only it shows that a portrait and the zone on another side are of one document.
  /// - Throws: ``VerifyError`` if a photo cannot be decoded, the code is neither a licence's nor a seal, there is no
  ///   input, or the budget is exhausted.
  public func readDocument(
    pages: [Photo], chip files: ChipFiles? = nil, code: [UInt8]? = nil, trust: TrustStore = .init(),
    authentication: AuthenticationPolicy = .standard, date: DateTime,
    chipExpected: Bool = false, accepted: Set<UnauthenticatedDocument> = [], multipage: Bool = true,
    readsText: Bool = false, budget: Budget = .unlimited
  ) throws -> DocumentReading {
    try logged("read-document") {
      guard !pages.isEmpty || files != nil || code != nil else {
        throw VerifyError(.badArgument, "there is nothing to read: give photos of the document's pages, or its chip")
      }
      guard files == nil || code == nil else {
        throw VerifyError(.badArgument, "a document has a chip that is read here or a code, not both")
      }
      var seal = code.flatMap { DigitalSeal.isSeal($0) ? $0 : nil }
      if let seal, pages.isEmpty {
        try budget.check()
        return DocumentReading(
          seal: seal, trust: trust, authentication: authentication, date: date, chipExpected: chipExpected)
      }
      let licence = try seal == nil ? code.map { try DrivingLicence(payload: $0, on: date.calendarDate) } : nil
      var (read, sealPage): ([DocumentPage], Int?) = ([], nil)
      for photo in pages where multipage || read.allSatisfy({ $0.reading == nil }) {
        let page = try readPage(photo, on: date.calendarDate, readsText: readsText, budget: budget)
        if seal == nil, licence == nil {
          seal = try self.seal(of: page, in: photo, budget)
          sealPage = seal.map { _ in read.count }
        }
        read.append(page)
      }
      read = try withText(Array(zip(read, pages)), ofAll: readsText, hasChip: files != nil, budget: budget)
      return try readDocument(
        read: read, chip: files, licence: licence, seal: seal, sealPage: sealPage, trust: trust,
        authentication: authentication, date: date, chipExpected: chipExpected, accepted: accepted, budget: budget)
    }
  }

  /// Reads the visible digital seal on a page. Passports and cards have none: their profiles are of visas and of sheets
  /// with a zone of TD2 (ICAO 9303-7, 9.1; 9303-8, 6.1).
  private func seal(of page: DocumentPage, in photo: Photo, _ budget: Budget) throws -> [UInt8]? {
    guard page.reading.map({ $0.zone.format == .td2 || $0.zone.format.isVisa }) ?? true else { return nil }
    return try CodeReader(formats: [.dataMatrix, .qr, .aztec], modelsFolder: configuration.modelsFolder)
      .read(photo, budget: budget).readings.map(\.bytes).first(where: DigitalSeal.isSeal)
  }

  /// As above, with pages that were already read.
  ///
  /// - Parameter sealPage: the index of the page that the seal is on; nil if the seal was given by itself.
  package func readDocument(
    read: [DocumentPage], chip files: ChipFiles?, licence: DrivingLicence?, seal: [UInt8]? = nil,
    sealPage: Int? = nil, trust: TrustStore, authentication: AuthenticationPolicy, date: DateTime, chipExpected: Bool,
    accepted: Set<UnauthenticatedDocument>, budget: Budget
  ) throws -> DocumentReading {
    let day = date.calendarDate
    try budget.check()
    let chip = files.map { ChipReading($0, trust: trust, date: date, policy: authentication) }
    let (portrait, problem) = try portrait(of: chip, or: read, budget)
    var judged = chip
    if portrait?.source != .chip, judged?.evidence.dataGroup2 == .usable { judged?.evidence.dataGroup2 = .unusable }
    let best = read.compactMap(\.reading).min { $0.cost < $1.cost }
    let page = try best.map(Self.zone)
    // The seal on a visa is of that visa, whatever visas are on the other pages.
    let own = sealPage.flatMap { read[$0].reading?.zone }
    let printed = read.compactMap { $0.reading?.zone }.filter {
      own == nil || $0 == own || $0.format.isVisa != own?.format.isVisa
    }
    let seal = seal.map {
      SealReport(payload: $0, printed: printed, trust: trust, date: date, policy: authentication)
    }
    let print = read.compactMap(\.visualZone)
    let report =
      try licence.map {
        DocumentReport(
          licence: $0, front: best.map(Self.printed) ?? [:], isFrontGiven: !read.isEmpty, print: print,
          accepted: accepted, portraitSHA256: portrait?.sample.sha256, on: day)
      }
      ?? DocumentReport(
        page: page, pageGiven: !read.isEmpty, chip: judged, chipExpected: chipExpected, accepted: accepted,
        portraitSHA256: portrait?.sample.sha256, sides: sides(read, portrait, of: chip, on: day, budget),
        pageProblem: pageProblem(of: read, portrait, page, on: day), seal: seal, print: print, on: day)
    return DocumentReading(
      pages: read, zone: best?.zone, chip: chip, licence: licence, seal: seal, portrait: portrait,
      portraitProblem: problem, report: report, date: day)
  }

  /// Pictures with a failed check, and a zone without a portrait, prove less than a page: anyone can print a zone. A
  /// portrait on another side counts if something shows that both are of one document: its printed number, its printed
  /// surname and birth, or its face.
  private func pageProblem(
    of pages: [DocumentPage], _ portrait: DocumentPortrait?, _ zone: PageZone?, on date: CalendarDate
  ) throws -> DocumentReason? {
    if pages.contains(where: { !$0.rejections.isEmpty }) { return .pageRejected }
    guard let zone, let portrait, portrait.source == .page else {
      return pages.isEmpty || portrait != nil ? nil : .noPortrait
    }
    let isJoined = try pages.contains { page in
      guard page.portrait?.sample.sha256 == portrait.sample.sha256 else { return false }
      if page.isPortraitWithZone { return true }
      if let print = page.visualZone, DocumentReport.isOfOneDocument(print, zone, on: date) { return true }
      return try pages.contains { other in
        try other.isPortraitWithZone
          && other.portrait.map { try isOnePerson($0.sample, portrait.sample) == .passed } ?? false
      }
    }
    return isJoined ? nil : .noPortrait
  }

  private static func zone(_ reading: MRZReading) throws -> PageZone {
    try PageZone(
      reading.zone, confidences: reading.characters.map { $0.map(\.confidence) },
      minimumConfidence: MRZReading.Character.sureConfidence)
  }

  /// Checks that all pages are of one document and one person, and that the chip's portraits are of that person.
  private func sides(
    _ pages: [DocumentPage], _ portrait: DocumentPortrait?, of chip: ChipReading?, on date: CalendarDate,
    _ budget: Budget
  ) throws -> [DocumentCheck] {
    func check(
      _ name: DocumentCheckName, _ zones: CheckStatus, _ people: [CheckStatus], _ compared: String
    ) -> DocumentCheck {
      let text = compared.isEmpty ? "" : "compared: \(compared)"
      if zones == .failed { return DocumentCheck(name, .failed, .sourcesDiffer, text) }
      if people.contains(.failed) { return DocumentCheck(name, .failed, .portraitsDiffer, text) }
      let isPassed = !people.contains(.notChecked) && ([zones] + people).contains(.passed)
      return DocumentCheck(
        name, isPassed ? .passed : .notChecked, people.isEmpty ? .oneSource : .portraitsUnclear, text)
    }
    let faces = pages.compactMap(\.portrait?.sample)
    let zones = try pages.flatMap { [$0.reading].compactMap(\.self) + $0.otherReadings }.map(Self.zone)
    let pairs = try faces.indices.flatMap { i in try faces[..<i].map { try isOnePerson($0, faces[i]) } }
    let counts = [(zones.count, "machine-readable zones"), (faces.count, "faces")].filter { $0.0 > 1 }
    var (ofChip, own) = ([CheckStatus](), 0)
    if let portrait, portrait.source == .chip {
      ofChip = try faces.map { try isOnePerson(portrait.sample, $0) }
      // EF.DG2 may have several pictures (Doc 9303-10, 4.7.2), and a match is with the first.
      for image in (try? chip?.contents.dataGroup2?.get())?.images.dropFirst() ?? [] {
        own += 1
        let other = try? sample(Photo(bytes: image.bytes), policy: .chipPortrait, budget: budget)
        ofChip.append(try other.map { try isOnePerson(portrait.sample, $0) } ?? .notChecked)
      }
      try budget.check()
    }
    let chipFaces = [(faces.count, "of pages"), (own, "of EF.DG2")].filter { $0.0 > 0 && !ofChip.isEmpty }
    return [
      check(
        .pagesMatch, DocumentReport.areOfOneDocument(zones, on: date), pairs,
        counts.map { "\($0) \($1)" }.joined(separator: ", ")),
      check(
        .portraitMatchesChip, .notChecked, ofChip,
        chipFaces.map { "the portrait with \($0) \($1)" }.joined(separator: ", ")),
    ]
  }

  /// Checks whether two portraits of a document show one person. Most are copies of one picture and pass. Others may be
  /// old and poor: they pass if they match at a false-match rate of 1e-3, and fail if they do not match at 1e-2.
  private func isOnePerson(_ a: FaceSample, _ b: FaceSample) throws -> CheckStatus {
    let copies = SamePicture([a.detail].compactMap { $0 }, b.detail, threshold: SamePicture.thresholds.frames)
    if a.sha256 == b.sha256 || copies.status == .failed { return .passed }
    guard let one = a.template, let other = b.template, let calibration else { return .notChecked }
    let comparison = try Comparison(
      one, other, calibration.threshold(at: .oneIn1000, portrait: .page), calibration: calibration)
    if comparison.isMatch { return .passed }
    return comparison.score > (try calibration.threshold(at: .oneIn100, portrait: .page)).score ? .failed : .notChecked
  }

  /// Returns the PDF417 in a picture of a licence's back, or why there is none.
  package func licenceCode(in photo: Photo, _ effort: CodeReader.Effort = .photo, budget: Budget) throws -> CodeFrame {
    try CodeReader(formats: [.pdf417], effort: effort, modelsFolder: configuration.modelsFolder)
      .read(photo, budget: budget)
  }

  /// The fields that a zone and a code on the same card (enhanced licences) must agree on. Their document numbers
  /// differ.
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
    of chip: ChipReading?, or pages: [DocumentPage], _ budget: Budget
  ) throws -> (DocumentPortrait?, problem: String?) {
    var problem: String?
    if let chip {
      do {
        let image = try chip.portrait()
        let sample = try sample(Photo(bytes: image.bytes), policy: .chipPortrait, budget: budget)
        return (DocumentPortrait(source: .chip, bytes: image.bytes, sample: sample), nil)
      } catch let error as VerifyError where !error.endsCall {
        problem = "the chip's portrait is unusable: \(error.message)"
      }
    }
    // A passport and a visa have the portrait on the page with the zone (ICAO 9303-4, 9303-7), a card may have it on the
    // other side.
    let isBook = pages.contains { page in page.reading.map { $0.zone.format == .td3 || $0.zone.format.isVisa } ?? false
    }
    let candidates = pages.filter { $0.reading != nil } + (isBook ? [] : pages.filter { $0.reading == nil })
    guard let portrait = candidates.compactMap(\.portrait).first else {
      return (nil, problem ?? (pages.isEmpty ? nil : "no portrait was found on the page"))
    }
    return (portrait, problem)
  }
}

extension PageOutline {
  /// The squares around the document and around its portrait, upright to an eighth of a turn.
  fileprivate var squares: [FaceSearch.Square] {
    let quarters = Int((-angle / (.pi / 2)).rounded())
    let portrait = point(FaceEngine.portraitPlace.x * width, FaceEngine.portraitPlace.y * width)
    return [(corners.centroid, 1.1), (portrait, 0.5)].map { centre, share in
      FaceSearch.Square(centre: centre, side: share * scale * max(width, height), turn: 90 * ((quarters + 4) % 4))
    }
  }

  /// Whether a face on the document has the size of one in a portrait: 0.10 to 0.23 of its width on 38 specimens.
  fileprivate func hasPortrait(_ faces: [Rectangle]) -> Bool {
    faces.contains { contains($0.centre) && (0.08...0.3).contains($0.width / (scale * width)) }
  }
}
