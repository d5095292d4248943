internal import Glibc

/// A face found by a detector, in pixels of the searched picture.
package struct DetectedFace: Sendable {
  /// Encloses the face from the brows to the chin, for an upright face.
  package var box: Rectangle
  /// 0 to 1 for the default set; dlib's unbounded detection confidence (0 = its threshold) for the dlib set.
  var score: Double
  /// The subject's right eye, left eye, nose tip, mouth, right ear, left ear; empty for the dlib set.
  var points: [Point]
  /// The clockwise rotation of the picture in degrees (0, 90, 180, 270) at which the face was found.
  var turn: Int

  /// The clockwise angle of the line between the eyes from horizontal in radians, as estimated by the detector.
  var angle: Double {
    guard points.count >= 2 else { return -Double(turn) * .pi / 180 }
    return atan2(points[1].y - points[0].y, points[1].x - points[0].x)
  }

  package init(box: Rectangle, score: Double, points: [Point], turn: Int) {
    (self.box, self.score, self.points, self.turn) = (box, score, points, turn)
  }
}
