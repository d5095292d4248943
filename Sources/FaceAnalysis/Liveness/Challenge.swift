/// What a person is asked to do. Directions are the person's own: "turn-left" is to their left.
public struct Challenge: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// Close both eyes together and open them again.
  public static let blink = Challenge(rawValue: "blink")
  public static let turnLeft = Challenge(rawValue: "turn-left")
  public static let turnRight = Challenge(rawValue: "turn-right")
  public static let lookUp = Challenge(rawValue: "look-up")
  public static let lookDown = Challenge(rawValue: "look-down")
  /// Bring the head towards the left shoulder.
  public static let tiltLeft = Challenge(rawValue: "tilt-left")
  /// Bring the head towards the right shoulder.
  public static let tiltRight = Challenge(rawValue: "tilt-right")
  public static let smile = Challenge(rawValue: "smile")
  public static let openMouth = Challenge(rawValue: "open-mouth")
  public static let moveCloser = Challenge(rawValue: "move-closer")
  public static let moveBack = Challenge(rawValue: "move-back")
  public static let holdStill = Challenge(rawValue: "hold-still")

  /// In the order that ``ChallengeScript`` numbers them by, which no release changes: later ones are added at the end.
  public static let allCases: [Challenge] = [
    .blink, .turnLeft, .turnRight, .lookUp, .lookDown, .tiltLeft, .tiltRight, .smile, .openMouth, .moveCloser,
    .moveBack, .holdStill,
  ]

  /// Whether a picture that is moved, tilted or bent before the camera cannot answer it: parts of a face must move within
  /// the face, or it must have depth.
  package var needsFace: Bool { [.blink, .turnLeft, .turnRight, .smile, .openMouth].contains(self) }

  /// Whether the person stays in the position for a while before coming back.
  var isHeld: Bool { self != .blink }
}
