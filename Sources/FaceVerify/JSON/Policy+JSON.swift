/// Policies in full, as in records: decoding restores the encoded policy, even if its preset has changed since.

extension AuthenticationPolicy: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "leniencies": .array(leniencies.map(\.rawValue).sorted().map(JSONValue.string)),
      "algorithms": algorithms.jsonValue,
      "maximumRevocationListAge": .integer(maximumRevocationListAge),
    ]
  }

  /// "standard" or "strict" for these presets, otherwise "custom".
  package var name: String {
    let presets: [(String, Self)] = [("standard", .standard), ("strict", .strict)]
    return presets.first { $0.1.jsonValue == jsonValue }?.0 ?? "custom"
  }

  /// Decodes what ``jsonValue`` encodes, or the name of a preset.
  init(_ json: JSONValue) throws {
    if let name = json.string {
      guard ["standard", "strict"].contains(name) else {
        throw VerifyError(.badArgument, "authentication is \"\(name.prefix(64))\"; use standard, strict or an object")
      }
      self = name == "strict" ? .strict : .standard
      return
    }
    var reader = try MemberReader(json, of: "an authentication policy")
    guard let leniencies = try reader.names("leniencies"), let rules = try reader.list("algorithms"),
      let age = try reader.integer("maximumRevocationListAge")
    else { throw reader.wrong("leniencies, algorithms and maximumRevocationListAge", "there") }
    self = .strict
    self.leniencies = Set(leniencies.map(PassiveAuthentication.Reason.init))
    algorithms = try rules.map { try AlgorithmRule($0) }
    maximumRevocationListAge = age
    try reader.end()
  }
}

extension AlgorithmRule: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "weakness": .string(weakness.rawValue), "place": .string(place.rawValue), "from": .optional(from?.description),
      "action": .string(action.rawValue),
    ]
  }

  fileprivate init(_ json: JSONValue) throws {
    var reader = try MemberReader(json, of: "a rule for algorithms")
    guard let weakness = try reader.text("weakness").flatMap(Weakness.init),
      let place = try reader.text("place").flatMap(Place.init),
      let action = try reader.text("action").flatMap(Action.init)
    else { throw reader.wrong("weakness, place and action", "known names") }
    var from: CalendarDate?
    if let text = try reader.text("from") {
      guard let day = CalendarDate(text) else { throw reader.wrong("from", "a day, YYYY-MM-DD") }
      from = day
    }
    self.init(weakness, in: place, from: from, action)
    try reader.end()
  }
}

extension QualityPolicy: JSONConvertible {
  public var jsonValue: JSONValue {
    let requirements = QualityMeasure.allCases.compactMap { measure in
      self[measure].map { (measure.rawValue, $0.jsonValue) }
    }
    return [
      "name": .string(name), "requirements": .object(Dictionary(uniqueKeysWithValues: requirements)),
    ]
  }

  static let presets: [Self] = [.selfie, .documentPortrait, .chipPortrait, .any]

  /// Decodes what ``jsonValue`` encodes, or the name of a preset.
  init(_ json: JSONValue) throws {
    if let name = json.string {
      guard let preset = Self.presets.first(where: { $0.name == name }) else {
        throw VerifyError(
          .badArgument,
          "there is no quality policy \"\(name.prefix(64))\"; use "
            + "\(Self.presets.map(\.name).joined(separator: ", ")) or an object")
      }
      self = preset
      return
    }
    var reader = try MemberReader(json, of: "a quality policy")
    guard let name = try reader.text("name"), case .object(let requirements)? = try reader.take("requirements") else {
      throw reader.wrong("name and requirements", "there")
    }
    self.init(
      name: name,
      requirements: Dictionary(
        uniqueKeysWithValues: try requirements.map { (name, json) in
          let measure = QualityMeasure(rawValue: name)
          guard QualityMeasure.allCases.contains(measure) else {
            throw VerifyError(.badArgument, "a quality policy: there is no measure \"\(name.prefix(64))\"")
          }
          return (measure, try Requirement(json))
        }))
    try reader.end()
  }
}

extension QualityPolicy.Requirement: JSONConvertible {
  private static var names: [(String, WritableKeyPath<Self, Double?>)] {
    [
      ("minimum", \.minimum), ("maximum", \.maximum), ("refusedBelow", \.refusedBelow),
      ("refusedAbove", \.refusedAbove),
    ]
  }

  public var jsonValue: JSONValue {
    .object(
      Dictionary(uniqueKeysWithValues: Self.names.map { ($0, self[keyPath: $1].map(JSONValue.number) ?? .null) }))
  }

  fileprivate init(_ json: JSONValue) throws {
    self.init()
    var reader = try MemberReader(json, of: "a limit of quality")
    for (name, path) in Self.names { self[keyPath: path] = try reader.number(name) }
    try reader.end()
  }
}

extension ComparisonPolicy: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "falseMatchRate": .string(falseMatchRate.description), "selfie": selfie.jsonValue, "portrait": portrait.jsonValue,
    ]
  }

  /// Decodes what ``jsonValue`` encodes; every member is optional.
  init(_ json: JSONValue) throws {
    self.init()
    var reader = try MemberReader(json, of: "a comparison")
    if let text = try reader.text("falseMatchRate") {
      guard let rate = FalseMatchRate(text) else { throw reader.wrong("falseMatchRate", "a rate such as \"1e-3\"") }
      falseMatchRate = rate
    }
    if let policy = try reader.take("selfie") { selfie = try QualityPolicy(policy) }
    if let policy = try reader.take("portrait") { portrait = try QualityPolicy(policy) }
    try reader.end()
  }
}

extension LivenessPolicy {
  /// Decodes what ``jsonValue`` encodes, except for `measured`.
  init(_ json: JSONValue) throws {
    var reader = try MemberReader(json, of: "a liveness policy")
    _ = try reader.take("measured")
    guard let name = try reader.text("name"), let required = try reader.names("required"),
      let fatal = try reader.names("fatal"), let weights = try reader.list("weights"),
      let limit = try reader.number("limit")
    else { throw reader.wrong("name, required, fatal, weights and limit", "there") }
    let weighed = try weights.map { json in
      var reader = try MemberReader(json, of: "a weight")
      guard let signal = try reader.text("signal"), let weight = try reader.number("weight") else {
        throw reader.wrong("signal and weight", "there")
      }
      try reader.end()
      return (signal, weight)
    }
    try reader.end()
    let known = Set(LivenessSignal.allCases.map(\.rawValue))
    if let unknown = (required + fatal + weighed.map(\.0)).first(where: { !known.contains($0) }) {
      throw VerifyError(.badArgument, "a liveness policy: there is no signal \"\(unknown.prefix(64))\"")
    }
    try self.init(
      name: name, required: Set(required.map { LivenessSignal(rawValue: $0) }),
      fatal: Set(fatal.map { LivenessSignal(rawValue: $0) }),
      weights: Dictionary(weighed.map { (LivenessSignal(rawValue: $0), $1) }) { first, _ in first }, limit: limit)
  }
}
