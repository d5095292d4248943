import TestSupport
import Testing

@testable import DocumentImaging

/// The codes made by Fixtures/codes/make.py, and their contents.
struct DrawnCode: Sendable, CustomTestStringConvertible {
  let file: String
  let format: CodeFormat
  let bytes: [UInt8]
  let encoding: String?

  var testDescription: String { file }
  var photo: Photo { get throws { try Photo(path: Self.folder + file) } }
  var pixels: PixelBuffer { get throws { try photo.pixels() } }

  static let folder = Installed.root + "/Tests/DocumentImagingTests/Fixtures/codes/"

  /// The repository's models, where the locator's are without any download.
  static let models = Installed.root + "/models"

  static let all: [DrawnCode] = {
    let table = (try? RegularFile.read(path: folder + "codes.csv", maximumBytes: 1 << 16)) ?? []
    return String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let digits = Array(cells[2])
      return DrawnCode(
        file: cells[0], format: CodeFormat(rawValue: cells[1]),
        bytes: stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) },
        encoding: cells[3].isEmpty ? nil : cells[3])
    }
  }()

  static func named(_ name: String) throws -> DrawnCode {
    guard let code = all.first(where: { $0.file == name + ".png" }) else {
      throw VerifyError(.unreadable, "there is no drawn code \(name)")
    }
    return code
  }

  /// Centred in a grey frame, with each pixel repeated along each side: equally sharp, but nearer.
  func frame(repeated times: Int) throws -> PixelBuffer {
    let code = try pixels
    let (width, height) = (code.width * times, code.height * times)
    var rgb: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let at = 3 * (y / times * code.width + x / times)
        rgb += code.rgb[at..<at + 3]
      }
    }
    let sheet = try PixelBuffer(width: width, height: height, rgb: rgb)
    return try PixelBuffer.plain(width: 640, height: 480, grey: 100).with(
      sheet, x: (640 - width) / 2, y: (480 - height) / 2)
  }

  /// Centred in a grey frame that is wider than high, enlarged or reduced.
  func frame(
    scale: Double = 1, flattened: Double = 1, width: Int = 640, height: Int = 480, x: Int? = nil
  ) throws -> PixelBuffer {
    let code = try pixels
    let sized = code.resized(
      width: Int(Double(code.width) * scale), height: Int(Double(code.height) * scale / flattened))
    return try PixelBuffer.plain(width: width, height: height, grey: 100).with(
      sized, x: x ?? (width - sized.width) / 2, y: (height - sized.height) / 2)
  }
}

extension PixelBuffer {
  func mapped(_ level: (UInt8) -> UInt8) throws -> PixelBuffer {
    try PixelBuffer(width: width, height: height, rgb: rgb.map(level))
  }

  /// A box blur.
  func smoothed(_ radius: Int) throws -> PixelBuffer {
    let side = 2 * radius + 1
    let small = resized(width: width / side, height: height / side)
    return small.resized(width: width, height: height)
  }
}

func codeReader(formats: [CodeFormat] = CodeFormat.all, effort: CodeReader.Effort = .photo) throws -> CodeReader {
  try CodeReader(formats: formats, effort: effort, modelsFolder: DrawnCode.models)
}

func codeScanner(_ configuration: CodeScanner.Configuration = .init()) throws -> CodeScanner {
  var configuration = configuration
  configuration.modelsFolder = DrawnCode.models
  return try CodeScanner(configuration)
}
