/// How strictly passive authentication applies its rules.
///
/// ```swift
/// var policy = AuthenticationPolicy.standard
/// policy.leniencies.remove(.documentTypesMissing)
/// ```
public struct AuthenticationPolicy: Sendable, Hashable {
  /// Violations that are forgiven. Only ``forgivable`` reasons have an effect; those forgiven are listed in
  /// ``PassiveAuthentication/leniencies``.
  public var leniencies: Set<PassiveAuthentication.Reason>
  /// Rules for weak algorithms. The last rule that applies decides; without one, all are accepted.
  public var algorithms: [AlgorithmRule]
  /// Maximum age of a revocation list in days: a state issues one at least every 90 days, even if nothing was revoked
  /// (Doc 9303-12; ICAO PKD, "Certificate Revocation Lists").
  public var maximumRevocationListAge = 90

  /// Forgives common omissions of certificates and chips in circulation: see docs/passive-authentication.md.
  public static let standard = Self(
    leniencies: forgivable, algorithms: AlgorithmRule.all(.warn) + [.sha1, .otherDigests].flatMap(AlgorithmRule.recent))

  /// Forgives nothing, and refuses every algorithm that Doc 9303-12, 4.4, does not permit.
  public static let strict = Self(leniencies: [], algorithms: AlgorithmRule.all(.refuse))

  /// Outdated or careless practice that does not help to forge a document without an issuer's key.
  public static let forgivable: Set<PassiveAuthentication.Reason> = [
    .keyUsageMissing, .keyUsageNotCritical, .basicConstraintsMissing, .basicConstraintsNotCritical, .authorityUnclear,
    .authorityKeyIdentifierMissing, .privateKeyUsageMissing, .documentTypesMissing, .issuerNameDiffers,
    .signerNameDiffers, .signedAttributesMissing, .signedAttributesUnsorted, .digestsDiffer, .certificateVersionOld,
    .timeFormWrong, .subjectCountryMissing, .serialNumberWrong, .keyIdentifierWrong, .anchorIrregular,
    .contentTypeDiffers,
  ]
}

/// The action for a weak algorithm at one place, for signatures made on or after a day.
public struct AlgorithmRule: Sendable, Hashable, JSONTable {
  public enum Weakness: String, Sendable, CaseIterable {
    /// Chosen-prefix collisions have been affordable since January 2020 (Leurent and Peyrin, IACR ePrint 2020/014).
    case sha1 = "sha-1"
    /// RIPEMD, SHAKE, SHA-3 and all others that Doc 9303-12, 4.4, does not name.
    case otherDigests = "other-digests"
    /// RSA and DSA below 2048 bits, elliptic curves below 224: below the minimum of Doc 9303-12, 4.4, and below 112
    /// bits of strength (NIST SP 800-57 part 1, table 2).
    case shortKey = "short-key"
  }

  public enum Place: String, Sendable, CaseIterable {
    /// The signature or key of a certificate.
    case certificate
    /// The signature of EF.SOD.
    case signature
    /// The hashes of the data groups.
    case hashList = "hash-list"
  }

  public enum Action: String, Sendable, CaseIterable {
    case accept
    /// Listed in ``PassiveAuthentication/weaknesses``.
    case warn
    case refuse
  }

  public var weakness: Weakness
  public var place: Place
  /// The first day of signing to which the rule applies; nil for all. EF.SOD and its hashes are dated by the signing
  /// time, but not before the signer certificate's validity begins; a certificate by the start of its validity.
  public var from: CalendarDate?
  public var action: Action

  public init(_ weakness: Weakness, in place: Place, from: CalendarDate? = nil, _ action: Action) {
    (self.weakness, self.place, self.from, self.action) = (weakness, place, from, action)
  }

  static func all(_ action: Action) -> [Self] {
    Weakness.allCases.flatMap { weakness in Place.allCases.map { Self(weakness, in: $0, action) } }
  }

  /// Returns rules that refuse a digest at every place if signed since 1 January 2020: see ``Weakness/sha1``.
  static func recent(_ weakness: Weakness) -> [Self] {
    Place.allCases.map { Self(weakness, in: $0, from: CalendarDate(validYear: 2020, month: 1, day: 1), .refuse) }
  }

  package static let subject = "a rule for algorithms"
  package static var blank: Self { Self(.sha1, in: .certificate, .refuse) }
  package static var memberTable: [JSONMember<Self>] {
    [
      .init("weakness", \.weakness, isRequired: true), .init("place", \.place, isRequired: true),
      .init("from", \.from), .init("action", \.action, isRequired: true),
    ]
  }
  public var jsonValue: JSONValue { tableJSON }
}

