internal import Glibc

/// Measures whether a zone is printed in OCR-B, as ICAO 9303-3 (section 4) requires, with one linear classifier per
/// character (`training/mrz/train_font.py`).
package enum ZoneFont {
  /// The height of a capital in pixels below which the font is not measured. (The least of the training.)
  package static let minimumCapHeight = 10.0
  /// The number of characters below which the font is not measured. (Chosen: two thirds of the shortest zone's.)
  package static let minimumCharacters = 48

  /// Returns how likely the zone has another font, 0 to 1; nil if its characters are too small or too few.
  ///
  /// - Parameter text: For each line and position, the character; nil where it is uncertain.
  package static func score(of zone: ZoneReading, text: [[Character?]], in picture: PixelBuffer) -> Double? {
    guard let length = text.first?.count, text.allSatisfy({ $0.count == length }),
      let place = ZonePlace(zone, lines: text.count, length: length, in: picture)
    else { return nil }
    var (sum, capHeight, count) = (0.0, 0.0, 0)
    var last: ZoneFit?
    for (number, line) in text.enumerated() {
      let glyphs = line.enumerated().compactMap { column, character in
        character.flatMap(ZoneGlyph.index).map { ZoneGlyph(column: column, index: $0) }
      }
      guard let fit = place.fit(glyphs, line: number, near: last) else { continue }
      last = fit
      for glyph in glyphs {
        guard let value = place.value(of: glyph, at: fit) else { continue }
        sum += Double(value)
        capHeight += fit.capHeight
        count += 1
      }
    }
    guard count >= minimumCharacters, capHeight >= minimumCapHeight * Double(count) else { return nil }
    return 1 / (1 + exp(-sum / Double(count)))
  }
}

extension Point {
  fileprivate static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
  fileprivate static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
}

/// A character of a zone and its position in the line.
private struct ZoneGlyph {
  let column: Int
  /// In the order 0-9, A-Z, `<`.
  let index: Int

  static func index(of character: Character) -> Int? {
    switch character {
    case "0"..."9": character.asciiValue.map { Int($0) - 48 }
    case "A"..."Z": character.asciiValue.map { Int($0) - 55 }
    case "<": 36
    default: nil
    }
  }
}

/// The size and vertical position of a line's characters at which OCR-B fits best.
private struct ZoneFit {
  let line: Int
  /// Patch pixels per pitch along and across the line.
  let along: Double
  let across: Double
  /// Patch pixels below the centre line.
  var down = 0.0
  /// The mean correlation with OCR-B.
  var correlation: Float = -1
  /// The height of a capital in pixels of the picture.
  var capHeight = 0.0
}

/// A zone's lines in a picture, and patches of their characters.
private struct ZonePlace {
  /// The height of a patch and of a capital in it, in pixels.
  private static let (height, capHeight) = (24, 18.0)
  /// The search range around a character, in pixels of a patch: along the line; across it for a line, and then for a
  /// character, since lines are bent.
  private static let reach = (along: 3, line: 5, character: 4)
  /// The ratios of cap height to pitch that are tried first: 0.96 in the standard, others in old documents.
  private static let ratios = [0.74, 0.83, 0.93, 1.04, 1.165]

  private let level: PageLuma.Level
  /// Clockwise from the upper left, in pixels of the part of the picture around the zone.
  private let corners: [Point]
  private let capHeight: Double
  private let lines: Int
  private let length: Int
  private let pitch: Double

