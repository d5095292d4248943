/// Scans one issuer's codes in the frames of a stream: checks ownership and image quality, and has the print judged.
/// Not thread-safe.
///
///     let scanner = try CodeScanner(.init(ownership: .prefix("https://example.org/")))
///     scanner.start()
///     while scanner.isSourceWanted, let frame = try camera.next() {
///       if let scan = try scanner.process(frame.pixels), scan.report.isFinal {
///         print(scan.report, scan.reading ?? "")
///       }
///     }
public final class CodeScanner {
  public struct Configuration: Sendable {
    /// Completes with the first code read, judging its content only; ``formats`` then defaults to
    /// ``CodeFormat/limited``.
    public var isLimited: Bool
    public var formats: [CodeFormat]
    /// Nil accepts every code as the issuer's.
    public var ownership: CodeOwnership?
    public var judge: (any CodeJudge)?
    /// A zone next to the code that must be in the frame: in widths of the code from its upper left corner, x along its
    /// upper edge.
    public var zone: Rectangle?
    /// The number of good frames of the same code that confirm it.
    public var framesToConfirm: Int
    /// The number of frames too blurred for the judge after which the best of them is reported as it is.
    public var framesToGiveUp: Int
    /// Whether the camera has a torch.
    public var hasTorch: Bool
    /// Whether the camera meets the judge's requirements. If not, the scanner reports that with its readings.
    public var isCameraSupported: Bool
    /// As in ``CodeReader/init(formats:effort:modelsFolder:)``.
    public var modelsFolder: String?

    public init(
      isLimited: Bool = false, formats: [CodeFormat]? = nil, ownership: CodeOwnership? = nil,
      judge: (any CodeJudge)? = nil, zone: Rectangle? = nil, framesToConfirm: Int = 3, framesToGiveUp: Int = 60,
      hasTorch: Bool = false, isCameraSupported: Bool = true, modelsFolder: String? = nil
    ) {
      self.isLimited = isLimited
      self.formats = formats ?? (isLimited ? CodeFormat.limited : CodeFormat.all)
      (self.ownership, self.judge, self.zone) = (ownership, judge, zone)
      (self.framesToConfirm, self.framesToGiveUp, self.hasTorch) = (framesToConfirm, framesToGiveUp, hasTorch)
      (self.isCameraSupported, self.modelsFolder) = (isCameraSupported, modelsFolder)
    }
  }

  public let configuration: Configuration
  private let reader: CodeReader

  /// Whether the caller should supply camera frames: from ``start()`` until ``pause()``.
  public private(set) var isSourceWanted = false
  /// Whether frames are processed. ``pause()`` and a final report stop it.
  public private(set) var isProcessing = false
  /// Whether the caller should turn the camera's torch on.
  public private(set) var isTorchWanted = false

  private var good: [Candidate] = []
  private var blurry: [Candidate] = []
  private var blurryCount = 0

  /// - Throws: ``VerifyError/Code/badArgument`` for counts out of range, a zone without area or too far from the code,
  ///   or unknown formats; ``VerifyError/Code/modelMissing`` or ``VerifyError/Code/modelMismatch``.
  public init(_ configuration: Configuration = .init()) throws {
    guard (1...1000).contains(configuration.framesToConfirm), (1...100_000).contains(configuration.framesToGiveUp)
    else {
      throw VerifyError(.badArgument, "framesToConfirm must be 1 to 1000, and framesToGiveUp 1 to 100000")
    }
    if let zone = configuration.zone {
      guard zone.width > 0, zone.height > 0, [zone.x, zone.y, zone.width, zone.height].allSatisfy({ abs($0) <= 20 })
      else { throw VerifyError(.badArgument, "a zone must have an area and be within 20 widths of the code") }
    }
    self.configuration = configuration
    reader = try CodeReader(formats: configuration.formats, effort: .frame, modelsFolder: configuration.modelsFolder)
  }

  /// Requests frames and restarts processing.
  public func start() {
    isSourceWanted = true
    resume()
  }

  /// Stops requesting and processing frames.
  public func pause() {
    isSourceWanted = false
    isProcessing = false
  }

  /// Restarts processing; whether frames are requested does not change.
  public func resume() {
    isProcessing = true
    forget()
  }

  /// - Throws: ``VerifyError/Code/badArgument`` if the camera has no torch.
  public func setTorch(_ isOn: Bool) throws {
    guard configuration.hasTorch || !isOn else { throw VerifyError(.badArgument, "the camera has no torch") }
    isTorchWanted = isOn
  }

  private func forget() {
    good = []
    blurry = []
    blurryCount = 0
  }

  /// Processes the next frame; nil while processing is stopped.
  public func process(_ frame: PixelBuffer, budget: Budget = .unlimited) throws -> CodeScan? {
    guard isProcessing else { return nil }
    let seen = try reader.read(frame, budget: budget)
    let scan = try judged(seen, frame)
    if scan.report.isFinal {
      isProcessing = false
      forget()
    }
    return scan
  }

