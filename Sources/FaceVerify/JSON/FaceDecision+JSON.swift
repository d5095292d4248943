extension FaceDecision: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": modelVersion.jsonValue,
      "result": .string(result.rawValue),
      "reasons": .array(reasons.map { ["code": .string($0.code), "text": .string($0.text)] }),
      "falseMatchRate": .string(falseMatchRate.description),
      "threshold": threshold.jsonValue,
      "comparison": comparison?.jsonValue ?? .null,
      "selfie": selfie.jsonValue,
      "portrait": portrait.jsonValue,
      "calibration": calibration?.jsonValue ?? .null,
    ]
  }
}

extension Comparison: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "score": .rounded(score, 4),
      "similarity": .rounded(similarity, 1),
      "match": .bool(isMatch),
      "falseMatchRate": .significant(falseMatchRate, 3),
      "falseMatchRateUpperBound": .significant(falseMatchRateUpperBound, 3),
      "beyondCalibration": .bool(isBeyondCalibration),
    ]
  }
}

extension Calibration.Threshold: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "rate": .string(rate),
      "score": .rounded(score, 4),
      "falseMatches": .integer(falseMatches),
      "falseMatchRateBounds": .array(falseMatchRateBounds.map { .significant($0, 3) }),
      "falseNonMatchRate": .significant(falseNonMatchRate, 3),
      "falseNonMatchRateBounds": falseNonMatchRateBounds.map { .array($0.map { .significant($0, 3) }) } ?? .null,
    ]
  }
}

extension Calibration.Source: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "dataset": .string(dataset),
      "subjects": .integer(subjects),
      "photos": .integer(photos),
      "matedComparisons": .integer(matedComparisons),
      "nonMatedComparisons": .integer(nonMatedComparisons),
      "date": .string(date),
      "method": .string(method),
    ]
  }
}
