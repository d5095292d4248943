/// The false-match rate of a decision: the share of non-mated comparisons that would match (FMR, ISO/IEC 19795-1).
public struct FalseMatchRate: Hashable, Sendable, CustomStringConvertible {
  public let value: Double
  /// As written on the command line, such as "1e-3".
  public let description: String

  public static let oneIn100 = FalseMatchRate(value: 1e-2, description: "1e-2")
  public static let oneIn1000 = FalseMatchRate(value: 1e-3, description: "1e-3")
  public static let oneIn10000 = FalseMatchRate(value: 1e-4, description: "1e-4")

  init(value: Double, description: String) {
    self.value = value
    self.description = description
  }

  /// Parses a rate such as "1e-3" or "0.001". Whether the calibration supports it is checked on use.
  public init?(_ text: String) {
    guard let value = Double(text) else { return nil }
    self.init(value, description: text)
  }

  /// A rate between 0 and 1. Whether the calibration supports it is checked on use.
  public init?(_ value: Double) { self.init(value, description: "\(value)") }

  /// Returns the rate per comparison of `count`, so that the rate of any false match among them is at most this
  /// (Bonferroni's inequality). At most 1e-2, the largest supported rate.
  package func shared(by count: Int) -> FalseMatchRate {
    let shared = min(value / Double(max(1, count)), Self.oneIn100.value)
    return FalseMatchRate(shared, description: Calibration.written(shared)) ?? self
  }

  private init?(_ value: Double, description: String) {
    guard value > 0, value < 1 else { return nil }
    let named = [Self.oneIn100, .oneIn1000, .oneIn10000].first { abs($0.value / value - 1) < 1e-9 }
    self = named ?? FalseMatchRate(value: value, description: description)
  }
}

/// Encoded as text, such as "1e-3".
extension FalseMatchRate: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let rate = FalseMatchRate(text) else { throw VerifyError(.damaged, "\"\(text)\" is not a false-match rate") }
    self = rate
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension FalseMatchRate: JSONMemberValue {
  package var memberJSON: JSONValue { .string(description) }
  package init(_ json: JSONValue, at name: String, in reader: MemberReader) throws {
    guard let rate = json.string.flatMap({ FalseMatchRate($0) }) else {
      throw reader.wrong(name, "a rate such as \"1e-3\"")
    }
    self = rate
  }
}
