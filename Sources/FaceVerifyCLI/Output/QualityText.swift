import FaceVerify

/// A quality report as text.
enum QualityText {
  static func title(_ quality: QualityReport) -> String {
    let score = quality.score.map { ", quality \($0) of 100" } ?? ""
    return "\(quality.isAccepted ? "accepted" : "refused") as \(quality.policy)\(score)"
  }

  static func word(_ check: QualityCheck) -> (String, Style) {
    switch (check.status, check.consequence) {
    case (.passed, _): ("passed", .good)
    case (.failed, .refuse): ("refused", .bad)
    case (.failed, _): ("warning", .caution)
    case (.notChecked, _): ("not checked", .faint)
    }
  }

  static func value(_ check: QualityCheck) -> String {
    guard let value = check.value else { return "-" }
    // A ratio needs no unit.
    return Text.short(value) + (check.unit == "ratio" || check.unit == "share" ? "" : " \(check.unit)")
  }

  /// A refused photo and how to improve it.
  static func refusal(_ photo: String, _ quality: QualityReport, on console: Console) -> String {
    console.styled("\(Input.name(photo)): \(title(quality))", .caution) + "\n"
      + quality.refusals.map { "  \($0.advice)\n" }.joined()
  }
}

extension FaceSample {
  /// Notes on the photo and on the choice of the face.
  var notes: [String] { warnings.map(\.text) + [choice].compactMap(\.self) }
}
