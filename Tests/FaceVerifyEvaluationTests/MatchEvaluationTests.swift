import EngineTestSupport
import Foundation
import Testing

@testable import FaceVerify
@testable import FaceVerifyEvaluation

/// A deterministic pseudorandom generator.
private struct Sequence64: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) | (state << 31)
  }
}

@Suite("MatchEvaluation")
struct MatchEvaluationTests {
  private static let models = String(repeating: "m", count: 16)

  /// People whose photos are near a point of their own; the second half are closer together, and thus a group with a
  /// high false-match rate.
  private static func photos(people: Int = 24, each: Int = 3, seed: UInt64 = 1) -> [MatchEvaluation.Photo] {
    var random = Sequence64(state: seed)
    func vector(_ size: Float) -> [Float] { (0..<128).map { _ in size * Float.random(in: -1...1, using: &random) } }
    let common = vector(0.1)
    return (0..<people).flatMap { person -> [MatchEvaluation.Photo] in
      let isAlike = person >= people / 2
      let centre = zip(common, vector(0.1)).map { isAlike ? 0.6 * $0 + 0.4 * $1 : $1 }
      return (0..<each).map { i in
        let at = zip(centre, vector(0.05)).map { $0 + $1 }
        let template = FaceTemplate(
          modelIdentifier: models, vector: at, cohortMean: 0.8, cohortDeviation: 0.05 + 0.001 * Float(person % 5),
          quality: (17 * person + 31 * i) % 101)
        return MatchEvaluation.Photo(
          EmbeddedPhoto(
            path: "p\(person)/\(i).jpg", sha256: "\(person) \(i)", quality: template.quality,
            template: .success(template)),
          subject: "p\(person)", groups: ["kind": isAlike ? "alike" : "other"])
      }
    }
  }

  private static func template(_ photo: MatchEvaluation.Photo) throws -> FaceTemplate {
    try photo.embedded.template.get()
  }

  /// The expected scores, computed pair by pair.
  private static func scores(_ photos: [MatchEvaluation.Photo]) throws -> [(a: Int, b: Int, same: Bool, score: Double)]
  {
    try photos.indices.flatMap { a in
      try (a + 1..<photos.count).map { b in
        (
          a, b, photos[a].subject == photos[b].subject,
          try Comparison.score(template(photos[a]), template(photos[b]))
        )
      }
    }
  }

  @Test("counts equal those of a pairwise computation")
  func counts() throws {
    let photos = Self.photos()
    let scores = try Self.scores(photos)
    let evaluation = try MatchEvaluation(photos, shipped: [])
    #expect(evaluation.mated == scores.count { $0.same } && evaluation.nonMated == scores.count { !$0.same })
    #expect(evaluation.points.map(\.target) == [1e-2, 1e-3])
    for point in evaluation.points {
      let matches = scores.filter { !$0.same && $0.score <= point.threshold }
      #expect(point.falseMatches.count == matches.count)
      #expect(Double(matches.count) <= point.target * Double(evaluation.nonMated))
      // One cell further, the target is exceeded.
      let further = scores.count { !$0.same && $0.score <= point.threshold + ScoreHistogram.step }
      #expect(Double(further) > point.target * Double(evaluation.nonMated))
      #expect(point.falseNonMatches.count == scores.count { $0.same && $0.score > point.threshold })
      let kinds = evaluation.groupings[0].groups
      #expect(kinds.map(\.name) == ["alike", "other"])
      for group in kinds {
        let own = scores.filter {
          photos[$0.a].groups["kind"] == group.name && photos[$0.b].groups["kind"] == group.name
        }
        let i = try #require(evaluation.points.firstIndex { $0.target == point.target })
        #expect(group.falseMatches[i].of == own.count { !$0.same })
        #expect(group.falseMatches[i].count == own.count { !$0.same && $0.score <= point.threshold })
        #expect(group.falseNonMatches[i].count == own.count { $0.same && $0.score > point.threshold })
      }
    }
    let closest = try #require(scores.filter { !$0.same }.min { $0.score < $1.score })
    #expect(evaluation.closest[0].first == closest.a && evaluation.closest[0].second == closest.b)
    let farthest = try #require(scores.filter(\.same).max { $0.score < $1.score })
    #expect(evaluation.farthest[0].first == farthest.a && evaluation.farthest[0].second == farthest.b)
  }

