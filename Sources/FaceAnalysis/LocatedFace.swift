internal import Glibc

/// A face with the picture it was found in.
package struct LocatedFace: Sendable {
  /// The photo, reduced by ``pictureScale``.
  package let picture: PixelBuffer
  /// Photo pixels a picture pixel.
  let pictureScale: Int
  let detection: DetectedFace
  /// In pixels of ``picture``.
  let landmarksInPicture: FaceLandmarks

  init(picture: PixelBuffer, pictureScale: Int, detection: DetectedFace, landmarksInPicture: FaceLandmarks) {
    self.picture = picture
    self.pictureScale = pictureScale
    self.detection = detection
    self.landmarksInPicture = landmarksInPicture
  }

  /// A face that no detector found.
  ///
  /// - Parameters:
  ///   - box: in pixels of `picture`.
  ///   - landmarks: in pixels of `picture`.
  package init(picture: PixelBuffer, pictureScale: Int = 1, box: Rectangle, landmarks: FaceLandmarks) {
    self.init(
      picture: picture, pictureScale: pictureScale, detection: DetectedFace(box: box, score: 1, points: [], turn: 0),
      landmarksInPicture: landmarks)
  }

  /// This face in the next frame of a stream, its box moved along; nil if it moved by more than the head's half width or
  /// changed its size by more than a third, which is taken for another face. (Chosen, not measured.)
  func followed(by next: FaceLandmarks, in frame: PixelBuffer) -> LocatedFace? {
    let (from, to) = (landmarksInPicture, next)
    func middle(_ points: [Point]) -> Point {
      Point(x: points.reduce(0) { $0 + $1.x } / 5, y: points.reduce(0) { $0 + $1.y } / 5)
    }
    let (start, end) = (middle(from.alignment), middle(to.alignment))
    let growth = to.extent / from.extent
    guard start.distance(to: end) < 1.2 * from.extent, (0.7...1.4).contains(growth) else { return nil }
    let box = detection.box
    let centre = Point(
      x: end.x + (box.centre.x - start.x) * growth, y: end.y + (box.centre.y - start.y) * growth)
    let (width, height) = (box.width * growth, box.height * growth)
    return LocatedFace(
      picture: frame, pictureScale: 1,
      detection: DetectedFace(
        box: Rectangle(x: centre.x - width / 2, y: centre.y - height / 2, width: width, height: height),
        score: detection.score, points: [], turn: detection.turn),
      landmarksInPicture: next)
  }

  /// In pixels of the photo.
  package var box: Rectangle {
    let scale = Double(pictureScale)
    let box = detection.box
    return Rectangle(x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale)
  }

  /// In pixels of the photo.
  package var landmarks: FaceLandmarks { landmarksInPicture.scaled(by: Double(pictureScale)) }
  /// Which of several faces the photo was taken of: the area that is inside the frame, less the farther its middle is
  /// from the frame's (half of it at half the way to a corner). In a selfie the near face wins, in a cropped portrait
  /// with a neighbour the middle one.
  package var prominence: Double {
    let box = detection.box
    let (width, height) = (Double(picture.width), Double(picture.height))
    let inside =
      max(0, min(box.x + box.width, width) - max(box.x, 0)) * max(0, min(box.y + box.height, height) - max(box.y, 0))
    let middle = Point(x: width / 2, y: height / 2)
    return inside * max(0, 1 - box.centre.distance(to: middle) / middle.distance(to: Point(x: 0, y: 0)))
      * Double(pictureScale * pictureScale)
  }

  package var score: Double { detection.score }

  /// How sure detector and landmarks are together.
  var confidence: Double { detection.score * (landmarksInPicture.mesh?.presence ?? 1) }

  /// The clockwise turn by 0, 90, 180 or 270 degrees that brings the face nearest to upright.
  package var turn: Int {
    let (right, left) = (landmarksInPicture.rightEyeCentre, landmarksInPicture.leftEyeCentre)
    let quarters = (-atan2(left.y - right.y, left.x - right.x) / (.pi / 2)).rounded()
    return (Int(quarters) + 4) % 4 * 90
  }
}
