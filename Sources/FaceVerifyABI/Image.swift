public import CFaceVerify
internal import FaceVerify

final class ImageObject: HandleObject, @unchecked Sendable {
  // Sendable: Photo is.
  override class var name: String { "image" }
  let photo: Photo
  /// Cache of encoded files.
  private let files = Lock<[ImageEncoding: [UInt8]]>([:])

  init(_ photo: Photo) { self.photo = photo }

  func encoded(as encoding: ImageEncoding) throws -> [UInt8] {
    if let file = files.withLock({ $0[encoding] }) { return file }
    let pixels = try photo.pixels()
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

@c @implementation
public func fv_image_from_file(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ path: UnsafePointer<CChar>?,
  _ limits: UnsafePointer<fv_image_limits>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    guard let path else { throw VerifyError(.badArgument, "the path is NULL") }
    return ImageObject(try Photo(path: try string(path, "path"), limits: try ImageLimits(limits)))
  }
}

@c @implementation
public func fv_image_from_bytes(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ start: UnsafeRawPointer?, _ byteCount: Int,
  _ limits: UnsafePointer<fv_image_limits>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let limits = try ImageLimits(limits)
    let encoded = try bytes(start, byteCount, "picture")
    // Checked before copying.
    try limits.check(byteCount: byteCount)
    return ImageObject(try Photo(bytes: Array(encoded), limits: limits))
  }
}

@c @implementation
public func fv_image_from_pixels(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ view: UnsafePointer<fv_image_view>?,
  _ limits: UnsafePointer<fv_image_limits>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    guard let view else { throw VerifyError(.badArgument, "the image view is NULL") }
    return ImageObject(try Photo(view, limits: try ImageLimits(limits)))
  }
}

@c @implementation
public func fv_image_free(_ image: OpaquePointer?) { Handles.free(image, ImageObject.self) }

@c @implementation
public func fv_image_describe(_ out: UnsafeMutablePointer<fv_image_info>?, _ image: OpaquePointer?) -> fv_status {
  attempt {
    let object = try Handles.object(image, ImageObject.self)
    try Structs.write(out) {
      var value = fv_image_info()
      value.width = Int64(object.photo.width)
      value.height = Int64(object.photo.height)
      value.format = object.text(object.photo.format)
      value.sha256 = object.text("sha256") { object.photo.sha256 }
      return value
    }
  }
}

@c @implementation
public func fv_image_pixels(
  _ image: OpaquePointer?, _ rgb: UnsafeMutableRawPointer?, _ capacityBytes: Int,
  _ byteCount: UnsafeMutablePointer<Int>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let photo = try Handles.object(image, ImageObject.self).photo
    let rgb = rgb?.assumingMemoryBound(to: UInt8.self)
    try fill(rgb, capacityBytes, byteCount, items: 3 * photo.width * photo.height) { try photo.pixels().rgb }
  }
}

@c @implementation
public func fv_image_encode(
  _ image: OpaquePointer?, _ encoding: fv_image_encoding, _ buffer: UnsafeMutableRawPointer?, _ capacityBytes: Int,
  _ byteCount: UnsafeMutablePointer<Int>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try Handles.object(image, ImageObject.self)
    guard let encoding = ImageEncoding(number: encoding) else {
      throw VerifyError(.badArgument, "\(encoding) is no encoding of a picture")
    }
    let file = try object.encoded(as: encoding)
    try fill(buffer?.assumingMemoryBound(to: UInt8.self), capacityBytes, byteCount, items: file.count) { file }
  }
}

extension Photo {
  /// Copies raw pixels passed by the program.
  init(_ pointer: UnsafePointer<fv_image_view>, limits: ImageLimits) throws {
    let view = try Structs.read(pointer, defaults: fv_image_view())
    guard let format = PixelFormat(number: view.pixel_format) else {
      throw VerifyError(.badArgument, "\(view.pixel_format) is no pixel format")
    }
    try self.init(
      pixels: try bytes(view.data, view.byte_count, "pixels"), width: Int(view.width), height: Int(view.height),
      rowStride: Int(view.row_stride), format: format, limits: limits)
  }
}

extension ImageLimits {
  init(_ pointer: UnsafePointer<fv_image_limits>?) throws {
    self.init()
    let limits = try Structs.read(pointer, defaults: fv_image_limits())
    guard limits.maximum_pixels >= 0, limits.maximum_bytes >= 0 else {
      throw VerifyError(.badArgument, "limits are positive, or 0 for the default")
    }
    if limits.maximum_pixels > 0 { maximumPixels = Int(limits.maximum_pixels) }
    if limits.maximum_bytes > 0 { maximumBytes = Int(limits.maximum_bytes) }
  }
}
