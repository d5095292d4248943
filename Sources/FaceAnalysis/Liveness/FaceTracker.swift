/// Follows one face through the frames of a stream: each mesh frames the next one, and the detector looks only where there
/// is none to follow (the way the mesh network is meant to be used: arXiv 1907.06724, 3).
package struct FaceTracker {
  private var last: LocatedFace?
  /// All faces of the last frame, if the detector had to look there; nil if the face was followed.
  private(set) var found: [LocatedFace]?
  /// How often the detector had to look.
  package private(set) var searches = 0

  package init() {}

  /// The face in the next frame; nil if there is none. Frames may change in size: then it is searched anew.
  package mutating func face(in frame: PixelBuffer, by pipeline: FacePipeline) throws -> LocatedFace? {
    let known = last.flatMap { $0.picture.width == frame.width && $0.picture.height == frame.height ? $0 : nil }
    last = nil
    found = nil
    last = try known.flatMap { try pipeline.follow($0, in: frame) } ?? search(frame, by: pipeline)
    return last
  }

  private mutating func search(_ frame: PixelBuffer, by pipeline: FacePipeline) throws -> LocatedFace? {
    var faces = try pipeline.all(in: frame)
    // A face that reaches beyond the frame is often found only with a margin around it; not looked for each time, since
    // most frames without a face have none.
    if faces.isEmpty, searches.isMultiple(of: 2) { faces = try pipeline.all(in: frame, search: .margin) }
    searches += 1
    found = faces
    return FacePipeline.mostProminent(of: faces)
  }
}
