import FaceAnalysis
import TestSupport
import Testing

@Suite("Quality measures")
struct QualityMeasureTests {
  private static func check(_ report: QualityReport, _ measure: QualityMeasure) throws -> QualityCheck {
    try #require(report[measure])
  }

  private static func value(_ report: QualityReport, _ measure: QualityMeasure) throws -> Double {
    try #require(report[measure]?.value)
  }

  /// Expects a failure with advice, and a warning or refusal according to `consequence`.
  private static func expectFailure(
    _ report: QualityReport, _ measure: QualityMeasure, _ consequence: CheckConsequence,
    says words: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let check = try check(report, measure)
    #expect(check.status == .failed, "\(measure): \(check.value ?? .nan)", sourceLocation: sourceLocation)
    #expect(check.consequence == consequence, sourceLocation: sourceLocation)
    #expect(!check.text.isEmpty && check.text.contains(words), "\(check.text)", sourceLocation: sourceLocation)
    let listed = consequence == .refuse ? report.refusals : report.warnings
    #expect(listed.contains(check), sourceLocation: sourceLocation)
    #expect(report.isAccepted == report.refusals.isEmpty, sourceLocation: sourceLocation)
  }

  @Test("a good picture passes all measures", arguments: [QualityPolicy.selfie, .documentPortrait, .chipPortrait])
  func good(policy: QualityPolicy) throws {
    let report = try SyntheticFace().report(policy)
    #expect(report.checks.map(\.name) == QualityMeasure.allCases)
    for check in report.checks {
      #expect(check.status == (policy[check.name] == nil ? .notChecked : .passed), "\(check)")
      #expect((check.score ?? -1) >= 0 && (check.score ?? 101) <= 100)
      #expect(check.text.isEmpty == (check.status == .passed))
    }
    #expect(report.isAccepted && report.warnings.isEmpty)
    #expect((report.score ?? 0) > 40)
  }

  @Test("blur lowers sharpness, until it fails and then refuses")
  func blur() throws {
    let face = SyntheticFace()
    let values = try [1, 3, 6, 9, 14].map { factor in
      try Self.value(face.report { $0.blurred(by: factor) }, .sharpness)
    }
    #expect(values == values.sorted(by: >), "\(values)")
    try Self.expectFailure(face.report { $0.blurred(by: 14) }, .sharpness, .warn, says: "sharp")
    // Blurs accumulate: only a skin-coloured spot remains.
    try Self.expectFailure(
      face.report { [20, 17, 23, 19, 21, 18].reduce($0) { $0.blurred(by: $1) } }, .sharpness, .refuse)
  }

  @Test("sharpness depends on the face, not on the contrast or the size of the photo")
  func sharpnessScale() throws {
    let plain = try Self.value(SyntheticFace().report(), .sharpness)
    var pale = SyntheticFace()
    pale.contrast = 0.5
    #expect(abs(try Self.value(pale.report(), .sharpness) - plain) < 0.06)
    var large = SyntheticFace(width: 960, height: 1200, eyes: Point(x: 480, y: 500))
    large.interEyeDistance = 180
    #expect(abs(try Self.value(large.report(), .sharpness) - plain) < 0.1)
    var small = SyntheticFace(width: 120, height: 150, eyes: Point(x: 60, y: 62))
    small.interEyeDistance = 22
    #expect(try Self.value(small.report(), .sharpness) < plain - 0.05)
  }

  @Test("darkness, glare and fog are reported")
  func light() throws {
    let face = SyntheticFace()
    let values = try [1, 0.4, 0.16, 0.12, 0.05].map { factor in
      try Self.value(face.report { try $0.changed { colour, _, _ in colour * factor } }, .underExposure)
    }
    #expect(values == values.sorted() && values[0] == 0)
    try Self.expectFailure(
      face.report { try $0.changed { colour, _, _ in colour * 0.16 } }, .underExposure, .warn, says: "brighter")
    try Self.expectFailure(face.report { try $0.changed { colour, _, _ in colour * 0.05 } }, .underExposure, .refuse)
    try Self.expectFailure(face.report { try $0.changed { colour, _, _ in colour * 1.7 } }, .overExposure, .warn)
    try Self.expectFailure(face.report { try $0.changed { colour, _, _ in colour * 4 } }, .overExposure, .refuse)
    let fog = try face.report { try $0.changed { colour, _, _ in colour * 0.15 + 150 } }
    try Self.expectFailure(fog, .dynamicRange, .warn, says: "contrast")
    let wall = try face.report { try $0.changed { _, _, _ in SIMD3(150, 130, 120) } }
    try Self.expectFailure(wall, .dynamicRange, .refuse)
    #expect(try Self.value(wall, .sharpness) == 0)
  }

