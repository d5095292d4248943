import FaceAnalysis
import TestSupport
import Testing

@Suite("The converted embedding network", .needsModels, .needsDlibModels)
struct NetworkConversionTests {
  private static func model(_ id: String) throws -> [UInt8] {
    let store = try ModelStore(folder: Installed.models)
    return try store.bytes(of: store.model(id))
  }

  /// Golden test: chips of one colour, of noise, of stripes and, if there are, of people.
  @Test("equals dlib's own within 1e-4 on identical chips")
  func equal() throws {
    var chips = [try PixelBuffer.plain(width: 150, height: 150), try .plain(width: 150, height: 150, grey: 255)]
    var state: UInt64 = 1
    var noise = chips[0].rgb
    for i in noise.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      noise[i] = UInt8(truncatingIfNeeded: state >> 56)
    }
    chips.append(try PixelBuffer(width: 150, height: 150, rgb: noise))
    chips.append(
      try PixelBuffer(width: 150, height: 150, rgb: noise.indices.map { $0 / 450 % 20 < 10 ? 30 : UInt8($0 % 256) }))
    if Installed.has(Installed.sample("obama.jpg")) {
      for name in ["obama.jpg", "biden.jpg"] {
        let photo = try Photo(path: Installed.sample(name))
        let face = try #require(try Shared.pipeline().locate(in: photo).first)
        chips.append(try Shared.pipeline().chips(of: face, in: photo).plain)
      }
    }
    let dlib = try DlibNetwork(model: Self.model("face-embedding-dlib"))
    let pipeline = try Shared.pipeline()
    for chip in chips {
      let both = FaceChips(chip: chip)
      let one = try dlib.embed(both.near)
      let mirrored = try dlib.embed(both.wide)
      let found = try pipeline.embedding(of: both)
      let squares = found.indices.reduce(Float(0)) {
        let difference = found[$1] - (one[$1] + mirrored[$1]) / 2
        return $0 + difference * difference
      }
      #expect(squares.squareRoot() < 1e-4)
    }
  }

  @Test("is the file that the manifest names, made anew")
  func reproducible() throws {
    let store = try ModelStore(folder: Installed.models)
    let made = try NetworkConversion.intermediateRepresentation(dat: Self.model("face-embedding-dlib"))
    #expect(sha256(Array(made.xml.utf8)) == (try store.model("face-embedding").sha256))
    #expect(sha256(made.bin) == (try store.model("face-embedding-weights").sha256))
  }

  @Test("refuses what is not dlib's network")
  func refuses() throws {
    #expect(throws: VerifyError.self) { try NetworkConversion.intermediateRepresentation(dat: []) }
    #expect(throws: VerifyError.self) {
      try NetworkConversion.intermediateRepresentation(dat: Array(Self.model("face-embedding-dlib").prefix(100_000)))
    }
  }
}
