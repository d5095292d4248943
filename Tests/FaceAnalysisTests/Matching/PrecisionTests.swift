import FaceAnalysis
import TestSupport
import Testing

/// The effects of bf16 and their limits; docs/performance.md has the measurements.
@Suite(
  "Computing in bf16", .needsModels,
  Need("bf16", "run it on a processor with AMX-BF16 or AVX512-BF16", isMet: Processor.bf16Unit != nil))
struct PrecisionTests {
  /// About a fifth of the difference between the thresholds for FMR 1e-2 and 1e-3.
  private static let score = 0.4
  /// Pixels at an inter-eye distance of 60.
  private static let landmark = 0.3
  /// A tenth of the threshold's distance from 0.
  private static let texture = 0.02

  @Test("bf16 hardly changes landmarks and scores of the sample photos", .needsSamples)
  func samples() throws {
    try compare(["obama.jpg", "obama2.jpg", "biden.jpg"].map(Installed.sample))
  }

  @Test("bf16 hardly changes landmarks and scores of 200 people", .needsShared("testdata/faces/lfw"))
  func people() throws {
    let folder = Installed.shared + "/testdata/faces/lfw"
    let photos = names(in: folder).prefix(200).flatMap { person in
      names(in: "\(folder)/\(person)").prefix(2).map { "\(folder)/\(person)/\($0)" }
    }
    #expect(photos.count > 200)
    try compare(photos)
  }

  /// Compares in f32, in bf16, and templates of one with templates of the other.
  private func compare(_ paths: [String]) throws {
    let exact = try Shared.pipeline()
    let fast = try Self.fast.get().makePipeline()
    var templates: [(exact: FaceTemplate, fast: FaceTemplate)] = []
    for path in paths {
      let photo = try Photo(path: path)
      let faces = try (exact.locate(in: photo), fast.locate(in: photo))
      #expect(faces.0.count == faces.1.count, "\(path)")
      guard let a = faces.0.first, let b = faces.1.first else { continue }
      let moved = try Self.movement(a.landmarks, b.landmarks)
      #expect(moved <= Self.landmark, "\(path)")
      let texture = (try #require(try exact.texture(of: a)), try #require(try fast.texture(of: b)))
      #expect(abs(texture.0 - texture.1) <= Self.texture, "\(path)")
      templates.append(
        try (
          exact.template(of: exact.chips(of: a, in: photo), quality: nil),
          fast.template(of: fast.chips(of: b, in: photo), quality: nil)
        ))
    }
    var most = 0.0
    for (i, a) in templates.enumerated() {
      for b in templates[..<i] {
        let score = try Comparison.score(a.exact, b.exact)
        for other in try [Comparison.score(a.fast, b.fast), Comparison.score(a.fast, b.exact)] {
          most = max(most, abs(other - score))
        }
      }
    }
    #expect(most <= Self.score)
  }

  /// The maximum displacement of a point of mesh, lids or irises.
  private static func movement(_ a: FaceLandmarks, _ b: FaceLandmarks) throws -> Double {
    func points(_ face: FaceLandmarks) throws -> [Point] {
      try #require(face.mesh).points + [face.rightEye, face.leftEye].flatMap { ($0?.lids ?? []) + ($0?.iris ?? []) }
    }
    func distance(_ a: Point, _ b: Point) -> Double {
      ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
    }
    let unit = distance(a.rightEyeCentre, a.leftEyeCentre) / 60
    return try zip(points(a), points(b)).map { distance($0, $1) / unit }.max() ?? 0
  }

  private static let fast = Swift.Result {
    try LoadedModels(set: Installed.set, store: ModelStore(folder: Installed.models), threads: 1, precision: .bf16)
  }
}
