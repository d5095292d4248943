/// How strictly passive authentication goes by its rules.
///
/// ```swift
/// var policy = AuthenticationPolicy.standard
/// policy.leniencies.remove(.documentTypesMissing)
/// ```
public struct AuthenticationPolicy: Sendable {
  /// What is forgiven. Only ``forgivable`` reasons can be; others in it have no effect. What was forgiven stands in
  /// ``PassiveAuthentication/leniencies``.
  public var leniencies: Set<PassiveAuthentication.Reason>
  /// What is done about weak algorithms; the last rule that applies decides, and without one all are accepted.
  public var algorithms: [AlgorithmRule]
  /// How many days old a revocation list may be: a state issues one at least every 90 days, also if nothing was revoked
  /// (Doc 9303-12; ICAO PKD, "Certificate Revocation Lists").
  public var maximumRevocationListAge = 90

  /// Forgives what certificates and chips in circulation lack: see docs/passive-authentication.md.
  public static let standard = Self(
    leniencies: forgivable, algorithms: AlgorithmRule.all(.warn) + [.sha1, .otherDigests].flatMap(AlgorithmRule.recent))

  /// Forgives nothing, and refuses whatever Doc 9303-12, 4.4, does not permit.
  public static let strict = Self(leniencies: [], algorithms: AlgorithmRule.all(.refuse))

  /// Old or careless, but no way to a forgery for anyone without an issuer's key.
  public static let forgivable: Set<PassiveAuthentication.Reason> = [
    .keyUsageMissing, .keyUsageNotCritical, .basicConstraintsMissing, .basicConstraintsNotCritical, .authorityUnclear,
    .authorityKeyIdentifierMissing, .privateKeyUsageMissing, .documentTypesMissing, .issuerNameDiffers,
    .signerNameDiffers, .signedAttributesMissing, .signedAttributesUnsorted, .digestsDiffer, .certificateVersionOld,
  ]
}

/// What is done about a weak algorithm at one place, for what was signed on a day or later.
public struct AlgorithmRule: Sendable, Hashable {
  public enum Weakness: String, Sendable, CaseIterable {
    /// Chosen-prefix collisions are affordable since January 2020 (Leurent and Peyrin, IACR ePrint 2020/014).
    case sha1 = "sha-1"
    /// RIPEMD, SHAKE, SHA-3 and all others that Doc 9303-12, 4.4, does not name.
    case otherDigests = "other-digests"
    /// RSA and DSA below 2048 bits, elliptic curves below 224: under the minimum of Doc 9303-12, 4.4, and under 112 bits
    /// of strength (NIST SP 800-57 part 1, table 2).
    case shortKey = "short-key"
  }

  public enum Place: String, Sendable, CaseIterable {
    /// Signature or key of a certificate.
    case certificate
    /// The signature of EF.SOD.
    case signature
    /// The hashes of the data groups.
    case hashList = "hash-list"
  }

  public enum Action: String, Sendable {
    case accept
    /// Named in ``PassiveAuthentication/weaknesses``.
    case warn
    case refuse
  }

  public var weakness: Weakness
  public var place: Place
  /// Nil: for all that was ever signed. EF.SOD and its hashes count as signed at the signing time, but not before the
  /// signer's certificate began; a certificate as signed when it began.
  public var from: CalendarDate?
  public var action: Action

  public init(_ weakness: Weakness, in place: Place, from: CalendarDate? = nil, _ action: Action) {
    self.weakness = weakness
    self.place = place
    self.from = from
    self.action = action
  }

  static func all(_ action: Action) -> [Self] {
    Weakness.allCases.flatMap { weakness in Place.allCases.map { Self(weakness, in: $0, action) } }
  }

  /// The day from which on a digest is refused at every place: see ``Weakness/sha1``.
  static func recent(_ weakness: Weakness) -> [Self] {
    Place.allCases.map { Self(weakness, in: $0, from: CalendarDate(validYear: 2020, month: 1, day: 1), .refuse) }
  }
}

/// Weak algorithms that one chip uses.
struct AlgorithmFindings {
  /// Refused, by the policy or in any case.
  private(set) var refused: [Violation] = []
  private(set) var weaknesses: [PassiveAuthentication.Reason] = []
  private let rules: [AlgorithmRule]

  init(_ policy: AuthenticationPolicy) { rules = policy.algorithms }

  /// - Parameter isCertified: whether the path from it ends at an anchor. Of other keys it is not computed whether they are
  ///   sound: a forger could choose one with which that takes long.
  mutating func add(_ certificate: Certificate, isCertified: Bool) {
    let name = "the certificate of \(certificate.subject)"
    add(certificate.algorithm, in: .certificate, at: certificate.validFrom, name, reason: .weakSignatureDigest)
    addKey(of: certificate)
    if isCertified, !PublicKeyInfo.isSound(certificate.publicKey) {
      never("\(name) has a key that is none: a modulus or a point as no key has")
    }
  }

  mutating func addKey(of certificate: Certificate) {
    let (name, day) = ("the certificate of \(certificate.subject)", certificate.validFrom)
    guard let key = certificate.publicKeyInfo else {
      refused.append(Violation(.brokenAlgorithm, "\(name) has a key that cannot be read"))
      return
    }
    let isElliptic = key.algorithm == "EC"
    // Below 1024 bits a single office breaks RSA (RSA-768 fell in 2009); an exponent of 1 signs nothing.
    if !isElliptic, key.bits < 1024 { never("\(name) has a key of \(key.bits) bits") }
    if key.hasGoodExponent == false { never("\(name) has a key with an exponent that is even or 1") }
    if isElliptic, key.curve == nil { never("\(name) has a key on a curve that is none of the known ones") }
    // 80 bits of strength, as RSA of 1024 bits (NIST SP 800-57 part 1, table 2); a curve of 112 bits was broken in 2009.
    if isElliptic, key.bits < 160 { never("\(name) has a key on a curve of \(key.bits) bits") }
    if key.bits < (isElliptic ? 224 : 2048) {
      add(.shortKey, in: .certificate, at: day, "\(name) has a key of \(key.bits) bits", reason: .weakKey)
    }
  }

  mutating func add(
    _ algorithm: SignatureAlgorithm, in place: AlgorithmRule.Place, at time: DateTime, _ name: String,
    reason: PassiveAuthentication.Reason
  ) {
    if let problem = algorithm.parameterProblem { never("\(name): \(problem)") }
    if let digest = algorithm.digest { add(digest, in: place, at: time, name, reason: reason) }
  }

  mutating func add(
    _ digest: DigestAlgorithm, in place: AlgorithmRule.Place, at time: DateTime, _ name: String,
    reason: PassiveAuthentication.Reason
  ) {
    if digest.isBroken { never("\(name) uses \(digest)") }
    if digest.isPermitted || digest.isBroken { return }
    add(
      digest.name == "SHA-1" ? .sha1 : .otherDigests, in: place, at: time, "\(name) uses \(digest)", reason: reason)
  }

  private mutating func never(_ text: String) { refused.append(Violation(.brokenAlgorithm, text)) }

  private mutating func add(
    _ weakness: AlgorithmRule.Weakness, in place: AlgorithmRule.Place, at time: DateTime, _ text: String,
    reason: PassiveAuthentication.Reason
  ) {
    let rule = rules.last {
      $0.weakness == weakness && $0.place == place && ($0.from.map { $0 <= time.calendarDate } ?? true)
    }
    switch rule?.action ?? .accept {
    case .accept: break
    case .warn: if !weaknesses.contains(reason) { weaknesses.append(reason) }
    case .refuse: refused.append(Violation(reason, text))
    }
  }
}
