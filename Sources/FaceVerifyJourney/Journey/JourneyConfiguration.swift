/// What a journey requests, and its rules.
public struct JourneyConfiguration: Sendable {
  /// An item that the person must decide about first.
  public struct Consent: Sendable, Hashable {
    public var text: String
    /// The target of ``link``; nil for none.
    public var url: String?
    /// The words of the text to link.
    public var link: String?
    /// Whether explicit consent is required; otherwise, proceeding is consent. The library never consents by default.
    public var isActive: Bool

    public init(_ text: String, isActive: Bool, url: String? = nil, link: String? = nil) {
      (self.text, self.isActive, self.url, self.link) = (text, isActive, url, link)
    }
  }

  /// A requested credential.
  public struct Request: Sendable, Hashable {
    public var category: JourneyCategory
    /// Codes of ICAO 9303-3, section 5; empty for all countries.
    public var countries: [String] = []
    /// Empty for all supported types.
    public var types: [DocumentType] = []
    /// Empty for both variants.
    public var variants: [DocumentVariant] = []

    public init(_ category: JourneyCategory) { self.category = category }
  }

  public var requests: [Request] = [Request(.id), Request(.face)]
  public var consents: [Consent] = []

  /// Identifiers of the journey in the calling system, each of at most ``longestIdentifier`` characters and free of
  /// personal data; ``JourneyController/warnings`` reports suspected ones.
  public var customerInternalReference: String?
  public var reportingCriteria: String?
  public var userReference: String?
  /// UUIDs of the journey and of the person's account; nil to generate them.
  public var id: String?
  public var accountID: String?
  /// The id of the server's session, for the record; nil without a server.
  package var sessionID: String?
  /// One of ``regions``: the declared region of the data. No data leave the machine.
  public var region: String?
  public var requiresRegion = false
  /// The required version of the library, major and minor, such as "0.2"; nil for any.
  public var requiredVersion: String?

  /// The key that must have signed ``token``; nil if none is required.
  public var tokenKey: PublicKey?
  /// Never recorded.
  public var token: String?

  /// Documents are read without a comparison.
  public var extractsOnly = false
  /// The person is compared with ``portrait``, or if it is nil, with the document's portrait.
  public var comparesFace = true
  /// The expected person; nil for the holder of the document.
  public var portrait: FaceInput?
  public var comparison = ComparisonPolicy()
  /// The levels required for the result to be passed.
  public var assurance = AssurancePolicy()
  public var capture = FaceCredential.Capture()

  /// The allowed modes for a document's sides, the default first, then the fallbacks. Without ``ScanMode/manual``, the
  /// person cannot take a picture of the document.
  ///
  /// ``ScanMode/barcode`` is for the backs of driving licences, for which ``ScanMode/docFinder`` is not used.
  public var documentModes: [ScanMode] = [.barcode, .docFinder, .manual, .file]
  public var faceModes: [ScanMode] = [.liveness]
  /// The liveness policies of a record; a mode without one uses its own policy.
  var livenessPolicies: [ScanMode: LivenessPolicy] = [:]
  func livenessPolicy(of mode: ScanMode) -> LivenessPolicy? { livenessPolicies[mode] ?? mode.livenessPolicy }
  /// The nonce that challenges are derived from; nil for random bytes, which are recorded.
  public var nonce: [UInt8]?
  /// The number of movements in the script of a try without ``Challenge/follow``.
  public var challengeCount = 3
  /// The allowed challenges. ``Challenge/follow`` is the whole script of a try, until the person declines it.
  public var challenges = [.follow] + ChallengeScript.standardChallenges
  /// A fixed script instead of derived challenges.
  public var script: ChallengeScript?
  /// The orientation of the face's frames.
  public var isMirrored = false
  public var rotation = 0
  public var camera: CameraFacts?

  /// Whether pages are requested; otherwise the chip alone.
  public var readsPages = true
  /// Whether the chip is requested once a zone has been read.
  public var readsChip = true
  /// The document is known to have a chip; reading it is not optional.
  public var requiresChip = false
  /// The printed text of the pages is read once all are captured, and compared with the zone, the chip and the code.
  public var readsText = false
  public var trust = TrustStore()
  public var authentication = AuthenticationPolicy.standard
  /// The reference date for expiry and certificates; nil for the date of the call.
  public var date: CalendarDate?
  /// Front and back form one part.
  public var isMultipart = false
  /// The person confirms each picture of a document.
  public var asksConfirmation = false
  /// A bad picture of a document is rejected immediately, with its reasons.
  public var givesInstantFeedback = true
  /// Texts that holders of a country's documents must acknowledge first.
  public var legalAdvice: [String: String] = [:]

  /// Seconds from creating the controller to ``JourneyCall/start``, in ``startTimes``.
  public var startBy = 60.0
  /// Seconds from the start to the end, in ``timeouts``.
  public var timeout = 900.0
  /// Seconds for each try of a document's part, in ``partTimeouts``.
  public var partTimeout = 30.0
  /// Maximum number of tries of one part, in ``tries``.
  public var maximumTries = 5

  /// The result keeps pictures until it is cleared.
  public var keepsPictures = false
  /// The record contains the document's personal data.
  public var recordsPersonalData = false

  public init() {}

  public static let longestIdentifier = 100
  public static let regions = ["US", "EU", "SG", "local"]
  /// Allowed ranges; no timeout can be disabled.
  public static let startTimes = 5.0...900.0
  public static let timeouts = 30.0...3600.0
  public static let partTimeouts = 10.0...60.0
  public static let tries = 1...10

