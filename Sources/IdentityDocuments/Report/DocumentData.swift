/// The fields of a document.
public struct DocumentData: Sendable, Hashable {
  /// A chip was read.
  public let hasChip: Bool
  /// Where the chip is: 1 in the data page, 2 in the back page or inlay; nil if that is not known.
  public let chipPage: Int?
  public let documentTypeData: DocumentTypeData
  /// Those that the document can have; see the subscript for the others.
  public let fields: [DocumentFieldName: DocumentDataField]

  /// A field; ``DocumentDataField/absent`` if the document has none of the name.
  public subscript(name: DocumentFieldName) -> DocumentDataField { fields[name] ?? .absent }

  init(
    hasChip: Bool, chipPage: Int?, documentTypeData: DocumentTypeData, fields: [DocumentFieldName: DocumentDataField]
  ) {
    self.hasChip = hasChip
    self.chipPage = chipPage
    self.documentTypeData = documentTypeData
    self.fields = fields.reduce(into: [:]) { checked, field in
      let (name, value) = field
      let isTooLong = (value.value?.count ?? 0) > name.limit ?? .max
      checked[name] = isTooLong ? .error(value.value, .valueTooLong) : value
    }
  }

  /// The canonical text: JSON by RFC 8785, with keys in order and no space. Members are chipPage, documentType,
  /// hasChip, and each field that the document can have, an object of value and status.
  public var canonicalJSON: String {
    var members: [(String, String)] = [
      ("chipPage", chipPage.map(String.init) ?? "null"),
      ("documentType", CanonicalJSON.text(documentTypeData.type.rawValue)),
      ("hasChip", hasChip ? "true" : "false"),
    ]
    for (name, field) in fields {
      let object = CanonicalJSON.object([
        ("status", CanonicalJSON.text(field.status.rawValue)),
        ("value", field.value.map(CanonicalJSON.text) ?? "null"),
      ])
      members.append((name.rawValue, object))
    }
    return CanonicalJSON.object(members)
  }

  /// SHA-256 of ``canonicalJSON`` in UTF-8, in lower-case hexadecimal.
  public var hash: String { sha256(canonicalJSON.utf8) }
}
