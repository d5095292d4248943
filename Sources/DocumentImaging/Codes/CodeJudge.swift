/// Decides whether a code's print is an original. Supplied by the caller, since the features of an original are the
/// issuer's.
public protocol CodeJudge: Sendable {
  /// The side in pixels of the upright square to which a specimen is rectified.
  var side: Int { get }
  /// The minimum length in frame pixels of the code's shortest side: below it, no decision is possible.
  var leastSide: Double { get }
  /// The maximum edge width of the code in frame pixels.
  var mostEdge: Double { get }
  /// Returns whether a code of this kind can be judged.
  func canJudge(_ reading: CodeReading) -> Bool
  func judge(_ specimen: CodeSpecimen) throws -> CodeVerdict
}

/// A code as passed to a judge: the best of the frames that confirmed it.
public struct CodeSpecimen: Sendable {
  public let reading: CodeReading
  /// Grey levels of the code, upright and square, ``side`` × ``side``, row-major.
  public let pixels: [UInt8]
  public let side: Int
  /// The zone next to the code (``CodeScanner/Configuration/zone``), ``side`` pixels wide; nil if there is none.
  public let zone: PixelBuffer?
  /// Frame pixels per specimen pixel: below 1 the specimen is upsampled.
  public let resolution: Double
  /// The width of the sharpest edges in frame pixels.
  public let edge: Double
  /// The difference between dark and light in grey levels.
  public let contrast: Double
}

/// The result of a judge.
public struct CodeVerdict: Sendable, Hashable {
  /// ``CheckStatus/passed`` for an original.
  public let status: CheckStatus
  /// The judge's own score; nil if it has none.
  public let score: Double?
  /// An explanation in one sentence.
  public let text: String

  public init(status: CheckStatus, score: Double?, text: String) {
    (self.status, self.score, self.text) = (status, score, text)
  }
}

extension CodeVerdict: JSONConvertible {
  public var jsonValue: JSONValue {
    ["status": .string(status.rawValue), "score": .significant(score, 4), "text": .string(text)]
  }
}
