/// Tracks one face through the frames of a stream: each mesh defines the crop of the next one, and the detector runs
/// only if there is no face to track (as the mesh network is designed to be used: arXiv 1907.06724, 3).
package struct FaceTracker {
  private var last: LocatedFace?
  /// All faces of the last frame if the detector ran; nil if the face was tracked.
  private(set) var found: [LocatedFace]?
  /// The number of times the detector ran.
  package private(set) var searches = 0

  package init() {}

  /// Returns the face in the next frame; nil if there is none. A change in frame size restarts the search.
  package mutating func face(in frame: PixelBuffer, by pipeline: FacePipeline) throws -> LocatedFace? {
    let known = last.flatMap { $0.picture.width == frame.width && $0.picture.height == frame.height ? $0 : nil }
    last = nil
    found = nil
    last = try known.flatMap { try pipeline.follow($0, in: frame) } ?? search(frame, by: pipeline)
    return last
  }

  /// Searches for a face again in the next frame.
  mutating func lose() { last = nil }

  private mutating func search(_ frame: PixelBuffer, by pipeline: FacePipeline) throws -> LocatedFace? {
    var faces = try pipeline.all(in: frame)
    // A face that extends beyond the frame is often found only with a margin around it. This is tried every other time,
    // since most frames without a detected face have none.
    if faces.isEmpty, searches.isMultiple(of: 2) { faces = try pipeline.all(in: frame, search: .margin) }
    searches += 1
    found = faces
    return FacePipeline.mostProminent(of: faces)
  }
}
