extension DrivingLicence: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .integer(version), "issuerNumber": .string(issuerNumber), "issuer": .optional(issuer?.name),
      "jurisdictionVersion": jurisdictionVersion.map(JSONValue.integer) ?? .null, "hasAddress": .bool(hasAddress),
      "subfiles": .array(
        subfiles.map {
          [
            "type": .string($0.type), "offset": $0.offset.map(JSONValue.integer) ?? .null,
            "length": $0.length.map(JSONValue.integer) ?? .null,
          ]
        }),
      "elements": .array(
        elements.map {
          [
            "id": .string($0.id), "subfile": .string($0.subfile), "name": .optional($0.name),
            "value": .optional($0.value), "date": .optional($0.date?.description),
            "status": .string($0.status.rawValue),
            "reason": .optional($0.reason?.rawValue),
          ]
        }),
      "findings": .array(findings.map { ["place": .string($0.place), "reason": .string($0.reason.rawValue)] }),
    ]
  }
}
