internal import Glibc

/// How one quality measure is taken: a value with a unit, a score, and advice.
struct QualityMeasuring: Sendable {
  let measure: QualityMeasure
  /// The unit of the value: "pixels", "degrees", "bits", "ratio" (of two lengths, areas or luminances) or "share" (0 to
  /// 1).
  let unit: String
  let value: @Sendable (QualityInput) -> Measured
  /// 0 to 100, higher is better. Where ISO/IEC 29794-5 maps the same native value, its mapping is used.
  let score: @Sendable (Double) -> Double
  private let low: String
  private let high: String

  /// - Parameters:
  ///   - low: One sentence of advice to the person for a value below the accepted range.
  ///   - high: For one above it; nil for the same advice.
  init(
    _ measure: QualityMeasure, _ unit: String, low: String, high: String? = nil,
    score: @escaping @Sendable (Double) -> Double, value: @escaping @Sendable (QualityInput) -> Measured
  ) {
    (self.measure, self.unit, self.value, self.score) = (measure, unit, value, score)
    (self.low, self.high) = (low, high ?? low)
  }

  func advice(isLow: Bool) -> String { isLow ? low : high }
}

/// A value, or the reason why it is unavailable.
enum Measured: Sendable, Equatable {
  case value(Double)
  case unavailable(String)

  static let noMesh = Measured.unavailable("The model set in use has no face mesh, which this check needs.")
  static let noCalibration = unavailable("The model set in use has no calibration, which this check needs.")
  static let noPixels = Measured.unavailable("Too little of the face is inside the picture for this check.")
}

