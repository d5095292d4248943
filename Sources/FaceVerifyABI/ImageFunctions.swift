public import CFaceVerify
internal import FaceVerify

final class ImageObject: Box<Photo>, @unchecked Sendable {
  /// Cache of encoded files.
  private let files = Lock<[ImageEncoding: [UInt8]]>([:])

  func encoded(as encoding: ImageEncoding) throws -> [UInt8] {
    if let file = files.withLock({ $0[encoding] }) { return file }
    let pixels = try value.pixels()
    let file =
      switch encoding {
      case .png: try pixels.encodedAsPNG()
      case .jpeg: try pixels.encodedAsJPEG()
      }
    files.withLock { $0[encoding] = file }
    return file
  }
}

enum ImageEncoding: String {
  case png, jpeg
}

@c @implementation public func fv_image_from_file(
  _ out: NewHandle, _ path: Text, _ limits: In<fv_image_limits>, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    ImageObject(try Photo(path: try string(path, "path"), limits: try ImageLimits(limits)))
  }
}

@c @implementation public func fv_image_from_bytes(
  _ out: NewHandle, _ start: Bytes, _ byteCount: Int, _ limits: In<fv_image_limits>, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let limits = try ImageLimits(limits)
    let encoded = try bytes(start, byteCount, "picture")
    // Checked before copying.
    try limits.check(byteCount: byteCount)
    return ImageObject(try Photo(bytes: Array(encoded), limits: limits))
  }
}

@c @implementation public func fv_image_from_pixels(
  _ out: NewHandle, _ view: In<fv_image_view>, _ limits: In<fv_image_limits>, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) { ImageObject(try Photo(view, limits: try ImageLimits(limits))) }
}

@c @implementation public func fv_image_pixels(
  _ image: Handle, _ rgb: Buffer, _ capacityBytes: Int, _ byteCount: Count, _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let photo = try ImageObject.value(of: image)
    let rgb = rgb?.assumingMemoryBound(to: UInt8.self)
    try fill(rgb, capacityBytes, byteCount, items: 3 * photo.width * photo.height) { try photo.pixels().rgb }
  }
}

@c @implementation public func fv_image_encode(
  _ image: Handle, _ encoding: fv_image_encoding, _ buffer: Buffer, _ capacityBytes: Int, _ byteCount: Count,
  _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try ImageObject.of(image)
    try fill(buffer, capacityBytes, byteCount, with: try object.encoded(as: try value(encoding, "encoding")))
  }
}

extension fv_image_info {
  init(_ object: ImageObject) {
    self.init()
    width = Int64(object.value.width)
    height = Int64(object.value.height)
    format = object.text(object.value.format)
    sha256 = object.text("sha256") { object.value.sha256 }
  }
}

extension Photo {
  init(_ pointer: In<fv_image_view>, limits: ImageLimits) throws {
    let view = try Structs.require(pointer, fv_image_view(), "image view")
    guard let format = pixelFormats[Int(view.pixel_format)] else {
      throw VerifyError(.badArgument, "the pixel format has no value \(view.pixel_format)")
    }
    try self.init(
      pixels: try bytes(view.data, view.byte_count, "pixels"), width: Int(view.width), height: Int(view.height),
      rowStride: Int(view.row_stride), format: format, limits: limits)
  }
}

extension ImageLimits {
  fileprivate init(_ pointer: In<fv_image_limits>) throws {
    self.init()
    let limits = try Structs.read(pointer, defaults: fv_image_limits())
    guard limits.maximum_pixels >= 0, limits.maximum_bytes >= 0 else {
      throw VerifyError(.badArgument, "limits are positive, or 0 for the default")
    }
    if limits.maximum_pixels > 0 { maximumPixels = Int(limits.maximum_pixels) }
    if limits.maximum_bytes > 0 { maximumBytes = Int(limits.maximum_bytes) }
  }
}
