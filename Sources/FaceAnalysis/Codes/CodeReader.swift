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
    var found = effort == .photo ? try readAtOnce(grey, budget) : []
    var places = try grey.findCodes()
    let likely = places.prefix(Self.mostPlaces)
    func lookAtAll(by ways: (CodePlace) -> [CodeTry]) throws {
      for place in likely where !found.contains(where: place.holds) {
        for way in ways(place) {
          let here = try look(at: place, in: grey, by: way, budget)
          found += here
          guard here.isEmpty else { break }
        }
        // One code of a frame is told of.
        if effort == .frame && !found.isEmpty { return }
      }
    }
    try lookAtAll { _ in CodeTry.first }
    var isHard = false
    // Where the code ends may have been mistaken, or in a hazy picture that it is one.
    let isHazy = effort == .photo && likely.isEmpty && found.isEmpty && CodeFault.haze(of: grey) > Self.mostHaze
    if found.isEmpty && (isHazy || !likely.isEmpty) {
      try budget.check()
      found = try grey.readCodes(formats, looks: .everything)
      let linear = formats.filter(\.isLinear)
      if found.isEmpty && effort == .photo && !linear.isEmpty {
        // zxing-cpp looks for light bars on dark in no way.
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
      places = try grey.doubted(places)
    }
    return CodeFrame(readings: readings, places: places, in: grey)
  }

  /// What is read twice alike of a PDF417 that is hard to read, or was read and is contradicted by no other look. With few
  /// codewords for the correction of errors many a correction makes some text: of 243 readings of simulated codes that
  /// zxing-cpp just did not read right any more 12 were wrong.
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

  /// Reads codes at one place in one way.
  private func look(
    at place: CodePlace, in grey: GreyPicture, by way: CodeTry, _ budget: Budget
  ) throws -> [CodeReading] {
    try budget.check()
    return try CodePart(around: place, in: grey, scale: way.scale).read(from: grey, formats, by: way)
  }

  /// What lies as it should, in a third of the time of looking for everything: in all of the picture, and if there is nothing
  /// in it made smaller and smaller, as zxing-cpp does also if there is.
  private func readAtOnce(_ grey: GreyPicture, _ budget: Budget) throws -> [CodeReading] {
    var (picture, scale) = (grey, 1.0)
    while true {
      let found = try picture.readCodes(formats, looks: [])
      try budget.check()
      guard found.isEmpty, max(picture.width, picture.height) > Self.mostReduced,
        let smaller = try picture.part(x: 0, y: 0, width: picture.width, height: picture.height, scale: 1.0 / 3)
      else {
        return found.map { reading in
          reading.replacing(corners: reading.corners.map { Point(x: $0.x * scale, y: $0.y * scale) })
        }
      }
      (picture, scale) = (smaller, scale * 3)
    }
  }

  /// Reads codes by zxing-cpp alone each time it is called, with all that it tries unless told otherwise; says how many.
  @_spi(Benchmarks) public func decoderMeasurement(of picture: PixelBuffer) throws -> () throws -> Int {
    let grey = GreyPicture(picture)
    return { try distinct(grey.readCodes(formats, looks: .everything), at: []).count }
  }

  /// Pixels of the longer side of what is not made smaller, as zxing-cpp 3.1 has it.
  private static let mostReduced = 500
  /// Of a PDF417 that was hardly corrected: grade 4 of ISO/IEC 15415. With so much to spare another text is out of reach.
  private static let leastUnused = 0.62
  /// A code that could be read and was not seen had 0.97.
  private static let mostHaze = 0.7
  /// Of 141 that were read right three had places longer than this beside their own lengths; of six parts of others four.
  private static let mostBeside = 1.45
  /// More than these are seldom codes.
  private static let mostPlaces = 3

  /// One reading for each code, of the formats that were asked for.
  private func distinct(_ readings: [CodeReading], at places: [CodePlace]) -> [CodeReading] {
    var out: [CodeReading] = []
    for reading in readings.map({ $0.named(by: formats) }) where formats.contains(reading.format) {
      if !out.contains(where: { $0.bytes == reading.bytes && $0.format == reading.format && $0.isNear(reading) }) {
        out.append(reading)
      }
    }
    // Lines that do not cross all bars of an ITF or an EAN-13 make an ITF or a UPC-E of the others.
    return out.filter { reading in
      guard [.itf, .upcE].contains(reading.format),
        let place = places.first(where: { $0.isLinear && $0.holds(reading) })
      else { return true }
      return place.extent(along: reading) < Self.mostBeside * reading.length
        && !out.contains { $0.format.isLinear && place.holds($0) && $0.length > 1.1 * reading.length }
    }
  }
}

/// What one picture showed of codes.
public struct CodeFrame: Sendable {
  /// Codes that were read, from above to below.
  public let readings: [CodeReading]
  /// Where codes may be, the likeliest first.
  public let places: [CodePlace]
  /// What keeps the likeliest place from being read, or one from being seen; nil if a code was read.
  public let fault: CodeFault?

  init(readings: [CodeReading], places: [CodePlace], in grey: GreyPicture) {
    self.readings = readings
    self.places = places
    fault = readings.isEmpty ? CodeFault(of: places.first, in: grey) : nil
  }

  /// As a scanner without an issuer would say it.
  public var state: CodeFrameState { readings.isEmpty ? .unreadable : .ok }
}

extension CodePlace {
  /// Pixels from end to end in the direction of a reading's line.
  fileprivate func extent(along reading: CodeReading) -> Double {
    guard reading.length > 0 else { return 0 }
    let (from, to) = (reading.corners[0], reading.corners[1])
    let steps = corners.map { ($0.x * (to.x - from.x) + $0.y * (to.y - from.y)) / reading.length }.sorted()
    return steps.count == 4 ? (steps[2] + steps[3] - steps[0] - steps[1]) / 2 : 0
  }
}

extension CodeReading {
  /// A UPC-A is an EAN-13 that begins with 0, and zxing-cpp says so.
  fileprivate func named(by formats: [CodeFormat]) -> CodeReading {
    guard format == .ean13, bytes.first == UInt8(ascii: "0"), formats.contains(.upcA) else { return self }
    return replacing(format: .upcA, corners: corners)
  }

  /// Pixels from its first bar to its last, and along them, as far as lines across them were read.
  fileprivate var length: Double { corners.count == 4 ? corners[0].distance(to: corners[1]) : 0 }
  private var height: Double { corners.count == 4 ? corners[0].distance(to: corners[3]) : 0 }

  /// Whether two readings are of the same bars, and this one of more of each. A check digit lets one misreading of ten to a
  /// hundred pass.
  fileprivate func areMoreLines(of other: CodeReading) -> Bool {
    format.isLinear && other.format.isLinear && other.corners.areCentred(within: corners) && height > other.height
      && abs(length - other.length) < 0.1 * length
  }

  /// Whether two readings are of one code, by their corners.
  fileprivate func isNear(_ other: CodeReading) -> Bool {
    guard let a = corners.first, let b = corners.dropFirst(2).first, let c = other.corners.first else { return true }
    return a.distance(to: c) <= a.distance(to: b) / 2
  }
}
