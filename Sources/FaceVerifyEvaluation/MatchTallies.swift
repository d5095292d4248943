internal import FaceAnalysis
internal import Glibc

struct GroupNumbers: Sendable {
  let column: String
  let names: [String]
  /// The group of each row; -1 for none.
  let ofRows: [Int16]

  private static let most = 100

  static func all(_ photos: [MatchEvaluation.Photo], rows: [Int32]) throws -> [Self] {
    let columns = Set(photos.flatMap(\.groups.keys)).sorted()
    return try columns.map { column in
      let names = Set(photos.compactMap { $0.groups[column] }).sorted()
      guard names.count <= most else {
        throw VerifyError(
          .badArgument, "the column \(column) has \(names.count) values; choose one with at most \(most)")
      }
      let numbers = Dictionary(uniqueKeysWithValues: zip(names, 0..<Int16(names.count)))
      return Self(
        column: column, names: names,
        ofRows: rows.map { row in photos[Int(row)].groups[column].flatMap { numbers[$0] } ?? -1 })
    }
  }

  /// The group that both photos belong to; nil otherwise.
  func common(_ made: MatchComparisons.Made) -> Int? {
    let group = ofRows[made.first]
    return group >= 0 && group == ofRows[made.second] ? Int(group) : nil
  }
}

struct MatchDistribution: Sendable {
  var mated = ScoreHistogram()
  var nonMated = ScoreHistogram()
  /// Non-mated scores within each group, for each grouping.
  var groups: [[ScoreHistogram]]
  /// For each row, the cell of the nearest photo of the same subject.
  var nearestMated: [Int32]
  /// For each listed pair, the cell of its score.
  var cellsOfPairs: [Int32]
  var leftOut = 0

  init(rows: Int, groups: [Int], pairs: Int) {
    self.groups = groups.map { [ScoreHistogram](repeating: ScoreHistogram(), count: $0) }
    nearestMated = [Int32](repeating: .max, count: rows)
    cellsOfPairs = [Int32](repeating: .max, count: pairs)
  }

  @inline(__always)
  mutating func add(_ made: MatchComparisons.Made, _ groupings: [GroupNumbers]) {
    if !cellsOfPairs.isEmpty { cellsOfPairs[made.place] = Int32(made.cell) }
    if made.isMated {
      mated.add(cell: made.cell)
      nearestMated[made.first] = min(nearestMated[made.first], Int32(made.cell))
      nearestMated[made.second] = min(nearestMated[made.second], Int32(made.cell))
    } else {
      nonMated.add(cell: made.cell)
      for g in groupings.indices {
        if let group = groupings[g].common(made) { groups[g][group].add(cell: made.cell) }
      }
    }
  }

  static func += (left: inout Self, right: Self) {
    left.mated += right.mated
    left.nonMated += right.nonMated
    for g in left.groups.indices {
      for group in left.groups[g].indices { left.groups[g][group] += right.groups[g][group] }
    }
    for i in left.nearestMated.indices { left.nearestMated[i] = min(left.nearestMated[i], right.nearestMated[i]) }
    for i in left.cellsOfPairs.indices { left.cellsOfPairs[i] = min(left.cellsOfPairs[i], right.cellsOfPairs[i]) }
    left.leftOut += right.leftOut
  }
}

struct MatchErrors: Sendable {
  private let points: Int
  /// Rows × points: false matches of each photo.
  private var ofPhotos: [Int32]
  /// Subjects × points: false matches and false non-matches of each subject.
  private(set) var matchesOfPeople: [Int]
  private var missesOfPeople: [Int]
  private var matedOfPeople: [Int]
  /// Quality × points: false non-matches by the lower quality of both photos; and the number of mated pairs.
  private var missesOfQualities: [Int]
  private var matedOfQualities: [Int]
  /// For each grouping, groups × points, and the number of mated pairs; only pairs within one group.
  private var missesOfGroups: [[Int]]
  private var matedOfGroups: [[Int]]
  var strangers: [MatchComparisons.Made] = []
  var farthest: [MatchComparisons.Made] = []
  var suspected: [MatchComparisons.Made] = []

  init(rows: Int, subjects: Int, points: Int, _ groupings: [GroupNumbers]) {
    self.points = points
    ofPhotos = [Int32](repeating: 0, count: rows * points)
    matchesOfPeople = [Int](repeating: 0, count: subjects * points)
    missesOfPeople = matchesOfPeople
    matedOfPeople = [Int](repeating: 0, count: subjects)
    missesOfQualities = [Int](repeating: 0, count: 101 * points)
    matedOfQualities = [Int](repeating: 0, count: 101)
    missesOfGroups = groupings.map { [Int](repeating: 0, count: $0.names.count * points) }
    matedOfGroups = groupings.map { [Int](repeating: 0, count: $0.names.count) }
  }

