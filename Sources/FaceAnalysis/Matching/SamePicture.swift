internal import Glibc

/// Whether two pictures of a face are copies of one picture: re-encoded, scaled, cropped, rotated, mirrored, printed,
/// or animated in software.
///
/// Two photos of a person differ in many places at the same time: shadows, hair, highlights and the shape of skin
/// change from one to the next, even within one session. In copies they are preserved, wherever they move.
public struct SamePicture: Sendable, Hashable {
  /// Failed for copies of one picture, passed for different pictures, not checked if the pixels of one side show too
  /// little detail, have no face mesh, or are unknown: a template fails if it is as close as those of copies, and never
  /// passes.
  public let status: CheckStatus
  /// The similarity of the least similar fifth of the face: a correlation, 1 for lossless copies; of templates, 1 minus
  /// their distance; nil if nothing was compared.
  public let score: Double?
  /// Pictures with at least this score count as copies; one of ``thresholds``, or of the manifest's for templates.
  public let threshold: Double
  /// For two photos, and for the frames of a stream or a document's portrait. A second picture of one photo session may
  /// reach 0.98 (London set), and users do compare such photos. A portrait animated in software is submitted as frames
  /// and scores 0.9 or more; a document's photo and the selfie are from different days. docs/accuracy.md has the
  /// detection and error rates of both.
  public static let thresholds = (photos: 0.985, frames: 0.9)

  /// Two files, or templates, with identical bytes.
  package static let sameBytes = SamePicture(status: .failed, score: 1, threshold: thresholds.photos)

  private init(status: CheckStatus, score: Double?, threshold: Double) {
    (self.status, self.score, self.threshold) = (status, score, threshold)
  }

  /// Compares the other side with each view of one side; the highest score counts.
  ///
  /// - Parameter threshold: One of ``thresholds``.
  package init(_ views: [FaceDetail], _ other: FaceDetail?, threshold: Double) {
    let score = other.flatMap { other in views.compactMap { $0.likeness(to: other) }.max() }
    self.init(
      status: score.map { $0 < threshold ? .passed : .failed } ?? .notChecked, score: score, threshold: threshold)
  }
}

extension SamePicture {
  /// Compares templates; nil unless they are as close as those of copies.
  ///
  /// - Parameter threshold: One of ``ModelManifest/Model/Copies``.
  /// - Throws: ``VerifyError/Code/incompatibleTemplate``.
  package init?(_ one: FaceTemplate, _ other: FaceTemplate, threshold: Double) throws {
    let score = 1 - (try one.distance(to: other))
    guard score >= threshold else { return nil }
    self.init(status: .failed, score: score, threshold: threshold)
  }
}

