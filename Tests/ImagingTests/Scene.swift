import Glibc
import Imaging
import TestSupport

/// The synthetic scene of the fixtures (see `Fixtures/image/make.py`): four coloured quarters, darker to the right.
enum Scene {
  static let width = 48
  static let height = 32

  /// Red, green and blue, 0 to 255, of one pixel.
  static func colour(x: Int, y: Int) -> [Double] {
    let base: [Double] =
      switch (x < width / 2, y < height / 2) {
      case (true, true): [255, 0, 0]
      case (false, true): [0, 255, 0]
      case (false, false): [0, 0, 255]
      case (true, false): [255, 255, 0]
      }
    return base.map { $0 * (1 - Double(x) / Double(2 * width)) }
  }

  static func grey(x: Int, y: Int) -> [Double] {
    let rgb = colour(x: x, y: y)
    return Array(repeating: 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2], count: 3)
  }

  /// The mean over the square of `side` pixels behind a reduced pixel.
  static func mean(x: Int, y: Int, side: Int) -> [Double] {
    var sum = [0.0, 0, 0]
    for dy in 0..<side {
      for dx in 0..<side {
        let rgb = colour(x: x * side + dx, y: y * side + dy)
        for channel in 0..<3 { sum[channel] += rgb[channel] }
      }
    }
    return sum.map { $0 / Double(side * side) }
  }

  /// The largest difference between `picture` and `expected`. Pixels nearer than `margin` to the lines between the
  /// quarters are excluded: colours bleed there with subsampled chroma.
  static func difference(_ picture: PixelBuffer, margin: Int = 0, _ expected: (Int, Int) -> [Double]) -> Double {
    var largest = 0.0
    let (middleX, middleY) = (picture.width / 2, picture.height / 2)
    for y in 0..<picture.height where y < middleY - margin || y >= middleY + margin {
      for x in 0..<picture.width where x < middleX - margin || x >= middleX + margin {
        let wanted = expected(x, y)
        for channel in 0..<3 {
          largest = max(largest, abs(Double(picture[x, y, channel]) - wanted[channel]))
        }
      }
    }
    return largest
  }
}

extension PixelBuffer {
  subscript(x: Int, y: Int, channel: Int) -> UInt8 { rgb[3 * (y * width + x) + channel] }
  subscript(x: Int, y: Int) -> [UInt8] { (0..<3).map { self[x, y, $0] } }
}

enum Fixture {
  private static let tests: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(2).joined(separator: "/")
  }()

  static let corpus = tests + "/fuzz/corpus/image"
  static func path(_ name: String) -> String { "\(tests)/ImagingTests/Fixtures/image/\(name)" }
  static func photo(_ name: String) throws -> Photo { try Photo(path: path(name)) }

  /// The names in a folder, sorted.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
