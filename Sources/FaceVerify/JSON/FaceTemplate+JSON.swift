extension FaceTemplate: JSONConvertible {
  /// What may be told of a template: not its numbers.
  public var jsonValue: JSONValue {
    [
      "kind": "template", "sha256": .string(sha256), "size": .integer(serialised().count),
      "quality": .optional(quality),
      "modelIdentifier": .string(modelIdentifier),
    ]
  }
}
