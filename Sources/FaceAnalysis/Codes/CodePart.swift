/// A part of a picture, with some of what lies around a place, enlarged.
struct CodePart {
  private let x: Int
  private let y: Int
  private let width: Int
  private let height: Int
  private let scale: Double

  /// A quiet zone, and what the place's corners may be off: the share of the place's size, and pixels.
  private static let margin = (share: 0.15, pixels: 12.0)
  /// Pixels of a side beyond which nothing is enlarged: it needs no help, and costs time.
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

  /// Reads codes in it; corners are the whole picture's.
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

/// A way of looking at a place again.
struct CodeTry {
  var scale = 1.0
  var isSharpened = false
  /// Of paper and cloth that is not flat; shares of the part's width and height.
  var bend = Point(x: 0, y: 0)
  var looks: GreyPicture.Looks = [.turned, .harder]

  /// At thin bars, whatever was read of them.
  static let closer = CodeTry(scale: 2)
  /// At a place that nothing was read of yet.
  static let first = [CodeTry(looks: [.turned, .reduced]), CodeTry(looks: .everything)]

  /// Larger by how small the code's squares are, sharper, with one level of black; of matrices in photos, bent four ways.
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
  /// Whether a reading is of the code here.
  func holds(_ reading: CodeReading) -> Bool { reading.corners.areCentred(within: corners) }

  /// Bars of as few pixels as these are misread: of a simulated Code 128 of 1.4 pixels two lines of 50 said something else.
  var hasThinBars: Bool { isLinear && module < 3 }
}

extension [Point] {
  /// Whether their middle lies in the upright rectangle around others.
  func areCentred(within others: [Point]) -> Bool {
    func isWithin(_ values: [Double], _ others: [Double]) -> Bool {
      let middle = values.reduce(0, +) / Double(Swift.max(1, values.count))
      return middle >= others.min() ?? 0 && middle <= others.max() ?? 0
    }
    return isWithin(map(\.x), others.map(\.x)) && isWithin(map(\.y), others.map(\.y))
  }
}
