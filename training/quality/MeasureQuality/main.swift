// Measures the quality of the most prominent face of each photo listed on standard input, one path per line:
//   find PHOTOS -name '*.jpg' | sort | swift run -c release measure-quality MODELS SET POLICY [PAIRS] > quality.csv
// One row per face: path, refusals, warnings, score, then value and status of each measure; paths of photos without a
// face go to standard error. PAIRS is a file for the comparisons of photos in one folder, i.e. of one person: the
// numbers of two rows, and the difference of their score and the threshold at a false-match rate of 1e-3 (above 0: a
// false non-match).
import FaceAnalysis
import Glibc
import TrainingSupport

let policies = [QualityPolicy.selfie, .documentPortrait, .chipPortrait]
guard (4...5).contains(CommandLine.arguments.count),
  let policy = policies.first(where: { $0.name == CommandLine.arguments[3] })
else {
  log("usage: measure-quality MODELS default|dlib \(policies.map(\.name).joined(separator: "|")) [PAIRS] < paths")
  exit(2)
}
let pairsPath = CommandLine.arguments.count > 4 ? CommandLine.arguments[4] : nil
let models = try LoadedModels(
  set: ModelSet(rawValue: CommandLine.arguments[2]), store: ModelStore(folder: CommandLine.arguments[1]),
  threads: threads)

@Sendable func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

struct Row: Sendable {
  let cells: [String]
  let template: FaceTemplate?
}

@Sendable func row(_ photo: Photo, _ pipeline: FacePipeline) throws -> Row? {
  let faces = try pipeline.locate(in: photo)
  guard let face = faces.first else { return nil }
  let chips = try pipeline.chips(of: face, in: photo)
  let report = QualityReport(of: face, among: faces, photo: photo, chip: chips.plain, policy: policy)
  let cells = report.checks.flatMap { check in
    [check.value.map { "\(rounded($0))" } ?? "", check.consequence?.rawValue ?? check.status.rawValue]
  }
  func names(_ checks: [QualityCheck]) -> String { checks.map(\.name.rawValue).joined(separator: " ") }
  return Row(
    cells: [names(report.refusals), names(report.warnings), report.score.map { "\($0)" } ?? ""] + cells,
    template: try pairsPath == nil ? nil : pipeline.template(of: chips, quality: nil))
}

let rows = photosWithFaces(models, look: row)

print(
  (["path", "refusals", "warnings", "score"] + QualityMeasure.allCases.flatMap { ["\($0)", "\($0) status"] })
    .joined(separator: ","))
for (path, row) in rows { print(([path] + row.cells).joined(separator: ",")) }

if let pairsPath, let threshold = try models.calibration?.threshold(at: .oneIn1000) {
  var lines = "a,b,beyond\n"
  let people = Dictionary(grouping: rows.indices) { rows[$0].path.split(separator: "/").dropLast().last ?? "" }
  for photos in people.values.sorted(by: { $0[0] < $1[0] }) {
    for (n, i) in photos.enumerated() {
      for j in photos[..<n] {
        guard let a = rows[i].found.template, let b = rows[j].found.template else { continue }
        lines += "\(j),\(i),\(rounded(try Comparison.score(a, b) - threshold.score))\n"
      }
    }
  }
  try RegularFile.write(Array(lines.utf8), to: pairsPath)
}
