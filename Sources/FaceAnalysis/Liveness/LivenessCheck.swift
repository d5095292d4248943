/// What was found for one signal of one session.
public struct LivenessCheck: Sendable, Hashable {
  public let signal: LivenessSignal
  public let status: CheckStatus
  /// The native value in ``unit``, or nil if it could not be determined.
  public let value: Double?
  /// "share" (0 to 1), "score", "ratio", "frames", "seconds", "degrees", "level" (of 255) or "faces".
  public let unit: String
  /// The range in which the check passes; nil is no limit.
  public let minimum: Double?
  public let maximum: Double?
  /// One sentence: what was seen if the check failed, why it was not checked, or empty if it passed.
  public let text: String
  /// What the range rests on.
  public let source: String

  init(_ measure: any LivenessMeasuring) {
    let kind = type(of: measure)
    let status: CheckStatus
    let text: String
    let value: Double?
    switch measure.measured {
    case .unavailable(let why):
      (status, text, value) = (.notChecked, why, nil)
    case .value(let found) where !found.isFinite:
      (status, text, value) = (.notChecked, "The frames did not show the face well enough for this check.", nil)
    case .value(let found):
      let passed = found >= (measure.minimum ?? -.infinity) && found <= (measure.maximum ?? .infinity)
      (status, text, value) = (passed ? .passed : .failed, passed ? "" : measure.failure, found)
    }
    signal = kind.signal
    self.status = status
    self.value = value
    unit = kind.unit
    minimum = measure.minimum
    maximum = measure.maximum
    self.text = text
    source = [kind.source, signalMeasurements[kind.signal]].compactMap { $0 }.joined(separator: "; measured: ")
  }
}

/// What a session is judged by; the same names are used in JSON and by the C, Python and Go interfaces.
public struct LivenessSignal: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// The challenges of the script were met, each when it was asked for, and no other.
  public static let challengeCompliance = LivenessSignal(rawValue: "challenge-compliance")
  /// One and the same person from the first frame to the last.
  public static let identityContinuity = LivenessSignal(rawValue: "identity-continuity")
  /// The person of the portrait that was given.
  public static let portraitIdentity = LivenessSignal(rawValue: "portrait-identity")
  /// The face was seen for long enough to tell.
  public static let observationTime = LivenessSignal(rawValue: "observation-time")
  /// No other face beside this one.
  public static let singleFace = LivenessSignal(rawValue: "single-face")
  /// A face that turned has depth: it did not move as a flat picture does.
  public static let planarity = LivenessSignal(rawValue: "planarity")
  /// The network that knows prints and screens by their texture.
  public static let texture = LivenessSignal(rawValue: "texture")
  /// The pattern that a camera sees where it films a display's pixel grid.
  public static let moire = LivenessSignal(rawValue: "moire")
  /// Bright bands that wander over the face: a display's refresh.
  public static let refreshBands = LivenessSignal(rawValue: "refresh-bands")
  /// Colours that skin has not: a display's or a print's.
  public static let colourGamut = LivenessSignal(rawValue: "colour-gamut")
  /// Glare that stays where it is while the face moves below it: a flat, shiny surface.
  public static let specularPlane = LivenessSignal(rawValue: "specular-plane")
  /// Straight edges of a sheet, a phone or a screen around the face.
  public static let mediumEdge = LivenessSignal(rawValue: "medium-edge")
  /// Eyes and mouth move in themselves, as those of living people do.
  public static let facialMotion = LivenessSignal(rawValue: "facial-motion")
  /// The face takes on the colours that the screen before it shows.
  public static let colourResponse = LivenessSignal(rawValue: "colour-response")
  /// No frame comes twice.
  public static let frameRepetition = LivenessSignal(rawValue: "frame-repetition")
  /// Frames follow each other as a camera took them.
  public static let frameOrder = LivenessSignal(rawValue: "frame-order")
  /// Time stamps that a camera can have.
  public static let frameClock = LivenessSignal(rawValue: "frame-clock")
  /// Frames of one size.
  public static let frameSize = LivenessSignal(rawValue: "frame-size")
  /// The noise that every sensor has.
  public static let sensorNoise = LivenessSignal(rawValue: "sensor-noise")
  /// A camera that is a device, not a program.
  public static let cameraDevice = LivenessSignal(rawValue: "camera-device")
  /// The frames' own clock runs as fast as the caller's.
  public static let arrivalRate = LivenessSignal(rawValue: "arrival-rate")
  /// Frames come soon after they were taken.
  public static let arrivalDelay = LivenessSignal(rawValue: "arrival-delay")

  /// All signals, in the order of a decision's checks.
  public static let allCases: [LivenessSignal] = livenessSignals.map { $0.signal }
}
