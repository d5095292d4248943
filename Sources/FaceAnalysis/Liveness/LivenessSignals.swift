/// A kind of evidence for or against a living person; the same names are used in JSON and by the C, Python and Go
/// interfaces.
public struct LivenessSignal: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// The challenges of the script were met, each when requested, and no other movement was made.
  public static let challengeCompliance = LivenessSignal(rawValue: "challenge-compliance")
  /// The same person from the first frame to the last.
  public static let identityContinuity = LivenessSignal(rawValue: "identity-continuity")
  /// The person matches the given portrait.
  public static let portraitIdentity = LivenessSignal(rawValue: "portrait-identity")
  /// The face was visible long enough to judge.
  public static let observationTime = LivenessSignal(rawValue: "observation-time")
  /// No other face in the frame.
  public static let singleFace = LivenessSignal(rawValue: "single-face")
  /// A turned face shows depth: it did not move like a flat picture.
  public static let planarity = LivenessSignal(rawValue: "planarity")
  /// The score of the network that detects prints and screens by their texture.
  public static let texture = LivenessSignal(rawValue: "texture")
  /// Moiré: the pattern that a camera records when it films a display's pixel grid.
  public static let moire = LivenessSignal(rawValue: "moire")
  /// Bright bands that move across the frame: a display's refresh.
  public static let refreshBands = LivenessSignal(rawValue: "refresh-bands")
  /// Colours outside the range of skin: a display's or a print's.
  public static let colourGamut = LivenessSignal(rawValue: "colour-gamut")
  /// Glare that stays in place while the face moves: a flat, shiny surface.
  public static let specularPlane = LivenessSignal(rawValue: "specular-plane")
  /// Straight edges of a sheet, a phone or a screen around the face.
  public static let mediumEdge = LivenessSignal(rawValue: "medium-edge")
  /// Eyes and mouth move within the face, as those of living people do.
  public static let facialMotion = LivenessSignal(rawValue: "facial-motion")
  /// Skin, shadows and highlights change, as those of an animated photo do not.
  public static let skinChange = LivenessSignal(rawValue: "skin-change")
  /// The eyes move in the head while it turns, as those of a person who looks at a screen do.
  public static let eyeMovement = LivenessSignal(rawValue: "eye-movement")
  /// The face reflects the colours shown by the screen in front of it.
  public static let colourResponse = LivenessSignal(rawValue: "colour-response")
  /// No frame is repeated.
  public static let frameRepetition = LivenessSignal(rawValue: "frame-repetition")
  /// Frames are in the order in which a camera took them.
  public static let frameOrder = LivenessSignal(rawValue: "frame-order")
  /// No frame is a mixture of an earlier and a later one.
  public static let frameBlend = LivenessSignal(rawValue: "frame-blend")
  /// Timestamps are plausible for a camera.
  public static let frameClock = LivenessSignal(rawValue: "frame-clock")
  /// All frames have the same size.
  public static let frameSize = LivenessSignal(rawValue: "frame-size")
  /// The noise that every sensor has.
  public static let sensorNoise = LivenessSignal(rawValue: "sensor-noise")
  /// The camera is a device, not a program.
  public static let cameraDevice = LivenessSignal(rawValue: "camera-device")
  /// The browser lists the camera of the video track.
  public static let cameraTrack = LivenessSignal(rawValue: "camera-track")
  /// The frames' clock runs at the rate of the caller's.
  public static let arrivalRate = LivenessSignal(rawValue: "arrival-rate")
  /// Frames arrive soon after capture.
  public static let arrivalDelay = LivenessSignal(rawValue: "arrival-delay")

  /// All signals, in the order of a decision's checks.
  public static let allCases: [LivenessSignal] = livenessSignals.map { $0.signal }
}

extension LivenessSignal: CheckName {
  public static func json(of check: LivenessCheck) -> JSONValue {
    [
      "signal": .string(check.name.rawValue), "status": .string(check.status.rawValue),
      "value": .rounded(check.value, 4), "unit": .string(check.unit), "minimum": .rounded(check.minimum, 4),
      "maximum": .rounded(check.maximum, 4), "text": .string(check.text), "source": .string(check.source),
    ]
  }
}

/// All signals, in the order of a decision's checks.
let livenessSignals: [any LivenessMeasuring.Type] = [
  ChallengeCompliance.self, ObservationTime.self, IdentityContinuity.self, PortraitIdentity.self, SingleFace.self,
  PlanaritySignal.self, Texture.self, Moire.self, RefreshBands.self, ColourGamut.self, SpecularPlane.self,
  MediumEdge.self, FacialMotion.self, SkinChange.self, EyeMovement.self,
  ColourResponse.self, FrameRepetition.self, FrameOrder.self, FrameBlend.self, FrameClock.self, FrameSize.self,
  SensorNoise.self,
  CameraDeviceSignal.self, CameraTrack.self, ArrivalRate.self, ArrivalDelay.self,
]

/// A liveness signal: receives every frame of a session, in order, and gives its result at the end. One file each;
/// value types of constant size, regardless of the length of the session.
protocol LivenessMeasuring: SendableMetatype {
  static var signal: LivenessSignal { get }
  static var unit: String { get }
  /// The basis of the range: data, counts, date.
  static var source: String { get }
  init(_ context: LivenessContext)
  /// The range in which the check passes; nil means no limit.
  var minimum: Double? { get }
  var maximum: Double? { get }
  /// One sentence that describes the finding if the value is outside the range.
  var failure: String { get }
  mutating func add(_ frame: LivenessFrame)
  var measured: Measured { get }
}

extension LivenessMeasuring {
  var minimum: Double? { nil }
  var maximum: Double? { nil }
}

/// A signal that needs nothing but the frames.
protocol FrameMeasuring: LivenessMeasuring {
  init()
}

extension FrameMeasuring {
  init(_ context: LivenessContext) { self.init() }
}

/// The result of one signal in one session; its text is the finding. Units are "share" (0 to 1), "score", "ratio",
/// "frames", "seconds", "degrees", "level" (of 255) and "faces".
public typealias LivenessCheck = Check<LivenessSignal>

extension LivenessCheck {
  /// The basis of the range.
  public var source: String {
    [livenessSignals.first { $0.signal == name }?.source, signalMeasurements[name]].compactMap { $0 }
      .joined(separator: "; measured: ")
  }

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
    self.init(
      kind.signal, status, value: value, unit: kind.unit, minimum: measure.minimum, maximum: measure.maximum, text: text
    )
  }
}
