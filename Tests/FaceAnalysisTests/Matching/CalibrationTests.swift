import Glibc
import Testing

@testable import FaceAnalysis

@Suite("Calibration")
struct CalibrationTests {
  private static let json = """
    {"schema": 1, "modelSet": "default",
     "source": {"dataset": "made up", "subjects": 10, "photos": 20, "genuineComparisons": 5,
       "impostorComparisons": 1000, "date": "2026-01-01", "method": "none"},
     "thresholds": [{"rate": "1e-2", "score": -2, "falseMatches": 10, "falseMatchRateBounds": [0.005, 0.02],
       "falseNonMatchRate": 0.1, "falseNonMatchRateBounds": [0.0, 0.4]}],
     "curve": [{"score": -4, "rate": 0.001, "upper": 0.003}, {"score": -2, "rate": 0.01, "upper": 0.02},
       {"score": 0, "rate": 1, "upper": 1}]}
    """

  private static func calibration(_ edit: (String) -> String = { $0 }) throws -> Calibration {
    try Calibration(json: Array(edit(json).utf8))
  }

  private static func template(_ x: Float) -> FaceTemplate {
    FaceTemplate(
      modelIdentifier: "0123456789abcdef", vector: [x] + [Float](repeating: 0, count: 127), cohortMean: 0.8,
      cohortDeviation: 0.1, quality: nil)
  }

  private static func comparison(score: Float) throws -> Comparison {
    let calibration = try calibration()
    return try Comparison(
      template(0), template(0.8 + 0.1 * score), calibration.threshold(at: .oneIn100), calibration: calibration)
  }

  @Test("a score means the rate at which it would just match")
  func rates() throws {
    let middle = try Self.comparison(score: -3)
    #expect(abs(middle.score + 3) < 1e-5)
    #expect(abs(middle.falseMatchRate / 0.00316228 - 1) < 1e-3)  // half way in the logarithm
    #expect(middle.falseMatchRateUpperBound > middle.falseMatchRate)
    #expect(abs(middle.similarity - 62.5) < 0.01)
    #expect(middle.isMatch && !middle.isBeyondCalibration)
    let far = try Self.comparison(score: 3)
    #expect(far.falseMatchRate == 1 && far.similarity == 0 && !far.isMatch)
    let close = try Self.comparison(score: -7)
    #expect(close.falseMatchRate == 0.001 && close.isBeyondCalibration && close.isMatch)
  }

  @Test("similarity never falls as the score gets smaller")
  func monotone() throws {
    let similarities = try (-60...30).map { try Self.comparison(score: Float($0) / 10).similarity }
    #expect(zip(similarities, similarities.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test("a rate that the data do not support is refused", arguments: ["1e-5", "9.9e-4", "0.011", "0.5"])
  func unsupported(rate: String) throws {
    let rate = try #require(FalseMatchRate(rate))
    #expect(throws: VerifyError(.unsupportedRate, "")) {
      try Self.calibration().threshold(at: rate)
    }
  }

  @Test("a rate between measured ones is interpolated, no looser than what it stands for, and says what is not known")
  func interpolated() throws {
    let calibration = try Self.calibration()
    let rate = try #require(FalseMatchRate(0.00316228))
    let threshold = try calibration.threshold(at: rate)
    #expect(abs(threshold.score + 3) < 1e-4 && threshold.falseMatches == 3)
    #expect(abs(calibration.rate(of: threshold.score).rate / rate.value - 1) < 1e-6)
    #expect(threshold.falseMatchRateBounds[0] == 0 && threshold.falseMatchRateBounds[1] > rate.value)
    #expect(threshold.falseNonMatchRate == nil && threshold.falseNonMatchRateBounds == nil)
    let scores = try stride(from: 1.0, through: 10, by: 0.5).map {
      try calibration.threshold(at: #require(FalseMatchRate($0 / 1000 * 1.001 > 0.01 ? 0.01 : $0 / 1000 * 1.001))).score
    }
    #expect(scores == scores.sorted())
  }

  @Test("text that is no rate is none", arguments: ["", "0", "1", "2", "-1e-3", "nan", "x", "1e-3x"])
  func noRate(text: String) { #expect(FalseMatchRate(text) == nil) }

  @Test("a rate may be written in several ways", arguments: ["1e-3", "0.001", "1E-03"])
  func sameRate(text: String) { #expect(FalseMatchRate(text) == .oneIn1000) }

  @Test("data out of order or of another schema are refused")
  func damaged() {
    for (from, to) in [("\"schema\": 1", "\"schema\": 2"), ("-4", "4"), ("0.001,", "0.1,"), ("{\"schema\"", "[")] {
      #expect(throws: VerifyError(.damaged, "")) {
        try Self.calibration { $0.replacing(from, with: to) }
      }
    }
  }

  @Test("what is installed supports the three named rates", .needsModels(of: .standard), .needsModels(of: .dlib))
  func installed() throws {
    for models in [Shared.standard, Shared.dlib] {
      let calibration = try #require(try models.get().calibration)
      #expect(calibration.thresholds.map(\.rate.description) == ["1e-2", "1e-3", "1e-4"])
      #expect(calibration.rates.lowerBound <= 1e-5)
      let scores = try (0...300).map {
        try calibration.threshold(at: #require(FalseMatchRate(max(1e-5, min(1e-2, 1e-5 * pow(10, Double($0) / 100))))))
          .score
      }
      #expect(scores == scores.sorted(), "a stricter rate has no looser score")
      for threshold in calibration.thresholds {
        let rate = threshold.rate.value
        #expect(threshold.falseMatches >= 30)
        #expect(threshold.falseMatchRateBounds[0] < rate && rate < threshold.falseMatchRateBounds[1])
      }
    }
  }
}
