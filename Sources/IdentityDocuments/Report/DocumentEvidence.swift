/// How much was proved of a document, from nothing to a chip that cannot be a copy: the evidence strength of an identity
/// document in ETSI TS 119 461, 8.2 and NIST SP 800-63A-4, 2.4.
///
/// docs/glossary.md defines the levels.
public enum DocumentAssurance: String, Sendable, Codable, CaseIterable, Comparable {
  /// No document, or one with a failed check.
  case none
  /// Data without a picture of the document: a typed zone, the code of a licence, an unauthenticated chip copy.
  case dataOnly = "data-only"
  /// A picture of the document with an unverified field.
  case pageSeen = "page-seen"
  /// A picture of a page whose fields are verified by check digits and agree with every other source.
  case pageConsistent = "page-consistent"
  /// The chip's data carry a trusted signature (passive authentication). A copy of the chip passes.
  case chipCopyAuthentic = "chip-copy-authentic"
  /// The chip also proved that it is not a copy (``ChipProof``). Only a chip that was read live can.
  case chipAuthentic = "chip-authentic"

  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
  /// The position in the order of declaration.
  package var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A kind of document without an authenticated chip. It passes only if the caller accepts the kind by name.
public enum UnauthenticatedDocument: String, Sendable, Codable, CaseIterable {
  /// A travel document's page, at ``DocumentAssurance/pageConsistent``.
  case page = "page-only"
  /// A driving licence, whose code carries no signature.
  case licence = "licence-code"
}

/// The evidence of a document that decides what may rely on it: the table of docs/documents.md. Less evidence never
/// improves an outcome. ``DocumentReport`` judges the content, its check digits and its expiry, which can only make a
/// result worse.
public struct DocumentEvidence: Sendable, Hashable {
  public enum Page: Sendable, CaseIterable {
    case notGiven
    /// No zone was read from it, or its zone differs from the chip's.
    case bad
    case good
  }

  public let page: Page
  /// nil if none was given.
  public let chip: ChipEvidence?
  /// Whether the document is known to have a chip.
  public let isChipExpected: Bool
  /// The kind that the caller must accept by name for the document to pass without a chip.
  public internal(set) var kind = UnauthenticatedDocument.page
  /// Kinds that pass without an authenticated chip.
  public internal(set) var accepted: Set<UnauthenticatedDocument> = []

  /// Whether the document is accepted without a chip.
  package var isAccepted: Bool { chip == nil && accepted.contains(kind) }

  public var outcome: DocumentOutcome {
    let isZoneOnChip = chip?.dataGroup1 == .usable
    // nil: not requested, so there is nothing to check.
    let matches: CheckStatus? = isZoneOnChip && page != .notGiven ? (page == .good ? .passed : .failed) : nil
    let read: CheckStatus? = chip.map { $0.problem == nil ? .passed : .failed } ?? (isChipExpected ? .failed : nil)
    let authentication = chip?.passiveAuthentication
    let isAnythingRead = isZoneOnChip || page == .good
    let accepted: CheckStatus? = chip == nil ? (isAccepted ? .passed : .notChecked) : nil
    let document: CheckStatus =
      isAnythingRead ? .worst([matches, read, authentication, accepted].compactMap(\.self)) : .failed
    return DocumentOutcome(
      portrait: chip?.dataGroup2 == .usable ? .chip : page == .notGiven ? nil : .page,
      mrzMatchesChip: matches ?? .notChecked, chipRead: read ?? .notChecked,
      passiveAuthentication: authentication ?? .notChecked, document: document,
      mayMatch: document != .failed && (chip.map { $0.problem == nil && $0.isVouchedFor } ?? true))
  }
}

/// The evidence of a chip.
public struct ChipEvidence: Sendable, Hashable {
  public enum File: Sendable, CaseIterable {
    case missing
    /// Present, but cannot be read.
    case unusable
    case usable
  }

  /// EF.SOD; also unusable if its signature cannot be checked, because the signer's certificate is missing or the
  /// algorithm is unknown: otherwise a forger could hide a chip's faults by damaging it.
  public internal(set) var securityObject: File
  public internal(set) var dataGroup1: File
  /// Usable if a face is found in its picture.
  public package(set) var dataGroup2: File
  /// Whether no file is missing (``ChipContents/missing``), and if read live, no proof that signed data announce.
  public internal(set) var isComplete: Bool
  public internal(set) var verdict: PassiveAuthentication.Verdict
  /// Whether no certificate is known to be out of date.
  public internal(set) var isInDate: Bool
  /// Whether the caller supplied anything to trust: then a chip without a path to a trust anchor is unauthenticated.
  public let isTrustGiven: Bool
  /// Whether the chip is a copy; nil unless it was read live.
  public internal(set) var proof: ChipProof.Verdict?

  /// Why the chip cannot be used, regardless of the verdict; nil if it can.
  public var problem: DocumentReason? {
    if proof == .cloneSuspected { return .cloneSuspected }
    if dataGroup1 != .usable { return .chipUnreadable }
    if securityObject != .usable { return .sodUnusable }
    if dataGroup2 != .usable { return .portraitUnreadable }
    return isComplete ? nil : .chipIncomplete
  }

  /// Whether the chip is authenticated as far as possible: without anything to trust, no chip could be.
  var isVouchedFor: Bool { verdict == .authentic || (verdict == .validWithoutAnchor && !isTrustGiven) }

  var passiveAuthentication: CheckStatus { verdict.status(isInDate: isInDate) }
}

/// What the evidence allows.
public struct DocumentOutcome: Sendable, Hashable {
  /// The source of the portrait that a selfie is compared with; nil if there is none.
  public let portrait: PortraitSource?
  /// Statuses of the checks with these names.
  public let mrzMatchesChip: CheckStatus
  public let chipRead: CheckStatus
  public let passiveAuthentication: CheckStatus
  /// The best possible result of the document.
  public let document: CheckStatus
  /// Whether a comparison with the portrait may be a match; otherwise it is refused, regardless of the faces.
  public let mayMatch: Bool

  /// Returns the checks of the chip.
  func checks(_ evidence: DocumentEvidence, isPageRead: Bool) -> [DocumentCheck] {
    let mismatch: DocumentReason =
      mrzMatchesChip == .notChecked ? .oneSource : isPageRead ? .sourcesDiffer : .pageUnreadable
    let unauthentic: DocumentReason =
      evidence.chip == nil
      ? .noChip : passiveAuthentication == .failed ? .authenticationFailed : .authenticationNotChecked
    return [
      DocumentCheck(.mrzMatchesChip, mrzMatchesChip, mismatch),
      DocumentCheck(.chipRead, chipRead, evidence.chip?.problem ?? .noChip),
      DocumentCheck(.passiveAuthentication, passiveAuthentication, unauthentic),
    ]
  }
}

/// The source of the holder's portrait.
public enum PortraitSource: String, Sendable, Codable, CaseIterable {
  /// Stored on the chip.
  case chip
  /// Cropped from a photo of the page; nothing proves that the page is genuine.
  case page
}
