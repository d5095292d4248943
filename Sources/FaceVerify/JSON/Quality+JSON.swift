extension QualityReport: JSONConvertible {
  public var jsonValue: JSONValue {
    ["policy": .string(policy), "accepted": .bool(isAccepted), "score": .optional(score), "checks": checks.jsonValue]
  }
}

extension QualityCheck: JSONConvertible {
  /// A check keeps its three values: "passed", "failed", or "not-checked", whose value may be null.
  public var jsonValue: JSONValue {
    [
      "measure": .string(measure.rawValue),
      "status": .string(status.rawValue),
      "consequence": .optional(consequence?.rawValue),
      "value": .significant(value, 4),
      "unit": .string(unit),
      "score": .optional(score),
      "minimum": .significant(minimum, 4),
      "maximum": .significant(maximum, 4),
      "advice": .string(advice),
    ]
  }
}