/// The band-pass detail of an aligned face, with its mesh. Wiped when freed.
package final class FaceDetail: Sendable {
  /// Side in pixels.
  private static let side = 160
  /// The positions of the right eye, the left eye and the mouth as fractions of the side.
  private static let places = [Point(x: 0.32, y: 0.40), Point(x: 0.68, y: 0.40), Point(x: 0.5, y: 0.77)]
  /// Standard deviations, in pixels, of the Gaussian filters whose difference is kept: finer detail does not survive
  /// printing and small pictures, coarser detail is lighting and the face itself. (Selected from 0.7-2, 0.8-2.5, 1-3,
  /// 1-6, 1.5-4.5 and 2-6 on half of the subjects of the measurement.)
  private static let band = (fine: 2.0, coarse: 6.0)
  /// The distance between patches in pixels.
  private static let step = 10
  /// Patches whose detail has a smaller standard deviation, in levels of 255, are ignored: 1 % of patches of photos
  /// have less than 1.3.
  private static let leastDetail: Float = 0.7
  /// With fewer patches nothing is compared; a frontal face has about 110.
  private static let leastPatches = 40

  private static let pixels = side * side
  private static let points = 468
  // Written only in init, wiped in deinit: the pixels, then x and y of the mesh's points.
  private nonisolated(unsafe) let memory: UnsafeMutableBufferPointer<Float>

  private init() {
    memory = .allocate(capacity: Self.pixels + 2 * Self.points)
    memory.initialize(repeating: 0)
  }

  deinit {
    wipe(UnsafeMutableRawBufferPointer(memory))
    memory.deallocate()
  }

  /// Nil without a mesh.
  package convenience init?(_ landmarks: FaceLandmarks, picture: PixelBuffer) {
    guard let mesh = landmarks.mesh, mesh.points.count == Self.points else { return nil }
    self.init()
    func middle(_ a: Int, _ b: Int) -> Point { mesh.points[a].middle(to: mesh.points[b]) }
    typealias Index = FaceMesh.Index
    var map = AffineMap(
      from: Self.places.map { Point(x: $0.x * Double(Self.side), y: $0.y * Double(Self.side)) },
      to: [
        middle(Index.rightEyeOuter, Index.rightEyeInner), middle(Index.leftEyeOuter, Index.leftEyeInner),
        middle(Index.rightMouthCorner, Index.leftMouthCorner),
      ])
    let back = map.inverse
    // Supersampled, so that no pixel of a large picture is skipped.
    let finer = map.scale.isFinite ? Int(max(1, min(8, map.scale.rounded(.up)))) : 1
    map.stretch(by: 1 / Double(finer))
    let luma = picture.crop(
      map, width: finer * Self.side, height: finer * Self.side, mirrored: true
    ).reduced(by: finer).luma().map { Float($0) }
    let (fine, coarse) = (Self.blurred(luma, Self.band.fine), Self.blurred(luma, Self.band.coarse))
    for i in 0..<Self.pixels { memory[i] = fine[i] - coarse[i] }
    for (i, point) in mesh.points.enumerated() {
      let place = back(point)
      // No valid point is this far away, and sums of squares stay finite.
      guard abs(place.x) < 1e4, abs(place.y) < 1e4 else { return nil }
      memory[Self.pixels + 2 * i] = Float(place.x)
      memory[Self.pixels + 2 * i + 1] = Float(place.y)
    }
  }

  /// Applies a Gaussian filter to a square of ``side``, clamping to the edges.
  private static func blurred(_ values: [Float], _ deviation: Double) -> [Float] {
    let radius = Int((3 * deviation).rounded(.up))
    var kernel = (0...radius).map { Float(exp(-Double($0 * $0) / (2 * deviation * deviation))) }
    let sum = 2 * kernel.reduce(0, +) - kernel[0]
    for i in kernel.indices { kernel[i] /= sum }
    // Each pass transposes the picture.
    func pass(_ values: [Float]) -> [Float] {
      var line = [Float](repeating: 0, count: side + 2 * radius)
      var out = [Float](repeating: 0, count: side * side)
      for y in 0..<side {
        for x in line.indices { line[x] = values[y * side + max(0, min(side - 1, x - radius))] }
        line.withUnsafeBufferPointer { line in
          for x in stride(from: radius, to: radius + side, by: 16) {
            var sum = kernel[0] * line.row(at: x)
            for k in 1...radius { sum += kernel[k] * (line.row(at: x - k) + line.row(at: x + k)) }
            for i in 0..<16 { out[(x - radius + i) * side + y] = sum[i] }
          }
        }
      }
      return out
    }
    return pass(pass(values))
  }

  private func point(_ index: Int) -> SIMD2<Double> {
    SIMD2(Double(memory[Self.pixels + 2 * index]), Double(memory[Self.pixels + 2 * index + 1]))
  }

  private var meshPoints: [SIMD2<Double>] { (0..<Self.points).map(point) }

  /// Returns the similarity of the least similar fifth of the patches of a face in two pictures, or in one and the
  /// mirror image of the other; nil if too few have detail.
  ///
  /// - Parameter isMirrored: whether the mirror image is compared, too.
  package func likeness(to other: FaceDetail, isMirrored: Bool = true) -> Double? {
    let direct = patches(in: other).map(Self.score)
    guard isMirrored, direct ?? -1 < SamePicture.thresholds.frames else { return direct }
    let image = other.mirrored(towards: self)
    // A quarter of the patches suffices to tell that one is not the mirror image of the other.
    if let direct, let rough = patches(in: image, step: 2 * Self.step).map(Self.score), rough < 0.5 { return direct }
    return [direct, patches(in: image).map(Self.score)].compactMap { $0 }.max()
  }

  /// Returns the mirror image, with its points renumbered as the nearest ones of `other`: a mesh's numbers denote the
  /// subject's left and right.
  private func mirrored(towards other: FaceDetail) -> FaceDetail {
    let (side, made) = (Self.side, FaceDetail())
    for y in 0..<side { for x in 0..<side { made.memory[y * side + x] = memory[y * side + side - 1 - x] } }
    let points = meshPoints.map { SIMD2(Double(side) - $0.x, $0.y) }
    for (i, place) in other.meshPoints.enumerated() {
      var (nearest, least) = (0, Double.infinity)
      for (j, point) in points.enumerated() {
        let d = place - point
        let square = d.x * d.x + d.y * d.y
        if square < least { (nearest, least) = (j, square) }
      }
      made.memory[Self.pixels + 2 * i] = Float(points[nearest].x)
      made.memory[Self.pixels + 2 * i + 1] = Float(points[nearest].y)
    }
    return made
  }

  /// Returns the patches of this face with their positions in the other; nil if too few have detail.
  private func patches(in other: FaceDetail, step: Int = FaceDetail.step) -> [Patch]? {
    let half = Patch.side / 2
    let border = half + Patch.reach
    let outline = shrunkOutline
    let (from, to) = (meshPoints, other.meshPoints)
    var patches: [Patch] = []
    for y in stride(from: border, through: Self.side - border, by: step) {
      for x in stride(from: border, through: Self.side - border, by: step) {
        let place = SIMD2(Double(x), Double(y))
        guard Self.isInside(place, outline), let (first, norm) = cut(x - half, y - half),
          let second = other.surroundings(Self.map(at: place, from: from, to: to))
        else { continue }
        patches.append(Patch(place: place - Double(Self.side) / 2, first: first, norm: norm, second: second))
      }
    }
    let share = Double(step * step) / Double(Self.step * Self.step)
    return Double(patches.count) * share < Double(Self.leastPatches) ? nil : patches
  }

  /// The outline of the face, shrunk towards its middle: near the outline, what is visible changes as the head turns.
  private var shrunkOutline: [SIMD2<Double>] {
    let outline = FaceMesh.Index.outline.map(point)
    let middle = outline.reduce(SIMD2(0, 0), +) / Double(outline.count)
    return outline.map { middle + ($0 - middle) * 0.86 }
  }

  private static func isInside(_ p: SIMD2<Double>, _ outline: [SIMD2<Double>]) -> Bool {
    var (inside, last) = (false, outline[outline.count - 1])
    for next in outline {
      if (next.y > p.y) != (last.y > p.y), p.x < (last.x - next.x) * (p.y - next.y) / (last.y - next.y) + next.x {
        inside.toggle()
      }
      last = next
    }
    return inside
  }

  /// Returns the patch at a corner; nil if it has too little detail.
  private func cut(_ left: Int, _ top: Int) -> (rows: [SIMD16<Float>], norm: Float)? {
    let pixels = UnsafeBufferPointer(memory)
    var rows = (0..<Patch.side).map { pixels.row(at: (top + $0) * Self.side + left) }
    let mean = rows.reduce(SIMD16<Float>(), +).sum() / Float(Patch.side * Patch.side)
    for i in rows.indices { rows[i] -= mean }
    let squares = rows.reduce(into: SIMD16<Float>()) { $0 += $1 * $1 }.sum()
    guard squares >= Self.leastDetail * Self.leastDetail * Float(Patch.side * Patch.side) else { return nil }
    return (rows, squares.squareRoot())
  }

  /// Returns the affine map from the neighbourhood of a position to its position in the other mesh: moving least
  /// squares (Schaefer, McPhail & Warren, Image Deformation Using Moving Least Squares, 2006), the mesh's points
  /// weighted by (distance² + 25)⁻², slightly regularised towards a translation.
  private static func map(
    at place: SIMD2<Double>, from: [SIMD2<Double>], to: [SIMD2<Double>]
  ) -> (origin: SIMD2<Double>, x: SIMD2<Double>, y: SIMD2<Double>) {
    var (sum, a, b) = (0.0, SIMD2(0.0, 0.0), SIMD2(0.0, 0.0))
    // Sums of products of coordinates: first with first, and second with first.
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    var (bx, by) = (SIMD2(0.0, 0.0), SIMD2(0.0, 0.0))
    for i in from.indices {
      let p = from[i] - place
      let q = to[i] - place
      let distance = p.x * p.x + p.y * p.y + 25
      let weight = 1 / (distance * distance)
      sum += weight
      a += weight * p
      b += weight * q
      xx += weight * p.x * p.x
      xy += weight * p.x * p.y
      yy += weight * p.y * p.y
      bx += weight * p.x * q
      by += weight * p.y * q
    }
    (a, b) = (a / sum, b / sum)
    (xx, xy, yy) = (xx / sum - a.x * a.x + 4, xy / sum - a.x * a.y, yy / sum - a.y * a.y + 4)
    (bx, by) = (bx / sum - a.x * b, by / sum - a.y * b)
    bx.x += 4
    by.y += 4
    let determinant = xx * yy - xy * xy
    let x = (bx * yy - by * xy) / determinant
    let y = (by * xx - bx * xy) / determinant
    return (place + b - x * a.x - y * a.y, x, y)
  }

  /// Samples a patch and its search range around a position through a map; nil if it has too little detail.
  private func surroundings(_ map: (origin: SIMD2<Double>, x: SIMD2<Double>, y: SIMD2<Double>)) -> [Float]? {
    let side = Patch.around
    let limit = Double(Self.side - 1) - 1e-3
    var values = [Float](repeating: 0, count: side * side)
    var (sum, squares): (Float, Float) = (0, 0)
    for row in 0..<side {
      for column in 0..<side {
        // Positions are measured from pixel corners, pixel indices from pixel centres.
        let p =
          map.origin + map.x * (Double(column - side / 2) + 0.5) + map.y * (Double(row - side / 2) + 0.5) - 0.5
        let (x, y) = (max(0, min(limit, p.x)), max(0, min(limit, p.y)))
        let (left, top) = (Int(x), Int(y))
        let (s, t) = (Float(x - Double(left)), Float(y - Double(top)))
        let i = top * Self.side + left
        let upper = memory[i] + (memory[i + 1] - memory[i]) * s
        let lower = memory[i + Self.side] + (memory[i + Self.side + 1] - memory[i + Self.side]) * s
        let value = upper + (lower - upper) * t
        values[row * side + column] = value
        sum += value
        squares += value * value
      }
    }
    let count = Float(side * side)
    return squares / count - (sum / count) * (sum / count) < Self.leastDetail * Self.leastDetail ? nil : values
  }

  /// Fits one smooth movement of the whole face to the positions at which the patches were found, and returns their
  /// similarity there: in different photos each patch fits best at a position of its own, in copies at that of its
  /// neighbours.
  private static func score(_ patches: [Patch]) -> Double {
    func terms(_ patch: Patch) -> [Double] {
      let (x, y) = (patch.place.x / 40, patch.place.y / 40)
      return [1, x, y, x * x, x * y, y * y]
    }
    let sure = patches.map { pow(max($0.likeness, 0.01), 4) }
    var weights = sure
    var moved = [SIMD2<Double>](repeating: SIMD2(0, 0), count: patches.count)
    // Outliers count less in the next iteration.
    for _ in 0..<3 {
      var normal = [[Double]](repeating: [Double](repeating: 0, count: 8), count: 6)
      for (patch, weight) in zip(patches, weights) {
        let row = terms(patch) + [patch.found.x, patch.found.y]
        for i in 0..<6 { for j in 0..<8 { normal[i][j] += weight * row[i] * row[j] } }
      }
      for i in 0..<6 { normal[i][i] += 1e-6 }
      let x = Homography.solve(normal.map { Array($0[0..<7]) })
      let y = Homography.solve(normal.map { Array($0[0..<6]) + [$0[7]] })
      guard let x, let y else { break }
      for (i, patch) in patches.enumerated() {
        let terms = terms(patch)
        moved[i] = SIMD2((0..<6).reduce(0) { $0 + x[$1] * terms[$1] }, (0..<6).reduce(0) { $0 + y[$1] * terms[$1] })
        let off = patch.found - moved[i]
        weights[i] = sure[i] / (1 + 4 * (off.x * off.x + off.y * off.y))
      }
    }
    let likeness = zip(patches, moved).map { $0.likeness(at: $1) }.sorted()
    return likeness[likeness.count / 5]
  }
}

