internal import FoundationEssentials

/// The shape of a JSON value. One description serves for the checking of records and for their published JSON Schema.
indirect enum RecordShape: Sendable {
  case any
  case bool
  /// An integer of at least 0.
  case count
  case number
  case text
  /// One of these texts.
  case oneOf([String])
  case uuid
  /// A calendar date, YYYY-MM-DD.
  case day
  /// Bytes in lower-case hexadecimal; nil for any number of bytes.
  case hex(Int?)
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
    case .number: require(value.double != nil, "a number")
    case .text: require(value.string != nil, "text")
    case .oneOf(let texts):
      require(texts.contains(value.string ?? ""), texts.map { "\"\($0)\"" }.joined(separator: " or "))
    case .uuid:
      let parts = (value.string ?? "").split(separator: "-", omittingEmptySubsequences: false)
      require(parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy(Self.isHex), "a UUID in lower case")
    case .day: require(value.string.flatMap { CalendarDate($0) } != nil, "a day, YYYY-MM-DD")
    case .hex(let bytes):
      require(
        value.string.map { Self.isHex($0) && (bytes.map { 2 * $0 } ?? $0.utf8.count & ~1) == $0.utf8.count } ?? false,
        bytes.map { "\(2 * $0) lower-case hexadecimal digits" } ?? "bytes in lower-case hexadecimal digits")
    case .base64(let bytes):
      require(value.string.flatMap(base64Decoded)?.count == bytes, "\(bytes) bytes in base64")
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

  private static func isHex(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// The shape as JSON Schema (draft 2020-12).
  var schema: JSONValue {
    switch self {
    case .any: true
    case .bool: ["type": "boolean"]
    case .count: ["type": "integer", "minimum": 0]
    case .number: ["type": "number"]
    case .text: ["type": "string"]
    case .oneOf(let texts): ["enum": .array(texts.map(JSONValue.string))]
    case .uuid: ["type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"]
    case .day: ["type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"]
    case .hex(let bytes): ["type": "string", "pattern": .string("^([0-9a-f]{2})\(bytes.map { "{\($0)}" } ?? "*")$")]
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
    ["set": text, "identifier": text, "revision": text, "precision": text]
  }
  private static var sha256: RecordShape {
    hex(32)
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
    object(
      [
        "name": text, "required": list(text), "fatal": list(text),
        "weights": list(object(["signal": text, "weight": number])), "limit": number,
      ], isOpen: true)
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
      "version": text, "models": object(models), "result": oneOf(["live", "presentation-attack", "undecided"]),
      "presence": levels(Assurance.Presence.self), "reasons": reasons, "retry": orNull(text), "policy": livenessPolicy,
      "checks": list(
        object([
          "signal": text, "status": status, "value": orNull(number), "unit": text, "minimum": orNull(number),
          "maximum": orNull(number), "text": text, "source": text,
        ])), "nonce": orNull(hex(nil)), "script": orNull(list(object(["challenge": text], isOpen: true))),
      "answers": list(object(["challenge": text, "outcome": text], isOpen: true)),
      "frames": object(["count": count], isOpen: true),
      "selfie": orNull(object(["sha256": sha256], isOpen: true)),
      "template": orNull(object(["sha256": sha256], isOpen: true)),
    ])
  }

  private static var side: RecordShape {
    object(
      [
        "input": object(["kind": oneOf(["photo", "template"]), "sha256": sha256], isOpen: true),
        "quality": object([:], optional: ["accepted": bool], isOpen: true),
      ], isOpen: true)
  }

  private static var comparison: RecordShape {
    object(
      [
        "version": text, "models": object(models), "result": oneOf(["match", "no-match", "refused"]),
        "reasons": reasons,
        "threshold": object(
          ["score": number, "rate": text, "portrait": oneOf(["photo", "chip", "page"])], isOpen: true),
        "comparison": orNull(
          object(["score": number, "match": bool, "falseMatchRateUpperBound": number], isOpen: true)),
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
        "date": day, "result": status, "type": text, "country": orNull(text),
        "assurance": levels(DocumentAssurance.self),
        "chip": orNull(oneOf(["authentic", "valid-without-anchor", "invalid", "not-checked"])),
        "portrait": orNull(oneOf(["chip", "page"])),
        "portraitSha256": orNull(sha256), "dataSha256": orNull(sha256), "mayMatch": bool,
        "fields": map(status),
        "checks": list(object(["name": text, "status": status, "reason": orNull(text)])),
      ], optional: ["data": any])
  }

  /// The members used by rules; other settings of a journey are allowed.
  private static var configuration: RecordShape {
    object(
      [
        "requests": list(
          object([
            "category": oneOf(["id", "face", "document", "data"]), "countries": list(text), "types": list(text),
            "variants": list(text),
          ])),
        "consents": list(object(["text": text, "isActive": bool], isOpen: true)),
        "comparesFace": bool, "extractsOnly": bool,
        "portrait": orNull(
          object(["kind": oneOf(["photo", "template", "photo-template", "document"]), "sha256": orNull(sha256)])),
        "assurance": assurancePolicy, "isCaptureTrusted": bool, "isLightRequired": bool,
        "comparison": object(["falseMatchRate": text, "selfie": qualityPolicy, "portrait": qualityPolicy]),
        "documentModes": list(text), "faceModes": list(text), "livenessPolicies": map(livenessPolicy),
        "nonce": hex(nil), "script": orNull(list(any)), "requiresChip": bool,
        "trust": object(["isGiven": bool, "anchors": count, "sha256": sha256]),
        "authentication": authentication, "date": orNull(day), "startBy": number, "timeout": number,
        "maximumTries": count,
      ], isOpen: true)
  }

  private static var body: RecordShape {
    object([
      "id": uuid, "account": uuid, "session": orNull(object(["id": text])),
      "identifiers": object([
        "customerInternalReference": orNull(text), "reportingCriteria": orNull(text), "userReference": orNull(text),
      ]), "library": text,
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
          optional: ["width": count, "height": count, "name": text, "isPixels": bool])),
      "calls": list(
        object(
          ["at": number, "call": text],
          optional: ["inputs": list(count), "item": count, "isGiven": bool, "credential": count], isOpen: true)),
      "events": list(
        object(["at": number, "event": text], optional: ["credential": count, "isComplete": bool], isOpen: true)),
      "credentials": list(
        object(
          [
            "category": oneOf(["id", "face", "document"]), "result": orNull(status), "assurance": orNull(assurance),
            "hasDeclined": bool,
            "reasons": reasons,
            "choice": orNull(object(["country": text, "type": text, "variant": oneOf(["paper", "plastic"])])),
            "modes": map(text), "liveness": orNull(liveness), "comparison": orNull(comparison),
            "document": orNull(document),
          ])),
      "result": object([
        "isComplete": bool, "result": status, "assurance": assurance, "reasons": reasons,
        "error": orNull(object(["code": text, "message": text, "isRetryable": bool])),
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

/// Decodes base64 (RFC 4648, 4) strictly, with padding; nil if malformed.
package func base64Decoded(_ text: String) -> [UInt8]? {
  guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
  return Array(data)
}

package func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
