extension VerifyError: JSONConvertible {
  public var jsonValue: JSONValue {
    ["error": ["code": .string(code.rawValue), "message": .string(message)]]
  }
}
