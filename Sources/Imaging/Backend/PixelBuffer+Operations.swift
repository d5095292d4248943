internal import CVision

// Rotation, resizing, sampling and drawing with the C++ backend. These operations cannot fail on an existing picture
// and positive sizes: a result that the backend rejects (a non-finite map) is black.
extension PixelBuffer {
  /// Returns the picture as a lossless PNG file.
  ///
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/internalFailure`` if memory runs out.
  public func encodedAsPNG() throws -> [UInt8] { try ImageCodec.encoded(self, cvision_encode_png) }

  /// Returns the picture as a JPEG file with full-resolution chroma.
  ///
  /// - Parameter quality: 1 to 100; at 95 a template changes less than between two photos of the person.
  /// - Throws: ``VerifyError/Code/badArgument`` for another quality, ``VerifyError/Code/tooLarge`` for sides of more
  ///   than 65,535 pixels.
  public func encodedAsJPEG(quality: Int = 95) throws -> [UInt8] {
    try ImageCodec.encoded(self) { cvision_encode_jpeg($0, $1, $2, Int32(clamping: quality), $3, $4, $5) }
  }

  /// Samples a `width` × `height` crop, bilinearly and without aliasing; pixels outside the picture are black.
  ///
  /// `map` maps centres of crop pixels to centres of picture pixels:
  /// `x' = map[0] x + map[1] y + map[2]`, `y' = map[3] x + map[4] y + map[5]`, where the first pixel's centre is (0,
  /// 0).
  /// The crop is black if `map` is not finite.
  ///
  /// - Parameter mirrored: Reflects the picture at its edges instead of padding with black.
  package func crop(map: [Double], width: Int, height: Int, mirrored: Bool = false) -> PixelBuffer {
    precondition(map.count == 6, "a map has six numbers")
    return made(width, height) {
      cvision_crop($0, map, Int32(clamping: width), Int32(clamping: height), mirrored ? 1 : 0, $1)
    }
  }

  /// Samples a crop whose positions `map` maps to positions in the picture.
  package func crop(_ map: AffineMap, width: Int, height: Int, mirrored: Bool = false) -> PixelBuffer {
    crop(map: map.betweenPixels, width: width, height: height, mirrored: mirrored)
  }

  /// Crops a part rotated by `angle`, in radians, clockwise on the screen.
  ///
  /// - Parameters:
  ///   - corner: The position of its upper left corner.
  ///   - scale: Pixels of this picture per pixel of the part.
  package func cutOut(corner: Point, angle: Double, scale: Double, width: Int, height: Int) -> PixelBuffer {
    crop(AffineMap(scale: scale, angle: angle, origin: corner), width: width, height: height)
  }

  /// Resizes by area averaging when shrinking, bilinearly when enlarging.
  package func resized(width: Int, height: Int) -> PixelBuffer {
    made(width, height) { cvision_resize($0, Int32(clamping: width), Int32(clamping: height), $1) }
  }

  /// Returns the means of squares of `side` pixels, starting at the first pixel; squares at the far edges are
  /// truncated.
  package func reduced(by side: Int) -> PixelBuffer {
    guard side > 1 else { return self }
    return made(width.dividedUp(by: side), height.dividedUp(by: side)) { cvision_reduce($0, Int32(clamping: side), $1) }
  }

  /// Returns the picture made upright for an EXIF orientation of 1 to 8.
  func oriented(_ orientation: Int) -> PixelBuffer {
    guard (2...8).contains(orientation) else { return self }
    let turned = orientation >= 5
    return made(turned ? height : width, turned ? width : height) { cvision_orient($0, Int32(orientation), $1) }
  }

  /// Returns the mirror image: left and right exchanged.
  package func mirrored() -> PixelBuffer { oriented(2) }

