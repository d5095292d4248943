/// A call of the program to a journey, made at a given time: ``JourneyController/perform(_:at:)``.
public struct JourneyCall: Sendable {
  public let kind: Kind
  // The arguments of the kinds that have any; ``Kind/arguments`` has their names.
  private(set) var (item, isGiven, credential) = (0, false, 0)
  private(set) var choice = DocumentChoice(country: "", type: .unknown, variant: .paper)
  private(set) var part = JourneyPart.front
  private(set) var mode: ScanMode?
  private(set) var camera: CameraFacts?
  private(set) var code = JourneyError.Code(rawValue: "")
  private(set) var frame: JourneyFrame?
  private(set) var photo: Photo?
  private(set) var chip = ChipFiles()
  private(set) var payload: [UInt8] = []

  private init(_ kind: Kind, _ set: (inout Self) -> Void = { _ in }) {
    self.kind = kind
    set(&self)
  }

  /// Creates a call without arguments; nil for a kind that has arguments.
  public init?(plain kind: Kind) {
    guard kind.arguments.isEmpty, ![.frame, .attach, .attachChip, .attachCode].contains(kind) else { return nil }
    self.init(kind)
  }

  /// Starts the journey; the ``JourneyEvent/Kind/initialized(requests:consents:)`` event lists credentials and
  /// consents.
  public static let start = Self(.start)
  /// Sets the person's decision about one item; it can be changed until a credential starts.
  public static func consent(item: Int, isGiven: Bool) -> Self {
    Self(.consent) { ($0.item, $0.isGiven) = (item, isGiven) }
  }
  /// Starts one of the credentials of ``JourneyEvent/Kind/initialized(requests:consents:)``, in any order.
  public static func startCredential(_ index: Int) -> Self { Self(.startCredential) { $0.credential = index } }
  /// Selects the document: one of ``JourneyController/choices(_:)``.
  public static func configure(_ choice: DocumentChoice) -> Self { Self(.configure) { $0.choice = choice } }
  /// Confirms that the person has read ``JourneyEvent/Kind/legalAdvice(credential:text:)``.
  public static let acknowledge = Self(.acknowledge)
  /// - Parameters:
  ///   - mode: nil for the first allowed mode.
  ///   - camera: the camera that frames of the face are from; nil for the configuration's.
  public static func startPart(_ part: JourneyPart, mode: ScanMode?, camera: CameraFacts? = nil) -> Self {
    Self(.startPart) { ($0.part, $0.mode, $0.camera) = (part, mode, camera) }
  }
  /// A camera frame.
  public static func frame(_ frame: JourneyFrame) -> Self { Self(.frame) { $0.frame = frame } }
  /// Takes the last frame, in modes in which the person decides when.
  public static let takePicture = Self(.takePicture)
  /// A photo's file instead of frames.
  public static func attach(_ photo: Photo) -> Self { Self(.attach) { $0.photo = photo } }
  /// The files read from the chip.
  public static func attachChip(_ files: ChipFiles) -> Self { Self(.attachChip) { $0.chip = files } }
  /// The content of the PDF417 on the back of a driving licence, read by a scanner.
  public static func attachCode(_ payload: [UInt8]) -> Self { Self(.attachCode) { $0.payload = payload } }
  /// Pauses the part; frames are dropped.
  public static let pause = Self(.pause)
  public static let resume = Self(.resume)
  /// Continues in the next allowed mode.
  public static let fallback = Self(.fallback)
  /// The person declines the requested movement. The state does not change: the program then ends the try, or falls
  /// back. The result is not passed, and states why.
  public static let decline = Self(.decline)
  /// Accepts the picture.
  public static let confirm = Self(.confirm)
  /// Rejects the picture, to take it again.
  public static let retake = Self(.retake)
  /// Retries an undecided part.
  public static let retryPart = Self(.retryPart)
  /// Finishes the part. An incomplete session, for example at the end of a recording, is decided on the frames
  /// received.
  public static let finishPart = Self(.finishPart)
  /// Aborts the part, which can be started again.
  public static let cancelPart = Self(.cancelPart)
  public static let finishCredential = Self(.finishCredential)
  /// Aborts the credential, which can be started again.
  public static let cancelCredential = Self(.cancelCredential)
  /// Reports a failure outside the library, of a camera or connection for example.
  public static func report(_ code: JourneyError.Code) -> Self { Self(.report) { $0.code = code } }
  /// Continues after a retryable error.
  public static let retry = Self(.retry)
  /// Computes the result.
  public static let finish = Self(.finish)
  /// Ends the journey in any state. May be called at any time, from any thread.
  public static let cancel = Self(.cancel)
  /// Only advances the time: deadlines are checked at every call.
  public static let tick = Self(.tick)
}

