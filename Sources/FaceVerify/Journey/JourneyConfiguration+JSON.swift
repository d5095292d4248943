extension JourneyConfiguration {
  /// Decodes what ``jsonValue`` encodes, except `livenessPolicies`, which follow from the modes. Every member is
  /// optional, and a policy may be the name of its preset. The JSON has only the hash of a portrait or trust store,
  /// which are given as objects in memory and are not decoded.
  ///
  /// - Throws: ``VerifyError/Code/badArgument``, naming the member, for an unknown member or a wrong type;
  ///   ``VerifyError/Code/damaged`` for malformed JSON.
  public init(json: String) throws { try self.init(JSONValue(parsing: Array(json.utf8))) }

  /// - Throws: as ``init(json:)``.
  public init(_ json: JSONValue) throws { try self.init(json, isRecorded: false) }

  /// Decodes a record's configuration, including the policies by which liveness was judged.
  init(recorded json: JSONValue) throws { try self.init(json, isRecorded: true) }

  private init(_ json: JSONValue, isRecorded: Bool) throws {
    self.init()
    var reader = try MemberReader(json, of: "a journey's configuration")
    if let requests = try reader.list("requests") { self.requests = try requests.map(Request.init) }
    if let consents = try reader.list("consents") { self.consents = try consents.map(Consent.init) }
    for (name, path) in [
      ("customerInternalReference", \Self.customerInternalReference), ("reportingCriteria", \.reportingCriteria),
      ("userReference", \.userReference), ("id", \.id), ("account", \.accountID), ("region", \.region),
      ("requiredVersion", \.requiredVersion), ("token", \.token),
    ] as [(String, WritableKeyPath<Self, String?>)] {
      if let text = try reader.text(name) { self[keyPath: path] = text }
    }
    for (name, path) in [
      ("requiresRegion", \Self.requiresRegion), ("extractsOnly", \.extractsOnly), ("comparesFace", \.comparesFace),
      ("isMirrored", \.isMirrored), ("readsPages", \.readsPages), ("readsChip", \.readsChip),
      ("requiresChip", \.requiresChip),
      ("isMultipart", \.isMultipart), ("asksConfirmation", \.asksConfirmation),
      ("givesInstantFeedback", \.givesInstantFeedback), ("keepsPictures", \.keepsPictures),
      ("recordsPersonalData", \.recordsPersonalData), ("isCaptureTrusted", \.capture.isTrusted),
      ("isLightRequired", \.capture.isLightRequired),
    ] as [(String, WritableKeyPath<Self, Bool>)] {
      if let value = try reader.bool(name) { self[keyPath: path] = value }
    }
    for (name, path) in [("startBy", \Self.startBy), ("timeout", \.timeout), ("partTimeout", \.partTimeout)]
      as [(String, WritableKeyPath<Self, Double>)]
    {
      if let value = try reader.number(name) { self[keyPath: path] = value }
    }
    for (name, path) in [
      ("challengeCount", \Self.challengeCount), ("rotation", \.rotation), ("maximumTries", \.maximumTries),
    ] as [(String, WritableKeyPath<Self, Int>)] {
      if let value = try reader.integer(name) { self[keyPath: path] = value }
    }
    if let modes = try reader.names("documentModes") {
      documentModes = try modes.map { try named($0, "documentModes") }
    }
    if let modes = try reader.names("faceModes") { faceModes = try modes.map { try named($0, "faceModes") } }
    if let names = try reader.names("challenges") { challenges = names.map(Challenge.init) }
    if let text = try reader.text("nonce") {
      guard let bytes = decodedHexadecimal(text) else { throw reader.wrong("nonce", "hexadecimal digits") }
      nonce = bytes
    }
    if let prompts = try reader.list("script") {
      script = try ChallengeScript(
        prompts: prompts.map { prompt in
          var reader = try MemberReader(prompt, of: "a prompt")
          let made = try ChallengeScript.Prompt(
            Challenge(rawValue: reader.text("challenge") ?? ""), hold: reader.number("hold") ?? 0.5,
            pause: reader.number("pause") ?? 0.3)
          try reader.end()
          return made
        })
    }
    if let text = try reader.text("tokenKey") { tokenKey = try PublicKey(pem: text) }
    if let text = try reader.text("date") {
      guard let day = CalendarDate(text) else { throw reader.wrong("date", "a day, YYYY-MM-DD") }
      date = day
    }
    if let policy = try reader.take("authentication") { authentication = try AuthenticationPolicy(policy) }
    if case .object(let advice)? = try reader.take("legalAdvice") {
      legalAdvice = try advice.mapValues { text in
        guard let text = text.string else { throw reader.wrong("legalAdvice", "texts by country") }
        return text
      }
    }
    if let policy = try reader.take("assurance") { assurance = try AssurancePolicy(policy) }
    if let camera = try reader.take("camera") { self.camera = try CameraFacts(camera) }
    if let policy = try reader.take("comparison") { comparison = try ComparisonPolicy(policy) }
    if isRecorded, let policies = try reader.take("livenessPolicies") {
      guard case .object(let members) = policies else { throw reader.wrong("livenessPolicies", "policies by mode") }
      for (mode, policy) in members {
        livenessPolicies[try named(mode, "livenessPolicies")] = try LivenessPolicy(policy)
      }
    }
    for name in ["portrait", "trust"] { _ = try reader.take(name) }
    try reader.end()
  }

  private func named<Value: RawRepresentable>(_ name: String, _ member: String) throws -> Value
  where Value.RawValue == String {
    guard let value = Value(rawValue: name) else {
      throw VerifyError(.badArgument, "a journey's configuration: \(member) has no \"\(name)\"")
    }
    return value
  }
}

