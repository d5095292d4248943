/// What stands in the way of reading a code.
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
  /// There is something like a code, and nothing is wrong with its picture: it is damaged, or of a kind that is not read or
  /// was not asked for.
  public static let notDecoded = CodeFault(rawValue: "not-decoded")

  public static let allCases: [CodeFault] = [
    .noneThere, .tooFar, .tooNear, .blurred, .glare, .tilted, .partlyOut, .lowContrast, .notDecoded,
  ]

  /// One sentence: what to do.
  public var advice: String {
    switch self {
    case .noneThere: "No code is seen: point the camera at one."
    case .tooFar: "The code is too small in the picture: come closer."
    case .tooNear: "The code is larger than the picture: move away a little."
    case .blurred: "The picture is blurred: hold still, let the camera focus."
    case .glare: "Light is reflected by the code: tilt it, or move the lamp."
    case .tilted: "The code is seen from the side: hold the camera straight above it."
    case .partlyOut: "A part of the code is outside the picture: show it whole."
    case .lowContrast: "The code is hardly darker than its ground: give it more light, or a better print."
    default: "A code may be there, but it could not be decoded: it may be damaged, or of a kind that is not read."
    }
  }
}

extension CodeFault {
  // All chosen on simulated pictures of codes that zxing-cpp could just not read any more, or still read (training/codes names
  // the seeds). docs/codes.md says how they do on others.

  /// What is less like a code, in the mean of three views, is worth a try to read it, and not to be called one. Of 3,210
  /// photos of faces none has more, of 509 simulated codes that could not be read 10 have less (docs/codes.md).
  private static let leastLikeness = 0.85
  /// Levels of grey. Of codes that contrast alone keeps from being read 17 to 66; of all others 110 and more.
  private static let leastContrast = 70.0
  /// The share of a code that is white without texture. Only a reflection makes any: of 621 codes without one none had.
  /// On paper as white as that gaps between bars, and blurred ones more, are as white, too.
  private static let mostGlare = (own: 0.0003, onWhite: 0.003)
  /// Pixels of an edge, and squares of the code of one. Sharp codes have edges of 1.1 to 1.9 pixels; near ones wider ones,
  /// of a sixth of a square. Under reflections edges are softer by up to a fifth.
  private static let mostEdge = (pixels: 2.2, modules: 0.4, glare: 1.5)
  /// Pixels, or shares of the picture's longer side, of the sharpest edges of all: where none is sharper nobody can say that no
  /// code is there. Of 3,210 photos of faces three have wider ones, of 44 documents none; of 28 blurred codes that were not
  /// seen all had.
  private static let sharpestEdge = (pixels: 5.0, share: 1.0 / 128)
  /// The share of the picture's width or height, where the code is cut and where that is not seen. Other codes that were not
  /// read took up to 0.66, but for one of 0.85.
  private static let mostExtent = (cut: 0.8, whole: 0.9)
  /// Of bars. Those that face the camera have up to 1.16, those that do not 1.03 to 1.5: not all are told.
  private static let mostTaper = 1.165
  /// Degrees. Matrices that face the camera have 3 at most, bars 8, whose ends are found less well.
  private static let mostSlant = (matrix: 5.0, bars: 8.5)
  /// Squares look 1 to 1.3 times as long as wide; those of PDF417 1.8 to 3.6 times, along its shorter side.
  private static let squareStretch = (own: 1.3, pdf417: 1.8, most: 3.8)
  /// Pixels. Codes at the limit of reading have 1.4 to 2.6.
  private static let leastModule = 3.0

  /// The shares of a whole picture's dark and of its light pixels, of both, and of pixels at edges; and how square these are: a
  /// few squares of a code fill it. Of 160 pictures of codes that were too near all have more in which nothing else was seen,
  /// of 3,454 without a code none. One edge through the picture has less than a hundredth of it.
  private static let filled = (each: 0.25, both: 0.88, changing: 0.01, squareness: 0.8)

  /// How wide the sharpest edges of a whole picture are, over what they may be; 0 where it has too little contrast to tell.
  static func haze(of grey: GreyPicture) -> Double { haze(grey.edges, in: grey) }

  private static func haze(_ edges: EdgeMeasures, in grey: GreyPicture) -> Double {
    guard edges.contrast >= leastContrast else { return 0 }
    return edges.edge / max(sharpestEdge.pixels, sharpestEdge.share * Double(max(grey.width, grey.height)))
  }

  /// What keeps a code from being seen, if there is one.
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

  /// Whether a place is like enough to a code to be called one.
  static func isSeen(_ place: CodePlace) -> Bool { place.likeness >= leastLikeness }

  /// What keeps the code at the likeliest place from being read, or one from being seen.
  init(of place: CodePlace?, in grey: GreyPicture) {
    // What is hardly darker than its ground is hardly like a code, either.
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
      // What it leaves may look cut.
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
  /// Of the whole picture; 100,000 pixels tell as much as all.
  fileprivate var edges: EdgeMeasures {
    EdgeMeasures(pixels, width: width, sharpest: 0.001, every: max(1, pixels.count / 100_000))
  }
}
