internal import CVision

extension PixelBuffer {
  /// Fills a network's interleaved input with (byte + bias) * scale.
  package func normalise(bias: Float, scale: Float, into tensor: UnsafeMutableBufferPointer<Float>) {
    fill(tensor, bias, scale, CVISION_INTERLEAVED)
  }

  /// Fills a network's planar input with (byte + bias) * scale, in the order red, green, blue or its reverse.
  package func copyPlanes(
    blueFirst: Bool, bias: Float = 0, scale: Float = 1, into tensor: UnsafeMutableBufferPointer<Float>
  ) { fill(tensor, bias, scale, blueFirst ? CVISION_PLANES_BGR : CVISION_PLANES) }

  private func fill(
    _ tensor: UnsafeMutableBufferPointer<Float>, _ bias: Float, _ scale: Float, _ layout: some BinaryInteger
  ) {
    precondition(tensor.count == rgb.count, "the picture fits the network's input")
    cvision_normalise(rgb, width * height, [bias, bias, bias], scale, Int32(layout), tensor.baseAddress)
  }
}
