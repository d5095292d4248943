internal import CVision

/// A greyscale picture, the input of the code reader: zxing-cpp and the code detector behind CVision.
struct GreyPicture {
  let width: Int
  let height: Int
  let pixels: [UInt8]

  var picture: PixelBuffer {
    PixelBuffer(width: width, height: height) { out in
      for (i, level) in pixels.enumerated() { for channel in 0..<3 { out[3 * i + channel] = level } }
    }
  }

  var inverted: GreyPicture { GreyPicture(width: width, height: height, pixels: pixels.map { 255 - $0 }) }
  var upsideDown: GreyPicture { GreyPicture(width: width, height: height, pixels: pixels.reversed()) }
  /// Left and right exchanged.
  var mirrored: GreyPicture {
    let rows = stride(from: 0, to: width * height, by: max(1, width)).map { pixels[$0..<$0 + width].reversed() }
    return GreyPicture(width: width, height: height, pixels: Array(rows.joined()))
  }

  /// Search options beyond upright dark-on-light codes.
  struct Looks: OptionSet {
    let rawValue: UInt32
    static let turned = Looks(rawValue: UInt32(CVISION_CODES_TURNED))
    static let inverted = Looks(rawValue: UInt32(CVISION_CODES_INVERTED))
    static let reduced = Looks(rawValue: UInt32(CVISION_CODES_REDUCED))
    static let harder = Looks(rawValue: UInt32(CVISION_CODES_HARDER))
    /// One black threshold for the whole picture instead of local thresholds.
    static let oneLevel = Looks(rawValue: UInt32(CVISION_CODES_ONE_LEVEL))
    static let everything: Looks = [.turned, .inverted, .reduced, .harder]
  }

  func readCodes(_ formats: [CodeFormat], looks: Looks) throws -> [CodeReading] {
    let numbers = formats.flatMap(\.zxingNumbers)
    var codes: UnsafeMutablePointer<cvision_code>?
    var count: Int32 = 0
    try ImageCodec.checked { message in
      withGrey {
        cvision_read_codes($0, numbers, Int32(numbers.count), Int32(looks.rawValue), 255, &codes, &count, message)
      }
    }
    defer { cvision_codes_free(codes, count) }
    return UnsafeBufferPointer(start: codes, count: Int(count)).compactMap(reading)
  }

