/// The result of a comparison and everything it rests on.
public struct FaceDecision: Sendable {
  public enum Result: String, Sendable, Codable, CaseIterable {
    case match
    case noMatch = "no-match"
    /// The quality of a photo is too low to decide, or both sides are copies of one picture, whose match proves
    /// nothing; see ``FaceDecision/reasons``.
    case refused
  }

  /// Why a decision is not a match, or a warning about one that is.
  public struct Reason: Sendable, Codable, Hashable {
    /// From a fixed list: "score-beyond-threshold", "same-picture", or "selfie." or "portrait." and the name of a
    /// quality measure.
    public let code: String
    /// One human-readable sentence.
    public let text: String
  }

  /// One side of a comparison.
  public enum Side: Sendable {
    case sample(FaceSample)
    /// A template, whose quality was judged when it was created.
    case template(FaceTemplate)

    /// The sample of the photo; nil for a template, whose photo is unknown.
    public var sample: FaceSample? {
      if case .sample(let sample) = self { sample } else { nil }
    }

    /// SHA-256 of the photo's file (or of its pixels), or of the template's binary form; lower-case hexadecimal.
    public var sha256: String {
      switch self {
      case .sample(let sample): sample.sha256
      case .template(let template): template.sha256
      }
    }

    /// The quality of the photo, or the one stored in the template: 0 to 100; nil if it was not measured.
    public var quality: Int? {
      switch self {
      case .sample(let sample): sample.quality.score
      case .template(let template): template.quality
      }
    }

    /// The template to compare; nil if the photo's quality was refused.
    var template: FaceTemplate? {
      switch self {
      case .sample(let sample): sample.template
      case .template(let template): template
      }
    }
  }

  private enum Outcome {
    /// The comparison includes its threshold.
    case compared(Comparison)
    case refused(Calibration.Threshold)
  }

  /// For a match, the warnings; otherwise never empty.
  public let reasons: [Reason]
  public let selfie: Side
  public let portrait: Side
  public let modelVersion: ModelVersion
  /// The data that the threshold and the error rates were measured on.
  public let calibration: Calibration.Source
  /// Whether both sides are copies of one picture: failed if they are, which rules out a match. Of templates,
  /// whose pixels are unknown, only near copies fail, and none passes.
  public let samePicture: SamePicture
  private let outcome: Outcome

  /// - Parameters:
  ///   - selfie: with a template of these models, if it has one; likewise the portrait.
  ///   - frames: the frames whose mean is the selfie's template.
  ///   - threshold: an operating point of the calibration.
  init(
    selfie: Side, portrait: Side, frames: [FaceDetail] = [], threshold: Calibration.Threshold,
    calibration: Calibration, models: LoadedModels
  ) throws {
    self.selfie = selfie
    self.portrait = portrait
    modelVersion = models.version
    self.calibration = calibration.source
    let areFrames = frames.count > 1 || threshold.portrait != .photo
    var same = SamePicture.sameBytes
    if selfie.sha256 != portrait.sha256 {
      same = SamePicture(
        frames + [selfie.sample?.detail].compactMap { $0 }, portrait.sample?.detail,
        threshold: areFrames ? SamePicture.thresholds.frames : SamePicture.thresholds.photos)
      if same.status == .notChecked, let copies = models.copies, let a = selfie.template, let b = portrait.template {
        same = try SamePicture(a, b, threshold: areFrames ? copies.frames : copies.photos) ?? same
      }
    }
    samePicture = same
    var reasons: [Reason] = []
    if samePicture.status == .failed {
      reasons.append(
        Reason(
          code: "same-picture",
          text: "The selfie and the portrait are copies of one picture, which says nothing of the person. "
            + "Take a new selfie."))
    }
    if let a = selfie.template, let b = portrait.template {
      let comparison = try Comparison(a, b, threshold, calibration: calibration)
      outcome = .compared(comparison)
      if !comparison.isMatch {
        reasons.append(
          Reason(
            code: "score-beyond-threshold",
            text: "The faces are less similar than a false-match rate of \(threshold.rate) requires."))
      }
    } else {
      outcome = .refused(threshold)
    }
    for (role, side) in [("selfie", selfie), ("portrait", portrait)] {
      guard let quality = side.sample?.quality else { continue }
      for check in quality.refusals + quality.warnings {
        reasons.append(Reason(code: "\(role).\(check.name.rawValue)", text: "\(role): \(check.text)"))
      }
    }
    self.reasons = reasons
  }

  public var result: Result {
    switch outcome {
    case .compared(let comparison):
      !comparison.isMatch ? .noMatch : samePicture.status == .failed ? .refused : .match
    case .refused: .refused
    }
  }

  /// The comparison of the faces; nil if a photo was refused.
  public var comparison: Comparison? {
    if case .compared(let comparison) = outcome { comparison } else { nil }
  }

  /// The operating point: the false-match rate, its score, and the errors measured there.
  public var threshold: Calibration.Threshold {
    switch outcome {
    case .compared(let comparison): comparison.threshold
    case .refused(let threshold): threshold
    }
  }
}

extension FaceDecision.Side: JSONConvertible {
  /// For a template, only hash and quality are known; `faces` is null.
  public var jsonValue: JSONValue {
    switch self {
    case .sample(let sample): sample.jsonValue
    case .template(let template):
      [
        "input": ["kind": "template", "sha256": .string(template.sha256)], "faces": .null, "choice": .null,
        "quality": ["score": .optional(template.quality)],
      ]
    }
  }
}

extension FaceDecision: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "version": .string(FaceVerifyVersion.string),
      "models": modelVersion.jsonValue,
      "result": .string(result.rawValue),
      "reasons": reasons.jsonValue,
      "threshold": threshold.jsonValue,
      "comparison": comparison?.jsonValue ?? .null,
      "samePicture": samePicture.jsonValue,
      "selfie": selfie.jsonValue,
      "portrait": portrait.jsonValue,
      "calibration": calibration.jsonValue,
    ]
  }
}

extension FaceDecision.Reason: JSONConvertible {
  public var jsonValue: JSONValue { ["code": .string(code), "text": .string(text)] }
}
