import EngineTestSupport
import TestSupport

@testable import FaceVerify
@testable import FaceVerifyJourney

/// A plausible journey: a person who passed with a passport's chip, with all members that the rules use.
enum SampleRecord {
  private static let models: [String: JSONValue] = [
    "set": "default", "identifier": "scripted", "revision": "1", "precision": "f32",
  ]

  static func hash(_ letter: String) -> JSONValue { .string(String(repeating: letter, count: 64)) }

  /// A time in the afternoon of 2025-11-22.
  static func at(_ seconds: Double) -> JSONValue { .number(1_763_820_000 + seconds) }

  static func check(_ signal: String, _ value: Double?, minimum: Double? = nil, maximum: Double? = nil)
    -> JSONValue
  {
    [
      "signal": .string(signal), "status": value == nil ? "not-checked" : "passed",
      "value": value.map(JSONValue.number) ?? .null, "unit": "score", "minimum": minimum.map(JSONValue.number) ?? .null,
      "maximum": maximum.map(JSONValue.number) ?? .null, "text": "", "source": "made up",
    ]
  }

  static let policy: JSONValue = [
    "name": "standard", "required": ["texture", "observation-time"], "fatal": ["frame-repetition", "texture"],
    "weights": [["signal": "moire", "weight": 0.6], ["signal": "sensor-noise", "weight": 0.5]], "limit": 1,
    "measured": [],
  ]

  private static let configuration: JSONValue = {
    var configuration = JourneyConfiguration()
    configuration.consents = [.init("Terms", isActive: true)]
    configuration.requests[0].countries = ["UTO"]
    configuration.nonce = [UInt8](repeating: 0, count: 16).enumerated().map { $0.offset.isMultiple(of: 2) ? 0 : 0xFF }
    configuration.challengeCount = 1
    configuration.challenges = ChallengeScript.standardChallenges
    return configuration.jsonValue.with("livenessPolicies.liveness", policy).with("trust.isGiven", true)
      .with("trust.anchors", 1)
  }()

  static let body: JSONValue = {
    let body: JSONValue = [
      "id": "0f3c8e1a-52a7-4c1e-9d55-0123456789ab", "account": "1f3c8e1a-52a7-4c1e-9d55-0123456789ab",
      "session": .null,
      "identifiers": ["customerInternalReference": "order 17", "reportingCriteria": .null, "userReference": .null],
      "library": "0.1.0", "created": at(-0.5),
      "models": .object(
        models.merging([
          "files": [["name": "a.bin", "sha256": hash("a")]],
          "calibration": ["photo": curve, "chip": curve, "page": curve],
        ]) { a, _ in a }), "configuration": configuration,
      "inputs": [
        ["index": 0, "kind": "photo", "sha256": hash("b"), "width": 1000, "height": 700],
        ["index": 1, "kind": "frame", "sha256": hash("c"), "width": 640, "height": 480],
        ["index": 2, "kind": "frame", "sha256": hash("e"), "width": 640, "height": 480],
        ["index": 3, "kind": "chip", "sha256": hash("d"), "name": "EF.DG1"],
        ["index": 4, "kind": "chip", "sha256": hash("d"), "name": "EF.SOD"],
        ["index": 5, "kind": "chip", "sha256": hash("d"), "name": "EF.DG2"],
      ], "calls": .array(calls), "events": .array(events),
      "credentials": [document, face],
      "result": [
        "isComplete": true, "result": "passed", "error": .null, "reasons": [reason],
        "assurance": ["presence": "challenge-answered", "document": "chip-copy-authentic", "binding": "chip-portrait"],
      ],
    ]
    // As parsed by a reader.
    return (try? JSONValue(parsing: body.canonical)) ?? .null
  }()

  private static func call(_ seconds: Double, _ name: String, _ members: [String: JSONValue] = [:]) -> JSONValue {
    .object(members.merging(["at": at(seconds), "call": .string(name)]) { $1 })
  }

  private static let calls: [JSONValue] = [
    call(0, "start"), call(1.25, "consent", ["item": 0, "isGiven": true]),
    call(2, "start-credential", ["credential": 0]),
    call(2.25, "configure", ["country": "UTO", "type": "passport", "variant": "paper"]),
    call(2.5, "start-part", ["part": "front", "mode": "file"]), call(3, "attach", ["inputs": [0]]),
    call(3.125, "finish-part"), call(3.25, "finish-credential"),
    call(3.375, "start-part", ["part": "chip", "mode": .null]), call(3.5, "attach-chip", ["inputs": [3, 4, 5]]),
    call(3.625, "finish-part"), call(3.75, "finish-credential"),
    call(4, "start-credential", ["credential": 1]), call(4.5, "start-part", ["part": "face", "mode": .null]),
    call(5, "frame", ["inputs": [1], "time": 0]), call(5.125, "frame", ["inputs": [2], "time": 4.5]),
    call(5.25, "finish-part"), call(5.5, "finish-credential"), call(6, "finish"),
  ]

  private static func event(_ seconds: Double, _ name: String, _ members: [String: JSONValue] = [:]) -> JSONValue {
    .object(members.merging(["at": at(seconds), "event": .string(name)]) { $1 })
  }