  @Test("the equal error rate and the curve equal those of the sorted scores")
  func curve() throws {
    let photos = Self.photos()
    let scores = try Self.scores(photos)
    let evaluation = try MatchEvaluation(photos, shipped: [])
    func rates(_ threshold: Double) -> (Double, Double) {
      (
        Double(scores.count { !$0.same && $0.score <= threshold }) / Double(evaluation.nonMated),
        Double(scores.count { $0.same && $0.score > threshold }) / Double(evaluation.mated)
      )
    }
    for point in evaluation.curve {
      #expect(rates(point.threshold) == (point.falseMatchRate, point.falseNonMatchRate))
    }
    let nearest = scores.map(\.score).map(rates).min { abs($0.0 - $0.1) < abs($1.0 - $1.1) }
    let expected = try #require(nearest)
    let found = try #require(evaluation.equalErrorRate)
    #expect(min(expected.0, expected.1) - 0.01...max(expected.0, expected.1) + 0.01 ~= found)
  }

  @Test("the group with the highest false-match rate is named")
  func groups() throws {
    let evaluation = try MatchEvaluation(Self.photos(people: 60), shipped: [])
    let grouping = evaluation.groupings[0]
    #expect(grouping.worst(at: 0)?.name == "alike")
    #expect(grouping.strictest?.name == "alike")
    let worst = try #require(grouping.worst(at: 0))
    #expect(try #require(worst.falseMatches[0].value) > 2e-2)
  }

  @Test("the number of threads changes nothing")
  func threads() throws {
    let photos = Self.photos()
    var options = MatchEvaluation.Options()
    let one = try MatchEvaluation(photos, shipped: [], options: options)
    options.threads = 4
    let four = try MatchEvaluation(photos, shipped: [], options: options)
    #expect("\(one.points)" == "\(four.points)" && "\(one.groupings)" == "\(four.groupings)")
    #expect("\(one.closest) \(one.farthest)" == "\(four.closest) \(four.farthest)")
  }

  @Test("bounds equal those of a bootstrap over people with another generator")
  func bounds() throws {
    let photos = Self.photos(people: 40)
    let scores = try Self.scores(photos)
    let evaluation = try MatchEvaluation(photos, shipped: [])
    let names = Array(Set(photos.map(\.subject))).sorted()
    let number = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    let who = photos.map { number[$0.subject] ?? 0 }
    var random = SystemRandomNumberGenerator()
    let point = evaluation.points[0]
    var drawn: [(matches: Double, misses: Double)] = []
    for _ in 0..<2000 {
      var draw = [Double](repeating: 0, count: names.count)
      for _ in names { draw[Int.random(in: 0..<names.count, using: &random)] += 1 }
      var (matched, strangers, missed, mated) = (0.0, 0.0, 0.0, 0.0)
      for one in scores {
        if one.same {
          mated += draw[who[one.a]]
          if one.score > point.threshold { missed += draw[who[one.a]] }
        } else {
          strangers += draw[who[one.a]] * draw[who[one.b]]
          if one.score <= point.threshold { matched += draw[who[one.a]] * draw[who[one.b]] }
        }
      }
      drawn.append((matched / strangers, missed / mated))
    }
    func quantiles(_ values: [Double]) -> (Double, Double) {
      let sorted = values.sorted()
      return (sorted[sorted.count / 40], sorted[sorted.count - sorted.count / 40])
    }
    for (rate, values) in [
      (point.falseMatches, drawn.map(\.matches)), (point.falseNonMatches, drawn.map(\.misses)),
    ] {
      let (low, high) = quantiles(values)
      let found = try #require(rate.bounds)
      let width = high - low
      // Never narrower than the exact ones, which may be the wider; with a tolerance for randomness.
      #expect(found.lowerBound < low + 0.15 * width && found.upperBound > high - 0.15 * width)
      let exact = try #require(ErrorRate(rate.count, of: rate.of).bounds)
      #expect(found.lowerBound > min(low, exact.lower) - 0.15 * width)
      #expect(found.upperBound < max(high, exact.upper) + 0.15 * width)
    }
  }

