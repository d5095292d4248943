/// The crop and alignment of a face that an embedding network takes.
package struct Framing: Sendable {
  /// Selects points of a face and their positions in a view, the points on the image's left first.
  private typealias Alignment = @Sendable (FaceLandmarks) -> (found: [Point], positions: [Point])

  /// The side of the square view in pixels.
  let side: Int
  private let alignment: Alignment
  /// The size of the face in the view and, if there is one, in a second, mirrored view, relative to the alignment.
  let zooms: [Double]
  /// Whether the network's planes are in the order blue, green, red.
  let blueFirst: Bool
  /// The network's input is (byte + bias) · scale.
  let bias, scale: Float

  /// Returns the map from positions in a view, in which the face is `zoom` times as large as in the alignment, to
  /// positions in the picture.
  func map(_ landmarks: FaceLandmarks, zoom: Double = 1) -> AffineMap {
    let middle = Double(side) / 2
    let (found, positions) = alignment(landmarks)
    return AffineMap(
      from: positions.map { Point(x: middle + zoom * ($0.x - middle), y: middle + zoom * ($0.y - middle)) }, to: found)
  }

  /// dlib's chip with an inter-eye distance of 52.5 pixels: the mean face in the order of ``FaceLandmarks/alignment``.
  ///
  /// The mean over a chip and its mirror image separates people better than either one. Different sizes of the two cost
  /// nothing and gain more: on 4,034 people of the training photos, the false-non-match rate at a false-match rate of
  /// 1e-3 falls from 6.1 % to 5.5 % (each person weighted equally, plain distance).
  static let chip = Framing(
    side: chipSide, alignment: { ($0.alignment, $0.mesh == nil ? dlibPoints : meshPoints) }, zooms: [1.08, 0.92],
    blueFirst: true, bias: 0, scale: 1)

  private static let chipSide = 150
  /// The same face in dlib's five points (5-point template, dlib 19.24).
  private static let dlibPoints = chipPoints([
    (0.8595674595992, 0.2134981538014), (0.6460604764104, 0.2289674387677), (0.1205750620789, 0.2137274526848),
    (0.3340850613712, 0.2290642403242), (0.4901123135679, 0.6277975316475),
  ])
  /// The same in the mesh's points: their positions in the chips aligned by dlib's points. Medians over 2,032 training
  /// photos; the mesh's nose base is higher, and its eye corners are farther apart.
  private static let meshPoints = chipPoints([
    (0.8721, 0.2084), (0.6356, 0.2207), (0.1069, 0.2071), (0.3411, 0.2191), (0.4871, 0.6086),
  ])

  /// Maps the unit square to a chip, which has a margin of a quarter on each side.
  private static func chipPoints(_ points: [(Double, Double)]) -> [Point] {
    points.map { Point(x: ($0.0 + 0.25) / 1.5 * 150, y: ($0.1 + 0.25) / 1.5 * 150) }
  }

  /// The alignments by the names that the manifest uses; nil for a view that they do not fit.
  private static let alignments: [String: @Sendable (ModelManifest.Model.View, Int) -> Alignment?] = [
    "chip": { _, side in side == chipSide ? chip.alignment : nil },
    "irises-nose-mouth": { view, side in
      guard let positions = view.positions, positions.count == 5, positions.allSatisfy({ $0.count == 2 }) else {
        return nil
      }
      let template = positions.map { Point(x: Double(side) * $0[0], y: Double(side) * $0[1]) }
      return { landmarks in
        guard let mesh = landmarks.mesh, let right = landmarks.rightEye, let left = landmarks.leftEye else {
          return ([], [])
        }
        let others = [FaceMesh.Index.noseTipFront, FaceMesh.Index.rightMouthCorner, FaceMesh.Index.leftMouthCorner]
        return ([right.iris[0], left.iris[0]] + others.map { mesh.points[$0] }, template)
      }
    },
  ]
}

extension Framing {
  /// The framing that the manifest states for an embedding network.
  ///
  /// - Throws: ``VerifyError/Code/modelMismatch`` if it states none, or one that this version does not support.
  init(_ model: ModelManifest.Model) throws {
    func unsupported(_ what: String) -> VerifyError {
      VerifyError(.modelMismatch, "manifest.json states \(what) for \(model.id), which this version does not support")
    }
    guard let view = model.view, let side = model.inputs?.first?.shape.last else { throw unsupported("no view") }
    guard (1...2).contains(view.zooms.count), ["bgr", "rgb"].contains(view.channels) else {
      throw unsupported("\(view.zooms.count) zooms and the channels \(view.channels)")
    }
    guard let alignment = Self.alignments[view.alignment]?(view, side) else {
      throw unsupported("the alignment \(view.alignment) in \(side) pixels")
    }
    self.init(
      side: side, alignment: alignment, zooms: view.zooms, blueFirst: view.channels == "bgr", bias: view.bias ?? 0,
      scale: view.scale ?? 1)
  }
}

/// The crops of a face for quality measures and for the embedding network.
package struct FaceChips: Sendable {
  package static let side = Framing.chip.side

  /// dlib's own chip, on which quality is measured.
  package let plain: PixelBuffer
  /// The network's input: the face, and the mirrored face if the framing has a second view.
  package let views: [PixelBuffer]

  init(_ landmarks: FaceLandmarks, picture: PixelBuffer, framing: Framing) {
    func sample(_ framing: Framing, zoom: Double) -> PixelBuffer {
      picture.crop(framing.map(landmarks, zoom: zoom), width: framing.side, height: framing.side)
    }
    plain = sample(.chip, zoom: 1)
    views = framing.zooms.enumerated().map { i, zoom in
      let view = sample(framing, zoom: zoom)
      return i == 0 ? view : view.mirrored()
    }
  }

  /// Returns the map from positions in the plain chip, with the face scaled by `zoom`, to positions in the picture.
  static func map(_ landmarks: FaceLandmarks, zoom: Double = 1) -> AffineMap { Framing.chip.map(landmarks, zoom: zoom) }
}
