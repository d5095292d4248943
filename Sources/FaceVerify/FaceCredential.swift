/// One person's journey: from a selfie and a portrait to a decision.
///
/// It holds no photo and no template after a call returns. One thread at a time; make one for each person.
public final class FaceCredential {
  private let engine: FaceEngine
  private let policy: FacePolicy

  public init(engine: FaceEngine, policy: FacePolicy = .init()) {
    self.engine = engine
    self.policy = policy
  }

  /// Decides whether the selfie shows the person of the portrait.
  ///
  /// A negative answer is a result: ``FaceDecision/Result/noMatch``, or ``FaceDecision/Result/refused`` if a photo is
  /// not good enough to tell.
  ///
  /// - Throws: ``VerifyError``, with which photo it was in the message, if a photo cannot be read or shows no face.
  public func compare(selfie: Photo, portrait: Photo) throws -> FaceDecision {
    let one = try named("selfie") { try engine.sample(selfie, policy: policy.selfie) }
    let other = try named("portrait") { try engine.sample(portrait, policy: policy.portrait) }
    var comparison: Comparison?
    if let a = one.template, let b = other.template {
      comparison = try engine.compare(a, b, at: policy.falseMatchRate)
    }
    return FaceDecision(
      selfie: one, portrait: other, selfieHash: selfie.hash, portraitHash: portrait.hash, comparison: comparison,
      engine: engine)
  }

  private func named<Value>(_ role: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as VerifyError {
      throw VerifyError(error.code, "\(role): \(error.message)")
    }
  }
}
