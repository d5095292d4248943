import Foundation
import TestSupport
import Testing

@testable import FaceAnalysis

@Suite("SmileNetwork")
struct SmileNetworkTests {
  @Test("the network classifies smiles of held-out people", .needsModels, .needsShared("testdata/mouth"))
  func strangers() throws {
    let pipeline = try Shared.pipeline()
    // 74 of 78 and 77 of 89 with a detected face, in training.
    for (folder, isSmile, share) in [("smile", true, 0.9), ("neutral", false, 0.7)] {
      let folder = Installed.shared + "/testdata/mouth/" + folder
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("genki") }
      var (seen, right) = (0, 0)
      for name in names.sorted().prefix(40) {
        guard let face = try pipeline.locate(in: Photo(path: folder + "/" + name)).first else { continue }
        seen += 1
        if (try #require(try pipeline.smile(of: face)) >= 0.5) == isSmile { right += 1 }
      }
      #expect(seen >= 30 && Double(right) >= share * Double(seen), "\(right) of \(seen)")
    }
  }

  @Test("mirroring changes nothing", .needsModels, .needsSamples)
  func mirror() throws {
    let picture = try Photo(path: Installed.sample("obama.jpg")).pixels()
    let pipeline = try Shared.pipeline()
    let scores = try [false, true].map { isMirrored in
      let face = try #require(try pipeline.find(in: picture.upright(rotation: 0, isMirrored: isMirrored)))
      return SmileNetwork.logOdds(try #require(try pipeline.smile(of: face)))
    }
    #expect(abs(scores[0] - scores[1]) < 2, "\(scores)")
  }

  @Test("a set without this network has no score", .needsDlibModels, .needsSamples)
  func none() throws {
    let pipeline = try Shared.pipeline(.dlib)
    let face = try #require(try pipeline.locate(in: Photo(path: Installed.sample("biden.jpg"))).first)
    #expect(try pipeline.smile(of: face) == nil)
  }

  @Test("log-odds of certain results are at most 4")
  func logOdds() {
    #expect(SmileNetwork.logOdds(1) == 4 && SmileNetwork.logOdds(0) == -4 && SmileNetwork.logOdds(0.5) == 0)
  }
}
