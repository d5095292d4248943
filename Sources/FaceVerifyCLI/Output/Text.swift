import FaceVerify
import Glibc

enum Text {
  static func number(_ value: Double, _ decimals: Int) -> String {
    let scale = pow(10, Double(decimals))
    let rounded = Int((abs(value) * scale).rounded())
    let sign = value < 0 && rounded != 0 ? "-" : ""
    guard decimals > 0 else { return sign + String(rounded) }
    let unit = Int(scale)
    let fraction = String(rounded % unit)
    return sign + "\(rounded / unit)." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  /// With as many decimals as three significant digits require, at most.
  static func short(_ value: Double) -> String {
    let size = abs(value)
    if size == value.rounded() && size < 1e6 { return number(value, 0) }
    return number(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
  }

  /// A limit, which was chosen with few digits.
  static func limit(_ value: Double) -> String {
    var text = number(value, 3)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  static func signed(_ value: Double) -> String { (value.rounded() > 0 ? "+" : "") + number(value, 0) }

  /// With separators: 3,853,543.
  static func count(_ value: Int) -> String {
    var digits = Array(String(value))
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
    return String(digits)
  }

  /// A rate as "1 in 1,200", to two digits.
  static func oneIn(_ rate: Double) -> String {
    guard rate > 0, rate < 1 else { return "1 in 1" }
    let number = 1 / rate
    let scale = pow(10, max(0, floor(log10(number)) - 1))
    return "1 in \(count(Int((number / scale).rounded() * scale)))"
  }

  /// "1 face", "2 faces"
  static func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(self.count(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  static func range(_ minimum: Double?, _ maximum: Double?) -> String {
    switch (minimum, maximum) {
    case (let low?, let high?): "\(limit(low)) to \(limit(high))"
    case (let low?, nil): "at least \(limit(low))"
    case (nil, let high?): "at most \(limit(high))"
    case (nil, nil): ""
    }
  }

  static func megabytes(_ bytes: Int) -> String {
    bytes < 100_000 ? "\(number(Double(bytes) / 1e3, 1)) kB" : "\(number(Double(bytes) / 1e6, 1)) MB"
  }
}

enum FileName {
  static func folder(of path: String) -> String? { path.lastIndex(of: "/").map { String(path[..<$0]) } }

  /// The last path component, in one line.
  static func last(_ path: String) -> String {
    path == "-" ? Input.name(path) : (path.split(separator: "/").last.map(String.init) ?? path).printable
  }
}

struct Table {
  private var rows: [[Cell]] = []

  struct Cell {
    var text: String
    var style: Style?
    var isRight = false

    /// - Parameter text: unprintable characters are escaped.
    init(_ text: String, _ style: Style? = nil, right: Bool = false) {
      self.text = text.printable
      self.style = style
      isRight = right
    }
  }

  mutating func add(_ cells: Cell...) { rows.append(cells) }
  mutating func add(_ cells: [Cell]) { rows.append(cells) }
  mutating func head(_ names: [String]) { rows.append(names.map { Cell($0, .faint) }) }
  mutating func add(_ name: String, _ value: String) { add(.init(name, .faint), .init(value)) }
  mutating func add(_ name: String, _ status: CheckStatus, _ text: String, _ more: Cell...) {
    add([.init(name, .faint), .init(status.rawValue, status.style), .init(text)] + more)
  }

  func text(indent: Int = 0, on console: Console) -> String {
    var widths: [Int] = []
    for row in rows {
      for (i, cell) in row.enumerated() {
        if i == widths.count { widths.append(0) }
        // The last column may have any width.
        if i < row.count - 1 { widths[i] = max(widths[i], cell.text.count) }
      }
    }
    var lines = ""
    for row in rows {
      var line = String(repeating: " ", count: indent)
      for (i, cell) in row.enumerated() {
        let space = String(repeating: " ", count: max(0, widths[i] - cell.text.count))
        let styled = cell.style.map { console.styled(cell.text, $0) } ?? cell.text
        let isLast = i == row.count - 1
        line += cell.isRight && !isLast ? space + styled : isLast ? styled : styled + space
        if !isLast { line += "  " }
      }
      while line.hasSuffix(" ") { line.removeLast() }
      lines += line + "\n"
    }
    return lines
  }
}
