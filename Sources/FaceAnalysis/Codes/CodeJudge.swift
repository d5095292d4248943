/// Decides whether a code's print is an original. Supplied by the program: what makes an original is the issuer's to know.
public protocol CodeJudge: Sendable {
  /// Pixels of the side of the upright square that a specimen is brought to.
  var side: Int { get }
  /// Pixels of the code's shortest side that a frame must show: fewer hold no answer.
  var leastSide: Double { get }
  /// Pixels of the frame that an edge of the code may take.
  var mostEdge: Double { get }
  /// Whether such a code has anything to judge it by.
  func canJudge(_ reading: CodeReading) -> Bool
  func judge(_ specimen: CodeSpecimen) throws -> CodeVerdict
}

/// A code as a judge gets it: the best of the frames that confirmed it.
public struct CodeSpecimen: Sendable {
  public let reading: CodeReading
  /// Grey levels of the code, upright and square, ``side`` × ``side``, row by row.
  public let pixels: [UInt8]
  public let side: Int
  /// The zone beside the code (``CodeScanner/Configuration/zone``), as wide as ``side``; nil if there is none.
  public let zone: PixelBuffer?
  /// Pixels of the frame for each pixel here: below 1 there is less detail than it seems.
  public let resolution: Double
  /// Pixels of the frame from dark to light at the sharpest edges.
  public let edge: Double
  /// Grey levels between dark and light.
  public let contrast: Double
}

/// What a judge says.
public struct CodeVerdict: Sendable, Hashable {
  /// ``CheckStatus/passed`` for an original.
  public let status: CheckStatus
  /// The judge's own measure; nil if it has none.
  public let score: Double?
  /// One sentence.
  public let text: String

  public init(status: CheckStatus, score: Double?, text: String) {
    self.status = status
    self.score = score
    self.text = text
  }
}
