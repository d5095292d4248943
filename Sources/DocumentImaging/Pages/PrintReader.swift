internal import Glibc

/// Finds and reads the printed lines of a page, in any rotation. Not thread-safe.
///
/// The networks are PP-OCRv6's (models/README.md): one detects lines, one reads a line.
package final class PrintReader {
  private let finder: InferenceRequest
  private let recogniser: InferenceRequest
  /// The characters of the classes from 1 on; class 0 is no character.
  private let alphabet: [Character]

  package init(_ models: DocumentModels) throws {
    let networks = models.copy()
    finder = try InferenceRequest(networks[0])
    recogniser = try InferenceRequest(networks[1])
    guard let alphabet = models.alphabet else {
      throw VerifyError(.modelMismatch, "manifest.json has no alphabet for the network that reads text")
    }
    self.alphabet = Array(alphabet)
  }

  /// The longer side of the finder's input in pixels. On 22 specimens, 736 and 960 read the same number of values.
  private static let side = 736.0
  /// Bounds the time for a picture. (Chosen: a dense spread of a passport has 75 lines.)
  private static let mostLines = 200
  /// Below this confidence, a line is not text: PP-OCR's `drop_score`.
  private static let minimumConfidence = 0.5

  /// Returns the lines from top to bottom and from left to right, then those across them.
  ///
  /// - Parameters:
  ///   - outline: The document in the picture: what is around it is not read. Nil if unknown: the whole picture is read,
  ///     and its orientation is the one in which some lines are read with the highest confidence.
  ///   - zone: Corners of the document's machine-readable zone if it has been read. Its lines are left out: they are the
  ///     longest. (Without them, the text of 45 specimens takes 14 % less time.)
  package func lines(
    in picture: PixelBuffer, outline: PageOutline? = nil, zone: [Point] = [], budget: Budget = .unlimited
  ) throws -> [PrintedLine] {
    if let outline {
      let zone = PerspectiveMap(width: 1, height: 1, to: zone)
      let regions = try regions(in: picture, Canvas(outline), budget).filter { region in
        let place = outline.millimetres(region.centre)
        let (x, y) = (place.x / outline.width, place.y / outline.height)
        // An outline derived from the zone is off by some millimetres.
        guard (-0.03...1.03).contains(x), (-0.03...1.03).contains(y) else { return false }
        guard let inZone = zone?.inverse(region.centre) else { return true }
        return !((0...1).contains(inZone.x) && (0...1).contains(inZone.y))
      }
      return try lines(of: regions, along: outline.angle, in: picture, budget)
    }
    var regions = try regions(in: picture, Canvas(picture, angle: 0), budget)
    guard let axis = Self.axis(of: regions) else { return [] }
    let direction = try direction(of: regions, axis: axis, in: picture, budget)
    // The finder is best on upright lines. (Chosen: between a hand-held photo's tilt and a half quarter turn.)
    if cos(direction) < cos(10 * .pi / 180) {
      regions = try self.regions(in: picture, Canvas(picture, angle: direction), budget)
    }
    return try lines(of: regions, along: direction, in: picture, budget)
  }

  /// The part of a picture that is searched, and its map to pixels of the picture.
  private struct Canvas {
    let width, height: Int
    let angle: Double
    let map: AffineMap

    private init(centre: Point, width: Double, height: Double, angle: Double) {
      let scale = max(width, height) / PrintReader.side
      // The network halves its input five times.
      func side(_ length: Double) -> Int { max(1, Int((length / scale / 32).rounded(.up))) * 32 }
      (self.width, self.height, self.angle) = (side(width), side(height), angle)
      let corner = AffineMap(scale: scale, angle: angle, origin: centre)(
        Point(x: -Double(self.width) / 2, y: -Double(self.height) / 2))
      map = AffineMap(scale: scale, angle: angle, origin: corner)
    }

    init(_ picture: PixelBuffer, angle: Double) {
      let (width, height) = (Double(picture.width), Double(picture.height))
      let (c, s) = (abs(cos(angle)), abs(sin(angle)))
      self.init(
        centre: Point(x: width / 2, y: height / 2), width: width * c + height * s, height: width * s + height * c,
        angle: angle)
    }

    /// With a margin of 4 %, since the outline may ignore perspective.
    init(_ outline: PageOutline) {
      let origin = Point(x: 0, y: 0)
      let places = outline.corners.map(AffineMap(scale: 1, angle: -outline.angle, origin: origin).callAsFunction)
      let (x, y) = (places.map(\.x).sorted(), places.map(\.y).sorted())
      let middle = Point(x: (x[0] + x[3]) / 2, y: (y[0] + y[3]) / 2)
      self.init(
        centre: AffineMap(scale: 1, angle: outline.angle, origin: origin)(middle), width: 1.08 * (x[3] - x[0]),
        height: 1.08 * (y[3] - y[0]), angle: outline.angle)
    }
  }

  /// Returns the detected lines, in pixels of the picture.
  private func regions(in picture: PixelBuffer, _ canvas: Canvas, _ budget: Budget) throws -> [TextRegion] {
    try budget.check()
    try finder.reshape([1, 3, canvas.height, canvas.width])
    picture.crop(canvas.map, width: canvas.width, height: canvas.height)
      .copyPlanes(blueFirst: true, into: finder.input)
    try finder.run()
    return try TextRegion.all(
      in: finder.output(0), width: canvas.width, height: canvas.height, most: Self.mostLines
    ).map { found in
      var region = found
      region.centre = canvas.map(found.centre)
      region.length *= canvas.map.scale
      region.height *= canvas.map.scale
      region.angle += canvas.angle
      return region
    }
  }

  /// Returns the direction or opposite direction of most text; nil without elongated lines.
  private static func axis(of regions: [TextRegion]) -> Double? {
    // Doubled angles, so that opposite directions add up.
    var (x, y) = (0.0, 0.0)
    for region in regions where region.elongation > 2 {
      x += region.length * cos(2 * region.angle)
      y += region.length * sin(2 * region.angle)
    }
    return x == 0 && y == 0 ? nil : atan2(y, x) / 2
  }

  /// Decides between both directions along an axis: three lines are read in each. Long lines are left out because they
  /// take longer, and zones because their fillers are nearly the same in reverse.
  private func direction(
    of regions: [TextRegion], axis: Double, in picture: PixelBuffer, _ budget: Budget
  ) throws -> Double {
    let samples = regions.filter { (2...12).contains($0.elongation) }.compactMap { $0.turned(to: axis) }
      .sorted { $0.length > $1.length }.prefix(3)
    func confidence(_ direction: Double) throws -> Double {
      try samples.reduce(0) { sum, region in
        try sum + read(region.turned(to: direction) ?? region, in: picture, budget).confidence
      }
    }
    return try confidence(axis) >= confidence(axis + .pi) ? axis : axis + .pi
  }

  private func lines(
    of regions: [TextRegion], along direction: Double, in picture: PixelBuffer, _ budget: Budget
  ) throws -> [PrintedLine] {
    let along = regions.compactMap { $0.turned(to: direction) }
    let across = regions.filter { $0.turned(to: direction) == nil }
    let side =
      across.isEmpty
      ? 0 : try self.direction(of: across, axis: direction + .pi / 2, in: picture, budget)
    let ordered =
      Self.inReadingOrder(along, direction) + Self.inReadingOrder(across.compactMap { $0.turned(to: side) }, side)
    return try ordered.compactMap { region in
      let (text, confidence) = try read(region, in: picture, budget)
      return confidence < Self.minimumConfidence
        ? nil : PrintedLine(text: text, confidence: confidence, corners: region.corners)
    }
  }

  private static func inReadingOrder(_ regions: [TextRegion], _ direction: Double) -> [TextRegion] {
    let upright = AffineMap(scale: 1, angle: -direction, origin: Point(x: 0, y: 0))
    let places = regions.map { (region: $0, place: upright($0.centre)) }.sorted { $0.place.y < $1.place.y }
    var rows: [[(region: TextRegion, place: Point)]] = []
    for item in places {
      if let first = rows.last?.first,
        item.place.y - first.place.y < min(item.region.height, first.region.height) / 2
      {
        rows[rows.count - 1].append(item)
      } else {
        rows.append([item])
      }
    }
    return rows.flatMap { $0.sorted { $0.place.x < $1.place.x }.map(\.region) }
  }

  /// The height of the recogniser's input in pixels.
  private static let height = 48
  /// Its width per width of a line of this height. On 22 specimens, 0.65 read 163 of 190 values, 0.8 read 168, and 1
  /// read 170; the time grows with the width.
  private static let stretch = 0.8
  /// Widths, in pixels, are rounded to powers of this times the height, and lines are compressed to the maximum. Each
  /// width takes longer once, and fewer would distort more.
  private static let widthSteps = 1.15
  private static let maximumWidth = 960

  /// Reads a line along its angle: its text without surrounding spaces, and the mean probability of its characters.
  private func read(
    _ region: TextRegion, in picture: PixelBuffer, _ budget: Budget
  ) throws -> (text: String, confidence: Double) {
    try budget.check()
    let step = (log(Self.stretch * region.elongation) / log(Self.widthSteps)).rounded()
    let width = min(Self.maximumWidth, max(Self.height, Int(Double(Self.height) * pow(Self.widthSteps, step))))
    try recogniser.reshape([1, 3, Self.height, width])
    picture.crop(region.map(width: width, height: Self.height), width: width, height: Self.height, mirrored: true)
      .copyPlanes(blueFirst: true, into: recogniser.input)
    try recogniser.run()
    return try decoded(recogniser.output(0))
  }

  /// Decodes by connectionist temporal classification: runs of the same likeliest class are one character.
  private func decoded(_ likelihoods: UnsafeBufferPointer<Float>) throws -> (text: String, confidence: Double) {
    let classes = alphabet.count + 1
    guard likelihoods.count.isMultiple(of: classes) else {
      throw VerifyError(.modelMismatch, "the alphabet in manifest.json is not that of the network that reads text")
    }
    var characters: [(character: Character, likelihood: Float)] = []
    var last = 0
    for start in stride(from: 0, to: likelihoods.count, by: classes) {
      let slice = likelihoods[start..<start + classes]
      guard let best = slice.indices.max(by: { slice[$0] < slice[$1] }) else { continue }
      let (number, likelihood) = (best - start, slice[best])
      if number != 0, number == last {
        characters[characters.count - 1].likelihood = max(characters[characters.count - 1].likelihood, likelihood)
      } else if number != 0 {
        characters.append((alphabet[number - 1], likelihood))
      }
      last = number
    }
    let text = characters.drop { $0.character == " " }.reversed().drop { $0.character == " " }.reversed()
    guard !text.isEmpty else { return ("", 0) }
    return (
      String(text.map(\.character)), Double(text.reduce(0) { $0 + $1.likelihood }) / Double(text.count)
    )
  }
}