  private func judged(_ seen: CodeFrame, _ frame: PixelBuffer) throws -> CodeScan {
    let isSupported = configuration.isCameraSupported
    let owned = seen.readings.first { configuration.ownership?.owns($0) ?? (configuration.ownership == nil) }
    guard let reading = owned ?? seen.readings.first else {
      return try scan(isSupported ? .inProgress : .unsupported, .unreadable, seen)
    }
    guard owned != nil else { return try scan(isSupported ? .completed : .unsupported, .notProprietary, seen, reading) }
    guard isSupported else { return try scan(.unsupported, .ok, seen, reading) }
    if configuration.isLimited { return try scan(.completed, .ok, seen, reading) }
    if let judge = configuration.judge, !judge.canJudge(reading) {
      return try scan(.completed, .noAuthentication, seen, reading)
    }
    let shape = Quadrilateral(reading.corners)
    func isInside(_ points: [Point]) -> Bool {
      points.allSatisfy { $0.x >= 0 && $0.y >= 0 && $0.x <= Double(frame.width) && $0.y <= Double(frame.height) }
    }
    guard let shape, isInside(reading.corners) else { return try scan(.inProgress, .unreadable, seen, reading) }
    if let zone = configuration.zone {
      guard let corners = shape.corners(of: zone), isInside(corners) else {
        return try scan(.inProgress, .zoneNotInFrame, seen, reading)
      }
    }
    let candidate = try Candidate(reading: reading, shape: shape, in: frame, configuration)
    if let judge = configuration.judge {
      if shape.shortestSide < judge.leastSide { return try scan(.inProgress, .tooSmall, seen, reading) }
      if candidate.specimen.edge > judge.mostEdge {
        keep(candidate, in: &blurry)
        blurryCount += 1
        guard blurryCount >= configuration.framesToGiveUp else { return try scan(.inProgress, .blurry, seen, reading) }
        return try scan(.completed, .blurry, seen, reading, best: best(of: blurry))
      }
    }
    keep(candidate, in: &good)
    guard good.count >= configuration.framesToConfirm else { return try scan(.inProgress, .ok, seen, reading) }
    let best = best(of: good)
    return try scan(
      .completed, .ok, seen, reading, best: best,
      verdict: best.flatMap { best in try configuration.judge.map { try $0.judge(best.specimen) } })
  }

  /// A different code resets the list.
  private func keep(_ candidate: Candidate, in list: inout [Candidate]) {
    if let first = list.first, first.specimen.reading.bytes != candidate.specimen.reading.bytes { list = [] }
    list.append(candidate)
    // While waiting for a sharp frame, only the best one matters.
    if list.count > 1000, let best = best(of: list) { list = [best] }
  }

  private func best(of list: [Candidate]) -> Candidate? { list.max { $0.merit < $1.merit } }

  private func scan(
    _ kind: CodeReport.Kind, _ state: CodeFrameState, _ frame: CodeFrame, _ reading: CodeReading? = nil,
    best: Candidate? = nil, verdict: CodeVerdict? = nil
  ) throws -> CodeScan {
    guard let report = CodeReport(kind, state) else {
      throw VerifyError(.internalFailure, "\(kind.rawValue) and \(state.rawValue) is not a valid combination")
    }
    return CodeScan(
      report: report, reading: best?.specimen.reading ?? reading, fault: frame.fault, frame: frame,
      specimen: best?.specimen, verdict: verdict)
  }

  /// A frame's code with the data to be judged.
  private struct Candidate {
    let specimen: CodeSpecimen
    /// Detail: the size over the edge width.
    let merit: Double

    init(reading: CodeReading, shape: Quadrilateral, in frame: PixelBuffer, _ configuration: Configuration) throws {
      // Without a judge, the best frame is still chosen by size and sharpness.
      let side = configuration.judge?.side ?? 256
      let grey = GreyPicture(frame)
      let upright = try grey.rectified(reading.corners, width: side, height: side)
      let resolution = shape.shortestSide / Double(side)
      let measures = EdgeMeasures(upright?.pixels ?? [], width: side)
      let zone = try configuration.zone.flatMap { zone in
        try shape.corners(of: zone).flatMap {
          try grey.rectified($0, width: side, height: min(8192, max(1, Int(Double(side) * zone.height / zone.width))))?
            .picture
        }
      }
      specimen = CodeSpecimen(
        reading: reading, pixels: upright?.pixels ?? [], side: side, zone: zone, resolution: resolution,
        edge: measures.edge * resolution, contrast: measures.contrast)
      merit = shape.shortestSide / max(specimen.edge, 0.1)
    }
  }
}

/// The result of processing a frame.
public struct CodeScan: Sendable {
  public let report: CodeReport
  /// The code, if one was read; for a confirmed code, the reading of the best frame.
  public let reading: CodeReading?
  /// Why the likeliest code was not read; nil if one was.
  public let fault: CodeFault?
  public let frame: CodeFrame
  /// The best of the frames that led to a final report: the input for another judge, or a server.
  public let specimen: CodeSpecimen?
  /// The judge's verdict; nil without a judge or if the report is not final.
  public let verdict: CodeVerdict?
}

extension CodeScan: JSONConvertible {
  /// Without the specimen's pixels.
  public var jsonValue: JSONValue {
    [
      "report": report.jsonValue, "reading": reading?.jsonValue ?? .null, "fault": fault?.jsonValue ?? .null,
      "verdict": verdict?.jsonValue ?? .null,
      "specimen": specimen.map {
        [
          "side": .integer($0.side), "resolution": .significant($0.resolution, 3), "edge": .significant($0.edge, 3),
          "contrast": .rounded($0.contrast, 1),
        ]
      } ?? .null,
    ]
  }
}
