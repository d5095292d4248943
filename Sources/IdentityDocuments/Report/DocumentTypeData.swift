/// The kind of a document, with its details where they are known.
public struct DocumentTypeData: Sendable, Hashable {
  public let type: DocumentType
  public let info: DocumentTypeInfo?

  init(_ zone: MachineReadableZone?) {
    type = zone?.documentType ?? .unknown
    info = zone.flatMap(DocumentTypeInfo.init)
  }
}
