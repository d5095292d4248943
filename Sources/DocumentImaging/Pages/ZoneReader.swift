internal import Glibc

/// Finds machine-readable zones on a page and reads them, in any of four orientations. Not thread-safe.
package final class ZoneReader {
  private let finder: LineFinder
  private let reader: LineReader

  package init(_ models: DocumentModels) throws {
    let networks = models.copy()
    finder = try LineFinder(networks[0])
    reader = try LineReader(networks[1])
  }

  /// The numbers of lines and of characters per line of a zone (ICAO 9303, parts 4 to 7).
  private static let shapes = [(lines: 3, length: 30), (lines: 2, length: 36), (lines: 2, length: 44)]
  /// Above this score, a zone is read with certainty.
  private static let surelyRead = -0.1
  /// The mean log-likelihood of the characters below which a zone counts as unread. A page that is hard to read scores
  /// around -0.3.
  private static let minimumScore = -1.2

  /// Returns candidate zones, the likeliest first; empty if there are none.
  package func zones(in picture: PixelBuffer, budget: Budget = .unlimited) throws -> [ZoneReading] {
    try readings(in: picture, shapes: Self.shapes, budget)
  }

  /// Returns single lines of any length that a zone may have, as in a crop; the likeliest first.
  package func lines(in picture: PixelBuffer, budget: Budget = .unlimited) throws -> [ZoneReading] {
    try readings(in: picture, shapes: Self.shapes.map { (lines: 1, length: $0.length) }, budget)
  }

  private func readings(
    in picture: PixelBuffer, shapes: [(lines: Int, length: Int)], _ budget: Budget
  ) throws -> [ZoneReading] {
    try budget.check()
    let page = PageLuma(picture)
    let found = try finder.lines(in: picture)
    var zones = try readings(of: found, in: page, shapes: shapes, budget)
    // If nothing was read with certainty, small or oblique lines are searched again at a higher magnification.
    if !zones.contains(where: { $0.score > Self.surelyRead }), let region = Self.region(around: found, in: picture) {
      zones += try readings(of: finder.lines(in: picture, region: region), in: page, shapes: shapes, budget)
    }
    return zones.filter { $0.score > Self.minimumScore }.sorted { $0.score > $1.score }
  }

  private func readings(
    of found: [TextLine], in page: PageLuma, shapes: [(lines: Int, length: Int)], _ budget: Budget
  ) throws -> [ZoneReading] {
    var zones: [ZoneReading] = []
    let least = shapes.map(\.lines).min() ?? 1
    // All groups are read, also after a zone was: a picture may show the zones of several documents.
    for group in Self.groups(Array(found.prefix(8))) where group.count >= least {
      try budget.check()
      func read(_ lines: [TextLine]) throws -> [Candidate] {
        try lines.map { line in
          try budget.check()
          return Candidate(line: line, grids: try reader.read(line, in: page).grid.map { [$0] } ?? [])
        }
      }
      // In the opposite direction, too, unless it is clear; the clearer one is right.
      var way = try read(group)
      if !way.allSatisfy({ $0.clarity >= Self.clear }) {
        let other = try read(group.reversed().map(\.reversed))
        if Self.clarity(other) > Self.clarity(way) { way = other }
      }
      let lines = try way.map { line in
        try budget.check()
        return try refined(line, in: page)
      }
      for shape in shapes where lines.count >= shape.lines {
        for first in 0...lines.count - shape.lines {
          let lines = Array(lines[first..<first + shape.lines])
          // All lines of a zone end together: of one that is cut off, check digits tell the side.
          let isShort = shape.lines > 1 && lines.contains { $0.grids.contains { $0.last + 1 < shape.length } }
          for gap in isShort ? CharacterGrid.Gap.allCases : [.unknown] {
            if let zone = Self.zone(lines, length: shape.length, gap: gap) { zones.append(zone) }
          }
        }
      }
    }
    return zones
  }

  /// Returns the square around the lines, with a margin for undetected parts; nil if it is not much smaller than the
  /// picture.
  private static func region(around lines: [TextLine], in picture: PixelBuffer) -> Rectangle? {
    let ends = lines.flatMap { [$0.point(-$0.length / 2, 0), $0.point($0.length / 2, 0)] }
    guard let left = ends.map(\.x).min(), let right = ends.map(\.x).max(), let top = ends.map(\.y).min(),
      let bottom = ends.map(\.y).max()
    else { return nil }
    let side = 1.4 * max(right - left, bottom - top)
    guard side < 0.8 * Double(max(picture.width, picture.height)) else { return nil }
    return Rectangle(x: (left + right - side) / 2, y: (top + bottom - side) / 2, width: side, height: side)
  }

  /// A line and its readings: one, or several from slightly different crops.
  private struct Candidate {
    let line: TextLine
    /// The clearest first.
    let grids: [CharacterGrid]

    var clarity: Double { grids.first?.clarity ?? 0 }
  }

  private static func clarity(_ lines: [Candidate]) -> Double { lines.reduce(0) { $0 + $1.clarity } }

  /// At or above this clarity, a line is not refined.
  private static let clear = 0.98
  /// The distance between characters in heights of a capital: OCR-B, ten characters per inch (ICAO 9303-3, 4.2.1).
  private static let pitch = 1.02

  /// Returns the line reread with other capital heights and vertical offsets if it is not clear as found: the finder is
  /// exact in neither.
  private func refined(_ found: Candidate, in page: PageLuma) throws -> Candidate {
    guard let grid = found.grids.first, grid.clarity < Self.clear else { return found }
    let line = found.line
    let capHeight = line.capHeight
    let others =
      [grid.pitch / Self.pitch, 0.8 * capHeight, 1.25 * capHeight].map { other in line.changed { $0.capHeight = other }
      }
      + [-0.2, 0.2].map { down in line.changed { $0.curvature.a += down * capHeight } }
    let all =
      try [(line, grid)] + others.compactMap { other in try reader.read(other, in: page).grid.map { (other, $0) } }
    let ranked = all.sorted { $0.1.clarity > $1.1.clarity }
    return Candidate(line: ranked[0].0, grids: ranked.map(\.1))
  }

  private static func zone(_ candidates: [Candidate], length: Int, gap: CharacterGrid.Gap) -> ZoneReading? {
    let lines = candidates.map(\.line)
    let readings = candidates.compactMap { CharacterGrid.reading(of: $0.grids, length: length, gap: gap) }
    guard readings.count == lines.count, let top = lines.first, let bottom = lines.last,
      let first = readings.first, let last = readings.last
    else { return nil }
    func corner(_ line: TextLine, _ u: Double, _ way: Double) -> Point { line.point(u, way * 0.75 * line.capHeight) }
    return ZoneReading(
      probabilities: readings.map(\.probabilities),
      corners: [
        corner(top, first.ends.0, -1), corner(top, first.ends.1, -1), corner(bottom, last.ends.1, 1),
        corner(bottom, last.ends.0, 1),
      ],
      score: readings.reduce(0) { $0 + $1.score } / Double(readings.count),
      capHeight: lines.reduce(0) { $0 + $1.capHeight } / Double(lines.count),
      lastLine: (bottom.point(last.ends.0, 0), bottom.point(last.ends.1, 0)))
  }

  /// Groups lines that are adjacent to each other, each group from top to bottom.
  private static func groups(_ lines: [TextLine]) -> [[TextLine]] {
    var left = lines
    var groups: [[TextLine]] = []
    while let first = left.first {
      left.removeFirst()
      var group = [first]
      var grew = true
      while grew {
        grew = false
        for (i, line) in left.enumerated() where group.contains(where: { areNeighbours($0, line) }) {
          left.remove(at: i)
          // The finder does not determine the reading direction: all lines get that of the first.
          group.append(cos(line.angle - first.angle) < 0 ? line.reversed : line)
          grew = true
          break
        }
      }
      groups.append(group.sorted { first.coordinates(of: $0.middle).v < first.coordinates(of: $1.middle).v })
    }
    return groups
  }

  /// Parallel within 6 degrees, of similar length, and one line spacing apart: 0.057 of the length in a passport, 0.083
  /// on a card (ICAO 9303-4 and -5, lines of the zone), half or twice that in figures and old documents.
  private static func areNeighbours(_ a: TextLine, _ b: TextLine) -> Bool {
    let (u, v) = a.coordinates(of: b.middle)
    return abs(sin(a.angle - b.angle)) < 0.1 && (0.7...1.43).contains(a.length / b.length) && abs(u) < 0.2 * a.length
      && (0.025...0.15).contains(abs(v) / max(a.length, b.length))
  }
}
