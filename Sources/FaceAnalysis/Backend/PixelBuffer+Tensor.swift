internal import CVision

extension PixelBuffer {
  /// Fills a network's input, pixel by pixel: (byte + bias) * scale.
  func normalise(bias: Float, scale: Float, into tensor: UnsafeMutableBufferPointer<Float>) {
    fill(tensor, bias: [bias, bias, bias], scale: scale, planar: 0)
  }

  /// The same with a bias for each colour, one colour plane behind the other.
  func normalisePlanar(bias: [Float], scale: Float, into tensor: UnsafeMutableBufferPointer<Float>) {
    fill(tensor, bias: bias, scale: scale, planar: 1)
  }

  private func fill(
    _ tensor: UnsafeMutableBufferPointer<Float>, bias: [Float], scale: Float, planar: Int32
  ) {
    precondition(tensor.count == rgb.count && bias.count == 3, "the picture fits the network's input")
    cvision_normalise(rgb, width * height, bias, scale, planar, tensor.baseAddress)
  }
}
