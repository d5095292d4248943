package import CVision

/// Decodes and encodes picture files: the C++ backend, and ``ScanFormat`` for the formats of scanners.
package enum ImageCodec {
  /// The metadata of a file, read before any pixel is decoded.
  struct Header: Sendable {
    var format: PictureFormat
    /// As stored, before the EXIF orientation is applied.
    var width: Int
    var height: Int
    var warnings: [PhotoWarning] = []
    /// The EXIF orientation, 1 to 8.
    var orientation = 1
    /// Nil if the picture is in sRGB.
    var colour: ColourTransform?
    /// For TIFF and BMP; all others use `info`.
    fileprivate var scan: (any ScanFile)?
    fileprivate var info = cvision_image_info()
  }

  /// - Throws: ``VerifyError`` with ``VerifyError/Code/unknownFormat`` or ``VerifyError/Code/damaged``.
  static func header(of bytes: [UInt8]) throws -> Header {
    if let scan = try ScanFormat.file(bytes) {
      var header = Header(format: .bmp, width: scan.width, height: scan.height, scan: scan)
      if let tiff = scan as? TIFFFile {
        header.format = .tiff
        header.orientation = ExifOrientation.valid(tiff.orientation)
        (header.colour, header.warnings) = tiff.colour()
      }
      return header
    }
    var info = cvision_image_info()
    var colour: OpaquePointer?
    try checked { message in
      bytes.withUnsafeBufferPointer { cvision_read_header($0.baseAddress, $0.count, &info, &colour, message) }
    }
    var header = Header(
      format: PictureFormat(Int32(info.codec.rawValue)) ?? .jpeg, width: Int(info.width), height: Int(info.height))
    if info.warnings & Int32(CVISION_TRUNCATED) != 0 { header.warnings.append(.truncated) }
    if info.warnings & Int32(CVISION_PROFILE_IGNORED) != 0 { header.warnings.append(.colourProfileIgnored) }
    header.colour = colour.map(ColourTransform.init)
    header.info = info
    header.orientation =
      header.format == .jpeg
      ? ExifOrientation.read(from: bytes, in: info.jpeg.exif_at..<info.jpeg.exif_at + info.jpeg.exif_size)
      : ExifOrientation.read(from: bytes)
    return header
  }

  /// Decodes to sRGB at 1/`reduction` (1, 2, 4 or 8) of the size in the header, each side rounded up.
  ///
  /// The budget is checked between rows; decoding that a library cannot interrupt is not started unless enough time is
  /// left.
  static func decode(_ bytes: [UInt8], header: Header, reduction: Int, budget: Budget) throws -> PixelBuffer {
    if let scan = header.scan {
      var picture = try scan.pixels(budget).reduced(by: reduction)
      try header.colour?.apply(to: &picture, budget)
      return picture
    }
    let width = header.width.dividedUp(by: reduction)
    let height = header.height.dividedUp(by: reduction)
    return try PixelBuffer(width: width, height: height) { out in
      try withUnsafePointer(to: budget) { budget in
        var stop = cvision_stop(
          is_due: { context, needed in
            let budget = context?.assumingMemoryBound(to: Budget.self).pointee
            return budget?.hasLeft(needed) ?? true ? 0 : 1
          }, context: budget)
        do {
          try checked { message in
            bytes.withUnsafeBufferPointer { file in
              withUnsafePointer(to: header.info) {
                cvision_decode(
                  file.baseAddress, file.count, $0, Int32(reduction), header.colour?.pointer, &stop, out.baseAddress,
                  out.count, message)
              }
            }
          }
        } catch let error as VerifyError where error.code == .timeout {
          // The deadline has passed, the call was cancelled, or too little time is left for decoding that cannot be
          // interrupted.
          try budget.pointee.check()
          throw error
        }
      }
    }
  }

  typealias Encoder = (
    UnsafePointer<UInt8>?, Int32, Int32, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
    UnsafeMutablePointer<Int>?, UnsafeMutablePointer<CChar>?
  ) -> cvision_status

  /// Returns a picture as a file.
  static func encoded(_ picture: PixelBuffer, _ encode: Encoder) throws -> [UInt8] {
    var memory: UnsafeMutablePointer<UInt8>?
    var size = 0
    try checked { message in
      picture.rgb.withUnsafeBufferPointer {
        encode($0.baseAddress, Int32(picture.width), Int32(picture.height), &memory, &size, message)
      }
    }
    defer { cvision_free(memory) }
    return Array(UnsafeBufferPointer(start: memory, count: size))
  }

  /// Calls a C function that writes an error message, and throws the error for its status.
  package static func checked(_ body: (UnsafeMutablePointer<CChar>?) -> cvision_status) throws {
    guard let failure = failure(of: body) else { return }
    let code: VerifyError.Code =
      switch failure.status {
      case CVISION_E_ARGUMENT: .badArgument
      case CVISION_E_FORMAT, CVISION_E_UNSUPPORTED: .unknownFormat
      case CVISION_E_DAMAGED: .damaged
      case CVISION_E_LIMIT: .tooLarge
      case CVISION_E_STOPPED: .timeout
      default: .internalFailure
      }
    throw VerifyError(code, failure.message)
  }

  /// Calls a C function that writes an error message; returns nil if it succeeds.
  static func failure(
    of body: (UnsafeMutablePointer<CChar>?) -> cvision_status
  ) -> (status: cvision_status, message: String)? {
    var message = [CChar](repeating: 0, count: Int(CVISION_MESSAGE))
    let status = message.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    return status == CVISION_OK ? nil : (status, String(terminated: message))
  }
}

