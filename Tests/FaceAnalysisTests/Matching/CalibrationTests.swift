import Glibc
import TestSupport
import Testing

@testable import FaceAnalysis

@Suite("Calibration")
struct CalibrationTests {
  private static let json = """
    {"schema": 3, "modelSet": "default",
     "source": {"dataset": "made up", "subjects": 10, "photos": 20, "genuineComparisons": 5,
       "impostorComparisons": 1000, "groups": 2, "groupComparisons": 400, "date": "2026-01-01", "method": "none"},
     "curves": {"photo": [
       {"score": -4, "falseMatches": 1, "falseMatchRate": 0.0005, "falseMatchRateBounds": [0, 0.001],
        "overallFalseMatchRate": 0.00001, "overallFalseMatchRateBounds": [0, 0.00002], "falseNonMatchRate": 0.4,
        "falseNonMatchRateBounds": [0.2, 0.6]},
       {"score": -2, "falseMatches": 9, "falseMatchRate": 0.005, "falseMatchRateBounds": [0.001, 0.01],
        "overallFalseMatchRate": 0.001, "overallFalseMatchRateBounds": [0, 0.002], "falseNonMatchRate": 0.2,
        "falseNonMatchRateBounds": [0.1, 0.3]},
       {"score": 0, "falseMatches": 400, "falseMatchRate": 1, "falseMatchRateBounds": [1, 1],
        "overallFalseMatchRate": 1, "overallFalseMatchRateBounds": [1, 1], "falseNonMatchRate": 0,
        "falseNonMatchRateBounds": [0, 0]}],
       "page": [
       {"score": -3, "falseMatches": 1, "falseMatchRate": 0.0005, "falseMatchRateBounds": [0, 0.002],
        "overallFalseMatchRate": 0.00001, "overallFalseMatchRateBounds": [0, 0.00002], "falseNonMatchRate": 0.5,
        "falseNonMatchRateBounds": [0.2, 0.6]},
       {"score": 0, "falseMatches": 400, "falseMatchRate": 1, "falseMatchRateBounds": [1, 1],
        "overallFalseMatchRate": 1, "overallFalseMatchRateBounds": [1, 1], "falseNonMatchRate": 0,
        "falseNonMatchRateBounds": [0, 0]}]}}
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

  @Test("a score maps to the rate at which it would just match, in the worst group and overall")
  func rates() throws {
    let middle = try Self.comparison(score: -3)
    #expect(abs(middle.score + 3) < 1e-5)
    #expect(abs(middle.falseMatchRate / 0.00158114 - 1) < 1e-3)  // half way in the logarithm
    #expect(abs(middle.falseMatchRateUpperBound / 0.00316228 - 1) < 1e-3)
    #expect(abs(middle.overallFalseMatchRate / 0.0001 - 1) < 1e-3)
    #expect(abs(middle.similarity - 62.5) < 0.01)
    #expect(middle.isMatch && !middle.isBeyondCalibration)
    let far = try Self.comparison(score: 3)
    #expect(far.falseMatchRate == 1 && far.overallFalseMatchRate == 1 && far.similarity == 0 && !far.isMatch)
    let close = try Self.comparison(score: -7)
    #expect(close.falseMatchRate == 0.0005 && close.isBeyondCalibration && close.isMatch)
  }

  @Test("similarity never decreases with a smaller score")
  func monotone() throws {
    let similarities = try (-60...30).map { try Self.comparison(score: Float($0) / 10).similarity }
    #expect(zip(similarities, similarities.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test("an unsupported rate is rejected", arguments: ["1e-5", "9.9e-4", "0.011", "0.5"])
  func unsupported(rate: String) throws {
    let rate = try #require(FalseMatchRate(rate))
    #expect(throws: VerifyError(.unsupportedRate, "")) {
      try Self.calibration().threshold(at: rate)
    }
  }

  @Test("at a threshold, the worst group's bound is the requested rate")
  func interpolated() throws {
    let calibration = try Self.calibration()
    let rate = try #require(FalseMatchRate(0.00316228))
    let threshold = try calibration.threshold(at: rate)
    #expect(abs(threshold.score + 3) < 1e-4 && threshold.point.falseMatches == 5)
    #expect(abs(threshold.point.falseMatchRateBounds[1] / rate.value - 1) < 1e-6)
    #expect(threshold.point.falseMatchRate < rate.value && abs(threshold.point.falseNonMatchRate - 0.3) < 1e-4)
    #expect(try calibration.threshold(at: #require(FalseMatchRate(0.001))).score == -4)
    #expect(calibration.thresholds.map(\.rate) == [.oneIn100, .oneIn1000])
    let scores = try stride(from: 1.0, through: 10, by: 0.5).map {
      try calibration.threshold(at: #require(FalseMatchRate(min(0.01, $0 / 1000 * 1.001)))).score
    }
    #expect(scores == scores.sorted())
  }

  @Test("a rate among all is that of the overall bound, and looser than the same rate of the worst group")
  func amongAll() throws {
    let calibration = try Self.calibration()
    let rate = try #require(FalseMatchRate("2e-4 among all"))
    let threshold = try calibration.threshold(at: rate)
    #expect(abs(threshold.score + 3) < 1e-4)
    #expect(threshold.point.overallFalseMatchRateBounds[1] == 2e-4 && threshold.point.falseMatchRateBounds[1] > 1e-3)
    #expect(threshold.jsonValue["rate"] == "2e-4 among all")
    #expect(try calibration.threshold(at: FalseMatchRate.oneIn100.among(.all)).score > -2)
    #expect(calibration.rates(among: .all) == 2e-5...1e-2 && calibration.rates() == 1e-3...1e-2)
    #expect(throws: VerifyError(.unsupportedRate, "")) {
      try calibration.threshold(at: FalseMatchRate(1e-5, among: .all) ?? .oneIn100)
    }
    // Where the worst group's rate is extrapolated, the overall rate is unknown.
    let extrapolated = try Self.calibration { $0.replacing("\"falseMatches\": 1,", with: "\"falseMatches\": 0,") }
    #expect(extrapolated.rates(among: .all) == 2e-3...1e-2 && extrapolated.rates() == 1e-3...1e-2)
  }

  @Test("page portraits have separate thresholds, chip portraits use those of photos if not measured")
  func portraits() throws {
    let calibration = try Self.calibration()
    #expect(try calibration.threshold(at: #require(FalseMatchRate(0.002)), portrait: .page).score == -3)
    #expect(
      try calibration.threshold(at: .oneIn1000, portrait: .chip).score == calibration.threshold(at: .oneIn1000).score)
    #expect(throws: VerifyError(.unsupportedRate, "")) { try calibration.threshold(at: .oneIn1000, portrait: .page) }
    let page = try calibration.threshold(at: .oneIn100, portrait: .page)
    let comparison = try Comparison(Self.template(0), Self.template(0.5), page, calibration: calibration)
    #expect(abs(comparison.falseMatchRateUpperBound - 0.002) < 1e-9, "what a score means depends on the portrait, too")
  }

  @Test(
    "invalid rates are nil",
    arguments: ["", "0", "1", "2", "-1e-3", "nan", "x", "1e-3x", "1e-3 among", " among all", "1e-3 among worst-group"])
  func noRate(text: String) { #expect(FalseMatchRate(text) == nil) }

  @Test("a rate has several notations", arguments: ["1e-3", "0.001", "1E-03"])
  func sameRate(text: String) {
    #expect(FalseMatchRate(text) == .oneIn1000)
    let amongAll = FalseMatchRate(text + " among all")
    #expect(amongAll == FalseMatchRate.oneIn1000.among(.all) && amongAll != .oneIn1000)
    #expect(amongAll?.description == "1e-3 among all" && amongAll?.among(.worstGroup) == .oneIn1000)
  }

  @Test("unsorted data or another schema are rejected")
  func damaged() {
    for (from, to) in [
      ("\"schema\": 3", "\"schema\": 2"), ("[0, 0.00002]", "[0, 0.000005]"), ("[0, 0.002]", "[0, 0.00001]"),
      ("-4", "4"), ("[0, 0.001]", "[0, 0.01]"), ("[0, 0.001]", "[0]"),
      ("0.0005", "0"), ("0.0005", "0.002"), ("{\"schema\"", "["),
    ] {
      #expect(throws: VerifyError(.damaged, "")) {
        try Self.calibration { $0.replacing(from, with: to) }
      }
    }
  }

  @Test("the installed calibration supports the three named rates", .needsModels, .needsDlibModels)
  func installed() throws {
    for models in [Shared.standard, Shared.dlib] {
      let calibration = try #require(try models.get().calibration)
      #expect(calibration.thresholds.map(\.rate.description) == ["1e-2", "1e-3", "1e-4"])
      let scores = try (0...200).map {
        try calibration.threshold(at: #require(FalseMatchRate(1e-4 * pow(10, min(2, Double($0) / 100) - 1e-12)))).score
      }
      #expect(scores == scores.sorted(), "a stricter rate has no looser score")
      for threshold in calibration.thresholds {
        let point = threshold.point
        // Below 1e-3 the points are extrapolated: they state that no false match was observed.
        #expect(threshold.rate == .oneIn10000 || point.falseMatches >= 10)
        #expect(point.falseMatchRateBounds[0] < point.falseMatchRate)
        #expect(point.overallFalseMatchRate < point.falseMatchRate, "all strangers look less alike than the most alike")
      }
    }
  }
}
