internal import CVision

extension PixelBuffer {
  /// Fills a network's input, pixel by pixel: (byte + bias) * scale.
  func normalise(bias: Float, scale: Float, into tensor: UnsafeMutableBufferPointer<Float>) {
    fill(tensor, bias: [bias, bias, bias], scale: scale, layout: CVISION_INTERLEAVED)
  }

  /// The bytes as they are, one colour plane behind the other: red, green, blue, or the other way round.
  func copyPlanes(blueFirst: Bool, into tensor: UnsafeMutableBufferPointer<Float>) {
    fill(tensor, bias: [0, 0, 0], scale: 1, layout: blueFirst ? CVISION_PLANES_BGR : CVISION_PLANES)
  }

  private func fill(
    _ tensor: UnsafeMutableBufferPointer<Float>, bias: [Float], scale: Float, layout: some BinaryInteger
  ) {
    precondition(tensor.count == rgb.count && bias.count == 3, "the picture fits the network's input")
    cvision_normalise(rgb, width * height, bias, scale, Int32(layout), tensor.baseAddress)
  }
}
