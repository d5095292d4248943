/// A certificate that the caller trusts to sign document signers: a CSCA's, or a link between two of its keys.
public struct TrustAnchor: Sendable, Hashable {
  public let certificate: Certificate
  /// The file that it came from.
  public let source: String

  /// Two letters, where the certificate has a country.
  public var country: String? { certificate.subject.country }
}
