/// What the measures look at: one face, brought to one size and place once for all of them.
struct QualityInput: Sendable {
  /// In pixels of the photo.
  let landmarks: FaceLandmarks
  /// From the middle between the eyes to the chin, in pixels of the photo; needs the mesh.
  let eyesToChin: Double?
  /// From the eyes to the photo's edges along the face's own axes, in pixels of the photo.
  let room: Room
  /// The most prominent other face's prominence over this one's.
  let nextFace: Double
  /// The luma of the chip: 150 × 150 pixels, the eyes 52.5 apart.
  let luma: [UInt8]
  let region: FaceRegion
  /// How often each luma occurs in the region.
  let histogram: [Int]
  /// The subject's cheeks, or nil if they are not in the picture or turned away.
  let rightCheek: Patch?
  let leftCheek: Patch?
  /// Mouth and chin.
  let mouth: Patch?
  /// The upper half of the nose, which masks leave free.
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

  var regionCount: Int { region.count }
  /// An eighth of the usual region (11,700 pixels in the median of 909 training photos): then a percentile is still a
  /// matter of ten pixels.
  var isMeasurable: Bool { region.count >= 1400 }

  /// The share of the region's pixels with a luma in `range`.
  func share(of range: ClosedRange<Int>) -> Measured {
    guard isMeasurable else { return .noPixels }
    return .value(Double(histogram[range].reduce(0, +)) / Double(region.count))
  }

  /// - Parameters:
  ///   - width: of the photo, in pixels.
  ///   - height: of the photo, in pixels.
  ///   - chip: the chip of `face`, or nil to sample it from the picture.
  init(face: LocatedFace, among faces: [LocatedFace], width: Int, height: Int, chip: PixelBuffer?) {
    landmarks = face.landmarks
    let (right, left) = (landmarks.rightEyeCentre, landmarks.leftEyeCentre)
    let middle = Point(x: (right.x + left.x) / 2, y: (right.y + left.y) / 2)
    eyesToChin = landmarks.mesh.map { $0.points[FaceMesh.Index.chin].distance(to: middle) }
    room = Self.room(right: right, left: left, middle: middle, width: Double(width), height: Double(height))
    nextFace = Self.nextFace(to: face, among: faces)

    let map = FaceChips.map(face.landmarksInPicture)
    let side = FaceChips.side
    let given = chip.flatMap { $0.width == side && $0.height == side ? $0 : nil }
    let chip = given ?? face.picture.crop(map: map.betweenPixels, width: side, height: side)
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
  /// From between the eyes to where a mask begins.
  private static let bridgeRows = 50..<70

  private static func room(right: Point, left: Point, middle: Point, width: Double, height: Double) -> Room {
    let distance = right.distance(to: left)
    let (x, y) = ((left.x - right.x) / distance, (left.y - right.y) / distance)
    /// From `p` along a direction to the edge.
    func reach(_ p: Point, _ dx: Double, _ dy: Double) -> Double {
      let alongX = dx > 0 ? (width - p.x) / dx : dx < 0 ? -p.x / dx : .infinity
      let alongY = dy > 0 ? (height - p.y) / dy : dy < 0 ? -p.y / dy : .infinity
      return max(0, min(alongX, alongY))
    }
    return Room(
      left: reach(right, -x, -y), right: reach(left, x, y), above: reach(middle, y, -x), below: reach(middle, -y, x))
  }

  static func nextFace(to face: LocatedFace, among faces: [LocatedFace]) -> Double {
    // A box whose centre is in this face's box is this face again, or a part of it: no head fits there.
    let box = face.box
    let others = faces.filter {
      let centre = $0.box.centre
      return abs(centre.x - box.centre.x) > box.width / 2 || abs(centre.y - box.centre.y) > box.height / 2
    }
    guard let next = others.map(\.prominence).max(), next > 0 else { return 0 }
    return face.prominence > 0 ? next / face.prominence : .greatestFiniteMagnitude
  }
}

/// A chip and where in it the face is.
private struct MaskedChip {
  let chip: PixelBuffer
  let luma: [UInt8]
  let mask: [UInt8]

  /// Nil if less than an eighth of it shows the face.
  func patch(_ rows: Range<Int>, _ columns: Range<Int>) -> QualityInput.Patch? {
    var (grey, red, green, blue, count) = (0, 0, 0, 0, 0)
    for y in rows {
      for x in columns where mask[y * chip.width + x] == 1 {
        let i = y * chip.width + x
        grey += Int(luma[i])
        red += Int(chip.rgb[3 * i])
        green += Int(chip.rgb[3 * i + 1])
        blue += Int(chip.rgb[3 * i + 2])
        count += 1
      }
    }
    guard count >= rows.count * columns.count / 8 else { return nil }
    let n = Double(count)
    return .init(luma: Double(grey) / n, colour: SIMD3(Double(red), Double(green), Double(blue)) / n)
  }
}
