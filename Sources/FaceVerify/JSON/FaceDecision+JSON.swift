extension FaceDecision: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": modelVersion.jsonValue,
      "result": .string(result.rawValue),
      "reasons": .array(reasons.map { ["code": .string($0.code), "text": .string($0.text)] }),
      "threshold": threshold.jsonValue,
      "comparison": comparison?.jsonValue ?? .null,
      "samePicture": samePicture.jsonValue,
      "selfie": selfie.jsonValue,
      "portrait": portrait.jsonValue,
      "calibration": calibration.jsonValue,
    ]
  }
}

extension SamePicture: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "status": .string(status.rawValue), "score": score.map { .rounded($0, 3) } ?? .null,
      "threshold": .rounded(threshold, 3),
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
      "overallFalseMatchRate": .significant(overallFalseMatchRate, 3),
      "beyondCalibration": .bool(isBeyondCalibration),
    ]
  }
}

extension Calibration.Threshold: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "rate": .string(rate.description),
      "portrait": .string(portrait.rawValue),
      "score": .rounded(point.score, 4),
      "falseMatches": .integer(point.falseMatches),
      "falseMatchRate": .significant(point.falseMatchRate, 3),
      "falseMatchRateBounds": .array(point.falseMatchRateBounds.map { .significant($0, 3) }),
      "overallFalseMatchRate": .significant(point.overallFalseMatchRate, 3),
      "falseNonMatchRate": .significant(point.falseNonMatchRate, 3),
      "falseNonMatchRateBounds": .array(point.falseNonMatchRateBounds.map { .significant($0, 3) }),
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
      "groups": .integer(groups),
      "groupComparisons": .integer(groupComparisons),
      "date": .string(date),
      "method": .string(method),
    ]
  }
}

extension FaceEngine: JSONConvertible {
  /// The loaded models, their thresholds, and the calibration behind them.
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": modelVersion.jsonValue,
      "thresholds": calibration?.thresholds.jsonValue ?? .null,
      "calibration": calibration?.source.jsonValue ?? .null,
    ]
  }
}

extension ModelVersion: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "set": .string(set.rawValue), "identifier": .string(identifier), "revision": .string(revision),
      "precision": .string(precision.rawValue),
    ]
  }
}

extension VerifyError: JSONConvertible {
  public var jsonValue: JSONValue {
    ["error": ["code": .string(code.rawValue), "message": .string(message)]]
  }
}
