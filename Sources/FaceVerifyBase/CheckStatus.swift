/// The result of one check. What could not be checked has not passed.
public enum CheckStatus: String, Sendable, Hashable, Codable, CaseIterable {
  case passed
  case failed
  /// The value could not be determined, or the check was not requested.
  case notChecked = "not-checked"
}
