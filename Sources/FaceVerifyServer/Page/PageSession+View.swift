internal import FaceVerifyBase
internal import FaceVerifyJourney

extension PageSession {
  /// Everything that a page needs to render the journey's state: no scores, no checks, and only reasons that help the
  /// person.
  func view(at now: Double) -> JSONValue {
    countAttempt(at: now)
    let progress = journey.progress
    let state = journey.state
    if state == .consenting, consentShown == nil { consentShown = now }
    defer { events = [] }
    return view(
      [
        "credential": progress.active.map(JSONValue.integer) ?? .null,
        "choices": state == .configuring
          ? .array(progress.active.map { journey.choices($0).map(\.jsonValue) } ?? []) : .null,
        "part": part(progress, at: now), "reader": reader,
        "frames": frames, "taken": .integer(transport.frames), "refused": .integer(transport.refused),
        "expectedSeq": .integer(expected),
        "feedback": feedback, "light": light(at: now),
        "events": .array(events),
        "advice": state == .advising ? .string(advice ?? "") : .null,
        "rejections": .array(state == .rejected ? rejections.map(JSONValue.string) : []),
        "codeFault": progress.part?.codeFault.map { .string($0.rawValue) } ?? .null,
        "retry": state == .retrying ? retryReason.map(JSONValue.string) ?? .null : .null,
        "hasPicture": .bool(state == .confirming), "isElsewhere": false,
        "mayHandOff": .bool(server.mayHandOff && isBetweenParts),
      ], progress, at: now)
  }

  /// The view of a device that the session was handed off from: nothing of the step.
  func watched(at now: Double) -> JSONValue {
    let (none, nothing) = (JSONValue.null, JSONValue.array([]))
    return view(
      [
        "credential": none, "choices": none, "part": none, "reader": none, "frames": none, "taken": 0, "refused": 0,
        "expectedSeq": .integer(expected), "feedback": none, "light": none, "events": nothing, "advice": none,
        "rejections": nothing, "codeFault": none, "retry": none, "hasPicture": false, "isElsewhere": true,
        "mayHandOff": false,
      ], journey.progress, at: now)
  }

  private func view(_ step: [String: JSONValue], _ progress: JourneyProgress, at now: Double) -> JSONValue {
    // After a hand-off, only the first device returns to the shop.
    let isReturning = isOver && (transport.handOffs == 0 || step["isElsewhere"] == true)
    let members: [String: JSONValue] = [
      "state": .string(journey.state.rawValue),
      "session": [
        "workflowExecutionId": .string(id), "expires": .string(timestamp(expires)),
        "secondsLeft": .rounded(max(0, expires - now), 1), "mayExtend": .bool(!isExtended && !isOver),
      ],
      "ui": PhotoRecord.with("light", .bool(request.isLit), in: request.ui),
      "consents": .array(
        journey.configuration.consents.enumerated().map { index, item in
          PhotoRecord.with("decision", progress.decisions[index].map(JSONValue.bool) ?? .null, in: item.jsonValue)
        }),
      "credentials": .array(zip(journey.configuration.requests, progress.credentials).map(credential)),
      "error": (shownError ?? journey.result?.error)?.jsonValue ?? .null,
      "result": journey.result.map(shown) ?? .null,
      "embedding": .array(server.embedding.map(JSONValue.string)),
      "wasHandedOff": .bool(transport.handOffs > 0), "returnUrl": isReturning ? .optional(server.returnURL) : .null,
    ]
    return .object(members.merging(step) { $1 })
  }

  private func credential(_ request: JourneyConfiguration.Request, _ progress: JourneyProgress.Credential) -> JSONValue
  {
    guard case .object(var members) = request.jsonValue else { return .null }
    func names(_ parts: [JourneyPart]) -> JSONValue { .array(parts.map { .string($0.rawValue) }) }
    members["isDone"] = .bool(progress.isDone)
    members["choice"] = progress.choice?.jsonValue ?? .null
    members["codeSide"] = .optional(progress.choice?.form?.codeSide?.rawValue)
    members["parts"] = names(progress.parts)
    members["open"] = names(progress.open)
    members["optional"] = names(progress.optional)
    let modes = request.category == .face ? journey.configuration.faceModes : journey.configuration.documentModes
    members["modes"] = .array(modes.map { .string($0.rawValue) })
    return .object(members)
  }

  private func part(_ progress: JourneyProgress, at now: Double) -> JSONValue {
    guard let part = progress.part else { return .null }
    return [
      "part": .string(part.part.rawValue), "side": .string(part.side.rawValue), "mode": .string(part.mode.rawValue),
      "try": .integer(part.tries), "tries": .integer(journey.configuration.maximumTries),
      "fallback": journey.fallback.map { .string($0.rawValue) } ?? .null,
      "isShutterDue": .bool(journey.isShutterEnabled),
      "secondsLeft": part.deadline.map { .rounded(max(0, $0 - now), 1) } ?? .null,
    ]
  }

  private var frames: JSONValue {
    guard let limits else { return .null }
    let isFace = limits.maximumFrames > 1
    return [
      "fps": .integer(isFace ? server.pace() : limits.framesPerSecond), "quality": .number(limits.quality),
      "shortSide": .integer(limits.shortSide), "maxBytes": .integer(limits.maximumFrameBytes),
      "maxBatch": .integer(limits.maximumFrames),
    ]
  }

  private var feedback: JSONValue {
    guard let feedback = journey.feedback, journey.progress.part?.part == .face else { return .null }
    return [
      "hint": feedback.hint.map { .string($0.rawValue) } ?? .null,
      "text": feedback.hint.map { .string($0.text) } ?? .null,
      "secondsLeft": .rounded(feedback.secondsLeft, 1),
      "challenge": feedback.challenge.map { .string($0.rawValue) } ?? .null,
      "phase": feedback.phase.map { .string($0.rawValue) } ?? .null,
      "target": feedback.target?.jsonValue ?? .null,
      "progress": .rounded(feedback.progress, 2),
      "answers": .array(feedback.answers.map { .string($0.challenge.rawValue) }),
      "face": feedback.face.map { place($0, rotation: feedback.rotation) } ?? .null,
    ]
  }

  /// The extent of a face (forehead, cheeks, chin) in fractions of the upright frame; without a mesh, its bounding box.
  private func place(_ face: Face, rotation: Int) -> JSONValue {
    let isTurned = (journey.configuration.rotation + rotation) % 180 != 0
    let (width, height) = isTurned ? (frameSize.height, frameSize.width) : frameSize
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
  private func light(at now: Double) -> JSONValue {
    guard isLit, journey.state == .scanning, journey.progress.part?.part == .face, let begin = attempt.lightBegin else {
      return .null
    }
    let colours = journey.colours
    guard let index = colours.lastIndex(where: { $0.begin <= now - begin }),
      now - begin < colours[index].begin + colours[index].seconds
    else { return .null }
    let colour = colours[index].colour
    attempt.colours.show(index, at: now)
    return [
      "index": .integer(index), "rgb": [.number(colour.x), .number(colour.y), .number(colour.z)],
      "seconds": .rounded(colours[index].begin + colours[index].seconds - (now - begin), 1),
    ]
  }

  private func shown(_ result: JourneyResult) -> JSONValue {
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
