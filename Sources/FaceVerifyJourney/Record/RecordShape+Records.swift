// Created for each record: the leak sanitizer does not see what a static indirect enum holds.
extension RecordShape {
  private static var status: RecordShape { oneOf(["passed", "failed", "not-checked"]) }
  private static var reasons: RecordShape { list(object(["code": text, "text": text], optional: ["status": status])) }
  private static var models: [String: RecordShape] {
    ["set": name, "identifier": name, "revision": name, "precision": name]
  }
  private static var sha256: RecordShape { hex(32...32) }

  private static func levels<Level: RawRepresentable & CaseIterable>(_: Level.Type) -> RecordShape
  where Level.RawValue == String {
    oneOf(Level.allCases.map(\.rawValue))
  }

  private static var assurance: RecordShape {
    object([
      "presence": levels(Assurance.Presence.self), "document": levels(DocumentAssurance.self),
      "binding": levels(Assurance.Binding.self),
    ])
  }

  private static var assurancePolicy: RecordShape {
    object([
      "presence": levels(Assurance.Presence.self), "document": levels(DocumentAssurance.self),
      "binding": levels(Assurance.Binding.self), "accepted": list(levels(UnauthenticatedDocument.self)),
    ])
  }

  private static var livenessPolicy: RecordShape {
    object([
      "name": text, "required": list(name), "fatal": list(name),
      "weights": list(object(["signal": name, "weight": number])), "limit": number,
      "measured": list(object(["species": text, "simulated": bool, "accepted": count, "of": count])),
    ])
  }

  private static var qualityPolicy: RecordShape {
    let limit = orNull(number)
    return object([
      "name": text,
      "requirements": map(object(["minimum": limit, "maximum": limit, "refusedBelow": limit, "refusedAbove": limit])),
    ])
  }

  private static var authentication: RecordShape {
    object([
      "leniencies": list(text),
      "algorithms": list(
        object([
          "weakness": text, "place": text, "from": orNull(day), "action": oneOf(["accept", "warn", "refuse"]),
        ])), "maximumRevocationListAge": count,
    ])
  }

  private static var liveness: RecordShape {
    object([
      "version": name, "models": object(models), "result": oneOf(["live", "presentation-attack", "undecided"]),
      "presence": levels(Assurance.Presence.self), "reasons": reasons, "retry": orNull(text), "policy": livenessPolicy,
      "checks": list(
        object([
          "signal": name, "status": status, "value": orNull(number), "unit": text, "minimum": orNull(number),
          "maximum": orNull(number), "text": text, "source": text,
        ])), "nonce": orNull(hex(nil)), "script": orNull(script),
      "answers": list(object(["challenge": name, "outcome": name], isOpen: true)),
      "frames": object(["count": count, "first": orNull(number), "last": orNull(number)], isOpen: true),
      "selfie": orNull(object(["sha256": sha256], optional: ["quality": orNull(quality)], isOpen: true)),
      "template": orNull(object(["sha256": sha256], isOpen: true)),
    ])
  }

  private static var script: RecordShape {
    let nonce = hex(ChallengeScript.minimumNonceBytes...ChallengeScript.maximumNonceBytes)
    return list(object(["challenge": name, "hold": number, "pause": number], optional: ["path": nonce]))
  }

  private static var quality: RecordShape {
    let check = object(
      [
        "status": status, "consequence": orNull(oneOf(["refuse", "warn"])), "value": orNull(number),
        "minimum": orNull(number), "maximum": orNull(number),
      ], isOpen: true)
    return object([:], optional: ["accepted": bool, "checks": list(check)], isOpen: true)
  }

  private static var side: RecordShape {
    object(
      ["input": object(["kind": oneOf(["photo", "template"]), "sha256": sha256], isOpen: true), "quality": quality],
      isOpen: true)
  }

  private static var comparison: RecordShape {
    object(
      [
        "version": name, "models": object(models), "result": oneOf(["match", "no-match", "refused"]),
        "reasons": reasons,
        "threshold": object(
          ["score": number, "rate": name, "portrait": oneOf(["photo", "chip", "page"])], isOpen: true),
        "comparison": orNull(
          object(
            ["score": number, "match": bool, "falseMatchRateUpperBound": number],
            optional: ["falseMatchRate": orNull(number)], isOpen: true)),
        "selfie": side, "portrait": side, "calibration": object([:], isOpen: true),
        "samePicture": object(["status": status, "score": orNull(number), "threshold": number]),
      ],
      optional: [
        "document": object([
          "mayMatch": bool, "result": status, "assurance": levels(DocumentAssurance.self), "isAccepted": bool,
        ])
      ])
  }

  private static var document: RecordShape {
    object(
      [
        "date": day, "result": status, "type": name, "country": orNull(name),
        "assurance": levels(DocumentAssurance.self),
        "chip": orNull(levels(PassiveAuthentication.Verdict.self)),
        "portrait": orNull(oneOf(["chip", "page"])),
        "portraitSha256": orNull(sha256), "dataSha256": orNull(sha256), "mayMatch": bool,
        "fields": map(status),
        "checks": list(object(["name": name, "status": status, "reason": orNull(name)])),
      ],
      optional: ["data": any, "chipProof": oneOf(["not-cloned", "clone-suspected", "not-announced", "not-checked"])])
  }

