/// How far the value of a field can be relied on.
public enum DocumentFieldStatus: String, Sendable, Hashable, CaseIterable, Codable {
  /// Verified: a check digit, the chip's signature, or a sure reading vouches for it.
  case ok = "OK"
  /// Unreliable, not to be used: a check digit is wrong, a code is unknown, the chip's data were changed.
  case error = "ERROR"
  /// Nothing vouches for it.
  case notChecked = "NOT_CHECKED"
}