  /// Returns the picture rotated clockwise by 0, 90, 180 or 270 degrees, then mirrored if it is a mirror image.
  package func upright(rotation: Int, isMirrored: Bool) -> PixelBuffer {
    // EXIF orientations.
    let orientations = isMirrored ? [0: 2, 90: 5, 180: 4, 270: 7] : [0: 1, 90: 6, 180: 3, 270: 8]
    return oriented(orientations[rotation] ?? 1)
  }

  /// Returns the Rec. 601 luma of each pixel.
  package func luma() -> [UInt8] {
    let count = width * height
    return [UInt8](unsafeUninitializedCapacity: count) { out, initialized in
      if let grey = out.baseAddress { cvision_luma(rgb, count, grey) }
      initialized = count
    }
  }

  // The backend draws relative to pixel centres; `Point` is relative to the corner of the first pixel.

  /// Draws an anti-aliased line; `colour` is 0xRRGGBB.
  package mutating func drawLine(from start: Point, to end: Point, colour: UInt32, thickness: Double = 1) {
    draw { cvision_draw_line($0, $1, $2, start.x - 0.5, start.y - 0.5, end.x - 0.5, end.y - 0.5, colour, thickness) }
  }

  /// Draws a filled, anti-aliased disc.
  package mutating func drawDisc(centre: Point, radius: Double, colour: UInt32) {
    draw { cvision_draw_disc($0, $1, $2, centre.x - 0.5, centre.y - 0.5, radius, colour) }
  }

  /// Fills a rectangle; `opacity` is 0 to 1.
  package mutating func fill(_ area: Rectangle, colour: UInt32, opacity: Double = 1) {
    draw { cvision_draw_rectangle($0, $1, $2, area.x, area.y, area.width, area.height, colour, opacity) }
  }

  /// Draws a line of text with the left end of its baseline at `origin`.
  ///
  /// - Parameters:
  ///   - size: The height of a capital letter in pixels, 1 to 4096.
  ///   - isStrong: Semi-bold instead of medium.
  ///   - isPlated: On a dark plate, legible on any picture.
  package mutating func drawText(
    _ text: String, at origin: Point, size: Double, colour: UInt32, isStrong: Bool = false, isPlated: Bool = true
  ) {
    draw {
      cvision_draw_text($0, $1, $2, origin.x, origin.y, text, size, colour, isStrong ? 1 : 0, isPlated ? 1 : 0)
    }
  }

  /// Returns the width of a line of text in pixels.
  package static func widthOfText(_ text: String, size: Double, isStrong: Bool = false) -> Double {
    cvision_text_width(text, size, isStrong ? 1 : 0)
  }

  /// Makes a picture; `fill` must write all of its bytes.
  package init(width: Int, height: Int, fill: (UnsafeMutableBufferPointer<UInt8>) throws -> Void) rethrows {
    precondition(width > 0 && height > 0, "a picture has pixels")
    let count = 3 * width * height
    self.width = width
    self.height = height
    self.rgb = try [UInt8](unsafeUninitializedCapacity: count) { memory, initialized in
      try fill(UnsafeMutableBufferPointer(rebasing: memory[..<count]))
      initialized = count
    }
  }

  private mutating func draw(_ body: (UnsafeMutablePointer<UInt8>, Int32, Int32) -> Void) {
    let (columns, rows) = (Int32(clamping: width), Int32(clamping: height))
    rgb.withUnsafeMutableBufferPointer { if let rgb = $0.baseAddress { body(rgb, columns, rows) } }
  }

  func made(
    _ width: Int, _ height: Int, _ body: (cvision_image, UnsafeMutablePointer<UInt8>?) -> cvision_status
  ) -> PixelBuffer {
    PixelBuffer(width: width, height: height) { out in
      if withImage({ body($0, out.baseAddress) }) != CVISION_OK { out.update(repeating: 0) }
    }
  }

  /// Passes the picture to a C function.
  func withImage<Result>(_ body: (cvision_image) -> Result) -> Result {
    rgb.withUnsafeBufferPointer {
      body(cvision_image(rgb: $0.baseAddress, width: Int32(width), height: Int32(height)))
    }
  }
}
