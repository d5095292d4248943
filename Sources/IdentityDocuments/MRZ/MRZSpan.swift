/// Neighbouring characters of one line of a machine readable zone.
package struct MRZSpan: Sendable, Hashable {
  package let line: Int
  package let columns: Range<Int>

  init(_ line: Int, _ columns: Range<Int>) {
    self.line = line
    self.columns = columns
  }
}
