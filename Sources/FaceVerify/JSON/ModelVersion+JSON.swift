extension ModelVersion: JSONConvertible {
  public var jsonValue: JSONValue {
    ["set": .string(set.rawValue), "identifier": .string(identifier), "revision": .string(revision)]
  }
}
