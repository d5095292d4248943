import FaceVerify

/// Lines of aligned columns.
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
  /// Adds a name and its value.
  mutating func add(_ name: String, _ value: String) { add(.init(name, .faint), .init(value)) }
  /// Adds a named check.
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
