/// The network run by BLAS, for the portable set.
final class DlibEmbedder: FaceEmbedder {
  private let network: DlibNetwork

  init(_ network: DlibNetwork) { self.network = network }

  func embed(_ chips: FaceChips) throws -> [Float] {
    mean(try network.embed(chips.near), try network.embed(chips.wide))
  }
}
