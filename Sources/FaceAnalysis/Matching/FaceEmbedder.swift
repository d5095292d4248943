/// Turns a face chip into numbers that lie close together for photos of one person. One object serves one thread.
protocol FaceEmbedder: AnyObject {
  /// 128 numbers: the mean over the 150×150 chip and its mirror image, which separates people better than either.
  func embed(chip: PixelBuffer) throws -> [Float]
}

func mean(_ a: some Collection<Float>, _ b: some Collection<Float>) -> [Float] { zip(a, b).map { ($0 + $1) / 2 } }
