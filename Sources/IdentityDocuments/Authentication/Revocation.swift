/// Whether a certificate of a path was revoked (RFC 5280, 6.3; ICAO Doc 9303-12, 7.2).
struct Revocation {
  typealias Step = PassiveAuthentication.Step

  private let trust: TrustStore
  private let date: DateTime
  private let maximumAge: Int

  /// All certificates below the anchor must be vouched for. The anchor is trusted without that; but if a list revokes it,
  /// or the link that it is, it is no anchor.
  static func step(
    _ path: CertificationPath?, trust: TrustStore, date: DateTime, policy: AuthenticationPolicy
  ) -> Step {
    guard let path, let anchor = path.anchor?.certificate else {
      return Step(.revocation, .notChecked, .noTrustAnchor, PassiveAuthentication.noAnchor)
    }
    let revocation = Revocation(trust: trust, date: date, maximumAge: policy.maximumRevocationListAge)
    let steps = path.links.map { revocation.check($0.certificate, issuer: $0.issuer) }
    let ofAnchor = revocation.check(anchor, issuer: anchor)
    return steps.first { $0.status == .failed } ?? (ofAnchor.status == .failed ? ofAnchor : nil)
      ?? steps.first { $0.status == .notChecked } ?? steps[0]
  }

  private func check(_ certificate: Certificate, issuer: Certificate) -> Step {
    func notChecked(_ reason: PassiveAuthentication.Reason, _ text: String) -> Step {
      Step(.revocation, .notChecked, reason, text)
    }
    // A CSCA signs its list with its newest key, also for certificates that it signed with older ones.
    let names = trust.generation(of: issuer.subject).union([certificate.issuer.comparisonKey])
    let lists = trust.revocationLists.filter {
      names.contains($0.issuerKey)
        || ($0.authorityKeyIdentifier != nil && $0.authorityKeyIdentifier == issuer.subjectKeyIdentifier)
    }
    guard !lists.isEmpty else {
      return notChecked(.noRevocationList, "there is no revocation list of \(issuer.subject)")
    }
    let genuine = lists.filter { list in
      ([issuer] + trust.issuers(of: list)).contains {
        $0.extensions.keyUsage?.contains(.cRLSign) ?? true && $0.signed(list) == .valid
      }
    }
    if let when = genuine.compactMap({ $0.revoked[certificate.serialNumber] }).min() {
      return Step(.revocation, .failed, .revoked, "the certificate of \(certificate.subject) was revoked at \(when)")
    }
    guard !genuine.isEmpty else {
      return notChecked(.revocationListSignatureWrong, "no CSCA in the store signed the list of \(issuer.subject)")
    }
    if let problem = genuine.compactMap(\.problem).first { return notChecked(problem.reason, problem.text) }
    guard let newest = genuine.filter({ $0.isAbout(certificate) }).max(by: { $0.thisUpdate < $1.thisUpdate }) else {
      return notChecked(
        .revocationListUnsupported, "no revocation list of \(issuer.subject) is about \(certificate.subject)")
    }
    let text = "\(certificate.subject) is not in the revocation list of \(newest.thisUpdate)"
    if let next = newest.nextUpdate, next < date {
      return notChecked(.revocationListOutdated, "\(text), which was to be renewed at \(next)")
    }
    let age = max(0, date.dayNumber - newest.thisUpdate.dayNumber)
    guard age <= maximumAge else {
      return notChecked(.revocationListOld, "\(text), which is \(age) days old; \(maximumAge) are allowed")
    }
    return Step(.revocation, .passed, nil, "\(text), \(age) days old")
  }
}
