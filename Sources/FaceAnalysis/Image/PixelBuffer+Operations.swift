extension PixelBuffer {
  /// The picture as a PNG file, without loss.
  ///
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/internalFailure`` if memory runs out.
  public func encodedAsPNG() throws -> [UInt8] { try ImageCodec.encodePNG(self) }

  /// The picture as a JPEG file, colour at full resolution.
  ///
  /// - Parameter quality: 1 to 100; at 95 a template moves less than a second photo of the person would move it.
  /// - Throws: ``VerifyError/Code/badArgument`` for another quality, ``VerifyError/Code/tooLarge`` for sides of more than
  ///   65,535 pixels.
  public func encodedAsJPEG(quality: Int = 95) throws -> [UInt8] { try ImageCodec.encodeJPEG(self, quality: quality) }

  /// Samples a `width` × `height` crop, bilinear and without aliasing; outside the picture is black.
  ///
  /// `map` takes centres of crop pixels to centres of picture pixels: `x' = map[0] x + map[1] y + map[2]`,
  /// `y' = map[3] x + map[4] y + map[5]`, where the first pixel's centre is (0, 0). The crop is black if `map` is not
  /// finite.
  ///
  /// - Parameter mirrored: outside the picture is what lies inside, as in a mirror along its edges.
  package func crop(map: [Double], width: Int, height: Int, mirrored: Bool = false) -> PixelBuffer {
    PixelOperations.crop(self, map: map, width: width, height: height, mirrored: mirrored)
  }

  /// Cuts out a part that is turned by `angle`, radians, clockwise on the screen.
  ///
  /// - Parameters:
  ///   - corner: where its upper left corner lies.
  ///   - scale: pixels of this picture a pixel of the part.
  func cutOut(corner: Point, angle: Double, scale: Double, width: Int, height: Int) -> PixelBuffer {
    crop(
      map: AffineMap(scale: scale, angle: angle, origin: corner).betweenPixels, width: width, height: height)
  }

  /// Resizes by area averaging when shrinking, bilinear when growing.
  package func resized(width: Int, height: Int) -> PixelBuffer {
    PixelOperations.resize(self, width: width, height: height)
  }

  /// As in a mirror: left and right exchanged.
  func mirrored() -> PixelBuffer { PixelOperations.orient(self, orientation: 2) }

  /// Turned clockwise by 0, 90, 180 or 270 degrees, and then mirrored if it shows things as a mirror does.
  package func upright(rotation: Int, isMirrored: Bool) -> PixelBuffer {
    // As EXIF counts.
    let orientations = isMirrored ? [0: 2, 90: 5, 180: 4, 270: 7] : [0: 1, 90: 6, 180: 3, 270: 8]
    return PixelOperations.orient(self, orientation: orientations[rotation] ?? 1)
  }

  /// Rec. 601 luma of each pixel.
  package func luma() -> [UInt8] { PixelOperations.luma(self) }

  /// Draws an anti-aliased line; `colour` is 0xRRGGBB.
  package mutating func drawLine(from start: Point, to end: Point, colour: UInt32, thickness: Double = 1) {
    PixelOperations.drawLine(&self, from: start, to: end, colour: colour, thickness: thickness)
  }

  /// Draws a filled, anti-aliased disc.
  package mutating func drawDisc(centre: Point, radius: Double, colour: UInt32) {
    PixelOperations.drawDisc(&self, centre: centre, radius: radius, colour: colour)
  }

  /// Fills a rectangle; `opacity` is 0 to 1.
  package mutating func fill(_ area: Rectangle, colour: UInt32, opacity: Double = 1) {
    PixelOperations.drawRectangle(&self, area, colour: colour, opacity: opacity)
  }

  /// Writes ASCII text, its baseline's left end at `origin`; `size` is the height of a capital.
  ///
  /// - Parameter plated: on a dark plate, so that it can be read on any picture.
  package mutating func drawText(
    _ text: String, at origin: Point, size: Double, colour: UInt32, plated: Bool = true
  ) {
    PixelOperations.drawText(&self, text, at: origin, size: size, colour: colour, plated: plated)
  }

  /// Pixels that a text takes in a row.
  package static func widthOfText(_ text: String, size: Double) -> Double {
    PixelOperations.widthOfText(text, size: size)
  }

  /// Makes a picture whose bytes `fill` writes, all of them.
  package init(
    width: Int, height: Int, fill: (UnsafeMutableBufferPointer<UInt8>) throws -> Void
  ) rethrows {
    precondition(width > 0 && height > 0, "a picture has pixels")
    let count = 3 * width * height
    self.width = width
    self.height = height
    self.rgb = try [UInt8](unsafeUninitializedCapacity: count) { memory, initialized in
      try fill(UnsafeMutableBufferPointer(rebasing: memory[..<count]))
      initialized = count
    }
  }
}
