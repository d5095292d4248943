/// Why a code was not read.
public struct CodeFault: RawRepresentable, Sendable, Hashable, CaseIterable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Nothing in the picture looks like a code.
  public static let noneThere = CodeFault(rawValue: "none-there")
  public static let tooFar = CodeFault(rawValue: "too-far")
  public static let tooNear = CodeFault(rawValue: "too-near")
  public static let blurred = CodeFault(rawValue: "blurred")
  public static let glare = CodeFault(rawValue: "glare")
  public static let tilted = CodeFault(rawValue: "tilted")
  public static let partlyOut = CodeFault(rawValue: "partly-out-of-frame")
  public static let lowContrast = CodeFault(rawValue: "low-contrast")
  /// A code was detected without a fault in the picture: it is damaged, or its format is not supported or was not
  /// requested.
  public static let notDecoded = CodeFault(rawValue: "not-decoded")

  public static let allCases: [CodeFault] = [
    .noneThere, .tooFar, .tooNear, .blurred, .glare, .tilted, .partlyOut, .lowContrast, .notDecoded,
  ]

  /// Advice in one sentence.
  public var advice: String {
    switch self {
    case .noneThere: "No code is visible: point the camera at one."
    case .tooFar: "The code is too small in the picture: come closer."
    case .tooNear: "The code is larger than the picture: move away a little."
    case .blurred: "The picture is blurred: hold still, let the camera focus."
    case .glare: "Light is reflected by the code: tilt it, or move the lamp."
    case .tilted: "The code is tilted: hold the camera parallel to it."
    case .partlyOut: "A part of the code is outside the picture: show it whole."
    case .lowContrast: "The code has too little contrast: use more light or a better print."
    default: "There may be a code, but it cannot be decoded: it may be damaged or of an unsupported format."
    }
  }
}

extension CodeFault {
  // All chosen on simulated pictures of codes at the limit of zxing-cpp, just read or just not read (training/codes has
  // the seeds). Results on other data: docs/codes.md.

  /// Below this mean likelihood over three views, a place is tried but not reported as a code. No face in 3,210 photos
  /// is above it; 10 of 509 simulated unreadable codes are below (docs/codes.md).
  private static let leastLikeness = 0.85
  /// Grey levels. Codes that are unreadable only for lack of contrast have 17 to 66, all others 110 or more.
  private static let leastContrast = 70.0
  /// The share of a code that is white without texture. Only reflections cause it: none of 621 codes without one had
  /// any. On very white paper, gaps between bars are as white, blurred ones more so.
  private static let mostGlare = (own: 0.0003, onWhite: 0.003)
  /// Edge widths in pixels and in modules. Sharp codes have edges of 1.1 to 1.9 pixels; close codes have wider ones, a
  /// sixth of a module. Reflections soften edges by up to a fifth.
  private static let mostEdge = (pixels: 2.2, modules: 0.4, glare: 1.5)
  /// Edge width in pixels, and as a fraction of the picture's longer side, of the sharpest edges in the whole picture:
  /// above it, a code cannot be ruled out. Of 3,210 photos of faces three are above, of 44 documents none; all of 28
  /// blurred, undetected codes were.
  private static let sharpestEdge = (pixels: 5.0, share: 1.0 / 128)
  /// The code's extent as a fraction of the picture's width or height: with a visible cut, and without. Other unread
  /// codes had at most 0.66, except one with 0.85.
  private static let mostExtent = (cut: 0.8, whole: 0.9)
  /// For linear codes. Those facing the camera have up to 1.16, tilted ones 1.03 to 1.5: not all tilted codes are
  /// detected.
  private static let mostTaper = 1.165
  /// Degrees. Matrix codes that face the camera have at most 3, linear codes 8, since their ends are located less
  /// precisely.
  private static let mostSlant = (matrix: 5.0, bars: 8.5)
  /// Modules look 1 to 1.3 times as long as wide; those of PDF417 1.8 to 3.6 times, along its shorter side.
  private static let squareStretch = (own: 1.3, pdf417: 1.8, most: 3.8)
  /// Module size in pixels. Codes at the limit of legibility have 1.4 to 2.6.
  private static let leastModule = 3.0

