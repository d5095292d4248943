internal import FaceAnalysis
internal import Glibc

extension MatchEvaluation {
  /// Options for counting.
  package struct Options: Sendable {
    /// Maximum number of closest non-mated comparisons kept for bounds; beyond it, bounds are approximated.
    package var keptStrangers = 1_000_000
    package var leavesOutSuspected = false
    package var threads = 1

    package init() {}
  }

  /// - Parameters:
  ///   - pairs: the pairs to compare; nil for all pairs.
  ///   - shipped: the calibration's operating points.
  /// - Throws: ``VerifyError/Code/badArgument`` for a column with too many distinct values for groups.
  package init(
    _ photos: [Photo], pairs: [Pair]? = nil, shipped: [Calibration.Threshold], options: Options = Options()
  ) throws {
    let found = try MatchCounts(photos, pairs: pairs, shipped: shipped, options: options)
    let (mated, nonMated, errors) = (found.mated, found.nonMated, found.errors)
    let bootstrap = Bootstrap(people: found.comparisons.subjectCount)
    let people = PeopleOfPairs(found.comparisons, pairs: pairs, photos: photos)
    let falseMatches = people.falseMatches(
      errors, cells: found.cells, listed: found.listed, whole: nonMated, bootstrap)
    let falseNonMatches = errors.falseNonMatches(cells: found.cells, whole: mated, bootstrap)

    self.photos = photos
    embedded = found.comparisons.photos.count
    subjects = Set(photos.map(\.subject)).count
    self.mated = mated.total
    self.nonMated = nonMated.total
    sameFile = found.sameFile
    notCompared = found.notCompared
    leftOut = found.scores.leftOut
    points = found.thresholds.enumerated().map { i, threshold in
      Point(
        target: threshold.target, isShipped: threshold.isShipped,
        threshold: Double(threshold.cell) * ScoreHistogram.step,
        falseMatches: falseMatches[i], falseNonMatches: falseNonMatches[i],
        falseNonMatchRateOfPeople: errors.rateOfPeople(i), shareOfWorstPhotos: errors.shareOfWorstPhotos(i))
    }
    equalErrorRate = Self.equalErrorRate(mated, nonMated)
    curve = Self.curve(mated, nonMated)
    groupings = found.groupings.indices.map { found.grouping($0, photos, people, bootstrap) }
    discard = errors.discard(found.cells)
    closest = found.few(errors.strangers)
    farthest = found.few(errors.farthest)
    let close =
      options.leavesOutSuspected
      ? errors.suspected : errors.strangers.filter { $0.cell <= MatchCounts.suspicious }
    sameUnderTwoNames = close.map(found.comparison)
    // Scores of the nearest non-mated comparisons are around 0.
    strangersToTheirName = found.scores.nearestMated.indices
      .filter { found.scores.nearestMated[$0] != .max && found.scores.nearestMated[$0] > 0 }
      .map { Int(found.comparisons.photos[$0]) }
    folds = pairs.flatMap { Self.folds($0, cells: found.scores.cellsOfPairs) }
  }

  private static func equalErrorRate(_ mated: CumulatedScores, _ nonMated: CumulatedScores) -> Double? {
    guard mated.total > 0, nonMated.total > 0 else { return nil }
    let cells = ScoreHistogram.cells
    func gap(_ cell: Int) -> Double { nonMated.share(cell) - mated.shareAbove(cell) }
    guard let after = cells.first(where: { gap($0) >= 0 }) else { return nil }
    guard after > cells.lowerBound else { return nonMated.share(after) }
    let (a, b) = (gap(after - 1), gap(after))
    let part = b > a ? -a / (b - a) : 1
    return nonMated.share(after - 1) + part * (nonMated.share(after) - nonMated.share(after - 1))
  }

  /// Twenty thresholds per decade of the false-match rate.
  private static func curve(
    _ mated: CumulatedScores, _ nonMated: CumulatedScores
  ) -> [(threshold: Double, falseMatchRate: Double, falseNonMatchRate: Double)] {
    guard mated.total > 0, nonMated.total > 0 else { return [] }
    var cells: [Int] = []
    var share = 1.0 / Double(nonMated.total)
    while share < 1 {
      cells.append(nonMated.cell(matching: Int((share * Double(nonMated.total)).rounded())))
      share *= pow(10, 0.05)
    }
    var last = Int.min
    return cells.filter { cell in
      defer { last = max(last, cell) }
      return cell > last
    }.map { (Double($0) * ScoreHistogram.step, nonMated.share($0), mated.shareAbove($0)) }
  }

  /// - Parameter cells: the cell of each pair's score; .max if it was not compared.
  private static func folds(_ pairs: [Pair], cells: [Int32]) -> Folds? {
    let compared = pairs.indices.filter { cells[$0] != .max }.sorted { (cells[$0], $0) < (cells[$1], $1) }
    let names = Set(compared.map { pairs[$0].fold }).sorted()
    guard names.count > 1 else { return nil }
    let shares = names.map { fold -> Double in
      // In ascending order of scores, every pair up to the threshold is a match.
      let learned = compared.filter { pairs[$0].fold != fold }
      var right = learned.count { !pairs[$0].isMated }
      var best = (right: right, threshold: Double(ScoreHistogram.cells.lowerBound))
      for (i, place) in learned.enumerated() {
        right += pairs[place].isMated ? 1 : -1
        let isLast = i + 1 == learned.count || cells[learned[i + 1]] != cells[place]
        if isLast, right > best.right {
          let next = i + 1 < learned.count ? cells[learned[i + 1]] : cells[place]
          best = (right, (Double(cells[place]) + Double(next)) / 2)
        }
      }
      let own = compared.filter { pairs[$0].fold == fold }
      return Double(own.count { (Double(cells[$0]) <= best.threshold) == pairs[$0].isMated }) / Double(own.count)
    }
    let mean = shares.reduce(0, +) / Double(shares.count)
    let variance = shares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(shares.count - 1)
    return Folds(count: shares.count, accuracy: mean, standardError: (variance / Double(shares.count)).squareRoot())
  }
}

