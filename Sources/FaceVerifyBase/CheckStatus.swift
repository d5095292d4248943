/// The outcome of one check. There are three, never two: what could not be checked has not passed.
public enum CheckStatus: String, Sendable, Hashable, Codable {
  case passed
  case failed
  /// The value could not be determined, or nothing was asked of it.
  case notChecked = "not-checked"
}
