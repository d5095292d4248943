/// The fields of a document.
public struct DocumentData: Sendable, Hashable {
  /// Whether a chip was read.
  public let hasChip: Bool
  public let type: DocumentType
  /// nil if the document's code is of no known kind.
  public let documentClass: DocumentClass?
  /// The fields that the document can have; see the subscript for the others.
  public let fields: [DocumentFieldName: DocumentField]

  /// Returns a field; ``DocumentField/absent`` if the document has none with the name.
  public subscript(name: DocumentFieldName) -> DocumentField { fields[name] ?? .absent }

  init(hasChip: Bool, zone: MachineReadableZone?, fields: [DocumentFieldName: DocumentField]) {
    self.init(
      hasChip: hasChip, type: zone?.documentType ?? .unknown,
      documentClass: zone.flatMap { DocumentClass(code: $0.documentCode) }, fields: fields)
  }

  init(
    hasChip: Bool, type: DocumentType, documentClass: DocumentClass?, fields: [DocumentFieldName: DocumentField]
  ) {
    self.hasChip = hasChip
    self.type = type
    self.documentClass = documentClass
    self.fields = fields.reduce(into: [:]) { checked, field in
      let (name, value) = field
      let isTooLong = (value.value?.count ?? 0) > name.limit ?? .max
      checked[name] = isTooLong ? .failed(value.value, .valueTooLong) : value
    }
  }

  /// The canonical JSON (RFC 8785): sorted keys, no white space. Members are hasChip, type, and each field that the
  /// document can have, an object of value and status.
  public var canonicalJSON: String {
    var members: [(String, String)] = [
      ("hasChip", hasChip ? "true" : "false"), ("type", CanonicalJSON.text(type.rawValue)),
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
  public var sha256: String { hexadecimal(sha256Bytes(canonicalJSON.utf8)) }
}

/// Canonical JSON (RFC 8785), limited to objects and strings.
package enum CanonicalJSON {
  /// - Parameter members: unique ASCII names, and values in JSON.
  static func object(_ members: [(name: String, value: String)]) -> String {
    "{" + members.sorted { $0.name < $1.name }.map { text($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
  }

  /// RFC 8785, 3.2.2.2: only control characters, the quotation mark and the backslash are escaped.
  package static func text(_ value: String) -> String {
    var result = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{8}": result += "\\b"
      case "\t": result += "\\t"
      case "\n": result += "\\n"
      case "\u{c}": result += "\\f"
      case "\r": result += "\\r"
      case "\u{0}"..."\u{1f}": result += "\\u00" + hexadecimal([UInt8(scalar.value)])
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
