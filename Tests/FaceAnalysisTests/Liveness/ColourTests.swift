import Glibc
import TestSupport
import Testing

@testable import FaceAnalysis

@Suite("Screen colours and their reflection on the face")
struct ColourTests {
  private static let nonce = [UInt8](repeating: 3, count: 16)

  /// The expected sequences are from an implementation of the documented generator in Python, with its hashlib: indices
  /// into the palette, and tenths of a second.
  @Test("a sequence equals that of the documented generator")
  func knownSequences() throws {
    func numbers(_ nonce: [UInt8], _ count: Int) throws -> [[Int]] {
      try ColourSequence(nonce: nonce, count: count).intervals.map {
        [ColourSequence.palette.firstIndex(of: $0.colour) ?? -1, Int((10 * $0.seconds).rounded())]
      }
    }
    #expect(
      try numbers([UInt8](repeating: 0, count: 16), 8)
        == [[3, 9], [0, 8], [1, 7], [0, 7], [3, 8], [2, 7], [3, 10], [0, 8]])
    #expect(try numbers(Array(0..<32), 6) == [[1, 6], [3, 9], [0, 9], [1, 10], [0, 7], [3, 8]])
  }

  @Test("one nonce yields one sequence; none flashes")
  func sequence() throws {
    let colours = try ColourSequence(nonce: Self.nonce)
    #expect(try colours == ColourSequence(nonce: Self.nonce))
    #expect(try colours != ColourSequence(nonce: [UInt8](repeating: 4, count: 16)))
    for seed in 0..<200 {
      let colours = try ColourSequence(nonce: [UInt8](repeating: UInt8(seed), count: 16), count: 20)
      for (a, b) in zip(colours.intervals, colours.intervals.dropFirst()) {
        #expect(a.colour != b.colour)
        // Two changes per second are at most one flash: WCAG 2.3.1 allows three.
        #expect((0.5...1).contains(a.seconds) && abs(a.begin + a.seconds - b.begin) < 1e-9)
        #expect(colours.colour(at: b.begin) == b.colour)
      }
      #expect(colours.colour(at: -0.1) == nil && colours.colour(at: colours.duration) == nil)
    }
    for nonce in [[], [UInt8](repeating: 0, count: 65)] {
      #expect(throws: VerifyError(.badArgument, "")) { try ColourSequence(nonce: nonce) }
    }
    #expect(throws: VerifyError(.badArgument, "")) { try ColourSequence(nonce: Self.nonce, count: 0) }
  }

  @Test("luminances differ by less than a flash, and no red is saturated")
  func palette() {
    let linear = ColourSequence.palette.map { colour in
      SIMD3(0, 1, 2).indices.reduce(into: colour) { $0[$1] = pow(($0[$1] + 0.055) / 1.055, 2.4) }
    }
    let luminances = linear.map { ($0 * SIMD3(0.2126, 0.7152, 0.0722)).sum() }
    #expect((luminances.max() ?? 1) - (luminances.min() ?? 0) < 0.1)
    #expect(linear.allSatisfy { $0.x / $0.sum() < 0.8 })
  }

  /// A sample photo with noise, its face lit by a screen that shows `light`, `lag` seconds late; the room's colour
  /// drifts.
  private func check(
    showing shown: ColourSequence, lit light: ColourSequence?, share: Double = 0.4, rate: Double = 30,
    lag: Double = 0.1, seconds: Double = 8, claiming isClaimed: (Double) -> Bool = { _ in true }
  ) throws -> LivenessCheck {
    let portrait = try Photo(path: Installed.sample("obama.jpg")).pixels()
    let small = portrait.resized(width: portrait.width * 240 / portrait.height, height: 240)
    let face = try #require(try Shared.pipeline().find(in: small))
    var random = SignalFrames.RandomNumbers()
    let frames = try (0..<Int(seconds * rate)).map { i -> LivenessFrame in
      let time = Double(i) / rate
      let colour = light?.colour(at: time - lag) ?? SIMD3(0.7, 0.7, 0.7)
      let picture = try small.changed { pixel, x, y in
        let (dx, dy) = (
          (x * Double(small.width) - face.box.centre.x) / face.box.width,
          (y * Double(small.height) - face.box.centre.y) / face.box.height
        )
        let near = dx * dx + dy * dy < 0.8 ? 1.0 : 0.1
        let drift = SIMD3(1, 1 + 0.05 * sin(time), 1)
        return pixel * drift * (1 - share * near + share * near * colour / 0.7) + 2 * random.next()
      }
      return LivenessFrame(
        time: time, refused: 0, picture: picture, face: face, motion: nil, isFound: false, isSampled: false,
        texture: nil, portraitSample: nil,
        screenColour: isClaimed(time) ? shown.colour(at: time) : nil)
    }
    return ColourResponse.check(frames)
  }

  @Test("a face reflects the screen's own colours, not another sequence", .needsModels, .needsSamples)
  func response() throws {
    let shown = try ColourSequence(nonce: Self.nonce)
    let lit = try check(showing: shown, lit: shown)
    #expect(lit.status == .passed)
    #expect((lit.value ?? 0) > 0.8)
    let other = try check(showing: shown, lit: ColourSequence(nonce: [UInt8](repeating: 9, count: 16)), share: 0.6)
    #expect(other.status == .failed)
    #expect(try check(showing: shown, lit: nil).status == .notChecked)
  }

  @Test(
    "a camera may lag by a third of a second at any frame rate", .needsModels, .needsSamples,
    arguments: [8, 12, 24.0])
  func lag(rate: Double) throws {
    let shown = try ColourSequence(nonce: Self.nonce)
    for lag in [0, 0.2, 0.3] {
      #expect(try check(showing: shown, lit: shown, share: 0.6, rate: rate, lag: lag).value ?? 0 > 0.7)
    }
    #expect(try check(showing: shown, lit: shown, share: 0.6, rate: rate, lag: 0.8).status == .failed)
  }

  @Test("colours claimed only where another recording matches prove nothing", .needsModels, .needsSamples)
  func selected() throws {
    let shown = try ColourSequence(nonce: Self.nonce, count: 30)
    let other = try ColourSequence(nonce: [UInt8](repeating: 9, count: 16), count: 30)
    let selected = try check(showing: shown, lit: other, share: 0.6, rate: 12, seconds: 20) {
      shown.colour(at: $0) == other.colour(at: $0 - 0.1)
    }
    #expect(selected.status == .notChecked)
    #expect(selected.text.hasPrefix("Too few frames report a colour"))
    // Frames lost by the network are few.
    let honest = try check(showing: shown, lit: shown) { Int(($0 * 30).rounded()) % 12 != 0 }
    #expect(honest.status == .passed)
  }

  @Test("without colours the check is not made")
  func unavailable() {
    #expect(ColourResponse.check([]).status == .notChecked)
  }
}
