/// The input of all measures: one face, normalised once in size and position.
struct QualityInput: Sendable {
  /// In pixels of the photo.
  let landmarks: FaceLandmarks
  /// From the midpoint between the eyes to the chin, in pixels of the photo; requires the mesh.
  let eyesToChin: Double?
  /// From the eyes to the photo's edges along the face's own axes, in pixels of the photo.
  let room: Room
  /// The prominence of the most prominent other face over this one's.
  let nextFace: Double
  /// The luma of the chip: 150 × 150 pixels, the eyes 52.5 apart.
  let luma: [UInt8]
  let region: FaceRegion
  /// The number of pixels of each luma in the region.
  let histogram: [Int]
  /// The subject's cheeks; nil if outside the picture or turned away.
  let rightCheek: Patch?
  let leftCheek: Patch?
  /// Mouth and chin.
  let mouth: Patch?
  /// The upper half of the nose, which masks do not cover.
  let noseBridge: Patch?

  struct Room: Sendable {
    var left, right, above, below: Double
  }

  /// Means over a part of the chip.
  struct Patch: Sendable {
    var luma: Double
    /// Red, green and blue, 0 to 255.
    var colour: SIMD3<Double>
  }

  /// At least an eighth of the usual region (11,700 pixels in the median of 909 training photos), so that one percent
  /// is still more than ten pixels.
  var isMeasurable: Bool { region.count >= 1400 }

  /// Returns the share of the region's pixels with a luma in `range`.
  func share(of range: ClosedRange<Int>) -> Measured {
    guard isMeasurable else { return .noPixels }
    return .value(Double(histogram[range].reduce(0, +)) / Double(region.count))
  }

  /// - Parameters:
  ///   - width: Of the photo, in pixels.
  ///   - height: Of the photo, in pixels.
  ///   - chip: The chip of `face`, or nil to sample it from the picture.
  init(face: LocatedFace, among faces: [LocatedFace], width: Int, height: Int, chip: PixelBuffer?) {
    landmarks = face.landmarks
    let (right, left) = (landmarks.rightEyeCentre, landmarks.leftEyeCentre)
    let middle = right.middle(to: left)
    eyesToChin = landmarks.mesh.map { $0.points[FaceMesh.Index.chin].distance(to: middle) }
    room = Self.room(right: right, left: left, middle: middle, width: Double(width), height: Double(height))
    nextFace = Self.nextFace(to: face, among: faces)

    let map = FaceChips.map(face.landmarksInPicture)
    let side = FaceChips.side
    let given = chip.flatMap { $0.width == side && $0.height == side ? $0 : nil }
    let chip = given ?? face.picture.crop(map, width: side, height: side)
    luma = chip.luma()
    region = FaceRegion(
      map: map, mesh: face.landmarksInPicture.mesh, width: face.picture.width, height: face.picture.height)
    var histogram = [Int](repeating: 0, count: 256)
    for (value, isFace) in zip(luma, region.mask) where isFace == 1 { histogram[Int(value)] += 1 }
    self.histogram = histogram
    let masked = MaskedChip(chip: chip, luma: luma, mask: region.mask)
    rightCheek = masked.patch(Self.cheekRows, 38..<62)
    leftCheek = masked.patch(Self.cheekRows, 88..<112)
    mouth = masked.patch(Self.mouthRows, 52..<98)
    noseBridge = masked.patch(Self.bridgeRows, 58..<92)
  }

  /// Rows of the chip from below the eyes (at 48) to above the mouth (about 108).
  private static let cheekRows = 62..<100

  /// From the nose's base to the chin.
  private static let mouthRows = 96..<134
  /// From between the eyes to the upper edge of a mask.
  private static let bridgeRows = 50..<70

  private static func room(right: Point, left: Point, middle: Point, width: Double, height: Double) -> Room {
    let distance = right.distance(to: left)
    let (x, y) = ((left.x - right.x) / distance, (left.y - right.y) / distance)
    /// Returns the distance from `p` along a direction to the edge.
    func reach(_ p: Point, _ dx: Double, _ dy: Double) -> Double {
      let alongX = dx > 0 ? (width - p.x) / dx : dx < 0 ? -p.x / dx : .infinity
      let alongY = dy > 0 ? (height - p.y) / dy : dy < 0 ? -p.y / dy : .infinity
      return max(0, min(alongX, alongY))
    }
    return Room(
      left: reach(right, -x, -y), right: reach(left, x, y), above: reach(middle, y, -x), below: reach(middle, -y, x))
  }

  static func nextFace(to face: LocatedFace, among faces: [LocatedFace]) -> Double {
    // A box whose centre is in this face's box is the same face or part of it: no other head fits there.
    let box = face.box
    let others = faces.filter {
      let centre = $0.box.centre
      return abs(centre.x - box.centre.x) > box.width / 2 || abs(centre.y - box.centre.y) > box.height / 2
    }
    guard let next = others.map(\.prominence).max(), next > 0 else { return 0 }
    return face.prominence > 0 ? next / face.prominence : .greatestFiniteMagnitude
  }
}

/// A chip with the mask of its face pixels.
private struct MaskedChip {
  let chip: PixelBuffer
  let luma: [UInt8]
  let mask: [UInt8]

  /// Returns the means over a part; nil if the face fills less than an eighth of it.
  func patch(_ rows: Range<Int>, _ columns: Range<Int>) -> QualityInput.Patch? {
    var (grey, count) = (0, 0)
    var colour = SIMD3<Int>.zero
    for y in rows {
      for x in columns where mask[y * chip.width + x] == 1 {
        let i = y * chip.width + x
        grey += Int(luma[i])
        colour &+= SIMD3(Int(chip.rgb[3 * i]), Int(chip.rgb[3 * i + 1]), Int(chip.rgb[3 * i + 2]))
        count += 1
      }
    }
    guard count >= rows.count * columns.count / 8 else { return nil }
    let n = Double(count)
    return .init(luma: Double(grey) / n, colour: SIMD3<Double>(colour) / n)
  }
}