/// All measures of ISO/IEC 29794-5 that are taken, in the order of ``QualityReport/checks``.
let qualityMeasures = [
  // The ratio of the next face to this one, 0 if there is none. The standard compares areas. Here the ratio is of
  // prominences (area inside the frame, less towards the edges), which distinguishes a neighbour cut off by the edge or
  // in the background from a second person in front of the camera.
  QualityMeasuring(
    .singleFacePresent, "ratio", low: "Make sure that you are alone in the picture.", score: { 100 * (1 - $0) },
    value: { .value($0.nextFace) }),
  // The distance between the eyes' centres in pixels of the full photo, over the cosine of the yaw, so that a turned
  // head does not count as a small one. Without a mesh the yaw is assumed to be 0. Beyond 60 degrees the cosine would
  // amplify the error of the yaw more than it corrects. The standard's mapping: 50 at 70 pixels.
  QualityMeasuring(
    .interEyeDistance, "pixels", low: "Come closer to the camera, or use a picture with more pixels.",
    high: "Move away from the camera a little.", score: sigmoid(centre: 70, width: 20)
  ) { face in
    let yaw = min(60, abs(face.landmarks.pose?.yaw ?? 0))
    return .value(face.landmarks.interEyeDistance / cos(yaw * .pi / 180))
  },
  // The distance from the midpoint between the eyes to the chin, over the photo's height. The standard's ideal is that
  // of a portrait in an identity document, 0.45.
  QualityMeasuring(
    .headSize, "ratio", low: "Come closer to the camera.",
    high: "Move away from the camera, so that your whole head is in the picture.",
    score: { closeness(width: 0.05)(abs($0 - 0.45)) },
    value: { face in face.eyesToChin.map { .value($0 / (face.room.above + face.room.below)) } ?? .noMesh }),
  // The margins around the eyes: from the subject's right eye to the left edge, and from the left eye to the right
  // edge, in inter-eye distances; from the midpoint between the eyes to the upper and to the lower edge, in eye-to-chin
  // distances: at 1 below, the picture ends at the chin. Directions are those of the picture with the face upright;
  // margins of a rotated face are measured along its own axes.
  crop(.leftwardCrop, centre: 0.9, low: "Bring your face into the middle: it is cut off at the picture's left.") {
    .value($0.room.left / $0.landmarks.interEyeDistance)
  },
  crop(.rightwardCrop, centre: 0.9, low: "Bring your face into the middle: it is cut off at the picture's right.") {
    .value($0.room.right / $0.landmarks.interEyeDistance)
  },
  crop(.marginAbove, centre: 1.4, low: "Leave more room above your head: it is cut off at the picture's top.") { face in
    face.eyesToChin.map { .value(face.room.above / $0) } ?? .noMesh
  },
  crop(.marginBelow, centre: 1.8, low: "Leave more room below your chin: it is cut off at the picture's bottom.") {
    face in face.eyesToChin.map { .value(face.room.below / $0) } ?? .noMesh
  },
  // The head pose: three angles with the signs of ``HeadPose``.
  headPose(
    .headPoseYaw, low: "Turn your head to your left until you face the camera.",
    high: "Turn your head to your right until you face the camera."
  ) { $0.yaw },
  headPose(
    .headPosePitch, low: "Lower your chin, or raise the camera to the height of your eyes.",
    high: "Raise your chin, or lower the camera to the height of your eyes."
  ) { $0.pitch },
  headPose(
    .headPoseRoll,
    low: "Tilt your head towards your right shoulder, until it is upright; rotate the picture if it is sideways.",
    high: "Tilt your head towards your left shoulder, until it is upright; rotate the picture if it is sideways."
  ) { $0.roll },
  // The gap between the lids over the distance between the eye's corners, for the less open eye. The standard divides
  // by the distance from the eyes to the chin; ``EyeContour/openness`` does not change when the chin is lowered. 50
  // halfway between a blink (0.02-0.05) and the least open of ordinary eyes (0.13, see ``QualityPolicy/selfie``).
  QualityMeasuring(
    .eyesOpen, "ratio", low: "Open both eyes and look into the camera.", score: sigmoid(centre: 0.09, width: 0.02)
  ) { face in
    guard let right = face.landmarks.rightEye, let left = face.landmarks.leftEye else { return .noMesh }
    return .value(min(right.openness, left.openness))
  },
  // The luma of the skin around an eye over that of the cheek; the larger ratio of both eyes, so that dark glasses
  // count and hair over one eye does not. The standard uses the share of the eye zone that a segmentation network
  // labels as covered. Dark glasses also cover lids and brows, where every face shows some skin: the upper quartile of
  // the luma around an eye distinguishes the two.
  QualityMeasuring(
    .eyesVisible, "ratio", low: "Take off dark glasses, and keep your hair out of your eyes.",
    score: sigmoid(centre: 0.55, width: 0.06)
  ) { face in
    guard let right = face.rightCheek, let left = face.leftCheek else { return .noPixels }
    return .value(max(face.brightness(34..<62) / max(right.luma, 1), face.brightness(86..<114) / max(left.luma, 1)))
  },
  // The widest gap between the inner lips, over the distance from the eyes to the chin. The standard's mapping: 50 at
  // 0.2.
  QualityMeasuring(
    .mouthClosed, "ratio", low: "Close your mouth and look neutral.", score: sigmoid(centre: 0.2, width: -0.06)
  ) { face in
    guard let mesh = face.landmarks.mesh, let eyesToChin = face.eyesToChin else { return .noMesh }
    let gap = FaceMesh.Index.innerLips.map { mesh.points[$0.0].distance(to: mesh.points[$0.1]) }.max() ?? 0
    return .value(gap / eyesToChin)
  },
  QualityMeasuring(
    .mouthVisible, "CIELAB units", low: "Uncover your mouth and chin.", score: closeness(width: 10),
    value: MouthVisible.value),
  // 50 where blur begins to be visible, see ``QualityPolicy/selfie``; 98 for the median training photo (0.64).
  QualityMeasuring(
    .sharpness, "ratio", low: "Hold the camera still, wipe the lens, and wait until the picture is sharp.",
    score: sigmoid(centre: 0.45, width: 0.05), value: Sharpness.value),
  // The share of the face's pixels with a luma of 0 to 25. The standard's mapping: 100 without dark pixels, 50 at a
  // share of 0.9.
  QualityMeasuring(
    .underExposure, "share", low: "Move to a brighter place, with the light in front of you.",
    score: { 120 * (0.832 - sigmoid(centre: 0.92, width: 0.05)($0) / 100) },
    value: { $0.share(of: 0...25) }),
  // The share of the face's pixels with a luma of 247 to 255. The standard's mapping: 100 without overexposed pixels,
  // 50 at a share of 0.01, 9 at 0.1.
  QualityMeasuring(
    .overExposure, "share", low: "Move out of the bright light, or switch the flash off.", score: { 1 / ($0 + 0.01) },
    value: { $0.share(of: 247...255) }),
  // The entropy of the luma of the face's pixels. The standard's mapping: 100 at 8 bits, the maximum.
  QualityMeasuring(
    .dynamicRange, "bits", low: "Wipe the lens and avoid light from behind: the face has too little contrast.",
    score: { 12.5 * $0 },
    value: { face in
      guard face.isMeasurable else { return .noPixels }
      let total = Double(face.region.count)
      var entropy = 0.0
      for count in face.histogram where count > 0 {
        let share = Double(count) / total
        entropy -= share * log2(share)
      }
      return .value(entropy)
    }),
  // The mean luma of the darker cheek over that of the brighter one. The standard intersects the histograms of the
  // cheeks, which detects side light less well on the 150-pixel face: with one half of 671 training photos dimmed to
  // 0.35, the ratio falls below the first percentile of the unmodified photos (0.48) in 91 % of them, the intersection
  // in 54 %.
  QualityMeasuring(
    .illuminationUniformity, "ratio", low: "Turn towards the light: one side of your face is much darker.",
    score: { 100 * $0 },
    value: { face in
      guard let right = face.rightCheek, let left = face.leftCheek else { return .noPixels }
      return .value(min(right.luma, left.luma) / max(right.luma, left.luma, 1))
    }),
  // The distance of the cheeks' mean colour from the range of skin, in CIELAB (D65): a* from 5 to 25 and b* from 5 to
  // 35. The standard returns 100 as soon as a* or b* is negative. Here the distance continues, so that grey has one
  // value (7.07) regardless of rounding.
  QualityMeasuring(
    .naturalColour, "CIELAB units", low: "Use a colour picture taken in white light, without filters.",
    score: closeness(width: 10)
  ) { face in
    guard let right = face.rightCheek, let left = face.leftCheek else { return .noPixels }
    let (a, b) = CIELAB.chroma(of: (right.colour + left.colour) / 2)
    let da = max(5 - a, a - 25, 0)
    let db = max(5 - b, b - 35, 0)
    return .value((da * da + db * db).squareRoot())
  },
]