/// One patch of a face in two pictures.
private struct Patch {
  /// Side in pixels, and the search range around its position.
  static let side = 16
  static let reach = 4
  /// Side of its surroundings in pixels.
  static let around = side + 2 * reach

  /// Its centre in the first picture, relative to the chip's centre.
  let place: SIMD2<Double>
  /// Its pixels in the first picture minus their mean, and the square root of their sum of squares.
  let first: [SIMD16<Float>]
  let norm: Float
  /// Its surroundings in the second picture, warped by the meshes to the same position and shape.
  let second: [Float]
  /// The position in its surroundings at which it was found, and the similarity there.
  private(set) var found = SIMD2(0.0, 0.0)
  private(set) var likeness = 0.0

  init(place: SIMD2<Double>, first: [SIMD16<Float>], norm: Float, second: [Float]) {
    (self.place, self.first, self.norm, self.second) = (place, first, norm, second)
    search()
  }

  /// Finds the patch in its surroundings with subpixel accuracy.
  private mutating func search() {
    let count = 2 * Self.reach + 1
    var all = [Double](repeating: 0, count: count * count)
    second.withUnsafeBufferPointer { second in
      for column in 0..<count {
        func row(_ number: Int) -> SIMD16<Float> { second.row(at: number * Self.around + column) }
        var (sum, squares) = (SIMD16<Float>(), SIMD16<Float>())
        for bottom in 0..<Self.around {
          let added = row(bottom)
          sum += added
          squares += added * added
          let top = bottom - Self.side + 1
          guard top >= 0 else { continue }
          var product = SIMD16<Float>()
          for i in 0..<Self.side { product += first[i] * row(top + i) }
          all[top * count + column] = correlation(product, sum, squares)
          let removed = row(top)
          sum -= removed
          squares -= removed * removed
        }
      }
    }
    var best = 0
    for i in all.indices where all[i] > all[best] { best = i }
    /// Returns the vertex of the parabola through three neighbours.
    func top(_ place: Int, _ stride: Int) -> Double {
      guard place > 0, place < count - 1 else { return Double(place) }
      let (before, after) = (all[best - stride], all[best + stride])
      let bend = before - 2 * all[best] + after
      return Double(place) + (bend < 0 ? 0.5 * (before - after) / bend : 0)
    }
    found = SIMD2(top(best % count, 1), top(best / count, count)) - Double(Self.reach)
    likeness = all[best]
  }

