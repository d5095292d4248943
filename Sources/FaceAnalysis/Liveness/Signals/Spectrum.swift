internal import Glibc

/// The two-dimensional Fourier transform of a windowed field; sides are powers of two.
struct Spectrum {
  let width: Int
  let height: Int
  /// Row-major; negative frequencies in the upper half.
  private(set) var real: [Float]
  private(set) var imaginary: [Float]

  /// Transforms the values minus their mean, with a Hann window.
  init(_ values: [Float], width: Int, height: Int) {
    precondition(values.count == width * height, "the number of values is width * height")
    self.width = width
    self.height = height
    let mean = values.reduce(0, +) / Float(values.count)
    let (across, down) = (Self.window(width), Self.window(height))
    real = values
    imaginary = [Float](repeating: 0, count: values.count)
    for y in 0..<height {
      for x in 0..<width { real[y * width + x] = (values[y * width + x] - mean) * across[x] * down[y] }
    }
    let (rows, columns) = (Turns(width), Turns(height))
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        for y in 0..<height { rows.transform(real, imaginary, first: y * width, step: 1) }
        for x in 0..<width { columns.transform(real, imaginary, first: x, step: width) }
      }
    }
  }

  static func window(_ count: Int) -> [Float] {
    (0..<count).map { Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(count))) }
  }

  /// A one-dimensional transform (Cooley and Tukey 1965, in place, radix 2).
  private struct Turns {
    private let count: Int
    private let cosines: [Float]
    private let sines: [Float]
    private let reversed: [Int]

    init(_ count: Int) {
      precondition(count > 1 && count & (count - 1) == 0, "sides are powers of two")
      self.count = count
      let angles = (0..<count / 2).map { -2 * Double.pi * Double($0) / Double(count) }
      cosines = angles.map { Float(cos($0)) }
      sines = angles.map { Float(sin($0)) }
      var reversed = [0]
      while reversed.count < count { reversed = reversed.map { 2 * $0 } + reversed.map { 2 * $0 + 1 } }
      self.reversed = reversed
    }

    func transform(
      _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>, first: Int, step: Int
    ) {
      for i in 0..<count where i < reversed[i] {
        real.swapAt(first + i * step, first + reversed[i] * step)
        imaginary.swapAt(first + i * step, first + reversed[i] * step)
      }
      var half = 1
      while half < count {
        for start in stride(from: 0, to: count, by: 2 * half) {
          for k in 0..<half {
            let (c, s) = (cosines[k * (count / 2 / half)], sines[k * (count / 2 / half)])
            let (a, b) = (first + (start + k) * step, first + (start + k + half) * step)
            let (re, im) = (real[b] * c - imaginary[b] * s, real[b] * s + imaginary[b] * c)
            (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im)
            (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im)
          }
        }
        half *= 2
      }
    }
  }
}
