/// Passive authentication of a chip's data (ICAO Doc 9303-11, 5.1; 9303-12, 7).
///
/// ```swift
/// let chip = try ChipFiles(folder: "chip")
/// let result = PassiveAuthentication(ChipContents(chip), trust: try TrustStore(folder: "trust"), date: date)
/// if result.verdict == .authentic { … }
/// ```
///
/// It proves that a state signed these data: those of the data groups whose hash step passed. It does not prove that
/// the data are on the chip that they were signed for: a copied chip passes too.
public struct PassiveAuthentication: Sendable, JSONConvertible {
  /// The checks in the order performed; only the first if EF.SOD cannot be read.
  public let steps: [Step]
  /// Whether the data are genuine.
  public let verdict: Verdict
  /// Whether the certificates of the document signer and above are in date. Expiry does not affect authenticity.
  public let validity: CheckStatus
  /// The document signer's certificate.
  public private(set) var signer: Certificate?
  /// The anchor that the signer's certificate chains to.
  public private(set) var anchor: TrustAnchor?
  /// The path from the signer's certificate to the one that the anchor signed; usually one certificate.
  public private(set) var path: [Certificate] = []
  /// The signature algorithm, such as `ECDSA`.
  public private(set) var signatureAlgorithm: String?
  /// The signature's digest algorithm, such as `SHA-256`.
  public private(set) var digestAlgorithm: String?
  /// The hash algorithm of the data groups, such as `SHA-256`.
  public private(set) var hashAlgorithm: String?
  public private(set) var signingTime: DateTime?
  /// Weak algorithms in use that the policy warns about: ``Reason/weakSignatureDigest``, ``Reason/weakHash``,
  /// ``Reason/weakKey``.
  public private(set) var weaknesses: [Reason] = []
  /// Violations that the policy forgave.
  public private(set) var leniencies: [Reason] = []
  /// Deviations and defects that the issuer has published and that may apply to this chip.
  public private(set) var deviations: [Deviation] = []

  /// Authenticates the contents of a chip. Never throws; unreadable data are reported by a step.
  ///
  /// - Parameters:
  ///   - trust: the trusted certificates.
  ///   - date: the time at which certificates and revocation lists are checked: a second, or a whole day
  ///     (``DateTime/isWholeDay``).
  ///   - issuingState: as in the document's machine-readable zone, such as `D` or `UTO`; nil uses that of EF.DG1.
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
    let hashes = Self.hashSteps(sod.content, chip.files)
    steps += hashes
    steps.append(Self.dataGroupsStep(sod.content, chip.files))
    steps.append(Self.commonStep(sod.content, chip.common))
    steps += signed.pathSteps
    steps.append(Self.countryStep(signed.path, issuingState: state))
    steps.append(Revocation.step(signed.path, trust: trust, date: date, policy: policy))
    let signerState = signed.signer.flatMap { $0.subject.state ?? $0.issuer.state }
    steps += Self.cardSecuritySteps(
      chip.cardSecurity, issuingState: signerState ?? state, documentCode: zone?.documentCode, trust: trust, date: date,
      policy: policy)

    self.steps = steps
    verdict = Verdict(of: steps, hashes: hashes)
    validity = .worst(steps.filter { StepName.validity.contains($0.name) }.map(\.status))
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

  /// Passed if the chip is genuine and in date, failed if it is invalid or out of date, otherwise not checked.
  public var status: CheckStatus { verdict.status(isInDate: validity != .failed) }

  /// Explains the verdict as part of a sentence for people.
  public var explanation: String {
    switch verdict {
    case .authentic:
      "a trusted certificate of \(anchor?.country ?? "its state") signed it" + (outOfDate.map { ", but \($0)" } ?? "")
    case .validWithoutAnchor:
      "the signature and the hashes are valid, but \(step(.chain)?.text ?? Self.noAnchor)"
    case .invalid, .notChecked:
      steps.first {
        $0.status == (verdict == .invalid ? .failed : .notChecked) && !StepName.validity.contains($0.name)
      }?.text ?? "too little could be checked"
    }
  }

  /// Why a certificate is out of date; nil if none is, or if that was not checked.
  public var outOfDate: String? { steps.first { $0.status == .failed && StepName.validity.contains($0.name) }?.text }

  /// Returns the first step with a name.
  public func step(_ name: StepName) -> Step? { steps.first { $0.name == name } }

  public var jsonValue: JSONValue {
    [
      "verdict": .string(verdict.rawValue), "validity": .string(validity.rawValue), "steps": steps.jsonValue,
      "signer": signer?.jsonValue ?? .null, "anchor": anchor?.jsonValue ?? .null, "path": path.jsonValue,
      "signatureAlgorithm": .optional(signatureAlgorithm), "digestAlgorithm": .optional(digestAlgorithm),
      "hashAlgorithm": .optional(hashAlgorithm), "signingTime": .optional(signingTime?.description),
      "weaknesses": .array(weaknesses.map { .string($0.rawValue) }),
      "leniencies": .array(leniencies.map { .string($0.rawValue) }),
      "deviations": .array(
        deviations.map { ["types": .array($0.types.map(JSONValue.string)), "source": .string($0.source)] }),
    ]
  }
}
