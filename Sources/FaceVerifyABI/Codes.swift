public import CFaceVerify
internal import FaceVerify

final class CodesObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "fv_codes" }
  let readings: [CodeReading]
  let fault: CodeFault?
  private let make: @Sendable () -> String

  init(_ frame: CodeFrame) {
    (readings, fault) = (frame.readings, frame.fault)
    make = { frame.json }
  }

  init(_ scan: CodeScan) {
    (readings, fault) = (scan.specimen.map { [$0.reading] } ?? scan.frame.readings, scan.fault)
    make = { scan.json }
  }

  var json: UnsafePointer<CChar> { text("json", make) }
}

private func codeFormats(_ bits: fv_code_format_set) throws -> [CodeFormat]? {
  bits == 0 ? nil : try members(bits, "formats")
}

@c @implementation
public func fv_code_fault_text(_ fault: fv_code_fault) -> UnsafePointer<CChar>? {
  HandleObject.constants.text(codeFaultNames.name(fault).map { CodeFault(rawValue: $0).advice } ?? "")
}

@c @implementation
public func fv_codes_read(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ image: OpaquePointer?, _ options: UnsafePointer<fv_code_options>?,
  _ budget: UnsafePointer<fv_budget>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let photo = try Handles.object(image, ImageObject.self).photo
    let options = try Structs.read(options, defaults: fv_code_options())
    let reader = try CodeReader(
      formats: try codeFormats(options.formats) ?? CodeFormat.all,
      effort: try flag(options.is_frame, "is_frame") ? .frame : .photo)
    return CodesObject(try reader.read(photo, budget: try Budget(budget)))
  }
}

@c @implementation
public func fv_codes_free(_ codes: OpaquePointer?) { Handles.free(codes, CodesObject.self) }

@c @implementation
public func fv_codes_count(_ codes: OpaquePointer?) -> Int {
  Handles.find(codes, CodesObject.self)?.readings.count ?? 0
}

@c @implementation
public func fv_codes_at(_ out: UnsafeMutablePointer<fv_code>?, _ codes: OpaquePointer?, _ index: Int) -> fv_status {
  attempt {
    let object = try Handles.object(codes, CodesObject.self)
    let reading = try object.readings.element(index)
    try Structs.write(out) {
      var value = fv_code()
      value.format = reading.format.number
      value.text = reading.text.map { object.text($0) }
      value.encoding = reading.encoding.map { object.text($0) }
      value.identifier = object.text(reading.identifier)
      value.purpose = reading.purpose.map { object.text($0.rawValue) }
      let corners =
        reading.corners + Array(repeating: Point(x: .nan, y: .nan), count: max(0, 4 - reading.corners.count))
      value.upper_left = fv_point(corners[0])
      value.upper_right = fv_point(corners[1])
      value.lower_right = fv_point(corners[2])
      value.lower_left = fv_point(corners[3])
      value.is_inverted = reading.isInverted ? 1 : 0
      value.is_mirrored = reading.isMirrored ? 1 : 0
      return value
    }
  }
}

@c @implementation
public func fv_codes_bytes(
  _ codes: OpaquePointer?, _ index: Int, _ buffer: UnsafeMutableRawPointer?, _ capacityBytes: Int,
  _ byteCount: UnsafeMutablePointer<Int>?
) -> fv_status {
  attempt {
    let bytes = try Handles.object(codes, CodesObject.self).readings.element(index).bytes
    try fill(buffer?.assumingMemoryBound(to: UInt8.self), capacityBytes, byteCount, items: bytes.count) { bytes }
  }
}

@c @implementation
public func fv_codes_fault(_ codes: OpaquePointer?) -> fv_code_fault {
  Handles.find(codes, CodesObject.self)?.fault?.number ?? 0
}

@c @implementation
public func fv_codes_json(_ codes: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(codes, CodesObject.self)?.json
}

// MARK: Scanner

