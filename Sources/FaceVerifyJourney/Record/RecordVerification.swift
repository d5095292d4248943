/// The result of checking one property of a record; its text is what is wrong, or why it was not checked.
public typealias RecordCheck = Check<RecordProperty>

/// What is checked of a record; the same names are used in JSON.
public struct RecordProperty: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// The encoding conforms to RFC 8785.
  public static let canonicalForm = Self(rawValue: "canonical-form")
  /// All required members are present, and no others.
  public static let schema = Self(rawValue: "schema")
  /// The signature of the named key is valid.
  public static let signature = Self(rawValue: "signature")
  /// The key is trusted.
  public static let signingKey = Self(rawValue: "signing-key")

  public static let allCases: [Self] = [.canonicalForm, .schema, .signature, .signingKey]
}

extension RecordProperty: CheckName {
  public static func json(of check: RecordCheck) -> JSONValue {
    ["check": .string(check.name.rawValue), "status": .string(check.status.rawValue), "text": .string(check.text)]
  }
}

extension DecisionRecord {
  /// Verifies form and signature. What the record says is not judged: ``JourneyReplay`` does that by its evidence.
  ///
  /// - Parameter keys: of trusted signers; if empty, the signer is unknown, and the check is ``CheckStatus/notChecked``.
  /// - Returns: one check for each of ``RecordProperty/allCases``, in that order.
  public func verify(trusting keys: [PublicKey] = []) -> [RecordCheck] {
    [checkedForm, checkedSchema, checkedSignature, checkedKey(keys)]
  }

  /// Passed if all checks passed, failed if one failed, otherwise not checked.
  public static func result(of checks: [RecordCheck]) -> CheckStatus {
    if checks.contains(where: { $0.status == .failed }) { return .failed }
    return checks.allSatisfy { $0.status == .passed } ? .passed : .notChecked
  }

  private var checkedForm: RecordCheck {
    let canonical = json.canonical
    guard canonical != bytes else { return RecordCheck(.canonicalForm, .passed, text: "") }
    let offset = zip(canonical, bytes).prefix { $0 == $1 }.count
    return RecordCheck(
      .canonicalForm, .failed,
      text: "from byte \(offset) on it is written otherwise than RFC 8785 says: it was edited or formatted")
  }

  /// Reports at most four problems.
  private var checkedSchema: RecordCheck {
    var problems: [String] = []
    RecordShape.record.check(json, at: "record", &problems)
    let more = problems.count > 4 ? "; and \(problems.count - 4) more" : ""
    return RecordCheck(
      .schema, problems.isEmpty ? .passed : .failed, text: problems.prefix(4).joined(separator: "; ") + more)
  }

  private var checkedSignature: RecordCheck {
    guard json["signature"]?["algorithm"]?.string == Self.algorithm, let key = signer,
      let value = json["signature"]?["value"]?.string.flatMap(Base64.standard.decode)
    else { return RecordCheck(.signature, .failed, text: "there is no Ed25519 signature") }
    guard key.verifies(value, of: signedBytes) else {
      return RecordCheck(
        .signature, .failed,
        text: "the record was changed after it was signed, or another key signed it than the one it names")
    }
    return RecordCheck(.signature, .passed, text: "")
  }

  private func checkedKey(_ trusted: [PublicKey]) -> RecordCheck {
    guard let key = signer else { return RecordCheck(.signingKey, .failed, text: "there is no key") }
    guard !trusted.isEmpty else {
      return RecordCheck(
        .signingKey, .notChecked,
        text: "only the record itself vouches for its key \(key.fingerprint); name the one that you trust")
    }
    return trusted.contains(key)
      ? RecordCheck(.signingKey, .passed, text: "")
      : RecordCheck(.signingKey, .failed, text: "it names the key \(key.fingerprint), which is not trusted")
  }

