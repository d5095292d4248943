/// A rule of path validation. All are in ``all``; docs/passive-authentication.md has the same table.
struct PathRule: Sendable {
  let step: PassiveAuthentication.StepName
  /// The source of the rule: a clause of ICAO Doc 9303-12 (eighth edition), RFC 5280 or RFC 5652.
  let clause: String
  let check: @Sendable (PathContext) -> [Violation]

  static let all: [PathRule] = [
    PathRule(step: .certificateForm, clause: "RFC 5280, 4.1; 9303-12, 7.1") { $0.path.all.flatMap(form) },
    PathRule(step: .criticalExtensions, clause: "RFC 5280, 4.2, 6.1.4 (o), 6.1.5 (f)") { context in
      context.path.all.compactMap { certificate in
        certificate.extensions.unknownCritical.map {
          Violation(
            .criticalExtensionUnknown, "\(name(certificate)) has the critical extension \($0), which is unknown")
        }
      }
    },
    PathRule(step: .keyUsage, clause: "RFC 5280, 4.2.1.3, 6.1.4 (n); 9303-12, 7.1") { context in
      context.path.roles.flatMap { keyUsage($0, $1) }
    },
    PathRule(step: .basicConstraints, clause: "RFC 5280, 4.2.1.9, 6.1.4 (k); 9303-12, 7.1") { context in
      context.path.roles.flatMap { basicConstraints($0, $1) }
    },
    PathRule(step: .pathLength, clause: "RFC 5280, 4.2.1.9, 6.1.4 (l), (m)") { pathLength($0.path) },
    PathRule(step: .nameConstraints, clause: "RFC 5280, 4.2.1.10, 6.1.3 (b), (c)") { nameConstraints($0.path) },
    PathRule(step: .extendedKeyUsage, clause: "RFC 5280, 4.2.1.12; 9303-12, 7.1") { extendedKeyUsage($0) },
    PathRule(step: .keyIdentifiers, clause: "RFC 5280, 4.2.1.1; 9303-12, 7.1") {
      $0.path.links.flatMap(keyIdentifiers)
    },
    PathRule(step: .issuerNames, clause: "RFC 5280, 6.1.3 (a) (4)") { context in
      context.path.links.flatMap { link in
        link.certificate.issuer.isSame(as: link.issuer.subject)
          ? []
          : [
            Violation(
              .issuerNameDiffers,
              "\(name(link.certificate)) names \(link.certificate.issuer) as its issuer, not \(link.issuer.subject)")
          ]
      }
    },
    PathRule(step: .documentType, clause: "9303-12, 7.1") { documentType($0) },
    PathRule(step: .privateKeyUsage, clause: "9303-12, 7.1") { privateKeyUsage($0) },
    PathRule(step: .signingTime, clause: "RFC 5652, 11.3") { context in
      guard let time = context.signingTime, time > context.date.latest else { return [] }
      return [Violation(.signingTimeInFuture, "it was signed at \(time), which is after \(context.date)")]
    },
  ]

  private static func name(_ certificate: Certificate) -> String { "the certificate of \(certificate.subject)" }

  private static func form(_ certificate: Certificate) -> [Violation] {
    let (extensions, name) = (certificate.extensions, name(certificate))
    var found: [Violation] = []
    if !(1...3).contains(certificate.version) {
      found.append(Violation(.certificateDamaged, "\(name) is of version \(certificate.version), which does not exist"))
    } else if certificate.version < 3 {
      found.append(Violation(.certificateVersionOld, "\(name) is of version \(certificate.version), not 3"))
      if !extensions.isEmpty {
        found.append(Violation(.certificateDamaged, "\(name) has extensions, which only version 3 has"))
      }
    }
    if certificate.hasUniqueIdentifiers {
      found.append(Violation(.certificateDamaged, "\(name) has a unique identifier, which no certificate may have"))
    }
    // RFC 5280, 4.1.2.2: positive, at most 20 octets.
    let serial = certificate.serialNumber
    if serial.utf8.count > 40 || serial.utf8.count < 2 || serial.first.map({ $0 >= "8" }) ?? true || serial == "00"
      || !certificate.hasMinimalSerialNumber
    {
      found.append(
        Violation(.serialNumberWrong, "\(name) has a serial number that is not positive or has over 20 octets"))
    }
    if !certificate.hasOneAlgorithm {
      found.append(Violation(.algorithmsDiffer, "\(name) names two algorithms of its signature that differ"))
    }
    if certificate.validFrom > certificate.validTo {
      found.append(Violation(.certificateDamaged, "\(name) ends before it begins"))
    }
    if !certificate.hasUsualTimes {
      found.append(Violation(.timeFormWrong, "\(name) has a time that is not written as RFC 5280 prescribes"))
    }
    if certificate.subject.attributes.isEmpty {
      found.append(Violation(.certificateDamaged, "the certificate of \(certificate.issuer) has no subject"))
    } else if certificate.subject.country == nil {
      found.append(Violation(.subjectCountryMissing, "\(name) names no country as its subject's"))
    }
    if let type = extensions.duplicate {
      found.append(Violation(.extensionTwice, "\(name) has the extension \(type) twice"))
    }
    if let type = extensions.damaged {
      found.append(Violation(.extensionDamaged, "\(name) has the extension \(type), which cannot be read"))
    }
    return found
  }

