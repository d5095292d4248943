/// Whether a visible digital seal is genuine, and whether it belongs to the document that it is on (ICAO Doc 9303-13,
/// appendix D; 9303-7, 9.4; 9303-8, appendix A).
///
/// It proves that a state signed the data of the seal. It does not prove that the document is genuine: a seal can be
/// copied, and does not include the portrait.
public struct SealReport: Sendable, JSONConvertible {
  public typealias Step = PassiveAuthentication.Step

  /// nil if it cannot be decoded.
  public let seal: DigitalSeal?
  /// The zone in the seal; that of a visa lacks the optional data. Nil if there is none that can be parsed.
  public let zone: MachineReadableZone?
  /// The checks in the order performed; only the first if the seal cannot be decoded.
  public let steps: [Step]
  /// Whether the data are genuine and, as far as it was read, those of the document.
  public let verdict: PassiveAuthentication.Verdict
  /// Whether the certificates of the signer and above are in date.
  public let validity: CheckStatus
  /// The certificate that the seal names; nil if the trust store does not have it.
  public private(set) var signer: Certificate?
  /// The anchor that the signer's certificate chains to.
  public private(set) var anchor: TrustAnchor?
  /// Weak algorithms in use that the policy warns about.
  public private(set) var weaknesses: [PassiveAuthentication.Reason] = []
  /// Violations that the policy forgave.
  public private(set) var leniencies: [PassiveAuthentication.Reason] = []

  /// Judges the content of a bar code that is a seal. Never throws: a damaged seal is reported by a step.
  ///
  /// - Parameters:
  ///   - printed: the zones that were read from the document and, for a visa, from the passport.
  ///   - trust: the trusted certificates, and those of the signers of seals.
  ///   - date: the time at which certificates are checked, and the day that determines the centuries of dates.
  public init(
    payload: [UInt8], printed: [MachineReadableZone] = [], trust: TrustStore, date: DateTime,
    policy: AuthenticationPolicy = .standard
  ) {
    let seal: DigitalSeal
    do {
      seal = try DigitalSeal(payload: payload)
    } catch {
      let error = error as? VerifyError ?? VerifyError(.damaged, "the seal cannot be read")
      let isUnknown = error.code == .unknownFormat
      steps = [
        Step(.sealFormat, isUnknown ? .notChecked : .failed, isUnknown ? .sealUnknown : .sealDamaged, error.message)
      ]
      (self.seal, zone, verdict, validity) = (nil, nil, isUnknown ? .notChecked : .invalid, .notChecked)
      return
    }
    let trust = trust.judged(on: date, by: policy)
    let zone = seal.zone.flatMap { try? MachineReadableZone($0.text, on: date.calendarDate) }
    let named = trust.sealSigners.filter(seal.names).map { ($0, seal.verify(with: $0.publicKey)) }
    let found = named.first { $0.1.0 == .valid } ?? named.first
    let algorithm = found?.1.1
    let signer = SignedData.Signer(
      certificate: found?.0,
      digest: algorithm?.digest ?? DigestAlgorithm("a key for which Doc 9303-13 has no digest"),
      algorithm: algorithm, signingTime: DateTime(seal.dateOfSignature))
    let signed = SignatureReport(
      SignedData(seal.signed, signature: found?.1.0, by: signer), of: .seals, trust: trust, date: date,
      documentCode: zone?.documentCode, policy: policy, hashList: nil)
    var steps = [
      Self.formatStep(seal, date), Self.featuresStep(seal), Self.zoneStep(seal, zone), Self.printedStep(zone, printed),
    ]
    if let number = seal.value(of: "passport-number") { steps.append(Self.passportStep(number, printed)) }
    steps.append(signed.signatureSteps[0])
    steps += signed.pathSteps
    steps.append(
      PassiveAuthentication.countryStep(signed.path, issuingState: zone?.issuingState ?? seal.issuingState))
    steps.append(Revocation.step(signed.path, trust: trust, date: date, policy: policy))
    (self.seal, self.zone, self.steps) = (seal, zone, steps)
    verdict = Self.verdict(of: steps)
    validity = .worst(steps.filter { PassiveAuthentication.StepName.validity.contains($0.name) }.map(\.status))
    (self.signer, anchor) = (signed.signer, signed.path?.anchor)
    (weaknesses, leniencies) = (signed.weaknesses, signed.leniencies)
  }

