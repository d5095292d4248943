/// An upright face of normalised size, with a margin around its chip, and its landmarks: the training input of
/// embedding networks (`training/embedding`).
package struct AlignedFace: Sendable {
  package static let side = 216
  package let picture: PixelBuffer
  /// In pixels of ``picture``: the mesh, then the centres of the right and the left iris.
  package let points: [Point]

  /// Nil without a mesh.
  package init?(_ face: LocatedFace) {
    let landmarks = face.landmarksInPicture
    guard let mesh = landmarks.mesh, let right = landmarks.rightEye, let left = landmarks.leftEye else { return nil }
    // A chip pixel is 1.15 of these, so that the inter-eye distance is 60.
    var map = FaceChips.map(landmarks)
    let corner = map(Point(x: -21.75 / 1.15, y: -30 / 1.15))
    map.stretch(by: 1 / 1.15)
    (map.x, map.y) = (corner.x, corner.y)
    picture = face.picture.crop(map, width: Self.side, height: Self.side)
    let back = map.inverse
    points = (mesh.points + [right.iris[0], left.iris[0]]).map { back($0) }
  }
}
