internal import FaceVerify
internal import FaceVerifyBase
internal import FaceVerifyJourney

/// What a page has sent and was shown. Each method is one short step, and returns what is due: the session does it without
/// a lock.
struct PageState {
  /// What the session must do after a call of the journey.
  enum Due {
    case began
    /// Give up the place for attempts.
    case leave
    case stop(ChipTerminal.Reading)
    /// Count the person's attempt.
    case count
    case end(JourneyResult)
  }

  /// Whether a view may show what the person must do: the attempt counts from then on.
  enum Prompt { case none, due, counting, counted }

  /// The stream and the light of one attempt at a face. Times are monotonic.
  struct Attempt {
    var clock = StreamClock()
    /// When the last batch was answered, and when its last frame was captured, on the stream's clock.
    var lastAnswer: (at: Double, seconds: Double)?
    /// When the last frame was processed.
    var lastFrame: Double?
    /// When the first frame was processed: the first colour is due from then on.
    var lightBegin: Double?
    var colours = ShownColours()
  }

  private(set) var isOver = false
  /// Whether the server has the result.
  var isReported = false
  var snapshot: JourneySnapshot
  /// The result as it was shown, once the journey is cleared.
  var result = JSONValue.null

  var expires: Double
  var isExtended = false
  /// The link by which another device may take this session over.
  var offer: (digest: String, until: Double)?
  var offers = 0

  /// Since the last view.
  var events: [JSONValue] = []
  private(set) var consentShown: Double?
  var decisions: [JSONValue] = []
  var chip = ChipStep()

  /// Whether this page holds one of the server's places for attempts.
  var hasPlace = false
  var prompt = Prompt.none
  /// Whether the screen lights the face; the person may decline.
  var isLit = false
  private(set) var attempt = Attempt()
  /// The identity of the current attempt: each start, retry and fallback begins another one.
  private var attemptName: String?
  var transport = FrameTransport()
  private(set) var frameSize = (width: 1.0, height: 1.0)
  /// Sequence number of the next frame.
  var expected = 1
  var lastBatch: (sequence: Int, answer: JSONValue)?
  /// Frames that may be analysed now, and when that was counted.
  private var allowance: (frames: Double, at: Double)
  /// Requests that have arrived and are not answered yet, and when the last batch of frames did.
  var open = (batches: 0, checks: 0, lastBatch: -Double.infinity)

  /// - Parameter monotonic: the time now, as in all methods.
  init(_ snapshot: JourneySnapshot, expires: Double, at monotonic: Double) {
    (self.snapshot, self.expires, allowance) = (snapshot, expires, (Self.burst, monotonic))
  }

  // MARK: The journey

  /// Whether frames of a face are due.
  var scansFace: Bool { snapshot.state == .scanning && snapshot.part?.part == .face }

  /// Whether the active part takes the files of a chip.
  var takesChip: Bool { [.scanning, .paused].contains(snapshot.state) && snapshot.part?.mode == .chipFiles }

  /// Whether no part is in progress: pictures of one part all come from one device.
  var isBetweenParts: Bool {
    [.created, .consenting, .ready, .configuring, .advising, .choosing].contains(snapshot.state)
  }

  /// Takes over what a call has changed.
  mutating func follow(_ journey: JourneyController) -> [Due] {
    let before = snapshot.state
    snapshot = journey.snapshot
    while let event = journey.nextEvent() {
      if case .logicalError = event.kind { continue }
      if case .update(.nextPosition) = event.kind { prompted() }
      events.append(event.jsonValue)
    }
    // Bounds the events kept for a page that sends no requests.
    if events.count > 200 { events.removeFirst(events.count - 200) }
    var due: [Due] = []
    if before == .created && snapshot.state != .created { due.append(.began) }
    if hasPlace && !scansFace {
      hasPlace = false
      due.append(.leave)
    }
    followAttempt()
    if !takesChip {
      if let reading = chip.reading { due.append(.stop(reading)) }
      (chip.reading, chip.failure, chip.refusedNumber) = (nil, nil, nil)
    }
    if let result = snapshot.result, !isOver {
      isOver = true
      due.append(.end(result))
    } else if prompt == .due {
      prompt = .counting
      due.append(.count)
    }
    return due
  }

  private mutating func prompted() { if prompt == .none { prompt = .due } }

  /// Begins a new attempt with each try at a face. A try that continues after a pause or an error keeps its clock: its
  /// challenges are the same.
  private mutating func followAttempt() {
    let part = snapshot.part.flatMap { $0.part == .face ? $0 : nil }
    let name = part.map { "\(snapshot.active ?? -1) \($0.mode.rawValue) \($0.tries)" }
    guard name != attemptName else { return }
    attemptName = name
    transport.add(attempt.clock)
    // The clock rate of an ended try remains.
    if name != nil { attempt = Attempt() }
  }

  /// Marks what a view at this time shows, and returns the state to be shown.
  mutating func shown(at now: Double, _ monotonic: Double) -> Self {
    if snapshot.state == .consenting { consentShown = consentShown ?? now }
    if let light = light(at: monotonic) { attempt.colours.show(light.index, at: monotonic) }
    defer { events = [] }
    return self
  }

