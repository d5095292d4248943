/// What a journey tells the program. Steps say where it is, updates what the person should do meanwhile.
public struct JourneyEvent: Sendable {
  /// Seconds since 1970 on the caller's clock: of the call that led to it.
  public let at: Double
  public let kind: Kind

  public enum Kind: Sendable {
    /// The journey has started.
    case initialized(requests: [JourneyConfiguration.Request], consents: [JourneyConfiguration.Consent])
    /// The document must be chosen: ``JourneyController/choices(_:)`` has all.
    case choiceNeeded(credential: Int, countries: [String])
    /// Goes on with ``JourneyCall/acknowledge``.
    case legalAdvice(credential: Int, text: String)
    case step(JourneyStep)
    case update(JourneyUpdate)
    case credentialFinished(credential: Int)
    /// Nothing more is needed of the person.
    case allCaptured
    case error(JourneyError)
    /// The call was refused, and threw this.
    case logicalError(LogicalError)
    /// The last event: ``JourneyController/result`` is there.
    case finished(isComplete: Bool)
  }
}

/// Where the active part is.
public enum JourneyStep: Sendable {
  /// Models are loaded, which takes a moment.
  case prepare(JourneyPart)
  case started(JourneyPart, mode: ScanMode)
  /// Frames, photos or files are taken from now on.
  case scanView(JourneyPart)
  /// Once a part.
  case imageTaken(JourneyPart)
  case processing(JourneyPart)
  /// The other side of the document is due.
  case nextPart(JourneyPart)
  /// The person says whether the picture is good: ``JourneyController/picture``.
  case confirmationView(JourneyPart)
  case rejectView(JourneyPart, reasons: [DocumentImageCheck.Reason])
  case retry(JourneyPart, RetryReason)
  case canFinish(JourneyPart)
  /// The chip can be read as well.
  case addonPart(JourneyPart, isRequired: Bool)
}

/// What a person should do, and what else changed.
public enum JourneyUpdate: Sendable {
  public enum FallbackReason: String, Sendable, Codable {
    case userAction = "user-action"
    /// Too few frames came.
    case lowPerformance = "low-performance"
  }

  case fallback(FallbackReason, mode: ScanMode)
  /// What to do about the face; nil: nothing.
  case face(LivenessHint?)
  /// What to do about the document; nil: nothing.
  case document(DocumentHint?)
  /// What is asked for next.
  case nextPosition(Challenge)
  /// How the document is turned, and how it should be: degrees clockwise.
  case tilt(current: Double, target: Double)
  case chipStarted
  /// 0 to 100.
  case chipProgress(Int)
  case chipFinished
  /// So many frames came while the part was paused.
  case droppedFrames(Int)
}

/// What is to be done with a document before a camera.
public enum DocumentHint: String, Sendable, Codable, CaseIterable {
  case centreDocument = "centre-document"
  case tooClose = "too-close"
  case moveCloser = "move-closer"
  case holdStraight = "hold-straight"
  case holdStill = "hold-still"
  /// Light is reflected.
  case tilt
  case moreLight = "more-light"
  /// The other side is asked for.
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
    case .flip: "Turn the document over."
    }
  }

  /// What stands in the way of reading the code of a licence.
  init(_ fault: CodeFault) {
    self =
      switch fault {
      case .tooFar: .moveCloser
      case .tooNear, .partlyOut: .tooClose
      case .tilted: .holdStraight
      case .glare: .tilt
      case .lowContrast: .moreLight
      // What is sharp and is not decoded may be the next time.
      case .blurred, .notDecoded: .holdStill
      default: .centreDocument
      }
  }

  /// What stands in the way in a picture of one side; nil if it is good.
  ///
  /// - Parameter needsZone: whether that side has the machine readable zone.
  init?(_ page: DocumentPage, needsZone: Bool) {
    func failed(_ reason: DocumentImageCheck.Reason) -> Bool { page.rejections.contains { $0.reason == reason } }
    guard page.reading != nil else {
      if failed(.notReadable) {
        self = .moveCloser
      } else if page.face == nil {
        self = .centreDocument
      } else if needsZone {
        self = .flip
      } else if page.portrait == nil || page.portrait?.sample.quality.isAccepted == false {
        self = .moveCloser
      } else {
        return nil
      }
      return
    }
    if failed(.missingPart) {
      self = .tooClose
    } else if failed(.glare) {
      self = .tilt
    } else if failed(.blurry) {
      self = .holdStill
    } else if let askew = page.askew, abs(askew) > 20 {
      // A page that lies on its side or upside down is read as well; one that is askew loses its corners.
      self = .holdStraight
    } else if !needsZone && page.portrait == nil {
      self = .flip
    } else {
      return nil
    }
  }
}

extension DocumentPage {
  /// Degrees clockwise from the nearest side, in -45...45; nil without a zone.
  var askew: Double? { turn.map { $0.remainder(dividingBy: 90) } }
}

/// What could not be done, told to the person and the operator.
public struct JourneyError: Sendable, Hashable {
  /// A letter for the case, two digits for the module, four for the cause; "00" and "0000" where nothing more is known.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let transport = Code(rawValue: "A000000")
    public static let channel = Code(rawValue: "B000000")
    public static let credentials = Code(rawValue: "C000401")
    public static let offline = Code(rawValue: "E000000")
    /// Models are missing, or the machine cannot run them.
    public static let resources = Code(rawValue: "F000000")
    /// Not an error of anybody.
    public static let cancelled = Code(rawValue: "G000000")
    public static let camera = Code(rawValue: "H000000")
    public static let keyExpired = Code(rawValue: "I000000")
    /// A deadline has passed.
    public static let sessionOver = Code(rawValue: "J000000")
    /// No picture was good enough, however often it was tried.
    public static let imagesMissing = Code(rawValue: "N000000")
    public static let barcodeWithoutAddress = Code(rawValue: "Y000000")
    /// The front was shown where the back is needed.
    public static let wrongSide = Code(rawValue: "Z000000")

    public static let allCases: [Code] = [
      .transport, .channel, .credentials, .offline, .resources, .cancelled, .camera, .keyExpired, .sessionOver,
      .imagesMissing, .barcodeWithoutAddress, .wrongSide,
    ]

    /// Whether the letter is one of the scheme, and what follows six digits.
    public var isKnown: Bool {
      rawValue.count == 7 && Self.allCases.contains { $0.letter == letter }
        && rawValue.dropFirst().allSatisfy { "0123456789".contains($0) }
    }

    var letter: Character { rawValue.first ?? " " }
    /// What a program outside of the library may report.
    var isReportable: Bool { isKnown && "ABCEHIJ".contains(letter) }

    /// Whether trying again may help: a property of the code alone.
    public var isRetryable: Bool { "AEYZ".contains(letter) }
  }

  public let code: Code
  /// One sentence: what was wrong, and what to do.
  public let message: String
  public var isRetryable: Bool { code.isRetryable }

  init(_ code: Code, _ message: String? = nil) {
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
    case "H": "The camera cannot be used: another program may hold it, or it may not be allowed."
    case "I": "A key or a list of trusted certificates is out of date."
    case "J": "The time for this journey is over: begin a new one."
    case "N": "No picture was good enough: begin a new journey, in better light."
    case "Y": "The code has no address: show the front of the document."
    case "Z": "This is the wrong side: turn the document over."
    default: "Something failed."
    }
  }
}
