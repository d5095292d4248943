import FaceVerify

/// The movement of a face in a limited number of columns: when they are full, neighbours are merged. Memory use is
/// constant, and short movements remain visible as the highest and lowest value of their column.
struct MotionHistory {
  enum Quantity: Int, CaseIterable {
    case leftEye, rightEye, yaw, pitch, roll, mouth

    func value(of motion: FaceObservation) -> Double {
      switch self {
      case .leftEye: motion.leftOpenness
      case .rightEye: motion.rightOpenness
      case .yaw: motion.pose.yaw
      case .pitch: motion.pose.pitch
      case .roll: motion.pose.roll
      case .mouth: motion.mouthOpening
      }
    }
  }

  struct Column {
    var gaps = 0
    var count = 0
    var sums = [Double](repeating: 0, count: Quantity.allCases.count)
    var lows = [Double](repeating: .infinity, count: Quantity.allCases.count)
    var highs = [Double](repeating: -.infinity, count: Quantity.allCases.count)

    func mean(_ quantity: Quantity) -> Double { sums[quantity.rawValue] / Double(count) }

    mutating func add(_ other: Column) {
      gaps += other.gaps
      count += other.count
      for i in sums.indices {
        sums[i] += other.sums[i]
        lows[i] = min(lows[i], other.lows[i])
        highs[i] = max(highs[i], other.highs[i])
      }
    }
  }

  private static let capacity = 1200

  private(set) var columns: [Column] = []
  private(set) var step = 1.0 / 120
  private(set) var start: Double?
  private(set) var end = 0.0

  /// - Parameter motion: may be that of the previous frame; nil without a face.
  mutating func add(_ motion: FaceObservation?, at time: Double, hasFace: Bool) {
    let begin = start ?? time
    start = begin
    end = time - begin
    var column = Column()
    if let motion {
      let values = Quantity.allCases.map { $0.value(of: motion) }
      (column.count, column.sums, column.lows, column.highs) = (1, values, values, values)
    } else if !hasFace {
      column.gaps = 1
    } else {
      return
    }
    let place = max(0, (motion?.time ?? time) - begin)
    while place / step >= Double(Self.capacity) { halve() }
    let i = Int(place / step)
    while columns.count <= i { columns.append(Column()) }
    columns[i].add(column)
  }

  private mutating func halve() {
    columns = stride(from: 0, to: columns.count, by: 2).map { i in
      var column = columns[i]
      if i + 1 < columns.count { column.add(columns[i + 1]) }
      return column
    }
    step *= 2
  }

  /// Returns the median of the columns' means; nil without columns.
  func median(_ quantity: Quantity) -> Double? { columns.filter { $0.count > 0 }.map { $0.mean(quantity) }.median }

  /// Returns the middle of a column, in seconds from the start.
  func time(of column: Int) -> Double { (Double(column) + 0.5) * step }
}

/// Finds a neutral pose and every blink, requested or not, by the rules of the blink challenge.
struct BlinkFinder {
  private(set) var neutral: NeutralPose?
  private(set) var blinks: [Double] = []
  /// Further blinks are only counted: their marks would be indistinguishable.
  private(set) var count = 0
  private static let kept = 1000

  private var search = NeutralPoseSearch()
  private var eyes = BlinkSearch()

  mutating func add(_ motion: FaceObservation) {
    neutral = neutral ?? search.add(motion)
    guard eyes.add(motion) else { return }
    count += 1
    if blinks.count < Self.kept { blinks.append(motion.time) }
  }
}
