import FaceAnalysis
import Glibc
import TestSupport
import Testing

/// Error rates on photos that are not part of this repository: a folder with `pairs.csv` (path_a, path_b, same), given
/// by FACEVERIFY_TESTDATA.
@Suite(
  "Labelled pairs", .needsModels,
  .needsLabelled(LabelledPairs.exist))
struct LabelledPairsTests {
  @Test("every photo has a face; at the threshold for FMR 1e-2, 88 % of mated pairs match, and 0.3 % of non-mated ones")
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
    var matches = [true: 0, false: 0]
    for pair in pairs {
      let (a, b) = (try #require(templates[pair.a]), try #require(templates[pair.b]))
      if try Comparison.score(a, b) <= threshold.score { matches[pair.same, default: 0] += 1 }
    }
    let same = pairs.count { $0.same }
    #expect(Double(matches[true] ?? 0) / Double(same) >= 0.88, "\(matches) of \(same) and \(pairs.count - same)")
    #expect(Double(matches[false] ?? 0) / Double(pairs.count - same) <= 0.003, "\(matches)")
  }
}

private enum LabelledPairs {
  static let folder = getenv("FACEVERIFY_TESTDATA").map { String(cString: $0) } ?? "/nonexistent"
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