extension JourneyCall {
  /// Calls without their arguments.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    case start, consent
    case startCredential = "start-credential"
    case configure, acknowledge
    case startPart = "start-part"
    case frame
    case takePicture = "take-picture"
    case attach
    case attachChip = "attach-chip"
    case attachCode = "attach-code"
    case pause, resume, fallback, decline, confirm, retake
    case retryPart = "retry-part"
    case finishPart = "finish-part"
    case cancelPart = "cancel-part"
    case finishCredential = "finish-credential"
    case cancelCredential = "cancel-credential"
    case report, retry, finish, cancel, tick

    /// The arguments in JSON, without pictures and files.
    fileprivate var arguments: [JSONMember<JourneyCall>] {
      switch self {
      case .consent: [.init("item", \.item, isRequired: true), .init("isGiven", \.isGiven, isRequired: true)]
      case .startCredential: [.init("credential", \.credential, isRequired: true)]
      case .configure:
        [
          .init("country", \.choice.country, isRequired: true), .init("type", \.choice.type, isRequired: true),
          .init("variant", \.choice.variant, isRequired: true),
        ]
      case .startPart:
        [
          .init("part", \.part, isRequired: true), .init("mode", \.mode),
          .init("camera") {
            $0.camera?.jsonValue
          } read: { call, json, _ in
            call.camera = try CameraFacts(json)
          },
        ]
      case .report: [.init("code", \.code, isRequired: true)]
      default: []
      }
    }
  }

  var members: [String: JSONValue] { kind.arguments.members(of: self) }

  /// Decodes a call without pictures and files.
  ///
  /// - Parameter json: an object that has the arguments as members; it may have others.
  /// - Throws: ``VerifyError/Code/badArgument``, naming the argument that is missing or of a wrong type.
  package init(_ kind: Kind, _ json: JSONValue) throws {
    self.init(kind)
    try kind.arguments.read(json, of: "the call \(kind.rawValue)", into: &self)
  }
}

/// A camera frame, with the arguments of ``LivenessSession/add(_:at:received:screenColour:budget:)``.
public struct JourneyFrame: Sendable {
  public let picture: PixelBuffer
  /// Seconds on the stream's own clock.
  public private(set) var time: Double
  /// Seconds on the caller's clock.
  public var received: Double?
  public var screenColour: SIMD3<Double>?

  public init(_ picture: PixelBuffer, time: Double, received: Double? = nil, screenColour: SIMD3<Double>? = nil) {
    (self.picture, self.time, self.received, self.screenColour) = (picture, time, received, screenColour)
  }

  private static var arguments: [JSONMember<Self>] {
    [
      .init("time", \.time, isRequired: true), .init("received", \.received),
      .init("screenColour") {
        $0.screenColour.map { [$0.x, $0.y, $0.z] }.memberJSON
      } read: {
        let colour = try [Double]($1, at: "screenColour", in: $2)
        guard colour.count == 3 else { throw $2.wrong("screenColour", "three numbers") }
        $0.screenColour = SIMD3(colour)
      },
    ]
  }

  var members: [String: JSONValue] { Self.arguments.members(of: self) }

  init(_ picture: PixelBuffer, _ json: JSONValue) throws {
    self.init(picture, time: .nan)
    try Self.arguments.read(json, of: "a frame", into: &self)
  }
}

/// The category of a requested credential.
public enum JourneyCategory: String, Sendable, Codable, CaseIterable, JSONMemberValue {
  /// An identity document.
  case id
  /// The person's face.
  case face
  /// A picture of any other document, which is kept but not judged.
  case document
  /// Data without pictures; not supported.
  case data
}

/// A part of a credential.
public enum JourneyPart: String, Sendable, Codable, CaseIterable, JSONMemberValue {
  case front, back
  /// The files of the chip.
  case chip
  case face
  case document
  /// Front and back in succession.
  case multipart
  /// A digital document; not supported.
  case digital
}

/// How a part is scanned.
public enum ScanMode: String, Sendable, Codable, CaseIterable, JSONMemberValue {
  /// The person decides when a picture of the document is taken.
  case manual
  /// One photo of the face, weak evidence of presence.
  case faceManual = "face-manual"
  /// Challenges, with the policy standard.
  case liveness
  /// Challenges, with the policy strict.
  case strict
  /// A recording without challenges, with the policy passive-only.
  case passive
  /// The code on the back of a driving licence.
  case barcode
  case chipFiles = "chip-files"
  /// Frames of a document; the first good one is taken.
  case docFinder = "doc-finder"
  /// A photo's file.
  case file
  /// A web page; not supported.
  case web

  var livenessPolicy: LivenessPolicy? {
    switch self {
    case .liveness: .standard
    case .strict: .strict
    case .passive: .passiveOnly
    case .faceManual: .photo
    default: nil
    }
  }

  /// The highest presence level that a live decision can prove.
  func presence(isCaptureTrusted: Bool) -> Assurance.Presence {
    switch self {
    case .liveness, .strict: isCaptureTrusted ? .trustedCapture : .challengeAnswered
    case .passive: .passiveVideo
    case .faceManual: .photo
    default: .none
    }
  }
}