  /// Only an anchor may be forgiven for key usage and basic constraints that contradict each other: it is trusted
  /// directly. An intermediate certificate is an authority only if both agree.
  private static func keyUsage(_ certificate: Certificate, _ role: CertificationPath.Role) -> [Violation] {
    let name = name(certificate)
    guard let usage = certificate.extensions.keyUsage else {
      return [
        Violation(role == .between ? .keyUsageWrong : .keyUsageMissing, "\(name) does not say what its key is for")
      ]
    }
    var found: [Violation] = []
    if certificate.extensions.uncritical.contains(CertificateExtensions.keyUsageType) {
      found.append(Violation(.keyUsageNotCritical, "\(name) has a key usage that is not critical"))
    }
    if !usage.contains(role == .signer ? .digitalSignature : .keyCertSign) {
      let isUnclear = role == .anchor && certificate.extensions.basicConstraints?.isAuthority ?? false
      found.append(
        Violation(
          isUnclear ? .authorityUnclear : .keyUsageWrong,
          "the key of \(name) may not sign \(role == .signer ? "documents" : "certificates")"))
    }
    return found
  }

  private static func basicConstraints(_ certificate: Certificate, _ role: CertificationPath.Role) -> [Violation] {
    let (extensions, name) = (certificate.extensions, name(certificate))
    let constraints = extensions.basicConstraints
    if role == .signer {
      let isAuthority = constraints?.isAuthority ?? false || extensions.keyUsage?.contains(.keyCertSign) ?? false
      return isAuthority ? [Violation(.signerIsAuthority, "\(name) is a certification authority's, no signer's")] : []
    }
    guard let constraints else {
      return [
        Violation(
          role == .anchor ? .basicConstraintsMissing : .notAnAuthority,
          "\(name) does not say that it is a certification authority's")
      ]
    }
    var found: [Violation] = []
    if extensions.uncritical.contains(CertificateExtensions.basicConstraintsType) {
      found.append(Violation(.basicConstraintsNotCritical, "\(name) has basic constraints that are not critical"))
    }
    if !constraints.isAuthority {
      let isUnclear = role == .anchor && extensions.keyUsage?.contains(.keyCertSign) ?? false
      found.append(
        Violation(
          isUnclear ? .authorityUnclear : .notAnAuthority,
          "\(name) is no certification authority's, and signed a certificate"))
    }
    return found
  }

  /// Checks the number of intermediate certificates below each authority; self-issued ones do not count.
  private static func pathLength(_ path: CertificationPath) -> [Violation] {
    var between = 0
    var found: [Violation] = []
    for certificate in path.all.dropFirst() {
      if let most = certificate.extensions.basicConstraints?.pathLength, between > most {
        found.append(
          Violation(.pathTooLong, "\(name(certificate)) allows \(most) authorities below it; there are \(between)"))
      }
      if !certificate.subject.isSame(as: certificate.issuer) { between += 1 }
    }
    return found
  }

  private static func nameConstraints(_ path: CertificationPath) -> [Violation] {
    path.all.enumerated().flatMap { index, authority in
      guard let constraints = authority.extensions.nameConstraints else { return [Violation]() }
      // 6.1.3 (b): self-issued intermediate certificates are exempt.
      let below = path.all.prefix(index).enumerated().filter { $0 == 0 || !$1.subject.isSame(as: $1.issuer) }.map(
        \.element)
      return below.filter { !constraints.permits($0) }.map {
        Violation(.nameNotPermitted, "\(name(authority)) does not permit the name \($0.subject)")
      }
    }
  }

  /// A document signer has no extended key usage; list signers have their own (Doc 9303-12, 7.1). For an authority,
  /// only a critical extension counts: some of the United States and Slovenia name a purpose of their software.
  private static func extendedKeyUsage(_ context: PathContext) -> [Violation] {
    context.path.all.enumerated().compactMap { index, certificate in
      let extensions = certificate.extensions
      let purposes = extensions.extendedKeyUsage
      let isRight =
        index == 0
        ? context.purpose.isRight(purposes)
        : PathContext.Purpose.documents.isRight(purposes) || extensions.uncritical.contains("2.5.29.37")
      return isRight
        ? nil
        : Violation(
          .extendedKeyUsageWrong,
          "\(name(certificate)) is for \(purposes?.joined(separator: ", ") ?? "no purpose by name"),"
            + " not for \(context.purpose.rawValue)")
    }
  }

