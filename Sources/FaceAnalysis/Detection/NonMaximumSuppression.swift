/// Weighted non-maximum suppression: merges detections that overlap by more than `overlap` into one face, whose box and
/// points are their mean weighted by score. More stable between frames than keeping the best only (BlazeFace, arXiv
/// 1907.05047).
func merged(_ detections: [DetectedFace], overlap: Double = 0.3) -> [DetectedFace] {
  var rest = detections.sorted { ($0.score, $1.box.x, $1.box.y) > ($1.score, $0.box.x, $0.box.y) }
  var faces: [DetectedFace] = []
  while let best = rest.first {
    let same = rest.filter { $0.box.overlap(with: best.box) > overlap && $0.points.count == best.points.count }
    rest.removeAll { $0.box.overlap(with: best.box) > overlap }
    if same.isEmpty { rest.removeFirst() }
    let total = same.reduce(0) { $0 + $1.score }
    guard total > 0 else {
      faces.append(best)
      continue
    }
    func mean(_ value: (DetectedFace) -> Double) -> Double { same.reduce(0) { $0 + $1.score * value($1) } / total }
    var face = best
    face.box = Rectangle(x: mean(\.box.x), y: mean(\.box.y), width: mean(\.box.width), height: mean(\.box.height))
    for i in face.points.indices { face.points[i] = Point(x: mean { $0.points[i].x }, y: mean { $0.points[i].y }) }
    faces.append(face)
  }
  return faces.sorted { ($0.box.area, $1.box.x, $1.box.y) > ($1.box.area, $0.box.x, $0.box.y) }
}
