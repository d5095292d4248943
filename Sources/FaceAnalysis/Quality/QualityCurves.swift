extension QualityCurve {
  /// Written by `training/quality/run` from 22,296 comparisons of 6,765 photos of 1,017 people,
  /// 2,527 of them made worse. Of two photos without any defect, 13.2 % are false non-matches.
  static let all = [
    QualityCurve(.interEyeDistance, [10, 14, 36], [0.343, 0.000, 0.000], unknown: 0.000),
    QualityCurve(
      .headPoseYaw, [-45, -30, -20, -12, -5, 5, 12, 20, 30, 45],
      [1.840, 0.160, 0.100, 0.050, 0.000, 0.000, 0.050, 0.100, 0.160, 1.840], unknown: 0.065),
    QualityCurve(
      .headPosePitch, [-30, -20, -12, -5, 5, 12, 20, 30], [1.303, 0.330, 0.280, 0.000, 0.000, 0.136, 0.698, 0.748],
      unknown: 0.119),
    QualityCurve(
      .headPoseRoll, [-40, -12, -5, 5, 12, 40], [0.341, 0.341, 0.000, 0.000, 0.341, 0.341], unknown: 0.009),
    QualityCurve(.eyesOpen, [0.04, 0.06, 0.08, 0.12], [0.802, 0.392, 0.392, 0.000], unknown: 0.009),
    QualityCurve(.eyesVisible, [0.3, 0.5, 0.65, 0.75], [2.271, 0.916, 0.740, 0.000], unknown: 0.022),
    QualityCurve(.mouthClosed, [0.05, 0.12, 0.2, 0.3], [0.000, 0.069, 0.476, 0.827], unknown: 0.042),
    QualityCurve(.mouthVisible, [12, 16, 20, 30], [0.000, 0.000, 0.100, 0.100], unknown: 0.001),
    QualityCurve(
      .sharpness, [0.36, 0.4, 0.44, 0.48, 0.52, 0.95, 1.05, 1.2, 1.5],
      [1.921, 1.075, 0.989, 0.619, 0.000, 0.000, 2.027, 2.984, 3.108], unknown: 0.011),
    QualityCurve(.underExposure, [0.03, 0.1, 0.7], [0.000, 0.050, 0.050], unknown: 0.001),
    QualityCurve(.overExposure, [0.01, 0.03, 0.1, 0.3, 0.6], [0.000, 0.170, 0.599, 1.229, 1.695], unknown: 0.001),
    QualityCurve(.dynamicRange, [3.5, 4.5, 5.5, 6.25], [2.199, 0.821, 0.240, 0.000], unknown: 0.001),
    QualityCurve(
      .illuminationUniformity, [0.2, 0.35, 0.5, 0.65, 0.8], [0.762, 0.509, 0.251, 0.251, 0.000], unknown: 0.029),
    QualityCurve(.naturalColour, [5, 10, 20], [0.000, 0.320, 0.674], unknown: 0.004),
  ]
}
