import FaceAnalysis
import Testing

@Suite("Quality reports")
struct QualityReportTests {
  private static let needMesh: Set<QualityMeasure> = [
    .headSize, .marginAbove, .marginBelow, .headPoseYaw, .headPosePitch, .headPoseRoll, .eyesOpen, .mouthClosed,
  ]

  @Test("without a mesh, measures that need it are not checked, never passed")
  func noMesh() throws {
    let report = try SyntheticFace(hasMesh: false).report()
    for check in report.checks {
      if Self.needMesh.contains(check.name) {
        #expect(check.status == .notChecked)
        #expect(check.value == nil && check.score == nil && check.consequence == nil)
        #expect(check.text.contains("mesh"))
      } else {
        #expect(check.status == .passed, "\(check)")
      }
    }
    #expect(report.isAccepted)
    let whole = try SyntheticFace().report()
    for measure in [QualityMeasure.sharpness, .dynamicRange, .illuminationUniformity, .interEyeDistance] {
      let (a, b) = (try #require(report[measure]?.value), try #require(whole[measure]?.value))
      #expect(abs(a - b) <= 0.15 * abs(b), "\(measure): \(a), with a mesh \(b)")
    }
  }

  @Test("coincident landmarks are not checked and cause no crash")
  func degenerate() throws {
    var face = SyntheticFace()
    face.interEyeDistance = 1e-300
    let picture = try SyntheticFace().picture()
    let photo = try picture.rgb.withUnsafeBytes {
      try Photo(pixels: $0, width: picture.width, height: picture.height, format: .rgb8)
    }
    for spot in [Point(x: 5, y: 5), Point(x: .nan, y: 5), Point(x: .infinity, y: 5), Point(x: -1e300, y: 1e300)] {
      let alignment = [Point](repeating: spot, count: 5)
      let mesh = FaceMesh(
        points: [Point](repeating: spot, count: 468), depths: [Double](repeating: 0, count: 468), presence: 1)
      for mesh in [mesh, nil] {
        let located = LocatedFace(
          picture: picture, box: Rectangle(x: spot.x, y: spot.y, width: 10, height: 10),
          landmarks: FaceLandmarks(alignment: alignment, mesh: mesh))
        let report = QualityReport(of: located, among: [located], photo: photo, policy: .selfie)
        #expect(report[.sharpness]?.status == .notChecked)
        #expect(report[.leftwardCrop]?.status != .passed)
        for check in report.checks { #expect(check.value?.isFinite ?? true) }
      }
    }
  }

  @Test("the same picture gives the same report")
  func deterministic() throws {
    let first = try SyntheticFace().report()
    let second = try SyntheticFace().report()
    #expect(first == second)
  }

  @Test("a chip supplied by the caller is used")
  func givenChip() throws {
    let face = SyntheticFace()
    let picture = try face.picture()
    let photo = try picture.rgb.withUnsafeBytes {
      try Photo(pixels: $0, width: picture.width, height: picture.height, format: .rgb8)
    }
    let white = try PixelBuffer(width: 150, height: 150, rgb: [UInt8](repeating: 255, count: 3 * 150 * 150))
    let report = QualityReport(of: face.located(in: picture), among: [], photo: photo, chip: white, policy: .selfie)
    #expect(report[.overExposure]?.value == 1)
    #expect(report[.interEyeDistance]?.status == .passed)
  }

  @Test("the score decreases with each defect, independent of the policy")
  func score() throws {
    let good = try #require(SyntheticFace().report().score)
    #expect(good > 50)
    #expect(try #require(SyntheticFace(openness: 0.02).report().score) < good)
    #expect(try #require(SyntheticFace().report { $0.blurred(by: 14) }.score) < good)
    #expect(try SyntheticFace().report(QualityPolicy(name: "nothing", requirements: [:])).score == good)
  }

  @Test("a policy's own limits apply")
  func ownPolicy() throws {
    var policy = QualityPolicy.selfie
    policy[.eyesOpen] = .init(atLeast: 0.15, refusedBelow: 0.08)
    #expect(try SyntheticFace(openness: 0.16).report(policy)[.eyesOpen]?.status == .passed)
    #expect(try SyntheticFace(openness: 0.15).report(policy)[.eyesOpen]?.status == .passed)
    #expect(try SyntheticFace(openness: 0.14).report(policy)[.eyesOpen]?.consequence == .warn)
    let refused = try SyntheticFace(openness: 0.07).report(policy)
    #expect(refused[.eyesOpen]?.consequence == .refuse)
    #expect(!refused.isAccepted && refused.refusals.map(\.name) == [.eyesOpen])
    #expect(refused[.eyesOpen]?.minimum == 0.15 && refused[.eyesOpen]?.maximum == nil)
  }

  @Test("presets contain only known measures, and refuse only what they do not accept")
  func presets() {
    for policy in [QualityPolicy.selfie, .documentPortrait, .chipPortrait] {
      for measure in QualityMeasure.allCases {
        guard let asked = policy[measure] else { continue }
        if let minimum = asked.minimum, let refused = asked.refusedBelow { #expect(refused <= minimum) }
        if let maximum = asked.maximum, let refused = asked.refusedAbove { #expect(refused >= maximum) }
        #expect(asked.minimum != nil || asked.maximum != nil)
      }
    }
    #expect(QualityPolicy.documentPortrait[.naturalColour] == nil)
    #expect(QualityPolicy.chipPortrait[.interEyeDistance]?.refusedBelow == nil)
    #expect(QualityMeasure.allCases.count == 20 && Set(QualityMeasure.allCases).count == 20)
  }
}