  /// The colour that is due, and for how many seconds; nil for none.
  func light(at monotonic: Double) -> (index: Int, colour: SIMD3<Double>, seconds: Double)? {
    guard isLit, prompt == .counted, scansFace, let begin = attempt.lightBegin else { return nil }
    let (colours, time) = (snapshot.colours, monotonic - begin)
    guard let index = colours.lastIndex(where: { $0.begin <= time }) else { return nil }
    let left = colours[index].begin + colours[index].seconds - time
    return left > 0 ? (index, colours[index].colour, left) : nil
  }

  // MARK: Frames

  /// Whether the page has sent no frames for too long. Those that wait for a thread are delayed by the server.
  func isSilent(at monotonic: Double) -> Bool {
    guard scansFace, open.batches == 0, let last = attempt.lastFrame else { return false }
    return monotonic - max(last, open.lastBatch) > Admission.patience
  }

  /// The limits of frames; nil if the active part takes none.
  var limits: FrameBatch.Limits? {
    guard snapshot.state == .scanning || snapshot.state == .paused, let part = snapshot.part else { return nil }
    switch part.mode {
    case .liveness, .strict, .passive, .faceManual: return .face
    case .docFinder, .manual, .barcode: return .document
    default: return nil
    }
  }

  /// The answer to a batch that was already processed; nil for a new one.
  ///
  /// - Throws: a ``Problem`` if frames before it are missing.
  func answer(to first: FrameBatch.Frame, _ last: FrameBatch.Frame) throws -> JSONValue? {
    if let lastBatch, last.sequence <= lastBatch.sequence { return lastBatch.answer }
    guard first.sequence <= expected else {
      throw Problem(
        409, "Frames before \(first.sequence) are missing: continue with frame \(expected).",
        members: ["expectedSeq": .integer(expected)])
    }
    return nil
  }

  /// Maximum allowance in frames: a page's queue while the server does not respond, and one batch.
  static let burst = 32.0

  /// Consumes one frame of the page's allowance, which bounds its CPU use: cameras send 12 frames per second, or 3.
  ///
  /// - Returns: whether the frame may be analysed.
  mutating func mayAnalyse(_ limits: FrameBatch.Limits, at monotonic: Double) -> Bool {
    let gained = (monotonic - allowance.at) * 2.5 * Double(limits.framesPerSecond)
    let frames = min(Self.burst, allowance.frames + gained)
    allowance = (max(0, frames - 1), monotonic)
    return frames >= 1
  }

  /// Records a readable frame.
  ///
  /// - Parameter received: when its batch arrived.
  /// - Returns: why the stream is not accepted as live, if so.
  mutating func fault(of frame: FrameBatch.Frame, received: Double) -> StreamClock.Fault? {
    if frame.wasHidden { transport.hidden += 1 }
    if frame.hasGap { transport.gaps += 1 }
    guard snapshot.part?.part == .face else { return nil }
    // A page that was hidden before the first frame of a try has missed nothing.
    if frame.wasHidden && attempt.lastFrame != nil { return .hidden }
    return attempt.clock.add(frame.seconds, received: received)
  }

  /// Returns the frame for the journey.
  ///
  /// - Parameter received: when its batch arrived: a colour that was sent later cannot have lit it, however long the
  ///   frames before it took.
  mutating func accept(
    _ frame: FrameBatch.Frame, _ picture: PixelBuffer, received: Double, at monotonic: Double
  ) -> JourneyFrame {
    frameSize = (Double(picture.width), Double(picture.height))
    transport.frames += 1
    attempt.lastFrame = monotonic
    guard let part = snapshot.part, part.part == .face else { return JourneyFrame(picture, time: frame.seconds) }
    if attempt.lightBegin == nil {
      attempt.lightBegin = monotonic
      if isLit || part.mode == .passive { prompted() }
    }
    return JourneyFrame(
      picture, time: frame.seconds, received: attempt.clock.received,
      screenColour: isLit ? frame.light.flatMap { colour($0, received) } : nil)
  }

  /// The colour that a frame claims; nil if the colour cannot have lit it.
  private func colour(_ index: Int, _ received: Double) -> SIMD3<Double>? {
    guard snapshot.colours.indices.contains(index),
      attempt.colours.mayLight(index, received, backlog: attempt.clock.backlog)
    else { return nil }
    return snapshot.colours[index].colour
  }

  /// Records the end of a batch that was processed from `begin` to `end`.
  mutating func answered(
    _ first: FrameBatch.Frame, _ last: FrameBatch.Frame, received: Double, from begin: Double, to end: Double
  ) {
    attempt.clock.answered(
      after: end - max(received, attempt.lastAnswer?.at ?? received),
      span: max(0, last.seconds - (attempt.lastAnswer?.seconds ?? first.seconds)))
    attempt.lastAnswer = (end, last.seconds)
    transport.answered(after: end - begin)
  }
}
