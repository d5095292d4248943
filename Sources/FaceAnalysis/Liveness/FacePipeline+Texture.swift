extension FacePipeline {
  package func texture(of face: LocatedFace) throws -> Double? { nil }
}
