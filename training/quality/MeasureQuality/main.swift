// Measures the quality of the most prominent face of every photo that is named on standard input, one path a line:
//   find PHOTOS -name '*.jpg' | sort | swift run -c release measure-quality MODELS SET POLICY [TIMES] > quality.csv
// One row a face: path, acceptance, score, then value and status of each measure; photos without a face go to standard
// error. The report is made TIMES times, and the mean time of one goes to standard error.
import FaceAnalysis
import Glibc

func log(_ line: String) {
  let text = Array((line + "\n").utf8)
  write(STDERR_FILENO, text, text.count)
}

let policies = [QualityPolicy.selfie, .documentPortrait, .chipPortrait]
guard CommandLine.arguments.count >= 4,
  let policy = policies.first(where: { $0.name == CommandLine.arguments[3] })
else {
  log("usage: measure-quality MODELS default|dlib \(policies.map(\.name).joined(separator: "|")) [TIMES] < paths")
  exit(2)
}
let times = CommandLine.arguments.count > 4 ? Int(CommandLine.arguments[4]) ?? 1 : 1
let models = try LoadedModels(
  set: ModelSet(rawValue: CommandLine.arguments[2]), store: ModelStore(folder: CommandLine.arguments[1]), threads: 1)
let pipeline = try models.makePipeline()

func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

print(
  (["path", "refusals", "warnings", "score"] + QualityMeasure.allCases.flatMap { ["\($0)", "\($0) status"] })
    .joined(separator: ","))
var (spent, reports) = (0.0, 0)
while let path = readLine() {
  do {
    let photo = try Photo(path: path)
    let faces = try pipeline.locate(in: photo)
    guard let face = faces.first else {
      log("no face: \(path)")
      continue
    }
    let chip = try pipeline.chips(of: face, in: photo).plain
    var report = QualityReport(of: face, among: faces, photo: photo, chip: chip, policy: policy)
    let start = ContinuousClock.now
    for _ in 0..<times { report = QualityReport(of: face, among: faces, photo: photo, chip: chip, policy: policy) }
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    spent += Double(seconds) + Double(attoseconds) * 1e-18
    reports += times
    let cells = report.checks.flatMap { check in
      [check.value.map { "\(rounded($0))" } ?? "", check.consequence?.rawValue ?? check.status.rawValue]
    }
    func names(_ checks: [QualityCheck]) -> String { checks.map(\.measure.rawValue).joined(separator: " ") }
    print(
      ([path, names(report.refusals), names(report.warnings), report.score.map { "\($0)" } ?? ""] + cells)
        .joined(separator: ","))
  } catch {
    log("\(error)")
  }
}
log("\(reports) reports, \((spent / Double(max(1, reports)) * 1e6).rounded()) microseconds each")
