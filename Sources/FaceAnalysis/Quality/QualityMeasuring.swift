/// A measure of face image quality: a value with a unit, a score, and advice. One file each.
protocol QualityMeasuring: SendableMetatype {
  static var measure: QualityMeasure { get }
  /// The unit of the value: "pixels", "degrees", "bits", "ratio" (of two lengths, areas or luminances) or "share" (0 to
  /// 1).
  static var unit: String { get }
  static func value(of face: QualityInput) -> Measured
  /// 0 to 100, higher is better. Where ISO/IEC 29794-5 maps the same native value, its mapping is used.
  static func score(of value: Double) -> Double
  /// Returns one sentence of advice to the person for a value below (`isLow`) or above the accepted range.
  static func advice(isLow: Bool) -> String
}

/// A value, or the reason why it is unavailable.
enum Measured: Sendable, Equatable {
  case value(Double)
  case unavailable(String)

  static let noMesh = Measured.unavailable("The model set in use has no face mesh, which this check needs.")
  static let noPixels = Measured.unavailable("Too little of the face is inside the picture for this check.")
}

/// All measures, in the order of ``QualityReport/checks``.
let qualityMeasures: [any QualityMeasuring.Type] = [
  SingleFacePresent.self, InterEyeDistance.self, HeadSize.self,
  LeftwardCrop.self, RightwardCrop.self, MarginAbove.self, MarginBelow.self,
  HeadPoseYaw.self, HeadPosePitch.self, HeadPoseRoll.self, EyesOpen.self, EyesVisible.self, MouthClosed.self,
  MouthVisible.self,
  Sharpness.self, UnderExposure.self, OverExposure.self, DynamicRange.self, IlluminationUniformity.self,
  NaturalColour.self,
]
