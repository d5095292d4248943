import Glibc
import TestSupport
import Testing

@testable import DocumentImaging
@testable import FaceVerify
@testable import FaceVerifyEvaluation

@Suite("PatternJudge")
struct PatternJudgeTests {
  private static let cells = 32
  private static let area = Rectangle(x: 0, y: 0, width: 1, height: 1)

  /// A simulated press, scanner and camera: a picture is ink from 0 to 1, with `fine` samples per cell.
  private struct Copying {
    static let fine = 6
    var random: SplitMix
    let side = cells * fine

    mutating func normal() -> Double {
      let u = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random)
      return (-2 * log(u)).squareRoot() * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
    }

    func blurred(_ values: [Double], cells sigma: Double) -> [Double] {
      let sigma = sigma * Double(Self.fine)
      let radius = max(1, Int((3 * sigma).rounded(.up)))
      var weights = (-radius...radius).map { exp(-0.5 * pow(Double($0) / sigma, 2)) }
      let sum = weights.reduce(0, +)
      weights = weights.map { $0 / sum }
      var across = values
      var out = values
      for y in 0..<side {
        for x in 0..<side {
          var total = 0.0
          for k in -radius...radius { total += weights[k + radius] * values[y * side + min(side - 1, max(0, x + k))] }
          across[y * side + x] = total
        }
      }
      for y in 0..<side {
        for x in 0..<side {
          var total = 0.0
          for k in -radius...radius { total += weights[k + radius] * across[min(side - 1, max(0, y + k)) * side + x] }
          out[y * side + x] = total
        }
      }
      return out
    }

    /// Print with dot gain of a third of a cell, more or less, thresholded at half coverage.
    mutating func printed(_ ink: [Double], gain mean: Double = 0.33, level other: Double = 0.5) -> [Double] {
      let gain = mean + 0.03 * normal()
      let level = other + 0.03 * normal()
      return blurred(ink, cells: max(0.1, gain)).map { 1 / (1 + exp(-12 * ($0 - level))) }
    }

    /// A copy of a print by a scanner: blur, noise, and thresholding.
    mutating func scanned(_ print: [Double], blur: Double = 0.3) -> [Double] {
      let soft = blurred(print, cells: blur + 0.03 * abs(normal()))
      return soft.map { $0 + 0.03 * normal() > 0.5 ? 1 : 0 }
    }

    /// The camera's picture, with four pixels per cell.
    mutating func seen(_ print: [Double]) -> [UInt8] {
      let soft = blurred(print, cells: 0.3 + 0.05 * abs(normal()))
      let out = 4 * PatternJudgeTests.cells
      var pixels = [UInt8](repeating: 0, count: out * out)
      for y in 0..<out {
        for x in 0..<out {
          let ink = soft[(y * side / out) * side + x * side / out]
          pixels[y * out + x] = UInt8(max(0, min(255, 220 - 180 * ink + 4 * normal())))
        }
      }
      return pixels
    }
  }

  private static func score(_ pixels: [UInt8], _ pattern: [Bool]) -> Double {
    PatternJudge.score(pixels, side: 4 * cells, pattern: pattern, cells: cells, area: area) ?? 0
  }

  /// The upper bound of a 95 % interval.
  private static func bound(_ hits: Int, of count: Int) -> Double {
    BinomialBounds(errors: hits, trials: count)?.upper ?? 1
  }

  /// With originals and copies not used in the enrolment, some from other presses and scanners. docs/codes.md states
  /// the printed rates.
  // Rows: ST10
  @Test("distinguishes simulated copies from simulated originals")
  func errorRates() throws {
    #expect(abs(Self.bound(0, of: 200) - 0.0183) < 1e-3 && abs(Self.bound(3, of: 200) - 0.0432) < 1e-3)
    var copying = Copying(random: SplitMix(state: 7))
    let pattern = (0..<Self.cells * Self.cells).map { _ in Bool.random(using: &copying.random) }
    let fine = Copying.fine
    var ink = [Double](repeating: 0, count: copying.side * copying.side)
    for y in 0..<copying.side {
      for x in 0..<copying.side { ink[y * copying.side + x] = pattern[(y / fine) * Self.cells + x / fine] ? 1 : 0 }
    }
    func original(gain: Double = 0.33, level: Double = 0.5) -> Double {
      Self.score(copying.seen(copying.printed(ink, gain: gain, level: level)), pattern)
    }
    func copy(blur: Double = 0.3, gain: Double = 0.33) -> Double {
      let scan = copying.scanned(copying.printed(ink), blur: blur)
      return Self.score(copying.seen(copying.printed(scan, gain: gain)), pattern)
    }
    let judge = try PatternJudge(
      pattern: pattern, cells: Self.cells, area: Self.area, enrolled: (0..<50).map { _ in original() })
    let count = 200
    func told(_ what: String, _ wrong: Int, _ name: String) {
      print("simulated: \(what): \(wrong) of \(count) \(name), 95 % bound \(Self.bound(wrong, of: count))")
    }
    // The enrolled press, then presses with more and less dot gain.
    for (what, gain, level) in [
      ("originals of the enrolled press", 0.33, 0.5), ("more ink", 0.33, 0.45), ("a coarser press", 0.38, 0.5),
      ("a finer press", 0.25, 0.5),
    ] {
      let rejected = (0..<count).count { _ in original(gain: gain, level: level) < judge.limit }
      told(what, rejected, "rejected")
      // Coarser presses must be enrolled separately: their prints differ from the enrolled ones.
      if gain <= 0.33 && level == 0.5 { #expect(rejected <= count / 20) }
    }
    // The issuer's press, then other scanners and presses; the last one is finer than the issuer's.
    for (what, blur, gain) in [
      ("copies by the same press", 0.3, 0.33), ("a soft scanner", 0.45, 0.33), ("a coarser press", 0.3, 0.4),
      ("a sharp scanner", 0.15, 0.33), ("a sharp scanner, a finer press", 0.15, 0.2),
    ] {
      let accepted = (0..<count).count { _ in copy(blur: blur, gain: gain) >= judge.limit }
      told(what, accepted, "accepted")
      if blur >= 0.3 { #expect(accepted <= count / 20) }
    }
  }

  @Test("invalid input is rejected, and unmeasurable input is not judged")
  func limits() throws {
    let pattern = [Bool](repeating: true, count: 64)
    let enrolled = [Double](repeating: 0.9, count: 10)
    func judge(_ cells: Int, _ area: Rectangle, _ enrolled: [Double]) throws -> PatternJudge {
      try PatternJudge(pattern: pattern, cells: cells, area: area, enrolled: enrolled)
    }
    for (cells, area, enrolled) in [
      (7, Self.area, enrolled), (8, Rectangle(x: 0.5, y: 0, width: 1, height: 1), enrolled), (8, Self.area, [0.9]),
    ] {
      #expect(throws: VerifyError(.badArgument, "")) { try judge(cells, area, enrolled) }
    }
    let reading = CodeReading(format: .qr, bytes: [], text: "", marked: [], identifier: "", isGS1: false)
    let specimen = CodeSpecimen(
      reading: reading, pixels: [UInt8](repeating: 9, count: 32 * 32), side: 32, zone: nil, resolution: 1, edge: 1,
      contrast: 0)
    #expect(try judge(8, Self.area, enrolled).judge(specimen).status == .notChecked)
    #expect(PatternJudge.score([], side: 0, pattern: [], cells: 0, area: Self.area) == nil)
  }
}
