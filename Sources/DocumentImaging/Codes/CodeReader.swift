/// Reads codes in pictures and explains failures. Needs no engine, only the model `code-locator`; immutable and
/// thread-safe.
///
///     let frame = try CodeReader().read(Photo(path: "label.jpg"))
///     print(frame.readings.map(\.text), frame.fault?.advice ?? "")
public struct CodeReader: Sendable {
  /// The extent of the search.
  public enum Effort: String, Sendable, CaseIterable {
    /// Only places that look like codes: for frames of a stream, in which the next frame follows soon.
    case frame
    /// The whole picture, then places that look like codes at a higher magnification; unread places again, enlarged,
    /// sharpened and bent.
    case photo
  }

  public let formats: [CodeFormat]
  public let effort: Effort
  private let networks: CodeNetworks

  /// - Parameter modelsFolder: nil for ``ModelStore/defaultFolder``. The model is loaded once per process.
  /// - Throws: ``VerifyError/Code/badArgument`` for an empty list or an unknown format;
  ///   ``VerifyError/Code/modelMissing`` or ``VerifyError/Code/modelMismatch``.
  public init(formats: [CodeFormat] = CodeFormat.all, effort: Effort = .photo, modelsFolder: String? = nil) throws {
    guard !formats.isEmpty, formats.allSatisfy(CodeFormat.all.contains) else {
      let known = CodeFormat.all.map(\.rawValue).joined(separator: ", ")
      throw VerifyError(.badArgument, "formats must be some of \(known)")
    }
    self.formats = formats
    self.effort = effort
    networks = try .installed(in: modelsFolder)
  }

  /// Searches a photo for codes, at full size.
  public func read(_ photo: Photo, budget: Budget = .unlimited) throws -> CodeFrame {
    try read(photo.pixels(reduction: 1, budget: budget), budget: budget)
  }

  /// Searches a picture for codes.
  public func read(_ picture: PixelBuffer, budget: Budget = .unlimited) throws -> CodeFrame {
    try budget.check()
    let grey = GreyPicture(picture)
    var found = effort == .photo ? try readAtOnce(grey, budget) : []
    var places = try grey.findCodes(by: networks)
    let likely = places.prefix(Self.mostPlaces)
    func lookAtAll(by ways: (CodePlace) -> [CodeTry]) throws {
      for place in likely where !found.contains(where: place.holds) {
        for way in ways(place) {
          let here = try look(at: place, in: grey, by: way, budget)
          found += here
          guard here.isEmpty else { break }
        }
        // Only one code per frame is reported.
        if effort == .frame && !found.isEmpty { return }
      }
    }
    try lookAtAll { _ in CodeTry.first }
    var isHard = false
    // The code's extent may have been misjudged, or in a hazy picture the code may have been missed.
    let isHazy = effort == .photo && likely.isEmpty && found.isEmpty && CodeFault.haze(of: grey) > Self.mostHaze
    if found.isEmpty && (isHazy || !likely.isEmpty) {
      try budget.check()
      found = try grey.readCodes(formats, looks: .everything)
      let linear = formats.filter(\.isLinear)
      if found.isEmpty && effort == .photo && !linear.isEmpty {
        // zxing-cpp never searches for light bars on a dark ground.
        found = try grey.inverted.readCodes(linear, looks: [.turned, .harder]).map(\.inverted)
      }
      isHard = found.isEmpty
      if isHard { try lookAtAll { CodeTry.second(for: $0, effort) } }
    }
    for place in likely where found.contains(where: place.holds) {
      if effort == .photo && place.hasThinBars {
        let closer = try look(at: place, in: grey, by: .closer, budget)
        found = found.map { reading in closer.first { $0.areMoreLines(of: reading) } ?? reading }
      } else if isHard || CodeFault(of: place, in: grey) != .notDecoded {
        found = try found.compactMap { reading in
          let isSure = !isHard && reading.unusedCorrection >= Self.leastUnused
          guard reading.format == .pdf417, place.holds(reading), !isSure else { return reading }
          return try twice(isHard ? [] : [reading], at: place, in: grey, budget)
        }
      }
    }
    let readings = distinct(found, at: places)
    if readings.isEmpty, let first = places.first, CodeFault.isSeen(first) {
      try budget.check()
      places = try grey.doubted(places, by: networks)
    }
    return CodeFrame(readings: readings, places: places, in: grey)
  }

  /// Returns a result that two readings agree on for a PDF417 that is hard to read, or a single reading that no other
  /// attempt contradicts. With few error-correction codewords many a correction yields some text: of 243 readings of
  /// simulated codes at the limit of zxing-cpp, 12 were wrong.
  private func twice(
    _ readings: [CodeReading], at place: CodePlace, in grey: GreyPicture, _ budget: Budget
  ) throws -> CodeReading? {
    var seen = readings
    for way in [CodeTry.closer] + CodeTry.second(for: place, effort) {
      let here = try look(at: place, in: grey, by: way, budget).filter { $0.format == .pdf417 }
      if let again = here.first(where: { reading in seen.contains { $0.bytes == reading.bytes } }) { return again }
      seen += here
    }
    return seen.count == 1 ? readings.first : nil
  }

  /// Reads codes at one place with one set of parameters.
  private func look(
    at place: CodePlace, in grey: GreyPicture, by way: CodeTry, _ budget: Budget
  ) throws -> [CodeReading] {
    try budget.check()
    return try CodePart(around: place, in: grey, scale: way.scale).read(from: grey, formats, by: way)
  }

