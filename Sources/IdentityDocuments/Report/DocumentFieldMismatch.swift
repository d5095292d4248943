/// A field in which page and chip differ.
public struct DocumentFieldMismatch: Sendable, Hashable {
  public let name: DocumentFieldName
  public let optical: DocumentDataField
  public let chip: DocumentDataField
}
