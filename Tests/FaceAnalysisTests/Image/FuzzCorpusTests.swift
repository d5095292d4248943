import FaceAnalysis
import TestSupport
import Testing

@Suite("Fuzz corpus")
struct FuzzCorpusTests {
  @Test("every file of the corpus gives a picture or a VerifyError")
  func images() throws {
    let names = Fixture.names(in: Fixture.corpus)
    #expect(names.count >= 40)
    for name in names {
      do {
        let photo = try Photo(path: "\(Fixture.corpus)/\(name)", limits: ImageLimits(maximumPixels: 1 << 20))
        for reduction in [1, 2, 4, 8] { _ = try photo.pixels(reduction: reduction) }
      } catch {
        #expect(error is VerifyError, "\(name)")
      }
    }
  }

  @Test("every file of the template corpus gives a template or a VerifyError")
  func templates() throws {
    let corpus = Fixture.corpus.replacing("/image", with: "/template")
    var whole = 0
    for name in Fixture.names(in: corpus) {
      do {
        _ = try FaceTemplate(serialised: RegularFile.read(path: "\(corpus)/\(name)", maximumBytes: 1 << 16))
        whole += 1
      } catch {
        #expect(error is VerifyError, "\(name)")
      }
    }
    #expect(whole == 1)
  }
}
