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

  static func range(_ check: QualityCheck) -> String {
    switch (check.minimum, check.maximum) {
    case (let low?, let high?): "\(Text.limit(low)) to \(Text.limit(high))"
    case (let low?, nil): "at least \(Text.limit(low))"
    case (nil, let high?): "at most \(Text.limit(high))"
    case (nil, nil): ""
    }
  }
}
