import Glibc

/// The path of a target that a face follows in position, size and direction, drawn from a nonce: a recording of another
/// path does not follow this one.
///
///     let path = try FollowPath(nonce: nonce)
///     let target = path.target(at: seconds)   // how the face should deviate from its resting pose
///
/// The path has eight legs. In each, one of three things changes, and the others keep still: the position (left or right),
/// the size (closer or farther), or the direction of the face (turned or nodded). A minimum-jerk movement leads to the
/// leg's end (Flash and Hogan 1985), where the target rests.
///
/// The generator, version 1, is that of ``ChallengeScript`` with the label "faceverify path v1" (18 bytes). It draws, in
/// this order:
///
/// 1. the order of what changes, among two of position, two of size and four of direction: one is drawn at a time from
///    those that are left, in the order position, position, size, size, direction...;
/// 2. the order of the directions left, right, up and down, in the same way;
/// 3. for position, then for size: the sign of the first end (0 negative, 1 positive), then whether the second end is the
///    start (0) or the opposite side (1);
/// 4. for each leg the seconds of its movement, 0.7 to 1.0, and of the rest after it, 0.2 to 0.5, in steps of 0.1.
public struct FollowPath: Sendable, Hashable {
  /// A deviation from the neutral pose, in units of ``reach``: to the person's left, closer, turned to their left, up.
  package typealias Deviation = SIMD4<Double>

  /// What the person does in a leg; directions are their own.
  public enum Movement: String, Sendable, Codable, CaseIterable {
    case moveLeft = "move-left"
    case moveRight = "move-right"
    case moveCloser = "move-closer"
    case moveBack = "move-back"
    case turnLeft = "turn-left"
    case turnRight = "turn-right"
    case lookUp = "look-up"
    case lookDown = "look-down"
  }

  struct Leg: Sendable, Hashable {
    let movement: Movement
    let begin: Double
    /// Seconds of the movement.
    let seconds: Double
    let from: Deviation
    let to: Deviation
  }

  /// The nonce that the path was drawn from.
  public let nonce: [UInt8]
  /// Seconds; 7.2 to 12.
  public let duration: Double
  let legs: [Leg]

  /// What a deviation of 1 stands for. An eighth of the frame's width is 7 cm at arm's length from a laptop's camera
  /// (70 degrees); a quarter closer or farther, and these angles, are reached without getting up, and keep the face in
  /// a part of the frame where a session asks for no other place.
  package static let reach = (width: 0.125, size: 0.25, yaw: 20.0, pitch: 14.0)

