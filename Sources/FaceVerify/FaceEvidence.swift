/// What one side of a comparison rests on.
public struct FaceEvidence: Sendable {
  public enum Kind: String, Sendable, Codable {
    case photo
    case template
  }

  public let kind: Kind
  /// SHA-256 of the photo's file (or of its pixels), or of the template's binary form; lower-case hexadecimal.
  public let sha256: String
  /// What the photo gave; nil for a template, whose photo is not known.
  public let sample: FaceSample?
  /// 0 to 100, of the photo or as the template says; nil if it was not measured.
  public let quality: Int?

  init(_ sample: FaceSample) {
    kind = .photo
    sha256 = sample.sha256
    self.sample = sample
    quality = sample.quality.score
  }

  init(_ template: FaceTemplate) {
    kind = .template
    sha256 = template.sha256
    sample = nil
    quality = template.quality
  }
}
