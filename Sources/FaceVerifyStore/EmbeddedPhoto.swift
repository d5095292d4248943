/// The result of embedding one photo: its template, or why it has none.
public struct EmbeddedPhoto: Sendable {
  /// Why a photo has no template.
  public struct Failure: Sendable, Hashable {
    /// A ``VerifyError/Code``, or ``refused``.
    public let code: String
    public let message: String

    /// The photo shows a face, but the policy refused it.
    public static let refused = "refused"

    public init(code: String, message: String) { (self.code, self.message) = (code, message) }
  }

  /// The path as given.
  public let path: String
  /// SHA-256 of the file, in lower-case hexadecimal; nil if it is not a supported picture.
  public let sha256: String?
  /// Unified quality, 0 to 100; nil without a face, or for a template without a quality.
  public let quality: Int?
  /// The name of the quality policy it was judged by; nil for a template that was created elsewhere.
  public let policy: String?
  /// The template, or why there is none.
  public let template: Result<FaceTemplate, Failure>

  public init(
    path: String, sha256: String?, quality: Int?, policy: String? = nil, template: Result<FaceTemplate, Failure>
  ) {
    (self.path, self.sha256, self.quality, self.policy, self.template) = (path, sha256, quality, policy, template)
  }

  public var failure: Failure? { if case .failure(let failure) = template { failure } else { nil } }
}

extension EmbeddedPhoto.Failure: Error {}

extension FaceEngine {
  /// Embeds photos, as many concurrently as the engine has threads. An unreadable photo is also a result.
  ///
  /// - Parameters:
  ///   - handOver: receives each photo in order of the paths, on one thread at a time. An error that it throws ends the
  ///     work.
  /// - Throws: what `handOver` throws.
  public func embed(
    _ paths: [String], policy: QualityPolicy, limits: ImageLimits = .init(),
    handOver: @escaping @Sendable (EmbeddedPhoto) throws -> Void
  ) throws {
    try Batch.run(
      paths.count, threads: configuration.threads, { self.embed(paths[$0], policy: policy, limits: limits) },
      handOver: { try handOver($1) })
  }

  /// Embeds one photo. An unreadable photo is also a result.
  public func embed(_ path: String, policy: QualityPolicy, limits: ImageLimits = .init()) -> EmbeddedPhoto {
    embed(path, Result { try Photo(path: path, limits: limits) }, policy: policy)
  }

  /// - Parameter photo: the photo, or the error of reading it.
  package func embed(
    _ path: String, _ photo: Result<Photo, any Error>, policy: QualityPolicy, budget: Budget = .unlimited
  ) -> EmbeddedPhoto {
    do {
      let sample = try sample(photo.get(), policy: policy, budget: budget)
      return EmbeddedPhoto(
        path: path, sha256: sample.sha256, quality: sample.quality.score, policy: policy.name,
        template: sample.template.map(Result.success)
          ?? .failure(
            .init(
              code: EmbeddedPhoto.Failure.refused,
              message: sample.quality.refusals.map(\.text).joined(separator: "; "))))
    } catch {
      let error = error as? VerifyError ?? VerifyError(.internalFailure, "\(error)")
      return EmbeddedPhoto(
        path: path, sha256: try? photo.get().sha256, quality: nil, policy: policy.name,
        template: .failure(.init(code: error.code.rawValue, message: error.message)))
    }
  }
}

extension EmbeddedPhoto: JSONConvertible {
  /// Without the template.
  public var jsonValue: JSONValue {
    [
      "path": .string(path), "sha256": .optional(sha256), "quality": .optional(quality),
      "failure": failure.map { ["code": .string($0.code), "message": .string($0.message)] } ?? .null,
    ]
  }
}
