/// The same network run by dlib itself, for the portable set.
final class DlibEmbedder: FaceEmbedder {
  private let network: DlibNetwork

  init(_ network: DlibNetwork) { self.network = network }

  func embed(chip: PixelBuffer) throws -> [Float] {
    mean(try network.embed(chip), try network.embed(chip.mirrored()))
  }
}