  /// Reads upright codes in a third of the time of a full search: in the whole picture, and if it has none, at
  /// successively smaller scales, which zxing-cpp would try in any case.
  private func readAtOnce(_ grey: GreyPicture, _ budget: Budget) throws -> [CodeReading] {
    var (picture, scale) = (grey, 1.0)
    while true {
      let found = try picture.readCodes(formats, looks: [])
      try budget.check()
      guard found.isEmpty, max(picture.width, picture.height) > Self.mostReduced,
        let smaller = try picture.part(x: 0, y: 0, width: picture.width, height: picture.height, scale: 1.0 / 3)
      else {
        return found.map { reading in reading.replacing(corners: reading.corners.map { $0.scaled(by: scale) }) }
      }
      (picture, scale) = (smaller, scale * 3)
    }
  }

  /// Returns a closure that runs zxing-cpp alone with all its options and returns the number of codes.
  @_spi(Benchmarks) public func decoderMeasurement(of picture: PixelBuffer) throws -> () throws -> Int {
    let grey = GreyPicture(picture)
    return { try distinct(grey.readCodes(formats, looks: .everything), at: []).count }
  }

  /// The longer side in pixels below which pictures are not reduced, as in zxing-cpp 3.1.
  private static let mostReduced = 500
  /// The unused error correction of a PDF417 with few corrections: grade 4 of ISO/IEC 15415. With this margin, a wrong
  /// text is out of reach.
  private static let leastUnused = 0.62
  /// An undetected code that could be read had 0.97.
  private static let mostHaze = 0.7
  /// The maximum ratio of a place's length to a reading's: of 141 correct readings three were above it, of six partial
  /// readings of other codes four.
  private static let mostBeside = 1.45
  /// Places beyond these are seldom codes.
  private static let mostPlaces = 3

  /// Returns one reading per code, of the requested formats only.
  private func distinct(_ readings: [CodeReading], at places: [CodePlace]) -> [CodeReading] {
    var out: [CodeReading] = []
    for reading in readings.map({ $0.named(by: formats) }) where formats.contains(reading.format) {
      if !out.contains(where: { $0.bytes == reading.bytes && $0.format == reading.format && $0.isNear(reading) }) {
        out.append(reading)
      }
    }
    // A scan line that does not cross all bars can read an ITF, or an EAN-13, as another ITF or a UPC-E.
    return out.filter { reading in
      guard [.itf, .upcE].contains(reading.format),
        let place = places.first(where: { $0.isLinear && $0.holds(reading) })
      else { return true }
      return place.extent(along: reading) < Self.mostBeside * reading.length
        && !out.contains { $0.format.isLinear && place.holds($0) && $0.length > 1.1 * reading.length }
    }
  }
}

/// The result of reading one picture.
public struct CodeFrame: Sendable {
  /// Codes that were read, from top to bottom.
  public let readings: [CodeReading]
  /// Likely positions of codes, the likeliest first.
  public let places: [CodePlace]
  /// Why the likeliest place was not read, or why no code was detected; nil if a code was read.
  public let fault: CodeFault?

  init(readings: [CodeReading], places: [CodePlace], in grey: GreyPicture) {
    self.readings = readings
    self.places = places
    fault = readings.isEmpty ? CodeFault(of: places.first, in: grey) : nil
  }

  /// The state that a scanner without an issuer would report.
  public var state: CodeFrameState { readings.isEmpty ? .unreadable : .ok }
}

extension CodePlace {
  /// Returns the place's extent in pixels in the direction of a reading's line.
  fileprivate func extent(along reading: CodeReading) -> Double {
    guard reading.length > 0 else { return 0 }
    let (from, to) = (reading.corners[0], reading.corners[1])
    let steps = corners.map { ($0.x * (to.x - from.x) + $0.y * (to.y - from.y)) / reading.length }.sorted()
    return steps.count == 4 ? (steps[2] + steps[3] - steps[0] - steps[1]) / 2 : 0
  }
}

extension CodeReading {
  /// zxing-cpp reports a UPC-A as an EAN-13 with a leading 0.
  fileprivate func named(by formats: [CodeFormat]) -> CodeReading {
    guard format == .ean13, bytes.first == UInt8(ascii: "0"), formats.contains(.upcA) else { return self }
    return replacing(format: .upcA, corners: corners)
  }

  /// The distance in pixels from the first bar to the last; ``height`` is the extent over which lines across the bars
  /// were read.
  fileprivate var length: Double { corners.count == 4 ? corners[0].distance(to: corners[1]) : 0 }
  private var height: Double { corners.count == 4 ? corners[0].distance(to: corners[3]) : 0 }

  /// Returns whether two readings are of the same bars, and this one covers more of their height. A check digit misses
  /// one misreading in ten to a hundred.
  fileprivate func areMoreLines(of other: CodeReading) -> Bool {
    format.isLinear && other.format.isLinear && other.corners.areCentred(within: corners) && height > other.height
      && abs(length - other.length) < 0.1 * length
  }

  /// Returns whether two readings are of the same code, by their corners.
  fileprivate func isNear(_ other: CodeReading) -> Bool {
    guard let a = corners.first, let b = corners.dropFirst(2).first, let c = other.corners.first else { return true }
    return a.distance(to: c) <= a.distance(to: b) / 2
  }
}

extension CodeFrame: JSONConvertible {
  /// `fault` is null if a code was read.
  public var jsonValue: JSONValue {
    [
      "state": .string(state.rawValue), "readings": readings.jsonValue, "places": places.jsonValue,
      "fault": fault?.jsonValue ?? .null,
    ]
  }
}