  /// Returns nil if the zone has no extent.
  init?(_ zone: ZoneReading, lines: Int, length: Int, in picture: PixelBuffer) {
    guard zone.corners.count == 4, length > 0, lines > 0 else { return nil }
    let margin = 1.5 * zone.capHeight
    let (x, y) = (zone.corners.map(\.x), zone.corners.map(\.y))
    let left = Int(max(0, (x.min() ?? 0) - margin))
    let top = Int(max(0, (y.min() ?? 0) - margin))
    let right = Int(min(Double(picture.width), (x.max() ?? 0) + margin))
    let bottom = Int(min(Double(picture.height), (y.max() ?? 0) + margin))
    guard right > left, bottom > top else { return nil }
    let cut = picture.cutOut(
      corner: Point(x: Double(left), y: Double(top)), angle: 0, scale: 1, width: right - left, height: bottom - top)
    corners = zone.corners.map { $0 - Point(x: Double(left), y: Double(top)) }
    let (upper, lower) = (corners[1] - corners[0], corners[2] - corners[3])
    pitch = hypot(upper.x + lower.x, upper.y + lower.y) / 2 / Double(length)
    guard pitch > 1, min(corners[0].distance(to: corners[3]), corners[1].distance(to: corners[2])) > 1
    else { return nil }
    level = PageLuma(cut).level(pixelsApart: pitch / Self.capHeight)
    (capHeight, self.lines, self.length) = (zone.capHeight, lines, length)
  }

  /// Returns the size and position at which OCR-B fits some of the line's characters best; nil without any.
  ///
  /// - Parameter other: that of another line, of a similar size.
  func fit(_ glyphs: [ZoneGlyph], line: Int, near other: ZoneFit?) -> ZoneFit? {
    let letters = glyphs.filter { $0.index < 36 }.enumerated().filter { $0.offset % 2 == 0 }.prefix(8).map(\.element)
    let some = letters + glyphs.filter { $0.index == 36 }.prefix(2)
    guard !some.isEmpty else { return nil }
    func fit(_ along: Double, _ across: Double) -> ZoneFit {
      self.fit(some, ZoneFit(line: line, along: along, across: across))
    }
    func better(_ one: ZoneFit, _ other: ZoneFit) -> ZoneFit { other.correlation > one.correlation ? other : one }
    let sizes = other.map { [($0.along, $0.across)] } ?? Self.ratios.map { (Self.capHeight / $0, Self.capHeight / $0) }
    guard var best = sizes.map({ fit($0.0, $0.1) }).max(by: { $0.correlation < $1.correlation }) else { return nil }
    // Then both sizes apart, since a tilted page is foreshortened.
    for factor in [1 / 0.9, 0.9] { best = better(best, fit(best.along, best.across * factor)) }
    for factor in [1 / 0.9, 0.9] { best = better(best, fit(best.along * factor, best.across)) }
    best.capHeight = Self.capHeight / best.across * pitch
    return best
  }

  private func fit(_ glyphs: [ZoneGlyph], _ fit: ZoneFit) -> ZoneFit {
    var sums = [Float](repeating: 0, count: 2 * Self.reach.line + 1)
    for glyph in glyphs {
      let window = window(of: glyph, at: fit, reach: Self.reach.line)
      for row in sums.indices {
        sums[row] += (0...2 * Self.reach.along).reduce(0) {
          max($0, window.match(ZoneFontTable.glyphs[glyph.index], column: $1, row: row).correlation)
        }
      }
    }
    var fit = fit
    if let best = sums.indices.max(by: { sums[$0] < sums[$1] }) {
      fit.correlation = sums[best] / Float(glyphs.count)
      fit.down = Double(best - Self.reach.line)
    }
    return fit
  }

  /// Returns the classifier's value of a character: positive for other fonts; nil without contrast.
  func value(of glyph: ZoneGlyph, at fit: ZoneFit) -> Float? {
    let template = ZoneFontTable.glyphs[glyph.index]
    let window = window(of: glyph, at: fit, reach: Self.reach.character)
    var best: ZoneWindow.Match?
    for row in 0...2 * Self.reach.character {
      for column in 0...2 * Self.reach.along {
        let match = window.match(template, column: column, row: row)
        if match.correlation > best?.correlation ?? -1 { best = match }
      }
    }
    guard let best, best.deviation >= 2 else { return nil }
    return window.product(ZoneFontTable.weights[glyph.index], best) * ZoneFontTable.scales[glyph.index]
      + ZoneFontTable.biases[glyph.index]
  }