  @Test("bounds are nearly unchanged if there are too many false matches to store")
  func manyFalseMatches() throws {
    let photos = Self.photos(people: 60)
    var options = MatchEvaluation.Options()
    let all = try MatchEvaluation(photos, shipped: [], options: options).points[0]
    options.keptStrangers = 10
    let few = try MatchEvaluation(photos, shipped: [], options: options).points[0]
    #expect(all.falseMatches.count == few.falseMatches.count)
    let (a, b) = (try #require(all.falseMatches.bounds), try #require(few.falseMatches.bounds))
    let width = a.upperBound - a.lowerBound
    #expect(abs(a.lowerBound - b.lowerBound) < 0.2 * width && abs(a.upperBound - b.upperBound) < 0.2 * width)
  }

  @Test("duplicate files and photos without a template are not counted")
  func notCounted() throws {
    var photos = Self.photos(people: 4)
    let first = photos[0]
    photos.append(
      MatchEvaluation.Photo(
        EmbeddedPhoto(
          path: "copy.jpg", sha256: first.embedded.sha256, quality: 50, template: first.embedded.template),
        subject: "p0"))
    photos.append(
      MatchEvaluation.Photo(
        EmbeddedPhoto(
          path: "no.jpg", sha256: nil, quality: nil, template: .failure(.init(code: "no-face", message: "none"))),
        subject: "p9"))
    let evaluation = try MatchEvaluation(photos, shipped: [])
    #expect(evaluation.photos.count == 14 && evaluation.embedded == 13 && evaluation.subjects == 5)
    #expect(evaluation.sameFile == 1)
    #expect(evaluation.mated == 4 * 3 + 2 && evaluation.nonMated == 6 * 9 + 9)
  }

  @Test("two names of one person, and a mislabelled photo, are reported")
  func labels() throws {
    var photos = Self.photos(people: 12)
    // The first photo of p1 under the name of p0, and a near copy of one of p3 as another person.
    photos[0] = MatchEvaluation.Photo(photos[3].embedded, subject: "p0")
    let same = try Self.template(photos[9])
    photos.append(
      MatchEvaluation.Photo(
        EmbeddedPhoto(path: "alias.jpg", sha256: "alias", quality: 50, template: .success(same)), subject: "alias"))
    let evaluation = try MatchEvaluation(photos, shipped: [])
    let alias = photos.count - 1
    #expect(evaluation.sameUnderTwoNames.contains { $0.first == 9 && $0.second == alias })
    var options = MatchEvaluation.Options()
    options.leavesOutSuspected = true
    let without = try MatchEvaluation(photos, shipped: [], options: options)
    #expect(without.leftOut == evaluation.sameUnderTwoNames.count && without.leftOut > 0)
    #expect(without.nonMated == evaluation.nonMated - without.leftOut)
    #expect("\(without.sameUnderTwoNames)" == "\(evaluation.sameUnderTwoNames)")
    #expect(without.closest.allSatisfy { $0.score > MatchEvaluation.samePerson })
  }

  @Test("only listed pairs are compared; folds are fitted on the others")
  func pairs() throws {
    let photos = Self.photos()
    let scores = try Self.scores(photos)
    let pairs = scores.enumerated().filter { $0.element.same || $0.offset % 20 == 0 }.map { i, one in
      MatchEvaluation.Pair(one.a, one.b, isMated: one.same, fold: i % 10)
    }
    let evaluation = try MatchEvaluation(photos, pairs: pairs, shipped: [])
    #expect(evaluation.mated == pairs.count { $0.isMated } && evaluation.nonMated == pairs.count { !$0.isMated })
    let folds = try #require(evaluation.folds)
    #expect(folds.count == 10)
    var shares: [Double] = []
    let score = Dictionary(uniqueKeysWithValues: scores.map { (($0.a * 1000 + $0.b), $0.score) })
    for fold in 0..<10 {
      let learned = pairs.filter { $0.fold != fold }
      func right(_ pairs: [MatchEvaluation.Pair], _ threshold: Double) -> Double {
        Double(pairs.count { (score[$0.first * 1000 + $0.second, default: 0] <= threshold) == $0.isMated })
          / Double(pairs.count)
      }
      let thresholds = learned.map { score[$0.first * 1000 + $0.second, default: 0] }
      let best = try #require(thresholds.max { right(learned, $0) < right(learned, $1) })
      shares.append(right(pairs.filter { $0.fold == fold }, best))
    }
    // Any threshold between two scores is equally good on the training folds, but not on the test fold.
    #expect(abs(folds.accuracy - shares.reduce(0, +) / 10) < 0.01)
  }

  @Test("discarding comparisons uniformly changes nothing, discarding the worst ones does")
  func discard() throws {
    let photos = Self.photos(people: 40)
    let even = try MatchEvaluation(photos, shipped: []).discard
    #expect(even.count == 11 && even[0].share == 0 && even[10].share == 0.5)
    // The quality predicts which photos are missed.
    let evaluation = try MatchEvaluation(photos, shipped: [])
    let threshold = evaluation.points[0].threshold
    let missed = Set(try Self.scores(photos).filter { $0.same && $0.score > threshold }.flatMap { [$0.a, $0.b] })
    let known = try photos.enumerated().map { i, photo in
      let quality = missed.contains(i) ? 10 : 90
      return MatchEvaluation.Photo(
        EmbeddedPhoto(
          path: photo.embedded.path, sha256: photo.embedded.sha256, quality: quality,
          template: .success(try Self.template(photo))),
        subject: photo.subject)
    }
    let knowing = try MatchEvaluation(known, shipped: []).discard
    #expect(knowing[0].falseNonMatchRates[0] == even[0].falseNonMatchRates[0] && knowing[0].falseNonMatchRates[0] > 0)
    #expect(knowing[10].falseNonMatchRates[0] < 0.7 * even[10].falseNonMatchRates[0])
  }

  @Test("no photo, one photo and one person yield no rates, and no crash")
  func small() throws {
    for photos in [[], Array(Self.photos().prefix(1)), Array(Self.photos().prefix(3))] {
      let evaluation = try MatchEvaluation(photos, shipped: [])
      #expect(evaluation.points.isEmpty && evaluation.equalErrorRate == nil && evaluation.curve.isEmpty)
      #expect(evaluation.nonMated == 0 && evaluation.closest.isEmpty)
    }
  }

  @Test("a column with hundreds of values is not a grouping")
  func manyGroups() {
    let photos = Self.photos(people: 120, each: 1).map {
      MatchEvaluation.Photo($0.embedded, subject: $0.subject, groups: ["file": $0.embedded.path])
    }
    #expect(throws: VerifyError(.badArgument, "")) { try MatchEvaluation(photos, shipped: []) }
  }
}

@Suite("Work on several threads")
struct BatchTests {
  @Test("results are in order, regardless of completion")
  func order() throws {
    let seen = Lock<[Int]>([])
    try Batch.run(
      50, threads: 4,
      { i -> Int in
        usleep(i % 7 == 0 ? 3000 : 10)
        return i
      },
      handOver: { place, value in
        #expect(place == value)
        seen.withLock { $0.append(value) }
      })
    #expect(seen.withLock { $0 } == Array(0..<50))
    #expect(Batch.run(5, threads: 3) { $0 * 2 } == [0, 2, 4, 6, 8])
    #expect(Batch.run(0, threads: 3) { $0 } == [])
  }

  @Test("an error ends the work")
  func thrown() {
    let worked = Lock(0)
    #expect(throws: VerifyError(.unwritable, "")) {
      try Batch.run(
        10_000, threads: 2, { _ in worked.withLock { $0 += 1 } },
        handOver: { place, _ in if place == 3 { throw VerifyError(.unwritable, "full") } })
    }
    #expect(worked.withLock { $0 } < 5000)
  }
}
