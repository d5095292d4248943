/// The pixels of a face chip that show the face from the brows to the chin and are inside the photo.
struct FaceRegion: Sendable {
  /// 1 inside the region, 0 outside; one value per chip pixel.
  let mask: [UInt8]
  let count: Int

  /// The region without a mesh: an ellipse around the chip's reference positions of brows, cheeks and chin.
  private static let ellipse = (centre: Point(x: 74, y: 90), width: 48.0, height: 55.0)

  /// Minimum distance in chip pixels between the region and the photo's edge: the reach of the black beyond the edge in
  /// ``Sharpness``.
  private static let margin = 8.0

  /// - Parameters:
  ///   - map: Maps positions in the chip to positions in the picture.
  ///   - mesh: In pixels of the picture, or nil.
  init(map: AffineMap, mesh: FaceMesh?, width: Int, height: Int) {
    let side = FaceChips.side
    var mask = [UInt8](repeating: 0, count: side * side)
    var count = 0
    if map.scale.isFinite, map.scale > 0 {
      let back = map.inverse
      let polygon = mesh.map { mesh in FaceMesh.Index.outlineBelowForehead.map { back(mesh.points[$0]) } }
      let isInside = Self.isInside(map: map, width: Double(width), height: Double(height))
      for y in 0..<side {
        for span in Self.spans(of: polygon, row: Double(y) + 0.5, side: side) {
          for x in span where isInside?(Double(x) + 0.5, Double(y) + 0.5) ?? true {
            mask[y * side + x] = 1
            count += 1
          }
        }
      }
    }
    self.mask = mask
    self.count = count
  }

  /// Returns a predicate for chip positions inside the photo, or nil if all of them are.
  private static func isInside(map: AffineMap, width: Double, height: Double) -> ((Double, Double) -> Bool)? {
    let margin = margin * map.scale
    func isInside(_ x: Double, _ y: Double) -> Bool {
      let p = map(Point(x: x, y: y))
      return p.x >= margin && p.y >= margin && p.x <= width - margin && p.y <= height - margin
    }
    let far = Double(FaceChips.side)
    let corners = [(0.0, 0.0), (far, 0), (0, far), (far, far)]
    return corners.allSatisfy { isInside($0.0, $0.1) } ? nil : isInside
  }

  /// Returns the columns of one row whose centres are inside the polygon (even-odd rule) or the ellipse.
  private static func spans(of polygon: [Point]?, row: Double, side: Int) -> [Range<Int>] {
    var crossings: [Double] = []
    if let polygon {
      for (i, a) in polygon.enumerated() {
        let b = polygon[(i + 1) % polygon.count]
        guard (a.y <= row) != (b.y <= row) else { continue }
        let x = a.x + (row - a.y) / (b.y - a.y) * (b.x - a.x)
        guard x.isFinite else { return [] }
        crossings.append(x)
      }
      crossings.sort()
    } else {
      let dy = (row - ellipse.centre.y) / ellipse.height
      guard abs(dy) < 1 else { return [] }
      let half = ellipse.width * (1 - dy * dy).squareRoot()
      crossings = [ellipse.centre.x - half, ellipse.centre.x + half]
    }
    func column(_ x: Double) -> Int { Int(max(0, min(Double(side), (x - 0.5).rounded(.up)))) }
    return stride(from: 0, to: crossings.count - 1, by: 2).map { column(crossings[$0])..<column(crossings[$0 + 1]) }
  }
}
