import Testing

@testable import IdentityDocuments

@Suite("The table of document kinds")
struct DocumentKindTests {
  @Test("assigns each document code to one kind")
  func codes() {
    let codes = DocumentKind.all.flatMap(\.classes.keys)
    #expect(codes.count == Set(codes).count)
    for kind in DocumentKind.all {
      for (code, known) in kind.classes {
        #expect(DocumentKind.of(code: code)?.type == kind.type && DocumentClass(code: code) == known)
      }
    }
    #expect(DocumentKind.of(code: "X") == nil && DocumentKind.of(code: "") == nil)
    #expect(DocumentClass(code: "PX") == .passport && DocumentClass(code: "X") == nil)
  }

  @Test("assigns each title to one kind")
  func titles() {
    let titles = DocumentKind.all.flatMap(\.titles)
    #expect(titles.count == Set(titles).count && titles.allSatisfy { $0 == VisualZone.folded($0) })
  }

  @Test("finds one form for every choice", arguments: [true, false])
  func choices(extractsOnly: Bool) throws {
    let choices = DocumentChoice.all(countries: [], types: [], variants: [], extractsOnly: extractsOnly)
    #expect(Set(choices).count == choices.count)
    #expect(choices.allSatisfy { $0.form?.variant == $0.variant })
    func variants(_ country: String, _ type: DocumentType) -> [DocumentVariant] {
      choices.filter { $0.country == country && $0.type == type }.map(\.variant)
    }
    #expect(variants("D", .idCard) == [.paper, .plastic] && variants("DEU", .idCard).isEmpty)
    #expect(variants("GRC", .idCard) == (extractsOnly ? [.plastic] : [.paper, .plastic]))
    #expect(variants("USA", .drivingLicence) == [.plastic] && variants("D", .drivingLicence).isEmpty)
    #expect(try #require(choices.first { $0.type == .passport }).form?.zoneSide == .front)
  }
}
