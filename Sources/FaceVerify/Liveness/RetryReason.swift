/// Why a session should be retried.
public struct RetryReason: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  public static let generic = RetryReason(rawValue: "generic")
  public static let tooMuchMovement = RetryReason(rawValue: "too-much-movement")
  public static let lightingTooBright = RetryReason(rawValue: "lighting-too-bright")
  public static let lightingTooDark = RetryReason(rawValue: "lighting-too-dark")
  public static let eyesClosed = RetryReason(rawValue: "eyes-closed")
  public static let obscuredFace = RetryReason(rawValue: "obscured-face")
  public static let multipleFaces = RetryReason(rawValue: "multiple-faces")
  public static let sunglasses = RetryReason(rawValue: "sunglasses")
  public static let faceTooClose = RetryReason(rawValue: "face-too-close")
  public static let faceTooFar = RetryReason(rawValue: "face-too-far")
  public static let faceMisaligned = RetryReason(rawValue: "face-misaligned")
  public static let userTimeout = RetryReason(rawValue: "user-timeout")
  /// A movement other than the requested one.
  public static let wrongMovement = RetryReason(rawValue: "wrong-movement")
  /// No frames arrived, or none for a while.
  public static let interrupted = RetryReason(rawValue: "interrupted")

  /// All reasons, in a stable order; new ones are appended.
  public static let allCases: [RetryReason] = [
    .generic, .tooMuchMovement, .lightingTooBright, .lightingTooDark, .eyesClosed, .obscuredFace, .multipleFaces,
    .sunglasses, .faceTooClose, .faceTooFar, .faceMisaligned, .userTimeout, .wrongMovement, .interrupted,
  ]

  /// The reason for the hint that was shown longest.
  init(_ hint: LivenessHint) {
    self =
      switch hint {
      case .moveFaceIntoFrame, .centreFace, .levelEyesAndDevice, .raiseChin, .lowerChin, .turnFaceLeft,
        .turnFaceRight:
        .faceMisaligned
      case .moveFaceCloser: .faceTooFar
      case .holdStill: .userTimeout
      default: RetryReason(rawValue: hint.rawValue)
      }
  }
}
