internal import FaceVerifyBase
internal import FaceVerifyJourney

extension PageSession {
  /// Everything that a page needs to render the journey's state: no scores, no checks, and only reasons that help the
  /// person.
  func view() -> JSONValue {
    let (now, monotonic) = (now, server.clock.monotonic)
    let page = page.withLock { $0.shown(at: now, monotonic) }
    let snapshot = page.snapshot
    return view(
      [
        "credential": snapshot.active.map(JSONValue.integer) ?? .null,
        "choices": snapshot.state == .configuring
          ? .array(snapshot.active.map { journey.choices($0).map(\.jsonValue) } ?? []) : .null,
        "part": part(snapshot, at: now), "reader": reader(page), "frames": frames(page),
        "taken": .integer(page.transport.frames), "refused": .integer(page.transport.refused),
        "expectedSeq": .integer(page.expected), "feedback": feedback(page), "light": light(page, at: monotonic),
        "events": .array(page.events), "advice": .optional(snapshot.advice),
        "rejections": .array(snapshot.rejections.map { .string($0.rawValue) }),
        "codeFault": .optional(snapshot.part?.codeFault?.rawValue), "retry": .optional(snapshot.retryReason?.rawValue),
        "hasPicture": .bool(snapshot.state == .confirming), "isElsewhere": false,
        "mayHandOff": .bool(server.mayHandOff && page.isBetweenParts),
      ], page, at: now)
  }

  /// The view of a device that the session was handed off from: nothing of the step.
  func watched() -> JSONValue {
    let (none, nothing, page) = (JSONValue.null, JSONValue.array([]), page.read(\.self))
    return view(
      [
        "credential": none, "choices": none, "part": none, "reader": none, "frames": none, "taken": 0, "refused": 0,
        "expectedSeq": .integer(page.expected), "feedback": none, "light": none, "events": nothing, "advice": none,
        "rejections": nothing, "codeFault": none, "retry": none, "hasPicture": false, "isElsewhere": true,
        "mayHandOff": false,
      ], page, at: now)
  }

  private func view(_ step: [String: JSONValue], _ page: PageState, at now: Double) -> JSONValue {
    let (snapshot, configuration) = (page.snapshot, journey.configuration)
    // After a hand-off, only the first device returns to the shop.
    let isReturning = page.isOver && (page.transport.handOffs == 0 || step["isElsewhere"] == true)
    let members: [String: JSONValue] = [
      "state": .string(snapshot.state.rawValue),
      "session": [
        "workflowExecutionId": .string(id), "expires": .string(timestamp(page.expires)),
        "secondsLeft": .rounded(max(0, page.expires - now), 1), "mayExtend": .bool(!page.isExtended && !page.isOver),
      ],
      "ui": request.ui.with("light", .bool(request.isLit)),
      "consents": .array(
        configuration.consents.enumerated().map { index, item in
          item.jsonValue.with("decision", snapshot.decisions[index].map(JSONValue.bool) ?? .null)
        }),
      "credentials": .array(
        zip(configuration.requests, snapshot.credentials).map { credential($0, $1, configuration) }),
      "error": snapshot.error?.jsonValue ?? .null, "result": snapshot.result.map(shown) ?? page.result,
      "embedding": .array(server.embedding.map(JSONValue.string)),
      "wasHandedOff": .bool(page.transport.handOffs > 0),
      "returnUrl": isReturning ? .optional(server.returnURL) : .null,
    ]
    return .object(members.merging(step) { $1 })
  }

  private func credential(
    _ request: JourneyConfiguration.Request, _ shown: JourneySnapshot.Credential,
    _ configuration: JourneyConfiguration
  ) -> JSONValue {
    guard case .object(var members) = request.jsonValue else { return .null }
    func names(_ parts: [JourneyPart]) -> JSONValue { .array(parts.map { .string($0.rawValue) }) }
    members["isDone"] = .bool(shown.isDone)
    members["choice"] = shown.choice?.jsonValue ?? .null
    members["codeSide"] = .optional(shown.choice?.form?.codeSide?.rawValue)
    members["parts"] = names(shown.parts)
    members["open"] = names(shown.open)
    members["optional"] = names(shown.optional)
    let modes = request.category == .face ? configuration.faceModes : configuration.documentModes
    members["modes"] = .array(modes.map { .string($0.rawValue) })
    return .object(members)
  }

