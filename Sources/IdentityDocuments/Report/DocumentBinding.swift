/// Whether a portrait and data are those of a report, by its hashes.
public struct DocumentBinding: Sendable, Hashable {
  /// Not checked if there is no portrait, here or in the report.
  public let photo: CheckStatus
  /// Not checked if the report has no data.
  public let data: CheckStatus
}
