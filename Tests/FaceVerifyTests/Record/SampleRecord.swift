import FaceVerify
import TestSupport

/// What a journey might say: one of a person who passed, with all parts that rules look at.
enum SampleRecord {
  private static let models: [String: JSONValue] = [
    "set": "default", "identifier": "scripted", "revision": "1", "precision": "f32",
  ]

  private static func hash(_ letter: String) -> JSONValue { .string(String(repeating: letter, count: 64)) }

  private static func check(_ signal: String, _ value: Double?, minimum: Double? = nil, maximum: Double? = nil)
    -> JSONValue
  {
    [
      "signal": .string(signal), "status": value == nil ? "not-checked" : "passed",
      "value": value.map(JSONValue.number) ?? .null, "unit": "score", "minimum": minimum.map(JSONValue.number) ?? .null,
      "maximum": maximum.map(JSONValue.number) ?? .null, "text": "", "source": "made up",
    ]
  }

  static let body: JSONValue = [
    "id": "0f3c8e1a-52a7-4c1e-9d55-0123456789ab", "account": "1f3c8e1a-52a7-4c1e-9d55-0123456789ab",
    "identifiers": ["customerInternalReference": "order 17", "reportingCriteria": .null, "userReference": .null],
    "library": "0.2.0", "created": 99.5,
    "models": .object(models.merging(["files": [["name": "a.bin", "sha256": hash("a")]]]) { a, _ in a }),
    "configuration": ["comparesFace": true, "consents": [["text": "Terms", "isActive": true]], "timeout": 900],
    "inputs": [
      ["index": 0, "kind": "photo", "sha256": hash("b"), "width": 1000, "height": 700],
      ["index": 1, "kind": "frame", "sha256": hash("c"), "width": 640, "height": 480],
      ["index": 2, "kind": "chip", "sha256": hash("d"), "name": "EF.DG1"],
    ],
    "calls": [
      ["at": 100, "call": "start"], ["at": 101.25, "call": "consent", "item": 0, "isGiven": true],
      ["at": 102, "call": "start-credential", "credential": 0], ["at": 103, "call": "attach", "inputs": [0]],
      ["at": 103.5, "call": "attach-chip", "inputs": [2]],
      ["at": 104, "call": "start-credential", "credential": 1], ["at": 105, "call": "frame", "inputs": [1], "time": 0],
      ["at": 106, "call": "finish"],
    ],
    "events": [
      ["at": 100, "event": "initialized"], ["at": 105, "event": "step", "step": "image-taken"],
      ["at": 106, "event": "finished", "isSuccess": true],
    ],
    "credentials": [
      [
        "category": "id", "result": "passed", "reasons": [],
        "choice": ["country": "UTO", "type": "passport", "variant": "paper"], "modes": ["front": "file"],
        "liveness": .null, "comparison": .null,
        "document": [
          "date": "2026-11-22", "result": "passed", "type": "passport", "chip": "authentic", "portrait": "chip",
          "portraitSha256": hash("1"), "dataSha256": hash("2"), "mayMatch": true, "fields": ["surname": "passed"],
          "checks": [["name": "expiry", "status": "passed", "reason": .null]],
        ],
      ],
      [
        "category": "face", "result": "passed", "choice": .null, "modes": ["face": "liveness"], "document": .null,
        "reasons": [["code": "liveness.x", "text": "It is dark – and “quoted”."]],
        "liveness": [
          "version": "0.2.0", "models": .object(models), "result": "live", "reasons": [], "retry": .null,
          "policy": [
            "name": "standard", "required": ["texture", "observation-time"], "fatal": ["frame-repetition", "texture"],
            "weights": [["signal": "moire", "weight": 0.6], ["signal": "sensor-noise", "weight": 0.5]], "limit": 1,
            "measured": [],
          ],
          "checks": [
            check("texture", 0.9012, minimum: 0.21), check("observation-time", 4.5, minimum: 3),
            check("moire", 2.5, maximum: 12), check("sensor-noise", nil, minimum: 0.1),
            check("frame-repetition", 0, maximum: 0),
          ],
          "nonce": "00ff", "script": .null, "answers": [], "frames": ["count": 1],
          "selfie": ["sha256": hash("e"), "width": 640], "template": ["sha256": hash("f"), "averagedFrames": 1],
        ],
        "comparison": [
          "version": "0.2.0", "models": .object(models), "result": "match", "reasons": [],
          "threshold": ["rate": "1e-3", "score": .number(-2.5)],
          "comparison": ["score": .number(-4.1234), "match": true, "falseMatchRate": .number(1.5e-7)],
          "selfie": ["input": ["kind": "template", "sha256": hash("f")]], "portrait": ["input": ["kind": "photo"]],
          "calibration": ["dataset": "made up"], "document": ["mayMatch": true],
        ],
      ],
    ],
    "result": ["isSuccess": true, "result": "passed", "error": .null, "reasons": []],
  ]
}

extension JSONValue {
  /// With another value, or none, at a path such as "inputs.0.sha256"; a path that ends in "+" appends to an array.
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