final class CodeScannerObject: GuardedObject, @unchecked Sendable {
  // Sendable: as its superclass.
  override class var name: String { "code scanner" }
  let scanner: CodeScanner
  /// The result of the last scanned frame.
  var last: CodeScan?

  init(_ scanner: CodeScanner) { self.scanner = scanner }
}

/// Collects specimens as requested by the program, which judges them.
private struct ProgramJudge: CodeJudge {
  var side = 256
  var leastSide = 0.0
  var mostEdge = Double.infinity

  func canJudge(_ reading: CodeReading) -> Bool { true }
  func judge(_ specimen: CodeSpecimen) -> CodeVerdict {
    CodeVerdict(status: .notChecked, score: nil, text: "The program judges the specimen.")
  }
}

extension CodeScanner.Configuration {
  fileprivate init(_ pointer: UnsafePointer<fv_code_scanner_options>?) throws {
    let options = try Structs.read(pointer, defaults: fv_code_scanner_options())
    func demand(_ value: Double, _ name: String) throws -> Double? {
      guard value >= 0, value.isFinite else { throw VerifyError(.badArgument, "\(name) is \(value)") }
      return value == 0 ? nil : value
    }
    var judge = ProgramJudge()
    guard (0...4096).contains(options.specimen_side) else {
      throw VerifyError(.badArgument, "specimen_side is \(options.specimen_side): at most 4096")
    }
    if options.specimen_side != 0 { judge.side = Int(options.specimen_side) }
    judge.leastSide = try demand(options.least_side, "least_side") ?? judge.leastSide
    judge.mostEdge = try demand(options.most_edge, "most_edge") ?? judge.mostEdge
    self.init(
      isLimited: try flag(options.is_limited, "is_limited"), formats: try codeFormats(options.formats),
      ownership: try Self.ownership(options), judge: judge, hasTorch: try flag(options.has_torch, "has_torch"),
      isCameraSupported: try !flag(options.is_camera_unsupported, "is_camera_unsupported"))
    if options.zone_width != 0 {
      zone = Rectangle(
        x: options.zone_x, y: options.zone_y, width: options.zone_width, height: options.zone_height)
    }
    if options.frames_to_confirm != 0 { framesToConfirm = Int(options.frames_to_confirm) }
    if options.frames_to_give_up != 0 { framesToGiveUp = Int(options.frames_to_give_up) }
  }

  private static func ownership(_ options: fv_code_scanner_options) throws -> CodeOwnership? {
    guard (options.public_key == nil) == (options.separator == nil) else {
      throw VerifyError(.badArgument, "public_key and separator are given together")
    }
    var all: [CodeOwnership] = []
    if let text = options.prefix { all.append(.prefix(try string(text, "prefix"))) }
    if let text = options.pattern { all.append(.pattern(try string(text, "pattern"))) }
    if let key = options.public_key, let separator = options.separator {
      let key = try PublicKey(pem: try string(key, "public key"))
      guard key.purpose == .signing else {
        throw VerifyError(.badArgument, "public_key is X25519, which signs nothing: use an Ed25519 key")
      }
      all.append(.signed(by: key, separator: try string(separator, "separator")))
    }
    guard all.count < 2 else {
      throw VerifyError(.badArgument, "whose codes they are is told by one of prefix, pattern and public_key")
    }
    return all.first
  }
}

private func use<Result>(_ scanner: OpaquePointer?, _ body: (CodeScannerObject) throws -> Result) throws -> Result {
  let object = try Handles.object(scanner, CodeScannerObject.self)
  return try object.use { try body(object) }
}

@c @implementation
public func fv_code_scanner_create(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ options: UnsafePointer<fv_code_scanner_options>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) { CodeScannerObject(try CodeScanner(.init(options))) }
}

@c @implementation
public func fv_code_scanner_free(_ scanner: OpaquePointer?) { Handles.free(scanner, CodeScannerObject.self) }

