/// Revocation checking of a certification path (RFC 5280, 6.3; ICAO Doc 9303-12, 7.2).
struct Revocation {
  typealias Step = PassiveAuthentication.Step

  private let trust: TrustStore
  private let date: DateTime
  private let policy: AuthenticationPolicy

  /// Every certificate below the anchor needs a CRL. The anchor needs none, but an anchor that a CRL revokes, possibly
  /// as a link certificate, is rejected.
  static func step(
    _ path: CertificationPath?, trust: TrustStore, date: DateTime, policy: AuthenticationPolicy
  ) -> Step {
    guard let path, let anchor = path.anchor?.certificate else {
      return Step(.revocation, .notChecked, .noTrustAnchor, PassiveAuthentication.noAnchor)
    }
    let revocation = Revocation(trust: trust, date: date, policy: policy)
    let steps = path.links.map { revocation.check($0.certificate, issuer: $0.issuer) }
    let ofAnchor = revocation.check(anchor, issuer: anchor)
    return steps.first { $0.status == .failed } ?? (ofAnchor.status == .failed ? ofAnchor : nil)
      ?? steps.first { $0.status == .notChecked } ?? steps[0]
  }

  private func check(_ certificate: Certificate, issuer: Certificate) -> Step {
    func notChecked(_ reason: PassiveAuthentication.Reason, _ text: String) -> Step {
      Step(.revocation, .notChecked, reason, text)
    }
    // A CSCA signs its CRL with its newest key, including for certificates signed with older ones. CRLs of other
    // authorities or other states are ignored (RFC 5280, 6.3.3 (f)).
    let state = issuer.subject.state
    let names = trust.generation(of: issuer.subject).union([certificate.issuer.comparisonKey])
    func isOwn(_ signer: Certificate) -> Bool {
      signer.publicKey == issuer.publicKey
        || signer.subject.state == state && names.contains(signer.subject.comparisonKey)
    }
    let lists = trust.revocationLists.filter {
      $0.issuer.state == state
        && (names.contains($0.issuerKey)
          || ($0.authorityKeyIdentifier != nil && $0.authorityKeyIdentifier == issuer.subjectKeyIdentifier))
    }
    guard !lists.isEmpty else {
      return notChecked(.noRevocationList, "there is no revocation list of \(issuer.subject)")
    }
    let genuine = lists.compactMap { list in
      ([issuer] + trust.issuers(of: list)).first {
        isOwn($0) && $0.extensions.keyUsage?.contains(.cRLSign) ?? true && $0.signed(list) == .valid
      }.map { (list: list, signer: $0) }
    }
    let current = genuine.filter { $0.list.thisUpdate <= date.latest && problem($0.list, by: $0.signer) == nil }
    let revoking = genuine.map(\.list).filter { older in
      !current.contains { $0.list.releases(certificate, from: older) }
    }
    if let when = revoking.compactMap({ $0.revoked[certificate.serialNumber] }).min() {
      return Step(.revocation, .failed, .revoked, "the certificate of \(certificate.subject) was revoked at \(when)")
    }
    guard !genuine.isEmpty else {
      return notChecked(.revocationListSignatureWrong, "\(issuer.subject) signed no revocation list in the store")
    }
    // The newest list that is not in the future decides, even if an older one has no problem.
    let about = genuine.filter { $0.list.isAbout(certificate) }.sorted { $0.list.thisUpdate > $1.list.thisUpdate }
    guard let (list, signer) = about.first(where: { $0.list.thisUpdate <= date.latest }) ?? about.first else {
      return notChecked(
        .revocationListUnsupported, "no revocation list of \(issuer.subject) is about \(certificate.subject)")
    }
    if let problem = problem(list, by: signer) { return notChecked(problem.reason, problem.text) }
    let text = "\(certificate.subject) is not in the revocation list of \(list.thisUpdate)"
    if list.thisUpdate > date.latest { return notChecked(.revocationListInFuture, "\(text), which is after \(date)") }
    if let next = list.nextUpdate, next < date {
      return notChecked(.revocationListOutdated, "\(text), whose next update was due at \(next)")
    }
    let age = max(0, date.calendarDate.dayNumber - list.thisUpdate.calendarDate.dayNumber)
    guard age <= policy.maximumRevocationListAge else {
      return notChecked(
        .revocationListOld, "\(text), which is \(age) days old; \(policy.maximumRevocationListAge) are allowed")
    }
    return Step(.revocation, .passed, nil, "\(text), \(age) days old")
  }

  /// Returns why a list cannot show that a certificate is not revoked: its own defect, its signing key, or the time.
  private func problem(_ list: CertificateRevocationList, by signer: Certificate) -> Violation? {
    if let problem = list.problem { return problem }
    guard signer.isValid(at: list.thisUpdate) else {
      return Violation(
        .revocationListSignatureWrong,
        "the revocation list of \(list.thisUpdate) was signed when the certificate of \(signer.subject) was not valid")
    }
    if let key = list.authorityKeyIdentifier, let own = signer.subjectKeyIdentifier, key != own {
      return Violation(
        .revocationListSignatureWrong, "the revocation list names another key than that of \(signer.subject)")
    }
    var algorithms = AlgorithmFindings(policy)
    algorithms.addKey(of: signer)
    return algorithms.refused.first
  }
}