  /// For the whole picture: the share of dark and of light pixels, of both together, and of pixels at edges; and the
  /// squareness of these edges, for a few modules that fill the picture. All of 160 pictures of codes too close to be
  /// detected otherwise are above these limits, none of 3,454 without a code. One edge through the picture has less
  /// than a hundredth of edge pixels.
  private static let filled = (each: 0.25, both: 0.88, changing: 0.01, squareness: 0.8)

  /// Returns the width of a whole picture's sharpest edges over the limit; 0 with too little contrast to measure.
  static func haze(of grey: GreyPicture) -> Double { haze(grey.edges, in: grey) }

  private static func haze(_ edges: EdgeMeasures, in grey: GreyPicture) -> Double {
    guard edges.contrast >= leastContrast else { return 0 }
    return edges.edge / max(sharpestEdge.pixels, sharpestEdge.share * Double(max(grey.width, grey.height)))
  }

  /// Why no code was detected.
  private init(unseenIn grey: GreyPicture) {
    let edges = grey.edges
    if Self.haze(edges, in: grey) > 1 {
      self = .blurred
    } else if edges.contrast >= Self.leastContrast, min(edges.dark, edges.light) > Self.filled.each,
      edges.dark + edges.light > Self.filled.both, edges.changing > Self.filled.changing,
      edges.squareness > Self.filled.squareness
    {
      self = .tooNear
    } else {
      self = .noneThere
    }
  }

  /// Returns whether a place is similar enough to a code to be reported as one.
  static func isSeen(_ place: CodePlace) -> Bool { place.likeness >= leastLikeness }

  /// Why the code at the likeliest place was not read, or why none was detected.
  init(of place: CodePlace?, in grey: GreyPicture) {
    // A code with little contrast has a low likelihood as well.
    guard let place, Self.isSeen(place) || place.contrast < Self.leastContrast else {
      self.init(unseenIn: grey)
      return
    }
    let xs = place.corners.map(\.x)
    let ys = place.corners.map(\.y)
    let wide = ((xs.max() ?? 0) - (xs.min() ?? 0)) / Double(grey.width)
    let high = ((ys.max() ?? 0) - (ys.min() ?? 0)) / Double(grey.height)
    let isCutTwice = place.cut & 5 == 5 || place.cut & 10 == 10
    let isSkewed =
      place.isLinear
      ? place.taper > Self.mostTaper || place.slant > Self.mostSlant.bars
      : place.slant > Self.mostSlant.matrix || place.stretch > Self.squareStretch.most
        || place.stretch > Self.squareStretch.own
          && (place.stretch < Self.squareStretch.pdf417 || place.elongation > Self.squareStretch.own)
    let isGlaring = place.glare >= (place.isOnWhite ? Self.mostGlare.onWhite : Self.mostGlare.own)
    let widest = Self.mostEdge.pixels * (isGlaring && !place.isOnWhite ? Self.mostEdge.glare : 1)
    if place.contrast < Self.leastContrast {
      self = .lowContrast
    } else if place.edge > widest && place.edge > Self.mostEdge.modules * place.module {
      self = .blurred
    } else if isGlaring {
      // A reflection may make a code look cut.
      self = .glare
    } else if isCutTwice || max(wide, high) > (place.cut == 0 ? Self.mostExtent.whole : Self.mostExtent.cut) {
      self = .tooNear
    } else if place.cut != 0 {
      self = .partlyOut
    } else if isSkewed {
      self = .tilted
    } else if place.module < Self.leastModule {
      self = .tooFar
    } else {
      self = .notDecoded
    }
  }
}

extension GreyPicture {
  /// Edge measures of the whole picture; a sample of 100,000 pixels suffices.
  fileprivate var edges: EdgeMeasures {
    EdgeMeasures(pixels, width: width, sharpest: 0.001, every: max(1, pixels.count / 100_000))
  }
}

extension CodeFault: JSONConvertible {
  public var jsonValue: JSONValue { ["code": .string(rawValue), "advice": .string(advice)] }
}
