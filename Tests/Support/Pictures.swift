package import Imaging

extension Photo {
  package init(_ picture: PixelBuffer) throws {
    self = try picture.rgb.withUnsafeBytes {
      try Photo(pixels: $0, width: picture.width, height: picture.height, format: .rgb8)
    }
  }
}

extension PixelBuffer {
  /// A picture of one colour.
  package static func plain(width: Int, height: Int, grey: UInt8 = 128) throws -> PixelBuffer {
    try PixelBuffer(width: width, height: height, rgb: [UInt8](repeating: grey, count: 3 * width * height))
  }

  /// This picture with another one pasted into it.
  package func with(_ other: PixelBuffer, x: Int, y: Int) throws -> PixelBuffer {
    var rgb = rgb
    for row in 0..<other.height where y + row >= 0 && y + row < height {
      for column in 0..<other.width where x + column >= 0 && x + column < width {
        for c in 0..<3 {
          rgb[3 * ((y + row) * width + x + column) + c] = other.rgb[3 * (row * other.width + column) + c]
        }
      }
    }
    return try PixelBuffer(width: width, height: height, rgb: rgb)
  }

  /// Rotated clockwise by quarter turns.
  package func turned(_ quarters: Int) throws -> PixelBuffer {
    var picture = self
    for _ in 0..<quarters {
      let (w, h) = (picture.height, picture.width)
      var rgb = [UInt8](repeating: 0, count: 3 * w * h)
      for y in 0..<h {
        for x in 0..<w {
          let from = 3 * ((picture.height - 1 - x) * picture.width + y)
          for c in 0..<3 { rgb[3 * (y * w + x) + c] = picture.rgb[from + c] }
        }
      }
      picture = try PixelBuffer(width: w, height: h, rgb: rgb)
    }
    return picture
  }
}
