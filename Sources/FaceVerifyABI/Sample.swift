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
    try Structs.write(out) {
      var value = fv_check()
      value.measure = object.text(check.measure.rawValue)
      value.unit = object.text(check.unit)
      value.advice = object.text(check.advice)
      value.status =
        switch check.status {
        case .passed: Int64(FV_CHECK_PASSED)
        case .failed: Int64(FV_CHECK_FAILED)
        case .notChecked: Int64(FV_CHECK_NOT_CHECKED)
        }
      value.consequence =
        switch check.consequence {
        case nil: Int64(FV_CONSEQUENCE_NONE)
        case .refuse: Int64(FV_CONSEQUENCE_REFUSE)
        case .warn: Int64(FV_CONSEQUENCE_WARN)
        }
      value.value = check.value ?? .nan
      value.score = check.score.map(Double.init) ?? .nan
      value.minimum = check.minimum ?? .nan
      value.maximum = check.maximum ?? .nan
      return value
    }
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
