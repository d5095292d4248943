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
    /// quality measure; for a document, "document.portrait-" and the chip's verdict unless it is authentic,
    /// "document.chip-out-of-date", "document." and the reason why the chip cannot be used, "document." and the name of
    /// another failed check, and "document.portrait-page".
    public let code: String
    /// One human-readable sentence.
    public let text: String
    /// Failed if it decides against the person or the document, not checked if it leaves something unproved, passed for a
    /// warning that decides nothing.
    public let status: CheckStatus

    package init(code: String, text: String, status: CheckStatus) {
      (self.code, self.text, self.status) = (code, text, status)
    }
  }

  /// One side of a comparison: a photo, or a template, whose quality was judged when it was created.
  public struct Side: Sendable {
    /// The sample of the photo; nil for a template, whose photo is unknown.
    public let sample: FaceSample?
    /// The template that is compared; nil if the photo's quality was refused.
    public let template: FaceTemplate?

    init(_ sample: FaceSample) { (self.sample, template) = (sample, sample.template) }
    init(_ template: FaceTemplate) { (sample, self.template) = (nil, template) }

    /// SHA-256 of the photo's file (or of its pixels), or of the template's binary form; lower-case hexadecimal.
    public var sha256: String { sample?.sha256 ?? template?.sha256 ?? "" }
    /// The quality of the photo, or the one stored in the template: 0 to 100; nil if it was not measured.
    public var quality: Int? { sample?.quality.score ?? template?.quality }
  }

  public let selfie: Side
  public let portrait: Side
  /// The document that the portrait is from; nil for another portrait.
  public let document: DocumentReading?
  /// The comparison of the faces; nil if a photo was refused.
  public let comparison: Comparison?
  /// The operating point: the false-match rate, its score, and the errors measured there.
  public let threshold: Calibration.Threshold
  public let modelVersion: ModelVersion
  /// The data that the threshold and the error rates were measured on.
  public let calibration: Calibration.Source
  /// Whether both sides are copies of one picture: failed if they are, which rules out a match. Of templates,
  /// whose pixels are unknown, only near copies fail, and none passes.
  public let samePicture: SamePicture

  /// - Parameters:
  ///   - selfie: with a template of these models, if it has one; likewise the portrait.
  ///   - frames: the frames whose mean is the selfie's template.
  ///   - threshold: an operating point of the calibration.
  init(
    selfie: Side, portrait: Side, document: DocumentReading? = nil, frames: [FaceDetail] = [],
    threshold: Calibration.Threshold, calibration: Calibration, models: LoadedModels
  ) throws {
    (self.selfie, self.portrait, self.document) = (selfie, portrait, document)
    (self.threshold, self.calibration, modelVersion) = (threshold, calibration.source, models.version)
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
    comparison =
      if let a = selfie.template, let b = portrait.template {
        try Comparison(a, b, threshold, calibration: calibration)
      } else {
        nil
      }
  }

  /// The result of the faces alone, whatever the document.
  public var faceResult: Result {
    guard let comparison else { return .refused }
    return !comparison.isMatch ? .noMatch : samePicture.status == .failed ? .refused : .match
  }

  /// The result of the faces if the document's evidence allows one and the document does not contradict itself;
  /// otherwise refused. A match is also refused if any check of the document failed, as for an expired one.
  public var result: Result {
    guard let report = document?.report else { return faceResult }
    return !report.mayMatch || faceResult == .match && report.result == .failed ? .refused : faceResult
  }

  /// The reasons of the document, followed by those of the faces. For a match, the warnings; otherwise never empty.
  public var reasons: [Reason] {
    var reasons = document?.reasons ?? []
    if samePicture.status == .failed {
      reasons.append(
        Reason(
          code: "same-picture",
          text: "The selfie and the portrait are copies of one picture, which says nothing of the person. "
            + "Take a new selfie.", status: .failed))
    }
    if comparison?.isMatch == false {
      reasons.append(
        Reason(
          code: "score-beyond-threshold",
          text: "The faces are less similar than a false-match rate of \(threshold.rate) requires.", status: .failed))
    }
    for (role, side) in [("selfie", selfie), ("portrait", portrait)] {
      for check in side.sample.map({ $0.quality.refusals + $0.quality.warnings }) ?? [] {
        reasons.append(
          Reason(
            code: "\(role).\(check.name.rawValue)", text: "\(role): \(check.text)",
            status: check.consequence == .refuse ? .notChecked : .passed))
      }
    }
    return reasons
  }
}

extension FaceDecision.Side: JSONConvertible {
  /// For a template, only hash and quality are known; `faces` is null.
  public var jsonValue: JSONValue {
    sample?.jsonValue ?? [
      "input": ["kind": "template", "sha256": .string(sha256)], "faces": .null, "choice": .null,
      "quality": ["score": .optional(quality)],
    ]
  }
}

extension FaceDecision: JSONConvertible {
  /// Has `document` only for a document.
  public var jsonValue: JSONValue {
    var members: [String: JSONValue] = [
      "version": .string(FaceVerifyVersion.string), "models": modelVersion.jsonValue,
      "result": .string(result.rawValue), "reasons": reasons.jsonValue, "threshold": threshold.jsonValue,
      "comparison": comparison?.jsonValue ?? .null, "samePicture": samePicture.jsonValue, "selfie": selfie.jsonValue,
      "portrait": portrait.jsonValue, "calibration": calibration.jsonValue,
    ]
    members["document"] = document?.jsonValue
    return .object(members)
  }
}

extension FaceDecision.Reason: JSONConvertible {
  public var jsonValue: JSONValue {
    ["code": .string(code), "text": .string(text), "status": .string(status.rawValue)]
  }
}
