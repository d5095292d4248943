internal import CVision

/// Reading and writing of encoded pictures: by the C++ backend, and what scanners write by ``ScanFormat``.
enum ImageCodec {
  /// What a file says about itself before any pixel is decoded.
  struct Header: Sendable {
    /// "jpeg", "png", "jpeg2000", "tiff" or "bmp".
    var format: String
    /// As stored, before the turn that EXIF asks for.
    var width: Int
    var height: Int
  }

  /// - Throws: ``VerifyError`` with ``VerifyError/Code/unknownFormat`` or ``VerifyError/Code/damaged``.
  static func header(of bytes: [UInt8]) throws -> Header {
    if let scan = try ScanFormat.header(of: bytes) { return scan }
    var info = cvision_image_info()
    try checked { message in
      bytes.withUnsafeBufferPointer { cvision_read_header($0.baseAddress, $0.count, &info, message) }
    }
    let format =
      switch info.codec {
      case CVISION_JPEG: "jpeg"
      case CVISION_PNG: "png"
      default: "jpeg2000"
      }
    return Header(format: format, width: Int(info.width), height: Int(info.height))
  }

  /// Decodes at 1/`reduction` (1, 2, 4 or 8) of the size in the header, each side rounded up.
  static func decode(_ bytes: [UInt8], header: Header, reduction: Int, budget: Budget) throws -> PixelBuffer {
    if let scan = try ScanFormat.decode(bytes) { return PixelOperations.reduce(scan, by: reduction) }
    let width = header.width.dividedUp(by: reduction)
    let height = header.height.dividedUp(by: reduction)
    return try PixelBuffer(width: width, height: height) { out in
      try checked { message in
        bytes.withUnsafeBufferPointer {
          cvision_decode($0.baseAddress, $0.count, Int32(reduction), out.baseAddress, out.count, message)
        }
      }
    }
  }

  static func encodePNG(_ picture: PixelBuffer) throws -> [UInt8] {
    try encoded(picture, cvision_encode_png)
  }

  /// - Parameter quality: 1 to 100.
  static func encodeJPEG(_ picture: PixelBuffer, quality: Int) throws -> [UInt8] {
    try encoded(picture) { cvision_encode_jpeg($0, $1, $2, Int32(clamping: quality), $3, $4, $5) }
  }

  private typealias Encoder = (
    UnsafePointer<UInt8>?, Int32, Int32, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
    UnsafeMutablePointer<Int>?, UnsafeMutablePointer<CChar>?
  ) -> cvision_status

  private static func encoded(_ picture: PixelBuffer, _ encode: Encoder) throws -> [UInt8] {
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

  /// Runs a C function that writes its message, and throws what its status stands for.
  private static func checked(_ body: (UnsafeMutablePointer<CChar>?) -> cvision_status) throws {
    var message = [CChar](repeating: 0, count: Int(CVISION_MESSAGE))
    let status = message.withUnsafeMutableBufferPointer { body($0.baseAddress) }
    guard status != CVISION_OK else { return }
    let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let code: VerifyError.Code =
      switch status {
      case CVISION_E_ARGUMENT: .badArgument
      case CVISION_E_FORMAT, CVISION_E_UNSUPPORTED: .unknownFormat
      case CVISION_E_DAMAGED: .damaged
      case CVISION_E_LIMIT: .tooLarge
      default: .internalFailure
      }
    throw VerifyError(code, text)
  }
}

extension Int {
  /// The quotient of positive numbers, rounded up.
  func dividedUp(by divisor: Int) -> Int { self / divisor + (self % divisor == 0 ? 0 : 1) }
}
