/// The signed record of a journey's decision and its basis, as canonical JSON (RFC 8785); docs/records.md has the
/// format.
///
/// A record is as trustworthy as its signer; replaying the evidence proves what it rests on.
public struct DecisionRecord: Sendable {
  /// The version that is written. All versions so far can be read.
  public static let schema = "faceverify-record-1"
  static let algorithm = "Ed25519"

  /// The contents of the record's file; less than a megabyte even for many frames.
  public let bytes: [UInt8]
  /// The parsed contents.
  public let json: JSONValue

  /// The record without schema and signature.
  public var body: JSONValue { json["body"] ?? .null }
  /// The key of the signature; nil if the record has none.
  public var signer: PublicKey? {
    json["signature"]?["key"]?.string.flatMap(Base64.standard.decode).flatMap { try? PublicKey($0, for: .signing) }
  }

  /// Signs the body of a record.
  ///
  /// - Throws: errors of the signer; ``VerifyError/Code/internalFailure`` for an invalid signature.
  public init(body: JSONValue, signedBy key: SigningKey) throws {
    let content: [String: JSONValue] = ["schema": .string(Self.schema), "body": body]
    let signature = try key.signature(of: JSONValue.object(content).canonical)
    json = .object(
      content.merging(
        [
          "signature": [
            "algorithm": .string(Self.algorithm), "key": .string(Base64.standard.encode(key.publicKey.bytes)),
            "value": .string(Base64.standard.encode(signature)),
          ]
        ]) { first, _ in first })
    bytes = json.canonical
  }

  /// Decodes a record without verifying it: see ``verify(trusting:calibration:)``.
  ///
  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/tooLarge`` if it is not valid JSON, and
  ///   ``VerifyError/Code/unknownFormat`` if it is not a record of a known version.
  public init(bytes: [UInt8], limits: JSONValue.Limits = .init()) throws {
    json = try JSONValue(parsing: bytes, limits: limits)
    self.bytes = bytes
    guard json["schema"]?.string == Self.schema else {
      throw VerifyError(
        .unknownFormat,
        json["schema"]?.string.map { "the record has an unsupported version: \"\($0.prefix(64))\"" }
          ?? "this is no decision record: the member \"schema\" is missing")
    }
  }

  /// Verifies the record without its evidence.
  ///
  /// - Parameters:
  ///   - keys: of trusted signers; if empty, the signer is unknown, and the check is ``CheckStatus/notChecked``.
  ///   - calibration: the calibration of the record's models, if known; the recorded calibration is compared with it.
  /// - Returns: one check for each of ``RecordProperty/allCases``, in that order.
  public func verify(trusting keys: [PublicKey] = [], calibration: Calibration? = nil) -> [RecordCheck] {
    let shapeProblems = RecordRules.schema(self)
    return RecordRules.all.map { name, check in
      // Content is only judged if the record matches the schema.
      let finding: RecordRules.Finding =
        switch check {
        case .bytes(let check): check(self, keys)
        case .schema: .problems(shapeProblems)
        case .content(let check):
          shapeProblems.isEmpty
            ? .problems(check(body) + (name == .thresholds ? RecordRules.known(calibration, body) : []))
            : .notChecked("the schema is not kept: what is said cannot be judged")
        }
      return RecordCheck(name, finding.status, text: finding.text)
    }
  }

  /// The calibration of the record's models; nil if the default models folder is missing or has other models.
  package var installedCalibration: Calibration? {
    guard let folder = ModelStore.defaultFolder, let store = try? ModelStore(folder: folder),
      let set = body["models"]?["set"]?.string, let revision = body["models"]?["revision"]?.string
    else { return nil }
    return store.calibration(of: ModelSet(rawValue: set), revision: revision)
  }

  /// Passed if all checks passed, failed if one failed, otherwise not checked.
  public static func result(of checks: [RecordCheck]) -> CheckStatus {
    if checks.contains(where: { $0.status == .failed }) { return .failed }
    return checks.allSatisfy { $0.status == .passed } ? .passed : .notChecked
  }

  /// The bytes covered by the signature.
  var signedBytes: [UInt8] {
    guard case .object(var members) = json else { return [] }
    members["signature"] = nil
    return JSONValue.object(members).canonical
  }
}

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
  /// Every input is used, and every used input is listed.
  public static let inputs = Self(rawValue: "inputs")
  /// Times never decrease, and the end is last.
  public static let order = Self(rawValue: "order")
  /// Nothing started before all consents were given.
  public static let consents = Self(rawValue: "consents")
  /// Every requested credential is present, with its required parts.
  public static let requests = Self(rawValue: "requests")
  /// All decisions used the same models.
  public static let models = Self(rawValue: "models")
  /// The decisions follow from scores, signals and thresholds.
  public static let thresholds = Self(rawValue: "thresholds")
  /// Documents' results follow from their checks, on the correct date.
  public static let documents = Self(rawValue: "documents")
  /// Credentials' results follow from their parts.
  public static let credentials = Self(rawValue: "credentials")
  /// The result follows from the credentials' results.
  public static let result = Self(rawValue: "result")

  public static let allCases: [Self] = RecordRules.all.map(\.name)
}

extension RecordProperty: CheckName {
  public static func json(of check: RecordCheck) -> JSONValue {
    ["check": .string(check.name.rawValue), "status": .string(check.status.rawValue), "text": .string(check.text)]
  }
}

extension DecisionRecord {
  /// The JSON Schema (draft 2020-12) of records, published as `docs/record.schema.json`.
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
  /// The requests and policies; null for those that the record does not have. A policy that has the name of a preset
  /// but differs from this version's is marked.
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
      "requests": configuration?["requests"] ?? .null, "presence": .array(presence),
      "documentModes": configuration?["documentModes"] ?? .null,
      "requiresChip": configuration?["requiresChip"] ?? .null,
      "comparesFace": configuration?["comparesFace"] ?? .null,
      "portrait": configuration?["portrait"]?["kind"] ?? .null,
      "falseMatchRate": configuration?["comparison"]?["falseMatchRate"] ?? .null,
      "selfieQuality": named(configuration?["comparison"]?["selfie"]?.read, quality),
      "portraitQuality": named(configuration?["comparison"]?["portrait"]?.read, quality),
      "authentication": .optional(authentication?.name), "trust": configuration?["trust"] ?? .null,
      "date": configuration?["date"] ?? .null,
    ]
  }
}

extension JSONValue {
  /// The value after encoding and parsing: 2.0 becomes 2.
  fileprivate var read: JSONValue { (try? JSONValue(parsing: canonical)) ?? .null }
}
