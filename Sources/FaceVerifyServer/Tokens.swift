internal import FaceVerify
internal import FaceVerifyBase
internal import Glibc

/// Opaque secrets of 256 bits, of which the server keeps SHA-256 alone.
enum Token {
  enum Kind: String {
    /// An operator's key.
    case key = "fvk_"
    /// What a page's address ends in; claimed once.
    case page = "fvp_"
    /// What a page holds from then on.
    case session = "fvs_"
  }

  static func make(_ kind: Kind, from bytes: [UInt8] = randomBytes(32)) -> String {
    kind.rawValue + String(base64(bytes).filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }

  static func digest(_ token: String) -> String { sha256(token.utf8) }
}

func randomBytes(_ count: Int) -> [UInt8] {
  var random = SystemRandomNumberGenerator()
  return (0..<count).map { _ in .random(in: 0...255, using: &random) }
}

/// Seconds since 1970, to milliseconds: so journeys count them.
package func wallClock() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Double(time.tv_sec) + (Double(time.tv_nsec) / 1e6).rounded(.down) / 1e3
}

/// Seconds on a clock that is never set.
package func steadyClock() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// As RFC 3339 has it, in UTC: "2026-11-22T01:29:43Z".
func timestamp(_ seconds: Double) -> String {
  var time = time_t(seconds.rounded(.down))
  var parts = tm()
  gmtime_r(&time, &parts)
  var text = [CChar](repeating: 0, count: 32)
  let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
  return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
