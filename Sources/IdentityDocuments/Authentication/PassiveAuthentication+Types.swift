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
  public struct Reason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let sodMissing = Self(rawValue: "sod-missing")
    public static let sodDamaged = Self(rawValue: "sod-damaged")
    public static let signatureWrong = Self(rawValue: "signature-wrong")
    public static let contentChanged = Self(rawValue: "content-changed")
    public static let unsupportedAlgorithm = Self(rawValue: "unsupported-algorithm")
    public static let signerCertificateMissing = Self(rawValue: "signer-certificate-missing")
    public static let hashWrong = Self(rawValue: "hash-wrong")
    public static let dataGroupNotInSOD = Self(rawValue: "data-group-not-in-sod")
    public static let dataGroupMissing = Self(rawValue: "data-group-missing")
    public static let noTrustAnchor = Self(rawValue: "no-trust-anchor")
    public static let chainSignatureWrong = Self(rawValue: "chain-signature-wrong")
    public static let noSigningTime = Self(rawValue: "no-signing-time")
    public static let certificateExpired = Self(rawValue: "certificate-expired")
    public static let certificateNotYetValid = Self(rawValue: "certificate-not-yet-valid")
    public static let countryMismatch = Self(rawValue: "country-mismatch")
    public static let countryUnknown = Self(rawValue: "country-unknown")
    public static let revoked = Self(rawValue: "revoked")
    public static let noRevocationList = Self(rawValue: "no-revocation-list")
    public static let revocationListOutdated = Self(rawValue: "revocation-list-outdated")
    public static let revocationListSignatureWrong = Self(rawValue: "revocation-list-signature-wrong")
    public static let weakSignatureDigest = Self(rawValue: "weak-signature-digest")
    public static let weakHash = Self(rawValue: "weak-hash")
    public static let weakKey = Self(rawValue: "weak-key")
    /// An algorithm, a key or a parameter that no policy accepts.
    public static let brokenAlgorithm = Self(rawValue: "broken-algorithm")

    // Of signed data.
    public static let severalSigners = Self(rawValue: "several-signers")
    public static let signerNotIdentified = Self(rawValue: "signer-not-identified")
    public static let signerNameDiffers = Self(rawValue: "signer-name-differs")
    public static let signedAttributesMissing = Self(rawValue: "signed-attributes-missing")
    public static let signedAttributesWrong = Self(rawValue: "signed-attributes-wrong")
    public static let signedAttributesUnsorted = Self(rawValue: "signed-attributes-unsorted")
    public static let digestsDiffer = Self(rawValue: "digests-differ")
    public static let signedDataDamaged = Self(rawValue: "signed-data-damaged")
    /// EF.SOD signs its list of hashes as another content type than Doc 9303-10 defines.
    public static let contentTypeDiffers = Self(rawValue: "content-type-differs")
    // Of data groups.
    public static let mandatoryDataGroupNotInSOD = Self(rawValue: "mandatory-data-group-not-in-sod")
    public static let commonMissing = Self(rawValue: "com-missing")
    public static let commonDamaged = Self(rawValue: "com-damaged")
    public static let commonDiffers = Self(rawValue: "com-differs")
    // Of certificates.
    public static let certificateDamaged = Self(rawValue: "certificate-damaged")
    public static let certificateVersionOld = Self(rawValue: "certificate-version-old")
    public static let serialNumberWrong = Self(rawValue: "serial-number-wrong")
    public static let timeFormWrong = Self(rawValue: "time-form-wrong")
    public static let subjectCountryMissing = Self(rawValue: "subject-country-missing")
    public static let algorithmsDiffer = Self(rawValue: "algorithms-differ")
    public static let extensionTwice = Self(rawValue: "extension-twice")
    public static let extensionDamaged = Self(rawValue: "extension-damaged")
    public static let criticalExtensionUnknown = Self(rawValue: "critical-extension-unknown")
    public static let keyUsageMissing = Self(rawValue: "key-usage-missing")
    public static let keyUsageNotCritical = Self(rawValue: "key-usage-not-critical")
    public static let keyUsageWrong = Self(rawValue: "key-usage-wrong")
    public static let signerIsAuthority = Self(rawValue: "signer-is-authority")
    public static let basicConstraintsMissing = Self(rawValue: "basic-constraints-missing")
    public static let basicConstraintsNotCritical = Self(rawValue: "basic-constraints-not-critical")
    public static let notAnAuthority = Self(rawValue: "not-an-authority")
    public static let authorityUnclear = Self(rawValue: "authority-unclear")
    /// A defect in the form of a trust anchor's own certificate, of which validation uses only the name and the key (RFC
    /// 5280, 6.1.1 (d)).
    public static let anchorIrregular = Self(rawValue: "anchor-irregular")
    public static let pathTooLong = Self(rawValue: "path-too-long")
    public static let nameNotPermitted = Self(rawValue: "name-not-permitted")
    public static let extendedKeyUsageWrong = Self(rawValue: "extended-key-usage-wrong")
    public static let keyIdentifierWrong = Self(rawValue: "key-identifier-wrong")
    public static let authorityKeyIdentifierMissing = Self(rawValue: "authority-key-identifier-missing")
    public static let issuerNameDiffers = Self(rawValue: "issuer-name-differs")
    public static let documentTypesMissing = Self(rawValue: "document-types-missing")
    public static let documentTypeWrong = Self(rawValue: "document-type-wrong")
    public static let privateKeyUsageMissing = Self(rawValue: "private-key-usage-missing")
    public static let privateKeyUsageOver = Self(rawValue: "private-key-usage-over")
    public static let signingTimeInFuture = Self(rawValue: "signing-time-in-future")
    public static let signedOutsideValidity = Self(rawValue: "signed-outside-validity")
    // Of revocation lists.
    public static let revocationListDamaged = Self(rawValue: "revocation-list-damaged")
    public static let revocationListUnsupported = Self(rawValue: "revocation-list-unsupported")
    public static let revocationListInFuture = Self(rawValue: "revocation-list-in-future")
    public static let revocationListOld = Self(rawValue: "revocation-list-old")
  }

  /// The overall result of the steps.
  public struct Verdict: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The signature, EF.DG1 and EF.DG2, the chain to an anchor, the country and, if present, EF.CardSecurity passed,
    /// and nothing failed except ``PassiveAuthentication/validity``.
    public static let authentic = Self(rawValue: "authentic")
    /// The signature and the hashes passed and nothing failed, but there is no anchor: anyone may have signed.
    public static let validWithoutAnchor = Self(rawValue: "valid-without-anchor")
    /// A step failed.
    public static let invalid = Self(rawValue: "invalid")
    /// Not enough could be checked.
    public static let notChecked = Self(rawValue: "not-checked")

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
