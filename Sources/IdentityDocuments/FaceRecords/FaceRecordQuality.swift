/// A quality score that the issuer wrote into a face record.
public struct FaceRecordQuality: Sendable, Hashable {
  /// Who measured and by what, where the record tells.
  public let algorithm: RegistryIdentifier?
  /// 0 (worst) to 100, or nil if it could not be assessed.
  public let score: Int?
}
