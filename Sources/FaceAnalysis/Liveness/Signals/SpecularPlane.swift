/// Whether bright spots move with the frame or with the face: a lamp's reflection in a flat surface stays in place
/// while the surface moves in its own plane; that on a nose or a forehead moves with the head.
///
/// The frames are accumulated twice, unregistered and registered to the face. Where spots coincide, each position is
/// nearly always bright or nearly always not. The value is the uncertainty of positions registered to the face, over
/// that in the frame.
struct SpecularPlane: FrameMeasuring {
  static let signal = LivenessSignal.specularPlane
  static let unit = "ratio"
  static let source = "spots drawn on a face and on the frame: docs/liveness-signals.md"
  let failure = "Glare stays in place while the face moves below it, as on a display."
  let maximum: Double? = 1.5

  private static let side = 48
  private static let height = 40.0
  /// The semi-axes of the face's oval, in its heights.
  private static let oval = Point(x: 0.34, y: 0.42)
  /// Pixels brighter than the face's median by this factor plus this many levels are specular.
  private static let shine = (factor: 1.35, levels: 20.0)
  /// The minimum share of the face that must be specular.
  private static let minimumArea = 0.01
  /// In heights of the face.
  private static let minimumTravel = 0.08

  /// How often a position was inside the oval, and how often it was specular.
  private struct Layer {
    var seen = [Float](repeating: 0, count: side * side)
    var bright = [Float](repeating: 0, count: side * side)

    mutating func add(_ luma: [UInt8], _ places: [Int], _ limit: Double) {
      for place in places {
        seen[place] += 1
        if Double(luma[place]) > limit { bright[place] += 1 }
      }
    }

    /// Returns the share that is specular, and the uncertainty of the positions, both as means over positions visible
    /// in half of the frames.
    func spots(_ frames: Int) -> (area: Float, uncertainty: Float) {
      var (area, uncertainty, count): (Float, Float, Float) = (0, 0, 0)
      for i in seen.indices where 2 * seen[i] > Float(frames) {
        let share = bright[i] / seen[i]
        area += share
        uncertainty += share * (1 - share)
        count += 1
      }
      return count > 0 ? (area / count, uncertainty / count) : (0, 0)
    }
  }

  private var face = Layer()
  private var frame = Layer()
  private var trajectory = FaceTrajectory()

  mutating func add(_ frame: LivenessFrame) {
    guard let (view, first) = trajectory.placements(in: frame, height: Self.height) else { return }
    let luma = Self.luma(of: frame.picture, as: view)
    let oval = Self.oval(of: view, as: view)
    guard let median = oval.map({ luma[$0] }).median else { return }
    let limit = Self.shine.factor * Double(median) + Self.shine.levels
    // Overexposed faces have no distinct spots.
    guard limit < 250 else { return }
    face.add(luma, oval, limit)
    self.frame.add(Self.luma(of: frame.picture, as: first), Self.oval(of: view, as: first), limit)
    trajectory.add(view)
  }

  private static func luma(of picture: PixelBuffer, as view: FacePlacement) -> [UInt8] {
    picture.crop(view.map(side: side, height: height), width: side, height: side).luma()
  }

  /// Returns the positions in the square around one view that are inside the oval of a face.
  private static func oval(of face: FacePlacement, as view: FacePlacement) -> [Int] {
    let (square, own) = (view.map(side: side, height: height), face.map(side: 1, height: 1).inverse)
    return (0..<side * side).filter { place in
      let point = own(square(Point(x: Double(place % side) + 0.5, y: Double(place / side) + 0.5)))
      let (x, y) = ((point.x - 0.5) / oval.x, (point.y - 0.5) / oval.y)
      return x * x + y * y <= 1
    }
  }

  var measured: Measured {
    if let shortcoming = trajectory.shortcoming(length: Self.minimumTravel) { return shortcoming }
    let (own, still) = (face.spots(trajectory.frames), frame.spots(trajectory.frames))
    guard Double(max(own.area, still.area)) >= Self.minimumArea else {
      return .unavailable("The face has no specular highlights.")
    }
    return .value(Double(own.uncertainty / max(still.uncertainty, 1e-4)))
  }
}
