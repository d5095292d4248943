/// The dlib set's detector: histograms of oriented gradients under a linear classifier, in scales from 80 pixels up.
final class HistogramDetector: FaceDetector {
  let sureScore = 0.0
  private let detector: DlibDetector

  init() throws { detector = try DlibDetector() }

  func faces(in picture: PixelBuffer, search: FaceSearch) throws -> [DetectedFace] {
    // dlib scans all positions and sizes by itself; only what it cannot see is offered in another form.
    let (searched, map): (PixelBuffer, AffineMap)
    switch search {
    case .frame:
      (searched, map) = (picture, AffineMap(scale: 1, angle: 0, origin: Point(x: 0, y: 0)))
    case .margin:
      let margin = Double(max(picture.width, picture.height)) * 0.3
      map = AffineMap(scale: 1, angle: 0, origin: Point(x: -margin, y: -margin))
      searched = picture.crop(
        map: map.betweenPixels, width: picture.width + Int(2 * margin), height: picture.height + Int(2 * margin))
    case .turned(let degrees):
      let quarter = degrees % 180 != 0
      let (width, height) =
        quarter ? (picture.height, picture.width) : (picture.width, picture.height)
      var turned = AffineMap(scale: 1, angle: -Double(degrees) * .pi / 180, origin: Point(x: 0, y: 0))
      let middle = turned(Point(x: Double(width) / 2, y: Double(height) / 2))
      turned.x = Double(picture.width) / 2 - middle.x
      turned.y = Double(picture.height) / 2 - middle.y
      map = turned
      searched = picture.crop(map: map.betweenPixels, width: width, height: height)
    case .tiles(let side):
      // The size at which a face of a twelfth of the tile has 80 pixels, in one piece.
      let scale = min(960 / Double(side), 4)
      guard scale > 1 else { return [] }
      map = AffineMap(scale: 1 / scale, angle: 0, origin: Point(x: 0, y: 0))
      searched = picture.resized(
        width: Int(Double(picture.width) * scale), height: Int(Double(picture.height) * scale))
    }
    let turn = if case .turned(let degrees) = search { degrees } else { 0 }
    let found = try detector.detect(in: searched).map { hit in
      let a = map(Point(x: hit.box.x, y: hit.box.y))
      let b = map(Point(x: hit.box.x + hit.box.width, y: hit.box.y + hit.box.height))
      return DetectedFace(
        box: Rectangle(x: min(a.x, b.x), y: min(a.y, b.y), width: abs(b.x - a.x), height: abs(b.y - a.y)),
        score: hit.score, points: [], turn: turn)
    }
    return merged(found)
  }
}
