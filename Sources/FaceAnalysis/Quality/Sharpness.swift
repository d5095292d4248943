/// ISO/IEC 29794-5, sharpness: the amount of detail at the scale of one to two chip pixels over that at twice the
/// scale. The chip's inter-eye distance is 52.5 pixels, so blur is measured relative to the face: as it affects
/// matching. A face that was upsampled to the size of the chip is not sharp either.
///
/// The standard applies a random forest to filter responses. The ratio of two adjacent bands needs no model and is
/// invariant to contrast and slow changes of light. It detects blur despite noise: of 341 training photos blurred by a
/// Gaussian of 3 pixels and then given noise of 3 grey levels, 96 % are below 0.45, against 0.3 % of the unblurred
/// ones. At the threshold that fails 1 % of the unblurred photos, the variance of the Laplacian detects none of the
/// noisy ones.
enum Sharpness {
  @Sendable static func value(of face: QualityInput) -> Measured {
    guard face.isMeasurable else { return .noPixels }
    let side = FaceChips.side
    let first = smoothed(face.luma.map(Float.init), side: side, step: 1)
    let second = smoothed(first, side: side, step: 2)
    let third = smoothed(second, side: side, step: 4)
    let fine = spread(first, second, in: face.region)
    let coarse = spread(second, third, in: face.region)
    // Less than half a grey level is no image content.
    return .value(fine / max(coarse, 0.5))
  }

  /// Smooths by the B3 spline 1 4 6 4 1 along both axes, its taps `step` pixels apart (à trous). With steps of 1, 2 and
  /// 4 in turn, the standard deviations are 1, 2.2 and 4.6 pixels.
  private static func smoothed(_ values: [Float], side: Int, step: Int) -> [Float] {
    var across = [Float](repeating: 0, count: side * side)
    var out = across
    values.withUnsafeBufferPointer { from in
      across.withUnsafeMutableBufferPointer { to in
        for y in 0..<side {
          let row = y * side
          func at(_ x: Int) -> Float { from[row + max(0, min(side - 1, x))] }
          for x in 0..<side {
            to[row + x] =
              x >= 2 * step && x < side - 2 * step
              ? spline(
                from[row + x - 2 * step], from[row + x - step], from[row + x], from[row + x + step],
                from[row + x + 2 * step])
              : spline(at(x - 2 * step), at(x - step), at(x), at(x + step), at(x + 2 * step))
          }
        }
      }
    }
    across.withUnsafeBufferPointer { from in
      out.withUnsafeMutableBufferPointer { to in
        for y in 0..<side {
          func row(_ offset: Int) -> Int { max(0, min(side - 1, y + offset * step)) * side }
          let (above, here, below) = (row(-1), row(0), row(1))
          let (first, last) = (row(-2), row(2))
          for x in 0..<side {
            to[here + x] = spline(
              from[first + x], from[above + x], from[here + x], from[below + x], from[last + x])
          }
        }
      }
    }
    return out
  }

  @inline(__always)
  private static func spline(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ e: Float) -> Float {
    ((a + e) + 4 * (b + d) + 6 * c) * 0.0625
  }

  /// Returns the standard deviation of `a` - `b` in the region.
  private static func spread(_ a: [Float], _ b: [Float], in region: FaceRegion) -> Double {
    var (sum, squares) = (0.0, 0.0)
    for i in region.mask.indices where region.mask[i] == 1 {
      let d = Double(a[i] - b[i])
      sum += d
      squares += d * d
    }
    let n = Double(max(1, region.count))
    return max(0, squares / n - (sum / n) * (sum / n)).squareRoot()
  }
}
