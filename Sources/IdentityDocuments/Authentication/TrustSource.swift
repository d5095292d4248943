/// A certificate trusted to certify document signers: a CSCA's, or a link certificate between two of its keys.
public struct TrustAnchor: Sendable, Hashable, JSONConvertible {
  public let certificate: Certificate
  /// The file that contained it.
  public let source: String

  /// The subject's country code; nil if the certificate has none.
  public var country: String? { certificate.subject.country }

  public var jsonValue: JSONValue { ["certificate": certificate.jsonValue, "source": .string(source)] }
}

/// What one file contributed to a ``TrustStore``.
public struct TrustSource: Sendable, JSONConvertible {
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Certificates, revocation lists or both.
    public static let certificates = Self(rawValue: "certificates")
    /// A signed list of CSCA certificates (ICAO Doc 9303-12, 9).
    public static let masterList = Self(rawValue: "master-list")
    /// A signed list of deviations or defects (Doc 9303-12, 10; BSI TR-03129).
    public static let deviationList = Self(rawValue: "deviation-list")
    /// A valid list whose signer is not trusted: nothing of it is used. ``TrustSource/pin`` is the certificate to pin.
    public static let notPinned = Self(rawValue: "not-pinned")
    /// Nothing in the file is trusted; ``TrustSource/text`` explains why.
    public static let refused = Self(rawValue: "refused")
  }

  public let name: String
  public let kind: Kind
  /// Number of certificates in the file that may sign document signers; the store holds each once.
  public private(set) var certificateCount = 0
  public private(set) var revocationListCount = 0
  /// Whether the signature of a signed list is valid. If it failed, nothing of the list is trusted.
  public private(set) var signature = CheckStatus.notChecked
  /// The signer of a signed list.
  public private(set) var signer: Certificate?
  /// Whether the list's signer chains to a certificate trusted without the list.
  public private(set) var signerChain = CheckStatus.notChecked
  /// SHA-256 of the certificate to pin, if the list's publisher confirms it.
  public private(set) var pin: String?
  /// One line.
  public let text: String
  /// Number of parts of the file that were lost: they cannot be read, or are in an unexpected place.
  public var unreadableCount = 0
  /// The index of a signed list.
  var list: Int?

  var isTrustedList: Bool { kind == .masterList || kind == .deviationList }

  static func lost(_ parts: Int) -> String {
    parts == 0 ? "" : "; \(parts) part\(parts == 1 ? "" : "s") cannot be read or used, by the extension or the label"
  }

  /// A file of which nothing is trusted.
  static func refused(_ name: String, _ text: String) -> TrustSource {
    TrustSource(name: name, kind: .refused, text: text.printable)
  }

  public var jsonValue: JSONValue {
    [
      "name": .string(name), "kind": .string(kind.rawValue), "certificates": .integer(certificateCount),
      "revocationLists": .integer(revocationListCount), "unreadable": .integer(unreadableCount),
      "signature": .string(signature.rawValue), "signer": .optional(signer?.subject.description),
      "signerChain": .string(signerChain.rawValue), "pin": .optional(pin), "text": .string(text),
    ]
  }
}
