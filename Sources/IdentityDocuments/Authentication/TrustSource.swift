/// What one file brought into a ``TrustStore``.
public struct TrustSource: Sendable {
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Certificates, revocation lists or both.
    public static let certificates = Self(rawValue: "certificates")
    /// A list of CSCA certificates that a state signed (ICAO Doc 9303-12, 9).
    public static let masterList = Self(rawValue: "master-list")
    /// Nothing that is trusted; ``TrustSource/text`` says why.
    public static let refused = Self(rawValue: "refused")
  }

  public let name: String
  public let kind: Kind
  /// Certificates in the file that can sign document signers; the store holds each once.
  public let certificateCount: Int
  public let revocationListCount: Int
  /// Of a master list. If it failed, nothing of the list is trusted.
  public let signature: CheckStatus
  /// Who signed the master list.
  public let signer: Certificate?
  /// Whether a CSCA in the store, mostly one of the list itself, signed the signer's certificate.
  public let signerChain: CheckStatus
  /// One line.
  public let text: String
}
