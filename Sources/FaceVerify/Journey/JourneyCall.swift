/// What a program tells a journey. Each is made at a time: ``JourneyController/perform(_:at:)``.
public enum JourneyCall: Sendable {
  /// Begins: the credentials and what to consent to are told.
  case start
  /// The person's decision about one item; also one that was given before, until a credential starts.
  case consent(item: Int, isGiven: Bool)
  /// Begins with one of the credentials of ``JourneyEvent/Kind/initialized``, which may come in any order.
  case startCredential(Int)
  /// Which document it is: one of ``JourneyController/choices(_:)``.
  case configure(DocumentChoice)
  /// The person has read what ``JourneyEvent/Kind/legalAdvice`` said.
  case acknowledge
  /// - Parameters:
  ///   - mode: nil for the first that is allowed.
  ///   - camera: what is known of the one that frames of the face come from; nil for that of the configuration.
  case startPart(JourneyPart, mode: ScanMode?, camera: CameraFacts? = nil)
  /// The next picture of a camera.
  case frame(JourneyFrame)
  /// Takes the last frame, where the person decides when.
  case takePicture
  /// A photo's file in place of frames.
  case attach(Photo)
  /// What was read from the chip.
  case attachChip(ChipFiles)
  /// What the PDF417 on the back of a driving licence holds, as a scanner read it.
  case attachCode([UInt8])
  /// Frames are dropped from now on.
  case pause
  case resume
  /// Goes on in the next mode that is allowed.
  case fallback
  /// The person declines the movement that is asked for. Nothing else happens: the program then ends the try, or falls back.
  /// The result is not passed, and says why.
  case decline
  /// The picture is good.
  case confirm
  /// The picture is taken again.
  case retake
  /// Tries again what did not come to a result.
  case retryPart
  /// Also before a session is complete, as where a recording ends: it is decided by the frames that came.
  case finishPart
  /// Gives the part up; it can be started again.
  case cancelPart
  case finishCredential
  /// Gives the credential up; it can be started again.
  case cancelCredential
  /// Something outside of the library failed: a camera, a connection.
  case report(JourneyError.Code)
  /// Tries again after an error.
  case retry
  /// Makes the result.
  case finish
  /// Ends the journey, whatever it does. Any thread may call it at any time.
  case cancel
  /// Nothing but the time: deadlines are looked at with every call, and with this one.
  case tick

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
}

/// One picture of a camera, as ``LivenessSession/add(_:at:received:screenColour:budget:)`` takes it.
public struct JourneyFrame: Sendable {
  public let picture: PixelBuffer
  /// Seconds on the stream's own clock.
  public let time: Double
  /// Seconds on the caller's clock.
  public var received: Double?
  public var screenColour: SIMD3<Double>?

  public init(_ picture: PixelBuffer, time: Double, received: Double? = nil, screenColour: SIMD3<Double>? = nil) {
    self.picture = picture
    self.time = time
    self.received = received
    self.screenColour = screenColour
  }
}

/// What a journey asks for.
public enum JourneyCategory: String, Sendable, Codable, CaseIterable {
  /// An identity document.
  case id
  /// The person.
  case face
  /// A picture of any other document, which is kept and not judged.
  case document
  /// Data without pictures: nothing in this library takes them.
  case data
}

/// A part of a credential.
public enum JourneyPart: String, Sendable, Codable, CaseIterable {
  case front, back
  /// The files of the chip.
  case chip
  case face
  case document
  /// Front and back, one after the other.
  case multipart
  /// A document that is none of paper or plastic: nothing in this library takes it.
  case digital
}

/// How a part is scanned.
public enum ScanMode: String, Sendable, Codable, CaseIterable {
  /// The person decides when a picture of the document is taken.
  case manual
  /// One photo of the face, which tells little of who is before the camera.
  case faceManual = "face-manual"
  /// Challenges, by the policy standard.
  case liveness
  /// Challenges, by the policy strict.
  case strict
  /// A recording for which nobody was asked for anything, by the policy passive-only.
  case passive
  /// The code on the back of a driving licence.
  case barcode
  case chipFiles = "chip-files"
  /// Frames of a document, of which the first good one is taken.
  case docFinder = "doc-finder"
  /// A photo's file.
  case file
  /// Another page: nothing in this library opens one.
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

  /// What a live decision proves at most.
  func presence(isCaptureTrusted: Bool) -> Assurance.Presence {
    switch self {
    case .liveness, .strict: isCaptureTrusted ? .trustedCapture : .challengeAnswered
    case .passive: .passiveVideo
    case .faceManual: .photo
    default: .none
    }
  }
}
