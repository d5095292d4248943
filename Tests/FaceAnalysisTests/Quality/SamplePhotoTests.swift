import FaceAnalysis
import Glibc
import TestSupport
import Testing

@Suite(
  "Quality of the sample photos",
  .needsSamples)
struct SamplePhotoTests {
  private static let names = ["obama.jpg", "obama2.jpg", "biden.jpg"]

  private static func report(
    _ name: String, set: ModelSet, policy: QualityPolicy = .selfie, edit: ((PixelBuffer) throws -> PixelBuffer)? = nil
  ) throws -> QualityReport {
    let pipeline = try LoadedModels(set: set, store: ModelStore(folder: Installed.models), threads: 1).makePipeline()
    var photo = try Photo(path: Installed.sample(name))
    if let edit {
      let picture = try edit(photo.pixels(reduction: 1))
      photo = try picture.rgb.withUnsafeBytes {
        try Photo(pixels: $0, width: picture.width, height: picture.height, format: .rgb8)
      }
    }
    let faces = try pipeline.locate(in: photo)
    let face = try #require(faces.first)
    let chip = try pipeline.chips(of: face, in: photo).plain
    return QualityReport(of: face, among: faces, photo: photo, chip: chip, policy: policy)
  }

  @Test(
    "official portraits pass as selfies and are refused by no policy", .needsModels, arguments: names)
  func portraits(name: String) throws {
    let report = try Self.report(name, set: .standard)
    #expect(report.checks.allSatisfy { $0.status == .passed }, "\(report.refusals + report.warnings)")
    for policy in [QualityPolicy.documentPortrait, .chipPortrait] {
      #expect(try Self.report(name, set: .standard, policy: policy).isAccepted)
    }
  }

  @Test("a smiling frontal face does not score below a turned one", .needsModels)
  func smiling() throws {
    let smiling = try Self.report("obama.jpg", set: .standard)
    let turned = try Self.report("obama2.jpg", set: .standard)
    #expect(try #require(smiling[.mouthClosed]?.value) > 0.1)
    #expect(try abs(#require(smiling[.headPoseYaw]?.value)) < 5 && abs(#require(turned[.headPoseYaw]?.value)) > 15)
    #expect(try #require(smiling.score) >= #require(turned.score))
  }

  @Test("blur, darkness and mirroring are visible", .needsModels)
  func edited() throws {
    let blurred = try Self.report("obama2.jpg", set: .standard) { $0.blurred(by: 20) }
    #expect(blurred[.sharpness]?.status == .failed)
    let dark = try Self.report("obama2.jpg", set: .standard) { try $0.changed { colour, _, _ in colour * 0.12 } }
    #expect(dark[.underExposure]?.status == .failed)
    let plain = try Self.report("obama2.jpg", set: .standard)
    let mirrored = try Self.report("obama2.jpg", set: .standard) { picture in
      try PixelBuffer(
        width: picture.width, height: picture.height,
        rgb: (0..<picture.height).flatMap { y in
          (0..<picture.width).reversed().flatMap { x -> ArraySlice<UInt8> in
            let i = 3 * (y * picture.width + x)
            return picture.rgb[i..<i + 3]
          }
        })
    }
    for measure in [QualityMeasure.headPoseYaw, .headPoseRoll] {
      let (a, b) = (try #require(plain[measure]?.value), try #require(mirrored[measure]?.value))
      #expect(abs(a + b) < 6, "\(measure): \(a), mirrored \(b)")
    }
  }

  @Test("the dlib set checks all measures that need no mesh", .needsDlibModels)
  func dlib() throws {
    let report = try Self.report("obama.jpg", set: .dlib)
    #expect(report.isAccepted && report.warnings.isEmpty)
    #expect(report[.sharpness]?.status == .passed)
    #expect(report[.headPoseYaw]?.status == .notChecked)
    #expect(report[.eyesOpen]?.status == .notChecked)
  }
}
