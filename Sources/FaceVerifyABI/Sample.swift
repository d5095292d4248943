public import CFaceVerify
internal import FaceVerify

final class SampleObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "sample" }
  let sample: FaceSample

  init(_ sample: FaceSample) { self.sample = sample }
}

@c @implementation
public func fv_engine_sample(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ image: OpaquePointer?,
  _ policy: OpaquePointer?, _ budget: UnsafePointer<fv_budget>?, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let (engine, photo, policy) = try looking(engine, image, policy)
    return SampleObject(try engine.sample(photo, policy: policy, budget: try Budget(budget)))
  }
}

@c @implementation
public func fv_engine_assess(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ image: OpaquePointer?,
  _ policy: OpaquePointer?, _ budget: UnsafePointer<fv_budget>?, _ message: UnsafeMutablePointer<CChar>?,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let (engine, photo, policy) = try looking(engine, image, policy)
    return SampleObject(try engine.assess(photo, policy: policy, budget: try Budget(budget)))
  }
}

/// Resolves the arguments for analysing one picture.
private func looking(
  _ engine: OpaquePointer?, _ image: OpaquePointer?, _ policy: OpaquePointer?
) throws -> (FaceEngine, Photo, QualityPolicy) {
  (
    try Handles.object(engine, EngineObject.self).engine, try Handles.object(image, ImageObject.self).photo,
    try QualityPolicyObject.policy(policy, else: .selfie)
  )
}

@c @implementation
public func fv_sample_faces(_ sample: OpaquePointer?) -> OpaquePointer? {
  Handles.find(sample, SampleObject.self).map { object in
    object.handle("faces") { FacesObject(object.sample.faces) }
  }
}

@c @implementation
public func fv_sample_is_accepted(_ sample: OpaquePointer?) -> fv_bool {
  Handles.find(sample, SampleObject.self)?.sample.quality.isAccepted == true ? 1 : 0
}

@c @implementation
public func fv_sample_quality(_ sample: OpaquePointer?) -> Double {
  Handles.find(sample, SampleObject.self)?.sample.quality.score.map(Double.init) ?? .nan
}

@c @implementation
public func fv_sample_check_count(_ sample: OpaquePointer?) -> Int {
  Handles.find(sample, SampleObject.self)?.sample.quality.checks.count ?? 0
}

@c @implementation
public func fv_sample_check_at(
  _ out: UnsafeMutablePointer<fv_quality_check>?, _ sample: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try Handles.object(sample, SampleObject.self)
    let check = try object.sample.quality.checks.element(index)
    try Structs.write(out) { fv_quality_check(check, of: object) }
  }
}

@c @implementation
public func fv_sample_template(_ sample: OpaquePointer?) -> OpaquePointer? {
  guard let object = Handles.find(sample, SampleObject.self), let template = object.sample.template else { return nil }
  return object.handle("template") { TemplateObject(template) }
}

@c @implementation
public func fv_sample_json(_ sample: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(sample, SampleObject.self).map { object in object.text("json") { object.sample.json } }
}

@c @implementation
public func fv_sample_free(_ sample: OpaquePointer?) { Handles.free(sample, SampleObject.self) }

extension fv_quality_check {
  /// - Parameter owner: determines the lifetime of the texts.
  init(_ check: QualityCheck, of owner: HandleObject) {
    self.init()
    measure = owner.text(check.measure.rawValue)
    unit = owner.text(check.unit)
    advice = owner.text(check.advice)
    status = check.status.number
    consequence = check.consequence?.number ?? 0
    value = check.value ?? .nan
    score = check.score.map(Double.init) ?? .nan
    minimum = check.minimum ?? .nan
    maximum = check.maximum ?? .nan
  }
}
