/// What one journey decided and what that rests on, signed: canonical JSON (RFC 8785), of which `docs/records.md` tells
/// what is in it.
///
/// A record says the truth if its signer does: what it rests on is proved by running the evidence again.
public struct DecisionRecord: Sendable {
  /// The version that is written. Records of all versions that there were can be read.
  public static let schema = "faceverify-record-1"
  static let algorithm = "Ed25519"

  /// What a file of a record holds; a record of many frames has less than a megabyte.
  public let bytes: [UInt8]
  /// All of it, as it was read.
  public let json: JSONValue

  /// Everything that is said, without schema and signature.
  public var body: JSONValue { json["body"] ?? .null }
  /// Whose signature it bears; nil if it names no key.
  public var signer: PublicKey? {
    json["signature"]?["key"]?.string.flatMap(base64Decoded).flatMap { try? PublicKey($0, for: .signing) }
  }

  /// Signs what a journey said.
  ///
  /// - Throws: what the signer throws; ``VerifyError/Code/internalFailure`` for a signature that is not right.
  public init(body: JSONValue, signedBy key: SigningKey) throws {
    let content: [String: JSONValue] = ["schema": .string(Self.schema), "body": body]
    let signature = try key.signature(of: JSONValue.object(content).canonical)
    json = .object(
      content.merging(
        [
          "signature": [
            "algorithm": .string(Self.algorithm), "key": .string(base64(key.publicKey.bytes)),
            "value": .string(base64(signature)),
          ]
        ]) { first, _ in first })
    bytes = json.canonical
  }

  /// Reads a record, right or wrong: ``verify(trusting:)`` tells.
  ///
  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/tooLarge`` if it is no JSON, and
  ///   ``VerifyError/Code/unknownFormat`` if it is no record of a known version.
  public init(bytes: [UInt8], limits: JSONValue.Limits = .init()) throws {
    json = try JSONValue(parsing: bytes, limits: limits)
    self.bytes = bytes
    guard json["schema"]?.string == Self.schema else {
      throw VerifyError(
        .unknownFormat,
        json["schema"]?.string.map { "the record is of a version that is not known here: \"\($0.prefix(64))\"" }
          ?? "this is no decision record: the member \"schema\" is missing")
    }
  }

  /// Checks the record by itself, without its evidence.
  ///
  /// - Parameters:
  ///   - keys: whose records are believed; without any, nobody knows who signed, which is ``CheckStatus/notChecked``.
  ///   - calibration: that of the record's models, if they are known here: then what the record says that scores mean is
  ///     held against it.
  /// - Returns: one check for each of ``RecordCheck/Name/allCases``, in that order.
  public func verify(trusting keys: [PublicKey] = [], calibration: Calibration? = nil) -> [RecordCheck] {
    let shapeProblems = RecordRules.schema(self)
    return RecordRules.all.map { name, check in
      // What has another shape cannot be judged by what it says.
      let finding: RecordRules.Finding =
        switch check {
        case .bytes(let check): check(self, keys)
        case .schema: .problems(shapeProblems)
        case .content(let check):
          shapeProblems.isEmpty
            ? .problems(check(body) + (name == .thresholds ? RecordRules.known(calibration, body) : []))
            : .notChecked("the schema is not kept: what is said cannot be judged")
        }
      return RecordCheck(name: name, status: finding.status, text: finding.text)
    }
  }

  /// The calibration of the record's models; nil if the default models folder has others, or there is none.
  package var installedCalibration: Calibration? {
    guard let folder = FaceEngine.defaultModelsFolder, let store = try? ModelStore(folder: folder),
      let set = body["models"]?["set"]?.string, let revision = body["models"]?["revision"]?.string
    else { return nil }
    return store.calibration(of: ModelSet(rawValue: set), revision: revision)
  }

  /// Passed if all checks are, failed if one is.
  public static func result(of checks: [RecordCheck]) -> CheckStatus {
    if checks.contains(where: { $0.status == .failed }) { return .failed }
    return checks.allSatisfy { $0.status == .passed } ? .passed : .notChecked
  }

  /// The bytes that are signed.
  var signedBytes: [UInt8] {
    guard case .object(var members) = json else { return [] }
    members["signature"] = nil
    return JSONValue.object(members).canonical
  }
}