extension JourneyConfiguration.Request {
  fileprivate init(_ json: JSONValue) throws {
    var reader = try MemberReader(json, of: "a credential that is asked for")
    guard let category = try reader.text("category").flatMap(JourneyCategory.init) else {
      throw reader.wrong("category", "id, face, document or data")
    }
    self.init(category)
    countries = try reader.names("countries") ?? []
    types = try (reader.names("types") ?? []).map(DocumentType.init)
    variants = try (reader.names("variants") ?? []).map { name in
      guard let variant = DocumentVariant(rawValue: name) else {
        throw reader.wrong("variants", "paper, plastic")
      }
      return variant
    }
    try reader.end()
  }
}

extension JourneyConfiguration.Consent {
  fileprivate init(_ json: JSONValue) throws {
    var reader = try MemberReader(json, of: "an item to consent to")
    guard let text = try reader.text("text"), let isActive = try reader.bool("isActive") else {
      throw reader.wrong("text and isActive", "there")
    }
    self.init(text, isActive: isActive, url: try reader.text("url"), link: try reader.text("link"))
    try reader.end()
  }
}

/// Reads members of an object, and rejects those left unread.
struct MemberReader {
  private var left: [String: JSONValue]
  private let subject: String

  init(_ json: JSONValue, of subject: String) throws {
    guard case .object(let members) = json else { throw VerifyError(.badArgument, "\(subject) must be a JSON object") }
    (left, self.subject) = (members, subject)
  }

  func wrong(_ name: String, _ wanted: String) -> VerifyError {
    VerifyError(.badArgument, "\(subject): \(name) must be \(wanted)")
  }

  /// nil if missing or null.
  mutating func take(_ name: String) throws -> JSONValue? {
    guard let value = left.removeValue(forKey: name), value != .null else { return nil }
    return value
  }

  private mutating func take<Value>(_ name: String, _ wanted: String, _ read: (JSONValue) -> Value?) throws -> Value? {
    guard let json = try take(name) else { return nil }
    guard let value = read(json) else { throw wrong(name, wanted) }
    return value
  }

  mutating func text(_ name: String) throws -> String? { try take(name, "a text") { $0.string } }
  mutating func bool(_ name: String) throws -> Bool? { try take(name, "true or false") { $0.bool } }
  mutating func number(_ name: String) throws -> Double? { try take(name, "a number") { $0.double } }
  mutating func integer(_ name: String) throws -> Int? { try take(name, "a whole number") { $0.integer } }
  mutating func list(_ name: String) throws -> [JSONValue]? {
    try take(name, "a list") { if case .array(let values) = $0 { values } else { nil } }
  }
  mutating func names(_ name: String) throws -> [String]? {
    try take(name, "a list of texts") { json in
      guard case .array(let values) = json else { return nil }
      let texts = values.compactMap(\.string)
      return texts.count == values.count ? texts : nil
    }
  }

  /// - Throws: ``VerifyError/Code/badArgument`` if a member is left.
  func end() throws {
    guard let name = left.keys.sorted().first else { return }
    throw VerifyError(.badArgument, "\(subject) has no member \"\(name)\"")
  }
}
