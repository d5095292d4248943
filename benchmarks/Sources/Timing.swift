import Glibc

/// The times of several runs.
struct Timing {
  /// Wall time in seconds, in ascending order.
  let wall: [Double]
  /// CPU time in seconds of all threads of the process, per run, in ascending order.
  let processor: [Double]

  var least: Double { wall[0] }
  var median: Double { wall[wall.count / 2] }

  /// Runs `body` for at least 2 seconds and `runs` runs, after a warm-up.
  static func measure(runs: Int = 15, calls: Int = 1, _ body: () throws -> Void) throws -> Timing {
    for _ in 0..<2 { try body() }
    var wall: [Double] = []
    var processor: [Double] = []
    let end = now(CLOCK_MONOTONIC) + 2
    while wall.count < runs || now(CLOCK_MONOTONIC) < end {
      let start = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
      try body()
      wall.append((now(CLOCK_MONOTONIC) - start.0) / Double(calls))
      processor.append((now(CLOCK_PROCESS_CPUTIME_ID) - start.1) / Double(calls))
    }
    return Timing(wall: wall.sorted(), processor: processor.sorted())
  }

  /// Alternates two measurements, so that interference affects both equally.
  static func measureInTurns(
    runs: Int = 80, calls: Int = 1, _ one: () throws -> Void, _ other: () throws -> Void
  ) throws -> (one: Timing, other: Timing) {
    func once(_ body: () throws -> Void) rethrows -> (wall: Double, processor: Double) {
      let start = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
      try body()
      return (now(CLOCK_MONOTONIC) - start.0, now(CLOCK_PROCESS_CPUTIME_ID) - start.1)
    }
    for _ in 0..<2 { _ = try (once(one), once(other)) }
    let pairs = try (0..<runs).map { _ in try (one: once(one), other: once(other)) }
    func timing(_ all: [(wall: Double, processor: Double)]) -> Timing {
      Timing(
        wall: all.map { $0.wall / Double(calls) }.sorted(), processor: all.map { $0.processor / Double(calls) }.sorted())
    }
    return (timing(pairs.map(\.one)), timing(pairs.map(\.other)))
  }
}

func now(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
}