  /// Returns the similarity of the pictures with the patch displaced by `moved`.
  func likeness(at moved: SIMD2<Double>) -> Double {
    let limit = Double(2 * Self.reach) - 1e-3
    let (x, y) = (max(0, min(limit, moved.x + Double(Self.reach))), max(0, min(limit, moved.y + Double(Self.reach))))
    let (left, top) = (Int(x), Int(y))
    let (s, t) = (Float(x - Double(left)), Float(y - Double(top)))
    return second.withUnsafeBufferPointer { second in
      func row(_ number: Int) -> SIMD16<Float> {
        let a = second.row(at: number * Self.around + left)
        return a + (second.row(at: number * Self.around + left + 1) - a) * s
      }
      var (product, sum, squares) = (SIMD16<Float>(), SIMD16<Float>(), SIMD16<Float>())
      for i in 0..<Self.side {
        let a = row(top + i)
        let values = a + (row(top + i + 1) - a) * t
        product += first[i] * values
        sum += values
        squares += values * values
      }
      return correlation(product, sum, squares)
    }
  }

  /// Returns the normalised correlation of the patch with another from the column sums of their products, and of the
  /// other's values and squares.
  private func correlation(_ product: SIMD16<Float>, _ sum: SIMD16<Float>, _ squares: SIMD16<Float>) -> Double {
    let total = sum.sum()
    let spread = squares.sum() - total * total / Float(Self.side * Self.side)
    return spread > 1e-3 ? Double(product.sum() / (norm * spread.squareRoot())) : 0
  }
}

extension UnsafeBufferPointer<Float> {
  /// Returns sixteen values starting at an index.
  fileprivate func row(at start: Int) -> SIMD16<Float> {
    precondition(start >= 0 && start + 16 <= count, "a row lies inside")
    return UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: 4 * start, as: SIMD16<Float>.self)
  }
}

extension SamePicture: JSONConvertible {
  public var jsonValue: JSONValue {
    ["status": .string(status.rawValue), "score": .rounded(score, 3), "threshold": .rounded(threshold, 3)]
  }
}
