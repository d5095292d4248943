import Glibc

/// How far a face was moved, turned in the picture's plane and brought nearer, over the frames.
struct FaceWay {
  private var sum = SIMD4(0.0, 0, 0, 0)
  private var squares = SIMD4(0.0, 0, 0, 0)
  private(set) var frames = 0

  mutating func add(_ view: FaceView, from origin: FaceView) {
    let place = SIMD4(
      view.centre.x / origin.height, view.centre.y / origin.height, view.angle, log(view.height / origin.height))
    sum += place
    squares += place * place
    frames += 1
  }

  /// Root mean square, in heights of the face at a point one height from its middle.
  var length: Double {
    guard frames > 0 else { return 0 }
    let n = Double(frames)
    return max(0, (squares / n - sum * sum / (n * n)).sum()).squareRoot()
  }
}
