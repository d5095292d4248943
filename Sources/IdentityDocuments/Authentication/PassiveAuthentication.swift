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
  public let verdict: Verdict
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
  /// Algorithms in use that are no longer sound: ``Reason/weakSignatureDigest``, ``Reason/weakHash``,
  /// ``Reason/weakKey``. Old documents have them, so that they change no step.
  public private(set) var weaknesses: [Reason] = []

  /// Checks what was read from a chip. Nothing is thrown: what cannot be read cannot be checked, and a step says so.
  ///
  /// - Parameters:
  ///   - trust: the certificates that are trusted.
  ///   - date: against which certificates and revocation lists are checked.
  ///   - issuingState: as the document's machine readable zone has it, such as `D` or `UTO`; if nil, that of EF.DG1.
  public init(_ chip: ChipContents, trust: TrustStore, date: DateTime, issuingState: String? = nil) {
    let sod: DocumentSecurityObject
    switch chip.documentSecurity {
    case nil:
      steps = [Step(.signature, .notChecked, .sodMissing, "the chip has no EF.SOD")]
      verdict = .notChecked
      return
    case .failure(let error):
      steps = [Step(.signature, .failed, .sodDamaged, error.message)]
      verdict = .invalid
      return
    case .success(let object): sod = object
    }
    var steps = [Self.signatureStep(sod)]
    steps += Self.hashSteps(sod.content, chip.files)
    let chain = CertificateChain(of: sod, trust: trust, date: date)
    steps.append(chain.step)
    steps += Self.validitySteps(sod, chain: chain, date: date)
    let state = issuingState ?? (try? chip.dataGroup1?.get().issuingState)
    steps.append(Self.countryStep(sod.signerCertificate, anchor: chain.anchor, issuingState: state))
    steps.append(Self.revocationStep(sod.signerCertificate, chain: chain, trust: trust, date: date))

    self.steps = steps
    verdict = Verdict(of: steps)
    signer = sod.signerCertificate
    anchor = chain.anchor
    path = chain.path
    signatureAlgorithm = sod.signatureAlgorithm
    digestAlgorithm = sod.digestAlgorithm
    hashAlgorithm = AlgorithmName.digests[sod.content.hashAlgorithm] ?? sod.content.hashAlgorithm
    signingTime = sod.signingTime
    weaknesses = Self.weaknesses(sod, chain: chain)
  }

  /// Why the verdict is what it is: part of a sentence, for people.
  public var explanation: String {
    switch verdict {
    case .authentic: "a trusted certificate of \(anchor?.country ?? "its state") signed it"
    case .validWithoutAnchor:
      "the signature and the hashes are right, but \(step(.chain)?.text ?? "nobody knows who signed")"
    default:
      steps.first { $0.status == (verdict == .invalid ? .failed : .notChecked) }?.text ?? "too little could be checked"
    }
  }

  /// The first step of a name.
  public func step(_ name: StepName) -> Step? { steps.first { $0.name == name } }
}
