import EngineTestSupport
import FaceVerify
import FaceVerifyJourney
import ScriptedModels
import TestSupport
import Testing

@Suite("Copies of one picture on both sides")
struct SamePictureTests {
  private static let copies: [(name: String, make: @Sendable (PixelBuffer) throws -> Photo)] = [
    ("JPEG of quality 30", { try Photo(bytes: $0.encodedAsJPEG(quality: 30)) }),
    ("half the size", { Photo(pixels: $0.resized(width: $0.width / 2, height: $0.height / 2)) }),
    ("mirrored", { Photo(pixels: $0.upright(rotation: 0, isMirrored: true)) }),
    (
      "turned by 8 degrees and cropped",
      { picture in
        // cos 8°, sin 8°
        let (c, s) = (0.9903, 0.1392)
        let (x, y) = (Double(picture.width) / 2, Double(picture.height) / 2)
        let map = [c, -s, x - 0.8 * (c * x - s * y), s, c, y - 0.8 * (s * x + c * y)]
        return Photo(
          pixels: picture.crop(map: map, width: picture.width * 4 / 5, height: picture.height * 4 / 5, mirrored: true))
      }
    ),
  ]

  @Test("a copy is detected and does not match", .needsModels, .needsSamples, arguments: 0..<4)
  func copy(number: Int) throws {
    let engine = try Installed.engine.get()
    let portrait = try Installed.photo("obama.jpg")
    let size = max(portrait.width, portrait.height)
    let picture = try portrait.pixels(reduction: [1, 2, 4, 8].first { size / $0 <= 700 } ?? 8)
    let copy = Self.copies[number]
    let decision = try engine.compare(selfie: copy.make(picture), portrait: portrait)
    #expect(decision.samePicture.status == .failed, "\(copy.name): \(decision.samePicture)")
    #expect(decision.result == .refused && decision.comparison?.isMatch == true)
    #expect(decision.reasons.first?.code == "same-picture")
  }

  @Test("two photos of one person are two pictures", .needsModels, .needsSamples)
  func different() throws {
    let engine = try Installed.engine.get()
    let (one, two) = (try Installed.photo("obama.jpg"), try Installed.photo("obama2.jpg"))
    for (selfie, portrait) in [(one, two), (two, one)] {
      let decision = try engine.compare(selfie: selfie, portrait: portrait)
      #expect(decision.result == .match && decision.samePicture.status == .passed)
      #expect(try #require(decision.samePicture.score) < 0.7)
    }
  }

  @Test("a session whose frames are a moved portrait does not match this portrait", .needsModels, .needsSamples)
  func session() throws {
    let engine = try Installed.engine.get()
    let portrait = try Installed.photo("obama.jpg")
    let size = max(portrait.width, portrait.height)
    let sheet = MovedPhoto(try portrait.pixels(reduction: [1, 2, 4, 8].first { size / $0 <= 700 } ?? 8))
    let session = try LivenessSession(engine: engine)
    for i in 0..<12 {
      try session.add(
        sheet.frame(.init(yaw: Double(i % 7) - 3, x: 0.003 * Double(i), distance: 0.9)), at: 0.25 * Double(i))
    }
    let liveness = try session.finish()
    #expect(liveness.template != nil)
    func samePicture(_ portrait: FaceInput) throws -> CheckStatus? {
      try engine.credential(liveness, mode: .liveness, portrait: portrait).match?.samePicture.status
    }
    #expect(try samePicture(.photo(portrait)) == .failed)
    #expect(try samePicture(.photo(Installed.photo("obama2.jpg"))) == .passed)
    let template = try #require(try engine.sample(portrait, policy: .documentPortrait).template)
    // Only pixels show the copy: the template may be as far from the session's as that of another photo.
    #expect(try samePicture(.template(template)) != .passed)
    let other = try #require(try engine.sample(Installed.photo("obama2.jpg"), policy: .documentPortrait).template)
    #expect(try samePicture(.template(other)) == .notChecked)
  }

  @Test("a template in place of its photo proves no more than the photo", .needsModels, .needsSamples)
  func template() throws {
    let engine = try Installed.engine.get()
    let photo = try Installed.photo("obama.jpg")
    let copy = try Photo(bytes: photo.pixels().encodedAsJPEG(quality: 60))
    func template(_ photo: Photo) throws -> FaceInput {
      .template(try #require(try engine.sample(photo, policy: .documentPortrait).template))
    }
    for (selfie, portrait) in try [
      (.photo(photo), template(photo)), (.photo(copy), template(photo)), (template(photo), .photo(copy)),
      (template(copy), template(photo)),
    ] as [(FaceInput, FaceInput)] {
      let decision = try engine.compare(selfie: selfie, portrait: portrait)
      #expect(decision.result == .refused && decision.reasons.first?.code == "same-picture")
      let same = decision.samePicture
      #expect(same.status == .failed && same.threshold == 0.9)
      #expect(try #require(same.score) >= same.threshold)
    }
    let different = try engine.compare(selfie: .photo(Installed.photo("obama2.jpg")), portrait: template(photo))
    #expect(different.result == .match && different.samePicture.status == .notChecked)
  }

  @Test("the same file, or template, on both sides is refused with its own reason")
  func sameBytes() throws {
    let engine = try Scripted.engine.get()
    let photo = try Scripted.photo(.one)
    let decision = try engine.compare(selfie: photo, portrait: photo)
    #expect(decision.result == .refused && decision.reasons.first?.code == "same-picture")
    #expect(decision.jsonValue["samePicture"]?["status"]?.string == "failed")
    #expect(decision.jsonValue["samePicture"]?["score"]?.double == 1)
    #expect(decision.jsonValue["comparison"]?["match"]?.bool == true)
    let template = try #require(try engine.sample(photo, policy: .selfie).template)
    let templates = try engine.compare(selfie: .template(template), portrait: .template(template))
    #expect(templates.result == .refused && templates.samePicture.status == .failed)
    let mixed = try engine.compare(selfie: .photo(photo), portrait: .template(template))
    #expect(mixed.result == .match && mixed.samePicture.status == .notChecked)
    #expect(mixed.jsonValue["samePicture"]?["score"] == .null)
  }
}
