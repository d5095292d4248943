internal import FaceVerifyBase
internal import FaceVerifyJourney

// Frames, photos and chip files of the page.

extension PageSession {
  /// Maximum number of open checks per page; other checks of the tenant wait for them.
  private static let maximumChecks = 4

  /// Records a request that arrived; ``answered(isBatch:isCheck:)`` must follow.
  ///
  /// - Returns: whether it may wait for a thread.
  func arrived(isBatch: Bool, isCheck: Bool) -> Bool {
    page.withLock { page in
      if isBatch { (page.open.batches, page.open.lastBatch) = (page.open.batches + 1, server.clock.monotonic) }
      if isCheck { page.open.checks += 1 }
      return !isCheck || page.open.checks <= Self.maximumChecks
    }
  }

  func answered(isBatch: Bool, isCheck: Bool) {
    page.withLock { page in
      page.open.batches -= isBatch ? 1 : 0
      page.open.checks -= isCheck ? 1 : 0
    }
  }

  /// Whether the active part takes frames of a document, which cost as much as photos.
  var takesDocuments: Bool { snapshot.part.map { $0.part != .face } ?? false }

  /// - Parameter received: when the batch arrived, on the monotonic clock.
  func add(_ bytes: [UInt8], received: Double) throws -> JSONValue {
    let before = page.read(\.self)
    // Frames that were already processed are skipped, even if the part has ended since.
    let batch = try FrameBatch(bytes, limits: before.limits ?? .face)
    guard let first = batch.frames.first, let last = batch.frames.last else { return view() }
    if let answer = try before.answer(to: first, last) { return answer }
    guard let limits = before.limits else {
      page.withLock { $0.expected = last.sequence + 1 }
      throw problem(LogicalError.deadScanPart)
    }
    let fresh = batch.frames.filter { $0.sequence >= before.expected }
    let photos = try fresh.map { try photo($0, limits) }
    if before.scansFace, photos.contains(where: { $0 != nil }) {
      // A page without frames loses its place after a while.
      do { try enter(for: .frame) } catch { throw problem(error) }
    }
    let begin = server.clock.monotonic
    page.withLock { page in
      page.transport.batches += 1
      page.transport.bytes += bytes.count
    }
    for (frame, photo) in zip(fresh, photos) {
      do {
        try add(frame, photo, limits, received: received)
      } catch let error as VerifyError where [.badArgument, .damaged, .unknownFormat, .tooLarge].contains(error.code) {
        page.withLock { $0.transport.refused += 1 }
        server.metrics.count("fv_frames_total", "outcome=\"refused\"")
      } catch {
        throw problem(error)
      }
    }
    let end = server.clock.monotonic
    page.withLock { $0.answered(first, last, received: received, from: begin, to: end) }
    let answer = view()
    page.withLock { $0.lastBatch = (last.sequence, answer) }
    return answer
  }

  /// Parses a frame's header; nil if it is unreadable.
  ///
  /// - Throws: a ``Problem`` if the frame has more pixels than allowed: its cost would affect all sessions.
  private func photo(_ frame: FrameBatch.Frame, _ limits: FrameBatch.Limits) throws -> Photo? {
    do {
      return try Photo(bytes: Array(frame.picture), limits: ImageLimits(maximumPixels: limits.maximumPixels))
    } catch let error as VerifyError where error.code == .tooLarge {
      throw Problem(
        413, "Frame \(frame.sequence) has more than \(limits.maximumPixels) pixels: scale frames to frames.shortSide.")
    } catch {
      return nil
    }
  }

  private func add(
    _ frame: FrameBatch.Frame, _ photo: Photo?, _ limits: FrameBatch.Limits, received: Double
  ) throws {
    let begin = server.clock.monotonic
    let isDue = page.withLock { page in
      page.expected = frame.sequence + 1
      return page.snapshot.state == .scanning
    }
    guard isDue else { return }
    guard let photo, page.withLock({ $0.mayAnalyse(limits, at: begin) }) else {
      throw VerifyError(.damaged, "not analysed")
    }
    if let fault = page.withLock({ $0.fault(of: frame, received: received) }) { return interruptPart(fault) }
    let picture = try photo.pixels()
    try make(.frame(page.withLock { $0.accept(frame, picture, received: received, at: begin) }))
    server.metrics.count("fv_frames_total", "outcome=\"taken\"")
    server.metrics.observe("fv_frame_seconds", "", server.clock.monotonic - begin)
  }

  /// Ends the try, because the stream is not accepted as live. The next try has other challenges.
  func interruptPart(_ fault: StreamClock.Fault) {
    page.withLock { $0.transport.faults.append(fault.rawValue) }
    server.audit("attempt-interrupted", ["reason": .string(fault.rawValue)])
    server.metrics.count("fv_attempts_total", "result=\"interrupted\"")
    try? make(.cancelPart)
    let event: JSONValue = ["event": "interrupted", "reason": .string(fault.rawValue), "at": .number(now)]
    page.withLock { $0.events.append(event) }
  }

  func attach(_ bytes: [UInt8]) throws -> JSONValue {
    try answer {
      let photo = try Photo(bytes: bytes, limits: .upload)
      try FaceServer.working(on: [photo]) { try make(.attach(photo)) }
    }
  }

  func attachChip(_ form: Multipart) throws -> JSONValue {
    try answer { try make(.attachChip(form.chip(form.parts))) }
  }

  /// Returns the picture that the person must confirm.
  func picture() throws -> PixelBuffer {
    guard let photo = snapshot.picture else { throw Problem.unknown }
    return try FaceServer.working(on: [photo]) {
      try photo.pixels(reduction: [1, 2, 4].first { max(photo.width, photo.height) / $0 <= 1280 } ?? 8)
    }
  }
}
