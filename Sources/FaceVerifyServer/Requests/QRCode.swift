/// A QR code of bytes (ISO/IEC 18004, error correction level M), as an SVG path of unit squares.
struct QRCode {
  /// Modules per side, without the quiet zone.
  private(set) var size = 0
  private var dark: [[Bool]] = []
  /// Modules of patterns and of the format, which are not masked.
  private var isFixed: [[Bool]] = []

  /// A size of the symbol: error correction codewords per block, blocks (table 9), and the centres of alignment patterns
  /// (annex E).
  private typealias Version = (correction: Int, blocks: Int, centres: [Int])
  private static let versions: [Version] = [
    (10, 1, []), (16, 1, [6, 18]), (26, 1, [6, 22]), (18, 2, [6, 26]), (24, 2, [6, 30]), (16, 4, [6, 34]),
    (18, 4, [6, 22, 38]), (22, 4, [6, 24, 42]), (22, 5, [6, 26, 46]), (26, 5, [6, 28, 50]), (30, 5, [6, 30, 54]),
    (22, 8, [6, 32, 58]), (22, 9, [6, 34, 62]), (24, 9, [6, 26, 46, 66]), (24, 10, [6, 26, 48, 70]),
  ]

  /// - Returns: nil if the text is too long: 412 bytes fit.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    for (index, version) in Self.versions.enumerated() {
      drawPatterns(index + 1, version)
      let total = isFixed.joined().count { !$0 } / 8
      if let codewords = Self.encoded(bytes, version, number: index + 1, total: total) {
        draw(codewords)
        mask()
        return
      }
    }
    return nil
  }

  private mutating func mask() {
    let unmasked = dark
    let masked = (0..<8).map { mask in
      dark = unmasked
      apply(mask)
      drawFormat(mask: mask)
      return (dark: dark, penalty: penalty)
    }
    dark = masked.min { $0.penalty < $1.penalty }?.dark ?? unmasked
  }

  var path: String {
    var path = ""
    for (y, row) in dark.enumerated() {
      var x = 0
      while x < size {
        let end = row[x...].firstIndex { $0 != row[x] } ?? size
        if row[x] { path += "M\(x) \(y)h\(end - x)v1h-\(end - x)z" }
        x = end
      }
    }
    return path
  }

  // MARK: Codewords

  /// The codewords in their order in the symbol, `total` with those of error correction; nil if they do not fit.
  private static func encoded(_ bytes: [UInt8], _ version: Version, number: Int, total: Int) -> [UInt8]? {
    let (correction, count) = (version.correction, version.blocks)
    let capacity = total - correction * count
    // Mode (4 bits), length, bytes, and 4 bits of terminator: all shifted by half a byte.
    let length = (number < 10 ? [] : [UInt8(bytes.count >> 8)]) + [UInt8(truncatingIfNeeded: bytes.count)]
    guard bytes.count + length.count < capacity else { return nil }
    var data: [UInt8] = []
    var rest: UInt8 = 4
    for byte in length + bytes + [0] {
      data.append(rest << 4 | byte >> 4)
      rest = byte & 15
    }
    for index in 0..<capacity - data.count { data.append(index.isMultiple(of: 2) ? 0xEC : 0x11) }
    // The last blocks have one byte more.
    let short = count - capacity % count
    var (parts, at): ([ArraySlice<UInt8>], Int) = ([], 0)
    for block in 0..<count {
      let end = at + capacity / count + (block < short ? 0 : 1)
      parts.append(data[at..<end])
      at = end
    }
    let corrections = parts.map { remainder(of: $0, count: correction) }
    var out: [UInt8] = []
    for index in 0...capacity / count {
      for part in parts where index < part.count { out.append(part[part.startIndex + index]) }
    }
    for index in 0..<correction { out += corrections.map { $0[index] } }
    return out
  }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    (0..<8).reversed().reduce(UInt8(0)) { value, bit in
      (value << 1) ^ (value & 0x80 == 0 ? 0 : 0x1D) ^ (b >> UInt8(bit) & 1) * a
    }
  }

  /// The codewords of error correction: the remainder of the division by the generator polynomial.
  private static func remainder(of data: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    var generator = [UInt8](repeating: 0, count: count - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      for index in 0..<count {
        generator[index] = product(generator[index], root) ^ (index + 1 < count ? generator[index + 1] : 0)
      }
      root = product(root, 2)
    }
    return data.reduce(into: [UInt8](repeating: 0, count: count)) { rest, byte in
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for index in 0..<count { rest[index] ^= product(generator[index], factor) }
    }
  }

  // MARK: Modules

  private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
    guard (0..<size).contains(x), (0..<size).contains(y) else { return }
    (dark[y][x], isFixed[y][x]) = (isDark, true)
  }

  private mutating func drawPatterns(_ number: Int, _ version: Version) {
    size = 17 + 4 * number
    dark = Array(repeating: Array(repeating: false, count: size), count: size)
    isFixed = dark
    drawFormat(mask: 0)
    for index in 0..<size {
      set(6, index, index.isMultiple(of: 2))
      set(index, 6, index.isMultiple(of: 2))
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for down in -4...4 {
        for across in -4...4 {
          let ring = max(abs(across), abs(down))
          set(x + across, y + down, ring != 2 && ring != 4)
        }
      }
    }
    for x in version.centres {
      for y in version.centres where ![[6, 6], [6, size - 7], [size - 7, 6]].contains([x, y]) {
        for down in -2...2 { for across in -2...2 { set(x + across, y + down, max(abs(across), abs(down)) != 1) } }
      }
    }
    guard number > 6 else { return }
    var rest = number
    for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
    let bits = number << 12 | rest
    for index in 0..<18 {
      let isDark = bits >> index & 1 == 1
      set(size - 11 + index % 3, index / 3, isDark)
      set(index / 3, size - 11 + index % 3, isDark)
    }
  }

  private mutating func drawFormat(mask: Int) {
    // Level M is 0.
    var rest = mask
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    let bits = (mask << 10 | rest) ^ 0x5412
    for index in 0..<15 {
      let isDark = bits >> index & 1 == 1
      switch index {
      case ..<6: set(8, index, isDark)
      case 6, 7: set(8, index + 1, isDark)
      case 8: set(7, 8, isDark)
      default: set(14 - index, 8, isDark)
      }
      if index < 8 { set(size - 1 - index, 8, isDark) } else { set(8, size - 15 + index, isDark) }
    }
    set(8, size - 8, true)
  }

  /// Draws the codewords in pairs of columns from the right, upwards and downwards in turns.
  private mutating func draw(_ codewords: [UInt8]) {
    var index = 0
    for (turn, pair) in [Array(stride(from: size - 1, to: 6, by: -2)), [5, 3, 1]].joined().enumerated() {
      for step in 0..<size {
        let y = turn.isMultiple(of: 2) ? size - 1 - step : step
        for x in [pair, pair - 1] where !isFixed[y][x] && index < codewords.count * 8 {
          dark[y][x] = codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
          index += 1
        }
      }
    }
  }

  private mutating func apply(_ mask: Int) {
    for y in 0..<size { for x in 0..<size where !isFixed[y][x] && Self.flips(mask, x, y) { dark[y][x].toggle() } }
  }

  private static func flips(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    let value =
      switch mask {
      case 0: (x + y) % 2
      case 1: y % 2
      case 2: x % 3
      case 3: (x + y) % 3
      case 4: (x / 3 + y / 2) % 2
      case 5: x * y % 2 + x * y % 3
      case 6: (x * y % 2 + x * y % 3) % 2
      default: ((x + y) % 2 + x * y % 3) % 2
      }
    return value == 0
  }

  /// The penalty score of a mask: runs, blocks of one colour, and imbalance (7.8.3, without the third feature).
  private var penalty: Int {
    let columns = (0..<size).map { x in dark.map { $0[x] } }
    var total = 0
    for line in dark + columns {
      for run in line.split(whereSeparator: { !$0 }) + line.split(whereSeparator: { $0 }) where run.count > 4 {
        total += run.count - 2
      }
    }
    for y in 1..<size {
      for x in 1..<size
      where [dark[y][x - 1], dark[y - 1][x], dark[y - 1][x - 1]] == [dark[y][x], dark[y][x], dark[y][x]] {
        total += 3
      }
    }
    let count = dark.joined().count { $0 }
    return total + abs(count * 20 - size * size * 10) / (size * size) * 10
  }
}
