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
    let comparisons = MatchComparisons(photos, pairs: pairs, threads: options.threads)
    let groupings = try GroupNumbers.all(photos, rows: comparisons.photos)
    let suspicious = ScoreHistogram.cell(notAbove: Self.samePerson)
    let leavesOut = options.leavesOutSuspected

    // First pass: the distribution of scores, which determines the thresholds.
    let (parts, sameFile, notCompared) = comparisons.scan(
      MatchDistribution(rows: comparisons.photos.count, groups: groupings.map(\.names.count), pairs: pairs?.count ?? 0)
    ) { part, made in
      guard made.isMated || made.cell > suspicious || !leavesOut else {
        part.leftOut += 1
        return
      }
      part.add(made, groupings)
    }
    let scores = parts.dropFirst().reduce(into: parts[0]) { $0 += $1 }
    let (mated, nonMated) = (scores.mated.cumulated, scores.nonMated.cumulated)
    var thresholds = Self.targets.compactMap { target -> (Double, Bool, Int)? in
      let count = Int((target * Double(nonMated.total)).rounded(.down))
      return count > 0 ? (target, false, nonMated.cell(matching: count)) : nil
    }
    thresholds += shipped.map { ($0.rate.value, true, ScoreHistogram.cell(notAbove: $0.score)) }
    let cells = thresholds.map(\.2)

    // Second pass: the errors at each threshold.
    let listed = nonMated.cell(matching: options.keptStrangers)
    let far = mated.cell(matching: max(0, mated.total - 10 * Self.kept))
    let (found, _, _) = comparisons.scan(
      MatchErrors(rows: comparisons.photos.count, subjects: comparisons.subjectCount, points: cells.count, groupings)
    ) { part, made in
      guard made.isMated || made.cell > suspicious || !leavesOut else {
        part.suspected.append(made)
        return
      }
      part.add(made, comparisons, groupings, cells: cells, listed: listed, far: far)
    }
    var errors = found.dropFirst().reduce(into: found[0]) { $0 += $1 }
    errors.sort()

    let bootstrap = Bootstrap(people: comparisons.subjectCount)
    let people = PeopleOfPairs(comparisons, pairs: pairs, photos: photos)
    let falseMatches = people.falseMatches(errors, cells: cells, listed: listed, whole: nonMated, bootstrap)
    let falseNonMatches = errors.falseNonMatches(cells: cells, whole: mated, bootstrap)

    self.photos = photos
    embedded = comparisons.photos.count
    subjects = Set(photos.map(\.subject)).count
    self.mated = mated.total
    self.nonMated = nonMated.total
    (self.sameFile, self.notCompared) = (sameFile, notCompared)
    leftOut = scores.leftOut
    points = thresholds.indices.map { i in
      let (target, isShipped, cell) = thresholds[i]
      return Point(
        target: target, isShipped: isShipped, threshold: Double(cell) * ScoreHistogram.step,
        falseMatches: falseMatches[i], falseNonMatches: falseNonMatches[i],
        falseNonMatchRateOfPeople: errors.rateOfPeople(i), shareOfWorstPhotos: errors.shareOfWorstPhotos(i))
    }
    equalErrorRate = Self.equalErrorRate(mated, nonMated)
    curve = Self.curve(mated, nonMated)
    self.groupings = groupings.enumerated().map { g, numbers in
      Grouping(
        name: numbers.column,
        groups: numbers.names.indices.map { group in
          let own = scores.groups[g][group].cumulated
          let oneIn100 = own.total >= Self.fewestComparisons ? own.cell(matching: own.total / 100) : nil
          let members = photos.indices.filter { photos[$0].groups[numbers.column] == numbers.names[group] }
          return Group(
            name: numbers.names[group], photos: members.count, subjects: Set(members.map { photos[$0].subject }).count,
            notEmbedded: members.count { photos[$0].embedded.failure != nil },
            falseMatches: people.falseMatches(
              errors, cells: cells, listed: listed, whole: own, bootstrap, group: (numbers, group)),
            falseNonMatches: errors.falseNonMatches(cells: cells, bootstrap, grouping: g, group: group),
            cellOfOneIn100: oneIn100.map { Double($0) * ScoreHistogram.step },
            falseNonMatchesAtOneIn100: oneIn100.flatMap { cell in mated.total > 0 ? mated.shareAbove(cell) : nil })
        })
    }
    discard = errors.discard(cells)
    func comparison(_ made: MatchComparisons.Made) -> Comparison {
      Comparison(
        first: Int(comparisons.photos[made.first]), second: Int(comparisons.photos[made.second]),
        score: Double(made.cell) * ScoreHistogram.step)
    }
    /// Mislabelled photos recur in many comparisons: each photo is listed at most twice.
    func few(_ made: [MatchComparisons.Made]) -> [Comparison] {
      var shown: [Int: Int] = [:]
      return made.filter { one in
        guard shown[one.first, default: 0] < 2, shown[one.second, default: 0] < 2 else { return false }
        shown[one.first, default: 0] += 1
        shown[one.second, default: 0] += 1
        return true
      }.prefix(Self.kept).map(comparison)
    }
    closest = few(errors.strangers)
    farthest = few(errors.farthest)
    let close = leavesOut ? errors.suspected : errors.strangers.filter { $0.cell <= suspicious }
    sameUnderTwoNames = close.map(comparison)
    // Scores of the nearest non-mated comparisons are around 0.
    strangersToTheirName = scores.nearestMated.indices
      .filter { scores.nearestMated[$0] != .max && scores.nearestMated[$0] > 0 }
      .map { Int(comparisons.photos[$0]) }
    folds = pairs.flatMap { Self.folds($0, cells: scores.cellsOfPairs) }
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
