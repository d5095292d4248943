extension PassiveAuthentication {
  /// A check of the chip's data.
  public typealias Step = Check<StepName>

  public struct StepName: CheckName {
    public typealias Reason = PassiveAuthentication.Reason

    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The document signer signed EF.SOD.
    public static let signature = Self(rawValue: "signature")
    /// EF.SOD is signed data that satisfy RFC 5652.
    public static let signedData = Self(rawValue: "signed-data")
    /// The hash of a data group matches the one in EF.SOD: `hash-dg1`.
    public static func hash(_ number: Int) -> Self { Self(rawValue: "hash-dg\(number)") }
    /// EF.DG1 and EF.DG2, which are mandatory, are present and in EF.SOD.
    public static let dataGroups = Self(rawValue: "data-groups")
    /// EF.COM lists the data groups of EF.SOD.
    public static let common = Self(rawValue: "com")
    /// EF.CardSecurity is signed by a document signer that satisfies the same rules.
    public static let cardSecurity = Self(rawValue: "card-security")
    /// A trusted CSCA signed the document signer's certificate.
    public static let chain = Self(rawValue: "chain")
    // The rules of path validation: see ``PathRule``.
    public static let certificateForm = Self(rawValue: "certificate-form")
    public static let criticalExtensions = Self(rawValue: "critical-extensions")
    public static let keyUsage = Self(rawValue: "key-usage")
    public static let basicConstraints = Self(rawValue: "basic-constraints")
    public static let pathLength = Self(rawValue: "path-length")
    public static let nameConstraints = Self(rawValue: "name-constraints")
    public static let extendedKeyUsage = Self(rawValue: "extended-key-usage")
    public static let keyIdentifiers = Self(rawValue: "key-identifiers")
    public static let issuerNames = Self(rawValue: "issuer-names")
    public static let documentType = Self(rawValue: "document-type")
    public static let privateKeyUsage = Self(rawValue: "private-key-usage")
    public static let signingTime = Self(rawValue: "signing-time")
    /// No algorithm and no key is refused.
    public static let algorithms = Self(rawValue: "algorithms")
    /// The document signer's certificate was valid when EF.SOD was signed.
    public static let signerValidityAtSigning = Self(rawValue: "signer-validity-at-signing")
    /// The document signer's certificate is valid on the given date.
    public static let signerValidity = Self(rawValue: "signer-validity")
    /// The CSCA's certificate is valid on the given date.
    public static let anchorValidity = Self(rawValue: "anchor-validity")
    /// The certificates of EF.CardSecurity are valid on the given date.
    public static let cardSecurityValidity = Self(rawValue: "card-security-validity")
    /// Expiry does not affect authenticity.
    static let validity = [signerValidity, anchorValidity, cardSecurityValidity]
    /// Document signer, CSCA and document are of one state.
    public static let country = Self(rawValue: "country")
    /// No certificate below the anchor was revoked.
    public static let revocation = Self(rawValue: "revocation")
  }

  /// Why a step did not pass.
  public enum Reason: String, Sendable, CaseIterable {
    case sodMissing = "sod-missing"
    case sodDamaged = "sod-damaged"
    case signatureWrong = "signature-wrong"
    case contentChanged = "content-changed"
    case unsupportedAlgorithm = "unsupported-algorithm"
    case signerCertificateMissing = "signer-certificate-missing"
    case hashWrong = "hash-wrong"
    case dataGroupNotInSOD = "data-group-not-in-sod"
    case dataGroupMissing = "data-group-missing"
    case noTrustAnchor = "no-trust-anchor"
    case chainSignatureWrong = "chain-signature-wrong"
    case noSigningTime = "no-signing-time"
    case certificateExpired = "certificate-expired"
    case certificateNotYetValid = "certificate-not-yet-valid"
    case countryMismatch = "country-mismatch"
    case countryUnknown = "country-unknown"
    case revoked
    case noRevocationList = "no-revocation-list"
    case revocationListOutdated = "revocation-list-outdated"
    case revocationListSignatureWrong = "revocation-list-signature-wrong"
    case weakSignatureDigest = "weak-signature-digest"
    case weakHash = "weak-hash"
    case weakKey = "weak-key"
    /// An algorithm, a key or a parameter that no policy accepts.
    case brokenAlgorithm = "broken-algorithm"

    // Of signed data.
    case severalSigners = "several-signers"
    case signerNotIdentified = "signer-not-identified"
    case signerNameDiffers = "signer-name-differs"
    case signedAttributesMissing = "signed-attributes-missing"
    case signedAttributesWrong = "signed-attributes-wrong"
    case signedAttributesUnsorted = "signed-attributes-unsorted"
    case digestsDiffer = "digests-differ"
    case signedDataDamaged = "signed-data-damaged"
    /// EF.SOD signs its list of hashes as another content type than Doc 9303-10 defines.
    case contentTypeDiffers = "content-type-differs"
    // Of data groups.
    case mandatoryDataGroupNotInSOD = "mandatory-data-group-not-in-sod"
    case commonMissing = "com-missing"
    case commonDamaged = "com-damaged"
    case commonDiffers = "com-differs"
    // Of certificates.
    case certificateDamaged = "certificate-damaged"
    case certificateVersionOld = "certificate-version-old"
    case serialNumberWrong = "serial-number-wrong"
    case timeFormWrong = "time-form-wrong"
    case subjectCountryMissing = "subject-country-missing"
    case algorithmsDiffer = "algorithms-differ"
    case extensionTwice = "extension-twice"
    case extensionDamaged = "extension-damaged"
    case criticalExtensionUnknown = "critical-extension-unknown"
    case keyUsageMissing = "key-usage-missing"
    case keyUsageNotCritical = "key-usage-not-critical"
    case keyUsageWrong = "key-usage-wrong"
    case signerIsAuthority = "signer-is-authority"
    case basicConstraintsMissing = "basic-constraints-missing"
    case basicConstraintsNotCritical = "basic-constraints-not-critical"
    case notAnAuthority = "not-an-authority"
    case authorityUnclear = "authority-unclear"
    /// A defect in the form of a trust anchor's own certificate, of which validation uses only the name and the key (RFC
    /// 5280, 6.1.1 (d)).
    case anchorIrregular = "anchor-irregular"
    case pathTooLong = "path-too-long"
    case nameNotPermitted = "name-not-permitted"
    case extendedKeyUsageWrong = "extended-key-usage-wrong"
    case keyIdentifierWrong = "key-identifier-wrong"
    case authorityKeyIdentifierMissing = "authority-key-identifier-missing"
    case issuerNameDiffers = "issuer-name-differs"
    case documentTypesMissing = "document-types-missing"
    case documentTypeWrong = "document-type-wrong"
    case privateKeyUsageMissing = "private-key-usage-missing"
    case privateKeyUsageOver = "private-key-usage-over"
    case signingTimeInFuture = "signing-time-in-future"
    case signedOutsideValidity = "signed-outside-validity"
    // Of revocation lists.
    case revocationListDamaged = "revocation-list-damaged"
    case revocationListUnsupported = "revocation-list-unsupported"
    case revocationListInFuture = "revocation-list-in-future"
    case revocationListOld = "revocation-list-old"
    // Of visible digital seals.
    case sealDamaged = "seal-damaged"
    /// The version, or the definition of the features, is unknown.
    case sealUnknown = "seal-unknown"
    /// The profile requires a newer version.
    case sealVersionOld = "seal-version-old"
    case testSeal = "test-seal"
    case issuedInFuture = "issued-in-future"
    case featureMissing = "feature-missing"
    case featureTwice = "feature-twice"
    case featureWrong = "feature-wrong"
    case sealZoneWrong = "seal-zone-wrong"
    case zoneNotRead = "zone-not-read"
    case zoneDiffers = "zone-differs"
    case passportDiffers = "passport-differs"
  }

  /// The overall result of the steps.
  public enum Verdict: String, Sendable, CaseIterable {
    /// The signature, EF.DG1 and EF.DG2, the chain to an anchor, the country and, if present, EF.CardSecurity passed,
    /// and nothing failed except ``PassiveAuthentication/validity``.
    case authentic
    /// The signature and the hashes passed and nothing failed, but there is no anchor: anyone may have signed.
    case validWithoutAnchor = "valid-without-anchor"
    /// A step failed.
    case invalid
    /// Not enough could be checked.
    case notChecked = "not-checked"

    /// Passed only if the chip is authenticated by a trust anchor and no certificate is out of date.
    func status(isInDate: Bool) -> CheckStatus {
      if self == .invalid || !isInDate { return .failed }
      return self == .authentic ? .passed : .notChecked
    }

    /// - Parameter hashes: the steps of the data groups' hashes, which `steps` also has.
    init(of steps: [Step], hashes: [Step]) {
      func status(_ name: StepName) -> CheckStatus { steps.first { $0.name == name }?.status ?? .notChecked }
      if steps.contains(where: { $0.status == .failed && !StepName.validity.contains($0.name) }) {
        self = .invalid
      } else if status(.signature) != .passed || !hashes.contains(where: { $0.status == .passed }) {
        self = .notChecked
      } else if status(.chain) != .passed {
        self = .validWithoutAnchor
      } else {
        let needed = steps.filter { [StepName.country, .dataGroups, .cardSecurity].contains($0.name) }
        self = needed.allSatisfy { $0.status == .passed } ? .authentic : .notChecked
      }
    }
  }
}
