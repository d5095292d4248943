public import CFaceVerify
internal import FaceVerify

final class FacesObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "fv_faces" }
  let faces: [Face]

  init(_ faces: [Face]) { self.faces = faces }
}

@c @implementation
public func fv_faces_count(_ faces: OpaquePointer?) -> Int { Handles.find(faces, FacesObject.self)?.faces.count ?? 0 }

@c @implementation
public func fv_faces_get(_ out: UnsafeMutablePointer<fv_face>?, _ faces: OpaquePointer?, _ index: Int) -> fv_status {
  attempt {
    let face = try Handles.object(faces, FacesObject.self).faces.element(index)
    try Structs.write(out) { fv_face(face) }
  }
}

@c @implementation
public func fv_faces_mesh(
  _ faces: OpaquePointer?, _ index: Int, _ xyz: UnsafeMutablePointer<Double>?, _ capacity: Int,
  _ count: UnsafeMutablePointer<Int>?
) -> fv_status {
  attempt {
    let face = try Handles.object(faces, FacesObject.self).faces.element(index)
    guard let mesh = face.landmarks.mesh else { throw VerifyError(.absent, "this model set has no mesh") }
    let numbers = zip(mesh.points, mesh.depths).flatMap { [$0.x, $0.y, $1] }
    try fill(xyz, capacity, count, perItem: 3, with: numbers)
  }
}

@c @implementation
public func fv_faces_eye(
  _ faces: OpaquePointer?, _ index: Int, _ eye: CInt, _ points: UnsafeMutablePointer<fv_point>?, _ capacity: Int,
  _ count: UnsafeMutablePointer<Int>?
) -> fv_status {
  attempt {
    let landmarks = try Handles.object(faces, FacesObject.self).faces.element(index).landmarks
    guard Int(eye) == FV_EYE_LEFT || Int(eye) == FV_EYE_RIGHT else {
      throw VerifyError(.badArgument, "\(eye) is neither FV_EYE_LEFT nor FV_EYE_RIGHT")
    }
    guard let contour = Int(eye) == FV_EYE_LEFT ? landmarks.leftEye : landmarks.rightEye else {
      throw VerifyError(.absent, "this model set sees no eyelids")
    }
    try fill(points, capacity, count, with: (contour.lids + contour.iris).map(fv_point.init))
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
