internal import Glibc

/// A face in a picture. All positions are in pixels of the upright picture.
public struct Face: Sendable {
  public let box: Rectangle
  /// The detector's confidence: 0 to 1 in the default set, dlib's own scale (0 = its threshold) in the dlib set.
  public let score: Double
  public let landmarks: FaceLandmarks

  package init(box: Rectangle, score: Double = 1, landmarks: FaceLandmarks) {
    (self.box, self.score, self.landmarks) = (box, score, landmarks)
  }

  /// The clockwise rotation in degrees (0, 90, 180, 270) that brings the face closest to upright. A value other than 0
  /// means that the photo is rotated without an EXIF orientation that records it.
  public var turn: Int {
    let quarters = (-angle / (.pi / 2)).rounded()
    return quarters.isFinite ? (Int(quarters) + 4) % 4 * 90 : 0
  }

  /// The clockwise angle of the line between the eyes from horizontal in radians.
  fileprivate var angle: Double {
    let (right, left) = (landmarks.rightEyeCentre, landmarks.leftEyeCentre)
    return atan2(left.y - right.y, left.x - right.x)
  }
}

/// A face with the picture in which it was found, for measurements on its pixels.
package struct LocatedFace: Sendable {
  /// The photo, reduced by ``pictureScale``.
  package let picture: PixelBuffer
  /// Photo pixels per picture pixel.
  let pictureScale: Int
  /// The face in pixels of ``picture``.
  let inPicture: Face

  /// - Parameters:
  ///   - box: In pixels of `picture`, like the landmarks.
  package init(
    picture: PixelBuffer, pictureScale: Int = 1, box: Rectangle, score: Double = 1, landmarks: FaceLandmarks
  ) {
    self.picture = picture
    self.pictureScale = pictureScale
    inPicture = Face(box: box, score: score, landmarks: landmarks)
  }

  /// In pixels of the photo.
  package var face: Face { Face(box: box, score: score, landmarks: landmarks) }
  /// In pixels of the photo.
  package var box: Rectangle {
    let (box, scale) = (inPicture.box, Double(pictureScale))
    return Rectangle(x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale)
  }
  /// In pixels of the photo.
  package var landmarks: FaceLandmarks { landmarksInPicture.scaled(by: Double(pictureScale)) }
  package var score: Double { inPicture.score }
  var landmarksInPicture: FaceLandmarks { inPicture.landmarks }

  /// Returns this face in the next frame of a stream, its box moved with the landmarks; nil if it moved by more than
  /// half the head's width or changed its size by more than about a third, which is treated as another face. (Chosen,
  /// not measured.)
  func followed(by next: FaceLandmarks, in frame: PixelBuffer) -> LocatedFace? {
    let (from, to) = (landmarksInPicture, next)
    let (start, end) = (from.alignment.centroid, to.alignment.centroid)
    let growth = to.extent / from.extent
    guard start.distance(to: end) < 1.2 * from.extent, (0.7...1.4).contains(growth) else { return nil }
    let box = inPicture.box
    let centre = Point(x: end.x + (box.centre.x - start.x) * growth, y: end.y + (box.centre.y - start.y) * growth)
    let (width, height) = (box.width * growth, box.height * growth)
    return LocatedFace(
      picture: frame,
      box: Rectangle(x: centre.x - width / 2, y: centre.y - height / 2, width: width, height: height), score: score,
      landmarks: next)
  }

  /// Ranks the faces of a photo by how likely each is its subject: the box area inside the frame, weighted by the
  /// distance of the box's centre from the frame's (1 at the centre, half of it halfway to a corner). In a selfie the
  /// nearest face ranks first, in a cropped portrait with a neighbour the central one.
  package var prominence: Double {
    let box = inPicture.box
    let (width, height) = (Double(picture.width), Double(picture.height))
    let inside =
      max(0, min(box.x + box.width, width) - max(box.x, 0)) * max(0, min(box.y + box.height, height) - max(box.y, 0))
    let middle = Point(x: width / 2, y: height / 2)
    return inside * max(0, 1 - box.centre.distance(to: middle) / middle.distance(to: Point(x: 0, y: 0)))
      * Double(pictureScale * pictureScale)
  }

  /// The combined confidence of detector and landmarks.
  var confidence: Double { score * (landmarksInPicture.mesh?.presence ?? 1) }

  /// Returns ``confidence``; 0 if the face is rolled by more degrees to either side.
  func confidence(ifRolledUpTo degrees: Double) -> Double {
    abs(inPicture.angle) * 180 / .pi <= degrees ? confidence : 0
  }
}

extension Face: JSONConvertible {
  /// Positions in pixels of the upright photo; without the mesh.
  public var jsonValue: JSONValue {
    let points = landmarks.alignment
    return [
      "box": box.jsonValue,
      "score": .rounded(score, 4),
      "turn": .integer(turn),
      "points": [
        "leftEyeOuter": points[0].jsonValue, "leftEyeInner": points[1].jsonValue,
        "rightEyeOuter": points[2].jsonValue, "rightEyeInner": points[3].jsonValue, "noseBase": points[4].jsonValue,
      ],
      "eyes": [
        "left": eye(landmarks.leftEye, centre: landmarks.leftEyeCentre),
        "right": eye(landmarks.rightEye, centre: landmarks.rightEyeCentre),
        "distance": .rounded(landmarks.interEyeDistance, 2),
      ],
      "pose": landmarks.pose?.jsonValue ?? .null,
    ]
  }

  /// `openness` is null for model sets without a mesh.
  private func eye(_ contour: EyeContour?, centre: Point) -> JSONValue {
    ["centre": centre.jsonValue, "openness": .rounded(contour?.openness, 4)]
  }
}
