/// Admission control for face attempts: reduces the frame rate near the capacity, and queues attempts beyond it.
///
/// The places follow the measured latency of the answers to frames, because the machine may have other work. A full server
/// gets one place more while its answers are quick. Once they are slow, one attempt less than those that run is known to
/// be the most for a while, and half of it the number of places until the delayed answers are given.
struct Admission {
  /// Maximum number of places: given, or from the cost measured when the server starts.
  let capacity: Int
  /// CPU seconds per second of frames of one attempt.
  let cost: Double
  /// Maximum number of concurrent attempts.
  private(set) var places: Int
  /// Times and latencies of the answers in the last ``window`` seconds.
  private var answers: [(at: Double, seconds: Double)] = []
  private var judged = -Double.infinity
  /// When places were last added and removed, and the most that are not known to be too many.
  private var added = -Double.infinity
  private var reduced = -Double.infinity
  private var most: Int
  /// 95th percentile of the latencies when they were last judged.
  private(set) var latency = 0.0
  private var running: [String: Double] = [:]
  /// Times of the first and of the last request of each waiting attempt.
  private var waiting: [String: (since: Double, asked: Double)] = [:]

  /// Utilisation of all cores by frames: beyond it, waiting times grow faster than the load (in M/D/c queues with c of
  /// 2 to 4, the mean wait reaches the service time at about 0.7).
  static let share = 0.7
  /// Seconds without frames after which an attempt loses its place.
  static let patience = 10.0
  /// Latency in seconds, of 95% of the answers: below the first, a place is added; above the second, places are removed,
  /// so that answers stay within 0.5 s, beyond which a prompt feels delayed.
  static let latencies = (quick: 0.15, slow: 0.25)
  /// Seconds over which the latency is measured, and after which its effect on it is judged.
  private static let window = 3.0
  /// Seconds for which a number of places is known to be too high.
  private static let memory = 120.0

  init(cores: Int, cost: Double, capacity: Int?) {
    self.cost = cost
    self.capacity = capacity ?? max(1, Int(Self.share * Double(cores) / cost))
    // Without a latency yet, one attempt per core.
    places = capacity ?? min(self.capacity, cores)
    most = self.capacity
  }

  /// Adds the latency of an answer to frames, and adapts the places.
  mutating func answered(after seconds: Double, at now: Double) {
    answers.append((now, seconds))
    guard now - judged >= 1 else { return }
    judged = now
    answers.removeAll { $0.at < now - Self.window }
    latency = answers.map(\.seconds).sorted()[Int(0.95 * Double(answers.count - 1))]
    let count = count(at: now)
    if now - reduced > Self.memory { most = capacity }
    if latency > Self.latencies.slow, now - reduced >= 2 * Self.window {
      most = max(1, min(places, count) - 1)
      (places, reduced) = (max(1, most / 2), now)
    } else if latency < Self.latencies.quick, count >= places, places < most, now - added >= Self.window {
      (places, added) = (places + 1, now)
    }
  }

  /// Takes a place, or keeps the present one; the attempt that waits longest is first.
  ///
  /// - Returns: nil if the attempt may begin, otherwise its position in the queue, from 1.
  mutating func enter(_ id: String, at now: Double) -> Int? {
    running = running.filter { now - $0.value < Self.patience }
    waiting = waiting.filter { now - $0.value.asked < Self.patience }
    if running[id] == nil {
      let since = waiting[id]?.since ?? now
      let before = waiting.count { $0.key != id && ($0.value.since, $0.key) < (since, id) }
      if running.count + before >= places {
        waiting[id] = (since, now)
        return before + 1
      }
    }
    waiting[id] = nil
    running[id] = now
    return nil
  }

  mutating func leave(_ id: String) {
    running[id] = nil
    waiting[id] = nil
  }

  func count(at now: Double) -> Int { running.values.count { now - $0 < Self.patience } }

  /// The frame rate to request: lower above three quarters of the capacity and with slow answers, but sufficient for the
  /// challenges.
  func pace(at now: Double) -> Int {
    let isFull = count(at: now) * 4 > capacity * 3 || latency > Self.latencies.slow
    return isFull ? Self.leastPace : FrameBatch.Limits.face.framesPerSecond
  }

  /// A blink of 0.25 s is then visible in two frames.
  static let leastPace = 8
}