extension PictureFormat {
  /// Detects the format from the first bytes, at least 64 or the whole file; nil if it is not supported.
  package init?(of bytes: [UInt8]) {
    if let scan = ScanFormat.format(of: bytes) {
      self = scan
    } else {
      self.init(bytes.withUnsafeBufferPointer { cvision_sniff($0.baseAddress, $0.count) })
    }
  }

  fileprivate init?(_ codec: Int32) {
    let formats: [(cvision_codec, PictureFormat)] = [
      (CVISION_JPEG, .jpeg), (CVISION_PNG, .png), (CVISION_JP2, .jpeg2000), (CVISION_WEBP, .webp),
      (CVISION_HEIC, .heic), (CVISION_AVIF, .avif),
    ]
    guard let format = formats.first(where: { Int32($0.0.rawValue) == codec })?.1 else { return nil }
    self = format
  }
}

/// Converts to sRGB using the embedded profile.
final class ColourTransform: Sendable {
  // Immutable after creation; applying it is a const function.
  fileprivate nonisolated(unsafe) let pointer: OpaquePointer

  fileprivate init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { cvision_colour_free(pointer) }

  /// Makes a transform for a profile stored outside a picture's own file; nil if it is sRGB.
  ///
  /// - Throws: ``VerifyError`` if the profile is malformed or of an unsupported kind.
  static func make(profile: [UInt8], isGrey: Bool) throws -> ColourTransform? {
    var made: OpaquePointer?
    try ImageCodec.checked { cvision_colour_create(profile, profile.count, isGrey ? 1 : 0, &made, $0) }
    return made.map(ColourTransform.init)
  }

  func apply(to picture: inout PixelBuffer, _ budget: Budget) throws {
    let (count, step) = (picture.width * picture.height, 1 << 18)
    try picture.rgb.withUnsafeMutableBufferPointer {
      guard let rgb = $0.baseAddress else { return }
      for start in stride(from: 0, to: count, by: step) {
        try budget.check()
        cvision_colour_apply(pointer, rgb + 3 * start, min(step, count - start))
      }
    }
  }
}

extension String {
  /// The text before the first zero byte. CChar is signed on x86-64 only.
  init(terminated bytes: [CChar]) {
    self.init(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
  }
}

extension Int {
  /// Returns the quotient of positive numbers, rounded up.
  package func dividedUp(by divisor: Int) -> Int { self / divisor + (self % divisor == 0 ? 0 : 1) }
}
