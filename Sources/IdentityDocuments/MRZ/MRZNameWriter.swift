/// The name field of a machine readable zone, cut to its length by ICAO 9303, parts 4 to 7, section 4.2.3.
///
/// Of the standard's options: parts of the primary identifier become initials, the last first, until there is room for
/// one letter of the secondary identifier; parts of the secondary one are cut, the last first, each to its initial at
/// most. A name that is cut ends with a letter in the last place.
enum MRZNameWriter {
  /// - Parameters:
  ///   - surname, givenNames: transliterated; parts parted by fillers.
  static func field(surname: String, givenNames: String, length: Int) -> [UInt8] {
    // More parts than places do not fit even as initials.
    let wholePrimary = Array(parts(surname).prefix(length))
    let secondary = Array(parts(givenNames).prefix(length))
    if secondary.isEmpty { return joined(shortened(wholePrimary, to: length)) }
    var primary = wholePrimary
    guard count(primary) + 2 + count(secondary) > length else { return joined(primary) + separator + joined(secondary) }
    for i in primary.indices.reversed() where count(primary) + 3 > length { primary[i] = Array(primary[i].prefix(1)) }
    primary = shortened(primary, to: length - 3)
    var rest = shortened(secondary, to: length - count(primary) - 2)
    if count(primary) + 2 + count(rest) < length {
      // Room is left over: the primary identifier takes it. If it is whole, it gives a place, so that one more initial
      // and its filler fit.
      let room = length - 2 - count(rest)
      primary = shortened(wholePrimary, to: count(wholePrimary) > room ? room : count(primary) - 1)
      rest = shortened(secondary, to: length - count(primary) - 2)
    }
    return joined(primary) + separator + joined(rest)
  }

  private static let separator = [MRZText.filler, MRZText.filler]

  private static func parts(_ text: String) -> [[UInt8]] {
    text.utf8.split(separator: MRZText.filler).map(Array.init)
  }

  private static func count(_ parts: [[UInt8]]) -> Int { parts.reduce(-1) { $0 + 1 + $1.count } }

  private static func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: [MRZText.filler])) }

  /// Cuts parts, the last first, to their initials at most; leaves the last out if that is not enough.
  private static func shortened(_ parts: [[UInt8]], to length: Int) -> [[UInt8]] {
    var parts = parts
    while parts.count > 1, 2 * parts.count - 1 > length { parts.removeLast() }
    for i in parts.indices.reversed() {
      let excess = count(parts) - length
      guard excess > 0 else { break }
      parts[i].removeLast(min(excess, parts[i].count - 1))
    }
    return parts
  }
}
