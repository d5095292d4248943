public import CFaceVerify
internal import FaceVerify

// MARK: Faces

final class FacesObject: Box<[Face]>, @unchecked Sendable {
  override var json: String { value.json }
  var elements: [Face] { value }
}

@c @implementation public func fv_engine_detect(
  _ out: NewHandle, _ engine: Handle, _ image: Handle, _ options: In<fv_detect_options>, _ budget: In<fv_budget>,
  _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try EngineObject.value(of: engine)
    let photo = try ImageObject.value(of: image)
    let smallFaces = try flag(Structs.read(options, defaults: fv_detect_options()).small_faces, "small_faces")
    return FacesObject(try engine.detect(photo, smallFaces: smallFaces, budget: try Budget(budget)))
  }
}

@c @implementation public func fv_faces_mesh(
  _ faces: Handle, _ index: Int, _ xyz: Out<Double>, _ capacityPoints: Int, _ pointCount: Count
) -> fv_status {
  attempt {
    let face = try FacesObject.value(of: faces).element(index)
    guard let mesh = face.landmarks.mesh else { throw VerifyError(.absent, "this model set has no mesh") }
    try fill(xyz, capacityPoints, pointCount, items: mesh.points.count, perItem: 3) {
      zip(mesh.points, mesh.depths).flatMap { [$0.x, $0.y, $1] }
    }
  }
}

@c @implementation public func fv_faces_eye(
  _ faces: Handle, _ index: Int, _ eye: fv_eye, _ points: Out<fv_point>, _ capacityPoints: Int, _ pointCount: Count
) -> fv_status {
  attempt {
    let landmarks = try FacesObject.value(of: faces).element(index).landmarks
    guard eye == FV_EYE_LEFT || eye == FV_EYE_RIGHT else {
      throw VerifyError(.badArgument, "\(eye) is neither FV_EYE_LEFT nor FV_EYE_RIGHT")
    }
    guard let contour = eye == FV_EYE_LEFT ? landmarks.leftEye : landmarks.rightEye else {
      throw VerifyError(.absent, "this model set sees no eyelids")
    }
    let all = contour.lids + contour.iris
    try fill(points, capacityPoints, pointCount, items: all.count) { all.map(fv_point.init) }
  }
}

extension fv_point { init(_ point: Point) { self.init(x: point.x, y: point.y) } }

extension fv_face {
  init(_ face: Face, of _: HandleObject) {
    self.init()
    (x, y, width, height) = (face.box.x, face.box.y, face.box.width, face.box.height)
    score = face.score
    turn = Int64(face.turn)
    let landmarks = face.landmarks
    left_eye_outer = fv_point(landmarks.alignment[0])
    left_eye_inner = fv_point(landmarks.alignment[1])
    right_eye_outer = fv_point(landmarks.alignment[2])
    right_eye_inner = fv_point(landmarks.alignment[3])
    nose_base = fv_point(landmarks.alignment[4])
    inter_eye_distance = landmarks.interEyeDistance
    yaw = landmarks.pose?.yaw ?? .nan
    pitch = landmarks.pose?.pitch ?? .nan
    roll = landmarks.pose?.roll ?? .nan
    left_eye_openness = landmarks.leftEye?.openness ?? .nan
    right_eye_openness = landmarks.rightEye?.openness ?? .nan
  }
}

// MARK: Sample

final class SampleObject: Box<FaceSample>, @unchecked Sendable {
  override var json: String { value.json }
  var checks: [QualityCheck] { value.quality.checks }
  var faces: FacesObject? { FacesObject(value.faces) }
  var template: TemplateObject? { value.template.map(TemplateObject.init) }
}

private func analyse(
  _ out: NewHandle, _ engine: Handle, _ image: Handle, _ policy: Handle, _ budget: In<fv_budget>, _ message: Message,
  _ messageBytes: Int, _ analysis: (FaceEngine, Photo, QualityPolicy, Budget) throws -> FaceSample
) -> fv_status {
  create(out, message, messageBytes) {
    let (engine, photo) = (try EngineObject.value(of: engine), try ImageObject.value(of: image))
    let policy = try QualityPolicyObject.policy(policy, else: .selfie)
    return SampleObject(try analysis(engine, photo, policy, try Budget(budget)))
  }
}

@c @implementation public func fv_engine_sample(
  _ out: NewHandle, _ engine: Handle, _ image: Handle, _ policy: Handle, _ budget: In<fv_budget>, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  analyse(out, engine, image, policy, budget, message, messageBytes) { try $0.sample($1, policy: $2, budget: $3) }
}

