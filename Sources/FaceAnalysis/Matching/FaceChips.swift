/// A face as the embedding network takes it: upright, of one size, seen twice.
///
/// The mean over a chip and its mirror image separates people better than either. That the two also differ in size
/// costs nothing and gains more: on 4,034 people of the training photos, false non-matches at a false-match rate of
/// 1e-3 fall from 6.1 % to 5.5 % (each person weighted equally, plain distance).
package struct FaceChips: Sendable {
  package static let side = 150

  /// dlib's own chip: the eyes 52.5 pixels apart. Quality is measured on it.
  package let plain: PixelBuffer
  /// The face 8 % larger.
  package let near: PixelBuffer
  /// The face 8 % smaller, mirrored.
  package let wide: PixelBuffer

  init(_ landmarks: FaceLandmarks, picture: PixelBuffer) {
    func sample(zoom: Double) -> PixelBuffer {
      let map = Self.map(landmarks, zoom: zoom)
      return picture.crop(map: map.betweenPixels, width: Self.side, height: Self.side)
    }
    plain = sample(zoom: 1)
    near = sample(zoom: 1.08)
    wide = sample(zoom: 0.92).mirrored()
  }

  /// The same chip twice, once mirrored.
  package init(chip: PixelBuffer) {
    plain = chip
    near = chip
    wide = chip.mirrored()
  }

  /// Takes positions of a chip, in which the face is `zoom` times as large as in dlib's, to positions of the picture.
  static func map(_ landmarks: FaceLandmarks, zoom: Double = 1) -> AffineMap {
    let middle = Double(side) / 2
    let template = landmarks.mesh == nil ? pointTemplate : meshTemplate
    return AffineMap(
      from: template.map { Point(x: middle + zoom * ($0.x - middle), y: middle + zoom * ($0.y - middle)) },
      to: landmarks.alignment)
  }

  /// dlib's mean face, in the order of ``FaceLandmarks/alignment``, as dlib's five points see it (5-point template,
  /// dlib 19.24).
  private static let pointTemplate = chipPoints([
    (0.8595674595992, 0.2134981538014), (0.6460604764104, 0.2289674387677), (0.1205750620789, 0.2137274526848),
    (0.3340850613712, 0.2290642403242), (0.4901123135679, 0.6277975316475),
  ])

  /// The same face as the mesh sees it: where its points lie in the chips that dlib's points make. Medians over 2,032
  /// training photos; the mesh's nose base is higher, and its eye corners are farther apart.
  private static let meshTemplate = chipPoints([
    (0.8721, 0.2084), (0.6356, 0.2207), (0.1069, 0.2071), (0.3411, 0.2191), (0.4871, 0.6086),
  ])

  /// From the unit square to a chip, which shows it with a margin of a quarter on each side.
  private static func chipPoints(_ points: [(Double, Double)]) -> [Point] {
    points.map { Point(x: ($0.0 + 0.25) / 1.5 * Double(side), y: ($0.1 + 0.25) / 1.5 * Double(side)) }
  }
}
