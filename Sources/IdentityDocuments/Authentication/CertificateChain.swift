/// The way from a document signer's certificate to a trusted one. States have one step; certificates in EF.SOD may
/// stand in between.
struct CertificateChain {
  private(set) var anchor: TrustAnchor?
  /// From the document signer's certificate on.
  private(set) var path: [Certificate]
  private(set) var step: PassiveAuthentication.Step

  private static let maximumLength = 4

  init(of sod: DocumentSecurityObject, trust: TrustStore, date: DateTime) {
    guard let signer = sod.signerCertificate else {
      path = []
      step = PassiveAuthentication.Step(
        .chain, .notChecked, .signerCertificateMissing, "EF.SOD has no certificate of its document signer")
      return
    }
    path = [signer]
    step = PassiveAuthentication.Step(
      .chain, .notChecked, .noTrustAnchor,
      trust.anchors.isEmpty
        ? "no certificate is trusted that could tell who signed: give a trust store"
        : "none of the \(trust.anchors.count) trusted certificates signed the document signer's (\(signer.issuer))")
    while let last = path.last {
      let found = Self.issuers(of: last, in: trust)
      // Of certificates with the same key, such as links, one that is valid.
      if let anchor = found.valid.first(where: { $0.certificate.isValid(at: date) }) ?? found.valid.first {
        self.anchor = anchor
        step = PassiveAuthentication.Step(.chain, .passed, nil, "\(anchor.certificate.subject) signed \(last.subject)")
        return
      }
      if let impostor = found.wrong {
        step = PassiveAuthentication.Step(
          .chain, .failed, .chainSignatureWrong,
          "the certificate says that \(impostor.certificate.subject) signed it, but its key did not")
        return
      }
      let isKnown = path.contains
      let next = sod.certificates.first { $0.isAuthority && !isKnown($0) && $0.signed(last) == .valid }
      guard path.count < Self.maximumLength, let next else { return }
      path.append(next)
    }
  }

  /// Anchors whose key signed the certificate; and one that has the name and the key identifier of its issuer, while
  /// its key did not sign.
  private static func issuers(
    of certificate: Certificate, in trust: TrustStore
  ) -> (valid: [TrustAnchor], wrong: TrustAnchor?) {
    var valid: [TrustAnchor] = []
    var wrong: TrustAnchor?
    for anchor in trust.issuers(of: certificate) {
      let isNamed =
        certificate.authorityKeyIdentifier != nil
        && anchor.certificate.subjectKeyIdentifier == certificate.authorityKeyIdentifier
        && anchor.certificate.subject.comparisonKey == certificate.issuer.comparisonKey
      switch anchor.certificate.signed(certificate) {
      case .valid: valid.append(anchor)
      case .invalid, .wrongDigest: if isNamed { wrong = anchor }
      case .unsupported: break
      }
    }
    return (valid, valid.isEmpty ? wrong : nil)
  }
}
