import FaceVerify
import Foundation

/// The photos made by `photos.py`.
struct Photos {
  let folder: String
  let selfie: [UInt8]
  let portrait: [UInt8]
  let stranger: [UInt8]
  let large: [UInt8]
  /// A synthetic document page, PNG.
  let page: [UInt8]
  /// Already decoded, like a camera frame.
  let frame: Photo

  init(folder: String) throws {
    func bytes(_ name: String) throws -> [UInt8] {
      guard let file = FileHandle(forReadingAtPath: "\(folder)/\(name)") else { throw Failure("no \(folder)/\(name)") }
      return Array(try file.readToEnd() ?? Data())
    }
    self.folder = folder
    selfie = try bytes("selfie.jpg")
    portrait = try bytes("portrait.jpg")
    stranger = try bytes("stranger.jpg")
    large = try bytes("large.jpg")
    page = try bytes("pages/clean-0.png")
    let pixels = try Photo(bytes: bytes("frame.png")).pixels()
    frame = try pixels.rgb.withUnsafeBytes {
      try Photo(pixels: $0, width: pixels.width, height: pixels.height, format: .rgb8)
    }
  }
}
