internal import FaceAnalysis
internal import FaceVerifyBase
internal import Glibc
internal import Synchronization

/// The comparable photos and the comparisons to make: all pairs, or listed ones.
struct MatchComparisons: @unchecked Sendable {
  // Sendable: the matrix is immutable after init.
  private let matrix = TemplateMatrix()
  /// For each row: its photo, subject, quality and file contents.
  let photos: [Int32]
  let subjects: [Int32]
  let qualities: [UInt8]
  private let contents: [Int32]
  private let listed: [(first: Int32, second: Int32, isMated: Bool)]?
  private let threads: Int
  let subjectCount: Int

  struct Made {
    let first: Int
    let second: Int
    let cell: Int
    let isMated: Bool
    /// Its index in the list of pairs; 0 if all pairs are compared.
    let place: Int
  }

  init(_ photos: [MatchEvaluation.Photo], pairs: [MatchEvaluation.Pair]?, threads: Int) {
    var rows: [Int32] = []
    var rowOf = [Int32](repeating: -1, count: photos.count)
    var subjectNumbers: [String: Int32] = [:]
    var contentNumbers: [String: Int32] = [:]
    var subjects: [Int32] = []
    var contents: [Int32] = []
    var qualities: [UInt8] = []
    func number(_ name: String, _ numbers: inout [String: Int32]) -> Int32 {
      if let known = numbers[name] { return known }
      let new = Int32(numbers.count)
      numbers[name] = new
      return new
    }
    for (i, photo) in photos.enumerated() {
      guard case .success(let template) = photo.embedded.template else { continue }
      matrix.append(template)
      rowOf[i] = Int32(rows.count)
      rows.append(Int32(i))
      subjects.append(number(photo.subject, &subjectNumbers))
      // A template without a file equals no other.
      contents.append(number(photo.embedded.sha256 ?? "\(i)", &contentNumbers))
      qualities.append(UInt8(photo.embedded.quality ?? 0))
    }
    self.photos = rows
    (self.subjects, self.contents, self.qualities, self.threads) = (subjects, contents, qualities, threads)
    subjectCount = subjectNumbers.count
    listed = pairs?.map { (rowOf[$0.first], rowOf[$0.second], $0.isMated) }
  }

  /// Makes every comparison. The threads' partial results may be merged in any order.
  ///
  /// - Returns: the partial results, and the number of pairs skipped because both are the same file, or one has no
  ///   template.
  func scan<Part: Sendable>(
    _ start: Part, _ visit: @escaping @Sendable (inout Part, Made) -> Void
  ) -> (parts: [Part], sameFile: Int, notCompared: Int) {
    let next = Atomic(0)
    let results = Batch.run(threads, threads: threads) { _ -> (Part, Int, Int) in
      var part = start
      var sameFile = 0
      var notCompared = 0
      if let listed {
        let size = 4096
        let score = UnsafeMutablePointer<Float>.allocate(capacity: 1)
        defer { score.deallocate() }
        while case let begin = next.add(size, ordering: .relaxed).oldValue, begin < listed.count {
          for place in begin..<min(begin + size, listed.count) {
            let (a, b, isMated) = (Int(listed[place].first), Int(listed[place].second), listed[place].isMated)
            guard a >= 0, b >= 0 else {
              notCompared += 1
              continue
            }
            guard contents[a] != contents[b] else {
              sameFile += 1
              continue
            }
            matrix.scores(of: a, against: b..<b + 1, into: score)
            visit(&part, Made(first: a, second: b, cell: ScoreHistogram.cell(score[0]), isMated: isMated, place: place))
          }
        }
      } else {
        let scores = UnsafeMutablePointer<Float>.allocate(capacity: max(photos.count, 1))
        defer { scores.deallocate() }
        while case let a = next.add(1, ordering: .relaxed).oldValue, a < photos.count {
          matrix.scores(of: a, against: a + 1..<photos.count, into: scores)
          for b in a + 1..<photos.count {
            guard contents[a] != contents[b] else {
              sameFile += 1
              continue
            }
            visit(
              &part,
              Made(
                first: a, second: b, cell: ScoreHistogram.cell(scores[b - a - 1]), isMated: subjects[a] == subjects[b],
                place: 0))
          }
        }
      }
      return (part, sameFile, notCompared)
    }
    return (results.map(\.0), results.reduce(0) { $0 + $1.1 }, results.reduce(0) { $0 + $1.2 })
  }

  /// Calls the body for every comparison in order, on one thread, for verification.
  func forEach(_ body: (_ first: Int, _ second: Int, _ isMated: Bool, _ score: Float) throws -> Void) rethrows {
    let score = UnsafeMutablePointer<Float>.allocate(capacity: 1)
    defer { score.deallocate() }
    func made(_ a: Int, _ b: Int, _ isMated: Bool) throws {
      guard contents[a] != contents[b] else { return }
      matrix.scores(of: a, against: b..<b + 1, into: score)
      try body(Int(photos[a]), Int(photos[b]), isMated, score[0])
    }
    if let listed {
      for (a, b, isMated) in listed where a >= 0 && b >= 0 { try made(Int(a), Int(b), isMated) }
    } else {
      for a in photos.indices {
        for b in a + 1..<photos.count { try made(a, b, subjects[a] == subjects[b]) }
      }
    }
  }
}