  @inline(__always)
  mutating func add(
    _ made: MatchComparisons.Made, _ comparisons: MatchComparisons, _ groupings: [GroupNumbers], cells: [Int],
    listed: Int, far: Int
  ) {
    let subject = Int(comparisons.subjects[made.first])
    guard made.isMated else {
      for point in cells.indices where made.cell <= cells[point] {
        ofPhotos[made.first * points + point] += 1
        ofPhotos[made.second * points + point] += 1
        matchesOfPeople[subject * points + point] += 1
        matchesOfPeople[Int(comparisons.subjects[made.second]) * points + point] += 1
      }
      if made.cell <= listed { strangers.append(made) }
      return
    }
    let quality = Int(min(comparisons.qualities[made.first], comparisons.qualities[made.second], 100))
    matedOfPeople[subject] += 1
    matedOfQualities[quality] += 1
    if made.cell > far { farthest.append(made) }
    for g in groupings.indices {
      if let group = groupings[g].common(made) { matedOfGroups[g][group] += 1 }
    }
    for point in cells.indices where made.cell > cells[point] {
      missesOfPeople[subject * points + point] += 1
      missesOfQualities[quality * points + point] += 1
      for g in groupings.indices {
        if let group = groupings[g].common(made) { missesOfGroups[g][group * points + point] += 1 }
      }
    }
  }

  static func += (left: inout Self, right: Self) {
    func add<Number: AdditiveArithmetic>(_ a: inout [Number], _ b: [Number]) { for i in a.indices { a[i] += b[i] } }
    add(&left.ofPhotos, right.ofPhotos)
    add(&left.matchesOfPeople, right.matchesOfPeople)
    add(&left.missesOfPeople, right.missesOfPeople)
    add(&left.matedOfPeople, right.matedOfPeople)
    add(&left.missesOfQualities, right.missesOfQualities)
    add(&left.matedOfQualities, right.matedOfQualities)
    for g in left.missesOfGroups.indices {
      add(&left.missesOfGroups[g], right.missesOfGroups[g])
      add(&left.matedOfGroups[g], right.matedOfGroups[g])
    }
    left.strangers += right.strangers
    left.farthest += right.farthest
    left.suspected += right.suspected
  }

  /// Sorts by score, so that the order does not depend on the threads: non-mated pairs ascending, mated pairs
  /// descending.
  mutating func sort() {
    strangers.sort { ($0.cell, $0.first, $0.second) < ($1.cell, $1.first, $1.second) }
    suspected.sort { ($0.cell, $0.first, $0.second) < ($1.cell, $1.first, $1.second) }
    farthest.sort { (-$0.cell, $0.first, $0.second) < (-$1.cell, $1.first, $1.second) }
  }

  func falseNonMatches(cells: [Int], whole: CumulatedScores, _ bootstrap: Bootstrap) -> [MatchEvaluation.Rate] {
    let rates = cells.map { ErrorRate(whole.total - whole[$0], of: whole.total) }
    let mated = matedOfPeople.indices.filter { matedOfPeople[$0] > 0 }
    let bounds = bootstrap.bounds(rates) { draw in
      var all = 0.0
      var missed = [Double](repeating: 0, count: points)
      for subject in mated where draw[subject] > 0 {
        let times = Double(draw[subject])
        all += times * Double(matedOfPeople[subject])
        for point in 0..<points { missed[point] += times * Double(missesOfPeople[subject * points + point]) }
      }
      return missed.map { ($0, all) }
    }
    return zip(rates, bounds).map { MatchEvaluation.Rate(count: $0.count, of: $0.trials, bounds: $1) }
  }

  /// False non-matches within one group; the bounds assume independent comparisons.
  func falseNonMatches(cells: [Int], _ bootstrap: Bootstrap, grouping: Int, group: Int) -> [MatchEvaluation.Rate] {
    (0..<points).map { point in
      let rate = ErrorRate(missesOfGroups[grouping][group * points + point], of: matedOfGroups[grouping][group])
      return MatchEvaluation.Rate(count: rate.count, of: rate.trials, bounds: rate.bounds.map { $0.lower...$0.upper })
    }
  }

  func rateOfPeople(_ point: Int) -> Double? {
    let shares = matedOfPeople.indices.filter { matedOfPeople[$0] > 0 }.map {
      Double(missesOfPeople[$0 * points + point]) / Double(matedOfPeople[$0])
    }
    return shares.isEmpty ? nil : shares.reduce(0, +) / Double(shares.count)
  }