  /// - Throws: ``VerifyError/Code/badArgument`` or ``LogicalError``.
  func check() throws {
    if let requiredVersion, !"\(FaceVerifyVersion.string).".hasPrefix("\(requiredVersion).") {
      throw LogicalError.dependencyWrongVersion
    }
    if let region, !Self.regions.contains(region) { throw LogicalError.dataCentreValidationFailed }
    if requiresRegion && region == nil { throw LogicalError.dataCentreValidationFailed }
    func require(_ isRight: Bool, _ message: @autoclosure () -> String) throws {
      guard isRight else { throw VerifyError(.badArgument, message()) }
    }
    try require(!requests.isEmpty, "a journey must request at least one credential")
    try require(
      requests.count { $0.category == .face } <= 1,
      "a journey can request one face only: its result is that of one person")
    for (name, value) in identifiers {
      try require(
        value?.unicodeScalars.count ?? 0 <= Self.longestIdentifier,
        "\(name) has \(value?.unicodeScalars.count ?? 0) characters; at most \(Self.longestIdentifier) are allowed")
    }
    for (name, value) in [("id", id), ("accountID", accountID)] {
      try require(value.map(UUIDText.isValid) ?? true, "\(name) is not a UUID in lower case: \"\(value ?? "")\"")
    }
    func require(_ seconds: Double, in range: ClosedRange<Double>, _ name: String) throws {
      try require(
        range.contains(seconds),
        "\(name) must be \(Int(range.lowerBound)) to \(Int(range.upperBound)) seconds, not \(seconds)")
    }
    try require(startBy, in: Self.startTimes, "startBy")
    try require(timeout, in: Self.timeouts, "timeout")
    try require(partTimeout, in: Self.partTimeouts, "partTimeout")
    try require(Self.tries.contains(maximumTries), "maximumTries must be 1 to 10, not \(maximumTries)")
    for mode in documentModes {
      if mode == .web { throw LogicalError.notYetImplemented }
      try require(
        [.barcode, .docFinder, .manual, .file].contains(mode), "a document is not scanned by \"\(mode.rawValue)\"")
    }
    for mode in faceModes {
      try require(mode.livenessPolicy != nil, "a face is not scanned by \"\(mode.rawValue)\"")
    }
    try require(
      documentModes.contains { $0 != .barcode } && !faceModes.isEmpty,
      "there must be a mode for documents, and one for faces")
    for request in requests where request.category == .id {
      try require(
        !DocumentChoice.all(request, extractsOnly: extractsOnly).isEmpty,
        "no document that is read here is of these countries, types and variants")
    }
    if let nonce {
      for hasDeclined in [false, true] { _ = try script(nonce: nonce, hasDeclined: hasDeclined) }
    }
  }

  /// The script of a try with this nonce.
  func script(nonce: [UInt8], hasDeclined: Bool) throws -> ChallengeScript {
    if let script { return script }
    let movements = challenges.filter { $0 != .follow }
    if challenges.contains(.follow), !hasDeclined || movements.isEmpty {
      return try ChallengeScript(nonce: nonce, count: 1, from: [.follow])
    }
    return try ChallengeScript(nonce: nonce, count: challengeCount, from: movements)
  }

  func date(at now: Double) throws -> DateTime { try date.map { DateTime($0) } ?? DateTime(secondsSince1970: now) }

  /// The highest presence level that ``faceModes`` can prove.
  private var bestPresence: Assurance.Presence {
    faceModes.map { $0.presence(isCaptureTrusted: capture.isTrusted) }.max() ?? .none
  }

  var identifiers: [(name: String, value: String?)] {
    [
      ("customerInternalReference", customerInternalReference), ("reportingCriteria", reportingCriteria),
      ("userReference", userReference),
    ]
  }

  /// Warnings about suspected personal data in identifiers, and about settings that no result can pass; one sentence
  /// each.
  package var warnings: [String] {
    var warnings = identifiers.compactMap { name, value -> String? in
      guard let value, let kind = Self.personal(value) else { return nil }
      return "\(name) looks like \(kind): identifiers must not tell who a person is"
    }
    if requests.contains(where: { $0.category == .face }), assurance.presence > bestPresence {
      warnings.append(
        "faceModes (\(faceModes.map(\.rawValue).joined(separator: ", "))) prove \(bestPresence.rawValue) at most, and "
          + "assurance.presence asks for \(assurance.presence.rawValue): nobody will pass")
    }
    return warnings
  }

  private static func personal(_ text: String) -> String? {
    if text.contains("@") { return "an e-mail address" }
    if text.contains("<<") { return "a machine readable zone" }
    let digits = text.filter(\.isNumber).count
    let parts = text.split { !$0.isNumber }.map(\.count)
    if parts == [4, 2, 2] || parts == [2, 2, 4] || parts == [1, 1, 4] { return "a date" }
    if text.hasPrefix("+") && digits >= 8 && text.allSatisfy({ $0.isNumber || " +-()".contains($0) }) {
      return "a telephone number"
    }
    return nil
  }
}

extension DocumentChoice {
  /// Returns all documents that a request allows and this library can read.
  static func all(_ request: JourneyConfiguration.Request, extractsOnly: Bool) -> [DocumentChoice] {
    all(countries: request.countries, types: request.types, variants: request.variants, extractsOnly: extractsOnly)
  }

  /// The sides that must be scanned.
  package func parts(isMultipart: Bool) -> [JourneyPart] {
    let sides = form?.sides ?? [.front]
    return isMultipart && sides.count > 1 ? [.multipart] : sides.map(JourneyPart.init)
  }
}

extension JourneyPart {
  init(_ side: DocumentKind.Side) { self = side == .front ? .front : .back }
}
