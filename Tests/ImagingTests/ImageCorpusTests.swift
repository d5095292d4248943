import TestSupport
import Testing

@testable import Imaging

@Suite("Fuzz corpus")
struct ImageCorpusTests {
  @Test("every file of the picture corpora yields a picture or a VerifyError", arguments: [("image", 60), ("heif", 8)])
  func images(folder: String, count: Int) throws {
    let corpus = Fixture.corpus.replacing("/image", with: "/" + folder)
    let names = Fixture.names(in: corpus)
    #expect(names.count >= count)
    for name in names {
      do {
        let photo = try Photo(path: "\(corpus)/\(name)", limits: ImageLimits(maximumPixels: 1 << 20))
        for reduction in [1, 2, 4, 8] { _ = try photo.pixels(reduction: reduction) }
      } catch {
        #expect(error is VerifyError, "\(name)")
      }
    }
  }

  @Test("every file of the profile corpus yields a transform, none, or a VerifyError")
  func profiles() throws {
    let corpus = Fixture.corpus.replacing("/image", with: "/profile")
    let names = Fixture.names(in: corpus)
    #expect(names.count >= 3)
    for name in names {
      let bytes = try RegularFile.read(path: "\(corpus)/\(name)", maximumBytes: 1 << 20)
      for isGrey in [false, true] {
        do { _ = try ColourTransform.make(profile: bytes, isGrey: isGrey) } catch {
          #expect(error is VerifyError, "\(name)")
        }
      }
    }
  }
}