  func shareOfWorstPhotos(_ point: Int) -> Double? {
    let rows = points > 0 ? ofPhotos.count / points : 0
    let counts = (0..<rows).map { Int(ofPhotos[$0 * points + point]) }.sorted(by: >)
    let all = counts.reduce(0, +)
    // A false match involves two photos.
    return all >= 2 * MatchEvaluation.fewestErrors ? Double(counts.prefix(rows / 20).reduce(0, +)) / Double(all) : nil
  }

  /// Discards up to half of the mated pairs in order of quality, lowest first; proportionally within equal quality.
  func discard(_ cells: [Int]) -> [(share: Double, falseNonMatchRates: [Double])] {
    let all = matedOfQualities.reduce(0, +)
    guard all > 0 else { return [] }
    return (0...10).map { step in
      let share = Double(step) / 20
      var toDiscard = share * Double(all)
      var left = [Double](repeating: 0, count: points)
      for quality in 0...100 where matedOfQualities[quality] > 0 {
        let count = Double(matedOfQualities[quality])
        let gone = min(toDiscard, count)
        toDiscard -= gone
        for point in 0..<points {
          left[point] += (1 - gone / count) * Double(missesOfQualities[quality * points + point])
        }
      }
      return (share, left.map { $0 / (Double(all) * (1 - share)) })
    }
  }
}

/// The subjects of each comparison, for bootstrapping false-match rates.
struct PeopleOfPairs {
  private let subjects: [Int32]
  private let subjectCount: Int
  /// The listed non-mated pairs of subjects; nil if all pairs are compared.
  private let listed: [(Int, Int)]?

  init(_ comparisons: MatchComparisons, pairs: [MatchEvaluation.Pair]?, photos: [MatchEvaluation.Photo]) {
    subjects = comparisons.subjects
    subjectCount = comparisons.subjectCount
    listed = pairs.map { pairs in
      var subjectOf: [Int: Int] = [:]
      for (row, photo) in comparisons.photos.enumerated() { subjectOf[Int(photo)] = Int(comparisons.subjects[row]) }
      return pairs.compactMap { pair in
        guard !pair.isMated, let a = subjectOf[pair.first], let b = subjectOf[pair.second] else { return nil }
        return (a, b)
      }
    }
  }

  /// - Parameters:
  ///   - listed: up to this cell, `errors.strangers` has every false match, in order.
  ///   - whole: the non-mated scores to count.
  ///   - group: counts only comparisons within this group.
  func falseMatches(
    _ errors: MatchErrors, cells: [Int], listed last: Int, whole: CumulatedScores, _ bootstrap: Bootstrap,
    group: (GroupNumbers, Int)? = nil
  ) -> [MatchEvaluation.Rate] {
    let rates = cells.map { ErrorRate(whole[$0], of: whole.total) }
    var photos = [Double](repeating: 0, count: subjectCount)
    for row in subjects.indices where group.map({ Int($0.0.ofRows[row]) == $0.1 }) ?? true {
      photos[Int(subjects[row])] += 1
    }
    let people = photos.indices.filter { photos[$0] > 0 }
    let close = errors.strangers.filter { made in group.map { $0.0.common(made) == $0.1 } ?? true }
      .map { (cell: $0.cell, first: Int(subjects[$0.first]), second: Int(subjects[$0.second])) }
    let order = cells.indices.sorted { cells[$0] < cells[$1] }
    let bounds = bootstrap.bounds(rates) { draw in
      let all: Double
      if let listed, group == nil {
        all = listed.reduce(0) { $0 + Double(draw[$1.0]) * Double(draw[$1.1]) }
      } else {
        var (sum, squares) = (0.0, 0.0)
        for person in people {
          let count = Double(draw[person]) * photos[person]
          sum += count
          squares += count * count
        }
        all = (sum * sum - squares) / 2
      }
      var ratios = [(part: Double?, whole: Double)](repeating: (nil, all), count: cells.count)
      var matched = 0.0
      var next = 0
      for point in order {
        if cells[point] <= last {
          while next < close.count, close[next].cell <= cells[point] {
            matched += Double(draw[close[next].first]) * Double(draw[close[next].second])
            next += 1
          }
          ratios[point].part = matched
        } else if group == nil {
          // First-order approximation: the product of two draws is about their sum less one.
          ratios[point].part =
            people.reduce(0.0) {
              $0 + Double(draw[$1]) * Double(errors.matchesOfPeople[$1 * cells.count + point])
            } - Double(whole[cells[point]])
        }
      }
      return ratios
    }
    return zip(rates, bounds).map { MatchEvaluation.Rate(count: $0.count, of: $0.trials, bounds: $1) }
  }
}
