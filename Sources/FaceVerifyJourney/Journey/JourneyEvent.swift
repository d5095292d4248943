/// A notification of a journey. Steps report its state, updates what the person should do meanwhile.
public struct JourneyEvent: Sendable {
  /// The time of the call that caused it, in seconds since 1970 on the caller's clock.
  public let at: Double
  public let kind: Kind

  public enum Kind: Sendable {
    /// The journey has started.
    case initialized(requests: [JourneyConfiguration.Request], consents: [JourneyConfiguration.Consent])
    /// A document must be selected from ``JourneyController/choices(_:)``.
    case choiceNeeded(credential: Int, countries: [String])
    /// To be confirmed with ``JourneyCall/acknowledge``.
    case legalAdvice(credential: Int, text: String)
    case step(JourneyStep)
    case update(JourneyUpdate)
    case credentialFinished(credential: Int)
    /// The person is no longer needed.
    case allCaptured
    case error(JourneyError)
    /// A refused call, with the error that it threw.
    case logicalError(LogicalError)
    /// The last event; ``JourneyController/result`` is available.
    case finished(isComplete: Bool)
  }
}

/// The state of the active part.
public enum JourneyStep: Sendable {
  /// Models are being loaded, which takes some time.
  case prepare(JourneyPart)
  case started(JourneyPart, mode: ScanMode)
  /// Frames, photos or files are accepted.
  case scanView(JourneyPart)
  /// Once per part.
  case imageTaken(JourneyPart)
  case processing(JourneyPart)
  /// The other side of the document is due.
  case nextPart(JourneyPart)
  /// The person must accept or reject the picture: ``JourneySnapshot/picture``.
  case confirmationView(JourneyPart)
  case rejectView(JourneyPart, reasons: [DocumentImageCheck.Reason])
  case retry(JourneyPart, RetryReason)
  case canFinish(JourneyPart)
  /// The chip can also be read.
  case addonPart(JourneyPart, isRequired: Bool)
}

/// What the person should do, and other changes.
public enum JourneyUpdate: Sendable {
  public enum FallbackReason: String, Sendable, Codable {
    case userAction = "user-action"
    /// The frame rate is too low.
    case lowPerformance = "low-performance"
  }

  case fallback(FallbackReason, mode: ScanMode)
  /// What to do about the face; nil for nothing.
  case face(LivenessHint?)
  /// What to do about the document; nil for nothing.
  case document(DocumentHint?)
  /// The next challenge.
  case nextPosition(Challenge)
  /// The document's rotation and its target, in degrees clockwise.
  case tilt(current: Double, target: Double)
  case chipStarted
  /// Percent, 0 to 100.
  case chipProgress(Int)
  case chipFinished
  /// The number of frames that were dropped while the part was paused.
  case droppedFrames(Int)
}

/// What to do with a document before a camera.
public enum DocumentHint: String, Sendable, Codable, CaseIterable {
  case centreDocument = "centre-document"
  case tooClose = "too-close"
  case moveCloser = "move-closer"
  case holdStraight = "hold-straight"
  case holdStill = "hold-still"
  /// The document reflects light.
  case tilt
  case moreLight = "more-light"
  /// Only one document may be in the picture.
  case oneDocument = "one-document"
  /// The other side is required.
  case flip

  /// One sentence for the person.
  public var text: String {
    switch self {
    case .centreDocument: "Bring the document into the picture."
    case .tooClose: "Move back until all of the document is in the picture."
    case .moveCloser: "Come closer."
    case .holdStraight: "Hold the document straight."
    case .holdStill: "Hold still."
    case .tilt: "Tilt the document until nothing shines."
    case .moreLight: "Give the document more light."
    case .oneDocument: "Show one document only."
    case .flip: "Turn the document over."
    }
  }

  /// The hint for a fault in reading the code of a licence.
  init(_ fault: CodeFault) {
    self =
      switch fault {
      case .tooFar: .moveCloser
      case .tooNear, .partlyOut: .tooClose
      case .tilted: .holdStraight
      case .glare: .tilt
      case .lowContrast: .moreLight
      // A sharp code that was not decoded may be decoded in the next frame.
      case .blurred, .notDecoded: .holdStill
      default: .centreDocument
      }
  }

  /// What a side of a document shows.
  enum Expectation { case zone, portrait, neither }

