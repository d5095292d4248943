import Testing

@testable import FaceVerify

@Suite("Reasons to reject a picture of a page")
struct DocumentImageCheckTests {
  private func checks(isRead: Bool?, hasFace: Bool) -> [DocumentImageCheck] {
    let picture = PixelBuffer(width: 64, height: 64) { _ in }
    return DocumentImageCheck.all(picture: picture, place: nil, isRead: isRead, hasFace: hasFace)
  }

  // Rows: RR-200 RR-201
  @Test("an unreadable zone is rejected, as is a page with neither zone nor face")
  func found() {
    func failed(_ isRead: Bool?, _ hasFace: Bool) -> [DocumentImageCheck.Reason] {
      checks(isRead: isRead, hasFace: hasFace).filter { $0.status == .failed }.map(\.reason)
    }
    #expect(failed(false, true) == [.notReadable] && failed(false, false) == [.notReadable])
    #expect(failed(nil, false) == [.noDocument])
    #expect(failed(nil, true).isEmpty && failed(true, false).isEmpty)
    // A selfie has a face, too.
    let selfie = checks(isRead: nil, hasFace: true).first { $0.reason == .noDocument }
    #expect(selfie?.status == .notChecked && selfie?.text.hasPrefix("Not checked: ") == true)
  }

  // Rows: RR-103 RR-104 RR-2004 RR-2005
  @Test("unmeasurable properties are not checked, with a reason")
  func notChecked() {
    let unmeasured: [DocumentImageCheck.Reason] = [
      .colourPhotocopy, .digitalCopy, .missingBack, .hiddenPart, .damaged,
    ]
    let found = checks(isRead: true, hasFace: true).filter { unmeasured.contains($0.reason) }
    #expect(found.count == unmeasured.count)
    #expect(found.allSatisfy { $0.status == .notChecked && $0.value == nil && $0.text.hasPrefix("Not checked: ") })
  }
}
