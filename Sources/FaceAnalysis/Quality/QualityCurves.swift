extension QualityCurve {
  /// Written by `training/quality/run` from 22,296 comparisons of 6,765 photos of 1,017 people,
  /// 2,527 of them made worse. Of two photos without any defect, 2.9 % are false non-matches.
  static let all = [
    QualityCurve(
      measure: .headPoseYaw,
      values: [-45, -30, -20, -12, -5, 5, 12, 20, 30, 45],
      logarithms: [0.955, 0.150, 0.100, 0.050, 0.000, 0.000, 0.050, 0.100, 0.150, 0.955],
      unknown: 0.053),
    QualityCurve(
      measure: .headPosePitch,
      values: [-30, -20, -12, -5, 5, 12, 20, 30],
      logarithms: [0.401, 0.351, 0.050, 0.000, 0.000, 0.050, 0.672, 0.722],
      unknown: 0.065),
    QualityCurve(
      measure: .headPoseRoll,
      values: [-40, -12, -5, 5, 12, 40],
      logarithms: [0.508, 0.508, 0.000, 0.000, 0.508, 0.508],
      unknown: 0.013),
    QualityCurve(
      measure: .eyesOpen,
      values: [0.04, 0.06, 0.08, 0.12],
      logarithms: [1.465, 0.530, 0.530, 0.000],
      unknown: 0.012),
    QualityCurve(
      measure: .eyesVisible,
      values: [0.3, 0.5, 0.65, 0.75],
      logarithms: [1.567, 0.803, 0.803, 0.000],
      unknown: 0.019),
    QualityCurve(
      measure: .mouthClosed,
      values: [0.05, 0.12, 0.3],
      logarithms: [0.000, 0.126, 0.126],
      unknown: 0.033),
    QualityCurve(
      measure: .mouthVisible,
      values: [12, 16, 30],
      logarithms: [0.000, 0.106, 0.106],
      unknown: 0.004),
    QualityCurve(
      measure: .sharpness,
      values: [0.36, 0.4, 0.44, 0.48, 0.52, 0.6, 0.95, 1.05, 1.2, 1.5],
      logarithms: [2.043, 1.497, 1.255, 0.463, 0.055, 0.000, 0.000, 2.797, 4.143, 4.319],
      unknown: 0.017),
    QualityCurve(
      measure: .underExposure,
      values: [0.03, 0.1, 0.7],
      logarithms: [0.000, 0.241, 0.241],
      unknown: 0.006),
    QualityCurve(
      measure: .overExposure,
      values: [0.01, 0.03, 0.1, 0.3, 0.6],
      logarithms: [0.000, 0.415, 0.581, 0.828, 1.195],
      unknown: 0.002),
    QualityCurve(
      measure: .dynamicRange,
      values: [3.5, 4.5, 5.5, 6.25],
      logarithms: [2.688, 0.859, 0.433, 0.000],
      unknown: 0.002),
    QualityCurve(
      measure: .illuminationUniformity,
      values: [0.2, 0.35, 0.65, 0.8],
      logarithms: [0.601, 0.393, 0.393, 0.000],
      unknown: 0.043),
    QualityCurve(
      measure: .naturalColour,
      values: [5, 10, 20],
      logarithms: [0.000, 0.281, 0.508],
      unknown: 0.004),
  ]
}
