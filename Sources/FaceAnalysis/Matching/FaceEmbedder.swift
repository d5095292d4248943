/// Maps a face to a vector that is close for photos of one person. Not thread-safe.
package protocol FaceEmbedder: AnyObject {
  /// The crop and alignment of its input.
  var framing: Framing { get }
  /// Returns the mean over the views.
  func embed(_ chips: FaceChips) throws -> [Float]
}

extension FaceEmbedder {
  package var framing: Framing { .chip }
}

/// An OpenVINO network that takes the planes of a ``Framing`` and returns a vector whose direction identifies the person.
final class DirectionEmbedder: FaceEmbedder {
  let framing: Framing
  private let request: InferenceRequest

  /// - Parameter model: Takes one view, or two in one batch.
  init(_ model: CompiledModel, framing: Framing) throws {
    self.framing = framing
    request = try InferenceRequest(model)
    let view = 3 * framing.side * framing.side
    guard [1, framing.zooms.count].contains(request.input.count / view), request.input.count % view == 0 else {
      throw VerifyError(.modelMismatch, "the embedding network's input has \(request.input.count) numbers")
    }
  }

  func embed(_ chips: FaceChips) throws -> [Float] {
    let view = 3 * framing.side * framing.side
    let batch = request.input.count / view
    var sum: [Float] = []
    for first in stride(from: 0, to: chips.views.count, by: batch) {
      for i in 0..<batch {
        let input = request.input[i * view..<(i + 1) * view]
        chips.views[first + i].copyPlanes(
          blueFirst: framing.blueFirst, bias: framing.bias, scale: framing.scale, into: .init(rebasing: input))
      }
      try request.run()
      let numbers = try request.output(0)
      let dimensions = numbers.count / batch
      for i in 0..<batch {
        let vector = unit(numbers[i * dimensions..<(i + 1) * dimensions])
        sum = sum.isEmpty ? vector : zip(sum, vector).map(+)
      }
    }
    for k in sum.indices { sum[k] /= Float(chips.views.count) }
    return sum
  }
}

/// dlib's network, run with BLAS, for the dlib set.
final class DlibEmbedder: FaceEmbedder {
  private let network: DlibNetwork

  init(_ network: DlibNetwork) { self.network = network }

  func embed(_ chips: FaceChips) throws -> [Float] {
    let vectors = try chips.views.map(network.embed)
    return zip(vectors[0], vectors[1]).map { ($0 + $1) / 2 }
  }
}