private func crop(
  _ measure: QualityMeasure, centre: Double, low: String, value: @escaping @Sendable (QualityInput) -> Measured
) -> QualityMeasuring {
  QualityMeasuring(
    measure, "ratio", low: low, high: "Bring your face into the middle of the picture.",
    score: sigmoid(centre: centre, width: 0.1), value: value)
}

/// The standard's score is the squared cosine; 0 at or beyond 90 degrees.
private func headPose(
  _ measure: QualityMeasure, low: String, high: String, angle: @escaping @Sendable (HeadPose) -> Double
) -> QualityMeasuring {
  QualityMeasuring(
    measure, "degrees", low: low, high: high,
    score: {
      let c = cos(min(90, abs($0)) * .pi / 180)
      return 100 * c * c
    }, value: { face in face.landmarks.pose.map { .value(angle($0)) } ?? .noMesh })
}

/// 50 at `centre`, rising to 100 (or falling to 0, if `width` is negative) over a few `width`s (ISO/IEC 29794-5).
private func sigmoid(centre: Double, width: Double) -> @Sendable (Double) -> Double {
  { 100 / (1 + exp((centre - $0) / width)) }
}

/// 100 at zero, falling to 24 at twice `width`: for the distance from an ideal (ISO/IEC 29794-5).
private func closeness(width: Double) -> @Sendable (Double) -> Double {
  { 200 / (1 + exp(max(0, $0) / width)) }
}

extension QualityInput {
  /// The upper quartile of the luma around an eye: chip pixels from the brows to below the lids (the eyes' corners are
  /// in rows 46 to 48 and columns 36 to 59 and 89 to 112).
  fileprivate func brightness(_ columns: Range<Int>) -> Double {
    let values = (36..<60).flatMap {
      luma[$0 * FaceChips.side + columns.lowerBound..<$0 * FaceChips.side + columns.upperBound]
    }
    return Double(values.sorted()[values.count * 3 / 4])
  }
}
