import EngineTestSupport
import Imaging
import TestSupport
import Testing

@testable import FaceVerify

@Suite("Reasons to reject a picture of a page", .needsModels)
struct DocumentImageCheckTests {
  /// A card of ID-1, 160 pixels wide.
  private static let card = PixelBuffer(width: 320, height: 240) { out in
    for i in out.indices {
      let (x, y) = (i / 3 % 320, i / 3 / 320)
      out[i] = (80..<240).contains(x) && (70..<171).contains(y) ? [220, 180, 140][(i + x / 8) % 3] : 60
    }
  }

  private static func outline() throws -> PageOutline? {
    let models = try DocumentModels(.outlines, store: ModelStore(folder: Installed.models), threads: 1)
    return try DocumentFinder(models).outlines(in: card).first
  }

  private func checks(isRead: Bool?, hasFace: Bool) -> [DocumentImageCheck] {
    let picture = PixelBuffer(width: 64, height: 64) { _ in }
    return DocumentImageCheck.all(
      picture: picture, zone: nil, frame: nil, resolution: nil, isRead: isRead, hasFace: hasFace, copies: nil)
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

  @Test("a document found by its edges is checked without a zone, and rejected if it is too small or cut off")
  func edges() throws {
    let frame = try #require(try Self.outline())
    func checks(resolution: Double, hasFace: Bool) -> [DocumentImageCheck.Reason: CheckStatus] {
      let all = DocumentImageCheck.all(
        picture: Self.card, zone: nil, frame: frame, resolution: resolution, isRead: nil, hasFace: hasFace,
        copies: nil)
      return Dictionary(uniqueKeysWithValues: all.map { ($0.reason, $0.status) })
    }
    let found = checks(resolution: 7, hasFace: true)
    for reason in [DocumentImageCheck.Reason.noDocument, .missingPart, .glare, .blackWhiteCopy] {
      #expect(found[reason] == .passed, "\(reason)")
    }
    #expect(found[.notReadable] == .notChecked && found[.blurry] == .notChecked)
    let far = checks(resolution: 1.9, hasFace: false)
    #expect(far[.notReadable] == .failed && far[.noDocument] == .notChecked)
  }

  // Rows: RR-103 RR-104
  @Test("a copy is rejected for the more likely reason, a document is not, and one in a small picture is not checked")
  func copies() throws {
    let frame = try #require(try Self.outline())
    func statuses(_ scores: CopyDetector.Scores?, resolution: Double = 9) -> [DocumentImageCheck.Reason: CheckStatus] {
      let checks = DocumentImageCheck.all(
        picture: Self.card, zone: nil, frame: frame, resolution: resolution, isRead: nil, hasFace: true, copies: scores)
      for check in checks where check.unit == "score" {
        #expect((check.status == .failed) == ((check.value ?? 0) > (check.limit ?? 0)))
        #expect(check.text.isEmpty == (check.status == .passed))
      }
      let copies = checks.filter { [.colourPhotocopy, .digitalCopy].contains($0.reason) }
      return Dictionary(uniqueKeysWithValues: copies.map { ($0.reason, $0.status) })
    }
    #expect(statuses(.init(print: 0.99, display: 0.1)) == [.colourPhotocopy: .failed, .digitalCopy: .passed])
    #expect(statuses(.init(print: 0.3, display: 0.99)) == [.colourPhotocopy: .passed, .digitalCopy: .failed])
    #expect(statuses(.init(print: 0.4, display: 0.2)) == [.colourPhotocopy: .passed, .digitalCopy: .passed])
    #expect(statuses(nil, resolution: 3) == [.colourPhotocopy: .notChecked, .digitalCopy: .notChecked])
  }

  @Test("a zone that is probably not in OCR-B is rejected, and one that was not measured is not checked")
  func wrongFont() throws {
    func check(_ score: Double?) -> DocumentImageCheck? {
      let picture = PixelBuffer(width: 64, height: 64) { _ in }
      return DocumentImageCheck.all(
        picture: picture, zone: nil, frame: nil, resolution: nil, isRead: true, hasFace: true, copies: nil,
        otherFont: score
      ).first { $0.reason == .wrongFont }
    }
    let wrong = try #require(check(0.9))
    #expect(wrong.status == .failed && wrong.value == 0.9 && wrong.unit == "score" && !wrong.text.isEmpty)
    #expect(check(0.2)?.status == .passed && check(0.2)?.text == "")
    #expect(check(nil)?.status == .notChecked && check(nil)?.text.hasPrefix("Not checked: ") == true)
  }

  // Rows: RR-2004 RR-2005
  @Test("unmeasurable properties are not checked, with a reason")
  func notChecked() {
    let unmeasured: [DocumentImageCheck.Reason] = [.missingBack, .hiddenPart, .damaged]
    let found = checks(isRead: true, hasFace: true).filter { unmeasured.contains($0.reason) }
    #expect(found.count == unmeasured.count)
    #expect(found.allSatisfy { $0.status == .notChecked && $0.value == nil && $0.text.hasPrefix("Not checked: ") })
  }
}