  @Test("light from one side is reported, for either side")
  func sideLight() throws {
    for isLeft in [true, false] {
      let half = try SyntheticFace().report {
        try $0.changed { colour, x, _ in (x < 0.5) == isLeft ? colour * 0.3 : colour }
      }
      try Self.expectFailure(half, .illuminationUniformity, .warn, says: "light")
    }
    let lamp = try SyntheticFace().report { try $0.changed { colour, x, _ in x < 0.5 ? colour * 0.1 : colour } }
    try Self.expectFailure(lamp, .illuminationUniformity, .refuse)
  }

  @Test("grey and tinted pictures are reported")
  func colour() throws {
    func grey(_ picture: PixelBuffer) throws -> PixelBuffer {
      try picture.changed { c, _, _ in SIMD3(repeating: 0.299 * c.x + 0.587 * c.y + 0.114 * c.z) }
    }
    let face = SyntheticFace()
    try Self.expectFailure(face.report(edit: grey), .naturalColour, .warn, says: "colour")
    // Outside of the skin range by 5 in a* and in b*.
    #expect(abs(try Self.value(face.report(edit: grey), .naturalColour) - 50.squareRoot()) < 0.1)
    #expect(try Self.check(face.report(.documentPortrait, edit: grey), .naturalColour).status == .notChecked)
    let blue = try face.report { try $0.changed { c, _, _ in SIMD3(c.z, c.y, c.x) } }
    #expect(try Self.value(blue, .naturalColour) > 15)
  }

  @Test("the advice for a turned head names the direction")
  func pose() throws {
    let cases: [(HeadPose, QualityMeasure, CheckConsequence, String)] = [
      (HeadPose(yaw: 60, pitch: 0, roll: 0), .headPoseYaw, .refuse, "to your right"),
      (HeadPose(yaw: -60, pitch: 0, roll: 0), .headPoseYaw, .refuse, "to your left"),
      (HeadPose(yaw: 30, pitch: 0, roll: 0), .headPoseYaw, .warn, "to your right"),
      (HeadPose(yaw: 0, pitch: 30, roll: 0), .headPosePitch, .warn, "Raise your chin"),
      (HeadPose(yaw: 0, pitch: -50, roll: 0), .headPosePitch, .refuse, "Lower your chin"),
      (HeadPose(yaw: 0, pitch: 0, roll: 30), .headPoseRoll, .warn, "left shoulder"),
      (HeadPose(yaw: 0, pitch: 0, roll: -90), .headPoseRoll, .warn, "right shoulder"),
    ]
    for (pose, measure, consequence, words) in cases {
      let report = try SyntheticFace(pose: pose).report()
      try Self.expectFailure(report, measure, consequence, says: words)
      #expect(try Self.check(report, measure).score ?? 100 < 85)
    }
  }

  @Test("closed eyes and an open mouth are reported")
  func expression() throws {
    let closed = try SyntheticFace(openness: 0.03).report()
    try Self.expectFailure(closed, .eyesOpen, .warn, says: "eyes")
    #expect(try Self.check(closed, .eyesOpen).score ?? 100 < 10)
    try Self.expectFailure(SyntheticFace(mouthGap: 0.3).report(), .mouthClosed, .warn, says: "mouth")
    #expect(abs(try Self.value(SyntheticFace(mouthGap: 0.3).report(), .mouthClosed) - 0.3) < 1e-9)
  }

  @Test("dark glasses and a mask are detected, hair over one eye is not")
  func coverings() throws {
    let face = SyntheticFace()
    /// Paints boxes in inter-eye distances from the midpoint of the eyes.
    func painted(_ boxes: [(x: Double, y: Double, width: Double, height: Double)], _ colour: [UInt8]) throws
      -> QualityReport
    {
      try face.report { picture in
        try boxes.reduce(picture) { picture, box in
          let corner = face.at(box.x, box.y)
          let (width, height) = (Int(box.width * face.interEyeDistance), Int(box.height * face.interEyeDistance))
          let patch = try PixelBuffer(
            width: width, height: height, rgb: (0..<width * height).flatMap { _ in colour })
          return try picture.with(patch, x: Int(corner.x), y: Int(corner.y))
        }
      }
    }
    #expect(try Self.check(face.report(), .eyesVisible).status == .passed)
    #expect(try Self.check(face.report(), .mouthVisible).status == .passed)
    let (right, left) = ((x: -0.85, y: -0.35, width: 0.7, height: 0.7), (x: 0.15, y: -0.35, width: 0.7, height: 0.7))
    try Self.expectFailure(painted([right, left], [25, 25, 30]), .eyesVisible, .warn, says: "glasses")
    #expect(try Self.check(painted([right], [25, 25, 30]), .eyesVisible).status == .passed)
    let mask = (x: -0.8, y: 0.75, width: 1.6, height: 1.2)
    for colour: [UInt8] in [[150, 190, 215], [230, 230, 230], [30, 30, 32]] {
      try Self.expectFailure(painted([mask], colour), .mouthVisible, .warn, says: "mouth")
    }
  }