  private func reading(_ code: cvision_code) -> CodeReading? {
    guard let format = CodeFormat.byZXingNumber[code.format] else { return nil }
    let c = code.corners
    return CodeReading(
      format: format, bytes: Array(UnsafeBufferPointer(start: code.bytes, count: code.byte_count)),
      text: code.text.map { String(cString: $0) } ?? "",
      marked: Array(UnsafeBufferPointer(start: code.marked, count: code.marked_count)),
      identifier: withUnsafeBytes(of: code.identifier) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) },
      isGS1: code.content == Int32(CVISION_CODE_GS1), isBinary: code.content == Int32(CVISION_CODE_BINARY),
      // zxing-cpp returns pixel indices; a Point is relative to the corner of the first pixel.
      corners: [(c.0, c.1), (c.2, c.3), (c.4, c.5), (c.6, c.7)].map {
        Point(x: Double($0.0) + 0.5, y: Double($0.1) + 0.5)
      },
      isInverted: code.is_inverted != 0, isMirrored: code.is_mirrored != 0,
      part: code.sequence_index < 0
        ? nil : CodeReading.Part(index: Int(code.sequence_index), count: Int(max(0, code.sequence_size))),
      unusedCorrection: Double(String(cString: code.unused_correction)) ?? 0)
  }

  /// Returns a part of the picture scaled by `scale`, optionally sharpened and unbent; nil if it is not inside the
  /// picture or would be too large.
  func part(
    x: Int, y: Int, width: Int, height: Int, scale: Double, sharpened: Bool = false, bend: Point = Point(x: 0, y: 0)
  ) throws -> GreyPicture? {
    let (columns, rows) = (Int(Double(width) * scale), Int(Double(height) * scale))
    guard columns > 0, rows > 0 else { return nil }
    return try made(width: columns, height: rows) {
      cvision_resize_part(
        $0, Int32(x), Int32(y), Int32(width), Int32(height), Int32(columns), Int32(rows), sharpened ? 1 : 0,
        Float(bend.x), Float(bend.y), $1)
    }
  }

  /// Returns the quadrilateral rectified to an upright rectangle, its first corner at the upper left; nil for other
  /// than four corners, or ones too far outside.
  func rectified(_ corners: [Point], width: Int, height: Int) throws -> GreyPicture? {
    guard corners.count == 4, width > 0, height > 0 else { return nil }
    let numbers = corners.flatMap { [Float($0.x), Float($0.y)] }
    return try made(width: width, height: height) {
      cvision_rectify($0, numbers, Int32(clamping: width), Int32(clamping: height), $1)
    }
  }

  /// Runs a backend function that makes a picture from this one; returns nil if it rejects its arguments.
  ///
  /// - Throws: ``VerifyError/Code/internalFailure`` if it fails.
  private func made(
    width: Int, height: Int, _ body: (cvision_grey, UnsafeMutablePointer<UInt8>?) -> cvision_status
  ) throws -> GreyPicture? {
    var status = CVISION_OK
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { out, initialized in
      status = withGrey { body($0, out.baseAddress) }
      initialized = status == CVISION_OK ? width * height : 0
    }
    if status == CVISION_E_ARGUMENT { return nil }
    guard status == CVISION_OK else {
      throw VerifyError(
        .internalFailure, "a part of \(width)×\(height) pixels could not be made (status \(status.rawValue))")
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  /// Returns the likely positions of codes, the likeliest first.
  func findCodes(by networks: CodeNetworks, most: Int = 8) throws -> [CodePlace] {
    var places = [cvision_code_place](repeating: cvision_code_place(), count: most)
    var count: Int32 = 0
    try ImageCodec.checked { message in
      withGrey { cvision_find_codes(networks.pointer, $0, Int32(most), &places, &count, message) }
    }
    return places.prefix(Int(count)).map(CodePlace.init)
  }

  private func withGrey<Result>(_ body: (cvision_grey) -> Result) -> Result {
    pixels.withUnsafeBufferPointer {
      body(
        cvision_grey(
          pixels: $0.baseAddress, width: Int32(clamping: width), height: Int32(clamping: height),
          stride: Int32(clamping: width)))
    }
  }
}

extension GreyPicture {
  init(_ picture: PixelBuffer) { self.init(width: picture.width, height: picture.height, pixels: picture.luma()) }
}

/// A QR code (ISO/IEC 18004, error correction level M), to be drawn with a quiet zone of four modules.
package struct QRCode {
  /// Modules per side.
  package let size: Int
  /// The dark modules as an SVG path, one rectangle for each run of a row.
  package let path: String

  /// - Returns: nil for an empty text, and for one of more than 2331 bytes.
  package init?(_ text: String) {
    var modules = [UInt8](repeating: 0, count: Int(CVISION_QR_MAX_SIDE * CVISION_QR_MAX_SIDE))
    var side: Int32 = 0
    guard cvision_write_qr(text, &modules, &side, nil) == CVISION_OK else { return nil }
    size = Int(side)
    var path = ""
    for y in 0..<size {
      var row = modules[y * size..<(y + 1) * size]
      while let first = row.firstIndex(of: 0) {
        let end = row[first...].firstIndex { $0 != 0 } ?? row.endIndex
        path += "M\(first - y * size) \(y)h\(end - first)v1h-\(end - first)z"
        row = row[end...]
      }
    }
    self.path = path
  }
}

/// The networks of the code locator: immutable and thread-safe.
final class CodeNetworks: @unchecked Sendable {
  // Sendable: the C object is immutable.
  fileprivate let pointer: OpaquePointer

  /// - Parameter bytes: The content of `code-locator.bin`.
  /// - Throws: ``VerifyError/Code/damaged`` for another file.
  init(bytes: [UInt8]) throws {
    var created: OpaquePointer?
    try ImageCodec.checked { cvision_code_networks_create(bytes, bytes.count, &created, $0) }
    guard let created else { throw VerifyError(.internalFailure, "no code networks were created") }
    pointer = created
  }

  deinit { cvision_code_networks_free(pointer) }

  private static let loaded = Lock<[String: CodeNetworks]>([:])

  /// Returns the networks in a models folder, which each process loads once; nil is the default folder.
  ///
  /// - Throws: ``VerifyError/Code/modelMissing`` or ``VerifyError/Code/modelMismatch``.
  static func installed(in folder: String?) throws -> CodeNetworks {
    let folder = try ModelStore.folder(folder)
    return try loaded.withLock { loaded in
      if let networks = loaded[folder] { return networks }
      let store = try ModelStore(folder: folder)
      let networks = try CodeNetworks(bytes: store.bytes(of: store.model("code-locator")))
      loaded[folder] = networks
      return networks
    }
  }
}

extension CodePlace {
  init(_ place: cvision_code_place) {
    let c = place.corners
    self.init(
      corners: [(c.0, c.1), (c.2, c.3), (c.4, c.5), (c.6, c.7)].map { Point(x: Double($0.0), y: Double($0.1)) },
      isLinear: place.is_linear != 0, likeness: Double(place.likeness), contrast: Double(place.contrast),
      edge: Double(place.edge), module: Double(place.module), stretch: Double(place.stretch),
      taper: Double(place.taper), slant: Double(place.slant), glare: Double(place.glare),
      isOnWhite: place.is_on_white != 0, elongation: Double(place.elongation), cut: Int(place.cut))
  }
}

extension CodeFormat {
  /// zxing-cpp's names of a format and its variants. "QRCode" is reported for both models, but requesting it also
  /// enables Micro QR codes.
  private static let zxingNames: [CodeFormat: [String]] = [
    .qr: ["QRCodeModel2", "QRCodeModel1", "QRCode"], .microQR: ["MicroQRCode"], .rectangularMicroQR: ["RMQRCode"],
    .dataMatrix: ["DataMatrix"], .aztec: ["Aztec", "AztecCode", "AztecRune"], .pdf417: ["PDF417", "CompactPDF417"],
    .maxiCode: ["MaxiCode"], .upcA: ["UPCA"], .upcE: ["UPCE"], .ean8: ["EAN8"], .ean13: ["EAN13"],
    .code39: ["Code39", "Code39Std", "Code39Ext"], .code93: ["Code93"], .code128: ["Code128"],
    .itf: ["ITF", "ITF14"], .dataBar: ["DataBarOmni", "DataBarStk", "DataBarStkOmni", "DataBar"],
    .dataBarExpanded: ["DataBarExp", "DataBarExpStk"],
  ]

  fileprivate var zxingNumbers: [Int32] {
    Self.zxingNames[self, default: []].filter { $0 != "QRCode" }.map { cvision_code_format($0) }
  }

  fileprivate static let byZXingNumber: [Int32: CodeFormat] = Dictionary(
    zxingNames.flatMap { format, names in names.map { (cvision_code_format($0), format) } }
  ) { first, _ in first }
}