  private func part(_ snapshot: JourneySnapshot, at now: Double) -> JSONValue {
    guard let part = snapshot.part else { return .null }
    return [
      "part": .string(part.part.rawValue), "side": .string(part.side.rawValue), "mode": .string(part.mode.rawValue),
      "try": .integer(part.tries), "tries": .integer(journey.configuration.maximumTries),
      "fallback": .optional(snapshot.fallback?.rawValue), "isShutterDue": .bool(snapshot.isShutterEnabled),
      "secondsLeft": part.deadline.map { .rounded(max(0, $0 - now), 1) } ?? .null,
    ]
  }

  private func frames(_ page: PageState) -> JSONValue {
    guard let limits = page.limits else { return .null }
    let isFace = limits.maximumFrames > 1
    return [
      "fps": .integer(isFace ? server.pace() : limits.framesPerSecond), "quality": .number(limits.quality),
      "shortSide": .integer(limits.shortSide), "maxBytes": .integer(limits.maximumFrameBytes),
      "maxBatch": .integer(limits.maximumFrames),
    ]
  }

  private func feedback(_ page: PageState) -> JSONValue {
    guard let feedback = page.snapshot.feedback, page.snapshot.part?.part == .face,
      page.prompt == .none || page.prompt == .counted
    else { return .null }
    return [
      "hint": feedback.hint.map { .string($0.rawValue) } ?? .null,
      "text": feedback.hint.map { .string($0.text) } ?? .null,
      "secondsLeft": .rounded(feedback.secondsLeft, 1),
      "challenge": feedback.challenge.map { .string($0.rawValue) } ?? .null,
      "phase": feedback.phase.map { .string($0.rawValue) } ?? .null,
      "target": feedback.target?.jsonValue ?? .null,
      "progress": .rounded(feedback.progress, 2),
      "answers": .array(feedback.answers.map { .string($0.challenge.rawValue) }),
      "face": feedback.face.map { place($0, rotation: feedback.rotation, in: page.frameSize) } ?? .null,
    ]
  }

  /// The extent of a face (forehead, cheeks, chin) in fractions of the upright frame; without a mesh, its bounding box.
  private func place(_ face: Face, rotation: Int, in size: (width: Double, height: Double)) -> JSONValue {
    let isTurned = (journey.configuration.rotation + rotation) % 180 != 0
    let (width, height) = isTurned ? (size.height, size.width) : size
    let points = face.landmarks.mesh?.points ?? []
    let xs = points.isEmpty ? [face.box.x, face.box.x + face.box.width] : points.map(\.x)
    let ys = points.isEmpty ? [face.box.y, face.box.y + face.box.height] : points.map(\.y)
    let (left, right) = ((xs.min() ?? 0) / width, (xs.max() ?? 0) / width)
    let (top, bottom) = ((ys.min() ?? 0) / height, (ys.max() ?? 0) / height)
    return [
      "x": .rounded(left, 3), "y": .rounded(top, 3), "width": .rounded(right - left, 3),
      "height": .rounded(bottom - top, 3),
    ]
  }

  /// The colour that is due now; the page never receives the whole sequence.
  private func light(_ page: PageState, at monotonic: Double) -> JSONValue {
    guard let (index, colour, seconds) = page.light(at: monotonic) else { return .null }
    return [
      "index": .integer(index), "rgb": [.number(colour.x), .number(colour.y), .number(colour.z)],
      "seconds": .rounded(seconds, 1),
    ]
  }

  func shown(_ result: JourneyResult) -> JSONValue {
    [
      "isComplete": .bool(result.isComplete),
      "result": request.showsResult && result.isComplete ? .string(result.result.rawValue) : .null,
      "assurance": request.showsResult ? result.assurance.jsonValue : .null,
      "error": result.error?.jsonValue ?? .null,
      "reasons": request.showsResult
        ? .array(result.reasons.map { ["code": .string($0.code), "text": .string($0.text)] }) : .null,
    ]
  }
}
