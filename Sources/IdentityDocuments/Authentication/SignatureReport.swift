/// Signature verification and path validation, the same for EF.SOD, EF.CardSecurity, signed lists and seals.
struct SignatureReport {
  typealias Step = PassiveAuthentication.Step

  let signer: Certificate?
  /// The path to an anchor that violates the fewest rules; nil without the signer's certificate.
  let path: CertificationPath?
  let signatureSteps: [Step]
  let pathSteps: [Step]
  private(set) var weaknesses: [PassiveAuthentication.Reason]
  private(set) var leniencies: [PassiveAuthentication.Reason]

  /// - Parameter hashList: the digest algorithm of the hashes in EF.SOD.
  init(
    _ data: SignedData, of purpose: PathContext.Purpose, trust: TrustStore, date: DateTime, documentCode: String?,
    policy: AuthenticationPolicy, hashList: DigestAlgorithm?
  ) {
    let what =
      switch purpose {
      case .documents: "EF.SOD"
      case .cardSecurity: "EF.CardSecurity"
      case .seals: "the seal"
      default: "the list"
      }
    let missing =
      purpose == .seals
      ? "the trust store does not have the certificate that the seal names"
      : "\(what) does not contain its signer's certificate"
    let data = data.completed(by: trust)
    signer = data.signer?.certificate
    var forgiven: [PassiveAuthentication.Reason] = []
    var violations = data.violations
    if purpose == .documents, data.contentType != LDSSecurityObject.contentType {
      violations.append(Violation(.contentTypeDiffers, "the signed content is of the type \(data.contentType)"))
    }
    let form = Self.judged(.signedData, violations, policy, &forgiven) { "\(what) conforms to RFC 5652" }
    signatureSteps = [Self.signatureStep(data, what, missing: missing), form]
    guard let signer else {
      path = nil
      pathSteps = [.chain, .signerValidityAtSigning, .signerValidity, .anchorValidity].map {
        Step($0, .notChecked, .signerCertificateMissing, missing)
      }
      (weaknesses, leniencies) = ([], forgiven)
      return
    }
    let judged = CertificationPath.candidates(from: signer, others: data.certificates, trust: trust).map { path in
      Self.judge(
        PathContext(
          path: path, purpose: purpose, signingTime: data.signer?.signingTime, date: date, documentCode: documentCode),
        data, policy, hashList)
    }
    // Expired costs less than forbidden; forgiven costs least.
    func cost(_ one: Judged) -> Int {
      one.steps.reduce(0) {
        guard $1.status == .failed else { return $0 }
        return $0 + (PassiveAuthentication.StepName.validity.contains($1.name) ? 100 : 10_000)
      } + (one.path.isOfOneState ? 0 : 10_000) + one.leniencies.count
    }
    let best = judged.dropFirst().reduce(judged[0]) { cost($1) < cost($0) ? $1 : $0 }
    path = best.path
    pathSteps = best.steps
    weaknesses = best.weaknesses
    leniencies = forgiven + best.leniencies
  }

  private struct Judged {
    let path: CertificationPath
    var steps: [Step] = []
    var weaknesses: [PassiveAuthentication.Reason] = []
    var leniencies: [PassiveAuthentication.Reason] = []
  }

  private static func judge(
    _ context: PathContext, _ data: SignedData, _ policy: AuthenticationPolicy, _ hashList: DigestAlgorithm?
  ) -> Judged {
    var judged = Judged(path: context.path)
    judged.steps.append(chainStep(context))
    for rule in PathRule.all {
      judged.steps.append(
        Self.judged(rule.step, rule.check(context), policy, &judged.leniencies) { "no violation on the path" })
    }
    var algorithms = AlgorithmFindings(policy)
    // The signer claims the signing time itself; the CSCA sets the start of its certificate's validity.
    if let signer = context.path.certificates.first {
      let time = max(data.signer?.signingTime ?? signer.validFrom, signer.validFrom)
      if let used = data.signer {
        if let algorithm = used.algorithm { algorithms.add(algorithm, in: .signature, at: time, "the signature") }
        algorithms.add(used.digest, in: .signature, at: time, "the signer")
      }
      if let hashList { algorithms.add(hashList, in: .hashList, at: time, "the list of hashes") }
    }
    let isCertified = context.path.anchor != nil
    for certificate in context.path.certificates { algorithms.add(certificate, isCertified: isCertified) }
    // Ignores the anchor's self-signature, which adds nothing to its trust, and checks its key, which signs others.
    if let anchor = context.path.anchor { algorithms.addKey(of: anchor.certificate) }
    judged.steps.append(
      Self.judged(.algorithms, algorithms.refused, policy, &judged.leniencies) { "no algorithm or key is refused" })
    judged.weaknesses = algorithms.weaknesses
    judged.steps += validitySteps(context)
    return judged
  }

