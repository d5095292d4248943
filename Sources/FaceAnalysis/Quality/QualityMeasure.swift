/// A property of a face picture, named as in ISO/IEC 29794-5; the same names are used in the command line's JSON.
public struct QualityMeasure: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// No other face in the picture.
  public static let singleFacePresent = QualityMeasure(rawValue: "single-face-present")
  /// Pixels between the centres of the eyes.
  public static let interEyeDistance = QualityMeasure(rawValue: "inter-eye-distance")
  /// The head's share of the photo's height.
  public static let headSize = QualityMeasure(rawValue: "head-size")
  /// Margin between the subject's right eye and the photo's left edge.
  public static let leftwardCrop = QualityMeasure(rawValue: "leftward-crop")
  /// Margin between the subject's left eye and the photo's right edge.
  public static let rightwardCrop = QualityMeasure(rawValue: "rightward-crop")
  /// Margin above the eyes.
  public static let marginAbove = QualityMeasure(rawValue: "margin-above")
  /// Margin below the eyes.
  public static let marginBelow = QualityMeasure(rawValue: "margin-below")
  public static let headPoseYaw = QualityMeasure(rawValue: "head-pose-yaw")
  public static let headPosePitch = QualityMeasure(rawValue: "head-pose-pitch")
  public static let headPoseRoll = QualityMeasure(rawValue: "head-pose-roll")
  public static let eyesOpen = QualityMeasure(rawValue: "eyes-open")
  /// No dark glasses.
  public static let eyesVisible = QualityMeasure(rawValue: "eyes-visible")
  public static let mouthClosed = QualityMeasure(rawValue: "mouth-closed")
  /// No mask, scarf or hand.
  public static let mouthVisible = QualityMeasure(rawValue: "mouth-occlusion-prevention")
  public static let sharpness = QualityMeasure(rawValue: "sharpness")
  public static let underExposure = QualityMeasure(rawValue: "under-exposure")
  public static let overExposure = QualityMeasure(rawValue: "over-exposure")
  public static let dynamicRange = QualityMeasure(rawValue: "dynamic-range")
  public static let illuminationUniformity = QualityMeasure(rawValue: "illumination-uniformity")
  public static let naturalColour = QualityMeasure(rawValue: "natural-colour")

  /// In the order of ``QualityReport/checks``: people in the picture, framing and pose, capture.
  public static let allCases: [QualityMeasure] = qualityMeasures.map { $0.measure }
}
