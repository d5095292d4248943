import FaceAnalysis
let models = try LoadedModels(set: .standard, store: ModelStore(folder: "models"), threads: 1)
let p = try models.makePipeline()
var k = 0
while let path = readLine() {
  let photo = try Photo(path: path)
  let faces = try p.locate(in: photo)
  print(path.split(separator: "/").last!, photo.width, photo.height, faces.count)
  for f in faces { 
    let l = f.landmarks
    func r(_ x: Double) -> Double { (x*100).rounded()/100 }
    print("   ", r(f.box.x), r(f.box.y), r(f.box.width), r(f.score), r(l.mesh?.presence ?? -1), f.turn, "yaw", r(l.pose?.yaw ?? 0), r(l.pose?.pitch ?? 0), r(l.pose?.roll ?? 0), "eyes", r(l.rightEye?.openness ?? 0), r(l.leftEye?.openness ?? 0)) }
  if let f = faces.first { 
    let chip = try p.chips(of: f, in: photo).plain
    try RegularFile.write(chip.encodedAsPNG(), to: "/tmp/dbg/chip\(k).png")
    var pic = try photo.pixels()
    let m = max(1, Double(max(pic.width, pic.height)) / 600)
    for q in f.landmarks.mesh?.points ?? [] { pic.drawDisc(centre: q, radius: 0.7*m, colour: 0x00ff00) }
    for q in (f.landmarks.rightEye?.lids ?? []) { pic.drawDisc(centre: q, radius: m, colour: 0xff0000) }
    for q in (f.landmarks.leftEye?.lids ?? []) { pic.drawDisc(centre: q, radius: m, colour: 0x0000ff) }
    for q in f.landmarks.alignment { pic.drawDisc(centre: q, radius: 1.5*m, colour: 0xffff00) }
    try RegularFile.write(pic.encodedAsPNG(), to: "/tmp/dbg/pic\(k).png")
    k += 1
  }
}
