/// What came of a journey.
public struct JourneyResult: Sendable {
  /// What one credential gave.
  public struct Credential: Sendable {
    public let category: JourneyCategory
    /// How each part was scanned.
    public let modes: [JourneyPart: ScanMode]
    public let choice: DocumentChoice?
    /// Of an identity document.
    public private(set) var document: DocumentReading?
    /// Of a person.
    public private(set) var face: FaceCredential?
    /// What was taken, if the configuration keeps pictures.
    public private(set) var pictures: [Photo]

    init(_ progress: CredentialProgress, face: FaceCredential?, _ configuration: JourneyConfiguration) {
      category = progress.request.category
      modes = progress.modes
      choice = progress.choice
      document = progress.reading
      self.face = face
      pictures = configuration.keepsPictures ? progress.pages.map(\.photo) : []
    }

    /// nil for a document that nobody judges.
    public var result: CheckStatus? { document?.report.result ?? face?.result }

    public var reasons: [FaceDecision.Reason] {
      if let face { return face.reasons }
      return document?.report.checks.filter { $0.status != .passed }.compactMap { check in
        check.reason.map { .init(code: "document.\(check.name.rawValue)", text: Self.text($0, of: check)) }
      } ?? []
    }

    private static func text(_ reason: DocumentReason, of check: DocumentCheck) -> String {
      switch reason {
      case .expired: "The document has expired."
      case .expiryUnknown: "It is not known when the document expires."
      case .fieldError: "A field of the document is wrong."
      case .noData: "No machine readable zone was read."
      case .oneSource: "Only one of page and chip was read: they cannot be compared."
      case .noChip: "No chip was given."
      default: "The document, \(check.name.rawValue): \(reason.rawValue)."
      }
    }
  }

  /// A UUID: of the journey, and of the person's account.
  public let id: String
  public let accountID: String
  public private(set) var credentials: [Credential]
  /// Why the journey did not come to its end; nil if it did.
  public let error: JourneyError?
  public private(set) var isCleared = false

  init(id: String, accountID: String, credentials: [Credential], error: JourneyError?) {
    (self.id, self.accountID, self.credentials, self.error) = (id, accountID, credentials, error)
  }

  /// The journey came to its end, whatever its ``result`` is.
  public var isSuccess: Bool { error == nil }

  /// Failed if anything failed, passed if everything that is judged has passed, else not checked.
  public var result: CheckStatus {
    let results = credentials.compactMap(\.result)
    if results.contains(.failed) { return .failed }
    return isSuccess && !results.isEmpty && results.allSatisfy { $0 == .passed } ? .passed : .notChecked
  }

  /// Those of all credentials.
  public var reasons: [FaceDecision.Reason] { credentials.flatMap(\.reasons) }

  /// Everything that tells of the person goes; identifiers and error stay.
  mutating func clear() {
    credentials = []
    isCleared = true
  }
}
