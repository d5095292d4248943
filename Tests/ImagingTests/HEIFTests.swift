import Testing

@testable import Imaging

@Suite("Photo: HEIC and AVIF", .enabled(if: hasHEIF, "libheif is not on this machine: install libheif1"))
struct HEIFTests {
  // Rows: V4.16-e
  @Test(
    "pictures have the scene's pixels, upright, in sRGB",
    arguments: [
      ("colour.heic", "heic", 3.0), ("turned.heic", "heic", 3), ("p3.heic", "heic", 13), ("colour.avif", "avif", 3),
      ("p3.avif", "avif", 13),
    ])
  func pixels(name: String, format: String, tolerance: Double) throws {
    let photo = try Fixture.photo(name)
    #expect(photo.format == format && photo.warnings.isEmpty)
    #expect((photo.width, photo.height) == (Scene.width, Scene.height))
    #expect(Scene.difference(try photo.pixels(), Scene.colour) <= tolerance)
    for side in [2, 8] {
      let picture = try photo.pixels(reduction: side)
      #expect(Scene.difference(picture) { Scene.mean(x: $0, y: $1, side: side) } <= tolerance + 2)
    }
  }

  @Test("transparency is blended over white")
  func transparency() throws {
    let difference = Scene.difference(try Fixture.photo("alpha.avif").pixels()) { x, y in
      Scene.colour(x: x, y: y).map { 0.2 * $0 + 204 }
    }
    #expect(difference <= 6)
  }

  @Test("limits are checked before decoding")
  func huge() throws {
    let error = #expect(throws: VerifyError.self) { try Fixture.photo("huge.heic") }
    #expect(error?.code == .tooLarge && error?.message.contains("30000×30000") == true)
  }

  @Test(
    "every truncation is an error, never a crash",
    arguments: ["colour.heic", "colour.avif", "truncated.heic", "truncated.avif"])
  func cuts(name: String) throws {
    let whole = try RegularFile.read(path: Fixture.path(name), maximumBytes: 1 << 16)
    let step = name.hasPrefix("truncated") ? whole.count : 7
    for length in stride(from: step, to: whole.count - 1, by: step) + [whole.count - 20] {
      do {
        _ = try Photo(bytes: Array(whole[..<length])).pixels()
        Issue.record("\(name) cut to \(length) is a picture")
      } catch let error as VerifyError {
        #expect(error.code == .damaged || error.code == .unknownFormat, "\(error)")
        #expect(!error.message.contains("\n"))
      }
    }
  }
}

private let hasHEIF = LoadedLibrary.all().contains { $0.name == "libheif" }