  /// Returns the surroundings of a character. `reach`: pixels of the search range across the line.
  private func window(of glyph: ZoneGlyph, at fit: ZoneFit, reach: Int) -> ZoneWindow {
    let size = (ZoneWindow.width, Self.height + 2 * reach)
    let (left, right) = (corners[3] - corners[0], corners[2] - corners[1])
    let outer = (hypot(left.x, left.y) + hypot(right.x, right.y)) / 2
    let centre =
      lines == 1
      ? 0.5 : (0.75 * capHeight + Double(fit.line) * (outer - 1.5 * capHeight) / Double(lines - 1)) / outer
    let start = corners[0] + left.scaled(by: centre)
    let direction = corners[1] + right.scaled(by: centre) - start
    let norm = hypot(direction.x, direction.y)
    /// A side of the zone, to which upright strokes are parallel, per pixel of distance from the line.
    func perPixel(_ side: Point) -> Point {
      side.scaled(by: 1 / max(1e-3, (side.y * direction.x - side.x * direction.y) / norm))
    }
    let part = (Double(glyph.column) + 0.5) / Double(length)
    let across = (perPixel(left).scaled(by: 1 - part) + perPixel(right).scaled(by: part)).scaled(by: pitch / fit.across)
    let along = direction.scaled(by: 1 / (fit.along * Double(length)))
    let middle = start + direction.scaled(by: part) + across.scaled(by: fit.down)
    let corner = middle - along.scaled(by: Double(size.0 - 1) / 2) - across.scaled(by: Double(size.1 - 1) / 2)
    return ZoneWindow(rows: size.1) { x, y in
      level.value(at: corner + along.scaled(by: Double(x)) + across.scaled(by: Double(y)))
    }
  }
}

/// The luma around a character.
private struct ZoneWindow {
  /// The width of a patch, 16 pixels, and the search range on both sides; and the number of positions in it.
  static let width = 22
  private static let columns = 7

  struct Match {
    let column: Int
    let row: Int
    let mean: Float
    let deviation: Float
    let correlation: Float
  }

  /// The 16 pixels from each column on, by row.
  private var rows: [SIMD16<Float>] = []
  /// The sums of these pixels and of their squares in all rows above.
  private var sums: [SIMD2<Float>]

  init(rows count: Int, value: (Int, Int) -> Float) {
    rows.reserveCapacity(count * Self.columns)
    sums = [SIMD2<Float>](repeating: .zero, count: Self.columns)
    sums.reserveCapacity((count + 1) * Self.columns)
    var pixels = [Float](repeating: 0, count: Self.width)
    for y in 0..<count {
      for x in pixels.indices { pixels[x] = value(x, y) }
      pixels.withUnsafeBytes { bytes in
        for column in 0..<Self.columns {
          let row = bytes.loadUnaligned(fromByteOffset: 4 * column, as: SIMD16<Float>.self)
          rows.append(row)
          sums.append(sums[sums.count - Self.columns] + SIMD2(row.sum(), (row * row).sum()))
        }
      }
    }
  }

  /// Returns the correlation with a template of mean 0 and norm 1.
  func match(_ template: [SIMD16<Float>], column: Int, row: Int) -> Match {
    let first = row * Self.columns + column
    var total = SIMD16<Float>()
    for y in template.indices { total += rows[first + y * Self.columns] * template[y] }
    let count = Float(16 * template.count)
    let mean = (sums[first + template.count * Self.columns] - sums[first]) / count
    let deviation = max(0, mean.y - mean.x * mean.x).squareRoot()
    return Match(
      column: column, row: row, mean: mean.x, deviation: deviation,
      correlation: deviation > 0.1 ? total.sum() / (deviation * count.squareRoot()) : 0)
  }

  /// Returns the scalar product of weights and the normalised patch.
  func product(_ weights: [SIMD16<Float>], _ match: Match) -> Float {
    var total = SIMD16<Float>()
    for y in weights.indices {
      total += (rows[(match.row + y) * Self.columns + match.column] - match.mean) * weights[y]
    }
    return total.sum() / match.deviation
  }
}
