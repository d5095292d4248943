extension String {
  /// Returns the Levenshtein distance: the least number of characters to insert, delete or replace.
  package func distance(to other: String) -> Int {
    let (a, b) = (Array(self), Array(other))
    var row = Array(0...b.count)
    for i in a.indices {
      var last = row[0]
      row[0] = i + 1
      for j in b.indices {
        (last, row[j + 1]) = (row[j + 1], Swift.min(row[j + 1] + 1, row[j] + 1, last + (a[i] == b[j] ? 0 : 1)))
      }
    }
    return row[b.count]
  }
}
