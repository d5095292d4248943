/// Requirements on a picture: the accepted and the refused range of each measure.
///
///     var policy = QualityPolicy.selfie
///     policy.name = "selfie, strict"
///     policy[.eyesOpen] = .init(atLeast: 0.08, refusedBelow: 0.08)
///
/// A measure without a requirement is still measured, and reported as not checked.
public struct QualityPolicy: Sendable, Hashable {
  /// Limits of one measure. A value between the accepted and the refused range fails with a warning.
  public struct Requirement: Sendable, Hashable {
    /// The range in which the check passes; nil means no limit.
    public var minimum: Double?
    public var maximum: Double?
    /// Values beyond these are refused; nil never refuses.
    public var refusedBelow: Double?
    public var refusedAbove: Double?

    public init(
      atLeast minimum: Double? = nil, atMost maximum: Double? = nil, refusedBelow: Double? = nil,
      refusedAbove: Double? = nil
    ) {
      (self.minimum, self.maximum) = (minimum, maximum)
      (self.refusedBelow, self.refusedAbove) = (refusedBelow, refusedAbove)
    }

    /// Accepts from `-accepted` to `accepted` and refuses beyond `refused` on either side.
    init(within accepted: Double, refusedBeyond refused: Double? = nil) {
      self.init(atLeast: -accepted, atMost: accepted, refusedBelow: refused.map { -$0 }, refusedAbove: refused)
    }

    /// Returns nil if `value` is accepted.
    func consequence(of value: Double) -> (consequence: CheckConsequence, isLow: Bool)? {
      if let refusedBelow, value < refusedBelow { return (.refuse, true) }
      if let refusedAbove, value > refusedAbove { return (.refuse, false) }
      if let minimum, value < minimum { return (.warn, true) }
      if let maximum, value > maximum { return (.warn, false) }
      return nil
    }
  }

  public var name: String
  private var requirements: [QualityMeasure: Requirement]

  public init(name: String, requirements: [QualityMeasure: Requirement]) {
    self.name = name
    self.requirements = requirements
  }

  func requirements(of measures: QualityMeasure...) -> [QualityMeasure: Requirement] {
    requirements.filter { measures.contains($0.key) }
  }

  public subscript(measure: QualityMeasure) -> Requirement? {
    get { requirements[measure] }
    set { requirements[measure] = newValue }
  }
}

extension QualityPolicy: JSONTable {
  package static let subject = "a quality policy"
  package static var blank: Self { Self(name: "", requirements: [:]) }
  package static var memberTable: [JSONMember<Self>] {
    [
      .init("name", \.name, isRequired: true),
      .init("requirements", isRequired: true) { policy in
        Dictionary(uniqueKeysWithValues: policy.requirements.map { ($0.rawValue, $1) }).memberJSON
      } read: { policy, json, reader in
        for (name, requirement) in try [String: Requirement](json, at: "requirements", in: reader) {
          let measure = QualityMeasure(rawValue: name)
          guard QualityMeasure.allCases.contains(measure) else {
            throw VerifyError(.badArgument, "a quality policy: there is no measure \"\(name.prefix(64))\"")
          }
          policy.requirements[measure] = requirement
        }
      },
    ]
  }
  public var jsonValue: JSONValue { tableJSON }

  package static let presets: [Self] = [.selfie, .documentPortrait, .chipPortrait, .any]

  /// Decodes what ``jsonValue`` encodes, or the name of a preset.
  package init(_ json: JSONValue) throws {
    guard let name = json.string else {
      try self.init(members: json)
      return
    }
    guard let preset = Self.presets.first(where: { $0.name == name }) else {
      throw VerifyError(
        .badArgument,
        "there is no quality policy \"\(name.prefix(64))\"; use "
          + "\(Self.presets.map(\.name).joined(separator: ", ")) or an object")
    }
    self = preset
  }
}

extension QualityPolicy.Requirement: JSONTable {
  package static let subject = "a limit of quality"
  package static var blank: Self { Self() }
  package static var memberTable: [JSONMember<Self>] {
    [
      .init("minimum", \.minimum), .init("maximum", \.maximum), .init("refusedBelow", \.refusedBelow),
      .init("refusedAbove", \.refusedAbove),
    ]
  }
  public var jsonValue: JSONValue { tableJSON }
}
