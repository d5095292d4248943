import Foundation
import Testing

/// Small videos made from photos by ffmpeg.
enum PhotoVideos {
  /// Shows each photo in turn, with noise: a camera's frames are never equal.
  ///
  /// - Parameters:
  ///   - photos: paths of pictures of one size.
  ///   - seconds: duration of each photo.
  static func make(_ path: String, of photos: [String], seconds: Double) throws {
    var script = "ffmpeg -nostdin -loglevel error -y"
    for photo in photos { script += " -loop 1 -t \(seconds) -r 10 -i '\(photo)'" }
    let joined = photos.indices.map { "[\($0)]" }.joined() + "concat=n=\(photos.count),noise=alls=8:allf=t[v]"
    try made(script + " -filter_complex '\(joined)' -map '[v]' -pix_fmt yuv420p \"$path\"", path)
  }

  /// A video without a face.
  static func makeBlank(_ path: String) throws {
    try made("ffmpeg -nostdin -loglevel error -y -f lavfi -i testsrc=size=160x120:rate=10:duration=1 \"$path\"", path)
  }

  private static func made(_ script: String, _ path: String) throws {
    let outcome = try Command.shell(script, environment: ["path": path])
    try #require(outcome.code == 0, "\(outcome.err)")
  }

  /// Number of frames and size of a video, according to ffprobe.
  static func size(_ path: String) throws -> (frames: Int, width: Int, height: Int) {
    let outcome = try Command.shell(
      "ffprobe -loglevel error -count_frames -select_streams V:0 "
        + "-show_entries stream=width,height,nb_read_frames -of csv=p=0 \"$path\"", environment: ["path": path])
    let numbers = outcome.out.split { $0 == "," || $0.isNewline }.compactMap { Int($0) }
    try #require(numbers.count == 3, "\(outcome.err)")
    return (numbers[2], numbers[0], numbers[1])
  }
}