  private static func keyIdentifiers(_ certificate: Certificate, _ issuer: Certificate) -> [Violation] {
    let extensions = certificate.extensions
    if let other = extensions.authorityCertificate,
      other.serialNumber != issuer.serialNumber || !other.issuer.isSame(as: issuer.issuer)
    {
      return [Violation(.keyIdentifierWrong, "\(name(certificate)) names another certificate as its issuer's")]
    }
    guard let key = extensions.authorityKeyIdentifier else {
      return extensions.authorityCertificate == nil
        ? [Violation(.authorityKeyIdentifierMissing, "\(name(certificate)) does not say which key signed it")] : []
    }
    guard let own = issuer.subjectKeyIdentifier, own != key else { return [] }
    return [Violation(.keyIdentifierWrong, "\(name(certificate)) names another key as its issuer's")]
  }

  /// A one-letter code covers all document codes that begin with it: the second letter is at the state's discretion
  /// (Doc 9303-4, 4.2.2.1).
  private static func documentType(_ context: PathContext) -> [Violation] {
    guard context.purpose.isOfChip, let signer = context.path.certificates.first else { return [] }
    guard let types = signer.extensions.documentTypes else {
      return [Violation(.documentTypesMissing, "\(name(signer)) does not say which documents it may sign")]
    }
    guard let code = context.documentCode else { return [] }
    let codes = types.map { $0.filter { $0 != "<" && $0 != " " } }
    return codes.contains { $0 == code || ($0.count == 1 && code.hasPrefix($0)) }
      ? []
      : [
        Violation(
          .documentTypeWrong,
          "\(name(signer)) may sign documents of \(types.joined(separator: ", ")); this one is of \(code)")
      ]
  }

  private static func privateKeyUsage(_ context: PathContext) -> [Violation] {
    guard let signer = context.path.certificates.first else { return [] }
    return context.path.links.flatMap(issuerPeriod) + signerPeriod(signer, context)
  }

  /// An authority signs only in the usage period of its key and until its certificate ends. Certificates are dated by
  /// day, for many begin at midnight. The certificate of an authority may be younger than its key.
  private static func issuerPeriod(_ certificate: Certificate, _ issuer: Certificate) -> [Violation] {
    let day = certificate.validFrom.calendarDate
    let period = issuer.extensions.privateKeyUsage
    let ends = [period?.to, issuer.validTo].compactMap { $0?.calendarDate }
    return ends.contains { $0 < day } || period?.from.map { day < $0.calendarDate } ?? false
      ? [
        Violation(
          .privateKeyUsageOver,
          "\(name(certificate)) begins at \(certificate.validFrom), when the key of \(name(issuer)) might not sign")
      ] : []
  }

  private static func signerPeriod(_ signer: Certificate, _ context: PathContext) -> [Violation] {
    guard let period = signer.extensions.privateKeyUsage else {
      // Optional for list signers.
      guard context.purpose.isOfChip else { return [] }
      return [Violation(.privateKeyUsageMissing, "\(name(signer)) does not say how long its key may sign")]
    }
    guard let time = context.signingTime else { return [] }
    return (period.from.map { time < $0 } ?? false) || (period.to.map { $0 < time } ?? false)
      ? [Violation(.privateKeyUsageOver, "it was signed at \(time), when the key of \(name(signer)) might not sign")]
      : []
  }
}

/// A certification path and the context in which the rules judge it.
struct PathContext: Sendable {
  /// What the first certificate signed.
  enum Purpose: String, Sendable {
    case documents
    case cardSecurity = "EF.CardSecurity"
    case masterLists = "master lists"
    case deviationLists = "deviation lists"
    case defectLists = "defect lists"

    /// Whether it is a file of a chip.
    var isOfChip: Bool { [.documents, .cardSecurity].contains(self) }

    /// - Parameter purposes: the extended key usage; nil if absent. Lists need the purpose of id-icao-mrtd-security,
    ///   cscaMasterListSigningKey or DeviationListSigningKey. Defect lists have one of the BSI's; any is accepted.
    func isRight(_ purposes: [String]?) -> Bool {
      switch self {
      case .documents, .cardSecurity: purposes.map { Set($0) == ["2.5.29.37.0"] } ?? true
      case .masterLists: purposes?.contains("2.23.136.1.1.3") ?? false
      case .deviationLists: purposes?.contains("2.23.136.1.1.8") ?? false
      case .defectLists: purposes != nil
      }
    }
  }

  let path: CertificationPath
  let purpose: Purpose
  let signingTime: DateTime?
  /// The day or second for which the path is validated.
  let date: DateTime
  /// The document code of EF.DG1, without fillers: `P`, `ID`.
  var documentCode: String?
}
