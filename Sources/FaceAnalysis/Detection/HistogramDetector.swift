/// The dlib set's detector: histograms of oriented gradients with a linear classifier, for faces of 80 pixels or more.
final class HistogramDetector: FaceDetector {
  let sureScore = 0.0
  private let detector: DlibDetector

  init() throws { detector = try DlibDetector() }

  func faces(in picture: PixelBuffer, search: FaceSearch, budget: Budget) throws -> [DetectedFace] {
    try budget.check()
    // dlib scans all positions and sizes; the picture is transformed only for what it cannot detect.
    switch search {
    case .frame:
      return merged(try faces(in: picture, map: AffineMap(scale: 1, angle: 0, origin: Point(x: 0, y: 0)), turn: 0))
    case .margin:
      let margin = Double(max(picture.width, picture.height)) * 0.3
      let map = AffineMap(scale: 1, angle: 0, origin: Point(x: -margin, y: -margin))
      let searched = picture.crop(map, width: picture.width + Int(2 * margin), height: picture.height + Int(2 * margin))
      return merged(try faces(in: searched, map: map, turn: 0))
    case .turned(let degrees):
      let quarter = degrees % 180 != 0
      let (width, height) =
        quarter ? (picture.height, picture.width) : (picture.width, picture.height)
      var map = AffineMap(scale: 1, angle: -Double(degrees) * .pi / 180, origin: Point(x: 0, y: 0))
      let middle = map(Point(x: Double(width) / 2, y: Double(height) / 2))
      map.x = Double(picture.width) / 2 - middle.x
      map.y = Double(picture.height) / 2 - middle.y
      let searched = picture.crop(map, width: width, height: height)
      return merged(try faces(in: searched, map: map, turn: degrees))
    case .tiles(let side):
      guard Self.pixels(ofTile: side) > side else { return [] }
      return merged(
        try FaceSearch.middles(ofTiles: side, in: picture).flatMap { middle in
          try budget.check()
          return try faces(in: picture, FaceSearch.Square(centre: middle, side: Double(side), turn: 0))
        })
    case .square(let square): return merged(try faces(in: picture, square))
    }
  }

  /// Returns the side at which a face that fills a twelfth of the tile has 80 pixels.
  private static func pixels(ofTile side: Int) -> Int { min(960, 4 * side) }

  private func faces(in picture: PixelBuffer, _ square: FaceSearch.Square) throws -> [DetectedFace] {
    let pixels = Self.pixels(ofTile: Int(square.side))
    let map = AffineMap(
      square: square.centre, side: square.side, angle: -Double(square.turn) * .pi / 180, pixels: pixels)
    return try faces(in: picture.crop(map, width: pixels, height: pixels), map: map, turn: square.turn)
  }

  /// - Parameter map: Maps positions in `searched` to positions in the picture.
  private func faces(in searched: PixelBuffer, map: AffineMap, turn: Int) throws -> [DetectedFace] {
    try detector.detect(in: searched).map { hit in
      let a = map(Point(x: hit.box.x, y: hit.box.y))
      let b = map(Point(x: hit.box.x + hit.box.width, y: hit.box.y + hit.box.height))
      return DetectedFace(
        box: Rectangle(x: min(a.x, b.x), y: min(a.y, b.y), width: abs(b.x - a.x), height: abs(b.y - a.y)),
        score: hit.score, points: [], turn: turn)
    }
  }
}
