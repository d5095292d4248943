extension LivenessDecision: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": modelVersion.jsonValue,
      "result": .string(result.rawValue),
      "presence": .string(presence().rawValue),
      "reasons": .array(reasons.map { ["code": .string($0.code), "text": .string($0.text)] }),
      "retry": .optional(retry?.rawValue),
      "policy": policy.jsonValue,
      "checks": checks.jsonValue,
      "nonce": nonce.isEmpty ? .null : .string(hexadecimal(nonce)),
      "script": script?.jsonValue ?? .null,
      "answers": answers.jsonValue,
      "frames": [
        "count": .integer(chain.count), "refused": .integer(refusedFrames),
        "first": span.map { .rounded($0.lowerBound, 3) } ?? .null,
        "last": span.map { .rounded($0.upperBound, 3) } ?? .null,
        "chain": .string(hexadecimal(chain.head)),
      ],
      "selfie": selfie?.jsonValue ?? .null,
      "template": template.map {
        ["sha256": .string($0.sha256), "averagedFrames": .integer(averagedFrames)]
      } ?? .null,
    ]
  }
}

extension LivenessCheck: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "signal": .string(signal.rawValue),
      "status": .string(status.rawValue),
      "value": value.map { .rounded($0, 4) } ?? .null,
      "unit": .string(unit),
      "minimum": minimum.map { .rounded($0, 4) } ?? .null,
      "maximum": maximum.map { .rounded($0, 4) } ?? .null,
      "text": .string(text),
      "source": .string(source),
    ]
  }
}

extension LivenessPolicy: JSONConvertible {
  public var jsonValue: JSONValue {
    func names(_ signals: Set<LivenessSignal>) -> JSONValue {
      .array(LivenessSignal.allCases.filter(signals.contains).map { .string($0.rawValue) })
    }
    return [
      "name": .string(name),
      "required": names(required),
      "fatal": names(fatal),
      "weights": .array(
        LivenessSignal.allCases.compactMap { signal in
          weights[signal].map { ["signal": .string(signal.rawValue), "weight": .number($0)] }
        }),
      "limit": .number(limit),
      "measured": .array(
        measured.map {
          [
            "species": .string($0.species), "simulated": .bool($0.isSimulated), "accepted": .integer($0.accepted),
            "of": .integer($0.of),
          ]
        }),
    ]
  }
}

extension ChallengeScript: JSONConvertible {
  public var jsonValue: JSONValue {
    .array(
      prompts.map {
        [
          "challenge": .string($0.challenge.rawValue), "hold": .rounded($0.hold, 1), "pause": .rounded($0.pause, 1),
        ]
      })
  }
}

extension ScriptProgress.Answer: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "challenge": .string(challenge.rawValue),
      "outcome": .string(outcome.rawValue),
      "asked": asked.map { .rounded($0, 3) } ?? .null,
      "ended": .rounded(ended, 3),
      "failedTries": .integer(failedTries),
      "movement": movement.map { .string($0.rawValue) } ?? .null,
    ]
  }
}

extension LivenessDecision.Selfie: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "sha256": .string(sha256(picture.rgb)),
      "width": .integer(picture.width),
      "height": .integer(picture.height),
      "time": .rounded(time, 3),
      "quality": quality.jsonValue,
    ]
  }
}
