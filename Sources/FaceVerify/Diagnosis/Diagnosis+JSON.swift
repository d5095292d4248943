extension Diagnosis: JSONConvertible {
  package var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string), "ready": .bool(isReady), "findings": findings.jsonValue,
    ]
  }
}
