/// y = a + b x + c x².
struct Parabola {
  var a = 0.0
  var b = 0.0
  var c = 0.0

  func callAsFunction(_ x: Double) -> Double { a + (b + c * x) * x }

  func slope(at x: Double) -> Double { b + 2 * c * x }

  init(a: Double = 0, b: Double = 0, c: Double = 0) { (self.a, self.b, self.c) = (a, b, c) }

  /// The weighted least-squares fit; nil if the points do not determine it.
  init?(through points: some Collection<(x: Double, y: Double, weight: Double)>) {
    // Normal equations in x / unit, for numerical conditioning.
    let unit = max(1e-9, points.reduce(0) { max($0, abs($1.x)) })
    var rows = [[Double]](repeating: [Double](repeating: 0, count: 4), count: 3)
    for (x, y, weight) in points {
      let powers = [1, x / unit, x / unit * x / unit]
      for i in 0..<3 {
        for j in 0..<3 { rows[i][j] += weight * powers[i] * powers[j] }
        rows[i][3] += weight * powers[i] * y
      }
    }
    for i in 0..<3 {
      let pivot = rows[i][i]
      guard abs(pivot) > 1e-9 * max(1e-9, rows[0][0]) else { return nil }
      for j in 0..<3 where j != i {
        let factor = rows[j][i] / pivot
        for k in i..<4 { rows[j][k] -= factor * rows[i][k] }
      }
    }
    self.init(a: rows[0][3] / rows[0][0], b: rows[1][3] / rows[1][1] / unit, c: rows[2][3] / rows[2][2] / (unit * unit))
  }

  /// Returns the same curve with x measured from `origin`.
  func moved(to origin: Double) -> Parabola { Parabola(a: self(origin), b: slope(at: origin), c: c) }
}
