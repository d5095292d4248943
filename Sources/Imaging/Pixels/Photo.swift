/// A picture with a parsed and validated header; its pixels are decoded on demand, upright.
///
///     let photo = try Photo(path: "selfie.jpg")
///     let small = try photo.pixels(reduction: 2)   // half the width and height, much faster than full size
///
/// All formats of ``PictureFormat`` are supported, detected by content, not by file name; HEIC and AVIF require libheif
/// at run time. Greyscale, CMYK, palettes, 16 bits and transparency (over white) are converted to 8-bit RGB. EXIF
/// orientation and the embedded colour profile are always applied: pixels are upright sRGB.
public struct Photo: Sendable {
  /// Width in pixels, upright and at full size.
  public var width: Int { isTurned ? stored.height : stored.width }
  /// Height in pixels, upright and at full size.
  public var height: Int { isTurned ? stored.width : stored.height }
  /// One of ``PictureFormat``, or "pixels" for raw pixels.
  public var format: String { header?.format.rawValue ?? "pixels" }
  /// Defects of the file that do not prevent reading it.
  public var warnings: [PhotoWarning] { header?.warnings ?? [] }

  private enum Source: Sendable {
    case encoded([UInt8], ImageCodec.Header)
    case pixels(PixelBuffer)
  }

  /// The file's bytes; nil for raw pixels.
  package var encoded: [UInt8]? { header == nil ? nil : bytes }

  /// The file's bytes, or those of raw pixels.
  private var bytes: [UInt8] {
    switch source {
    case .encoded(let bytes, _): bytes
    case .pixels(let picture): picture.rgb
    }
  }

  private var source: Source
  /// A prefix for messages: the file's name, or nil.
  private let name: String?

  /// Computed once, and shared by copies.
  private var hash = Lock<String?>(nil)

  /// The decoded pictures by reduction; nil disables the cache.
  private var kept: Lock<[Int: PixelBuffer]>?

  private var header: ImageCodec.Header? { if case .encoded(_, let header) = source { header } else { nil } }
  private var isTurned: Bool { header.map { $0.orientation >= 5 } ?? false }
  private var stored: (width: Int, height: Int) {
    switch source {
    case .encoded(_, let header): (header.width, header.height)
    case .pixels(let picture): (picture.width, picture.height)
    }
  }

  /// Returns a copy that caches decoded pictures, for drawing on or cropping from them later. They take 3 bytes per
  /// pixel until the photo is freed.
  ///
  /// - Parameter isNeeded: False disables the cache.
  package func keepingPictures(if isNeeded: Bool = true) -> Photo {
    var photo = self
    photo.kept = isNeeded ? Lock([:]) : nil
    return photo
  }

  /// A photo in a file whose pixels are known, and are not decoded again.
  package init(bytes: [UInt8], decoded picture: PixelBuffer) throws {
    try self.init(bytes: bytes)
    kept = Lock([1: picture])
  }

  /// Reads the header of an encoded picture.
  ///
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/unknownFormat``, ``VerifyError/Code/damaged`` or
  ///   ``VerifyError/Code/tooLarge``.
  public init(bytes: [UInt8], limits: ImageLimits = .init()) throws {
    try self.init(bytes: bytes, limits: limits, name: nil)
  }

  /// Reads a file and the header of its picture. Only regular files are read, so this never blocks on a pipe.
  ///
  /// - Throws: As ``init(bytes:limits:)``, and ``VerifyError/Code/unreadable``; the message names the file.
  public init(path: String, limits: ImageLimits = .init()) throws {
    let bytes = try RegularFile.read(path: path, maximumBytes: limits.maximumBytes)
    try self.init(bytes: bytes, limits: limits, name: path)
  }

  /// Copies raw pixels, which must be upright.
  ///
  /// - Parameters:
  ///   - pixels: At least the bytes that the format needs in rows of `rowStride` bytes, the last row without padding.
  ///   - rowStride: Bytes between the starts of rows of the first plane; 0 means that rows are tightly packed.
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/badArgument`` if the arguments are inconsistent, or
  ///   ``VerifyError/Code/tooLarge``.
  public init(
    pixels: UnsafeRawBufferPointer, width: Int, height: Int, rowStride: Int = 0, format: PixelFormat,
    limits: ImageLimits = .init()
  ) throws {
    guard width > 0, height > 0 else {
      throw VerifyError(.badArgument, "a picture of \(width)×\(height) pixels has no content")
    }
    try limits.check(width: width, height: height)
    let row = format.rowBytes(width: width)
    let stride = rowStride == 0 ? row : rowStride
    guard stride >= row else {
      throw VerifyError(
        .badArgument, "a row stride of \(rowStride) bytes is shorter than \(width) \(format) pixels (\(row) bytes)")
    }
    guard let needed = format.byteCount(width: width, height: height, rowStride: stride), needed <= pixels.count else {
      throw VerifyError(
        .badArgument,
        "\(pixels.count) bytes do not hold \(width)×\(height) \(format) pixels in rows of \(stride) bytes")
    }
    self.init(pixels: PixelBuffer(pixels, width: width, height: height, rowStride: stride, format: format))
  }

