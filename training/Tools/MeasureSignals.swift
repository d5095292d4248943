import ArgumentParser
import FaceAnalysis

struct MeasureSignals: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the values of every liveness signal for a video, as CSV.",
    discussion: "  ffmpeg -v error -i clip.mp4 -f rawvideo -pix_fmt rgb24 - | training-tool measure-signals 640 480 30")
  @OptionGroup var frames: Frames
  @Argument(help: "Frames per second, or a file with each frame's time: lines of number,seconds below a heading.")
  var rate: String

  func run() throws {
    let constant = Double(rate)
    let times = constant == nil ? try times(in: rate) : []
    let models = try Frames.models()
    let pipeline = try models.makePipeline()
    var analysis = LivenessAnalysis(LivenessContext(calibration: models.calibration))
    // Colours of a screen that was not lit: tests how the colour check responds to a room that is too bright.
    let colours = try ColourSequence(nonce: [UInt8](repeating: 0, count: 16), count: 100)
    var last = -Double.infinity
    for (index, frame) in frames.enumerated() {
      guard constant != nil || index < times.count else { break }
      let time = constant.map { Double(index) / $0 } ?? times[index]
      // As in a session.
      guard time > last else {
        analysis.refuse()
        continue
      }
      last = time
      _ = try analysis.add(frame, at: time, screenColour: colours.colour(at: time), by: pipeline)
    }
    print("signal,status,value,minimum,maximum")
    for check in analysis.checks {
      let values = [check.value, check.minimum, check.maximum].map { $0.map { "\(rounded($0, 1e5))" } ?? "" }
      print("\(check.name),\(check.status.rawValue)," + values.joined(separator: ","))
    }
  }

  private func times(in path: String) throws -> [Double] {
    String(decoding: try RegularFile.read(path: path, maximumBytes: 1 << 24), as: UTF8.self).split(separator: "\n")
      .compactMap { $0.split(separator: ",").last.flatMap { Double($0) } }
  }
}
