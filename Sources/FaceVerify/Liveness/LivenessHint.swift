/// What the person should do to proceed.
///
/// One hint at a time, by priority (the order of ``allCases``), and only once it is stable.
public struct LivenessHint: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  public static let moveFaceIntoFrame = LivenessHint(rawValue: "move-face-into-frame")
  public static let multipleFaces = LivenessHint(rawValue: "multiple-faces")
  public static let lightingTooDark = LivenessHint(rawValue: "lighting-too-dark")
  public static let lightingTooBright = LivenessHint(rawValue: "lighting-too-bright")
  public static let sunglasses = LivenessHint(rawValue: "sunglasses")
  public static let obscuredFace = LivenessHint(rawValue: "obscured-face")
  public static let faceTooClose = LivenessHint(rawValue: "face-too-close")
  public static let moveFaceCloser = LivenessHint(rawValue: "move-face-closer")
  public static let centreFace = LivenessHint(rawValue: "centre-face")
  public static let levelEyesAndDevice = LivenessHint(rawValue: "level-eyes-and-device")
  public static let raiseChin = LivenessHint(rawValue: "raise-chin")
  public static let lowerChin = LivenessHint(rawValue: "lower-chin")
  /// Turn the head to the person's own left.
  public static let turnFaceLeft = LivenessHint(rawValue: "turn-face-left")
  /// Turn the head to the person's own right.
  public static let turnFaceRight = LivenessHint(rawValue: "turn-face-right")
  public static let eyesClosed = LivenessHint(rawValue: "eyes-closed")
  public static let tooMuchMovement = LivenessHint(rawValue: "too-much-movement")
  /// Shown with the remaining seconds: ``LivenessFeedback/secondsLeft``.
  public static let holdStill = LivenessHint(rawValue: "hold-still")

  /// In descending priority.
  public static let allCases: [LivenessHint] = [
    .moveFaceIntoFrame, .multipleFaces, .lightingTooDark, .lightingTooBright, .sunglasses, .obscuredFace, .faceTooClose,
    .moveFaceCloser, .centreFace, .levelEyesAndDevice, .raiseChin, .lowerChin, .turnFaceLeft, .turnFaceRight,
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
    case .centreFace: "Bring your face to the middle."
    case .levelEyesAndDevice: "Hold your head straight, the camera at the height of your eyes."
    case .raiseChin: "Lift your chin a little."
    case .lowerChin: "Lower your chin a little."
    case .turnFaceLeft: "Turn a little to your left."
    case .turnFaceRight: "Turn a little to your right."
    case .eyesClosed: "Open your eyes."
    case .tooMuchMovement: "Move less."
    case .holdStill: "Hold still."
    default: rawValue
    }
  }
}