@c @implementation public func fv_engine_assess(
  _ out: NewHandle, _ engine: Handle, _ image: Handle, _ policy: Handle, _ budget: In<fv_budget>, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  analyse(out, engine, image, policy, budget, message, messageBytes) { try $0.assess($1, policy: $2, budget: $3) }
}

@c @implementation public func fv_sample_is_accepted(_ sample: Handle) -> fv_bool {
  fv_bool(SampleObject.find(sample)?.value.quality.isAccepted ?? false)
}

@c @implementation public func fv_sample_quality(_ sample: Handle) -> Double {
  SampleObject.find(sample)?.value.quality.score.map(Double.init) ?? .nan
}

extension fv_quality_check {
  init(_ check: QualityCheck, of owner: HandleObject) {
    self.init()
    measure = owner.text(check.name.rawValue)
    unit = owner.text(check.unit)
    advice = owner.text(check.text)
    status = check.status.number
    consequence = check.consequence?.number ?? 0
    value = check.value ?? .nan
    score = check.score.map(Double.init) ?? .nan
    minimum = check.minimum ?? .nan
    maximum = check.maximum ?? .nan
  }
}

// MARK: Template

final class TemplateObject: Box<FaceTemplate>, @unchecked Sendable {}

@c @implementation public func fv_template_from_bytes(
  _ out: NewHandle, _ start: Bytes, _ byteCount: Int, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    // One byte above the size is enough to detect an invalid template.
    let serialised = try bytes(start, byteCount, "template").prefix(FaceTemplate.size + 1)
    return TemplateObject(try FaceTemplate(serialised: Array(serialised)))
  }
}

@c @implementation public func fv_template_serialise(
  _ template: Handle, _ buffer: Buffer, _ capacityBytes: Int, _ byteCount: Count
) -> fv_status {
  attempt {
    var serialised = try TemplateObject.value(of: template).serialised()
    defer { serialised.withUnsafeMutableBytes { wipe($0) } }
    try fill(
      buffer?.assumingMemoryBound(to: UInt8.self), capacityBytes, byteCount, items: serialised.count
    ) { serialised }
  }
}

extension fv_template_info {
  init(_ object: TemplateObject) {
    self.init()
    model_identifier = object.text(object.value.modelIdentifier)
    sha256 = object.text("sha256") { object.value.sha256 }
    quality = object.value.quality.map(Double.init) ?? .nan
  }
}

// MARK: Quality policy

final class QualityPolicyObject: GuardedObject, @unchecked Sendable {
  // Sendable: as its superclass.
  var policy: QualityPolicy

  init(_ policy: QualityPolicy) { self.policy = policy }

  /// A copy of a handle's policy, or the default if it is NULL.
  static func policy(_ handle: Handle, else standard: QualityPolicy) throws -> QualityPolicy {
    guard handle != nil else { return standard }
    let object = try of(handle)
    return try object.use { object.policy }
  }
}

@c @implementation public func fv_quality_policy_create(
  _ out: NewHandle, _ name: Text, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let name = try string(name, "policy's name")
    guard let policy = [QualityPolicy.selfie, .documentPortrait, .chipPortrait, .any].first(where: { $0.name == name })
    else { throw VerifyError(.badArgument, "there is no policy \"\(name)\"") }
    return QualityPolicyObject(policy)
  }
}

@c @implementation public func fv_quality_policy_require(
  _ policy: Handle, _ measure: Text, _ minimum: Double, _ maximum: Double, _ refusedBelow: Double,
  _ refusedAbove: Double, _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try QualityPolicyObject.of(policy)
    let named = QualityMeasure(rawValue: try string(measure, "measure"))
    guard QualityMeasure.allCases.contains(named) else {
      throw VerifyError(.badArgument, "there is no measure \"\(named)\"")
    }
    let none = [-Double.infinity, .infinity, -.infinity, .infinity]
    let limits = zip([minimum, maximum, refusedBelow, refusedAbove], none).map { $0.isNaN || $0 == $1 ? nil : $0 }
    let ascending = [limits[2], limits[0], limits[1], limits[3]].compactMap(\.self)
    guard ascending.allSatisfy(\.isFinite), ascending == ascending.sorted() else {
      throw VerifyError(
        .badArgument,
        "the limits of \(named) are refused_below, minimum, maximum and refused_above in ascending order, NaN for none; "
          + "not \(ascending.map { "\($0)" }.joined(separator: ", "))")
    }
    try object.use {
      object.policy[named] =
        limits.contains { $0 != nil }
        ? .init(atLeast: limits[0], atMost: limits[1], refusedBelow: limits[2], refusedAbove: limits[3]) : nil
    }
  }
}

@c @implementation public func fv_quality_measure_at(_ index: Int) -> Text { name(QualityMeasure.allCases, index) }
