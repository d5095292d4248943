extension PassiveAuthentication {
  static let noAnchor = "no trust anchor certifies the document signer"

  /// Returns one step for each data group that is on the chip or in EF.SOD.
  static func hashSteps(_ content: LDSSecurityObject, _ files: ChipFiles) -> [Step] {
    Set(files.dataGroups).union(content.hashes.keys).sorted().map { number in
      guard let bytes = files[.dataGroup(number)] else {
        return Step(.hash(number), .notChecked, .dataGroupMissing, "EF.DG\(number) was not read")
      }
      guard let expected = content.hashes[number] else {
        return Step(.hash(number), .failed, .dataGroupNotInSOD, "EF.SOD has no hash of EF.DG\(number)")
      }
      guard let actual = DigestAlgorithm.hash(of: bytes, by: content.hashAlgorithmIdentifier) else {
        return Step(
          .hash(number), .notChecked, .unsupportedAlgorithm, "the hash algorithm \(content.hashAlgorithm) is not known")
      }
      return actual == expected
        ? Step(.hash(number), .passed, nil, "the hash of EF.DG\(number) matches EF.SOD")
        : Step(.hash(number), .failed, .hashWrong, "EF.DG\(number) was changed: its hash does not match EF.SOD")
    }
  }

  /// EF.DG1 and EF.DG2 are mandatory (Doc 9303-10, 4.7); the others are the issuer's choice.
  static func dataGroupsStep(_ content: LDSSecurityObject, _ files: ChipFiles) -> Step {
    for number in [1, 2] where content.hashes[number] == nil {
      return Step(
        .dataGroups, .failed, .mandatoryDataGroupNotInSOD, "EF.SOD has no hash of EF.DG\(number), which is mandatory")
    }
    for number in [1, 2] where files[.dataGroup(number)] == nil {
      return Step(.dataGroups, .notChecked, .dataGroupMissing, "EF.DG\(number), which is mandatory, was not read")
    }
    return Step(.dataGroups, .passed, nil, "EF.DG1 and EF.DG2 are present")
  }

  /// Doc 9303-10, 4.6.1. EF.COM is not signed, and EF.SOD lists the data groups: a difference is reported, and no reason
  /// to call a chip invalid. A data group without a hash in EF.SOD fails by itself.
  static func commonStep(_ content: LDSSecurityObject, _ common: Result<EFCommon, VerifyError>?) -> Step {
    switch common {
    case nil: return Step(.common, .notChecked, .commonMissing, "EF.COM was not read")
    case .failure(let error): return Step(.common, .notChecked, .commonDamaged, error.message)
    case .success(let common):
      let (listed, signed) = (Set(common.dataGroups), Set(content.hashes.keys.filter { $0 <= 16 }))
      let odd = listed.symmetricDifference(signed).sorted().map { "EF.DG\($0)" }
      return odd.isEmpty
        ? Step(.common, .passed, nil, "EF.COM lists the data groups of EF.SOD")
        : Step(.common, .notChecked, .commonDiffers, "EF.COM and EF.SOD differ in \(odd.joined(separator: ", "))")
    }
  }

  /// EF.CardSecurity is also signed by a document signer (Doc 9303-11, 9.2.11), of the document's state; all its
  /// problems are reported by one step, and whether its certificates are in date by another.
  ///
  /// - Parameters:
  ///   - issuingState: that of the document, or of the signer of EF.SOD.
  ///   - documentCode: that of EF.DG1.
  static func cardSecuritySteps(
    _ file: Result<CardSecurity, VerifyError>?, issuingState: String?, documentCode: String?, trust: TrustStore,
    date: DateTime, policy: AuthenticationPolicy
  ) -> [Step] {
    switch file {
    case nil: return []
    case .failure(let error): return [Step(.cardSecurity, .failed, .signedDataDamaged, error.message)]
    case .success(let file):
      let report = SignatureReport(
        file.signedData, of: .cardSecurity, trust: trust, date: date, documentCode: documentCode, policy: policy,
        hashList: nil)
      let revocation = Revocation.step(report.path, trust: trust, date: date, policy: policy)
      let country = countryStep(report.path, issuingState: issuingState)
      let steps = (report.signatureSteps + report.pathSteps + [country, revocation]).filter {
        !StepName.validity.contains($0.name)
      }
      let needed = [StepName.signature, .chain].compactMap { name in steps.first { $0.name == name } }
      let found = steps.first { $0.status == .failed } ?? needed.first { $0.status == .notChecked }
      let dates = report.pathSteps.filter { StepName.validity.contains($0.name) }
      let late = dates.first { $0.status == .failed } ?? dates.first { $0.status == .notChecked }
      func step(_ name: StepName, _ worst: Step?, passed: String) -> Step {
        Step(name, worst?.status ?? .passed, worst?.reason, worst.map { "EF.CardSecurity: \($0.text)" } ?? passed)
      }
      return [
        step(.cardSecurity, found, passed: "a trusted certificate signed EF.CardSecurity"),
        step(.cardSecurityValidity, late, passed: "the certificates of EF.CardSecurity are valid"),
      ]
    }
  }

  /// Doc 9303-12, 7.1: the document and all certificates up to the CSCA's belong to the same state. States do not
  /// certify each other's authorities (9303-12, 3): a certificate of one state signed by another counts for neither.
  static func countryStep(_ path: CertificationPath?, issuingState: String?) -> Step {
    // A signer without a country has its issuer's.
    let signer = path?.certificates.first.flatMap { $0.subject.state ?? $0.issuer.state }
    let anchor = path?.anchor?.certificate.subject.state
    let state = issuingState.flatMap(CountryName.twoLetters)
    var text =
      "document \(issuingState ?? "unknown"), document signer \(signer ?? "unknown"), CSCA \(anchor ?? "unknown")"
    let countries = [state, signer, anchor].compactMap(\.self)
    let others = Set(path?.all.flatMap(\.states) ?? []).subtracting(countries)
    if !others.isEmpty { text += ", also named \(others.sorted().joined(separator: ", "))" }
    if Set(countries).count + others.count > 1 {
      return Step(.country, .failed, .countryMismatch, "the countries differ: \(text)")
    }
    guard path?.anchor != nil else { return Step(.country, .notChecked, .noTrustAnchor, "\(noAnchor): \(text)") }
    return countries.count == 3
      ? Step(.country, .passed, nil, "the countries are the same: \(text)")
      : Step(.country, .notChecked, .countryUnknown, "a country is unknown: \(text)")
  }
}