  /// Passed if the seal is genuine and in date, failed if it is invalid or out of date, otherwise not checked.
  public var status: CheckStatus { verdict.status(isInDate: validity != .failed) }

  /// Returns the first step with a name.
  public func step(_ name: PassiveAuthentication.StepName) -> Step? { steps.first { $0.name == name } }

  /// Explains the verdict as part of a sentence for people.
  public var explanation: String {
    if verdict == .authentic { return "a trusted certificate of \(anchor?.country ?? "its state") signed it" }
    // Without a printed zone or a revocation list, the verdict is the same.
    let decisive: [PassiveAuthentication.StepName] = [
      .sealFormat, .sealFeatures, .sealZone, .signature, .chain, .country,
    ]
    let step =
      verdict == .invalid
      ? steps.first { $0.status == .failed && !$0.name.isValidity }
      : steps.first { $0.status == .notChecked && decisive.contains($0.name) }
    return step?.text ?? ""
  }

  private static func verdict(of steps: [Step]) -> PassiveAuthentication.Verdict {
    func isPassed(_ names: [PassiveAuthentication.StepName]) -> Bool {
      names.allSatisfy { name in steps.contains { $0.name == name && $0.status == .passed } }
    }
    if steps.contains(where: { $0.status == .failed && !$0.name.isValidity }) { return .invalid }
    guard isPassed([.sealFeatures, .sealZone, .signature]) else { return .notChecked }
    guard isPassed([.chain]) else { return .validWithoutAnchor }
    return isPassed([.country]) ? .authentic : .notChecked
  }

  // MARK: Steps

  private static func formatStep(_ seal: DigitalSeal, _ date: DateTime) -> Step {
    if seal.certificateReference.allSatisfy({ $0 == "0" }) {
      return Step(.sealFormat, .failed, .testSeal, "the certificate reference of zeros is reserved for tests")
    }
    if seal.dateOfIssue > date.calendarDate {
      return Step(
        .sealFormat, .failed, .issuedInFuture,
        "it is of a document issued on \(seal.dateOfIssue), which is after \(date)")
    }
    return Step(
      .sealFormat, .passed, nil, "version \(seal.version), signed by \(seal.signerCountry)\(seal.signerName)")
  }

  private static func featuresStep(_ seal: DigitalSeal) -> Step {
    func failed(_ reason: PassiveAuthentication.Reason, _ text: String) -> Step {
      Step(.sealFeatures, .failed, reason, text)
    }
    guard let profile = seal.profile else {
      let numbers = "\(seal.featureDefinition) of category \(seal.documentCategory)"
      return Step(.sealFeatures, .notChecked, .sealUnknown, "the definition \(numbers) of its features is unknown")
    }
    guard seal.version >= profile.minimumVersion else {
      return failed(.sealVersionOld, "a seal of the profile \(profile.name) is not of version \(seal.version)")
    }
    var tags: Set<Int> = []
    if let twice = seal.features.first(where: { !tags.insert($0.tag).inserted }) {
      return failed(.featureTwice, "the feature \(twice.name ?? String(twice.tag)) occurs twice")
    }
    if let wrong = seal.features.first(where: { $0.name != nil && $0.value == nil }) {
      return failed(.featureWrong, "the feature \(wrong.name ?? "") has a wrong size or content")
    }
    let found = profile.features.filter { feature in seal.features.contains { $0.tag == feature.tag } }
    if let missing = profile.features.first(where: { $0.isMandatory && !found.contains($0) }) {
      return failed(.featureMissing, "the feature \(missing.name) is missing")
    }
    let zones = found.count { $0.zoneFormat != nil }
    if zones != 1 { return failed(zones == 0 ? .featureMissing : .featureTwice, "it has \(zones) zones, not one") }
    return Step(.sealFeatures, .passed, nil, "those of the profile \(profile.name)")
  }