/// What was found for one property of a record.
public struct RecordCheck: Sendable, Hashable {
  /// What is checked; the same names are used in JSON.
  public struct Name: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    /// The bytes are those of RFC 8785.
    public static let canonicalForm = Name(rawValue: "canonical-form")
    /// What must be there is, and nothing else.
    public static let schema = Name(rawValue: "schema")
    /// The key that is named signed exactly this.
    public static let signature = Name(rawValue: "signature")
    /// The key is one of those that are trusted.
    public static let signingKey = Name(rawValue: "signing-key")
    /// Every input was used, and every input that was used is there.
    public static let inputs = Name(rawValue: "inputs")
    /// Time never goes back, and the end is the end.
    public static let order = Name(rawValue: "order")
    /// Nothing started before everything was consented to.
    public static let consents = Name(rawValue: "consents")
    /// What was asked for is there, each with the parts that it must have.
    public static let requests = Name(rawValue: "requests")
    /// All was decided by the same models.
    public static let models = Name(rawValue: "models")
    /// Scores and signals agree with their thresholds.
    public static let thresholds = Name(rawValue: "thresholds")
    /// What is said of documents follows from their checks, on the day that it must be.
    public static let documents = Name(rawValue: "documents")
    /// A credential's result follows from its parts.
    public static let credentials = Name(rawValue: "credentials")
    /// The result follows from those of the credentials.
    public static let result = Name(rawValue: "result")

    public static let allCases: [Name] = RecordRules.all.map(\.name)
  }

  public let name: Name
  public let status: CheckStatus
  /// What is wrong, or why it was not checked; empty if it passed.
  public let text: String
}

extension RecordCheck: JSONConvertible {
  public var jsonValue: JSONValue {
    ["check": .string(name.rawValue), "status": .string(status.rawValue), "text": .string(text)]
  }
}

extension DecisionRecord {
  /// JSON Schema (draft 2020-12) of records, which `docs/record.schema.json` publishes.
  package static var jsonSchema: JSONValue {
    guard case .object(let members) = RecordShape.record.schema else { return .null }
    return .object(
      members.merging([
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(schema),
        "description": "A decision of faceverify: docs/records.md.",
      ]) { first, _ in first })
  }
}

extension DecisionRecord {
  /// What was asked for, and by which policies: null for what the record does not say. A policy that has the name of a
  /// preset and is not this version's is marked.
  package var policy: JSONValue {
    let configuration = body["configuration"]
    func named(_ policy: JSONValue?, _ presets: [(name: String, policy: JSONValue)]) -> JSONValue {
      guard let policy, let name = policy["name"]?.string else { return .null }
      return .string(
        presets.contains { $0.name == name && $0.policy == policy } ? name : "\(name) (not this version's)")
    }
    let quality = QualityPolicy.presets.map { (name: $0.name, policy: $0.jsonValue.read) }
    let liveness = LivenessPolicy.all.map { (name: $0.name, policy: $0.jsonValue.read) }
    let presence = (configuration?["faceModes"]?.elements ?? []).compactMap(\.string).map { mode -> JSONValue in
      ["mode": .string(mode), "policy": named(configuration?["livenessPolicies"]?[mode]?.read, liveness)]
    }
    let authentication = configuration?["authentication"].flatMap { try? AuthenticationPolicy($0) }
    return [
      "requests": configuration?["requests"] ?? .null,
      "presence": .array(presence),
      "documentModes": configuration?["documentModes"] ?? .null,
      "requiresChip": configuration?["requiresChip"] ?? .null,
      "comparesFace": configuration?["comparesFace"] ?? .null,
      "portrait": configuration?["portrait"]?["kind"] ?? .null,
      "falseMatchRate": configuration?["comparison"]?["falseMatchRate"] ?? .null,
      "selfieQuality": named(configuration?["comparison"]?["selfie"]?.read, quality),
      "portraitQuality": named(configuration?["comparison"]?["portrait"]?.read, quality),
      "authentication": .optional(authentication?.name),
      "trust": configuration?["trust"] ?? .null,
      "date": configuration?["date"] ?? .null,
    ]
  }
}

extension JSONValue {
  /// As it is when it was written and read: 2.0 is 2 then.
  fileprivate var read: JSONValue { (try? JSONValue(parsing: canonical)) ?? .null }
}
