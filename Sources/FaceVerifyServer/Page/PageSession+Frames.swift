internal import FaceVerifyBase
internal import FaceVerifyJourney

// Frames, photos and chip files of the page.

extension PageSession {
  /// The limits of frames; nil if the active part takes none.
  var limits: FrameBatch.Limits? {
    guard journey.state == .scanning || journey.state == .paused, let part = journey.progress.part else { return nil }
    switch part.mode {
    case .liveness, .strict, .passive, .faceManual: return .face
    case .docFinder, .manual, .barcode: return .document
    default: return nil
    }
  }

  /// Maximum allowance in frames: a page's queue while the server does not respond, and one batch.
  static let burst = 32.0

  /// Consumes one frame of the page's allowance, which bounds its CPU use: cameras send 12 frames per second, or 3.
  ///
  /// - Returns: whether the frame may be analysed.
  private func mayAnalyse(_ limits: FrameBatch.Limits) -> Bool {
    let now = steadyClock()
    let frames = min(Self.burst, allowance.frames + (now - allowance.at) * 2.5 * Double(limits.framesPerSecond))
    allowance = (max(0, frames - 1), now)
    return frames >= 1
  }

  /// Maximum number of open checks per page; other checks of the tenant wait for them.
  private static let maximumChecks = 4

  /// Records a request that arrived; the caller must call ``answered(isBatch:isCheck:)`` afterwards.
  ///
  /// - Returns: whether the request may wait for a thread.
  func arrived(isBatch: Bool, isCheck: Bool, at now: Double) -> Bool {
    arrivals.withLock { arrivals in
      if isBatch { arrivals.last = now }
      arrivals.batches += isBatch ? 1 : 0
      arrivals.checks += isCheck ? 1 : 0
      return !isCheck || arrivals.checks <= Self.maximumChecks
    }
  }

  func answered(isBatch: Bool, isCheck: Bool) {
    arrivals.withLock { arrivals in
      arrivals.batches -= isBatch ? 1 : 0
      arrivals.checks -= isCheck ? 1 : 0
    }
  }

  /// Whether the active part takes frames of a document, which cost as much as photos.
  var takesDocuments: Bool { journey.progress.part.map { $0.part != .face } ?? false }