  private static let events: [JSONValue] = [
    event(0, "initialized", ["requests": configuration["requests"] ?? .null]),
    event(2.5, "started", ["part": "front", "mode": "file"]),
    event(3.375, "started", ["part": "chip", "mode": "chip-files"]),
    event(3.75, "credential-finished", ["credential": 0]),
    event(4.5, "started", ["part": "face", "mode": "liveness"]), event(5, "image-taken", ["part": "face"]),
    event(5.5, "credential-finished", ["credential": 1]), event(6, "finished", ["isComplete": true]),
  ]

  static let reason: JSONValue = ["code": "liveness.x", "text": "It is dark – and “quoted”."]

  /// 1e-3 at -2.5.
  private static let curve: JSONValue = [
    ["score": .number(-4.5), "rate": 1e-6], ["score": .number(-2.5), "rate": 1e-3], ["score": -1, "rate": 1e-2],
    ["score": 0, "rate": 0.1],
  ]

  private static let fields: JSONValue = [
    "documentNumber": "passed", "dateOfBirth": "passed", "dateOfExpiry": "passed", "surname": "passed",
    "issuingStateCode": "passed", "nationalityCode": "passed", "address": "not-checked",
  ]

  private static let document: JSONValue = [
    "category": "id", "result": "passed", "reasons": [], "hasDeclined": false,
    "assurance": ["presence": "none", "document": "chip-copy-authentic", "binding": "none"],
    "choice": ["country": "UTO", "type": "passport", "variant": "paper"],
    "modes": ["front": "file", "chip": "chip-files"],
    "liveness": .null, "comparison": .null,
    "document": [
      "date": "2025-11-22", "result": "passed", "type": "passport", "country": "UTO",
      "assurance": "chip-copy-authentic", "chip": "authentic", "portrait": "chip",
      "portraitSha256": hash("1"), "dataSha256": hash("2"), "mayMatch": true, "fields": fields,
      "checks": .array(
        DocumentCheckName.allCases.map {
          // A passport has one page.
          $0 == .pagesMatch
            ? ["name": .string($0.rawValue), "status": "not-checked", "reason": "one-source"]
            : ["name": .string($0.rawValue), "status": "passed", "reason": .null]
        }),
    ],
  ]

  private static let quality: JSONValue = [
    "accepted": true, "policy": "chip-portrait",
    "checks": [
      ["status": "passed", "consequence": .null, "value": 134.9, "minimum": 30, "maximum": .null]
    ],
  ]

  private static let face: JSONValue = [
    "category": "face", "result": "passed", "hasDeclined": false,
    "assurance": ["presence": "challenge-answered", "document": "chip-copy-authentic", "binding": "chip-portrait"],
    "choice": .null, "modes": ["face": "liveness"], "document": .null,
    "reasons": [reason],
    "liveness": [
      "version": "0.1.0", "models": .object(models), "result": "live", "presence": "challenge-answered",
      "reasons": [], "retry": .null,
      "policy": policy,
      "checks": [
        check("texture", 0.9012, minimum: 0.21), check("observation-time", 4.5, minimum: 3),
        check("moire", 2.5, maximum: 12), check("sensor-noise", nil, minimum: 0.1),
        check("frame-repetition", 0, maximum: 0), check("challenge-compliance", 1, minimum: 1),
        check("arrival-delay", 0.5, maximum: 2), check("colour-response", nil, minimum: 0.5),
        check("identity-continuity", -5, maximum: -1), check("single-face", 0, maximum: 0.1),
      ],
      "nonce": "00ff00ff00ff00ff00ff00ff00ff00ff", "script": [["challenge": "blink", "hold": 0.5, "pause": 0.3]],
      "answers": [["challenge": "blink", "outcome": "passed"]], "frames": ["count": 2, "first": 0, "last": 4.5],
      "selfie": ["sha256": hash("c"), "width": 640], "template": ["sha256": hash("f"), "averagedFrames": 1],
    ],
    "comparison": [
      "version": "0.1.0", "models": .object(models), "result": "match", "reasons": [],
      "samePicture": ["status": "passed", "score": 0.4, "threshold": 0.9],
      "threshold": ["rate": "1e-3", "portrait": "chip", "score": .number(-2.5)],
      "comparison": ["score": .number(-4.1234), "match": true, "falseMatchRateUpperBound": 3.67e-6],
      "selfie": ["input": ["kind": "template", "sha256": hash("f")], "quality": ["score": 80]],
      "portrait": ["input": ["kind": "photo", "sha256": hash("1")], "quality": quality],
      "calibration": ["dataset": "made up"],
      "document": [
        "mayMatch": true, "result": "passed", "assurance": "chip-copy-authentic", "isAccepted": false,
      ],
    ],
  ]
}

extension JSONValue {
  /// Sets or removes the value at a path such as "inputs.0.sha256"; a path that ends in "+" appends to an array.
  func with(_ path: String, _ value: JSONValue?) -> JSONValue {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    let rest = parts.count > 1 ? parts[1] : nil
    switch self {
    case .object(var members):
      members[parts[0]] = rest.map { (members[parts[0]] ?? [:]).with($0, value) } ?? value
      return .object(members)
    case .array(var values):
      if parts[0] == "+" {
        values.append(value ?? .null)
      } else if let index = Int(parts[0]), values.indices.contains(index) {
        if let rest {
          values[index] = values[index].with(rest, value)
        } else if let value {
          values[index] = value
        } else {
          values.remove(at: index)
        }
      }
      return .array(values)
    default: return self
    }
  }
}
