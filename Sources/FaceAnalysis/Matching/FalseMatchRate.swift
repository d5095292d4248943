/// The false-match rate of a decision: the share of non-mated comparisons that would match (FMR, ISO/IEC 19795-1).
public struct FalseMatchRate: Hashable, Sendable, CustomStringConvertible {
  /// The people among whom the rate holds.
  public enum Population: String, Sendable, CaseIterable {
    /// Those of the group with the highest rate: it holds for people who resemble each other, such as of one origin, sex
    /// and age, and for all others.
    case worstGroup = "worst-group"
    /// All people of the calibration data, where most comparisons are between people who do not resemble each other.
    case all

    /// Follows a rate, or the name of a curve.
    package var suffix: String { self == .all ? " among all" : "" }
  }

  public let value: Double
  public let population: Population
  private let number: String
  /// Such as "1e-3", or "1e-4 among all".
  public var description: String { number + population.suffix }

  public static let oneIn100 = FalseMatchRate(value: 1e-2, "1e-2")
  public static let oneIn1000 = FalseMatchRate(value: 1e-3, "1e-3")
  public static let oneIn10000 = FalseMatchRate(value: 1e-4, "1e-4")

  private init(value: Double, _ text: String, among population: Population = .worstGroup) {
    (self.value, self.population) = (value, population)
    number = text
  }

  /// Parses a rate such as "1e-3", "0.001" or "1e-4 among all". Whether the calibration supports it is checked on use.
  public init?(_ text: String) {
    let population: Population = text.hasSuffix(Population.all.suffix) ? .all : .worstGroup
    let number = String(text.dropLast(population.suffix.count))
    guard let value = Double(number) else { return nil }
    self.init(value, number, among: population)
  }

  /// A rate between 0 and 1. Whether the calibration supports it is checked on use.
  public init?(_ value: Double, among population: Population = .worstGroup) {
    self.init(value, "\(value)", among: population)
  }

  /// Returns this rate among other people.
  package func among(_ population: Population) -> FalseMatchRate {
    FalseMatchRate(value: value, number, among: population)
  }

  /// Returns the rate per comparison of `count`, so that the rate of any false match among them is at most this
  /// (Bonferroni's inequality). At most 1e-2, the largest supported rate.
  package func shared(by count: Int) -> FalseMatchRate {
    let shared = min(value / Double(max(1, count)), Self.oneIn100.value)
    return FalseMatchRate(shared, Calibration.written(shared), among: population) ?? self
  }

  private init?(_ value: Double, _ text: String, among population: Population) {
    guard value > 0, value < 1 else { return nil }
    let named = [Self.oneIn100, .oneIn1000, .oneIn10000].first { abs($0.value / value - 1) < 1e-9 }
    self.init(value: named?.value ?? value, named?.number ?? text, among: population)
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
      throw reader.wrong(name, "a rate such as \"1e-3\" or \"1e-4 among all\"")
    }
    self = rate
  }
}
