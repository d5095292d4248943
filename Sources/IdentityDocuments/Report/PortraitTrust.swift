/// How far a document's portrait itself is trusted, before any face is compared with it.
public struct PortraitTrust: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// From a chip that a trusted state signed.
  public static let authentic = PortraitTrust(rawValue: "authentic")
  /// From a chip whose signature and hashes are right, but nobody knows who signed it.
  public static let validWithoutAnchor = PortraitTrust(rawValue: "valid-without-anchor")
  /// From a chip of which too little could be checked.
  public static let notChecked = PortraitTrust(rawValue: "not-checked")
  /// From a photo of the page: nothing tells that the page is genuine.
  public static let page = PortraitTrust(rawValue: "page")
  /// From a chip whose data were changed, or whose signer is not to be trusted.
  public static let altered = PortraitTrust(rawValue: "altered")

  /// One sentence for people.
  public var text: String {
    switch self {
    case .authentic: "The portrait is the one that the issuing state signed."
    case .validWithoutAnchor:
      "The portrait is the one that was signed, but no trusted certificate tells by whom: name a trust store."
    case .page: "The portrait is from a photo of the page: nothing tells whether the page is genuine."
    case .altered: "The chip is not genuine: its portrait proves nothing."
    default: "Too little of the chip could be checked to trust its portrait."
    }
  }
}
