/// A sequence of colours, drawn from a nonce, with which a screen illuminates the face in front of it: a face
/// illuminated in a different sequence did not answer this one.
///
///     let colours = try ColourSequence(nonce: nonce)
///     screen.fill(colours.colour(at: time))                 // seconds since the first colour
///     try session.add(frame, at: time, screenColour: colours.colour(at: time))
///
/// It cannot flash: WCAG 2.3.1 allows three flashes per second, each a pair of opposing changes of at least a tenth of
/// the maximum luminance, or a pair with a saturated red. A colour lasts at least half a second, so there is at most
/// one pair of changes per second; luminances are 0.42 to 0.48, so none is a flash; and the reddest colour has a
/// red-to-sum ratio of 0.66, below the 0.8 of a saturated red.
///
/// The generator, version 1, is that of ``ChallengeScript`` with the label "faceverify colours v1" (21 bytes). For each
/// interval it draws, in this order: the colour, from ``palette`` without the previous one, and its duration, 0.5 to
/// 1.0 seconds in steps of 0.1.
public struct ColourSequence: Sendable, Hashable {
  public struct Interval: Sendable, Hashable {
    /// sRGB red, green and blue, 0 to 1.
    public let colour: SIMD3<Double>
    /// Start in seconds from the start of the first interval.
    public let begin: Double
    public let seconds: Double
  }

  /// Grey, red, green and blue of nearly equal luminance.
  public static let palette: [SIMD3<Double>] = [
    SIMD3(0.7, 0.7, 0.7), SIMD3(1, 0.55, 0.55), SIMD3(0.45, 0.8, 0.45), SIMD3(0.6, 0.68, 1),
  ]

  /// The maximum number of colours; a shorter sequence from the same nonce is a prefix.
  package static let longest = 100

  public let intervals: [Interval]

  /// - Parameters:
  ///   - nonce: 16 to 64 bytes, used only once.
  ///   - count: The number of colours, 1 to 100.
  /// - Throws: ``VerifyError/Code/badArgument``.
  public init(nonce: [UInt8], count: Int = 12) throws {
    var numbers = try NonceNumbers("faceverify colours v1", nonce: nonce)
    guard (1...Self.longest).contains(count) else {
      throw VerifyError(.badArgument, "a sequence must have 1 to \(Self.longest) colours, not \(count)")
    }
    var intervals: [Interval] = []
    // Tenths of a second: their sums are exact.
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

  /// Returns the colour shown at a time; nil before and after the sequence.
  public func colour(at seconds: Double) -> SIMD3<Double>? {
    guard seconds < duration else { return nil }
    return intervals.last { $0.begin <= seconds }?.colour
  }

  /// Returns whether a colour is shown within `tolerance` seconds of a time.
  func shows(_ colour: SIMD3<Double>, at seconds: Double, within tolerance: Double) -> Bool {
    intervals.contains { interval in
      interval.begin - tolerance <= seconds && seconds <= interval.begin + interval.seconds + tolerance
        // To 8 bits, as programs pass colours on; the palette's colours differ by at least 25 levels.
        && (interval.colour - colour).indices.allSatisfy { abs(interval.colour[$0] - colour[$0]) <= 1 / 255.0 }
    }
  }
}
