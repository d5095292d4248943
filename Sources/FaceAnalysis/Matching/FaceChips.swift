/// How an embedding network wants a face cut out.
package struct Framing: Sendable {
  /// Of the square view, in pixels.
  let side: Int
  /// Where a view has the points that it is aligned by.
  private let template: [Point]
  /// These points of a face; the other arrangement is used for a face without a mesh.
  private let points: @Sendable (FaceLandmarks) -> [Point]?
  private let templateWithoutMesh: [Point]
  /// How large the face is in the first view and in the second, which is mirrored, in terms of the template.
  let zooms: [Double]

  /// Takes positions of a view, in which the face is `zoom` times as large as in the template, to positions of the
  /// picture.
  func map(_ landmarks: FaceLandmarks, zoom: Double = 1) -> AffineMap {
    let middle = Double(side) / 2
    let found = points(landmarks)
    return AffineMap(
      from: (found == nil ? templateWithoutMesh : template).map {
        Point(x: middle + zoom * ($0.x - middle), y: middle + zoom * ($0.y - middle))
      },
      to: found ?? landmarks.alignment)
  }

  /// dlib's chip, the eyes 52.5 pixels apart: the mean face in the order of ``FaceLandmarks/alignment``.
  ///
  /// The mean over a chip and its mirror image separates people better than either. That the two also differ in size
  /// costs nothing and gains more: on 4,034 people of the training photos, false non-matches at a false-match rate of
  /// 1e-3 fall from 6.1 % to 5.5 % (each person weighted equally, plain distance).
  static let chip = Framing(
    side: 150,
    // The same face as the mesh sees it: where its points lie in the chips that dlib's points make. Medians over 2,032
    // training photos; the mesh's nose base is higher, and its eye corners are farther apart.
    template: chipPoints([
      (0.8721, 0.2084), (0.6356, 0.2207), (0.1069, 0.2071), (0.3411, 0.2191), (0.4871, 0.6086),
    ]),
    points: { $0.mesh == nil ? nil : $0.alignment },
    // dlib's five points see it so (5-point template, dlib 19.24).
    templateWithoutMesh: chipPoints([
      (0.8595674595992, 0.2134981538014), (0.6460604764104, 0.2289674387677), (0.1205750620789, 0.2137274526848),
      (0.3340850613712, 0.2290642403242), (0.4901123135679, 0.6277975316475),
    ]),
    zooms: [1.08, 0.92])

  /// From the unit square to a chip, which shows it with a margin of a quarter on each side.
  private static func chipPoints(_ points: [(Double, Double)]) -> [Point] {
    points.map { Point(x: ($0.0 + 0.25) / 1.5 * 150, y: ($0.1 + 0.25) / 1.5 * 150) }
  }

  /// What face-reidentification-retail-0095 takes, by the list of landmarks that it was published with: the irises, the
  /// nose's tip and the corners of the mouth, those on the image's left first.
  static let retail = Framing(
    side: 128,
    template: [
      (0.31556875, 0.46157411), (0.68262292, 0.46157411), (0.50026250, 0.64050536), (0.34947187, 0.82469196),
      (0.65343645, 0.82325089),
    ].map { Point(x: 128 * $0.0, y: 128 * $0.1) },
    points: { landmarks in
      guard let mesh = landmarks.mesh, let right = landmarks.rightEye, let left = landmarks.leftEye else { return nil }
      return [right.iris[0], left.iris[0]]
        + [FaceMesh.Index.noseTipFront, FaceMesh.Index.rightMouthCorner, FaceMesh.Index.leftMouthCorner].map {
          mesh.points[$0]
        }
    },
    templateWithoutMesh: [],
    zooms: [1, 1])
}

/// A face as quality is measured on it, and as the embedding network takes it.
package struct FaceChips: Sendable {
  package static let side = Framing.chip.side

  /// dlib's own chip. Quality is measured on it.
  package let plain: PixelBuffer
  /// What is embedded: the face, and the face mirrored.
  package let views: [PixelBuffer]

  init(_ landmarks: FaceLandmarks, picture: PixelBuffer, framing: Framing) {
    func sample(_ framing: Framing, zoom: Double) -> PixelBuffer {
      picture.crop(map: framing.map(landmarks, zoom: zoom).betweenPixels, width: framing.side, height: framing.side)
    }
    plain = sample(.chip, zoom: 1)
    views = [sample(framing, zoom: framing.zooms[0]), sample(framing, zoom: framing.zooms[1]).mirrored()]
  }

  /// Takes positions of the plain chip, if the face were `zoom` times as large in it, to positions of the picture.
  static func map(_ landmarks: FaceLandmarks, zoom: Double = 1) -> AffineMap { Framing.chip.map(landmarks, zoom: zoom) }
}
