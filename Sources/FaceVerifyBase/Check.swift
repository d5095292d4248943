/// The result of one check. What could not be checked has not passed.
public enum CheckStatus: String, Sendable, Hashable, Codable, CaseIterable {
  case passed
  case failed
  /// The value could not be determined, or the check was not requested.
  case notChecked = "not-checked"

  /// Failed if one failed, otherwise not checked if one was not, otherwise passed.
  package static func worst(_ all: [Self]) -> Self { [.failed, .notChecked].first(where: all.contains) ?? .passed }
}

/// The effect of a failed check under a policy.
public enum CheckConsequence: String, Sendable, Hashable, Codable, CaseIterable {
  /// The picture must not be used.
  case refuse
  /// The picture may be used; results are less certain.
  case warn
}

/// A kind of check; its values are the names of the checks.
public protocol CheckName: RawRepresentable<String>, Hashable, Sendable {
  /// Why a check did not pass, a code in kebab case; `Never` for kinds without such codes.
  associatedtype Reason: Hashable, Sendable = Never

  static func json(of check: Check<Self>) -> JSONValue
}

/// The result of one check, of a quality measure or a liveness signal for example.
public struct Check<Name: CheckName>: Sendable, Hashable, JSONConvertible {
  /// What was checked.
  public let name: Name
  public let status: CheckStatus
  /// nil if the check passed, or its kind has no reasons.
  public let reason: Name.Reason?
  /// Set only for a failed check under a policy that distinguishes consequences.
  public let consequence: CheckConsequence?
  /// The measured value in ``unit``; nil if it could not be determined, or nothing is measured.
  public let value: Double?
  /// Empty if nothing is measured.
  public let unit: String
  /// The range in which the check passes; nil means no limit.
  public let minimum: Double?
  public let maximum: Double?
  /// One sentence: the finding or what to do if the check failed, why it was not checked, or empty if it passed.
  public let text: String

  package init(
    _ name: Name, _ status: CheckStatus, consequence: CheckConsequence? = nil, value: Double? = nil, unit: String = "",
    minimum: Double? = nil, maximum: Double? = nil, text: String = ""
  ) {
    (self.name, self.status, self.consequence, self.text) = (name, status, consequence, text)
    (self.value, self.unit, self.minimum, self.maximum) = (value, unit, minimum, maximum)
    reason = nil
  }

  /// - Parameter reason: ignored if the check passed.
  package init(_ name: Name, _ status: CheckStatus, _ reason: Name.Reason?, _ text: String = "") {
    (self.name, self.status, self.text) = (name, status, text.printable)
    self.reason = status == .passed ? nil : reason
    consequence = nil
    (value, unit, minimum, maximum) = (nil, "", nil, nil)
  }

  public var jsonValue: JSONValue { Name.json(of: self) }
}

extension CheckName where Reason: RawRepresentable<String> {
  /// Without `text` if there is none.
  public static func json(of check: Check<Self>) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(check.name.rawValue), "status": .string(check.status.rawValue),
      "reason": .optional(check.reason?.rawValue),
    ]
    if !check.text.isEmpty { members["text"] = .string(check.text) }
    return .object(members)
  }
}
