/// The JSON of several photos: the models, and each photo's result or error in the given order.
package enum PhotoRecord {
  package static func all(_ records: [JSONValue], by engine: FaceEngine) -> JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": engine.modelVersion.jsonValue,
      "photos": .array(records),
    ]
  }

  package static func failed(_ path: String, _ error: VerifyError) -> JSONValue {
    with("file", .string(path), in: error.jsonValue)
  }

  package static func with(_ name: String, _ value: JSONValue, in record: JSONValue) -> JSONValue {
    guard case .object(var members) = record else { return record }
    members[name] = value
    return .object(members)
  }
}
