import FaceAnalysis
import TestSupport
import Testing

@Suite("BlinkSearch")
struct BlinkSearchTests {
  /// Openness of the eyes over time, as fractions of the resting openness.
  private typealias Eyes = (Double) -> (right: Double, left: Double)

  private static let rates = [10.0, 12, 15, 24, 30, 60]

  /// 0 before `from`, 1 from `from` + `down` for `rest` seconds, and 0 again `up` later.
  private static func pulse(_ time: Double, from: Double, down: Double = 0.08, rest: Double = 0.1, up: Double = 0.15)
    -> Double
  {
    let (a, b, c) = (from + down, from + down + rest, from + down + rest + up)
    if time < from || time > c { return 0 }
    return time < a ? (time - from) / down : time <= b ? 1 : (c - time) / up
  }

  private func count(
    _ eyes: Eyes, rate: Double = 30, offset: Double = 0, seconds: Double = 4
  ) -> (blinks: Int, failures: Int) {
    var search = BlinkSearch()
    var blinks = 0
    for i in 0..<Int(seconds * rate) {
      let time = offset + Double(i) / rate
      var motion = SimulatedPerson.calm
      motion.time = time
      let open = eyes(time)
      motion.rightOpenness *= open.right
      motion.leftOpenness *= open.left
      if search.add(motion) { blinks += 1 }
    }
    return (blinks, search.failures)
  }

  private static func both(_ share: Double) -> (right: Double, left: Double) { (share, share) }

  @Test("three blinks are counted at 10 to 60 frames per second, at any phase", arguments: rates)
  func blinks(rate: Double) {
    for part in 0..<8 {
      let found = count(
        { time in Self.both(1 - 0.85 * [0.8, 1.8, 2.9].map { Self.pulse(time, from: $0) }.reduce(0, +)) },
        rate: rate, offset: Double(part) / 8 / rate)
      #expect(found == (3, 0), "\(part)")
    }
  }

  @Test("lids that close unevenly, to 0.52 and 0.55 of their openness, are a blink", arguments: rates)
  func uneven(rate: Double) {
    let found = count(
      { time in
        let closed = Self.pulse(time, from: 1)
        return (1 - 0.48 * closed, 1 - 0.45 * closed)
      }, rate: rate)
    #expect(found == (1, 0))
  }

  @Test("a wink is not a blink", arguments: rates)
  func wink(rate: Double) {
    for isLeft in [true, false] {
      let found = count(
        { time in
          let (closed, other) = (1 - 0.95 * Self.pulse(time, from: 1, rest: 0.2), 1 - 0.15 * Self.pulse(time, from: 1))
          return isLeft ? (other, closed) : (closed, other)
        }, rate: rate)
      #expect(found.blinks == 0)
    }
  }

  @Test("a squint, slow or held, is not a blink", arguments: rates)
  func squint(rate: Double) {
    let slow = count({ Self.both(1 - 0.5 * Self.pulse($0, from: 1, down: 0.8, rest: 0.5, up: 0.8)) }, rate: rate)
    #expect(slow.blinks == 0)
    #expect(count({ Self.both(1 - 0.5 * Self.pulse($0, from: 1, rest: 1.5)) }, rate: rate).blinks == 0)
  }

  @Test("eyes that close slowly or stay closed are not a blink; a blink afterwards is", arguments: rates)
  func slow(rate: Double) {
    let slow = count(
      { Self.both(1 - 0.8 * Self.pulse($0, from: 1, down: 1, rest: 0, up: 0.1) - 0.8 * Self.pulse($0, from: 3.2)) },
      rate: rate)
    #expect(slow == (1, 1))
    let long = count(
      { Self.both(1 - 0.9 * Self.pulse($0, from: 1, rest: 1.4) - 0.9 * Self.pulse($0, from: 3.4)) }, rate: rate)
    #expect(long == (1, 1))
  }

  @Test("blinks are detected with initially lowered and later narrowed eyes", arguments: rates)
  func castDown(rate: Double) {
    // Lowered for a second, open for a second, lowered again; a blink in each.
    let found = count(
      { time in
        let gaze = (1..<2.2).contains(time) ? 1.0 : 0.72
        return Self.both(gaze * (1 - 0.8 * [0.5, 1.6, 3].map { Self.pulse(time, from: $0) }.reduce(0, +)))
      }, rate: rate)
    #expect(found.blinks == 3)
  }

  @Test("wandering eyes are not a blink")
  func wander() {
    for rate in Self.rates {
      let found = count({ time in Self.both(Int(time / 0.9).isMultiple(of: 2) ? 1 : 0.65) }, rate: rate)
      #expect(found.blinks == 0)
    }
  }

  @Test("jittering landmarks, as with glasses, cause no blink and hide none", arguments: rates)
  func trembling(rate: Double) {
    for seed in 0..<20 {
      var random = SplitMix(state: UInt64(seed))
      func noise() -> Double { Double.random(in: -0.1...0.1, using: &random) }
      #expect(count({ _ in (1 + noise(), 1 + noise()) }, rate: rate).blinks == 0)
      let blinking = count(
        { time in
          let closed = 0.8 * Self.pulse(time, from: 1.5)
          return (1 - closed + noise(), 1 - closed + noise())
        }, rate: rate)
      #expect(blinking.blinks == 1, "\(seed)")
    }
  }

  @Test("invalid values in a frame are ignored, and tracking restarts after a loss")
  func nonsense() {
    var search = BlinkSearch()
    func add(_ time: Double, _ openness: Double) -> Bool {
      var motion = SimulatedPerson.calm
      (motion.time, motion.rightOpenness, motion.leftOpenness) = (time, openness, openness)
      return search.add(motion)
    }
    for i in 0..<10 { #expect(!add(Double(i) / 10, 0.25)) }
    #expect(!add(1, .nan) && search.isReady)
    #expect(!add(1.1, 0.03) && search.isClosed)
    search.reset()
    #expect(!search.isClosed && !add(1.2, 0.25) && !add(1.3, 0.25))
  }
}