  /// The checks and what a reader needs with them, as `faceverify record verify --json`.
  package func json(of checks: [RecordCheck]) -> JSONValue {
    [
      "result": .string(Self.result(of: checks).rawValue), "id": body["id"] ?? .null,
      "outcome": body["result"]?["result"] ?? .null, "policy": policy,
      "warnings": .array(warnings.map(JSONValue.string)), "signer": .optional(signer?.fingerprint),
      "checks": checks.jsonValue,
    ]
  }
}

// MARK: What was asked for

extension DecisionRecord {
  private var configuration: JSONValue { body["configuration"] ?? .null }
  private var faceModes: [String] { configuration["faceModes"]?.elements.compactMap(\.string) ?? [] }
  private var authentication: String? {
    configuration["authentication"].flatMap { try? AuthenticationPolicy($0) }?.name
  }

  /// The requests and policies; null for those that the record does not have.
  package var policy: JSONValue {
    let comparison = configuration["comparison"]
    func member(_ name: String) -> JSONValue { configuration[name] ?? .null }
    return [
      "requests": member("requests"),
      "presence": .array(
        faceModes.map {
          ["mode": .string($0), "policy": configuration["livenessPolicies"]?[$0]?["name"] ?? .null]
        }),
      "assurance": member("assurance"), "documentModes": member("documentModes"),
      "requiresChip": member("requiresChip"), "comparesFace": member("comparesFace"),
      "portrait": configuration["portrait"]?["kind"] ?? .null,
      "falseMatchRate": comparison?["falseMatchRate"] ?? .null,
      "selfieQuality": comparison?["selfie"]?["name"] ?? .null,
      "portraitQuality": comparison?["portrait"]?["name"] ?? .null,
      "authentication": .optional(authentication), "trust": member("trust"), "date": member("date"),
    ]
  }

  /// What makes the outcome of a valid record mean less, or something else, than this version's defaults would: other
  /// policies than its presets, another day than the record's, lower levels of assurance.
  package var warnings: [String] {
    var warnings: [String] = []
    func compare(_ what: String, _ policy: JSONValue?, _ presets: [(name: String, policy: JSONValue)]) {
      guard let policy, !presets.contains(where: { $0.policy.canonical == policy.canonical }) else { return }
      let name = policy["name"]?.string ?? ""
      let isNamed = presets.contains { $0.name == name }
      warnings.append(
        "\(what) was judged by the policy \"\(name)\", which is "
          + (isNamed ? "not this version's of that name" : "none of this version's"))
    }
    let liveness = LivenessPolicy.all.map { (name: $0.name, policy: $0.jsonValue) }
    let quality = QualityPolicy.presets.map { (name: $0.name, policy: $0.jsonValue) }
    for mode in faceModes { compare("liveness (\(mode))", configuration["livenessPolicies"]?[mode], liveness) }
    for side in ["selfie", "portrait"] {
      compare("the quality of the \(side)", configuration["comparison"]?[side], quality)
    }
    if authentication == "custom" {
      warnings.append("passive authentication was judged by a policy that is none of this version's")
    }
    let made = body["created"]?.double.flatMap { try? DateTime(secondsSince1970: $0).calendarDate.description }
    if let date = configuration["date"]?.string, date != made {
      warnings.append("documents were judged for \(date); the record was made on \(made ?? "an unknown day")")
    }
    guard let required = configuration["assurance"].flatMap({ try? AssurancePolicy($0) }) else { return warnings }
    func lower<Level: Comparable & RawRepresentable<String>>(_ axis: KeyPath<AssurancePolicy, Level>, _ name: String) {
      let (level, usual) = (required[keyPath: axis], AssurancePolicy()[keyPath: axis])
      guard level < usual else { return }
      warnings.append("\(name) had to be proved to \"\(level.rawValue)\" only, less than \"\(usual.rawValue)\"")
    }
    lower(\.presence, "presence")
    lower(\.document, "a document")
    lower(\.binding, "the binding of person and portrait")
    warnings += required.accepted.map(\.rawValue).sorted().map {
      "documents of the kind \"\($0)\" passed without an authenticated chip"
    }
    return warnings
  }
}
