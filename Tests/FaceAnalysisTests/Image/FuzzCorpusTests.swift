import FaceAnalysis
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
}
