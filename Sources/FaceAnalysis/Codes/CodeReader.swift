/// Reads codes in pictures, and says why not. It needs no models, keeps nothing, and may be shared by threads.
///
///     let frame = try CodeReader().read(Photo(path: "label.jpg"))
///     print(frame.readings.map(\.text), frame.fault?.advice ?? "")
public struct CodeReader: Sendable {
  /// How long to look.
  public enum Effort: String, Sendable, CaseIterable {
    /// At places that look like codes alone: for frames of a stream, where the next one comes soon.
    case frame
    /// In all of the picture, closer at places that look like codes, and where nothing was read once more there: larger,
    /// sharper, bent.
    case photo
  }

  public let formats: [CodeFormat]
  public let effort: Effort

  /// - Throws: ``VerifyError/Code/badArgument`` for no formats, or one that is not known.
  public init(formats: [CodeFormat] = CodeFormat.all, effort: Effort = .photo) throws {
    guard !formats.isEmpty, formats.allSatisfy(CodeFormat.all.contains) else {
      let known = CodeFormat.all.map(\.rawValue).joined(separator: ", ")
      throw VerifyError(.badArgument, "no such code, or none at all: \(known) are read")
    }
    self.formats = formats
    self.effort = effort
  }

  /// Looks for codes in a photo, at full size.
  public func read(_ photo: Photo, budget: Budget = .unlimited) throws -> CodeFrame {
    try read(photo.pixels(reduction: 1, budget: budget), budget: budget)
  }

  /// Looks for codes in pixels.
  public func read(_ picture: PixelBuffer, budget: Budget = .unlimited) throws -> CodeFrame {
    try budget.check()
    let grey = GreyPicture(picture)
    // What lies as it should is read at once: a tenth of the time of looking for everything.
    var found = effort == .photo ? try grey.readCodes(formats, looks: .reduced) : []
    try budget.check()
    let places = try grey.findCodes()
    let likely = places.prefix(Self.mostPlaces)
    func look(_ ways: (CodePlace) -> [CodeTry]) throws {
      for place in likely where !found.contains(where: place.holds) {
        for way in ways(place) {
          try budget.check()
          let part = try CodePart(around: place, in: grey, scale: way.scale).read(from: grey, formats, by: way)
          found += part
          guard part.isEmpty else { break }
        }
        // One code of a frame is told of.
        if effort == .frame && !found.isEmpty { return }
      }
    }
    try look { _ in CodeTry.first }
    if found.isEmpty && !likely.isEmpty {
      // Where the code ends may have been mistaken.
      try budget.check()
      found = try grey.readCodes(formats, looks: .everything)
      let linear = formats.filter(\.isLinear)
      if found.isEmpty && effort == .photo && !linear.isEmpty {
        // zxing-cpp looks for light bars on dark in no way.
        found = try grey.inverted.readCodes(linear, looks: [.turned, .harder]).map(\.inverted)
      }
      if found.isEmpty { try look { CodeTry.second(for: $0, effort) } }
    }
    return CodeFrame(readings: distinct(found), places: places, width: picture.width, height: picture.height)
  }

  /// Reads codes by zxing-cpp alone each time it is called, with all that it tries unless told otherwise; says how many.
  @_spi(Benchmarks) public func decoderMeasurement(of picture: PixelBuffer) throws -> () throws -> Int {
    let grey = GreyPicture(picture)
    return { try distinct(grey.readCodes(formats, looks: .everything)).count }
  }

  /// More than these are seldom codes.
  private static let mostPlaces = 3

  /// One reading for each code, of the formats that were asked for.
  private func distinct(_ readings: [CodeReading]) -> [CodeReading] {
    var out: [CodeReading] = []
    for reading in readings.map({ $0.named(by: formats) }) where formats.contains(reading.format) {
      if !out.contains(where: { $0.bytes == reading.bytes && $0.format == reading.format && $0.isNear(reading) }) {
        out.append(reading)
      }
    }
    return out
  }
}

/// What one picture showed of codes.
public struct CodeFrame: Sendable {
  /// Codes that were read, from above to below.
  public let readings: [CodeReading]
  /// Where codes may be, the likeliest first.
  public let places: [CodePlace]
  /// What keeps the likeliest place from being read; nil if a code was read.
  public let fault: CodeFault?
  let width: Int
  let height: Int

  init(readings: [CodeReading], places: [CodePlace], width: Int, height: Int) {
    self.readings = readings
    self.places = places
    self.width = width
    self.height = height
    fault =
      readings.isEmpty ? places.first.map { CodeFault(of: $0, width: width, height: height) } ?? .noneThere : nil
  }

  /// As a scanner without an issuer would say it.
  public var state: CodeFrameState { readings.isEmpty ? .unreadable : .ok }
}

extension CodeReading {
  /// A UPC-A is an EAN-13 that begins with 0, and zxing-cpp says so.
  fileprivate func named(by formats: [CodeFormat]) -> CodeReading {
    guard format == .ean13, bytes.first == UInt8(ascii: "0"), formats.contains(.upcA) else { return self }
    return replacing(format: .upcA, corners: corners)
  }

  /// Whether two readings are of one code, by their corners.
  fileprivate func isNear(_ other: CodeReading) -> Bool {
    guard let a = corners.first, let b = corners.dropFirst(2).first, let c = other.corners.first else { return true }
    return a.distance(to: c) <= a.distance(to: b) / 2
  }
}
