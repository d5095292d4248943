extension JourneyMachine {
  func attach(_ photo: Photo) throws {
    guard let part, part.mode != .chipFiles else { throw LogicalError.unknownScanPart }
    try log.photo(photo)
    if part.part == .face {
      guard part.mode == .faceManual else { throw LogicalError.unknownScanPart }
      let reduction = [1, 2, 4].first { max(photo.width, photo.height) / $0 <= LivenessSession.longestSide } ?? 8
      let picture = try photo.pixels(reduction: reduction, budget: budget)
      try part.session?.add(picture, at: 0, budget: budget)
      return try decide()
    }
    try judge(photo)
  }

  func attach(_ files: ChipFiles) throws {
    guard part?.mode == .chipFiles else { throw LogicalError.unknownScanPart }
    log.chip(files)
    update(.chipStarted)
    let count = max(1, files.files.count)
    for index in 0..<files.files.count { update(.chipProgress(100 * (index + 1) / count)) }
    part?.chip = files
    update(.chipFinished)
    captured()
  }

  /// Judges a picture that was taken deliberately: keeps it, or rejects it with reasons.
  func judge(_ photo: Photo) throws {
    guard let part else { return }
    if hasCode(part.side) {
      let seen = try engine.licenceCode(in: photo, budget: budget)
      self.part?.codeFault = seen.fault
      if let code = seen.readings.first { return try judge(code: code.bytes) }
      // If the code is not requested or unreadable, a picture of it is kept.
      return part.mode == .barcode && part.tries < configuration.maximumTries
        ? reject([.notReadable]) : take(photo, nil)
    }
    guard part.part != .document else {
      _ = try photo.pixels(reduction: 8, budget: budget)
      return take(photo, nil)
    }
    step(.processing(part.part))
    let (page, hint) = try look(at: photo)
    if hint == .flip { return fail(JourneyError(.wrongSide)) }
    guard expectation != .neither else { return take(photo, nil) }
    var reasons = page.rejections.map(\.reason)
    if expectation == .zone, page.reading == nil, !reasons.contains(.notReadable) { reasons.append(.noDocument) }
    if isOther(page) { reasons.append(.unsupportedDocument) }
    guard configuration.givesInstantFeedback, !reasons.isEmpty else { return take(photo, page) }
    reject(reasons)
  }

  /// Whether the zone is of another country or type than the chosen one.
  func isOther(_ page: DocumentPage) -> Bool {
    guard let choice, let zone = page.reading?.zone else { return false }
    return !choice.isOf(DocumentChoice(zone))
  }

  func reject(_ reasons: [DocumentImageCheck.Reason]) {
    guard let part else { return }
    guard part.tries < configuration.maximumTries else { return fail(JourneyError(.imagesMissing)) }
    self.part?.rejections = reasons
    step(.rejectView(part.side, reasons: reasons))
    state = .rejected
  }

  func upright(_ frame: JourneyFrame) -> Photo {
    Photo(pixels: frame.picture.upright(rotation: configuration.rotation, isMirrored: configuration.isMirrored))
  }

  func look(at photo: Photo) throws -> (DocumentPage, DocumentHint?) {
    let page = try engine.readPage(photo, on: configuration.date(at: now).calendarDate, budget: budget)
    return (page, DocumentHint(page, showing: expectation))
  }

  var choice: DocumentChoice? { active.flatMap { credentials[$0].choice } }

  var zone: MachineReadableZone? {
    active.flatMap { credentials[$0].pages.lazy.compactMap { $0.page?.reading?.zone }.first }
  }

  /// What the side that is due must show, other than a code.
  var expectation: DocumentHint.Expectation {
    let (side, form) = (part?.side ?? .front, choice?.form)
    if form?.zoneSide.map(JourneyPart.init) == side { return .zone }
    return side == .back && form?.isReadable == false ? .neither : .portrait
  }

  /// Whether the side has a code that is read instead of the text.
  func hasCode(_ side: JourneyPart?) -> Bool { side != nil && choice?.form?.codeSide.map(JourneyPart.init) == side }

  // MARK: The code of a licence

  func attach(code payload: [UInt8]) throws {
    guard let part, hasCode(part.side), part.mode == .barcode || part.part == .multipart else {
      throw LogicalError.unknownScanPart
    }
    log.code(payload)
    try judge(code: payload)
  }

  func findCode(_ frame: JourneyFrame) throws {
    let photo = upright(frame)
    log.frame(frame, digest: nil)
    let seen = try engine.licenceCode(in: photo, .frame, budget: budget)
    part?.codeFault = seen.fault
    guard let code = seen.readings.first else {
      let hint = DocumentHint(seen.fault ?? .noneThere)
      guard part?.documentHint != hint else { return }
      part?.documentHint = hint
      return update(.document(hint))
    }
    try judge(code: code.bytes)
  }

  func judge(code payload: [UInt8]) throws {
    guard let part else { return }
    let licence = try DrivingLicence(payload: payload, on: configuration.date(at: now).calendarDate)
    step(.processing(part.part))
    if licence.documentType != choice?.type || licence.country != choice?.country {
      return reject([.unsupportedDocument])
    }
    self.part?.licence = licence
    self.part?.codeFault = nil
    imageTaken()
    guard licence.hasAddress else {
      state = .captured
      return fail(JourneyError(.barcodeWithoutAddress))
    }
    captured()
  }

  /// Keeps the code. The address is then read from the front, which is due unless it was taken before.
  func goOnWithoutAddress() {
    guard let active, let part else { return }
    if part.part == .back && credentials[active].outcomes[.front] == nil { step(.nextPart(.front)) }
    captured()
  }

  func take(_ photo: Photo, _ page: DocumentPage?) {
    guard let part else { return }
    if page?.reading != nil { self.part?.hasZone = true }
    imageTaken()
    self.part?.candidate = TakenPage(photo: photo, page: page)
    guard configuration.asksConfirmation else { return keepPicture() }
    step(.confirmationView(part.side))
    state = .confirming
  }

  /// Keeps the picture, and proceeds to the next side, if any.
  func keepPicture() {
    guard let part, let taken = part.candidate else { return }
    self.part?.pages.append(taken)
    self.part?.candidate = nil
    self.part?.documentHint = nil
    restartClock()
    guard part.part == .multipart, part.side == .front else { return captured() }
    self.part?.side = .back
    step(.nextPart(.back))
    state = .scanning
  }
}
