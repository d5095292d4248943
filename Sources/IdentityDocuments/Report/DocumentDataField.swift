/// A value of a document, and how far it can be relied on.
public struct DocumentDataField: Sendable, Hashable {
  /// nil if the document has none.
  public let value: String?
  public let status: DocumentFieldStatus
  /// nil if the status is OK.
  public let reason: DocumentReason?

  public static func ok(_ value: String?) -> Self { Self(value: value, status: .ok, reason: nil) }
  public static func error(_ value: String?, _ reason: DocumentReason) -> Self {
    Self(value: value, status: .error, reason: reason)
  }
  public static func notChecked(_ value: String?, _ reason: DocumentReason) -> Self {
    Self(value: value, status: .notChecked, reason: reason)
  }

  /// What a document without the field has.
  public static let absent = notChecked(nil, .absent)

  /// Another value that is as reliable as this one.
  func with(_ value: String?) -> Self { Self(value: value, status: status, reason: reason) }
}
