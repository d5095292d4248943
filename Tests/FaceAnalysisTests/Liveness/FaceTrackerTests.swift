import TestSupport
import Testing

@testable import FaceAnalysis

@Suite("FaceTracker: one face through many frames", .needsModels, .needsSamples)
struct FaceTrackerTests {
  private static let size = (width: 640, height: 480)

  /// The portrait in a frame, with its centre and height.
  private func frame(_ name: String = "obama.jpg", x: Double = 320, y: Double = 240, height: Double = 420) throws
    -> PixelBuffer
  {
    let portrait = try Photo(path: Installed.sample(name)).pixels()
    let width = Double(portrait.width) * height / Double(portrait.height)
    return try PixelBuffer.plain(width: Self.size.width, height: Self.size.height)
      .with(
        portrait.resized(width: Int(width), height: Int(height)), x: Int(x - width / 2), y: Int(y - height / 2))
  }

  private func error(_ a: LocatedFace, _ b: LocatedFace) -> Double {
    let apart = zip(a.landmarks.alignment, b.landmarks.alignment).map { a, b in
      ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
    }
    return apart.reduce(0, +) / Double(apart.count) / b.landmarks.interEyeDistance
  }

  @Test("a moving and growing face is searched for once, and agrees with the detector")
  func follows() throws {
    let pipeline = try Shared.pipeline()
    var tracker = FaceTracker()
    for i in 0..<30 {
      let frame = try frame(x: 260 + 4 * Double(i), y: 240 - Double(i), height: 380 + 3 * Double(i))
      let face = try #require(try tracker.face(in: frame, by: pipeline))
      let detected = try #require(try pipeline.find(in: frame))
      #expect(error(face, detected) < 0.06)
      #expect(abs(face.box.width / detected.box.width - 1) < 0.15)
      #expect(abs(face.box.centre.x - detected.box.centre.x) < 0.15 * detected.box.width)
    }
    #expect(tracker.searches == 1)
  }

  @Test("a lost face is reported immediately, and is found when it returns")
  func losesAndFinds() throws {
    let pipeline = try Shared.pipeline()
    var tracker = FaceTracker()
    let (shown, empty) = (try frame(), try PixelBuffer.plain(width: 640, height: 480))
    #expect(try tracker.face(in: shown, by: pipeline) != nil)
    #expect(try tracker.face(in: empty, by: pipeline) == nil)
    #expect(try tracker.face(in: empty, by: pipeline) == nil)
    #expect(try tracker.face(in: shown, by: pipeline) != nil)
    #expect(tracker.searches == 4)
  }

  @Test("a face that extends beyond the frame is found, too", .needsModels)
  func closeUp() throws {
    let pipeline = try Shared.pipeline()
    let portrait = try Photo(path: Installed.sample("biden.jpg")).pixels()
    let face = try #require(try pipeline.find(in: portrait))
    for share in [0.6, 0.7] {
      let map = AffineMap(square: face.box.centre, side: share * face.box.width, angle: 0, pixels: 480)
      let close = portrait.crop(map: map.betweenPixels, width: 480, height: 480)
      var tracker = FaceTracker()
      let found = try #require(try tracker.face(in: close, by: pipeline))
      #expect(try pipeline.find(in: close) == nil)
      #expect(abs(found.box.width * share / 480 - 1) < 0.25)
      #expect(tracker.searches == 1)
    }
  }

  @Test("a face that jumps, and a frame of another size, cause a new search")
  func jumps() throws {
    let pipeline = try Shared.pipeline()
    var tracker = FaceTracker()
    _ = try tracker.face(in: frame(x: 180, height: 300), by: pipeline)
    let jumped = try #require(try tracker.face(in: frame(x: 470, height: 300), by: pipeline))
    #expect(jumped.box.centre.x > 400)
    #expect(tracker.searches == 2)
    let small = try frame().resized(width: 320, height: 240)
    #expect(try tracker.face(in: small, by: pipeline) != nil)
    #expect(tracker.searches == 3)
  }

  @Test("without a mesh every frame is searched", .needsDlibModels)
  func withoutMesh() throws {
    let pipeline = try Shared.pipeline(.dlib)
    var tracker = FaceTracker()
    for _ in 0..<3 { #expect(try tracker.face(in: frame(), by: pipeline) != nil) }
    #expect(tracker.searches == 3)
  }
}
