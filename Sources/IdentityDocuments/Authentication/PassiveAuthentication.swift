/// Whether a chip's data are genuine: passive authentication (ICAO Doc 9303-11, 5.1; 9303-12, 7).
///
/// ```swift
/// let chip = try ChipFiles(folder: "chip")
/// let result = PassiveAuthentication(ChipContents(chip), trust: try TrustStore(folder: "trust"), date: date)
/// if result.verdict == .authentic { … }
/// ```
///
/// It tells that a state signed these data: those of the data groups whose hash step passed. It does not tell that they
/// lie on the chip they were signed for: a copied chip passes too.
public struct PassiveAuthentication: Sendable {
  /// What was checked, in the order in which it was done. If EF.SOD cannot be read, there is only the first.
  public let steps: [Step]
  /// Whether it is genuine.
  public let verdict: Verdict
  /// Whether it is in date: the certificates of the document signer and above. An expired passport is still a genuine one.
  public let validity: CheckStatus
  /// The document signer's certificate.
  public private(set) var signer: Certificate?
  /// The anchor that the signer's certificate chains to.
  public private(set) var anchor: TrustAnchor?
  /// The certificates from the signer's to the one that the anchor signed; mostly there is one.
  public private(set) var path: [Certificate] = []
  /// The signature's algorithm, such as `ECDSA`.
  public private(set) var signatureAlgorithm: String?
  /// The digest under the signature, such as `SHA-256`.
  public private(set) var digestAlgorithm: String?
  /// The algorithm of the data groups' hashes, such as `SHA-256`.
  public private(set) var hashAlgorithm: String?
  public private(set) var signingTime: DateTime?
  /// Algorithms in use that are no longer sound, and that the policy warns of: ``Reason/weakSignatureDigest``,
  /// ``Reason/weakHash``, ``Reason/weakKey``.
  public private(set) var weaknesses: [Reason] = []
  /// What a step would have failed for, had the policy not forgiven it.
  public private(set) var leniencies: [Reason] = []
  /// Deviations and defects that the issuer has published and that may concern this chip.
  public private(set) var deviations: [Deviation] = []

  /// Checks what was read from a chip. Nothing is thrown: what cannot be read cannot be checked, and a step says so.
  ///
  /// - Parameters:
  ///   - trust: the certificates that are trusted.
  ///   - date: against which certificates and revocation lists are checked: to the second, or for a whole day
  ///     (``DateTime/isWholeDay``).
  ///   - issuingState: as the document's machine readable zone has it, such as `D` or `UTO`; if nil, that of EF.DG1.
  public init(
    _ chip: ChipContents, trust: TrustStore, date: DateTime, issuingState: String? = nil,
    policy: AuthenticationPolicy = .standard
  ) {
    let sod: DocumentSecurityObject
    switch chip.documentSecurity {
    case nil:
      steps = [Step(.signature, .notChecked, .sodMissing, "the chip has no EF.SOD")]
      (verdict, validity) = (.notChecked, .notChecked)
      return
    case .failure(let error):
      steps = [Step(.signature, .failed, .sodDamaged, error.message)]
      (verdict, validity) = (.invalid, .notChecked)
      return
    case .success(let object): sod = object
    }
    let trust = trust.judged(on: date, by: policy)
    let zone = try? chip.dataGroup1?.get()
    let state = issuingState ?? zone?.issuingState
    let signed = SignatureReport(
      sod.signedData, of: .documents, trust: trust, date: date, documentCode: zone?.documentCode, policy: policy,
      hashList: sod.content.hashAlgorithm)
    var steps = signed.signatureSteps
    steps += Self.hashSteps(sod.content, chip.files)
    steps.append(Self.dataGroupsStep(sod.content, chip.files))
    steps.append(Self.commonStep(sod.content, chip.common))
    steps += signed.pathSteps
    steps.append(Self.countryStep(signed.path, issuingState: state))
    steps.append(Revocation.step(signed.path, trust: trust, date: date, policy: policy))
    let signerState = signed.signer.flatMap { $0.subject.state ?? $0.issuer.state }
    steps += Self.cardSecuritySteps(
      chip.cardSecurity, issuingState: signerState ?? state, trust: trust, date: date, policy: policy)

    self.steps = steps
    verdict = Verdict(of: steps)
    let dates = steps.filter { StepName.validity.contains($0.name) }.map(\.status)
    validity = dates.contains(.failed) ? .failed : dates.contains(.notChecked) ? .notChecked : .passed
    signer = signed.signer
    anchor = signed.path?.anchor
    path = signed.path?.certificates ?? []
    signatureAlgorithm = sod.signatureAlgorithm
    digestAlgorithm = sod.digestAlgorithm
    hashAlgorithm = sod.content.hashAlgorithm.name
    signingTime = sod.signingTime
    weaknesses = signed.weaknesses
    leniencies = signed.leniencies
    deviations = signed.signer.map { trust.deviations(of: $0) } ?? []
  }

  /// What a decision may rest on: passed if the chip is genuine and in date, failed if it is not.
  public var status: CheckStatus {
    if verdict == .invalid || validity == .failed { return .failed }
    return verdict == .authentic && validity == .passed ? .passed : .notChecked
  }

  /// Why the verdict is what it is: part of a sentence, for people.
  public var explanation: String {
    switch verdict {
    case .authentic:
      "a trusted certificate of \(anchor?.country ?? "its state") signed it"
        + (outOfDate.map { ", but \($0)" } ?? "")
    case .validWithoutAnchor:
      "the signature and the hashes are right, but \(step(.chain)?.text ?? "nobody knows who signed")"
    default:
      steps.first {
        $0.status == (verdict == .invalid ? .failed : .notChecked) && !StepName.validity.contains($0.name)
      }?.text ?? "too little could be checked"
    }
  }

  /// Why it is not in date; nil if it is, or if that was not checked.
  public var outOfDate: String? {
    steps.first { $0.status == .failed && StepName.validity.contains($0.name) }?.text
  }

  /// The first step of a name.
  public func step(_ name: StepName) -> Step? { steps.first { $0.name == name } }
}