  @Test("sizes are those of the full photo")
  func size() throws {
    let plain = try SyntheticFace().report()
    #expect(abs(try Self.value(plain, .interEyeDistance) - 90) < 1e-9)
    #expect(abs(try Self.value(plain, .headSize) - 1.85 * 90 / 600) < 1e-9)
    // The same face found in a picture reduced by two.
    var reduced = SyntheticFace()
    reduced.pictureScale = 2
    let picture = try reduced.picture()
    let rgb = [UInt8](repeating: 0, count: 3 * 960 * 1200)
    let photo = try rgb.withUnsafeBytes { try Photo(pixels: $0, width: 960, height: 1200, format: .rgb8) }
    let report = QualityReport(of: reduced.located(in: picture), among: [], photo: photo, policy: .selfie)
    #expect(abs(try Self.value(report, .interEyeDistance) - 180) < 1e-9)
    for measure in [QualityMeasure.headSize, .leftwardCrop, .marginAbove] {
      #expect(abs(try Self.value(report, measure) - Self.value(plain, measure)) < 1e-9)
    }
    // A head turned by 60 degrees shows half of the inter-eye distance.
    let turned = try SyntheticFace(pose: HeadPose(yaw: 60, pitch: 0, roll: 0)).report()
    #expect(abs(try Self.value(turned, .interEyeDistance) - 180) < 1e-6)

    var small = SyntheticFace(width: 240, height: 320, eyes: Point(x: 120, y: 140))
    small.interEyeDistance = 20
    try Self.expectFailure(small.report(), .interEyeDistance, .refuse, says: "closer")
    #expect(try small.report(.chipPortrait).refusals.isEmpty)
    small.interEyeDistance = 30
    try Self.expectFailure(small.report(), .interEyeDistance, .warn)
  }

  @Test("a face that extends beyond the picture is reported")
  func crop() throws {
    func report(_ x: Double, _ y: Double) throws -> QualityReport {
      try SyntheticFace(eyes: Point(x: x, y: y)).report()
    }
    let centred = try report(240, 250)
    #expect(abs(try Self.value(centred, .leftwardCrop) - (240.0 - 45) / 90) < 1e-9)
    #expect(abs(try Self.value(centred, .marginBelow) - 350 / (1.85 * 90)) < 1e-9)
    try Self.expectFailure(report(85, 250), .leftwardCrop, .warn, says: "left")
    try Self.expectFailure(report(50, 250), .leftwardCrop, .refuse)
    try Self.expectFailure(report(395, 250), .rightwardCrop, .warn, says: "right")
    try Self.expectFailure(report(240, 60), .marginAbove, .warn, says: "above")
    try Self.expectFailure(report(240, 470), .marginBelow, .warn, says: "below")
    // Black beyond the edge does not count as darkness.
    #expect(try Self.value(report(85, 250), .underExposure) == 0)
    let outside = try report(-200, 250)
    #expect(try Self.check(outside, .sharpness).status == .notChecked)
    #expect(try Self.check(outside, .illuminationUniformity).status == .notChecked)
  }

  @Test("other faces: similar ones refuse, small ones warn, none and duplicates of the face pass")
  func others() throws {
    let wide = SyntheticFace(width: 900, height: 600, eyes: Point(x: 280, y: 250))
    let picture = try wide.picture()
    #expect(try Self.value(wide.report(), .singleFacePresent) == 0)
    let twin = SyntheticFace(width: 900, height: 600, eyes: Point(x: 620, y: 250)).located(in: picture)
    try Self.expectFailure(wide.report(among: [twin]), .singleFacePresent, .refuse, says: "alone")
    var far = SyntheticFace(width: 900, height: 600, eyes: Point(x: 620, y: 250))
    far.interEyeDistance = 45
    try Self.expectFailure(wide.report(among: [far.located(in: picture)]), .singleFacePresent, .warn)
    far.interEyeDistance = 15
    #expect(try Self.check(wide.report(among: [far.located(in: picture)]), .singleFacePresent).status == .passed)
    // A second, smaller box on the same face.
    var again = wide
    again.interEyeDistance = 60
    #expect(try Self.value(wide.report(among: [again.located(in: picture)]), .singleFacePresent) == 0)
  }
}