  /// Returns the step of a rule: passed if every violation is forgiven.
  private static func judged(
    _ name: PassiveAuthentication.StepName, _ violations: [Violation], _ policy: AuthenticationPolicy,
    _ leniencies: inout [PassiveAuthentication.Reason], passed: () -> String
  ) -> Step {
    let allowed = policy.leniencies.intersection(AuthenticationPolicy.forgivable)
    if let failed = violations.first(where: { !allowed.contains($0.reason) }) {
      return Step(name, .failed, failed.reason, failed.text)
    }
    for violation in violations where !leniencies.contains(violation.reason) { leniencies.append(violation.reason) }
    guard !violations.isEmpty else { return Step(name, .passed, nil, passed()) }
    return Step(name, .passed, nil, "forgiven: " + violations.map(\.text).joined(separator: "; "))
  }

  private static func signatureStep(_ data: SignedData, _ what: String, missing: String) -> Step {
    let algorithm = data.signer?.algorithm
    let how = [algorithm?.kind?.rawValue ?? algorithm?.objectIdentifier, data.signer?.digest.name]
      .compactMap(\.self).joined(separator: ", ")
    switch data.signature {
    case .valid: return Step(.signature, .passed, nil, "the signature of \(what) is valid (\(how))")
    case .invalid: return Step(.signature, .failed, .signatureWrong, "the signature of \(what) is invalid (\(how))")
    case .wrongDigest:
      return Step(.signature, .failed, .contentChanged, "the content of \(what) does not match its signed digest")
    case .unsupported:
      return Step(.signature, .notChecked, .unsupportedAlgorithm, "the algorithm is not supported (\(how))")
    case nil:
      return Step(.signature, .notChecked, .signerCertificateMissing, missing)
    }
  }

  private static func chainStep(_ context: PathContext) -> Step {
    guard let last = context.path.certificates.last else {
      return Step(.chain, .notChecked, .noTrustAnchor, PassiveAuthentication.noAnchor)
    }
    switch context.path.end {
    case .anchor(let anchor): return Step(.chain, .passed, nil, "\(anchor.certificate.subject) signed \(last.subject)")
    case .impostor(let other):
      return Step(
        .chain, .failed, .chainSignatureWrong,
        "the certificate of \(last.subject) names the issuer \(other.subject), whose key did not sign it")
    case .none:
      return Step(
        .chain, .notChecked, .noTrustAnchor,
        "no trust anchor certifies \(last.subject); add the certificate of \(last.issuer) to the trust store")
    }
  }

  private static func validitySteps(_ context: PathContext) -> [Step] {
    var steps: [Step] = []
    guard let signer = context.path.certificates.first else { return [] }
    if let time = context.signingTime {
      let wasValid = signer.isValid(at: time)
      steps.append(
        Step(
          .signerValidityAtSigning, wasValid ? .passed : .failed, wasValid ? nil : .signedOutsideValidity,
          "signed at \(time); the signer's certificate is \(period(signer))"))
    } else {
      steps.append(Step(.signerValidityAtSigning, .notChecked, .noSigningTime, "it has no signing time"))
    }
    steps.append(validity(.signerValidity, of: signer, at: context.date, "the document signer's certificate"))
    // Intermediate certificates are reported with the anchor.
    if let anchor = context.path.anchor {
      let checks = (context.path.certificates.dropFirst() + [anchor.certificate]).map {
        validity(.anchorValidity, of: $0, at: context.date, "the CSCA's certificate")
      }
      steps += (checks.first { $0.status == .failed } ?? checks.last).map { [$0] } ?? []
    } else {
      steps.append(Step(.anchorValidity, .notChecked, .noTrustAnchor, PassiveAuthentication.noAnchor))
    }
    return steps
  }

  private static func period(_ certificate: Certificate) -> String {
    "valid from \(certificate.validFrom) to \(certificate.validTo)"
  }

  private static func validity(
    _ name: PassiveAuthentication.StepName, of certificate: Certificate, at date: DateTime, _ what: String
  ) -> Step {
    let day = date.isWholeDay ? "\(date.calendarDate)" : "\(date)"
    if certificate.isValid(at: date) {
      return Step(name, .passed, nil, "\(what) is valid at \(day): \(period(certificate))")
    }
    return date > certificate.validTo
      ? Step(name, .failed, .certificateExpired, "\(what) is no longer valid at \(day): \(period(certificate))")
      : Step(name, .failed, .certificateNotYetValid, "\(what) is not valid yet at \(day): \(period(certificate))")
  }
}
