/// An image pyramid of a page's luma, to sample small and large text without aliasing.
struct PageLuma {
  struct Level {
    let width: Int
    let height: Int
    let pixels: [UInt8]
    /// Page pixels per pixel of this level.
    let scale: Double

    /// Full resolution.
    init(_ picture: PixelBuffer) { (width, height, pixels, scale) = (picture.width, picture.height, picture.luma(), 1) }

    /// Half the width and height.
    fileprivate init(halfOf last: Level) {
      (width, height, scale) = (last.width / 2, last.height / 2, last.scale * 2)
      var pixels = [UInt8](repeating: 0, count: width * height)
      for y in 0..<height {
        let row = 2 * y * last.width
        for x in 0..<width {
          let i = row + 2 * x
          let sum =
            Int(last.pixels[i]) + Int(last.pixels[i + 1]) + Int(last.pixels[i + last.width])
            + Int(last.pixels[i + last.width + 1])
          pixels[y * width + x] = UInt8((sum + 2) / 4)
        }
      }
      self.pixels = pixels
    }

    /// Returns the bilinearly interpolated luma, clamped to the edges. `point` is in pixels of the page.
    func value(at point: Point) -> Float {
      let x = min(max(point.x / scale - 0.5, 0), Double(width - 1))
      let y = min(max(point.y / scale - 0.5, 0), Double(height - 1))
      let (x0, y0) = (Int(x), Int(y))
      let (x1, y1) = (min(x0 + 1, width - 1), min(y0 + 1, height - 1))
      let (fx, fy) = (Float(x - Double(x0)), Float(y - Double(y0)))
      let top = Float(pixels[y0 * width + x0]) * (1 - fx) + Float(pixels[y0 * width + x1]) * fx
      let bottom = Float(pixels[y1 * width + x0]) * (1 - fx) + Float(pixels[y1 * width + x1]) * fx
      return top * (1 - fy) + bottom * fy
    }
  }

  private let levels: [Level]

  init(_ picture: PixelBuffer) {
    var levels = [Level(picture)]
    while let last = levels.last, last.width >= 512, last.height >= 2, levels.count < 4 {
      levels.append(Level(halfOf: last))
    }
    self.levels = levels
  }

  /// Returns the level for sampling every `pixelsApart` page pixels.
  func level(pixelsApart: Double) -> Level { levels.last { $0.scale <= max(1, pixelsApart * 1.2) } ?? levels[0] }
}
