/// The result of a journey.
public struct JourneyResult: Sendable {
  /// The result of one credential.
  public struct Credential: Sendable {
    public let category: JourneyCategory
    /// The mode in which each part was scanned.
    public let modes: [JourneyPart: ScanMode]
    public let choice: DocumentChoice?
    /// The reading, for an identity document.
    public private(set) var document: DocumentReading?
    /// The result, for a face.
    public private(set) var face: FaceCredential?
    /// The pictures, if the configuration keeps them.
    public private(set) var pictures: [Photo]

    let outcome: Outcome?
    let evidence: Evidence
    /// The person declined a requested movement.
    public let hasDeclined: Bool

    init(_ progress: CredentialProgress, face: FaceCredential?, _ configuration: JourneyConfiguration) {
      category = progress.request.category
      modes = progress.modes
      choice = progress.choice
      hasDeclined = progress.hasDeclined
      document = progress.reading
      self.face = face
      pictures = configuration.keepsPictures ? progress.pages.map(\.photo) : []
      var evidence = face?.evidence ?? Evidence()
      if let document {
        var found = Evidence.Document(document.report)
        if Self.isOther(document, than: choice) { (found.result, found.level) = (.failed, .none) }
        evidence.documents.append(found)
      }
      self.evidence = evidence
      outcome = document == nil && face == nil ? nil : Outcome(evidence, policy: configuration.assurance)
    }

    /// nil for a document that is not judged.
    public var result: CheckStatus? { outcome?.result }
    /// What this credential proved; nil for a document that is not judged.
    public var assurance: Assurance? { outcome?.assurance }

    /// Whether the country or type read differs from the person's choice.
    private static func isOther(_ document: DocumentReading, than choice: DocumentChoice?) -> Bool {
      guard let choice, let read = document.choice else { return false }
      return !choice.isOf(read)
    }

    public var reasons: [FaceDecision.Reason] {
      if let face { return face.reasons }
      guard let document else { return [] }
      var reasons = document.report.checks.filter { $0.status != .passed }.compactMap { check in
        check.reason.map {
          FaceDecision.Reason(
            code: "document.\(check.name.rawValue)", text: Self.text($0, of: check), status: check.status)
        }
      }
      if Self.isOther(document, than: choice) {
        reasons.append(
          .init(
            code: "document.other-than-chosen", text: "The document is not of the country or type chosen.",
            status: .failed))
      }
      return reasons + [document.report.shortfall].compactMap(\.self) + (outcome?.shortfalls ?? [])
    }

    fileprivate mutating func wipe() {
      // These share the pictures; release them first, so that the pictures are overwritten.
      (document, face) = (nil, nil)
      for index in pictures.indices { pictures[index].wipe() }
    }

    private static let onlySources: [DocumentCheckName: String] = [
      .pagesMatch: "Only one page was read: there is no other to compare it with.",
      .portraitMatchesChip: "The portraits of page and chip cannot be compared: one of them is missing.",
      .printMatches: "The printed text was not read.",
    ]

    private static func text(_ reason: DocumentReason, of check: DocumentCheck) -> String {
      switch reason {
      case .expired: "The document has expired."
      case .expiryUnknown: "It is not known when the document expires."
      case .fieldError: "The document has wrong fields" + (check.text.isEmpty ? "." : ": \(check.text).")
      case .noData: "No machine readable zone was read."
      case .oneSource: onlySources[check.name] ?? "Only one of page and chip was read: they cannot be compared."
      case .noChip: "No chip was given."
      case .lowConfidence: "Some characters of the document were read with low confidence: take a sharper photo."
      case .pageRejected: "The document's photo has a failed check, such as missing colour, a cut edge, blur or glare."
      case .noPortrait: "No portrait was found on the page with the machine-readable zone."
      case .authenticationNotChecked: "The chip could not be authenticated: no trusted certificate certifies it."
      default: "The document, \(check.name.rawValue): \(check.text.isEmpty ? reason.rawValue : check.text)."
      }
    }
  }

  /// UUIDs of the journey and of the person's account.
  public let id: String
  public let accountID: String
  public private(set) var credentials: [Credential]
  /// Why the journey ended early; nil if it is complete.
  public let error: JourneyError?
  public private(set) var isCleared = false
  private let outcome: Outcome

  init(id: String, accountID: String, credentials: [Credential], policy: AssurancePolicy, error: JourneyError?) {
    (self.id, self.accountID, self.credentials, self.error) = (id, accountID, credentials, error)
    outcome = Outcome(credentials.reduce(into: Evidence()) { $0.add($1.evidence) }, policy: policy)
  }

  /// Whether the journey was completed, whatever its ``result``.
  public var isComplete: Bool { error == nil }

  /// Failed if anything failed; passed if the journey is complete and all requested evidence satisfies the policy;
  /// otherwise not checked.
  public var result: CheckStatus { outcome.result == .passed && !isComplete ? .notChecked : outcome.result }

  /// What was proved.
  public var assurance: Assurance { outcome.assurance }

  /// The reasons of all credentials without duplicates, and the shortfalls of the overall outcome: those that decide
  /// first, warnings last.
  public var reasons: [FaceDecision.Reason] {
    var seen: Set<String> = []
    let all = (credentials.flatMap(\.reasons) + outcome.shortfalls).filter { seen.insert($0.code + $0.text).inserted }
    return [.failed, .notChecked, .passed].flatMap { status in all.filter { $0.status == status } }
  }

  /// Removes all personal data; identifiers and error remain.
  mutating func clear() {
    for index in credentials.indices { credentials[index].wipe() }
    credentials = []
    isCleared = true
  }
}