  /// Wraps a decoded picture.
  public init(pixels picture: PixelBuffer) {
    source = .pixels(picture)
    name = nil
  }

  /// Decodes the pixels, upright.
  ///
  /// - Parameter reduction: 1, 2, 4 or 8: each side is divided by it and rounded up. Reduced pixels are means, and cost
  ///   less time and memory than full ones.
  /// - Throws: ``VerifyError`` with ``VerifyError/Code/damaged``, ``VerifyError/Code/unknownFormat`` for an unsupported
  ///   variant, or ``VerifyError/Code/badArgument`` for another reduction.
  public func pixels(reduction: Int = 1) throws -> PixelBuffer { try pixels(reduction: reduction, budget: .unlimited) }

  /// Whether decoding a reduced picture costs less than full size. (Other formats require reading every row.)
  var decodesReducedFaster: Bool { ["jpeg", "jpeg2000"].contains(format) }

  package func pixels(reduction: Int, budget: Budget) throws -> PixelBuffer {
    guard [1, 2, 4, 8].contains(reduction) else {
      throw VerifyError(.badArgument, "the reduction is 1, 2, 4 or 8, not \(reduction)")
    }
    try budget.check()
    switch source {
    case .pixels(let picture):
      return picture.reduced(by: reduction)
    case .encoded(let bytes, let header):
      if let known = kept?.withLock({ $0[reduction] }) { return known }
      return try VerifyError.naming(name) {
        let picture = try ImageCodec.decode(bytes, header: header, reduction: reduction, budget: budget)
          .oriented(header.orientation)
        kept?.withLock { $0[reduction] = picture }
        return picture
      }
    }
  }

  /// Overwrites the file or the pixels, and the cached pictures, if not shared. Leaves a black pixel.
  package mutating func wipe() {
    var bytes = bytes
    // Releases the other reference, so that the bytes are overwritten in place.
    hash = Lock(nil)
    source = .pixels(PixelBuffer(width: 1, height: 1) { $0.update(repeating: 0) })
    bytes.withUnsafeMutableBytes { overwrite($0) }
    kept?.withLock { pictures in
      // Iterating the keys themselves would share the pictures.
      for reduction in Array(pictures.keys) {
        pictures[reduction]?.rgb.withUnsafeMutableBytes { overwrite($0) }
      }
      pictures = [:]
    }
  }

  /// The SHA-256 of the file, or of raw pixels as RGB, in lower-case hexadecimal.
  public var sha256: String {
    hash.withLock { known in
      if let known { return known }
      let made = digest(bytes)
      known = made
      return made
    }
  }

  /// - Parameter name: The file's name, a prefix for messages.
  package init(bytes: [UInt8], limits: ImageLimits, name: String?) throws {
    guard !bytes.isEmpty else { throw VerifyError(.unknownFormat, "\(name ?? "the picture") is empty") }
    let header = try VerifyError.naming(name) {
      try limits.check(byteCount: bytes.count)
      guard PictureFormat(of: bytes) != nil else {
        throw VerifyError(
          .unknownFormat,
          "this is \(Self.otherFormat(bytes) ?? "not a supported picture"); supported are \(PictureFormat.list), whatever the name"
        )
      }
      let header = try ImageCodec.header(of: bytes)
      try limits.check(width: header.width, height: header.height)
      return header
    }
    self.source = .encoded(bytes, header)
    self.name = name
  }

  /// Returns the name of a well-known unsupported format, for the error message.
  private static func otherFormat(_ bytes: [UInt8]) -> String? {
    var reader = ByteReader(bytes)
    if reader.take("GIF8") { return "a GIF picture" }
    if reader.take("%PDF") { return "a PDF document" }
    if (try? reader.skip(4)) != nil, reader.take("ftyp") { return "a video" }
    let isText = bytes.prefix(256).allSatisfy { $0 >= 0x20 && $0 < 0x7F || (0x09...0x0D).contains($0) }
    return isText ? "a text file" : nil
  }
}

/// Needed because the members `sha256` and `wipe` shadow the functions, which the fuzzers compile without their module.
private func digest(_ bytes: [UInt8]) -> String { sha256(bytes) }
private func overwrite(_ bytes: UnsafeMutableRawBufferPointer) { wipe(bytes) }

extension Photo: JSONConvertible {
  public var jsonValue: JSONValue {
    Self.json(sha256: sha256, format: format, width: width, height: height, warnings: warnings)
  }

  package static func json(
    sha256: String, format: String, width: Int, height: Int, warnings: [PhotoWarning]
  ) -> JSONValue {
    [
      "kind": "photo", "sha256": .string(sha256), "format": .string(format), "width": .integer(width),
      "height": .integer(height), "warnings": .array(warnings.map { .string($0.rawValue) }),
    ]
  }
}
