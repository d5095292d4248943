public import CFaceVerify
internal import FaceVerify

final class ImageObject: HandleObject, @unchecked Sendable {
  // Sendable: Photo is.
  override class var name: String { "image" }
  let photo: Photo

  init(_ photo: Photo) { self.photo = photo }
}

@c @implementation
public func fv_image_from_file(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ path: UnsafePointer<CChar>?,
  _ limits: UnsafePointer<fv_image_limits>?, _ message: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> fv_status {
  create(out, message, capacity) {
    guard let path else { throw VerifyError(.badArgument, "the path is NULL") }
    return ImageObject(try Photo(path: try string(path, "path"), limits: try ImageLimits(limits)))
  }
}

@c @implementation
public func fv_image_from_bytes(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ start: UnsafeRawPointer?, _ count: Int,
  _ limits: UnsafePointer<fv_image_limits>?, _ message: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> fv_status {
  create(out, message, capacity) {
    let limits = try ImageLimits(limits)
    let encoded = try bytes(start, count, "picture")
    // Before they are copied.
    try limits.check(byteCount: count)
    return ImageObject(try Photo(bytes: Array(encoded), limits: limits))
  }
}

@c @implementation
public func fv_image_from_pixels(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ view: UnsafePointer<fv_image_view>?,
  _ limits: UnsafePointer<fv_image_limits>?, _ message: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> fv_status {
  create(out, message, capacity) {
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
  _ image: OpaquePointer?, _ rgb: UnsafeMutableRawPointer?, _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) -> fv_status {
  attempt {
    let photo = try Handles.object(image, ImageObject.self).photo
    guard let count else { throw VerifyError(.badArgument, "count is NULL") }
    let size = 3 * photo.width * photo.height
    count.pointee = size
    guard rgb != nil || capacity == 0 else { throw VerifyError(.badArgument, "the buffer is NULL") }
    // Before they are decoded.
    guard capacity >= size else {
      guard capacity == 0 else { throw VerifyError(.badArgument, "the buffer holds \(capacity) of \(size)") }
      return
    }
    try fill(rgb?.assumingMemoryBound(to: UInt8.self), capacity, count, with: try photo.pixels().rgb)
  }
}

extension Photo {
  /// Copies raw pixels of the program.
  init(_ pointer: UnsafePointer<fv_image_view>, limits: ImageLimits) throws {
    let view = try Structs.read(pointer, defaults: fv_image_view())
    let formats: [Int: PixelFormat] = [
      FV_PIXELS_RGB8: .rgb8, FV_PIXELS_BGR8: .bgr8, FV_PIXELS_RGBA8: .rgba8, FV_PIXELS_BGRA8: .bgra8,
      FV_PIXELS_GRAY8: .gray8,
    ]
    guard let format = formats[Int(view.pixel_format)] else {
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
