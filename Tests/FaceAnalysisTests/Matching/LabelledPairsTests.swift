import FaceAnalysis
import Glibc
import Testing

/// Error rates on photos that are not part of this repository: a folder with `pairs.csv` (path_a, path_b, same), named
/// in FACEVERIFY_TESTDATA.
@Suite(
  "Labelled pairs", .needsModels(of: .standard),
  .enabled(if: LabelledPairs.exist, "no labelled photos: name a folder with pairs.csv in FACEVERIFY_TESTDATA"))
struct LabelledPairsTests {
  @Test("every photo shows a face, and the shipped threshold for 1e-2 decides 98.5 % of pairs rightly")
  func accuracy() async throws {
    let pairs = try LabelledPairs.read()
    let paths = Set(pairs.flatMap { [$0.a, $0.b] }).sorted()
    let templates = try await withThrowingTaskGroup(of: [(String, FaceTemplate)].self) { group in
      for part in 0..<2 {
        group.addTask {
          let pipeline = try Shared.pipeline()
          return try stride(from: part, to: paths.count, by: 2).map { i in
            let photo = try Photo(path: LabelledPairs.folder + "/" + paths[i])
            let face = try #require(try pipeline.locate(in: photo).first, "no face in \(paths[i])")
            return (paths[i], try pipeline.template(of: pipeline.chips(of: face, in: photo), quality: nil))
          }
        }
      }
      var all: [String: FaceTemplate] = [:]
      for try await part in group { all.merge(part) { first, _ in first } }
      return all
    }
    let calibration = try #require(try Shared.standard.get().calibration)
    let threshold = try #require(calibration.thresholds.first { $0.rate == .oneIn100 })
    let right = try pairs.filter { pair in
      let (a, b) = (try #require(templates[pair.a]), try #require(templates[pair.b]))
      return (try Comparison.score(a, b) <= threshold.score) == pair.same
    }
    #expect(Double(right.count) / Double(pairs.count) >= 0.985, "\(right.count) of \(pairs.count)")
  }
}

private enum LabelledPairs {
  static let folder =
    getenv("FACEVERIFY_TESTDATA").map { String(cString: $0) } ?? Installed.root + "/../shared/testdata"
  static let exist = access(folder + "/pairs.csv", R_OK) == 0

  static func read() throws -> [(a: String, b: String, same: Bool)] {
    let text = String(
      decoding: try RegularFile.read(path: folder + "/pairs.csv", maximumBytes: 1 << 26), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let fields = line.split(separator: ",")
      return fields.count == 3 ? (String(fields[0]), String(fields[1]), fields[2] == "1") : nil
    }
  }
}