extension TextRegion {
  fileprivate var elongation: Double { length / max(1, height) }

  /// The same region with an angle of at most 45 degrees from a direction; nil if it is a line across. A region that is
  /// nearly square is one character, whose sides say nothing about the direction.
  fileprivate func turned(to direction: Double) -> TextRegion? {
    var turned = self
    let difference = remainder(angle - direction, .pi)
    turned.angle = direction + difference
    guard abs(difference) > .pi / 4 else { return turned }
    guard elongation < 1.5 else { return nil }
    turned.angle -= copysign(.pi / 2, difference)
    (turned.length, turned.height) = (height, length)
    return turned
  }

  /// Maps a crop of the region to the picture.
  fileprivate func map(width: Int, height rows: Int) -> AffineMap {
    var map = AffineMap(scale: 1, angle: angle, origin: centre)
    map = AffineMap(scale: 1, angle: angle, origin: map(Point(x: -length / 2, y: -height / 2)))
    let (along, down) = (length / Double(width), height / Double(rows))
    (map.xx, map.yx, map.xy, map.yy) = (map.xx * along, map.yx * along, map.xy * down, map.yy * down)
    return map
  }

  /// Clockwise from the upper left along the angle.
  fileprivate var corners: [Point] {
    let map = AffineMap(scale: 1, angle: angle, origin: centre)
    return Rectangle(x: -length / 2, y: -height / 2, width: length, height: height).corners.map(map.callAsFunction)
  }
}
