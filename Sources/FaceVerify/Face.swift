/// A face in a photo; all positions in pixels of the upright photo.
public struct Face: Sendable {
  public let box: Rectangle
  /// How sure the detector is: 0 to 1 in the default set, dlib's own scale (0 = its threshold) in the dlib set.
  public let score: Double
  /// Clockwise turn, in degrees (0, 90, 180, 270), after which the face was found: not 0 means the photo lies on its
  /// side or head without saying so in its EXIF data.
  public let turn: Int
  public let landmarks: FaceLandmarks

  init(_ face: LocatedFace) {
    box = face.box
    score = face.score
    turn = face.turn
    landmarks = face.landmarks
  }
}