/// The scores and errors of all pairs, counted in two passes.
private struct MatchCounts {
  typealias Threshold = (target: Double, isShipped: Bool, cell: Int)

  let comparisons: MatchComparisons
  let groupings: [GroupNumbers]
  let scores: MatchDistribution
  let mated: CumulatedScores
  let nonMated: CumulatedScores
  let sameFile: Int
  let notCompared: Int
  let thresholds: [Threshold]
  let errors: MatchErrors
  /// The cell up to which all non-mated comparisons are kept.
  let listed: Int

  var cells: [Int] { thresholds.map(\.cell) }

  /// Non-mated comparisons up to this cell may be of one person under two names.
  static let suspicious = ScoreHistogram.cell(notAbove: MatchEvaluation.samePerson)

  init(
    _ photos: [MatchEvaluation.Photo], pairs: [MatchEvaluation.Pair]?, shipped: [Calibration.Threshold],
    options: MatchEvaluation.Options
  ) throws {
    let comparisons = MatchComparisons(photos, pairs: pairs, threads: options.threads)
    let groupings = try GroupNumbers.all(photos, rows: comparisons.photos)
    let rows = comparisons.photos.count
    @Sendable func counts(_ made: MatchComparisons.Made) -> Bool {
      made.isMated || made.cell > Self.suspicious || !options.leavesOutSuspected
    }

    // First pass: the distribution of scores, which determines the thresholds.
    let distributions: [MatchDistribution]
    (distributions, sameFile, notCompared) = comparisons.scan(
      MatchDistribution(rows: rows, groups: groupings.map(\.names.count), pairs: pairs?.count ?? 0)
    ) { part, made in
      if counts(made) { part.add(made, groupings) } else { part.leftOut += 1 }
    }
    scores = distributions.dropFirst().reduce(into: distributions[0]) { $0 += $1 }
    let (mated, nonMated) = (scores.mated.cumulated, scores.nonMated.cumulated)
    let thresholds =
      MatchEvaluation.targets.compactMap { target -> Threshold? in
        let count = Int((target * Double(nonMated.total)).rounded(.down))
        return count > 0 ? (target, false, nonMated.cell(matching: count)) : nil
      } + shipped.map { ($0.rate.value, true, ScoreHistogram.cell(notAbove: $0.score)) }

    // Second pass: the errors at each threshold.
    let cells = thresholds.map(\.cell)
    let listed = nonMated.cell(matching: options.keptStrangers)
    let far = mated.cell(matching: max(0, mated.total - 10 * MatchEvaluation.kept))
    let (found, _, _) = comparisons.scan(
      MatchErrors(rows: rows, subjects: comparisons.subjectCount, points: cells.count, groupings)
    ) { part, made in
      if counts(made) {
        part.add(made, comparisons, groupings, cells: cells, listed: listed, far: far)
      } else {
        part.suspected.append(made)
      }
    }
    var errors = found.dropFirst().reduce(into: found[0]) { $0 += $1 }
    errors.sort()
    (self.comparisons, self.groupings, self.thresholds) = (comparisons, groupings, thresholds)
    (self.mated, self.nonMated, self.errors, self.listed) = (mated, nonMated, errors, listed)
  }

  func grouping(
    _ index: Int, _ photos: [MatchEvaluation.Photo], _ people: PeopleOfPairs, _ bootstrap: Bootstrap
  ) -> MatchEvaluation.Grouping {
    let numbers = groupings[index]
    let groups = numbers.names.enumerated().map { group, name in
      let own = scores.groups[index][group].cumulated
      let oneIn100 = own.total >= MatchEvaluation.fewestComparisons ? own.cell(matching: own.total / 100) : nil
      let members = photos.filter { $0.groups[numbers.column] == name }
      return MatchEvaluation.Group(
        name: name, photos: members.count, subjects: Set(members.map(\.subject)).count,
        notEmbedded: members.count { $0.embedded.failure != nil },
        falseMatches: people.falseMatches(
          errors, cells: cells, listed: listed, whole: own, bootstrap, group: (numbers, group)),
        falseNonMatches: errors.falseNonMatches(cells: cells, bootstrap, grouping: index, group: group),
        cellOfOneIn100: oneIn100.map { Double($0) * ScoreHistogram.step },
        falseNonMatchesAtOneIn100: oneIn100.flatMap { cell in mated.total > 0 ? mated.shareAbove(cell) : nil })
    }
    return MatchEvaluation.Grouping(name: numbers.column, groups: groups)
  }

  func comparison(_ made: MatchComparisons.Made) -> MatchEvaluation.Comparison {
    MatchEvaluation.Comparison(
      first: Int(comparisons.photos[made.first]), second: Int(comparisons.photos[made.second]),
      score: Double(made.cell) * ScoreHistogram.step)
  }

  /// Mislabelled photos recur in many comparisons: each photo is listed at most twice.
  func few(_ made: [MatchComparisons.Made]) -> [MatchEvaluation.Comparison] {
    var shown: [Int: Int] = [:]
    return made.filter { one in
      guard shown[one.first, default: 0] < 2, shown[one.second, default: 0] < 2 else { return false }
      shown[one.first, default: 0] += 1
      shown[one.second, default: 0] += 1
      return true
    }.prefix(MatchEvaluation.kept).map(comparison)
  }
}
