/// The strength of straight edges beside and above the face that move with it: those of a sheet, a phone or a screen
/// held or moved. The second strongest of the left, right and upper side, so that a single edge does not count.
///
/// The surroundings are accumulated twice: registered to the face, so that what moves with it stays sharp and the rest
/// blurs, and registered to the first frame. An edge counts if it is sharper when registered to the face: a door frame
/// is not. The side below the face is excluded, since collars move with it. A face that keeps still, or fills the
/// frame, gives no result.
struct MediumEdge: FrameMeasuring {
  static let signal = LivenessSignal.mediumEdge
  static let unit = "level"
  static let source = "a sheet moved before a drawn room: docs/liveness-signals.md"
  let failure = "Straight edges next to the face move with it, like those of a sheet or a screen."
  /// Living strangers reach 19.5 (door frames, curtains), and a sheet before a drawn room 111 (2026-11).
  let maximum: Double? = 20

  /// The surroundings: four heights of the face, 24 pixels per height.
  private static let side = 96
  private static let height = 24.0
  /// In heights of the face: two of these pixels, since edges blur only if they move by more than their gradient's
  /// width.
  private static let minimumTravel = 2 / height

  /// The gradients accumulated under one registration.
  private struct Layer {
    var across = [Float](repeating: 0, count: side * side)
    var down = [Float](repeating: 0, count: side * side)
    var count = [Float](repeating: 0, count: side * side)
  }

  private var face = Layer()
  private var frame = Layer()
  private var trajectory = FaceTrajectory()

  mutating func add(_ frame: LivenessFrame) {
    guard let (view, first) = trajectory.placements(in: frame, height: Self.height) else { return }
    Self.lay(frame.picture, as: view, over: &face)
    Self.lay(frame.picture, as: first, over: &self.frame)
    trajectory.add(view)
  }

  private static func lay(_ picture: PixelBuffer, as view: FacePlacement, over layer: inout Layer) {
    let map = view.map(side: side, height: height)
    // The reach, in frame pixels, of a neighbour and its averaging area.
    let margin = 1.5 * view.height / height
    let grey = picture.crop(map, width: side, height: side).luma()
    for y in 1..<side - 1 {
      for x in 1..<side - 1 {
        // The neighbours and their averaging areas must be inside the frame.
        let point = map(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
        guard point.x >= margin, point.y >= margin, point.x <= Double(picture.width) - margin,
          point.y <= Double(picture.height) - margin
        else { continue }
        let i = y * side + x
        layer.across[i] += Float(grey[i + 1]) - Float(grey[i - 1])
        layer.down[i] += Float(grey[i + side]) - Float(grey[i - side])
        layer.count[i] += 1
      }
    }
  }

  var measured: Measured {
    if let shortcoming = trajectory.shortcoming(length: Self.minimumTravel) { return shortcoming }
    let strengths = Self.sides.compactMap { side -> Double? in
      guard let edge = strongest(face, side) else { return nil }
      return edge > 1.2 * (strongest(frame, side) ?? 0) ? edge : 0
    }
    guard strengths.count >= 2 else {
      return .unavailable("The face fills the frame: its surroundings are not visible.")
    }
    return .value(strengths.sorted(by: >)[1])
  }

  /// The search area for edges, in heights of the face from its middle: heads with hair end at 0.6 beside it and 0.9
  /// above it. `along` is the minimum extent of an edge.
  private static let sides: [(isUpright: Bool, along: ClosedRange<Double>, from: ClosedRange<Double>)] = [
    (true, -1.0...0.8, -1.95 ... -0.75), (true, -1.0...0.8, 0.75...1.95), (false, -0.8...0.8, -1.95 ... -0.95),
  ]

  /// Returns the strongest edge of one side: its gradient in the second weakest of six parts, so that one may be
  /// covered. Nil if no position is inside the frame.
  private func strongest(
    _ layer: Layer, _ where: (isUpright: Bool, along: ClosedRange<Double>, from: ClosedRange<Double>)
  ) -> Double? {
    let (side, middle) = (Self.side, Double(Self.side - 1) / 2)
    func range(_ heights: ClosedRange<Double>) -> ClosedRange<Int> {
      Int(middle + heights.lowerBound * Self.height)...Int(middle + heights.upperBound * Self.height)
    }
    let along = range(`where`.along)
    let part = along.count / 6
    let gradient = `where`.isUpright ? layer.across : layer.down
    var best: Double?
    for place in range(`where`.from) {
      for slant in -4...4 {
        var parts = [Double](repeating: 0, count: 6)
        var seen = 0
        for t in 0..<6 * part {
          let across = place + Int((Double(slant) * 0.05 * (Double(along.lowerBound + t) - middle)).rounded())
          guard (1..<side - 1).contains(across) else { continue }
          let i = `where`.isUpright ? (along.lowerBound + t) * side + across : across * side + along.lowerBound + t
          guard 2 * layer.count[i] > Float(trajectory.frames) else { continue }
          seen += 1
          parts[t / part] += Double(gradient[i] / layer.count[i]) / Double(part)
        }
        guard seen * 20 >= 19 * 6 * part else { continue }
        let sign = parts.reduce(0, +) < 0 ? -1.0 : 1
        best = max(best ?? 0, parts.map { sign * $0 }.sorted()[1])
      }
    }
    return best
  }
}
