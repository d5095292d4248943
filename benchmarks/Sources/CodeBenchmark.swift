@_spi(Benchmarks) import DocumentImaging
import FaceVerify
import Foundation

/// Reads codes in a frame and in photos, alternating with zxing-cpp alone on the same pixels.
struct CodeBenchmark {
  private var table = Table()

  static func run(photos folder: String) throws -> [String] {
    let machine = Machine.description
    var benchmark = CodeBenchmark()
    func pixels(_ name: String) throws -> PixelBuffer { try Photo(path: "\(folder)/\(name)").pixels(reduction: 1) }
    let frame = try CodeReader(effort: .frame)
    let photo = try CodeReader(effort: .photo)
    try benchmark.measure("a frame of 640×480 without a code", frame, pixels("frame.png"), codes: 0, atMost: 0.008)
    try benchmark.measure("a photo of 2 MP without a code", photo, pixels("selfie.jpg"), codes: 0, atMost: 0.025)
    try benchmark.measure("a photo of 2 MP with PDF417", photo, pixels("code.jpg"), codes: 1, atMost: 0.025)
    print(benchmark.table.markdown)
    print("\n\(machine); faceverify \(FaceVerifyVersion.string).")
    return benchmark.table.missed
  }

  private mutating func measure(
    _ what: String, _ reader: CodeReader, _ picture: PixelBuffer, codes: Int, atMost goal: Double
  ) throws {
    let alone = try reader.decoderMeasurement(of: picture)
    guard try reader.read(picture).readings.count == codes, try alone() == codes else {
      throw Failure("\(what): not \(codes) codes")
    }
    let (own, other) = try Timing.measureInTurns {
      _ = try reader.read(picture)
    } _: {
      _ = try alone()
    }
    table.add(what, own, atMost: goal)
    table.add("the same by zxing-cpp alone", other)
    table.add("against zxing-cpp alone", ratio: own.least / other.least, median: own.median / other.median, atMost: 1.5)
  }
}
