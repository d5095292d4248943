public import CFaceVerify
internal import FaceVerify

final class SampleObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "sample" }
  let sample: FaceSample

  init(_ sample: FaceSample) { self.sample = sample }
}

@c @implementation
public func fv_sample_faces(_ sample: OpaquePointer?) -> OpaquePointer? {
  Handles.find(sample, SampleObject.self).map { object in
    object.handle("faces") { FacesObject(object.sample.faces) }
  }
}

@c @implementation
public func fv_sample_is_accepted(_ sample: OpaquePointer?) -> CInt {
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
public func fv_sample_check(
  _ out: UnsafeMutablePointer<fv_check>?, _ sample: OpaquePointer?, _ index: Int
) -> fv_status {
  attempt {
    let object = try Handles.object(sample, SampleObject.self)
    let check = try object.sample.quality.checks.element(index)
    try Structs.write(out) { fv_check(check, of: object) }
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

extension CheckStatus {
  var number: Int64 {
    switch self {
    case .passed: Int64(FV_CHECK_PASSED)
    case .failed: Int64(FV_CHECK_FAILED)
    case .notChecked: Int64(FV_CHECK_NOT_CHECKED)
    }
  }
}

extension fv_check {
  /// - Parameter owner: what the texts live as long as.
  init(_ check: QualityCheck, of owner: HandleObject) {
    self.init()
    measure = owner.text(check.measure.rawValue)
    unit = owner.text(check.unit)
    advice = owner.text(check.advice)
    status = check.status.number
    consequence =
      switch check.consequence {
      case nil: Int64(FV_CONSEQUENCE_NONE)
      case .refuse: Int64(FV_CONSEQUENCE_REFUSE)
      case .warn: Int64(FV_CONSEQUENCE_WARN)
      }
    value = check.value ?? .nan
    score = check.score.map(Double.init) ?? .nan
    minimum = check.minimum ?? .nan
    maximum = check.maximum ?? .nan
  }
}
