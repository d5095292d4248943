/// What the issuer's capture said about presentation attacks (ISO/IEC 39794-1, PADDataBlock).
public struct PresentationAttackData: Sendable, Hashable {
  /// `no-attack`, `attack`, `failure-to-assess`.
  public internal(set) var decision: CodedValue?
  public internal(set) var scores: [FaceRecordQuality] = []
  public internal(set) var extendedData: [ExtendedData] = []
  public internal(set) var captureContext: CodedValue?
  public internal(set) var supervisionLevel: CodedValue?
  /// 0 to 100.
  public internal(set) var riskLevel: Int?
  public internal(set) var criteriaCategory: CodedValue?
  public internal(set) var parameter: [UInt8]?
  public internal(set) var challenges: [[UInt8]] = []
  public internal(set) var captureTime: String?

  public struct ExtendedData: Sendable, Hashable {
    public let dataType: RegistryIdentifier
    public let data: [UInt8]
  }
}
