/// A part of a picture around a place, with a margin, enlarged.
struct CodePart {
  private let x: Int
  private let y: Int
  private let width: Int
  private let height: Int
  private let scale: Double

  /// The margin for the quiet zone and for inaccurate corners: as a fraction of the place's size, and in pixels.
  private static let margin = (share: 0.15, pixels: 12.0)
  /// The longest side in pixels up to which parts are enlarged: larger ones do not need it, and cost time.
  private static let longestSide = 1600.0

  init(around place: CodePlace, in grey: GreyPicture, scale: Double) {
    let xs = place.corners.map(\.x)
    let ys = place.corners.map(\.y)
    let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
    let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
    let margin = Self.margin.share * max(right - left, bottom - top) + Self.margin.pixels
    func inside(_ value: Double, _ end: Int) -> Int { Int(max(0, min(Double(end), value))) }
    x = inside(left - margin, grey.width)
    y = inside(top - margin, grey.height)
    width = inside(right + margin, grey.width) - x
    height = inside(bottom + margin, grey.height) - y
    self.scale = max(1, min(scale, Self.longestSide / Double(max(width, height, 1))))
  }

  /// Reads codes in the part; corners are in pixels of the whole picture.
  func read(from grey: GreyPicture, _ formats: [CodeFormat], by way: CodeTry) throws -> [CodeReading] {
    guard
      let part = try grey.part(
        x: x, y: y, width: width, height: height, scale: scale, sharpened: way.isSharpened, bend: way.bend)
    else { return [] }
    return try part.readCodes(formats, looks: way.looks).map { reading in
      reading.replacing(
        corners: reading.corners.map { Point(x: Double(x) + $0.x / scale, y: Double(y) + $0.y / scale) })
    }
  }
}

/// Parameters of another attempt at a place.
struct CodeTry {
  var scale = 1.0
  var isSharpened = false
  /// Bending of paper or cloth, as fractions of the part's width and height.
  var bend = Point(x: 0, y: 0)
  var looks: GreyPicture.Looks = [.turned, .harder]

  /// For thin bars, even if they were read.
  static let closer = CodeTry(scale: 2)
  /// For a place where nothing has been read.
  static let first = [CodeTry(looks: [.turned, .reduced]), CodeTry(looks: .everything)]

  /// Enlarged according to the module size, sharpened, with one black threshold; for matrix codes in photos, also bent
  /// four ways.
  static func second(for place: CodePlace, _ effort: CodeReader.Effort) -> [CodeTry] {
    let scale = place.module < 4 ? 2.0 : 1
    let oneLevel: GreyPicture.Looks = [.turned, .harder, .oneLevel]
    var all = [
      CodeTry(scale: scale, isSharpened: true), CodeTry(scale: scale + 1),
      CodeTry(scale: scale, isSharpened: true, looks: oneLevel),
    ]
    guard effort == .photo else { return all }
    all.append(CodeTry(scale: scale, looks: oneLevel))
    guard !place.isLinear else { return all }
    for bend in [(0, 0.05), (0, -0.05), (0.05, 0), (-0.05, 0)] {
      for looks in [[.turned, .harder], oneLevel] {
        all.append(CodeTry(scale: 2, bend: Point(x: bend.0, y: bend.1), looks: looks))
      }
    }
    return all
  }
}

extension CodePlace {
  /// Returns whether a reading is of the code here.
  func holds(_ reading: CodeReading) -> Bool { reading.corners.areCentred(within: corners) }

  /// Bars this narrow are misread: of a simulated Code 128 of 1.4 pixels, two lines of 50 gave a different text.
  var hasThinBars: Bool { isLinear && module < 3 }
}

extension [Point] {
  /// Returns whether the centroid is in the bounding box of other points.
  func areCentred(within others: [Point]) -> Bool {
    func isWithin(_ values: [Double], _ others: [Double]) -> Bool {
      let middle = values.reduce(0, +) / Double(Swift.max(1, values.count))
      return middle >= others.min() ?? 0 && middle <= others.max() ?? 0
    }
    return isWithin(map(\.x), others.map(\.x)) && isWithin(map(\.y), others.map(\.y))
  }
}
