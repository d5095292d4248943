/// A call of the program to a journey, made at a given time: ``JourneyController/perform(_:at:)``.
public enum JourneyCall: Sendable {
  /// Starts the journey; the ``JourneyEvent/Kind/initialized(requests:consents:)`` event lists credentials and
  /// consents.
  case start
  /// Sets the person's decision about one item; it can be changed until a credential starts.
  case consent(item: Int, isGiven: Bool)
  /// Starts one of the credentials of ``JourneyEvent/Kind/initialized(requests:consents:)``, in any order.
  case startCredential(Int)
  /// Selects the document: one of ``JourneyController/choices(_:)``.
  case configure(DocumentChoice)
  /// Confirms that the person has read ``JourneyEvent/Kind/legalAdvice(credential:text:)``.
  case acknowledge
  /// Starts a part in a mode, nil for the first allowed one, and with the camera that frames of the face are from, nil
  /// for the configuration's.
  case startPart(JourneyPart, mode: ScanMode?, camera: CameraFacts? = nil)
  /// A camera frame.
  case frame(JourneyFrame)
  /// Takes the last frame, in modes in which the person decides when.
  case takePicture
  /// A photo's file instead of frames.
  case attach(Photo)
  /// The files read from the chip.
  case attachChip(ChipFiles)
  /// The content of the PDF417 on the back of a driving licence, read by a scanner.
  case attachCode([UInt8])
  /// Pauses the part; frames are dropped.
  case pause
  case resume
  /// Continues in the next allowed mode.
  case fallback
  /// The person declines the requested movement. The state does not change: the program then ends the try, or falls
  /// back. The result is not passed, and states why.
  case decline
  /// Accepts the picture.
  case confirm
  /// Rejects the picture, to take it again.
  case retake
  /// Retries an undecided part.
  case retryPart
  /// Finishes the part. An incomplete session, for example at the end of a recording, is decided on the frames
  /// received.
  case finishPart
  /// Aborts the part, which can be started again.
  case cancelPart
  case finishCredential
  /// Aborts the credential, which can be started again.
  case cancelCredential
  /// Reports a failure outside the library, of a camera or connection for example.
  case report(JourneyError.Code)
  /// Continues after a retryable error.
  case retry
  /// Computes the result.
  case finish
  /// Ends the journey in any state. May be called at any time, from any thread.
  case cancel
  /// Only advances the time: deadlines are checked at every call.
  case tick
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
  }

  public var kind: Kind {
    switch self {
    case .start: .start
    case .consent: .consent
    case .startCredential: .startCredential
    case .configure: .configure
    case .acknowledge: .acknowledge
    case .startPart: .startPart
    case .frame: .frame
    case .takePicture: .takePicture
    case .attach: .attach
    case .attachChip: .attachChip
    case .attachCode: .attachCode
    case .pause: .pause
    case .resume: .resume
    case .fallback: .fallback
    case .decline: .decline
    case .confirm: .confirm
    case .retake: .retake
    case .retryPart: .retryPart
    case .finishPart: .finishPart
    case .cancelPart: .cancelPart
    case .finishCredential: .finishCredential
    case .cancelCredential: .cancelCredential
    case .report: .report
    case .retry: .retry
    case .finish: .finish
    case .cancel: .cancel
    case .tick: .tick
    }
  }

  /// Creates a call without arguments; nil for a kind that has arguments.
  public init?(plain kind: Kind) {
    let plain: [Self] = [
      .start, .acknowledge, .takePicture, .pause, .resume, .fallback, .decline, .confirm, .retake, .retryPart,
      .finishPart, .cancelPart, .finishCredential, .cancelCredential, .retry, .finish, .cancel, .tick,
    ]
    guard let call = plain.first(where: { $0.kind == kind }) else { return nil }
    self = call
  }

  /// The arguments in JSON, without pictures and files.
  var members: [String: JSONValue] {
    switch self {
    case .consent(let item, let isGiven): ["item": .integer(item), "isGiven": .bool(isGiven)]
    case .startCredential(let credential): ["credential": .integer(credential)]
    case .configure(let choice):
      ["country": .string(choice.country), "type": choice.type.memberJSON, "variant": choice.variant.memberJSON]
    case .startPart(let part, let mode, let camera):
      ["part": part.memberJSON, "mode": mode.memberJSON]
        .merging(camera.map { ["camera": $0.jsonValue] } ?? [:]) { $1 }
    case .report(let code): ["code": code.memberJSON]
    default: [:]
    }
  }

  /// Decodes a call without pictures and files.
  ///
  /// - Parameter json: an object that has the arguments as members; it may have others.
  /// - Throws: ``VerifyError/Code/badArgument``, naming the argument that is missing or of a wrong type.
  package init(_ kind: Kind, _ json: JSONValue) throws {
    var reader = try MemberReader(json, of: "the call \(kind.rawValue)")
    func take<Value: JSONMemberValue>(_ name: String) throws -> Value {
      guard let value = try reader.value(name, as: Value.self) else { throw reader.missing("\(name) is") }
      return value
    }
    switch kind {
    case .consent: self = .consent(item: try take("item"), isGiven: try take("isGiven"))
    case .startCredential: self = .startCredential(try take("credential"))
    case .configure:
      self = .configure(
        DocumentChoice(country: try take("country"), type: try take("type"), variant: try take("variant")))
    case .startPart:
      self = .startPart(
        try take("part"), mode: try reader.value("mode"), camera: try reader.take("camera").map { try CameraFacts($0) })
    case .report: self = .report(try take("code"))
    default:
      guard let call = Self(plain: kind) else {
        throw VerifyError(.badArgument, "the call \(kind.rawValue) needs a picture or files")
      }
      self = call
    }
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
