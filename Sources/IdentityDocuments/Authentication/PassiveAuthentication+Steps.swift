extension PassiveAuthentication {
  /// Why what rests on a trusted certificate was not checked.
  private static let noAnchor = "no trusted certificate signed the document signer's"

  static func signatureStep(_ sod: DocumentSecurityObject) -> Step {
    let how = [sod.signatureAlgorithm, sod.digestAlgorithm].compactMap(\.self).joined(separator: ", ")
    switch sod.signature {
    case .valid: return Step(.signature, .passed, nil, "the document signer signed EF.SOD (\(how))")
    case .invalid: return Step(.signature, .failed, .signatureWrong, "the signature of EF.SOD is wrong (\(how))")
    case .wrongDigest:
      return Step(.signature, .failed, .contentChanged, "the hashes in EF.SOD are not those that were signed")
    case .unsupported:
      return Step(.signature, .notChecked, .unsupportedAlgorithm, "the signature's algorithm is not known (\(how))")
    case nil:
      return Step(
        .signature, .notChecked, .signerCertificateMissing, "EF.SOD has no certificate of its document signer")
    }
  }

  /// One for each data group that is on the chip or in EF.SOD.
  static func hashSteps(_ content: LDSSecurityObject, _ files: ChipFiles) -> [Step] {
    Set(files.dataGroups).union(content.hashes.keys).sorted().map { number in
      guard let bytes = files[.dataGroup(number)] else {
        return Step(.hash(number), .notChecked, .dataGroupMissing, "EF.DG\(number) was not read")
      }
      guard let expected = content.hashes[number] else {
        return Step(
          .hash(number), .failed, .dataGroupNotInSOD, "EF.DG\(number) is there, but EF.SOD has no hash of it")
      }
      guard let actual = content.hash(of: bytes) else {
        return Step(
          .hash(number), .notChecked, .unsupportedAlgorithm, "the hash algorithm \(content.hashAlgorithm) is not known")
      }
      return actual == expected
        ? Step(.hash(number), .passed, nil, "the hash of EF.DG\(number) is the one in EF.SOD")
        : Step(.hash(number), .failed, .hashWrong, "EF.DG\(number) was changed: its hash is not the one in EF.SOD")
    }
  }

  static func validitySteps(_ sod: DocumentSecurityObject, chain: CertificateChain, date: DateTime) -> [Step] {
    var steps: [Step] = []
    if let signer = sod.signerCertificate {
      if let time = sod.signingTime {
        steps.append(validity(.signerValidityAtSigning, of: signer, at: time, "the document signer's certificate"))
      } else {
        steps.append(
          Step(.signerValidityAtSigning, .notChecked, .noSigningTime, "EF.SOD does not say when it was signed"))
      }
      steps.append(validity(.signerValidity, of: signer, at: date, "the document signer's certificate"))
    } else {
      let text = "EF.SOD has no certificate of its document signer"
      steps.append(Step(.signerValidityAtSigning, .notChecked, .signerCertificateMissing, text))
      steps.append(Step(.signerValidity, .notChecked, .signerCertificateMissing, text))
    }
    // The certificates between the signer's and the anchor count with the anchor.
    if let anchor = chain.anchor {
      let certificates = chain.path.dropFirst() + [anchor.certificate]
      let checks = certificates.map { validity(.anchorValidity, of: $0, at: date, "the CSCA's certificate") }
      steps += (checks.first { $0.status == .failed } ?? checks.last).map { [$0] } ?? []
    } else {
      steps.append(Step(.anchorValidity, .notChecked, .noTrustAnchor, noAnchor))
    }
    return steps
  }

  private static func validity(
    _ name: StepName, of certificate: Certificate, at date: DateTime, _ what: String
  ) -> Step {
    let period = "valid from \(certificate.validFrom) to \(certificate.validTo)"
    if date < certificate.validFrom {
      return Step(name, .failed, .certificateNotYetValid, "\(what) is not valid yet at \(date): \(period)")
    }
    return date > certificate.validTo
      ? Step(name, .failed, .certificateExpired, "\(what) is no longer valid at \(date): \(period)")
      : Step(name, .passed, nil, "\(what) is valid at \(date): \(period)")
  }

  /// Doc 9303-12, 7.1: the document signer, its CSCA and the document are of the same state.
  static func countryStep(_ signer: Certificate?, anchor: TrustAnchor?, issuingState: String?) -> Step {
    // A signer without a country has that of its issuer.
    let signerCountry = signer.flatMap { $0.subject.country ?? $0.issuer.country }.flatMap(CountryCode.twoLetters)
    let anchorCountry = anchor?.country.flatMap(CountryCode.twoLetters)
    let state = issuingState.flatMap(CountryCode.twoLetters)
    let text =
      "document \(issuingState ?? "unknown"), document signer \(signerCountry ?? "unknown"), "
      + "CSCA \(anchorCountry ?? "unknown")"
    let countries = [state, signerCountry, anchorCountry].compactMap(\.self)
    if Set(countries).count > 1 {
      return Step(.country, .failed, .countryMismatch, "the countries differ: \(text)")
    }
    guard anchor != nil else { return Step(.country, .notChecked, .noTrustAnchor, "\(noAnchor): \(text)") }
    return countries.count == 3
      ? Step(.country, .passed, nil, "the countries are the same: \(text)")
      : Step(.country, .notChecked, .countryUnknown, "a country is unknown: \(text)")
  }

  static func revocationStep(
    _ signer: Certificate?, chain: CertificateChain, trust: TrustStore, date: DateTime
  ) -> Step {
    guard let signer, let anchor = chain.anchor else {
      return Step(.revocation, .notChecked, .noTrustAnchor, noAnchor)
    }
    let lists = trust.revocationLists.filter { $0.issuer.comparisonKey == signer.issuer.comparisonKey }
    guard !lists.isEmpty else {
      return Step(.revocation, .notChecked, .noRevocationList, "there is no revocation list of the CSCA")
    }
    // A CSCA signs its list with its newest key (Doc 9303-12, 7.1.3).
    let genuine = lists.filter { list in
      ([chain.path.dropFirst().first ?? anchor.certificate] + trust.issuers(of: list).map(\.certificate))
        .contains { $0.signed(list) == .valid }
    }
    guard let newest = genuine.max(by: { $0.thisUpdate < $1.thisUpdate }) else {
      return Step(
        .revocation, .notChecked, .revocationListSignatureWrong, "no CSCA in the store signed the revocation list")
    }
    if let revoked = genuine.compactMap({ $0.revoked[signer.serialNumber] }).min() {
      return Step(.revocation, .failed, .revoked, "the document signer's certificate was revoked at \(revoked)")
    }
    if let next = newest.nextUpdate, next < date {
      return Step(
        .revocation, .notChecked, .revocationListOutdated,
        "the document signer is not in the revocation list, which was to be renewed at \(next)")
    }
    return Step(
      .revocation, .passed, nil, "the document signer is not in the revocation list of \(newest.thisUpdate)")
  }

  static func weaknesses(_ sod: DocumentSecurityObject, chain: CertificateChain) -> [Reason] {
    var found: [Reason] = []
    if sod.digestAlgorithm.map(AlgorithmName.isWeak) ?? false
      || chain.path.contains(where: { AlgorithmName.isWeakSignature($0.signatureAlgorithm) })
    {
      found.append(.weakSignatureDigest)
    }
    if AlgorithmName.isWeak(sod.content.hashAlgorithm) { found.append(.weakHash) }
    // Under 112 bits of strength: NIST SP 800-57 part 1, table 2.
    if let key = sod.signerCertificate?.publicKeyInfo, key.bits < (key.algorithm.hasPrefix("RSA") ? 2048 : 224) {
      found.append(.weakKey)
    }
    return found
  }
}
