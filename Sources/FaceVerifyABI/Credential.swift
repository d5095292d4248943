public import CFaceVerify
internal import FaceVerify

final class CredentialObject: ReportingObject, @unchecked Sendable {
  // Sendable: as its superclass.
  override class var name: String { "credential" }
  let engine: FaceEngine
  let policy: ComparisonPolicy

  init(_ engine: FaceEngine, _ policy: ComparisonPolicy) {
    self.engine = engine
    self.policy = policy
  }
}

/// For what looks at one picture.
private func use(
  _ credential: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ image: OpaquePointer?,
  _ policy: OpaquePointer?, _ take: (FaceEngine, Photo, QualityPolicy) throws -> FaceSample
) -> fv_status {
  use(credential, CredentialObject.self, out) { object in
    let photo = try Handles.object(image, ImageObject.self).photo
    let policy = try QualityPolicyObject.policy(policy, else: object.policy.selfie)
    return SampleObject(try take(object.engine, photo, policy))
  }
}

@c @implementation
public func fv_credential_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ policy: UnsafePointer<fv_policy>?,
  _ message: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> fv_status {
  create(out, message, capacity) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    let given = try Structs.read(policy, defaults: fv_policy())
    var policy = ComparisonPolicy()
    policy.selfie = try QualityPolicyObject.policy(given.selfie, else: policy.selfie)
    policy.portrait = try QualityPolicyObject.policy(given.portrait, else: policy.portrait)
    if given.false_match_rate != 0 { policy.falseMatchRate = try FalseMatchRate(checking: given.false_match_rate) }
    _ = try engine.threshold(at: policy.falseMatchRate)
    return CredentialObject(engine, policy)
  }
}

@c @implementation
public func fv_credential_free(_ credential: OpaquePointer?) { Handles.free(credential, CredentialObject.self) }

@c @implementation
public func fv_credential_message(_ credential: OpaquePointer?) -> UnsafePointer<CChar>? {
  CredentialObject.message(of: credential)
}

@c @implementation
public func fv_credential_compare(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ credential: OpaquePointer?, _ selfie: UnsafePointer<fv_input>?,
  _ portrait: UnsafePointer<fv_input>?
) -> fv_status {
  use(credential, CredentialObject.self, out) { object in
    DecisionObject(
      try object.engine.compare(
        selfie: try FaceInput(selfie, "selfie"), portrait: try FaceInput(portrait, "portrait"), policy: object.policy))
  }
}

@c @implementation
public func fv_credential_compare_document(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ credential: OpaquePointer?, _ selfie: UnsafePointer<fv_input>?,
  _ document: OpaquePointer?
) -> fv_status {
  use(credential, CredentialObject.self, out) { object in
    let reading = try Handles.object(document, DocumentObject.self).reading
    return DecisionObject(
      try object.engine.compare(selfie: try FaceInput(selfie, "selfie"), document: reading, policy: object.policy))
  }
}

@c @implementation
public func fv_credential_compare_templates(
  _ out: UnsafeMutablePointer<fv_comparison>?, _ credential: OpaquePointer?, _ a: OpaquePointer?, _ b: OpaquePointer?
) -> fv_status {
  use(credential, CredentialObject.self) { object in
    let one = try Handles.object(a, TemplateObject.self).template
    let other = try Handles.object(b, TemplateObject.self).template
    try Structs.write(out) {
      fv_comparison(try object.engine.compare(one, other, at: object.policy.falseMatchRate))
    }
  }
}

@c @implementation
public func fv_credential_detect(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ credential: OpaquePointer?, _ image: OpaquePointer?,
  _ flags: UInt32
) -> fv_status {
  use(credential, CredentialObject.self, out) { object in
    let photo = try Handles.object(image, ImageObject.self).photo
    let smallFaces = UInt32(FV_DETECT_SMALL_FACES)
    guard flags & ~smallFaces == 0 else { throw VerifyError(.badArgument, "\(flags) has flags that are not known") }
    return FacesObject(try object.engine.detect(photo, smallFaces: flags & smallFaces != 0))
  }
}

@c @implementation
public func fv_credential_sample(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ credential: OpaquePointer?, _ image: OpaquePointer?,
  _ policy: OpaquePointer?
) -> fv_status {
  use(credential, out, image, policy) { try $0.sample($1, policy: $2) }
}

@c @implementation
public func fv_credential_assess(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ credential: OpaquePointer?, _ image: OpaquePointer?,
  _ policy: OpaquePointer?
) -> fv_status {
  use(credential, out, image, policy) { try $0.assess($1, policy: $2) }
}

extension FaceInput {
  fileprivate init(_ pointer: UnsafePointer<fv_input>?, _ side: String) throws {
    guard pointer != nil else { throw VerifyError(.badArgument, "the \(side) is NULL") }
    let input = try Structs.read(pointer, defaults: fv_input())
    switch (input.path, input.image, input.face_template) {
    case (let path?, nil, nil):
      do {
        self = try FaceInput(path: try string(path, "path"))
      } catch let error as VerifyError {
        throw VerifyError(error.code, "\(side): \(error.message)")
      }
    case (nil, let image?, nil):
      self = .photo(try Handles.object(image, ImageObject.self).photo)
    case (nil, nil, let template?):
      self = .template(try Handles.object(template, TemplateObject.self).template)
    default:
      throw VerifyError(.badArgument, "the \(side) must have exactly one of path, image and face_template")
    }
  }
}
