internal import Glibc

/// The result of one quality measure for one face; its text is advice to the person.
public typealias QualityCheck = Check<QualityMeasure>

extension QualityCheck {
  /// The value mapped to 0 to 100, higher is better; nil without a value.
  public var score: Int? {
    guard let value, let measure = qualityMeasures.first(where: { $0.measure == name }) else { return nil }
    return Int(max(0, min(100, measure.score(value))).rounded())
  }
}

/// The quality of one face in one picture, with reasons.
public struct QualityReport: Sendable, Hashable {
  /// The name of the policy applied.
  public let policy: String
  /// One per measure, in the order of ``QualityMeasure/allCases``.
  public let checks: [QualityCheck]

  /// ISO/IEC 29794-5, unified quality: 100 over the factor by which the photo's defects multiply the odds of a false
  /// non-match with another photo of the person, at a false-match rate of 1e-3. A photo of 50 has twice the odds of one
  /// without any defect, one of 10 ten times. Nil if too little of the face is inside the picture.
  ///
  /// It depends on the measured values only, not on the policy; a measure without a value counts as in the mean photo.
  /// Framing and other people in the picture do not count: they do not make a face harder to match.
  public var score: Int? {
    guard self[.sharpness]?.value != nil else { return nil }
    let logarithm = QualityCurve.all.reduce(0) { $0 + $1.logarithm(of: self[$1.measure]?.value) }
    return Int((100 * exp(-logarithm)).rounded())
  }

  /// The failed checks for which the policy refuses the picture.
  public var refusals: [QualityCheck] { checks.filter { $0.consequence == .refuse } }
  /// The failed checks for which the policy only warns.
  public var warnings: [QualityCheck] { checks.filter { $0.consequence == .warn } }
  /// Whether nothing was refused. Checks that were not made do not refuse: see their status.
  public var isAccepted: Bool { refusals.isEmpty }

  public subscript(measure: QualityMeasure) -> QualityCheck? { checks.first { $0.name == measure } }

  /// - Parameters:
  ///   - faces: All faces found in the photo; may include `face` itself.
  ///   - photo: Nil if the picture in which the face was found is the full photo.
  ///   - chip: The chip (``FaceChips/plain``) on which exposure, sharpness and colour are measured. Nil measures them
  ///     on the picture in which the face was found, which shows a small face of a large photo below its full
  ///     resolution.
  package init(
    of face: LocatedFace, among faces: [LocatedFace], photo: Photo? = nil, chip: PixelBuffer? = nil,
    policy: QualityPolicy
  ) {
    let (width, height) = photo.map { ($0.width, $0.height) } ?? (face.picture.width, face.picture.height)
    let input = QualityInput(face: face, among: faces, width: width, height: height, chip: chip)
    self.policy = policy.name
    checks = qualityMeasures.map { Self.check($0, of: input, policy: policy) }
  }

  private static func check(
    _ measure: QualityMeasuring, of input: QualityInput, policy: QualityPolicy
  ) -> QualityCheck {
    let requirement = policy[measure.measure]
    func check(
      _ status: CheckStatus, _ consequence: CheckConsequence? = nil, value: Double? = nil, advice: String = ""
    ) -> QualityCheck {
      QualityCheck(
        measure.measure, status, consequence: consequence, value: value, unit: measure.unit,
        minimum: requirement?.minimum, maximum: requirement?.maximum, text: advice)
    }
    switch measure.value(input) {
    case .unavailable(let why):
      return check(.notChecked, advice: why)
    case .value(let value) where !value.isFinite:
      return check(.notChecked, advice: "The landmarks are not accurate enough for this check.")
    case .value(let value):
      guard let requirement else {
        return check(.notChecked, value: value, advice: "The policy \"\(policy.name)\" does not require this measure.")
      }
      guard let failure = requirement.consequence(of: value) else { return check(.passed, value: value) }
      return check(.failed, failure.consequence, value: value, advice: measure.advice(isLow: failure.isLow))
    }
  }
}

extension QualityReport: JSONConvertible {
  public var jsonValue: JSONValue {
    ["policy": .string(policy), "accepted": .bool(isAccepted), "score": .optional(score), "checks": checks.jsonValue]
  }
}

extension QualityMeasure: CheckName {
  /// `status` is "passed", "failed", or "not-checked"; if not checked, `value` may be null.
  public static func json(of check: QualityCheck) -> JSONValue {
    [
      "measure": .string(check.name.rawValue), "status": .string(check.status.rawValue),
      "consequence": .optional(check.consequence?.rawValue), "value": .significant(check.value, 4),
      "unit": .string(check.unit), "score": .optional(check.score), "minimum": .significant(check.minimum, 4),
      "maximum": .significant(check.maximum, 4), "advice": .string(check.text),
    ]
  }
}

/// A measure's contribution to the unified quality score: the logarithm of the factor by which a value multiplies the
/// odds of a false non-match, sampled at some values; interpolated linearly between them, constant beyond.
struct QualityCurve: Sendable {
  let measure: QualityMeasure
  /// Ascending.
  let values: [Double]
  /// One per value; 0 where there is no defect.
  let logarithms: [Double]
  /// For a value that could not be determined: the mean over the unmodified training photos.
  let unknown: Double

  init(_ measure: QualityMeasure, _ values: [Double], _ logarithms: [Double], unknown: Double) {
    (self.measure, self.values, self.logarithms, self.unknown) = (measure, values, logarithms, unknown)
  }

  func logarithm(of value: Double?) -> Double {
    guard let value else { return unknown }
    guard let next = values.firstIndex(where: { value < $0 }) else { return logarithms.last ?? unknown }
    guard next > 0 else { return logarithms[0] }
    let share = (value - values[next - 1]) / (values[next] - values[next - 1])
    return logarithms[next - 1] + share * (logarithms[next] - logarithms[next - 1])
  }
}