  /// - Parameter nonce: 16 to 64 bytes, used only once.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public init(nonce: [UInt8]) throws {
    var numbers = try NonceNumbers("faceverify path v1", nonce: nonce)
    func shuffled<Element>(_ elements: [Element]) -> [Element] {
      var left = elements
      return elements.map { _ in left.remove(at: numbers.below(left.count)) }
    }
    enum Part { case position, size, direction }
    let parts = shuffled([Part.position, .position, .size, .size, .direction, .direction, .direction, .direction])
    var directions = shuffled([Movement.turnLeft, .turnRight, .lookUp, .lookDown])
    func ends() -> [Double] {
      let first = numbers.below(2) == 0 ? -1.0 : 1
      return [first, numbers.below(2) == 0 ? 0 : -first]
    }
    var (positions, sizes) = (ends(), ends())
    var legs: [Leg] = []
    var place = Deviation()
    // Tenths of a second: their sums are exact.
    var begin = 0
    for part in parts {
      let from = place
      let movement: Movement
      switch part {
      case .position:
        place[0] = positions.removeFirst()
        movement = place[0] > from[0] ? .moveLeft : .moveRight
      case .size:
        place[1] = sizes.removeFirst()
        movement = place[1] > from[1] ? .moveCloser : .moveBack
      case .direction:
        movement = directions.removeFirst()
        place[2] = movement == .turnLeft ? 1 : movement == .turnRight ? -1 : 0
        place[3] = movement == .lookUp ? 1 : movement == .lookDown ? -1 : 0
      }
      let (moving, resting) = (7 + numbers.below(4), 2 + numbers.below(4))
      legs.append(
        Leg(movement: movement, begin: Double(begin) / 10, seconds: Double(moving) / 10, from: from, to: place))
      begin += moving + resting
    }
    (self.nonce, self.legs, duration) = (nonce, legs, Double(begin) / 10)
  }

  private func leg(at seconds: Double) -> Leg? { legs.last { $0.begin <= seconds } }

  /// Returns the deviation at a time, in seconds from the start: none before it, the last one after the end.
  package func deviation(at seconds: Double) -> Deviation {
    guard let leg = leg(at: seconds) else { return Deviation() }
    let part = min(1, (seconds - leg.begin) / leg.seconds)
    return leg.from + (leg.to - leg.from) * (part * part * part * (10 - 15 * part + 6 * part * part))
  }

  /// Returns where the face should be, `seconds` after the start of the path; nil before it.
  public func target(at seconds: Double) -> FollowTarget? {
    guard let leg = leg(at: seconds) else { return nil }
    let deviation = deviation(at: seconds)
    return FollowTarget(
      x: Self.reach.width * deviation[0], scale: pow(1 + Self.reach.size, deviation[1]),
      yaw: Self.reach.yaw * deviation[2], pitch: -Self.reach.pitch * deviation[3], movement: leg.movement)
  }

  /// The deviation of an observed face, in the units of a path.
  static func deviation(of face: FaceObservation, from neutral: NeutralPose) -> Deviation {
    let rest = neutral.motion
    return Deviation(
      (face.centre.x - rest.centre.x) / reach.width, log(face.size / rest.size) / log(1 + reach.size),
      (face.pose.yaw - rest.pose.yaw) / reach.yaw, (rest.pose.pitch - face.pose.pitch) / reach.pitch)
  }
}

/// Where a face should be at one time of a ``FollowPath``, relative to the person's resting pose: an oval to fill, and a
/// direction for the nose.
public struct FollowTarget: Sendable, Hashable {
  /// The shift in widths of the upright, unmirrored frame: positive to its right, which is the person's left.
  public let x: Double
  /// The size of the face; 1 is that of the resting pose.
  public let scale: Double
  /// The angles in degrees, with the signs of ``HeadPose``.
  public let yaw: Double
  public let pitch: Double
  /// The movement that leads there.
  public let movement: FollowPath.Movement
}

/// How well a face followed a path, after the delay at which it followed it best.
public struct PathMatch: Sendable, Hashable {
  /// A part of the path.
  public enum Part: String, Sendable, Codable, CaseIterable {
    case position, size, turn, nod
  }

  /// The mean of the parts' correlations, 0 to 1; a part that hardly moves, or moves the other way, counts as 0.
  public let score: Double
  /// The least correlation of a part.
  public let least: Double
  public let weakest: Part
  /// Seconds by which the face followed the target.
  public let delay: Double

  /// Of 2,000 simulated followers 99 % have a score of 0.94 or more, of 40,000 recordings of another path 99 % at most
  /// 0.59 (`training-tool measure-paths`, 2026-11). A part that is not followed lowers the mean of four by a quarter
  /// only, and has a limit of its own.
  static let minimumScore = 0.7
  static let minimumPart = 0.5
  /// Seconds by which a face may follow. A program that knows the path follows without delay; even the eyes begin to
  /// pursue a target only after 0.125 seconds (Robinson 1965). The upper limit includes a network's round trip.
  static let delays = 0.1...1.2

  /// Whether position, size and direction are those of the path, at some delay.
  var isSimilar: Bool { score >= Self.minimumScore && least >= Self.minimumPart }
  public var isFollowed: Bool { isSimilar && Self.delays.contains(delay) }
}

/// Observations of a face while it follows a path. Memory use is constant.
struct PathFollowing: Sendable {
  /// Observations per second that are kept.
  private static let rate = 15.0
  /// A longer gap between observations leaves a leg unseen.
  static let longestGap = 0.8

