extension JourneyMachine {
  /// Everything that the decision rests on; no personal data unless the configuration requests it.
  func recordBody(of result: JourneyResult) -> JSONValue {
    [
      "id": .string(result.id), "account": .string(result.accountID),
      "session": configuration.sessionID.map { ["id": .string($0)] } ?? .null,
      "identifiers": .object(
        Dictionary(uniqueKeysWithValues: configuration.identifiers.map { ($0.name, .optional($0.value)) })),
      "library": .string(FaceVerifyVersion.string), "models": engine.recordedModels, "created": .number(created),
      "configuration": configuration.jsonValue, "inputs": log.inputs.jsonValue, "calls": log.calls.jsonValue,
      "events": log.events.jsonValue,
      "credentials": .array(
        result.credentials.map { $0.jsonValue(withPersonalData: configuration.recordsPersonalData) }),
      "result": [
        "isComplete": .bool(result.isComplete), "result": .string(result.result.rawValue),
        "assurance": result.assurance.jsonValue, "error": result.error?.jsonValue ?? .null,
        "reasons": result.reasons.jsonValue,
      ],
    ]
  }
}

extension FaceEngine {
  /// The version of the models, the hash of each file, and the calibration of scores.
  var recordedModels: JSONValue {
    guard case .object(var members) = modelVersion.jsonValue else { return .null }
    members["files"] = .array(modelFiles.map { ["name": .string($0.name), "sha256": .string($0.sha256)] })
    members["calibration"] = calibration?.recordedCurves ?? .null
    return .object(members)
  }
}

extension Calibration {
  /// For each kind of portrait, scores with the upper bound of the false-match rate at each, and, as "photo among all",
  /// with that of the overall rate, where it is known. Thresholds between them are interpolated
  /// (``threshold(at:portrait:)``), so that a reader can verify them.
  var recordedCurves: JSONValue {
    var curves: [String: JSONValue] = [:]
    for portrait in Portrait.allCases {
      for population in FalseMatchRate.Population.allCases {
        curves[portrait.rawValue + population.suffix] = .array(
          curve(portrait, population).map { ["score": .number($0.score), "rate": .number($0.upper(population))] })
      }
    }
    return .object(curves)
  }
}

extension JourneyInput: JSONConvertible {
  public var jsonValue: JSONValue {
    var members: [String: JSONValue] = [
      "index": .integer(index), "kind": .string(kind.rawValue), "sha256": .string(sha256),
    ]
    if let width { members["width"] = .integer(width) }
    if let height { members["height"] = .integer(height) }
    if let name { members["name"] = .string(name) }
    if isPixels && kind != .frame { members["isPixels"] = true }
    return .object(members)
  }
}

extension JourneyLog.Call: JSONConvertible {
  var jsonValue: JSONValue {
    var members = members
    members["at"] = .number(at)
    members["call"] = .string(kind.rawValue)
    if !inputs.isEmpty { members["inputs"] = .array(inputs.map(JSONValue.integer)) }
    return .object(members)
  }
}

extension TrustStore {
  /// Identifies the trust store: SHA-256 over the sorted fingerprints of the anchors and revocation lists.
  var sha256: String {
    FaceVerifyBase.sha256(
      (anchors.map(\.certificate.sha256) + revocationLists.map { FaceVerifyBase.sha256($0.bytes) }).sorted().joined(
        separator: "\n"
      ).utf8)
  }
}

extension JourneyResult.Credential {
  /// - Parameter withPersonalData: if false, only the status of each field is recorded.
  func jsonValue(withPersonalData: Bool) -> JSONValue {
    [
      "category": .string(category.rawValue), "choice": choice?.jsonValue ?? .null,
      "modes": .object(Dictionary(uniqueKeysWithValues: modes.map { ($0.key.rawValue, .string($0.value.rawValue)) })),
      "result": .optional(result?.rawValue),
      "assurance": assurance?.jsonValue ?? .null, "hasDeclined": .bool(hasDeclined), "reasons": reasons.jsonValue,
      "liveness": face?.liveness.jsonValue ?? .null, "comparison": face?.match?.recordValue ?? .null,
      "document": document?.recordValue(withPersonalData: withPersonalData) ?? .null,
    ]
  }
}

extension FaceDecision {
  /// The comparison and the document's effect on it; the document itself is recorded with its own credential.
  fileprivate var recordValue: JSONValue {
    guard case .object(var members) = jsonValue else { return .null }
    if let report = document?.report {
      members["document"] = [
        "mayMatch": .bool(report.mayMatch), "result": .string(report.result.rawValue),
        "assurance": .string(report.assurance.rawValue), "isAccepted": .bool(report.evidence.isAccepted),
      ]
    }
    return .object(members)
  }
}