  private static func zoneStep(_ seal: DigitalSeal, _ zone: MachineReadableZone?) -> Step {
    guard let expected = seal.zone else { return Step(.sealZone, .notChecked, .featureMissing, "it has no zone") }
    guard let zone, zone.format == expected.format else {
      return Step(.sealZone, .failed, .sealZoneWrong, "its zone is not one of \(expected.format.rawValue)")
    }
    if let finding = zone.findings.first {
      return Step(.sealZone, .failed, .sealZoneWrong, "the field \(finding.field) of its zone: \(finding.reason)")
    }
    guard CountryName.twoLetters(zone.issuingState) == CountryName.twoLetters(seal.issuingState) else {
      let states = "\(seal.issuingState), the zone's is \(zone.issuingState)"
      return Step(.sealZone, .failed, .countryMismatch, "the seal's issuing state is \(states)")
    }
    return Step(.sealZone, .passed, nil, "the check digits of its zone are valid")
  }

  /// Compares the zones character by character (Doc 9303-8, appendix A). The seal belongs to one document, and others,
  /// such as a second visa, may be next to it. A visa may be on a page with the zone of a passport; any other seal that
  /// is next to a visa alone is of another document.
  private static func printedStep(_ zone: MachineReadableZone?, _ printed: [MachineReadableZone]) -> Step {
    let unread = Step(.printedZone, .notChecked, .zoneNotRead, "the zone of its document was not read")
    guard let zone else { return unread }
    let own = printed.filter { $0.format.isVisa == zone.format.isVisa }
    let compared = own.isEmpty && !zone.format.isVisa ? printed : own
    if compared.isEmpty { return unread }
    // The optional data of a visa are not in its seal (9303-7, 9.1.3).
    func signed(_ zone: MachineReadableZone) -> [Substring] {
      [zone.lines[0][...], zone.format.isVisa ? zone.lines[1].prefix(28) : zone.lines[1][...]]
    }
    let fields: [MRZField] = [
      .documentCode, .issuingState, .name, .documentNumber, .nationality, .dateOfBirth, .sex, .dateOfExpiry,
    ]
    if compared.contains(where: { $0.format == zone.format && signed($0) == signed(zone) }) {
      return Step(.printedZone, .passed, nil, "the printed zone matches the seal")
    }
    let other = compared[0]
    func text(_ field: MRZField, of zone: MachineReadableZone) -> [[UInt8]] {
      zone.spans(of: field).map { Array(Array(zone.lines[$0.line].utf8)[$0.columns]) }
    }
    let names = fields.filter { text($0, of: zone) != text($0, of: other) }.map(\.rawValue)
    return Step(
      .printedZone, .failed, .zoneDiffers,
      "the seal is of another document: \(names.isEmpty ? "the zones differ" : names.joined(separator: ", "))")
  }

  /// Doc 9303-7, 9.4: the seal of a visa has the number of the passport that it is in.
  private static func passportStep(_ number: String, _ printed: [MachineReadableZone]) -> Step {
    let passports = printed.filter { !$0.format.isVisa }
    if passports.isEmpty {
      return Step(.passportNumber, .notChecked, .zoneNotRead, "the zone of the passport was not read")
    }
    let isSame = passports.contains { $0.documentNumber == String(number.map { $0 == " " ? "<" : $0 }) }
    return isSame
      ? Step(.passportNumber, .passed, nil, "the visa is for this passport")
      : Step(.passportNumber, .failed, .passportDiffers, "the visa is for another passport")
  }

  public var jsonValue: JSONValue {
    [
      "content": seal?.jsonValue ?? .null, "mrz": zone?.jsonValue ?? .null, "verdict": .string(verdict.rawValue),
      "validity": .string(validity.rawValue), "steps": steps.jsonValue, "signer": signer?.jsonValue ?? .null,
      "anchor": anchor?.jsonValue ?? .null, "weaknesses": .array(weaknesses.map { .string($0.rawValue) }),
      "leniencies": .array(leniencies.map { .string($0.rawValue) }),
    ]
  }
}

extension PassiveAuthentication.StepName {
  fileprivate var isValidity: Bool { Self.validity.contains(self) }

  /// The seal can be decoded.
  public static let sealFormat = Self(rawValue: "format")
  /// The features are those of its profile.
  public static let sealFeatures = Self(rawValue: "features")
  /// The zone in the seal is right.
  public static let sealZone = Self(rawValue: "zone")
  /// The zone on the document is the one in the seal.
  public static let printedZone = Self(rawValue: "printed-zone")
  /// The visa is in the passport that its seal names.
  public static let passportNumber = Self(rawValue: "passport-number")
}
