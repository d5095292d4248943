import ArgumentParser
import FaceAnalysis

struct MeasureQuality: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the quality of the most prominent face of each photo, as CSV.",
    discussion: """
        find PHOTOS -name '*.jpg' | sort | training-tool measure-quality MODELS SET POLICY [PAIRS] > quality.csv

      One row per face: path, refusals, warnings, score, then value and status of each measure; paths of photos without a \
      face go to standard error. PAIRS is a file for the comparisons of photos in one folder, i.e. of one person: the numbers \
      of two rows, and the difference of their score and the threshold at a false-match rate of 1e-3 (above 0: a false \
      non-match).
      """)
  @Argument var models: String
  @Argument(help: "default or dlib.") var set: String
  @Argument(help: "selfie, document-portrait or chip-portrait.") var policy: String
  @Argument var pairs: String?

  private struct Row: Sendable {
    let cells: [String]
    let template: FaceTemplate?
  }

  func run() throws {
    guard let policy = [QualityPolicy.selfie, .documentPortrait, .chipPortrait].first(where: { $0.name == policy })
    else {
      throw ValidationError("There is no policy '\(policy)'.")
    }
    let models = try loadModels(models, set: ModelSet(rawValue: set))
    let rows = photosWithFaces(models) { photo, pipeline in try row(photo, pipeline, policy) }

    print(
      (["path", "refusals", "warnings", "score"] + QualityMeasure.allCases.flatMap { ["\($0)", "\($0) status"] })
        .joined(separator: ","))
    for (path, row) in rows { print(([path] + row.cells).joined(separator: ",")) }

    if let pairs, let threshold = try models.calibration?.threshold(at: .oneIn1000) {
      var lines = "a,b,beyond\n"
      let people = Dictionary(grouping: rows.indices) { rows[$0].path.split(separator: "/").dropLast().last ?? "" }
      for photos in people.values.sorted(by: { $0[0] < $1[0] }) {
        for (n, i) in photos.enumerated() {
          for j in photos[..<n] {
            guard let a = rows[i].found.template, let b = rows[j].found.template else { continue }
            lines += "\(j),\(i),\(rounded(try Comparison.score(a, b) - threshold.score, 1e4))\n"
          }
        }
      }
      try RegularFile.write(Array(lines.utf8), to: pairs)
    }
  }

  private func row(_ photo: Photo, _ pipeline: FacePipeline, _ policy: QualityPolicy) throws -> Row? {
    let faces = try pipeline.locate(in: photo)
    guard let face = faces.first else { return nil }
    let chips = try pipeline.chips(of: face, in: photo)
    let report = QualityReport(of: face, among: faces, photo: photo, chip: chips.plain, policy: policy)
    let cells = report.checks.flatMap { check in
      [check.value.map { "\(rounded($0, 1e4))" } ?? "", check.consequence?.rawValue ?? check.status.rawValue]
    }
    func names(_ checks: [QualityCheck]) -> String { checks.map(\.name.rawValue).joined(separator: " ") }
    return Row(
      cells: [names(report.refusals), names(report.warnings), report.score.map { "\($0)" } ?? ""] + cells,
      template: try pairs == nil ? nil : pipeline.template(of: chips, quality: nil))
  }
}
