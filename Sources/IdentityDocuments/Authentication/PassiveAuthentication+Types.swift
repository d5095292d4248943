extension PassiveAuthentication {
  /// One check and what it found.
  public struct Step: Sendable, Hashable {
    public let name: StepName
    public let status: CheckStatus
    /// Why it did not pass; nil if it did.
    public let reason: Reason?
    /// One line.
    public let text: String

    init(_ name: StepName, _ status: CheckStatus, _ reason: Reason?, _ text: String) {
      self.name = name
      self.status = status
      self.reason = reason
      self.text = RegularFile.oneLine(text)
    }
  }

  public struct StepName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The document signer signed EF.SOD.
    public static let signature = Self(rawValue: "signature")
    /// The hash of a data group, 1 to 16, is the one in EF.SOD: `hash-dg1`.
    public static func hash(_ number: Int) -> Self { Self(rawValue: "hash-dg\(number)") }
    /// A trusted CSCA signed the document signer's certificate.
    public static let chain = Self(rawValue: "chain")
    /// The document signer's certificate was valid when EF.SOD was signed.
    public static let signerValidityAtSigning = Self(rawValue: "signer-validity-at-signing")
    /// The document signer's certificate is valid at the date that was given.
    public static let signerValidity = Self(rawValue: "signer-validity")
    /// The CSCA's certificate is valid at the date that was given.
    public static let anchorValidity = Self(rawValue: "anchor-validity")
    /// Document signer, CSCA and document are of one state.
    public static let country = Self(rawValue: "country")
    /// The CSCA has not revoked the document signer's certificate.
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
  }

  /// What the steps together say.
  public struct Verdict: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The signature, the hashes, the chain to an anchor and the country passed, and nothing failed.
    public static let authentic = Self(rawValue: "authentic")
    /// The signature and the hashes passed and nothing failed, but no anchor is there: anybody may have signed.
    public static let validWithoutAnchor = Self(rawValue: "valid-without-anchor")
    /// A step failed.
    public static let invalid = Self(rawValue: "invalid")
    /// Too little could be checked.
    public static let notChecked = Self(rawValue: "not-checked")

    init(of steps: [Step]) {
      func status(_ name: StepName) -> CheckStatus { steps.first { $0.name == name }?.status ?? .notChecked }
      let hashes = steps.filter { $0.name.rawValue.hasPrefix("hash-") }
      if steps.contains(where: { $0.status == .failed }) {
        self = .invalid
      } else if status(.signature) != .passed || !hashes.contains(where: { $0.status == .passed }) {
        self = .notChecked
      } else if status(.chain) != .passed {
        self = .validWithoutAnchor
      } else {
        self = status(.country) == .passed ? .authentic : .notChecked
      }
    }
  }
}