  /// The hint for a picture of one side; nil if the picture is good.
  init?(_ page: DocumentPage, showing expected: Expectation) {
    func failed(_ reason: DocumentImageCheck.Reason) -> Bool { page.rejections.contains { $0.reason == reason } }
    let isWhole: [(isDue: Bool, hint: DocumentHint)] = [
      (failed(.severalDocuments), .oneDocument), (failed(.missingPart), .tooClose), (failed(.glare), .tilt),
      (failed(.blurry), .holdStill),
      (page.isAskew || page.perspective > DocumentPage.mostPerspective, .holdStraight),
    ]
    let hasPortrait = page.portrait?.sample.quality.isAccepted == true
    let hints: [(isDue: Bool, hint: DocumentHint)] =
      switch (expected, page.reading) {
      case (.neither, _):
        [(page.reading != nil || hasPortrait, .flip), (failed(.notReadable), .moveCloser)] + isWhole + [
          (page.corners.isEmpty, .centreDocument)
        ]
      case (_, nil):
        [(failed(.notReadable), .moveCloser), (page.face == nil, .centreDocument), (expected == .zone, .flip)] + isWhole
          + [(!hasPortrait, .moveCloser), (page.corners.isEmpty, .centreDocument)]
      default: isWhole + [(expected == .portrait && page.portrait == nil, .flip)]
      }
    guard let hint = hints.first(where: \.isDue)?.hint else { return nil }
    self = hint
  }
}

extension DocumentPage {
  /// Degrees clockwise from the nearest multiple of 90, in -45...45; nil without ``corners``.
  var askew: Double? { turn.map { $0.remainder(dividingBy: 90) } }

  /// A page is read in any multiple of 90 degrees; at other angles its corners are cut off.
  var isAskew: Bool { abs(askew ?? 0) > 20 }

  /// The largest ratio of opposite sides of the outline: 1 seen from straight above, and from a zone alone.
  var perspective: Double {
    guard corners.count == 4 else { return 1 }
    let sides = (0..<4).map { corners[$0].distance(to: corners[($0 + 1) % 4]) }
    return max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1])
  }

  /// A tilt of 25 to 32 degrees for a document that fills most of the picture. (Chosen. In 91 generated photos with tilts
  /// of up to 30 degrees the ratio is within 0.03 of the true one, and above this in 4; the highest of 31 specimens is
  /// 1.17.)
  static let mostPerspective = 1.3
}

/// A failure of the journey, for the person and the operator.
public struct JourneyError: Sendable, Hashable {
  /// A letter for the case, two digits for the module, four for the cause; "00" and "0000" if unknown.
  public struct Code: RawRepresentable, Sendable, Hashable, JSONMemberValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let transport = Code(rawValue: "A000000")
    public static let channel = Code(rawValue: "B000000")
    public static let credentials = Code(rawValue: "C000401")
    public static let offline = Code(rawValue: "E000000")
    /// Models are missing, or the machine cannot run them.
    public static let resources = Code(rawValue: "F000000")
    /// Not an error.
    public static let cancelled = Code(rawValue: "G000000")
    public static let camera = Code(rawValue: "H000000")
    public static let keyExpired = Code(rawValue: "I000000")
    /// A deadline has passed.
    public static let sessionOver = Code(rawValue: "J000000")
    /// No picture was good enough in any try.
    public static let imagesMissing = Code(rawValue: "N000000")
    public static let barcodeWithoutAddress = Code(rawValue: "Y000000")
    /// The front was shown instead of the back.
    public static let wrongSide = Code(rawValue: "Z000000")

    public static let allCases: [Code] = [
      .transport, .channel, .credentials, .offline, .resources, .cancelled, .camera, .keyExpired, .sessionOver,
      .imagesMissing, .barcodeWithoutAddress, .wrongSide,
    ]

    /// Whether the code is well-formed: a known letter and six digits.
    public var isKnown: Bool {
      rawValue.count == 7 && Self.allCases.contains { $0.letter == letter }
        && rawValue.dropFirst().allSatisfy { "0123456789".contains($0) }
    }

    var letter: Character { rawValue.first ?? " " }
    /// Whether a program outside the library may report it.
    var isReportable: Bool { isKnown && "ABCEHIJ".contains(letter) }

    /// Whether retrying may help; depends on the code alone.
    public var isRetryable: Bool { "AEYZ".contains(letter) }
  }

  public let code: Code
  /// One sentence: what failed, and what to do.
  public let message: String
  public var isRetryable: Bool { code.isRetryable }

  package init(_ code: Code, _ message: String? = nil) {
    self.code = code
    self.message = message ?? Self.text(code)
  }

  private static func text(_ code: Code) -> String {
    switch code.letter {
    case "A": "The connection failed: try again."
    case "B": "No safe connection could be made."
    case "C": "The service refused the credentials of this program."
    case "E": "There is no connection: try again."
    case "F": "The models cannot be loaded: install the library again."
    case "G": "The journey was cancelled."
    case "H": "The camera cannot be used: another program may be using it, or access may be denied."
    case "I": "A key or a list of trusted certificates has expired."
    case "J": "This journey has timed out: start a new one."
    case "N": "No picture was good enough: start a new journey, in better light."
    case "Y": "The code has no address: show the front of the document."
    case "Z": "This is the wrong side: turn the document over."
    default: "Something failed."
    }
  }
}
