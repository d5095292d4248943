/// What the person should do for the session to go on; the names are those that applications of this field already show.
///
/// One at a time, the most important first (the order of ``allCases``), and only when it has held for a moment.
public struct LivenessHint: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  public static let moveFaceIntoFrame = LivenessHint(rawValue: "moveFaceIntoFrame")
  public static let multipleFaces = LivenessHint(rawValue: "multipleFaces")
  public static let lightingTooDark = LivenessHint(rawValue: "lightingTooDark")
  public static let lightingTooBright = LivenessHint(rawValue: "lightingTooBright")
  public static let sunglasses = LivenessHint(rawValue: "sunglasses")
  public static let obscuredFace = LivenessHint(rawValue: "obscuredFace")
  public static let faceTooClose = LivenessHint(rawValue: "faceTooClose")
  public static let moveFaceCloser = LivenessHint(rawValue: "moveFaceCloser")
  public static let centerFace = LivenessHint(rawValue: "centerFace")
  public static let levelEyesAndDevice = LivenessHint(rawValue: "levelEyesAndDevice")
  public static let tiltFaceUp = LivenessHint(rawValue: "tiltFaceUp")
  public static let tiltFaceDown = LivenessHint(rawValue: "tiltFaceDown")
  /// To the person's own left.
  public static let tiltFaceLeft = LivenessHint(rawValue: "tiltFaceLeft")
  /// To the person's own right.
  public static let tiltFaceRight = LivenessHint(rawValue: "tiltFaceRight")
  public static let eyesClosed = LivenessHint(rawValue: "eyesClosed")
  public static let tooMuchMovement = LivenessHint(rawValue: "tooMuchMovement")
  /// With the seconds that are left: ``LivenessState/secondsLeft``.
  public static let holdStill = LivenessHint(rawValue: "holdStill")

  /// The most important first.
  public static let allCases: [LivenessHint] = [
    .moveFaceIntoFrame, .multipleFaces, .lightingTooDark, .lightingTooBright, .sunglasses, .obscuredFace, .faceTooClose,
    .moveFaceCloser, .centerFace, .levelEyesAndDevice, .tiltFaceUp, .tiltFaceDown, .tiltFaceLeft, .tiltFaceRight,
    .eyesClosed, .tooMuchMovement, .holdStill,
  ]

  /// One sentence for the person.
  public var text: String {
    switch self {
    case .moveFaceIntoFrame: "Bring your face into the picture."
    case .multipleFaces: "Only one person may be in the picture."
    case .lightingTooDark: "It is too dark: turn towards a light."
    case .lightingTooBright: "It is too bright: turn away from the light."
    case .sunglasses: "Take off your sunglasses."
    case .obscuredFace: "Uncover your face."
    case .faceTooClose: "Move back a little."
    case .moveFaceCloser: "Come closer."
    case .centerFace: "Bring your face to the middle."
    case .levelEyesAndDevice: "Hold your head straight, the camera at the height of your eyes."
    case .tiltFaceUp: "Lift your chin a little."
    case .tiltFaceDown: "Lower your chin a little."
    case .tiltFaceLeft: "Turn a little to your left."
    case .tiltFaceRight: "Turn a little to your right."
    case .eyesClosed: "Open your eyes."
    case .tooMuchMovement: "Move less."
    case .holdStill: "Hold still."
    default: rawValue
    }
  }
}