  /// A session with a chip that was read live: ``LiveChip/recordValue``.
  private static var session: RecordShape {
    object([
      "access": name, "pace": orNull(hex(nil)),
      "activeAuthentication": orNull(
        object(["challenge": hex(nil), "signature": hex(nil), "status": orNull(name)])),
      "chipAuthentication": orNull(
        object(["protocol": name, "publicKey": hex(nil), "status": status, "text": text])),
      "chipAuthenticationMappings": list(
        object(["parameters": count, "chipKey": hex(nil), "data": orNull(hex(nil))])),
      "transcriptSHA256": sha256, "commands": count,
    ])
  }

  private static var camera: RecordShape {
    object(["driver": text, "name": text, "isVirtual": bool], optional: ["isListed": bool])
  }

  private static var requests: RecordShape {
    list(
      object([
        "category": oneOf(["id", "face", "document", "data"]), "countries": list(name), "types": list(name),
        "variants": list(oneOf(["paper", "plastic"])),
      ]))
  }

  private static var configuration: RecordShape {
    object([
      "requests": requests,
      "consents": list(object(["text": text, "isActive": bool, "url": orNull(text), "link": orNull(text)])),
      "region": orNull(text), "requiresRegion": bool, "requiredVersion": orNull(text),
      "comparesFace": bool, "extractsOnly": bool,
      "portrait": orNull(
        object(["kind": oneOf(["photo", "template", "photo-template", "document"]), "sha256": orNull(sha256)])),
      "assurance": assurancePolicy, "isCaptureTrusted": bool, "isLightRequired": bool,
      "comparison": object(["falseMatchRate": name, "selfie": qualityPolicy, "portrait": qualityPolicy]),
      "documentModes": list(levels(ScanMode.self)), "faceModes": list(levels(ScanMode.self)),
      "livenessPolicies": map(livenessPolicy),
      "nonce": hex(ChallengeScript.minimumNonceBytes...ChallengeScript.maximumNonceBytes),
      "challengeCount": count, "challenges": list(name), "script": orNull(script),
      "isMirrored": bool, "rotation": number, "camera": orNull(camera),
      "readsPages": bool, "readsChip": bool, "requiresChip": bool, "readsText": bool,
      "trust": object(["isGiven": bool, "anchors": count, "sha256": sha256]),
      "authentication": authentication, "date": orNull(day),
      "isMultipart": bool, "asksConfirmation": bool, "givesInstantFeedback": bool, "legalAdvice": map(text),
      "startBy": numberIn(JourneyConfiguration.startTimes), "timeout": numberIn(JourneyConfiguration.timeouts),
      "partTimeout": numberIn(JourneyConfiguration.partTimeouts), "maximumTries": countIn(JourneyConfiguration.tries),
      "keepsPictures": bool, "recordsPersonalData": bool,
    ])
  }

  private static let eventNames = [
    "initialized", "choice-needed", "legal-advice", "prepare", "started", "scan-view", "image-taken", "processing",
    "next-part", "confirmation-view", "reject-view", "retry", "can-finish", "addon-part", "fallback", "face-hint",
    "document-hint", "next-position", "tilt", "chip-started", "chip-progress", "chip-finished", "dropped-frames",
    "credential-finished", "all-captured", "error", "finished",
  ]

  private static var body: RecordShape {
    let reference = orNull(shortText(JourneyConfiguration.longestIdentifier))
    return object([
      "id": uuid, "account": uuid, "session": orNull(object(["id": text])),
      "identifiers": object([
        "customerInternalReference": reference, "reportingCriteria": reference, "userReference": reference,
      ]), "library": name,
      "models": object(
        models.merging([
          "files": list(object(["name": text, "sha256": sha256])),
          "calibration": orNull(map(list(object(["score": number, "rate": number])))),
        ]) { first, _ in first }),
      "created": number,
      "configuration": configuration,
      "inputs": list(
        object(
          ["index": count, "kind": oneOf(["frame", "photo", "chip", "template", "code"]), "sha256": sha256],
          optional: ["width": count, "height": count, "name": name, "isPixels": bool])),
      "calls": list(
        object(
          ["at": number, "call": levels(JourneyCall.Kind.self)],
          optional: [
            "inputs": list(count), "item": count, "isGiven": bool, "credential": count, "country": name, "type": name,
            "variant": oneOf(["paper", "plastic"]), "part": levels(JourneyPart.self),
            "mode": orNull(levels(ScanMode.self)), "camera": camera, "code": name, "session": session,
            "time": number,
            "received": orNull(number), "screenColour": orNull(list(number)),
          ])),
      "events": list(
        object(
          ["at": number, "event": oneOf(eventNames)],
          optional: [
            "credential": count, "isComplete": bool, "requests": requests, "part": levels(JourneyPart.self),
            "mode": levels(ScanMode.self), "error": object(["code": name, "message": text, "isRetryable": bool]),
          ], isOpen: true)),
      "credentials": list(
        object(
          [
            "category": oneOf(["id", "face", "document"]), "result": orNull(status), "assurance": orNull(assurance),
            "hasDeclined": bool,
            "reasons": reasons,
            "choice": orNull(object(["country": name, "type": name, "variant": oneOf(["paper", "plastic"])])),
            "modes": map(levels(ScanMode.self)), "liveness": orNull(liveness), "comparison": orNull(comparison),
            "document": orNull(document),
          ])),
      "result": object([
        "isComplete": bool, "result": status, "assurance": assurance, "reasons": reasons,
        "error": orNull(object(["code": name, "message": text, "isRetryable": bool])),
      ]),
    ])
  }

  /// A record of version 1; immutable. A new version needs another name and its own shape.
  static var record: RecordShape {
    object([
      "schema": oneOf([DecisionRecord.schema]), "body": body,
      "signature": object(["algorithm": oneOf(["Ed25519"]), "key": base64(32), "value": base64(64)]),
    ])
  }
}
