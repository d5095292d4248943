import FaceVerify
import Glibc

/// A face drawn with simple shapes that the detectors accept, for measurements without a photo.
enum DrawnFace {
  static func photo() throws -> Photo {
    let (width, height) = (960, 1280)
    var canvas = try Canvas(width: width, height: height, colour: 0x8FA3B5).picture
    func oval(_ x: Double, _ y: Double, _ a: Double, _ b: Double, _ colour: UInt32) {
      // Discs along the longer axis.
      for i in -60...60 {
        let t = Double(i) / 60
        let r = min(a, b) * (1 - t * t * 0.25)
        let (dx, dy) = a > b ? (t * (a - b), 0) : (0, t * (b - a))
        canvas.drawDisc(centre: Point(x: x + dx, y: y + dy), radius: r, colour: colour)
      }
    }
    oval(480, 1240, 420, 200, 0x2E3B55)
    oval(480, 930, 110, 170, 0xC68F74)
    oval(480, 470, 255, 330, 0x3A2A20)
    oval(480, 560, 215, 295, 0xE0AC92)
    for side in [-1.0, 1.0] {
      oval(480 + side * 92, 440, 62, 12, 0x35261D)
      oval(480 + side * 92, 505, 46, 20, 0xF7F3EE)
      canvas.drawDisc(centre: Point(x: 480 + side * 92, y: 505), radius: 18, colour: 0x5A3C28)
      canvas.drawDisc(centre: Point(x: 480 + side * 92, y: 505), radius: 8, colour: 0x120C08)
      oval(480 + side * 24, 640, 16, 12, 0xB57B63)
    }
    oval(480, 580, 20, 75, 0xD49C82)
    oval(480, 735, 78, 17, 0xA8524C)
    canvas.drawLine(from: Point(x: 408, y: 735), to: Point(x: 552, y: 735), colour: 0x7A3430, thickness: 4)
    return try Photo(bytes: canvas.encodedAsPNG())
  }
}
