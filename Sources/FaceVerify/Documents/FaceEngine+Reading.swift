extension FaceEngine {
  /// Reads a document from photos of its pages, from its chip's files, or from both.
  ///
  /// A chip that cannot be read takes nothing away from what the pages say. The chip's portrait comes first, for it is
  /// the better one and can be authenticated.
  ///
  /// - Parameters:
  ///   - pages: photos of the document: the page with the zone, and further ones.
  ///   - chip: nil if there is none.
  ///   - trust: the certificates that are trusted; empty if none are known.
  ///   - date: for which expiry, age and certificates are judged.
  ///   - configuration: whether a chip is asked for, and the like; nil to ask for what is given.
  /// - Throws: ``VerifyError`` if a photo cannot be decoded, or nothing is given; ``VerifyError/Code/timeout``,
  ///   ``VerifyError/Code/cancelled``.
  public func readDocument(
    pages: [Photo], chip files: ChipFiles? = nil, trust: TrustStore = .init(), date: DateTime,
    configuration: DocumentReaderConfiguration? = nil, budget: Budget = .unlimited
  ) throws -> DocumentReading {
    guard !pages.isEmpty || files != nil else {
      throw VerifyError(.badArgument, "there is nothing to read: give photos of the document's pages, or its chip")
    }
    let day = date.calendarDate
    let configuration = try configuration ?? DocumentReaderConfiguration(readRFID: files != nil)
    var read: [DocumentPage] = []
    for photo in pages where configuration.multipage || read.allSatisfy({ $0.reading == nil }) {
      read.append(try readPage(photo, on: day, budget: budget))
    }
    try budget.check()
    let chip = files.map { DocumentChip($0, trust: trust, date: date) }
    let (portrait, problem) = try portrait(of: chip, or: read, budget)
    let best = read.compactMap(\.reading).min { $0.cost < $1.cost }
    let optical = try best.map { reading in
      try OpticalMRZ(
        reading.zone, confidences: reading.characters.map { $0.map(\.confidence) },
        minimumConfidence: MRZReading.Character.sureConfidence)
    }
    return DocumentReading(
      pages: read, zone: best?.zone, chip: chip, portrait: portrait, portraitProblem: problem,
      report: DocumentReaderReport(
        optical: optical, chip: chip?.reading, portrait: portrait?.bytes, on: day, configuration: configuration),
      date: day)
  }

  private func portrait(
    of chip: DocumentChip?, or pages: [DocumentPage], _ budget: Budget
  ) throws -> (DocumentReading.Portrait?, problem: String?) {
    var problem: String?
    if let chip {
      do {
        let image = try chip.portrait()
        let sample = try sample(Photo(bytes: image.bytes), policy: .chipPortrait, budget: budget)
        return (.init(bytes: image.bytes, trust: chip.portraitTrust, sample: sample), nil)
      } catch {
        if let error = error as? VerifyError, error.endsCall { throw error }
        problem = "the chip's portrait: \((error as? VerifyError)?.message ?? "it cannot be read")"
      }
    }
    // The page with the zone is the one whose portrait is known to be the holder's.
    let candidates = pages.filter { $0.reading != nil } + pages.filter { $0.reading == nil }
    guard let portrait = candidates.compactMap(\.portrait).first else {
      return (nil, problem ?? (pages.isEmpty ? nil : "no portrait was found on the page"))
    }
    return (.init(bytes: portrait.bytes, trust: .page, sample: portrait.sample), problem)
  }
}
