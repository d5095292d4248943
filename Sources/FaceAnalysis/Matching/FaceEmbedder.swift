/// Turns a face into 128 numbers that lie close together for photos of one person. One object serves one thread.
package protocol FaceEmbedder: AnyObject {
  /// The mean over both chips.
  func embed(_ chips: FaceChips) throws -> [Float]
}

func mean(_ a: some Collection<Float>, _ b: some Collection<Float>) -> [Float] { zip(a, b).map { ($0 + $1) / 2 } }
