/// A rule of path validation. All are in ``all``; docs/passive-authentication.md has the same table.
struct PathRule: Sendable {
  let step: PassiveAuthentication.StepName
  /// The source of the rule: a clause of ICAO Doc 9303-12 (eighth edition), RFC 5280 or RFC 5652.
  let clause: String
  let check: @Sendable (PathContext) -> [Violation]

  static let all: [PathRule] = [
    PathRule(step: .certificateForm, clause: "RFC 5280, 4.1; 9303-12, 7.1") { context in
      context.path.roles.flatMap { certificate, role in
        form(certificate).map {
          // An anchor is trusted as it is, so the form of its certificate is only reported.
          let isForgivable = AuthenticationPolicy.forgivable.contains($0.reason)
          return role == .anchor && !isForgivable ? Violation(.anchorIrregular, $0.text) : $0
        }
      }
    },
    PathRule(step: .criticalExtensions, clause: "RFC 5280, 4.2, 6.1.4 (o), 6.1.5 (f)") { context in
      context.path.all.flatMap { certificate in
        violations(certificate) {
          guard let type = certificate.extensions.unknownCritical else { return }
          $0.add(.criticalExtensionUnknown, "has the unknown critical extension \(type)")
        }
      }
    },
    PathRule(step: .keyUsage, clause: "RFC 5280, 4.2.1.3, 6.1.4 (n); 9303-12, 7.1") { context in
      context.path.roles.flatMap { keyUsage($0, $1, context.purpose) }
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
      context.path.links.flatMap { certificate, issuer in
        violations(certificate) {
          let (named, actual) = (certificate.issuer, issuer.subject)
          $0.add(.issuerNameDiffers, if: !named.isSame(as: actual), "has the issuer \(named), not \(actual)")
        }
      }
    },
    PathRule(step: .documentType, clause: "9303-12, 7.1") { documentType($0) },
    PathRule(step: .privateKeyUsage, clause: "9303-12, 7.1") { privateKeyUsage($0) },
    PathRule(step: .signingTime, clause: "RFC 5652, 11.3") { context in
      guard let time = context.signingTime, time > context.date.latest else { return [] }
      return [Violation(.signingTimeInFuture, "the signing time \(time) is after \(context.date)")]
    },
  ]

  private static func name(_ certificate: Certificate) -> String { "the certificate of \(certificate.subject)" }

  private struct Findings {
    let certificate: Certificate
    var violations: [Violation] = []

    /// - Parameter text: continues the certificate's name.
    mutating func add(
      _ reason: PassiveAuthentication.Reason, if isViolated: Bool = true, _ text: @autoclosure () -> String
    ) {
      if isViolated { violations.append(Violation(reason, "\(name(certificate)) \(text())")) }
    }
  }

  private static func violations(_ certificate: Certificate, _ judge: (inout Findings) -> Void) -> [Violation] {
    var findings = Findings(certificate: certificate)
    judge(&findings)
    return findings.violations
  }

  private static func form(_ certificate: Certificate) -> [Violation] {
    let (extensions, version, serial) = (certificate.extensions, certificate.version, certificate.serialNumber)
    let isNameless = certificate.subject.attributes.isEmpty
    return violations(certificate) {
      $0.add(.certificateDamaged, if: !(1...3).contains(version), "has the undefined version \(version)")
      $0.add(.certificateVersionOld, if: [1, 2].contains(version), "has version \(version), not 3")
      let isExtended = [1, 2].contains(version) && !extensions.isEmpty
      $0.add(.certificateDamaged, if: isExtended, "has extensions, but is not of version 3")
      $0.add(.certificateDamaged, if: certificate.hasUniqueIdentifiers, "has a unique identifier")
      // RFC 5280, 4.1.2.2: positive, at most 20 octets.
      let isSerialWrong =
        !(2...40).contains(serial.utf8.count) || serial.first.map { $0 >= "8" } ?? true || serial == "00"
        || !certificate.hasMinimalSerialNumber
      $0.add(.serialNumberWrong, if: isSerialWrong, "has a serial number that is not positive or has over 20 octets")
      $0.add(.algorithmsDiffer, if: !certificate.hasOneAlgorithm, "has two different signature algorithms")
      $0.add(.certificateDamaged, if: certificate.validFrom > certificate.validTo, "ends before it begins")
      $0.add(.timeFormWrong, if: !certificate.hasUsualTimes, "has a time that is not encoded as RFC 5280 requires")
      $0.add(.certificateDamaged, if: isNameless, "has no subject; its issuer is \(certificate.issuer)")
      let isStateless = !isNameless && certificate.subject.country == nil
      $0.add(.subjectCountryMissing, if: isStateless, "has no country in its subject")
      if let type = extensions.duplicate { $0.add(.extensionTwice, "has the extension \(type) twice") }
      if let type = extensions.damaged { $0.add(.extensionDamaged, "has the unreadable extension \(type)") }
    }
  }

