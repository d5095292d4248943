extension FaceEngine: JSONConvertible {
  /// Which models are loaded, and what their thresholds are and rest on.
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": modelsJSON,
      "thresholds": calibration?.thresholds.jsonValue ?? .null,
      "calibration": calibration?.source.jsonValue ?? .null,
    ]
  }

  /// The same in every record of these models.
  package var modelsJSON: JSONValue {
    ["set": .string(configuration.modelSet.rawValue), "identifier": .string(modelIdentifier)]
  }
}
