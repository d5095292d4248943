import FaceAnalysis
let models = try LoadedModels(set: .standard, store: ModelStore(folder: "models"), threads: 1)
let p = try models.makePipeline()
while let path = readLine() {
  let photo = try Photo(path: path)
  let faces = try p.locate(in: photo)
  print(path.split(separator: "/").last!, photo.width, photo.height, faces.count)
  for f in faces { 
    let l = f.landmarks
    func r(_ x: Double) -> Double { (x*100).rounded()/100 }
    print("   ", r(f.box.x), r(f.box.y), r(f.box.width), r(f.score), r(l.mesh?.presence ?? -1), f.turn, "yaw", r(l.pose?.yaw ?? 0), r(l.pose?.pitch ?? 0), r(l.pose?.roll ?? 0), "eyes", r(l.rightEye?.openness ?? 0), r(l.leftEye?.openness ?? 0)) }
}