  let path: FollowPath
  private let neutral: NeutralPose
  private var observed: [(time: Double, place: FollowPath.Deviation)] = []

  init(_ path: FollowPath, from neutral: NeutralPose) {
    (self.path, self.neutral) = (path, neutral)
  }

  /// The seconds after which a late follower has also ended.
  var duration: Double { path.duration + PathMatch.delays.upperBound }

  /// Adds an observation, `time` seconds after the start of the path.
  mutating func add(_ face: FaceObservation, at time: Double) {
    guard time <= duration, time - (observed.last?.time ?? -.infinity) >= 1 / Self.rate else { return }
    observed.append((time, FollowPath.deviation(of: face, from: neutral)))
  }

  /// Nil if the face was not seen during the whole path.
  var match: PathMatch? {
    let times = [0] + observed.map(\.time) + [path.duration]
    guard zip(times, times.dropFirst()).allSatisfy({ $1 - $0 <= Self.longestGap }) else { return nil }
    // Twentieths of a second, from a face that precedes the target.
    return (-8...Int(20 * PathMatch.delays.upperBound)).map { match(delay: Double($0) / 20) }
      .max { $0.score < $1.score }
  }

  /// The least share of the target's way. Less may be drift, which resembles any slow path.
  private static let leastShare = 0.25

  /// A part's correlation is the partial one: without the share of both sides that the other parts explain, because a
  /// turn also moves the middle of the face, and leaning turns it.
  private func match(delay: Double) -> PathMatch {
    let targets = observed.map { path.deviation(at: $0.time - delay) }
    func column(_ part: Int, of rows: [FollowPath.Deviation]) -> [Double] { rows.map { $0[part] } }
    let correlations = PathMatch.Part.allCases.indices.map { part -> Double in
      let others = PathMatch.Part.allCases.indices.filter { $0 != part }.map { column($0, of: targets) }
      let basis = orthonormal([[Double](repeating: 1, count: observed.count)] + others)
      let (a, b) = (
        remainder(of: column(part, of: observed.map(\.place)), without: basis),
        remainder(of: column(part, of: targets), without: basis)
      )
      let (common, way) = (dot(a, b), dot(b, b))
      guard common > Self.leastShare * way else { return 0 }
      return common / (dot(a, a) * way).squareRoot()
    }
    let least = correlations.indices.min { correlations[$0] < correlations[$1] } ?? 0
    return PathMatch(
      score: correlations.reduce(0, +) / Double(correlations.count), least: correlations[least],
      weakest: PathMatch.Part.allCases[least], delay: delay)
  }
}

/// Gram-Schmidt; columns that the ones before them explain are left out.
private func orthonormal(_ columns: [[Double]]) -> [[Double]] {
  columns.reduce(into: []) { basis, column in
    let rest = remainder(of: column, without: basis)
    let length = dot(rest, rest).squareRoot()
    if length > 1e-6 { basis.append(rest.map { $0 / length }) }
  }
}

private func remainder(of column: [Double], without basis: [[Double]]) -> [Double] {
  basis.reduce(column) { rest, axis in
    let share = dot(rest, axis)
    return zip(rest, axis).map { $0 - share * $1 }
  }
}

private func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }

extension PathMatch: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "score": .rounded(score, 3), "least": .rounded(least, 3), "weakest": .string(weakest.rawValue),
      "delay": .rounded(delay, 2),
    ]
  }
}

extension FollowTarget: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "x": .rounded(x, 4), "scale": .rounded(scale, 4), "yaw": .rounded(yaw, 1), "pitch": .rounded(pitch, 1),
      "movement": .string(movement.rawValue),
    ]
  }
}

extension FollowPath: JSONMemberValue {
  package var memberJSON: JSONValue { .string(hexadecimal(nonce)) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    guard let nonce = json.string.flatMap(decodedHexadecimal) else { throw reader.wrong(name, "hexadecimal digits") }
    try self.init(nonce: nonce)
  }
}
