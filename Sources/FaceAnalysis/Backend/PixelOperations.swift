internal import CVision

/// Turning, resizing, sampling and drawing by the C++ backend.
///
/// These cannot fail with a picture that exists and sizes above zero: a result that the backend refuses (a map that
/// is not finite) is black.
enum PixelOperations {
  static func orient(_ picture: PixelBuffer, orientation: Int) -> PixelBuffer {
    guard (2...8).contains(orientation) else { return picture }
    let turned = orientation >= 5
    return make(picture, turned ? picture.height : picture.width, turned ? picture.width : picture.height) {
      cvision_orient($0, Int32(orientation), $1)
    }
  }

  static func resize(_ picture: PixelBuffer, width: Int, height: Int) -> PixelBuffer {
    make(picture, width, height) { cvision_resize($0, Int32(clamping: width), Int32(clamping: height), $1) }
  }

  /// Means of squares of `side` pixels, counted from the first pixel; at the far edges, of the part that there is.
  static func reduce(_ picture: PixelBuffer, by side: Int) -> PixelBuffer {
    guard side > 1 else { return picture }
    return make(picture, picture.width.dividedUp(by: side), picture.height.dividedUp(by: side)) {
      cvision_reduce($0, Int32(clamping: side), $1)
    }
  }

  static func crop(
    _ picture: PixelBuffer, map: [Double], width: Int, height: Int, mirrored: Bool
  ) -> PixelBuffer {
    precondition(map.count == 6, "a map has six numbers")
    return make(picture, width, height) {
      cvision_crop($0, map, Int32(clamping: width), Int32(clamping: height), mirrored ? 1 : 0, $1)
    }
  }

  static func luma(_ picture: PixelBuffer) -> [UInt8] {
    let count = picture.width * picture.height
    return [UInt8](unsafeUninitializedCapacity: count) { out, initialized in
      if let grey = out.baseAddress {
        picture.rgb.withUnsafeBufferPointer { if let rgb = $0.baseAddress { cvision_luma(rgb, count, grey) } }
      }
      initialized = count
    }
  }

  // The backend draws in coordinates of pixel centres, `Point` counts from the corner of the first pixel.

  static func drawLine(
    _ picture: inout PixelBuffer, from start: Point, to end: Point, colour: UInt32, thickness: Double
  ) {
    draw(&picture) {
      cvision_draw_line(
        $0, $1, $2, start.x - 0.5, start.y - 0.5, end.x - 0.5, end.y - 0.5, colour, thickness)
    }
  }

  static func drawDisc(_ picture: inout PixelBuffer, centre: Point, radius: Double, colour: UInt32) {
    draw(&picture) { cvision_draw_disc($0, $1, $2, centre.x - 0.5, centre.y - 0.5, radius, colour) }
  }

  static func drawRectangle(_ picture: inout PixelBuffer, _ area: Rectangle, colour: UInt32, opacity: Double) {
    draw(&picture) { cvision_draw_rectangle($0, $1, $2, area.x, area.y, area.width, area.height, colour, opacity) }
  }

  static func drawText(
    _ picture: inout PixelBuffer, _ text: String, at origin: Point, size: Double, colour: UInt32, plated: Bool
  ) {
    draw(&picture) {
      cvision_draw_text($0, $1, $2, origin.x - 0.5, origin.y - 0.5, text, size, colour, plated ? 1 : 0)
    }
  }

  static func widthOfText(_ text: String, size: Double) -> Double { cvision_text_width(text, size) }

  private static func draw(_ picture: inout PixelBuffer, _ body: (UnsafeMutablePointer<UInt8>, Int32, Int32) -> Void) {
    let width = Int32(clamping: picture.width)
    let height = Int32(clamping: picture.height)
    picture.rgb.withUnsafeMutableBufferPointer { if let rgb = $0.baseAddress { body(rgb, width, height) } }
  }

  private static func make(
    _ picture: PixelBuffer, _ width: Int, _ height: Int,
    _ body: (cvision_image, UnsafeMutablePointer<UInt8>?) -> cvision_status
  ) -> PixelBuffer {
    PixelBuffer(width: width, height: height) { out in
      let status = picture.rgb.withUnsafeBufferPointer {
        let image = cvision_image(rgb: $0.baseAddress, width: Int32(picture.width), height: Int32(picture.height))
        return body(image, out.baseAddress)
      }
      if status != CVISION_OK { out.update(repeating: 0) }
    }
  }
}