/// Weak algorithms that one chip uses.
struct AlgorithmFindings {
  /// Violations that are refused, by the policy or in any case.
  private(set) var refused: [Violation] = []
  private(set) var weaknesses: [PassiveAuthentication.Reason] = []
  private let rules: [AlgorithmRule]

  init(_ policy: AuthenticationPolicy) { rules = policy.algorithms }

  /// - Parameter isCertified: whether its path ends at an anchor. The soundness of other keys is not computed: a forger
  ///   could choose a key for which that takes long.
  mutating func add(_ certificate: Certificate, isCertified: Bool) {
    let name = "the certificate of \(certificate.subject)"
    add(certificate.algorithm, in: .certificate, at: certificate.validFrom, name)
    addKey(of: certificate)
    if isCertified, !PublicKeyInfo.isSound(certificate.publicKey) {
      never("\(name) has an invalid key: a modulus or a point that no key can have")
    }
  }

  mutating func addKey(of certificate: Certificate) {
    let (name, day) = ("the certificate of \(certificate.subject)", certificate.validFrom)
    guard let key = certificate.publicKeyInfo else { return never("\(name) has a key that cannot be read") }
    let isElliptic = key.algorithm == "EC"
    // A single organisation can break RSA below 1024 bits (RSA-768 fell in 2009); an exponent of 1 signs nothing.
    if !isElliptic, key.bits < 1024 { never("\(name) has a key of \(key.bits) bits") }
    if key.hasGoodExponent == false { never("\(name) has a key with an exponent that is even or 1") }
    if isElliptic, key.curve == nil { never("\(name) has a key on an unknown curve") }
    // 80 bits of strength, as RSA with 1024 bits (NIST SP 800-57 part 1, table 2); a 112-bit curve was broken in 2009.
    if isElliptic, key.bits < 160 { never("\(name) has a key on a curve of \(key.bits) bits") }
    if key.bits < (isElliptic ? 224 : 2048) {
      add(.shortKey, in: .certificate, at: day, "\(name) has a key of \(key.bits) bits")
    }
  }

  mutating func add(_ algorithm: SignatureAlgorithm, in place: AlgorithmRule.Place, at time: DateTime, _ name: String) {
    if let problem = algorithm.parameterProblem { never("\(name): \(problem)") }
    if let digest = algorithm.digest { add(digest, in: place, at: time, name) }
    // Collisions of the mask's digest do not help to forge (RFC 8017, 8.1): never one of the recent ones refused.
    if let mask = algorithm.maskDigest { add(mask, in: place, at: .distantPast, "the mask of \(name)") }
  }

  mutating func add(_ digest: DigestAlgorithm, in place: AlgorithmRule.Place, at time: DateTime, _ name: String) {
    if digest.isBroken { never("\(name) uses \(digest)") }
    if digest.isPermitted || digest.isBroken { return }
    add(digest.name == "SHA-1" ? .sha1 : .otherDigests, in: place, at: time, "\(name) uses \(digest)")
  }

  private mutating func never(_ text: String) { refused.append(Violation(.brokenAlgorithm, text)) }

  private mutating func add(
    _ weakness: AlgorithmRule.Weakness, in place: AlgorithmRule.Place, at time: DateTime, _ text: String
  ) {
    let reason: PassiveAuthentication.Reason =
      weakness == .shortKey ? .weakKey : place == .hashList ? .weakHash : .weakSignatureDigest
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

extension AuthenticationPolicy: JSONTable {
  package static let subject = "an authentication policy"
  package static var blank: Self { .strict }
  package static var memberTable: [JSONMember<Self>] {
    [
      .init("leniencies", \.leniencies, isRequired: true), .init("algorithms", \.algorithms, isRequired: true),
      .init("maximumRevocationListAge", \.maximumRevocationListAge, isRequired: true),
    ]
  }
  public var jsonValue: JSONValue { tableJSON }

  /// "standard" or "strict" for these presets, otherwise "custom".
  package var name: String { Self.presets.first { $0.1.jsonValue == jsonValue }?.0 ?? "custom" }
  private static var presets: [(String, Self)] { [("standard", .standard), ("strict", .strict)] }

  /// Decodes what ``jsonValue`` encodes, or the name of a preset.
  package init(_ json: JSONValue) throws {
    guard let name = json.string else {
      try self.init(members: json)
      return
    }
    guard let preset = Self.presets.first(where: { $0.0 == name }) else {
      throw VerifyError(.badArgument, "authentication is \"\(name.prefix(64))\"; use standard, strict or an object")
    }
    self = preset.1
  }
}

extension PassiveAuthentication.Reason: JSONMemberValue {}
extension AlgorithmRule.Weakness: JSONMemberValue {}
extension AlgorithmRule.Place: JSONMemberValue {}
extension AlgorithmRule.Action: JSONMemberValue {}
