import FaceVerify

/// The report of a matching evaluation.
struct MatchReport {
  let models: ModelVersion
  let policy: QualityPolicy
  let evaluation: MatchEvaluation

  static let method = "bootstrap over people (1,000 resamples), never narrower than exact binomial ones, 95 %"

  /// Photos without a template, in the order of the photos.
  var failures: [(path: String, failure: EmbeddedPhoto.Failure)] {
    evaluation.photos.compactMap { photo in photo.embedded.failure.map { (photo.embedded.path, $0) } }
  }

  var failureToAcquire: ErrorRate { ErrorRate(failures.count, of: evaluation.photos.count) }

  /// The operating point for groups and pictures: the product's default.
  var mainPoint: Int? {
    let points = evaluation.points
    return points.firstIndex { $0.isShipped && $0.target == 1e-3 } ?? points.indices.last
  }

  func path(_ photo: Int) -> String { evaluation.photos[photo].embedded.path }

  // MARK: JSON

  var json: String {
    let e = evaluation
    let record: JSONValue = [
      "version": .string(FaceVerifyVersion.string),
      "models": models.jsonValue,
      "policy": .string(policy.name),
      "bounds": ["method": "bootstrap", "resamples": 1000, "sides": 2, "confidence": .number(0.95)],
      "photos": .integer(e.photos.count),
      "subjects": .integer(e.subjects),
      "failureToAcquire": failureToAcquire.jsonValue,
      "failures": .array(
        failures.map {
          ["path": .string($0.path), "code": .string($0.failure.code), "message": .string($0.failure.message)]
        }),
      "comparisons": [
        "mated": .integer(e.mated), "nonMated": .integer(e.nonMated), "ofTheSameFile": .integer(e.sameFile),
        "notCompared": .integer(e.notCompared), "leftOut": .integer(e.leftOut),
      ],
      "points": .array(e.points.map(json)),
      "equalErrorRate": .significant(e.equalErrorRate, 4),
      "curve": .array(
        e.curve.map {
          [
            "threshold": .rounded($0.threshold, 3), "falseMatchRate": .significant($0.falseMatchRate, 6),
            "falseNonMatchRate": .significant($0.falseNonMatchRate, 6),
          ]
        }),
      "groupings": .array(e.groupings.map(json)),
      "discard": .array(
        e.discard.map { part in
          [
            "discarded": .rounded(part.share, 2),
            "falseNonMatchRates": .array(part.falseNonMatchRates.map { .significant($0, 4) }),
          ]
        }),
      "closest": .array(e.closest.map(json)),
      "farthest": .array(e.farthest.map(json)),
      "suspected": [
        "sameUnderTwoNames": .array(e.sameUnderTwoNames.map(json)),
        "strangersToTheirName": .array(e.strangersToTheirName.map { .string(path($0)) }),
      ],
      "folds": e.folds.map {
        [
          "folds": .integer($0.count), "accuracy": .rounded($0.accuracy, 4),
          "standardError": .rounded($0.standardError, 4),
        ]
      } ?? .null,
    ]
    return record.text
  }

  private func json(_ rate: MatchEvaluation.Rate) -> JSONValue {
    [
      "count": .integer(rate.count), "of": .integer(rate.of), "rate": .significant(rate.value, 6),
      "lower": .significant(rate.bounds?.lowerBound, 4), "upper": .significant(rate.bounds?.upperBound, 4),
    ]
  }

  private func json(_ point: MatchEvaluation.Point) -> JSONValue {
    [
      "falseMatchRate": .number(point.target),
      "from": .string(point.isShipped ? "calibration" : "data"),
      "threshold": .rounded(point.threshold, 3),
      "falseMatches": json(point.falseMatches),
      "falseNonMatches": json(point.falseNonMatches),
      "falseNonMatchRateOfPeople": .significant(point.falseNonMatchRateOfPeople, 4),
      "shareOfWorstPhotos": .significant(point.shareOfWorstPhotos, 4),
    ]
  }

  private func json(_ grouping: MatchEvaluation.Grouping) -> JSONValue {
    [
      "columns": .string(grouping.name),
      "worst": .array(
        evaluation.points.indices.map { grouping.worst(at: $0).map { .string($0.name) } ?? .null }),
      "groups": .array(
        grouping.groups.map { group in
          [
            "name": .string(group.name), "photos": .integer(group.photos), "subjects": .integer(group.subjects),
            "failureToAcquire": ErrorRate(group.notEmbedded, of: group.photos).jsonValue,
            "falseMatches": .array(group.falseMatches.map(json)),
            "falseNonMatches": .array(group.falseNonMatches.map(json)),
            "thresholdOfOneIn100": .rounded(group.cellOfOneIn100, 3),
            "falseNonMatchRateThere": .significant(group.falseNonMatchesAtOneIn100, 4),
          ]
        }),
    ]
  }

  private func json(_ comparison: MatchEvaluation.Comparison) -> JSONValue {
    [
      "first": .string(path(comparison.first)), "second": .string(path(comparison.second)),
      "score": .rounded(comparison.score, 3),
    ]
  }

  // MARK: CSV

  /// One line per threshold, for all photos and per group.
  var rates: String {
    var head = ["columns", "group", "from", "target", "threshold"]
    for kind in ["fmr", "fnmr"] { head += ["count", "of", "rate", "lower", "upper"].map { "\(kind)_\($0)" } }
    var lines = evaluation.points.map { line(["", ""], $0, $0.falseMatches, $0.falseNonMatches) }
    for grouping in evaluation.groupings {
      for group in grouping.groups {
        for (i, point) in evaluation.points.enumerated() {
          lines.append(line([grouping.name, group.name], point, group.falseMatches[i], group.falseNonMatches[i]))
        }
      }
    }
    return CSV.text([head] + lines)
  }

  private func line(
    _ name: [String], _ point: MatchEvaluation.Point, _ falseMatches: MatchEvaluation.Rate,
    _ falseNonMatches: MatchEvaluation.Rate
  ) -> [String] {
    name + [point.isShipped ? "calibration" : "data", "\(point.target)", Text.number(point.threshold, 3)]
      + [falseMatches, falseNonMatches].flatMap { rate in
        ["\(rate.count)", "\(rate.of)"]
          + [rate.value, rate.bounds?.lowerBound, rate.bounds?.upperBound].map { $0.map { "\(Float($0))" } ?? "" }
      }
  }

  /// One line per photo.
  var details: String {
    CSV.text(
      [["path", "subject", "sha256", "quality", "failure", "message"]]
        + evaluation.photos.map { photo in
          let e = photo.embedded
          return [
            e.path, photo.subject, e.sha256 ?? "", e.quality.map(String.init) ?? "", e.failure?.code ?? "",
            e.failure?.message ?? "",
          ]
        })
  }

  /// Writes one line per comparison.
  func writeScores(pairs: [MatchEvaluation.Pair]?, to path: String) throws {
    let names = evaluation.photos.map { CSV.field($0.embedded.path) }
    try RegularFile.write(to: path) { append in
      var lines = ContiguousArray("first,second,same,score\n".utf8)
      try evaluation.forEachComparison(pairs: pairs) { first, second, isMated, score in
        lines += "\(names[first]),\(names[second]),\(isMated ? 1 : 0),\(score)\n".utf8
        guard lines.count > 1 << 20 else { return }
        try append(lines)
        lines.removeAll(keepingCapacity: true)
      }
      try append(lines)
    }
  }
}
