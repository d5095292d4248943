/// Takes out what jumps for one frame only, at the price of one frame of delay: each value is the median of three frames.
/// The lids are left as they are, since at ten frames a second a blink may be one frame long.
package struct MotionSmoothing {
  private var last: [FaceObservation] = []

  package init() {}

  /// The frame before this one, smoothed; nil for the first one, and after ``reset()``.
  package mutating func next(_ motion: FaceObservation) -> FaceObservation? {
    last.append(motion)
    guard last.count > 1 else { return nil }
    if last.count > 3 { last.removeFirst() }
    var middle = last[last.count - 2]
    guard last.count == 3 else { return middle }
    func median(_ value: (FaceObservation) -> Double) -> Double { last.map(value).sorted()[1] }
    middle.pose = HeadPose(yaw: median { $0.pose.yaw }, pitch: median { $0.pose.pitch }, roll: median { $0.pose.roll })
    middle.mouthOpening = median { $0.mouthOpening }
    middle.mouthWidth = median { $0.mouthWidth }
    middle.mouthLift = median { $0.mouthLift }
    middle.size = median { $0.size }
    middle.centre = Point(x: median { $0.centre.x }, y: median { $0.centre.y })
    return middle
  }

  /// Forgets what was before: the face was lost.
  package mutating func reset() { last = [] }
}
