/// How much was proved of a document, from nothing to a chip that cannot be a copy: the evidence strength of an identity
/// document in ETSI TS 119 461, 8.2 and NIST SP 800-63A-4, 2.4.
///
/// docs/glossary.md defines the levels.
public enum DocumentAssurance: String, Sendable, Codable, CaseIterable, Comparable {
  /// No document, or one with a failed check.
  case none
  /// Data of a document and no picture of it: a typed zone, the code of a licence, an unauthenticated chip copy.
  case dataOnly = "data-only"
  /// A picture of the document, of which a field is unverified.
  case pageSeen = "page-seen"
  /// A picture of a page whose fields are verified by check digits and agree with every other source.
  case pageConsistent = "page-consistent"
  /// The chip's data carry a trusted signature (passive authentication). A copy of the chip passes.
  case chipCopyAuthentic = "chip-copy-authentic"
  /// The chip also proved possession of its private key (active or chip authentication).
  case chipAuthentic = "chip-authentic"

  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
  /// The position in the order of declaration.
  package var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A kind of document without an authenticated chip. It passes only for a caller who accepts the kind by name.
public enum UnauthenticatedDocument: String, Sendable, Codable, CaseIterable {
  /// A travel document's page, at ``DocumentAssurance/pageConsistent``.
  case page = "page-only"
  /// A driving licence, whose code carries no signature.
  case licence = "licence-code"
}

/// What there is of a document, as far as it decides what may rest on it: the table of docs/documents.md. Less of it
/// never makes an outcome better. What the document says, its check digits and its expiry, is judged by
/// ``DocumentReport``, and only ever makes a result worse.
public struct DocumentEvidence: Sendable, Hashable {
  public enum Page: Sendable, CaseIterable {
    case notGiven
    /// No zone was read from it, or its zone says other than the chip's.
    case bad
    case good
  }

  public let page: Page
  /// nil if none was given.
  public let chip: ChipEvidence?
  /// Whether the document is known to have a chip.
  public let isChipExpected: Bool
  /// What the document passes as if the caller accepts that by name.
  public let kind: UnauthenticatedDocument
  /// Kinds that pass without an authenticated chip.
  public let accepted: Set<UnauthenticatedDocument>

  package init(
    page: Page, chip: ChipEvidence?, isChipExpected: Bool, kind: UnauthenticatedDocument = .page,
    accepted: Set<UnauthenticatedDocument> = []
  ) {
    self.page = page
    self.chip = chip
    self.isChipExpected = isChipExpected
    self.kind = kind
    self.accepted = accepted
  }

  /// Whether the document passes without a chip.
  package var isAccepted: Bool { chip == nil && accepted.contains(kind) }

  public var outcome: DocumentOutcome {
    let isZoneOnChip = chip?.dataGroup1 == .usable
    // nil is what was not asked: there is nothing to check.
    let matches: CheckStatus? = isZoneOnChip && page != .notGiven ? (page == .good ? .passed : .failed) : nil
    let read: CheckStatus? = chip.map { $0.problem == nil ? .passed : .failed } ?? (isChipExpected ? .failed : nil)
    let authentication = chip?.passiveAuthentication
    let isAnythingRead = isZoneOnChip || page == .good
    let accepted: CheckStatus? = chip == nil ? (isAccepted ? .passed : .notChecked) : nil
    return DocumentOutcome(
      portrait: chip?.dataGroup2 == .usable ? .chip : page == .notGiven ? nil : .page,
      mrzMatchesChip: matches ?? .notChecked, chipRead: read ?? .notChecked,
      passiveAuthentication: authentication ?? .notChecked,
      document: isAnythingRead ? .worst([matches, read, authentication, accepted].compactMap(\.self)) : .failed,
      mayMatch: chip.map { $0.problem == nil && $0.isInDate && $0.isVouchedFor }
        ?? (page != .notGiven && !isChipExpected))
  }
}

/// What was found of a chip.
public struct ChipEvidence: Sendable, Hashable {
  public enum File: Sendable, CaseIterable {
    case missing
    /// It is there, but cannot be read.
    case unusable
    case usable
  }

  /// EF.SOD; it is not usable either if its signature cannot be checked, for want of the signer's certificate or because
  /// the algorithm is not known: else what is wrong with a chip could be hidden by damaging it.
  public internal(set) var securityObject: File
  public internal(set) var dataGroup1: File
  /// Usable if a face is found on its picture.
  public package(set) var dataGroup2: File
  /// No file is missing: see ``DocumentChip/missing``.
  public internal(set) var isComplete: Bool
  public internal(set) var verdict: PassiveAuthentication.Verdict
  /// No certificate is known to be out of date.
  public internal(set) var isInDate: Bool
  /// The caller said whom he trusts: then a chip that nobody of them vouches for is anybody's.
  public let isTrustGiven: Bool

  package init(
    securityObject: File, dataGroup1: File, dataGroup2: File, isComplete: Bool, verdict: PassiveAuthentication.Verdict,
    isInDate: Bool, isTrustGiven: Bool
  ) {
    self.securityObject = securityObject
    self.dataGroup1 = dataGroup1
    self.dataGroup2 = dataGroup2
    self.isComplete = isComplete
    self.verdict = verdict
    self.isInDate = isInDate
    self.isTrustGiven = isTrustGiven
  }

  /// Why the chip cannot be used, whatever the verdict on what there is of it; nil if it can.
  public var problem: DocumentReason? {
    if dataGroup1 != .usable { return .chipUnreadable }
    if securityObject != .usable { return .sodUnusable }
    if dataGroup2 != .usable { return .portraitUnreadable }
    return isComplete ? nil : .chipIncomplete
  }

  /// As far as the caller can want it: where nobody is trusted, nobody could vouch for any chip.
  var isVouchedFor: Bool { verdict == .authentic || (verdict == .validWithoutAnchor && !isTrustGiven) }

  /// Passed only if the chip is authentic by a trust anchor, and in date.
  var passiveAuthentication: CheckStatus {
    if verdict == .invalid || !isInDate { return .failed }
    return verdict == .authentic ? .passed : .notChecked
  }
}

/// What evidence allows.
public struct DocumentOutcome: Sendable, Hashable {
  /// Whose portrait a selfie is compared with; nil if there is none.
  public let portrait: PortraitSource?
  /// The checks of these names.
  public let mrzMatchesChip: CheckStatus
  public let chipRead: CheckStatus
  public let passiveAuthentication: CheckStatus
  /// The best result that the document may have.
  public let document: CheckStatus
  /// Whether a comparison with the portrait may be a match; else it is refused, whatever the faces say.
  public let mayMatch: Bool
}

/// Where the holder's portrait comes from.
public enum PortraitSource: String, Sendable, Codable, CaseIterable {
  /// Stored on the chip.
  case chip
  /// Cut out of a photo of the page: nothing tells whether the page is genuine.
  case page
}

extension CheckStatus {
  package static func worst(_ all: [Self]) -> Self { [.failed, .notChecked].first(where: all.contains) ?? .passed }
}