  /// - Parameter received: arrival time of the batch on ``steadyClock()``.
  func add(_ bytes: [UInt8], received: Double, at now: Double) throws -> JSONValue {
    try lock.withLock { _ in
      // Frames that were already processed are skipped, even if the part has ended since.
      let limits = limits
      let batch = try FrameBatch(bytes, limits: limits ?? .face)
      guard let first = batch.frames.first, let final = batch.frames.last else { return view(at: now) }
      if let lastBatch, final.sequence <= lastBatch.sequence { return lastBatch.answer }
      guard first.sequence <= expected else {
        throw Problem(
          409, "Frames before \(first.sequence) are missing: continue with frame \(expected).",
          members: ["expectedSeq": .integer(expected)])
      }
      guard let limits else {
        expected = final.sequence + 1
        throw problem(LogicalError.deadScanPart, at: now)
      }
      let fresh = batch.frames.filter { $0.sequence >= expected }
      let photos = try fresh.map { try photo($0, limits) }
      if journey.state == .scanning, journey.progress.part?.part == .face, photos.contains(where: { $0 != nil }) {
        // A page without frames loses its place after a while.
        do { try enter(for: .frame) } catch { throw problem(error, at: now) }
      }
      let begin = steadyClock()
      transport.batches += 1
      transport.bytes += bytes.count
      for (frame, photo) in zip(fresh, photos) {
        expected = frame.sequence + 1
        guard journey.state == .scanning else { continue }
        do {
          guard let photo, mayAnalyse(limits) else { throw VerifyError(.damaged, "not analysed") }
          try add(frame, photo, received: received, at: now)
        } catch let error as VerifyError where [.badArgument, .damaged, .unknownFormat, .tooLarge].contains(error.code)
        {
          transport.refused += 1
          server.metrics.count("fv_frames_total", "outcome=\"refused\"")
        } catch {
          throw problem(error, at: now)
        }
      }
      let end = steadyClock()
      attempt.clock.answered(
        after: end - max(received, attempt.lastAnswer?.at ?? received),
        span: max(0, final.seconds - (attempt.lastAnswer?.seconds ?? first.seconds)))
      attempt.lastAnswer = (end, final.seconds)
      transport.answered(after: end - begin)
      let answer = view(at: now)
      lastBatch = (final.sequence, answer)
      return answer
    }
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

  private func add(_ frame: FrameBatch.Frame, _ photo: Photo, received: Double, at now: Double) throws {
    let begin = steadyClock()
    let isFace = journey.progress.part?.part == .face
    if frame.wasHidden { transport.hidden += 1 }
    if frame.hasGap { transport.gaps += 1 }
    if isFace {
      // A page that was hidden before the first frame of a try has missed nothing.
      let isHidden = frame.wasHidden && attempt.lastFrame != nil
      if let fault = isHidden ? .hidden : attempt.clock.add(frame.seconds, received: received) {
        return interruptPart(fault, at: now)
      }
    }
    let picture = try photo.pixels()
    frameSize = (Double(picture.width), Double(picture.height))
    let colour = frame.light.flatMap { self.colour($0, arrived: now - max(0, begin - received)) }
    transport.frames += 1
    attempt.lastFrame = now
    if isFace && attempt.lightBegin == nil {
      attempt.lightBegin = now
      isPrompted = isPrompted || isLit || journey.progress.part?.mode == .passive
    }
    try make(
      .frame(
        JourneyFrame(
          picture, time: frame.seconds, received: isFace ? attempt.clock.received : nil,
          screenColour: isLit && isFace ? colour : nil)), at: now)
    server.metrics.count("fv_frames_total", "outcome=\"taken\"")
    server.metrics.observe("fv_frame_seconds", "", steadyClock() - begin)
  }

  /// The colour that a frame claims; nil if the colour cannot have lit it.
  private func colour(_ index: Int, arrived: Double) -> SIMD3<Double>? {
    let colours = journey.colours
    guard colours.indices.contains(index), attempt.colours.mayLight(index, arrived, backlog: attempt.clock.backlog)
    else { return nil }
    return colours[index].colour
  }

  /// Ends the try, because the stream is not accepted as live. The next try has other challenges.
  func interruptPart(_ fault: StreamClock.Fault, at now: Double) {
    transport.faults.append(fault.rawValue)
    server.audit("attempt-interrupted", ["reason": .string(fault.rawValue)])
    server.metrics.count("fv_attempts_total", "result=\"interrupted\"")
    try? make(.cancelPart, at: now)
    events.append(["event": "interrupted", "reason": .string(fault.rawValue), "at": .number(now)])
  }

  func attach(_ bytes: [UInt8], at now: Double) throws -> JSONValue {
    try attach(at: now) {
      let photo = try Photo(bytes: bytes, limits: .upload)
      try FaceServer.working(on: [photo]) { try make(.attach(photo), at: now) }
    }
  }

  func attachChip(_ form: Multipart, at now: Double) throws -> JSONValue {
    try attach(at: now) { try make(.attachChip(form.chip(form.parts)), at: now) }
  }

  private func attach(at now: Double, _ attach: () throws -> Void) throws -> JSONValue {
    try lock.withLock { _ in
      do { try attach() } catch { throw problem(error, at: now) }
      return view(at: now)
    }
  }

  /// Returns the picture that the person must confirm.
  func picture() throws -> PixelBuffer {
    guard let photo = journey.picture else { throw Problem.unknown }
    return try FaceServer.working(on: [photo]) {
      try photo.pixels(reduction: [1, 2, 4].first { max(photo.width, photo.height) / $0 <= 1280 } ?? 8)
    }
  }
}
