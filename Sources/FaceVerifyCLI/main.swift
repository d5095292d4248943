import FaceAnalysis
let a = try LoadedModels(set: .standard, store: ModelStore(folder: "models"), threads: 1).makePipeline()
let b = try LoadedModels(set: .dlib, store: ModelStore(folder: "models"), threads: 1).makePipeline()
while let path = readLine() {
  let photo = try Photo(path: path)
  guard let f = try a.locate(in: photo).first, let g = try b.locate(in: photo).first else { continue }
  print(f.landmarks.alignment.map { "\($0.x) \($0.y)" }.joined(separator: " "), g.landmarks.alignment.map { "\($0.x) \($0.y)" }.joined(separator: " "), f.landmarks.pose!.yaw)
}
