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

/// All signals, in the order of a decision's checks.
let livenessSignals: [any LivenessMeasuring.Type] = [
  ChallengeCompliance.self, ObservationTime.self, IdentityContinuity.self, PortraitIdentity.self, SingleFace.self,
  PlanaritySignal.self, Texture.self, Moire.self, RefreshBands.self, ColourGamut.self, SpecularPlane.self,
  MediumEdge.self, FacialMotion.self,
  ColourResponse.self, FrameRepetition.self, FrameOrder.self, FrameClock.self, FrameSize.self, SensorNoise.self,
  CameraDeviceSignal.self, ArrivalRate.self, ArrivalDelay.self,
]
