/// The fields of a document.
public struct DocumentData: Sendable, Hashable, JSONConvertible {
  /// Whether a chip was read.
  public let hasChip: Bool
  public let type: DocumentType
  /// nil if the document's code is of no known kind.
  public let documentClass: DocumentClass?
  /// The fields that the document can have; see the subscript for the others.
  public let fields: [DocumentFieldName: DocumentField]

  /// Returns a field; ``DocumentField/absent`` if the document has none with the name.
  public subscript(name: DocumentFieldName) -> DocumentField { fields[name] ?? .absent }

  init(hasChip: Bool, type: DocumentType, documentClass: DocumentClass?, fields: [DocumentFieldName: DocumentField]) {
    (self.hasChip, self.type, self.documentClass, self.fields) = (hasChip, type, documentClass, fields)
  }

  /// Returns the fields with a status, and the reason of each: `surname (unverified)`.
  func reasons(_ status: CheckStatus, of names: [DocumentFieldName] = DocumentFieldName.allCases) -> String {
    // These follow from others.
    let derived: Set<DocumentFieldName> = [
      .age, .issuingState, .nationality, .surnameAndGivenNames, .monthsToExpiry, .mrzLines,
      .mrzLinesWithCorrectCheckDigits,
    ]
    let found = names.filter { self[$0].status == status }
    let own = found.filter { !derived.contains($0) }
    return (own.isEmpty ? found : own).map { "\($0) (\(self[$0].reason?.rawValue ?? ""))" }.joined(separator: ", ")
  }

  /// The canonical JSON (RFC 8785): sorted keys, no white space. Members are hasChip, type, and each field that the
  /// document can have, an object of value and status.
  public var canonicalJSON: String {
    var members: [String: JSONValue] = ["hasChip": .bool(hasChip), "type": .string(type.rawValue)]
    for (name, field) in fields {
      members[name.rawValue] = ["status": .string(field.status.rawValue), "value": .optional(field.value)]
    }
    return String(decoding: JSONValue.object(members).canonical, as: UTF8.self)
  }

  /// SHA-256 of ``canonicalJSON`` in UTF-8, in lower-case hexadecimal.
  public var sha256: String { FaceVerifyBase.sha256(canonicalJSON.utf8) }

  public var jsonValue: JSONValue {
    var members: [String: JSONValue] = [
      "hasChip": .bool(hasChip), "type": .string(type.rawValue), "class": .optional(documentClass?.rawValue),
    ]
    for (name, field) in fields { members[name.rawValue] = field.jsonValue }
    return .object(members)
  }
}