  /// Only an anchor may be forgiven for key usage and basic constraints that contradict each other: it is trusted
  /// directly. An intermediate certificate is an authority only if both agree.
  private static func keyUsage(
    _ certificate: Certificate, _ role: CertificationPath.Role, _ purpose: PathContext.Purpose
  ) -> [Violation] {
    let extensions = certificate.extensions
    return violations(certificate) {
      guard let usage = extensions.keyUsage else {
        // The signer of seals has none (9303-12, table 8).
        if role == .signer, purpose == .seals { return }
        return $0.add(role == .between ? .keyUsageWrong : .keyUsageMissing, "has no key usage")
      }
      let isCritical = !extensions.uncritical.contains(CertificateExtensions.keyUsageType)
      $0.add(.keyUsageNotCritical, if: !isCritical, "has a key usage that is not critical")
      let isUnclear = role == .anchor && extensions.basicConstraints?.isAuthority ?? false
      $0.add(
        isUnclear ? .authorityUnclear : .keyUsageWrong,
        if: !usage.contains(role == .signer ? .digitalSignature : .keyCertSign),
        "has a key usage that does not permit signing \(role == .signer ? "documents" : "certificates")")
    }
  }

  private static func basicConstraints(_ certificate: Certificate, _ role: CertificationPath.Role) -> [Violation] {
    let extensions = certificate.extensions
    let maySign = extensions.keyUsage?.contains(.keyCertSign) ?? false
    return violations(certificate) {
      let constraints = extensions.basicConstraints
      if role == .signer {
        return $0.add(
          .signerIsAuthority, if: constraints?.isAuthority ?? false || maySign, "is that of a certification authority")
      }
      guard let constraints else {
        return $0.add(role == .anchor ? .basicConstraintsMissing : .notAnAuthority, "has no basic constraints")
      }
      let isCritical = !extensions.uncritical.contains(CertificateExtensions.basicConstraintsType)
      $0.add(.basicConstraintsNotCritical, if: !isCritical, "has basic constraints that are not critical")
      $0.add(
        role == .anchor && maySign ? .authorityUnclear : .notAnAuthority, if: !constraints.isAuthority,
        "is not that of a certification authority, but signed a certificate")
    }
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
      let below = path.all.prefix(index).enumerated().filter { $0 == 0 || !$1.subject.isSame(as: $1.issuer) }
      return below.filter { !constraints.permits($1) }.map {
        Violation(.nameNotPermitted, "\(name(authority)) does not permit the name \($1.subject)")
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
    let (other, key) = (certificate.extensions.authorityCertificate, certificate.extensions.authorityKeyIdentifier)
    let isOther = other.map { $0.serialNumber != issuer.serialNumber || !$0.issuer.isSame(as: issuer.issuer) } ?? false
    let isOtherKey = key.flatMap { key in issuer.subjectKeyIdentifier.map { $0 != key } } ?? false
    return violations(certificate) {
      $0.add(.keyIdentifierWrong, if: isOther, "identifies another certificate of its issuer")
      $0.add(.keyIdentifierWrong, if: !isOther && isOtherKey, "identifies another key of its issuer")
      $0.add(.authorityKeyIdentifierMissing, if: other == nil && key == nil, "has no authority key identifier")
    }
  }

  /// A one-letter code covers all document codes that begin with it: the second letter is at the state's discretion
  /// (Doc 9303-4, 4.2.2.1).
  private static func documentType(_ context: PathContext) -> [Violation] {
    guard context.purpose.isOfChip || context.purpose == .seals, let signer = context.path.certificates.first else {
      return []
    }
    return violations(signer) {
      guard let types = signer.extensions.documentTypes else {
        // Optional for signers of seals (9303-12, table 8).
        return $0.add(.documentTypesMissing, if: context.purpose.isOfChip, "has no list of document types")
      }
      guard let code = context.documentCode else { return }
      let codes = types.map { $0.filter { $0 != "<" && $0 != " " } }
      let isPermitted = codes.contains { $0 == code || ($0.count == 1 && code.hasPrefix($0)) }
      $0.add(
        .documentTypeWrong, if: !isPermitted, "is for documents of type \(types.joined(separator: ", ")), not \(code)")
    }
  }

  private static func privateKeyUsage(_ context: PathContext) -> [Violation] {
    guard let signer = context.path.certificates.first else { return [] }
    return issuerPeriod(context.path) + signerPeriod(signer, context)
  }

  /// An authority signs only in the usage period of its key and until its certificate ends. Certificates are dated by
  /// day, for many begin at midnight. The certificate of an authority may be younger than its key, and a CSCA's may be
  /// one of several of the same key, each with a period of its own.
  private static func issuerPeriod(_ path: CertificationPath) -> [Violation] {
    path.links.flatMap { certificate, issuer in
      let day = certificate.validFrom.calendarDate
      let period = issuer.extensions.privateKeyUsage
      let ends = [period?.to, issuer.validTo].compactMap { $0?.calendarDate }
      let isOutside = ends.contains { $0 < day } || period?.from.map { day < $0.calendarDate } ?? false
      return violations(certificate) {
        $0.add(
          issuer == path.anchor?.certificate ? .anchorIrregular : .privateKeyUsageOver, if: isOutside,
          "begins at \(certificate.validFrom), outside the usage period of the key of \(issuer.subject)")
      }
    }
  }

  private static func signerPeriod(_ signer: Certificate, _ context: PathContext) -> [Violation] {
    violations(signer) {
      guard let period = signer.extensions.privateKeyUsage else {
        // Optional for signers of lists and seals.
        return $0.add(.privateKeyUsageMissing, if: context.purpose.isOfChip, "has no private key usage period")
      }
      guard let time = context.signingTime else { return }
      let isOutside = period.from.map { time.latest < $0 } ?? false || period.to.map { $0 < time } ?? false
      $0.add(.privateKeyUsageOver, if: isOutside, "has a key whose usage period excludes the signing time \(time)")
    }
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
    case seals = "visible digital seals"

    /// Whether it is a file of a chip.
    var isOfChip: Bool { [.documents, .cardSecurity].contains(self) }

    /// - Parameter purposes: the extended key usage; nil if absent. Lists need the purpose of id-icao-mrtd-security,
    ///   cscaMasterListSigningKey or DeviationListSigningKey, seals id-icao-vdsSigner. Defect lists have one of the
    ///   BSI's; any is accepted.
    func isRight(_ purposes: [String]?) -> Bool {
      switch self {
      case .documents, .cardSecurity: purposes.map { Set($0) == ["2.5.29.37.0"] } ?? true
      case .masterLists: purposes?.contains("2.23.136.1.1.3") ?? false
      case .deviationLists: purposes?.contains("2.23.136.1.1.8") ?? false
      case .defectLists: purposes != nil
      case .seals: purposes?.contains("2.23.136.1.1.11.1") ?? false
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
