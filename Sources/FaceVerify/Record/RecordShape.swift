/// The shape of a JSON value. One description serves for the checking of records and for their published JSON Schema.
indirect enum RecordShape: Sendable {
  case any
  case bool
  /// An integer of at least 0.
  case count
  case countIn(ClosedRange<Int>)
  case number
  case numberIn(ClosedRange<Double>)
  case text
  /// Text of at most this number of Unicode scalars.
  case shortText(Int)
  /// Printable ASCII, for texts that rules compare: equal ones have equal bytes.
  case name
  /// One of these texts.
  case oneOf([String])
  case uuid
  /// A calendar date, YYYY-MM-DD.
  case day
  /// Bytes in lower-case hexadecimal; nil for any number of bytes.
  case hex(ClosedRange<Int>?)
  /// A fixed number of bytes in base64 (RFC 4648, 4).
  case base64(Int)
  case list(RecordShape)
  /// An object with arbitrary names.
  case map(RecordShape)
  /// - Parameters:
  ///   - members: required members.
  ///   - optional: optional members.
  ///   - isOpen: whether further members are allowed.
  case object(_ members: [String: RecordShape], optional: [String: RecordShape] = [:], isOpen: Bool = false)
  case orNull(RecordShape)

  /// Appends a sentence for each deviation of a value from this shape.
  func check(_ value: JSONValue, at path: String, _ problems: inout [String]) {
    func require(_ isRight: Bool, _ what: @autoclosure () -> String) {
      if !isRight { problems.append("\(path) is not \(what())") }
    }
    switch self {
    case .any: break
    case .bool: require(value.bool != nil, "true or false")
    case .count: require(value.integer ?? -1 >= 0, "a count")
    case .countIn(let range):
      require(value.integer.map(range.contains) ?? false, "a count of \(range.lowerBound) to \(range.upperBound)")
    case .number: require(value.double != nil, "a number")
    case .numberIn(let range):
      require(value.double.map(range.contains) ?? false, "a number of \(range.lowerBound) to \(range.upperBound)")
    case .text: require(value.string != nil, "text")
    case .shortText(let longest):
      require(value.string.map { $0.unicodeScalars.count <= longest } ?? false, "text of at most \(longest) characters")
    case .name:
      require(value.string?.utf8.allSatisfy { (0x20...0x7E).contains($0) } ?? false, "printable ASCII")
    case .oneOf(let texts):
      require(texts.contains(value.string ?? ""), texts.map { "\"\($0)\"" }.joined(separator: " or "))
    case .uuid:
      require(value.string.map(UUIDText.isValid) ?? false, "a UUID in lower case")
    case .day: require(value.string.flatMap { CalendarDate($0) } != nil, "a day, YYYY-MM-DD")
    case .hex(let bytes):
      require(
        value.string.map {
          isLowerCaseHexadecimal($0) && $0.utf8.count.isMultiple(of: 2) && bytes?.contains($0.utf8.count / 2) != false
        } ?? false,
        (bytes.map { "\($0.lowerBound) to \($0.upperBound) " } ?? "") + "bytes in lower-case hexadecimal digits")
    case .base64(let bytes):
      require(value.string.flatMap(Base64.standard.decode)?.count == bytes, "\(bytes) bytes in base64")
    case .list(let shape):
      guard case .array(let values) = value else { return require(false, "an array") }
      for (i, value) in values.enumerated() { shape.check(value, at: "\(path)[\(i)]", &problems) }
    case .map(let shape):
      guard case .object(let values) = value else { return require(false, "an object") }
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        shape.check(value, at: "\(path).\(name)", &problems)
      }
    case .object(let members, let optional, let isOpen):
      guard case .object(let values) = value else { return require(false, "an object") }
      for name in members.keys.sorted() where values[name] == nil { problems.append("\(path).\(name) is missing") }
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        if let shape = members[name] ?? optional[name] {
          shape.check(value, at: "\(path).\(name)", &problems)
        } else if !isOpen {
          problems.append("\(path).\(name) is not known")
        }
      }
    case .orNull(let shape): if value != .null { shape.check(value, at: path, &problems) }
    }
  }

  /// The shape as JSON Schema (draft 2020-12).
  var schema: JSONValue {
    switch self {
    case .any: true
    case .bool: ["type": "boolean"]
    case .count: ["type": "integer", "minimum": 0]
    case .countIn(let range):
      ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    case .number: ["type": "number"]
    case .numberIn(let range):
      ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
    case .text: ["type": "string"]
    case .shortText(let longest): ["type": "string", "maxLength": .integer(longest)]
    case .name: ["type": "string", "pattern": "^[ -~]*$"]
    case .oneOf(let texts): ["enum": .array(texts.map(JSONValue.string))]
    case .uuid: ["type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"]
    case .day: ["type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"]
    case .hex(let bytes):
      [
        "type": "string",
        "pattern": .string("^([0-9a-f]{2})\(bytes.map { "{\($0.lowerBound),\($0.upperBound)}" } ?? "*")$"),
      ]
    case .base64(let bytes):
      [
        "type": "string", "contentEncoding": "base64", "minLength": .integer((bytes + 2) / 3 * 4),
        "maxLength": .integer((bytes + 2) / 3 * 4),
      ]
    case .list(let shape): ["type": "array", "items": shape.schema]
    case .map(let shape): ["type": "object", "additionalProperties": shape.schema]
    case .object(let members, let optional, let isOpen):
      [
        "type": "object", "required": .array(members.keys.sorted().map(JSONValue.string)),
        "properties": .object(members.merging(optional) { first, _ in first }.mapValues(\.schema)),
        "additionalProperties": .bool(isOpen),
      ]
    case .orNull(let shape): ["anyOf": [shape.schema, ["type": "null"]]]
    }
  }
}

// Created anew for each record: the leak sanitizer does not see what a static indirect enum holds.
extension RecordShape {
  private static var status: RecordShape {
    oneOf(["passed", "failed", "not-checked"])
  }
  private static var reasons: RecordShape {
    list(object(["code": text, "text": text]))
  }
  private static var models: [String: RecordShape] {
    ["set": name, "identifier": name, "revision": name, "precision": name]
  }
  private static var sha256: RecordShape {
    hex(32...32)
  }

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
      "requirements": map(
        object(["minimum": limit, "maximum": limit, "refusedBelow": limit, "refusedAbove": limit])),
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
    list(object(["challenge": name, "hold": number, "pause": number]))
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
        "chip": orNull(oneOf(["authentic", "valid-without-anchor", "invalid", "not-checked"])),
        "portrait": orNull(oneOf(["chip", "page"])),
        "portraitSha256": orNull(sha256), "dataSha256": orNull(sha256), "mayMatch": bool,
        "fields": map(status),
        "checks": list(object(["name": name, "status": status, "reason": orNull(name)])),
      ], optional: ["data": any])
  }

  private static var camera: RecordShape { object(["driver": text, "name": text, "isVirtual": bool]) }

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
      "readsPages": bool, "readsChip": bool, "requiresChip": bool,
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
            "mode": orNull(levels(ScanMode.self)), "camera": camera, "code": name, "time": number,
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
