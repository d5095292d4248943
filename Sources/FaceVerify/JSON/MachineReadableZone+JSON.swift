extension MachineReadableZone: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "format": .string(format.rawValue), "lines": .array(lines.map(JSONValue.string)),
      "linesWithCorrectCheckDigits": .array(linesWithCorrectCheckDigits.map(JSONValue.string)),
      "documentCode": .string(documentCode), "documentType": .string(documentType.rawValue),
      "issuingState": .string(issuingState), "nationality": .string(nationality), "surname": .string(surname),
      "givenNames": .string(givenNames), "nameIsTruncated": .bool(isNameTruncated),
      "documentNumber": .string(documentNumber), "dateOfBirth": .optional(dateOfBirth.date?.description),
      "sex": .optional(sex?.rawValue), "dateOfExpiry": .optional(dateOfExpiry.date?.description),
      "optionalData": .string(optionalData), "optionalData2": .optional(optionalData2),
      "personalNumber": .optional(personalNumber), "checkDigits": checkDigits.jsonValue,
      "findings": .array(
        findings.map { ["field": .string($0.field.rawValue), "reason": .string($0.reason.rawValue)] }),
    ]
  }
}

extension MRZCheckDigit: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "field": .string(field.rawValue), "printed": .optional(printed.map { String($0) }),
      "expected": .optional(expected), "status": .string(status.rawValue), "applicable": .bool(isApplicable),
    ]
  }
}

extension MRZReading: JSONConvertible {
  public var jsonValue: JSONValue {
    let decided = characters.enumerated().flatMap { line, row in
      row.enumerated().filter { $0.element.isDecidedByCheckDigit }.map { column, _ in
        ["line": .integer(line + 1), "column": .integer(column + 1)] as JSONValue
      }
    }
    return [
      "zone": zone.jsonValue,
      "confidences": .array(characters.map { .array($0.map { .rounded($0.confidence, 3) }) }),
      "decidedByCheckDigit": .array(decided),
    ]
  }
}

extension MRZLineReading: JSONConvertible {
  public var jsonValue: JSONValue {
    ["text": .string(text), "confidences": .array(characters.map { .rounded($0.confidence, 3) })]
  }
}