extension DocumentReading {
  fileprivate func recordValue(withPersonalData: Bool) -> JSONValue {
    var members: [String: JSONValue] = [
      "date": .string(date.description), "result": .string(report.result.rawValue),
      "checks": .array(report.checks.map(\.recordValue)),
      "type": .string(report.data.type.rawValue), "country": .optional(choice?.country),
      "fields": .object(
        Dictionary(
          uniqueKeysWithValues: report.data.fields.map { ($0.key.rawValue, .string($0.value.status.rawValue)) })),
      "chip": chip.map { .string($0.authentication.verdict.rawValue) } ?? .null,
      "portrait": .optional(portrait?.source.rawValue), "portraitSha256": .optional(report.portraitSHA256),
      "dataSha256": .optional(report.dataSHA256),
      "mayMatch": .bool(report.mayMatch), "assurance": .string(report.assurance.rawValue),
    ]
    if let proof = chip?.proof { members["chipProof"] = .string(proof.verdict.rawValue) }
    if withPersonalData { members["data"] = report.data.jsonValue }
    return .object(members)
  }
}

extension JourneyError: JSONConvertible {
  public var jsonValue: JSONValue {
    ["code": .string(code.rawValue), "message": .string(message), "isRetryable": .bool(isRetryable)]
  }
}

extension JourneyEvent: JSONConvertible {
  /// The name of the kind, such as "initialized", "scan-view" or "face-hint".
  public var name: String { named.name }

  public var jsonValue: JSONValue {
    var members = named.members
    members["at"] = .number(at)
    members["event"] = .string(named.name)
    return .object(members)
  }

  private var named: (name: String, members: [String: JSONValue]) {
    switch kind {
    case .initialized(let requests, let consents):
      ("initialized", ["requests": requests.jsonValue, "consents": consents.jsonValue])
    case .choiceNeeded(let credential, let countries):
      ("choice-needed", ["credential": .integer(credential), "countries": .array(countries.map(JSONValue.string))])
    case .legalAdvice(let credential, let text):
      ("legal-advice", ["credential": .integer(credential), "text": .string(text)])
    case .step(let step): step.named
    case .update(let update): update.named
    case .credentialFinished(let credential): ("credential-finished", ["credential": .integer(credential)])
    case .allCaptured: ("all-captured", [:])
    case .error(let error): ("error", ["error": error.jsonValue])
    case .logicalError(let error): ("logical-error", ["error": .string(error.rawValue), "text": .string(error.text)])
    case .finished(let isComplete): ("finished", ["isComplete": .bool(isComplete)])
    }
  }
}

extension JourneyStep {
  fileprivate var named: (name: String, members: [String: JSONValue]) {
    func part(_ part: JourneyPart, _ members: [String: JSONValue] = [:]) -> [String: JSONValue] {
      members.merging(["part": .string(part.rawValue)]) { $1 }
    }
    return switch self {
    case .prepare(let of): ("prepare", part(of))
    case .started(let of, let mode): ("started", part(of, ["mode": .string(mode.rawValue)]))
    case .scanView(let of): ("scan-view", part(of))
    case .imageTaken(let of): ("image-taken", part(of))
    case .processing(let of): ("processing", part(of))
    case .nextPart(let of): ("next-part", part(of))
    case .confirmationView(let of): ("confirmation-view", part(of))
    case .rejectView(let of, let reasons):
      ("reject-view", part(of, ["reasons": .array(reasons.map { .string($0.rawValue) })]))
    case .retry(let of, let reason): ("retry", part(of, ["reason": .string(reason.rawValue)]))
    case .canFinish(let of): ("can-finish", part(of))
    case .addonPart(let of, let isRequired): ("addon-part", part(of, ["isRequired": .bool(isRequired)]))
    }
  }
}

extension JourneyUpdate {
  fileprivate var named: (name: String, members: [String: JSONValue]) {
    switch self {
    case .fallback(let reason, let mode):
      ("fallback", ["reason": .string(reason.rawValue), "mode": .string(mode.rawValue)])
    case .face(let hint): ("face-hint", ["hint": .optional(hint?.rawValue), "text": .optional(hint?.text)])
    case .document(let hint): ("document-hint", ["hint": .optional(hint?.rawValue), "text": .optional(hint?.text)])
    case .tilt(let current, let target): ("tilt", ["current": .rounded(current, 1), "target": .rounded(target, 1)])
    case .nextPosition(let challenge): ("next-position", ["challenge": .string(challenge.rawValue)])
    case .chipStarted: ("chip-started", [:])
    case .chipProgress(let percent): ("chip-progress", ["percent": .integer(percent)])
    case .chipFinished: ("chip-finished", [:])
    case .droppedFrames(let count): ("dropped-frames", ["count": .integer(count)])
    }
  }
}
