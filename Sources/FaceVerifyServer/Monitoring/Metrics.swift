internal import FaceVerify
internal import FaceVerifyBase

/// Counters, gauges and histograms in Prometheus' text format 0.0.4. No label identifies a session or a person.
/// Thread-safe.
final class Metrics: Sendable {
  private struct State {
    /// Counters with alerts begin at 0: Prometheus sees no increase in a series that begins with its first event.
    var counters: [String: [String: Double]] = [
      "fv_webhook_total": ["outcome=\"taken\"": 0, "outcome=\"put-off\"": 0, "outcome=\"given-up\"": 0],
      "fv_store_failures_total": ["": 0], "fv_refused_total": ["status=\"401\"": 0],
    ]
    var histograms: [String: [String: Histogram]] = [:]
  }

  private struct Histogram {
    var counts = [Int](repeating: 0, count: Metrics.bounds.count + 1)
    var sum = 0.0
  }

  /// Bucket bounds in seconds: from the analysis of a frame to a long upload.
  fileprivate static let bounds = [0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10]

  private static let help: [(name: String, type: String, text: String)] = [
    ("fv_sessions", "gauge", "Sessions in memory, by the state of their journey."),
    ("fv_attempts_running", "gauge", "Running face attempts."),
    ("fv_capacity", "gauge", "Maximum number of concurrent attempts."),
    ("fv_attempts_total", "counter", "Face attempts that ended, by result."),
    ("fv_frames_total", "counter", "Frames, by outcome."),
    ("fv_chip_readings_total", "counter", "Readings of chips on the server's reader, by outcome."),
    ("fv_frame_seconds", "histogram", "Seconds per frame, from decoding to feedback."),
    ("fv_http_seconds", "histogram", "Seconds per request, by route and status."),
    ("fv_webhook_total", "counter", "Webhook deliveries, by outcome."),
    ("fv_results_waiting", "gauge", "Finished results not yet in the database."),
    ("fv_certificate_expires", "gauge", "Unix time at which the server's own certificate expires."),
    ("fv_store_failures_total", "counter", "Failed database operations."),
    ("fv_queue_seconds", "histogram", "Seconds a request waited for a thread, by kind of work."),
    ("fv_refused_total", "counter", "Requests refused before any work, by status."),
  ]

  private let state = Lock(State())

  func count(_ name: String, _ label: String, by amount: Double = 1) {
    state.withLock { $0.counters[name, default: [:]][label, default: 0] += amount }
  }

  func observe(_ name: String, _ label: String, _ seconds: Double) {
    state.withLock { state in
      var histogram = state.histograms[name]?[label] ?? Histogram()
      let index = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
      histogram.counts[index] += 1
      histogram.sum += seconds
      state.histograms[name, default: [:]][label] = histogram
    }
  }

  /// - Parameter gauges: current values, by name and label.
  func text(gauges: [String: [String: Double]]) -> String {
    state.withLock { state in
      var lines: [String] = []
      for (name, type, text) in Self.help {
        let values = state.counters[name] ?? gauges[name] ?? [:]
        let histograms = state.histograms[name] ?? [:]
        lines += ["# HELP \(name) \(text)", "# TYPE \(name) \(type)"]
        for (label, value) in values.sorted(by: { $0.key < $1.key }) {
          lines.append("\(name)\(label.isEmpty ? "" : "{\(label)}") \(Self.number(value))")
        }
        for (label, histogram) in histograms.sorted(by: { $0.key < $1.key }) {
          let prefix = label.isEmpty ? "" : label + ","
          var count = 0
          for (bound, own) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
            count += own
            lines.append("\(name)_bucket{\(prefix)le=\"\(bound)\"} \(count)")
          }
          lines.append("\(name)_sum\(label.isEmpty ? "" : "{\(label)}") \(histogram.sum)")
          lines.append("\(name)_count\(label.isEmpty ? "" : "{\(label)}") \(count)")
        }
      }
      return lines.joined(separator: "\n") + "\n"
    }
  }

  private static func number(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}
