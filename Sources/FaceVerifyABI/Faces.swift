public import CFaceVerify
internal import FaceVerify

final class FacesObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "fv_faces" }
  let faces: [Face]

  init(_ faces: [Face]) { self.faces = faces }
}

@c @implementation
public func fv_engine_detect(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ engine: OpaquePointer?, _ image: OpaquePointer?,
  _ options: UnsafePointer<fv_detect_options>?, _ budget: UnsafePointer<fv_budget>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let engine = try Handles.object(engine, EngineObject.self).engine
    let photo = try Handles.object(image, ImageObject.self).photo
    let options = try Structs.read(options, defaults: fv_detect_options())
    return FacesObject(
      try engine.detect(
        photo, smallFaces: try flag(options.small_faces, "small_faces"), budget: try Budget(budget)))
  }
}

@c @implementation
public func fv_faces_count(_ faces: OpaquePointer?) -> Int { Handles.find(faces, FacesObject.self)?.faces.count ?? 0 }

@c @implementation
public func fv_faces_at(_ out: UnsafeMutablePointer<fv_face>?, _ faces: OpaquePointer?, _ index: Int) -> fv_status {
  attempt {
    let face = try Handles.object(faces, FacesObject.self).faces.element(index)
    try Structs.write(out) { fv_face(face) }
  }
}

@c @implementation
public func fv_faces_mesh(
  _ faces: OpaquePointer?, _ index: Int, _ xyz: UnsafeMutablePointer<Double>?, _ capacityPoints: Int,
  _ pointCount: UnsafeMutablePointer<Int>?
) -> fv_status {
  attempt {
    let face = try Handles.object(faces, FacesObject.self).faces.element(index)
    guard let mesh = face.landmarks.mesh else { throw VerifyError(.absent, "this model set has no mesh") }
    try fill(xyz, capacityPoints, pointCount, items: mesh.points.count, perItem: 3) {
      zip(mesh.points, mesh.depths).flatMap { [$0.x, $0.y, $1] }
    }
  }
}

@c @implementation
public func fv_faces_eye(
  _ faces: OpaquePointer?, _ index: Int, _ eye: fv_eye, _ points: UnsafeMutablePointer<fv_point>?,
  _ capacityPoints: Int, _ pointCount: UnsafeMutablePointer<Int>?
) -> fv_status {
  attempt {
    let landmarks = try Handles.object(faces, FacesObject.self).faces.element(index).landmarks
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

@c @implementation
public func fv_faces_json(_ faces: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(faces, FacesObject.self).map { object in object.text("json") { object.faces.json } }
}

@c @implementation
public func fv_faces_free(_ faces: OpaquePointer?) { Handles.free(faces, FacesObject.self) }

extension fv_point {
  init(_ point: Point) { self.init(x: point.x, y: point.y) }
}

extension fv_face {
  init(_ face: Face) {
    self.init()
    x = face.box.x
    y = face.box.y
    width = face.box.width
    height = face.box.height
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
