/// Colours that a screen shows one after the other to light the face before it, drawn from a nonce: light that falls on
/// the face in another order than was drawn is not an answer to it.
///
///     let colours = try ColourSequence(nonce: nonce)
///     screen.fill(colours.colour(at: time))                 // seconds since the first one
///     try session.add(frame, at: time, screenColour: colours.colour(at: time))
///
/// It cannot flash: WCAG 2.3.1 allows three flashes a second, each a pair of opposing changes of a tenth or more of the
/// greatest luminance, or a pair with a saturated red. A colour stays for half a second at least, so that there is one
/// pair of changes a second at most; luminances are 0.42 to 0.48, so that none is a flash; and the reddest has a
/// red-to-sum ratio of 0.66, where 0.8 is called saturated.
///
/// The generator, version 1, is that of ``ChallengeScript`` with the label "faceverify colours v1" (21 letters). For each
/// interval are drawn, in this order: the colour, among those of ``palette`` without the last one; and how long it stays, 0.5
/// to 1.0 seconds in steps of 0.1.
public struct ColourSequence: Sendable, Hashable {
  public struct Interval: Sendable, Hashable {
    /// Red, green and blue of sRGB, 0 to 1.
    public let colour: SIMD3<Double>
    /// When it begins, in seconds from the first interval's begin on.
    public let begin: Double
    public let seconds: Double
  }

  /// Grey, red, green and blue of nearly equal luminance.
  public static let palette: [SIMD3<Double>] = [
    SIMD3(0.7, 0.7, 0.7), SIMD3(1, 0.55, 0.55), SIMD3(0.45, 0.8, 0.45), SIMD3(0.6, 0.68, 1),
  ]

  /// How many colours a sequence has at most; shorter ones of a nonce are its beginning.
  package static let longest = 100

  public let intervals: [Interval]

  /// - Parameters:
  ///   - nonce: 16 to 64 bytes that are used once.
  ///   - count: how many colours, 1 to 100.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public init(nonce: [UInt8], count: Int = 12) throws {
    guard (ChallengeScript.minimumNonceBytes...ChallengeScript.maximumNonceBytes).contains(nonce.count) else {
      throw VerifyError(
        .badArgument,
        "a nonce must have \(ChallengeScript.minimumNonceBytes) to \(ChallengeScript.maximumNonceBytes) bytes, "
          + "not \(nonce.count)")
    }
    guard (1...Self.longest).contains(count) else {
      throw VerifyError(.badArgument, "a sequence must have 1 to \(Self.longest) colours, not \(count)")
    }
    var numbers = NonceNumbers("faceverify colours v1", nonce: nonce)
    var intervals: [Interval] = []
    // Tenths of a second: sums of them are exact.
    var begin = 0
    for _ in 0..<count {
      let left = Self.palette.filter { $0 != intervals.last?.colour }
      let colour = left[numbers.below(left.count)]
      let tenths = 5 + numbers.below(6)
      intervals.append(Interval(colour: colour, begin: Double(begin) / 10, seconds: Double(tenths) / 10))
      begin += tenths
    }
    self.intervals = intervals
  }

  /// Seconds.
  public var duration: Double { (intervals.last.map { $0.begin + $0.seconds }) ?? 0 }

  /// The colour that is shown at a time; nil before and after the sequence.
  public func colour(at seconds: Double) -> SIMD3<Double>? {
    guard seconds < duration else { return nil }
    return intervals.last { $0.begin <= seconds }?.colour
  }

  /// Whether a colour is shown at a time, or so many seconds before or after it.
  func shows(_ colour: SIMD3<Double>, at seconds: Double, within tolerance: Double) -> Bool {
    intervals.contains { interval in
      interval.begin - tolerance <= seconds && seconds <= interval.begin + interval.seconds + tolerance
        // Of eight bits, as programs pass colours on; the palette's differ by 25 levels and more.
        && (interval.colour - colour).indices.allSatisfy { abs(interval.colour[$0] - colour[$0]) <= 1 / 255.0 }
    }
  }
}