@c @implementation
public func fv_code_scanner_start(_ scanner: OpaquePointer?) -> fv_status {
  attempt { try use(scanner) { $0.scanner.start() } }
}

@c @implementation
public func fv_code_scanner_pause(_ scanner: OpaquePointer?) -> fv_status {
  attempt { try use(scanner) { $0.scanner.pause() } }
}

@c @implementation
public func fv_code_scanner_resume(_ scanner: OpaquePointer?) -> fv_status {
  attempt { try use(scanner) { $0.scanner.resume() } }
}

@c @implementation
public func fv_code_scanner_set_torch(_ scanner: OpaquePointer?, _ isOn: Int64) -> fv_status {
  attempt { try use(scanner) { try $0.scanner.setTorch(try flag(isOn, "is_on")) } }
}

@c @implementation
public func fv_code_scanner_describe(
  _ out: UnsafeMutablePointer<fv_code_scanner_info>?, _ scanner: OpaquePointer?
) -> fv_status {
  attempt {
    try use(scanner) { object in
      try Structs.write(out) {
        var value = fv_code_scanner_info()
        value.is_source_wanted = object.scanner.isSourceWanted ? 1 : 0
        value.is_processing = object.scanner.isProcessing ? 1 : 0
        value.is_torch_wanted = object.scanner.isTorchWanted ? 1 : 0
        return value
      }
    }
  }
}

@c @implementation
public func fv_code_scanner_process(
  _ out: UnsafeMutablePointer<fv_code_scan>?, _ scanner: OpaquePointer?, _ frame: OpaquePointer?,
  _ budget: UnsafePointer<fv_budget>?, _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    try use(scanner) { object in
      let photo = try Handles.object(frame, ImageObject.self).photo
      let budget = try Budget(budget)
      try Structs.write(out) {
        guard object.scanner.isProcessing,
          let scan = try object.scanner.process(try photo.pixels(), budget: budget)
        else { throw VerifyError(.absent, "no frame is looked at now: start the scanner, or resume it") }
        object.last = scan
        return fv_code_scan(scan)
      }
    }
  }
}

@c @implementation
public func fv_code_scanner_codes(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ scanner: OpaquePointer?
) -> fv_status {
  attempt { try put(into: out) { CodesObject(try use(scanner) { try last($0) }) } }
}

@c @implementation
public func fv_code_scanner_specimen(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ scanner: OpaquePointer?
) -> fv_status {
  attempt {
    try put(into: out) {
      let specimen = try specimen(scanner)
      let grey = specimen.pixels.flatMap { [$0, $0, $0] }
      return ImageObject(Photo(pixels: try PixelBuffer(width: specimen.side, height: specimen.side, rgb: grey)))
    }
  }
}

@c @implementation
public func fv_code_scanner_zone(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ scanner: OpaquePointer?) -> fv_status {
  attempt {
    try put(into: out) {
      guard let zone = try specimen(scanner).zone else {
        throw VerifyError(.absent, "the scanner was asked for no zone")
      }
      return ImageObject(Photo(pixels: zone))
    }
  }
}

private func last(_ object: CodeScannerObject) throws -> CodeScan {
  guard let last = object.last else { throw VerifyError(.absent, "no frame was looked at yet") }
  return last
}

private func specimen(_ scanner: OpaquePointer?) throws -> CodeSpecimen {
  guard let specimen = try use(scanner, { try last($0).specimen }) else {
    throw VerifyError(.absent, "no code was confirmed by the last frame")
  }
  return specimen
}

extension fv_code_scan {
  fileprivate init(_ scan: CodeScan) {
    self.init()
    report = scan.report.kind.number
    state = scan.report.state.number
    fault = scan.fault?.number ?? 0
    is_final = scan.report.isFinal ? 1 : 0
    resolution = scan.specimen?.resolution ?? .nan
    edge = scan.specimen?.edge ?? .nan
    contrast = scan.specimen?.contrast ?? .nan
  }
}
