extension FaceEngine: JSONConvertible {
  /// Which models are loaded, and what their thresholds are and rest on.
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": modelVersion.jsonValue,
      "thresholds": calibration?.thresholds.jsonValue ?? .null,
      "calibration": calibration?.source.jsonValue ?? .null,
    ]
  }
}
