import Imaging
import TestSupport
import Testing

@testable import DocumentImaging

@Suite("QRCode", .needsModels) struct QRCodeTests {
  /// Renders a code with its quiet zone of four modules.
  private static func picture(_ code: QRCode) throws -> PixelBuffer {
    let (scale, side) = (4, (code.size + 8) * 4)
    var rgb = [UInt8](repeating: 255, count: side * side * 3)
    for rectangle in code.path.split(separator: "z") {
      let numbers = rectangle.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
      for y in 4 * scale + numbers[1] * scale..<4 * scale + (numbers[1] + 1) * scale {
        for x in 4 * scale + numbers[0] * scale..<4 * scale + (numbers[0] + numbers[2]) * scale {
          for channel in 0..<3 { rgb[(y * side + x) * 3 + channel] = 0 }
        }
      }
    }
    return try PixelBuffer(width: side, height: side, rgb: rgb)
  }

  @Test("texts of every length are read back") func everyLength() throws {
    let reader = try CodeReader(formats: [.qr], modelsFolder: Installed.models)
    var sizes: Set<Int> = []
    for length in [1, 14, 15, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 1000] {
      let text = String((0..<length).map { Character(UnicodeScalar(UInt8(33 + $0 * 7 % 94))) })
      let code = try #require(QRCode(text))
      sizes.insert(code.size)
      #expect(try reader.read(Self.picture(code)).readings.map(\.text) == [text], "\(length) bytes")
    }
    #expect(sizes.count > 12)
    #expect(try reader.read(Self.picture(#require(QRCode("Zoë")))).readings.map(\.text) == ["Zoë"])
    #expect(QRCode(String(repeating: "x", count: 2331))?.size == 177)
    #expect(QRCode(String(repeating: "x", count: 2332)) == nil)
    #expect(QRCode("") == nil)
  }
}
