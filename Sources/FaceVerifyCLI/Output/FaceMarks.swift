import FaceVerify
import Glibc

/// A photo annotated with its faces: bounding box, mesh, eyes, the five alignment points, and the head's axes.
struct FaceMarks {
  enum Colour {
    static let taken: UInt32 = 0x3DDC84
    static let other: UInt32 = 0xB4B9C2
    static let refused: UInt32 = 0xFF5C57
    static let caution: UInt32 = 0xFFC145
    static let mesh: UInt32 = 0xDDE6F0
    static let eye: UInt32 = 0x29D3FF
    static let iris: UInt32 = 0xFF7AD9
    static let point: UInt32 = 0xFFE14D
    static let right: UInt32 = 0xFF5C57
    static let down: UInt32 = 0x3DDC84
    static let ahead: UInt32 = 0x5C9DFF
    static let text: UInt32 = 0xF2F4F8
    static let faint: UInt32 = 0xA7AFBC
    static let paper: UInt32 = 0x14181F
  }

  private(set) var picture: PixelBuffer
  /// Picture pixels per photo pixel.
  private let scale: Double

  /// Scales the photo to fit, enlarged up to four times.
  init(_ photo: Photo, width: Int, height: Int) throws {
    let scale = min(Double(width) / Double(photo.width), Double(height) / Double(photo.height), 4)
    self.scale = scale
    let reduction = [8, 4, 2].first { scale * Double($0) <= 1 } ?? 1
    let size = PixelBuffer.size(photo.width, photo.height, scaledBy: scale)
    picture = try DecodedPhoto(photo).picture(reduction: reduction).resized(width: size.width, height: size.height)
  }

  /// - Parameter frame: an upright frame of a stream.
  init(_ frame: PixelBuffer, width: Int, height: Int) {
    scale = min(Double(width) / Double(frame.width), Double(height) / Double(frame.height), 4)
    picture = frame.scaled(by: scale)
  }

  /// - Parameter colour: of the first face, the analysed one.
  mutating func draw(_ faces: [Face], colour: UInt32 = Colour.taken) {
    for (i, face) in faces.enumerated().reversed() {
      draw(face, number: faces.count > 1 ? i + 1 : nil, colour: i == 0 ? colour : Colour.other, isTaken: i == 0)
    }
  }

  private mutating func draw(_ face: Face, number: Int?, colour: UInt32, isTaken: Bool) {
    let box = face.box
    let side = box.width * scale
    let thin = max(1, side / 300)
    outline(box.corners, colour: colour, thickness: isTaken ? max(2, side / 120) : max(1, side / 200))
    // On a very small face the marks would hide it.
    if side >= 70 {
      for point in face.landmarks.mesh?.points ?? [] {
        picture.drawDisc(centre: place(point), radius: max(0.6, side / 420), colour: Colour.mesh)
      }
      for case let eye? in [face.landmarks.rightEye, face.landmarks.leftEye] { draw(eye, thickness: thin) }
      if let pose = face.landmarks.pose { draw(pose, of: face, thickness: max(2, side / 110)) }
    }
    for point in face.landmarks.alignment {
      let radius = max(1.5, side / 90)
      picture.drawDisc(centre: place(point), radius: radius * 1.5, colour: 0x000000)
      picture.drawDisc(centre: place(point), radius: radius, colour: Colour.point)
    }
    label(face, number: number, colour: colour)
  }

  mutating func outline(_ corners: [Point], colour: UInt32, thickness: Double = 3) {
    for (i, corner) in corners.enumerated() {
      picture.drawLine(
        from: place(corner), to: place(corners[(i + 1) % corners.count]), colour: colour, thickness: thickness)
    }
  }

  private mutating func draw(_ eye: EyeContour, thickness: Double) {
    let lids = eye.lids.map(place)
    guard lids.count == 16 else { return }
    // The lower lid and the upper one.
    for lid in [Array(lids[0...8]), [lids[0]] + lids[9...15] + [lids[8]]] {
      for (a, b) in zip(lid, lid.dropFirst()) {
        picture.drawLine(from: a, to: b, colour: Colour.eye, thickness: thickness)
      }
    }
    for point in eye.iris.map(place) { picture.drawDisc(centre: point, radius: max(1, thickness), colour: Colour.iris) }
  }

  /// The head's own axes from the nose: to the picture's right (red), down (green), out of the face (blue).
  private mutating func draw(_ pose: HeadPose, of face: Face, thickness: Double) {
    let (yaw, pitch, roll) = (pose.yaw * .pi / 180, pose.pitch * .pi / 180, pose.roll * .pi / 180)
    let ahead = SIMD3(sin(yaw) * cos(pitch), sin(pitch), -cos(yaw) * cos(pitch))
    guard abs(ahead.z) > 0.1 else { return }
    var across = SIMD3(cos(roll), -sin(roll), 0)
    across.z = -(across.x * ahead.x + across.y * ahead.y) / ahead.z
    across /= (across * across).sum().squareRoot()
    let down = SIMD3(
      across.y * ahead.z - across.z * ahead.y, across.z * ahead.x - across.x * ahead.z,
      across.x * ahead.y - across.y * ahead.x)
    let origin = face.landmarks.alignment[4]
    let length = 0.55 * face.box.width
    for (axis, colour) in [(across, Colour.right), (down, Colour.down), (ahead, Colour.ahead)] {
      let tip = place(Point(x: origin.x + length * axis.x, y: origin.y + length * axis.y))
      picture.drawLine(from: place(origin), to: tip, colour: colour, thickness: thickness)
      picture.drawDisc(centre: tip, radius: thickness * 1.4, colour: colour)
    }
  }

  /// Above the box, or below it if there is no room.
  private mutating func label(_ face: Face, number: Int?, colour: UInt32) {
    let size = 10.0
    let step = size * 2
    var lines = [(number.map { "face \($0)  " } ?? "") + "score \(Text.number(face.score, 2))"]
    if let pose = face.landmarks.pose {
      lines.append("yaw \(Text.signed(pose.yaw))  pitch \(Text.signed(pose.pitch))  roll \(Text.signed(pose.roll))")
    }
    func columns() -> Double { lines.map { PixelBuffer.widthOfText($0, size: size) }.max() ?? 0 }
    // With several faces, a label wider than its face would cover others: the printed list has the rest.
    if let number, columns() > 1.3 * face.box.width * scale { lines = ["\(number)"] }
    let height = step * Double(lines.count - 1)
    let top = place(Point(x: face.box.x, y: face.box.y))
    let bottom = place(Point(x: 0, y: face.box.y + face.box.height))
    let x = max(size / 2, min(top.x, Double(picture.width) - columns() - size / 2))
    let above = top.y - size * 0.9 - height
    // Below the box, the text must not exceed the lower edge of the picture either.
    var y = above > size * 1.5 ? above : min(bottom.y + size * 2, Double(picture.height) - size - height)
    for line in lines {
      picture.drawText(line, at: Point(x: x, y: y), size: size, colour: colour)
      y += step
    }
  }

  private func place(_ point: Point) -> Point { Point(x: point.x * scale, y: point.y * scale) }
}
