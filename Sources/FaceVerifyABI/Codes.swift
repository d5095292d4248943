public import CFaceVerify
internal import FaceVerify

final class CodesObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  let elements: [CodeReading]
  let fault: CodeFault?
  private let make: @Sendable () -> String

  init(_ frame: CodeFrame) {
    (elements, fault) = (frame.readings, frame.fault)
    make = { frame.json }
  }

  init(_ scan: CodeScan) {
    (elements, fault) = (scan.specimen.map { [$0.reading] } ?? scan.frame.readings, scan.fault)
    make = { scan.json }
  }

  override var json: String { make() }
}

private func codeFormats(_ bits: fv_code_format_set) throws -> [CodeFormat]? {
  bits == 0 ? nil : try members(bits, "formats")
}

@c @implementation
public func fv_code_fault_text(_ fault: fv_code_fault) -> Text { constant(CodeFault(number: fault)?.advice ?? "") }

@c @implementation public func fv_codes_read(
  _ out: NewHandle, _ image: Handle, _ options: In<fv_code_options>, _ budget: In<fv_budget>, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let photo = try ImageObject.value(of: image)
    let options = try Structs.read(options, defaults: fv_code_options())
    let reader = try CodeReader(
      formats: try codeFormats(options.formats) ?? CodeFormat.all,
      effort: try flag(options.is_frame, "is_frame") ? .frame : .photo)
    return CodesObject(try reader.read(photo, budget: try Budget(budget)))
  }
}

extension fv_code {
  init(_ reading: CodeReading, of owner: HandleObject) {
    self.init()
    format = reading.format.number
    text = owner.text(orNull: reading.text)
    encoding = owner.text(orNull: reading.encoding)
    identifier = owner.text(reading.identifier)
    purpose = owner.text(orNull: reading.purpose?.rawValue)
    let corners = reading.corners + Array(repeating: Point(x: .nan, y: .nan), count: max(0, 4 - reading.corners.count))
    upper_left = fv_point(corners[0])
    upper_right = fv_point(corners[1])
    lower_right = fv_point(corners[2])
    lower_left = fv_point(corners[3])
    is_inverted = fv_bool(reading.isInverted)
    is_mirrored = fv_bool(reading.isMirrored)
  }
}

@c @implementation public func fv_codes_bytes(
  _ codes: Handle, _ index: Int, _ buffer: Buffer, _ capacityBytes: Int, _ byteCount: Count
) -> fv_status {
  attempt {
    try fill(buffer, capacityBytes, byteCount, with: try CodesObject.of(codes).elements.element(index).bytes)
  }
}

@c @implementation public func fv_codes_fault(_ codes: Handle) -> fv_code_fault {
  CodesObject.find(codes)?.fault?.number ?? 0
}

// MARK: Scanner

final class CodeScannerObject: GuardedObject, @unchecked Sendable {
  // Sendable: as its superclass.
  let scanner: CodeScanner
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
  fileprivate init(_ pointer: In<fv_code_scanner_options>) throws {
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
      zone = Rectangle(x: options.zone_x, y: options.zone_y, width: options.zone_width, height: options.zone_height)
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
        throw VerifyError(.badArgument, "public_key is X25519, which cannot sign: use an Ed25519 key")
      }
      all.append(.signed(by: key, separator: try string(separator, "separator")))
    }
    guard all.count < 2 else {
      throw VerifyError(.badArgument, "one of prefix, pattern and public_key identifies the issuer, not several")
    }
    return all.first
  }
}

/// Runs `body` with exclusive use of a scanner.
private func use<Result>(_ scanner: Handle, _ body: (CodeScannerObject) throws -> Result) throws -> Result {
  let object = try CodeScannerObject.of(scanner)
  return try object.use { try body(object) }
}

@c @implementation public func fv_code_scanner_create(
  _ out: NewHandle, _ options: In<fv_code_scanner_options>, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) { CodeScannerObject(try CodeScanner(.init(options))) }
}

private func call(_ scanner: Handle, _ body: (CodeScanner) throws -> Void) -> fv_status {
  attempt { try use(scanner) { try body($0.scanner) } }
}

@c @implementation public func fv_code_scanner_start(_ x: Handle) -> fv_status { call(x) { $0.start() } }

@c @implementation public func fv_code_scanner_pause(_ x: Handle) -> fv_status { call(x) { $0.pause() } }

@c @implementation public func fv_code_scanner_resume(_ x: Handle) -> fv_status { call(x) { $0.resume() } }

@c @implementation public func fv_code_scanner_set_torch(_ x: Handle, _ isOn: fv_bool) -> fv_status {
  call(x) { try $0.setTorch(try flag(isOn, "is_on")) }
}

@c @implementation
public func fv_code_scanner_describe(_ out: Out<fv_code_scanner_info>, _ scanner: Handle) -> fv_status {
  attempt {
    try use(scanner) { object in
      try Structs.write(out) {
        var value = fv_code_scanner_info()
        value.is_source_wanted = fv_bool(object.scanner.isSourceWanted)
        value.is_processing = fv_bool(object.scanner.isProcessing)
        value.is_torch_wanted = fv_bool(object.scanner.isTorchWanted)
        return value
      }
    }
  }
}

@c @implementation public func fv_code_scanner_process(
  _ out: Out<fv_code_scan>, _ scanner: Handle, _ frame: Handle, _ budget: In<fv_budget>, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    try use(scanner) { object in
      let photo = try ImageObject.value(of: frame)
      let budget = try Budget(budget)
      try Structs.write(out) {
        guard object.scanner.isProcessing,
          let scan = try object.scanner.process(try photo.pixels(), budget: budget)
        else { throw VerifyError(.absent, "processing is stopped: start the scanner, or resume it") }
        object.last = scan
        return fv_code_scan(scan)
      }
    }
  }
}

@c @implementation public func fv_code_scanner_codes(_ out: NewHandle, _ scanner: Handle) -> fv_status {
  create(out) { CodesObject(try last(scanner)) }
}

@c @implementation public func fv_code_scanner_specimen(_ out: NewHandle, _ scanner: Handle) -> fv_status {
  create(out) {
    let specimen = try specimen(scanner)
    let grey = specimen.pixels.flatMap { [$0, $0, $0] }
    return ImageObject(Photo(pixels: try PixelBuffer(width: specimen.side, height: specimen.side, rgb: grey)))
  }
}

@c @implementation public func fv_code_scanner_zone(_ out: NewHandle, _ scanner: Handle) -> fv_status {
  create(out) {
    guard let zone = try specimen(scanner).zone else { throw VerifyError(.absent, "the options have no zone") }
    return ImageObject(Photo(pixels: zone))
  }
}

private func last(_ scanner: Handle) throws -> CodeScan {
  guard let last = try use(scanner, \.last) else { throw VerifyError(.absent, "no frame was processed yet") }
  return last
}

private func specimen(_ scanner: Handle) throws -> CodeSpecimen {
  guard let specimen = try last(scanner).specimen else {
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
    is_final = fv_bool(scan.report.isFinal)
    resolution = scan.specimen?.resolution ?? .nan
    edge = scan.specimen?.edge ?? .nan
    contrast = scan.specimen?.contrast ?? .nan
  }
}
