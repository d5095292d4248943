internal import Glibc

/// Finds machine readable zones on a page and reads them, in any of four orientations. One object serves one thread.
package final class ZoneReader {
  private let finder: LineFinder
  private let reader: LineReader

  init(finder: LineFinder, reader: LineReader) {
    self.finder = finder
    self.reader = reader
  }

  /// Lines and their characters that a zone may have (ICAO 9303, parts 4 to 7).
  private static let shapes = [(lines: 3, length: 30), (lines: 2, length: 36), (lines: 2, length: 44)]
  /// Mean log likelihood of the characters below which nothing was read. A page that is hard to read lies around -0.3.
  private static let leastScore = -1.2

  /// What may be a zone, the likeliest first; empty if there is none.
  package func zones(in picture: PixelBuffer) throws -> [ZoneReading] {
    try readings(in: picture, shapes: Self.shapes)
  }

  /// Single lines of any length that a zone may have, as on a cut-out; the likeliest first.
  package func lines(in picture: PixelBuffer) throws -> [ZoneReading] {
    try readings(in: picture, shapes: Self.shapes.map { (lines: 1, length: $0.length) })
  }

  private func readings(in picture: PixelBuffer, shapes: [(lines: Int, length: Int)]) throws -> [ZoneReading] {
    let found = try finder.lines(in: picture).prefix(8)
    let page = PageLuma(picture)
    var zones: [ZoneReading] = []
    for group in Self.groups(Array(found)) {
      for lines in [group, group.reversed().map(\.reversed)] {
        let grids = try lines.map { line in try reader.read(line, in: page).grid }
        for shape in shapes where lines.count >= shape.lines {
          for first in 0...lines.count - shape.lines {
            let chosen = first..<first + shape.lines
            if let zone = Self.zone(Array(lines[chosen]), Array(grids[chosen]), length: shape.length) {
              zones.append(zone)
            }
          }
        }
      }
    }
    return zones.filter { $0.score > Self.leastScore }.sorted { $0.score > $1.score }
  }

  private static func zone(_ lines: [TextLine], _ grids: [CharacterGrid?], length: Int) -> ZoneReading? {
    let readings = grids.compactMap { $0?.reading(length: length) }
    guard readings.count == lines.count, let top = lines.first, let bottom = lines.last,
      let first = readings.first, let last = readings.last
    else { return nil }
    func corner(_ line: TextLine, _ u: Double, _ way: Double) -> Point { line.point(u, way * 0.75 * line.capital) }
    return ZoneReading(
      probabilities: readings.map(\.probabilities),
      corners: [
        corner(top, first.ends.0, -1), corner(top, first.ends.1, -1), corner(bottom, last.ends.1, 1),
        corner(bottom, last.ends.0, 1),
      ],
      score: readings.reduce(0) { $0 + $1.score } / Double(readings.count),
      capital: lines.reduce(0) { $0 + $1.capital } / Double(lines.count),
      lastLine: (bottom.point(last.ends.0, 0), bottom.point(last.ends.1, 0)))
  }

  /// Lines that stand one under the other, from the upper to the lower.
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
          // The finder does not know from which end a line is read: all as the first.
          group.append(cos(line.angle - first.angle) < 0 ? line.reversed : line)
          grew = true
          break
        }
      }
      groups.append(group.sorted { first.coordinates(of: $0.middle).v < first.coordinates(of: $1.middle).v })
    }
    return groups
  }

  /// Parallel within 6 degrees, of about one length, and one line height apart: ICAO 9303 sets lines 1.4 to 2.6 heights
  /// of a capital apart, figures of it up to 3.5.
  private static func areNeighbours(_ a: TextLine, _ b: TextLine) -> Bool {
    let turn = abs(sin(a.angle - b.angle))
    let (u, v) = a.coordinates(of: b.middle)
    return turn < 0.1 && (0.7...1.43).contains(a.length / b.length)
      && abs(u) < 0.2 * a.length && (1...4.5).contains(abs(v) / ((a.capital + b.capital) / 2))
  }
}
