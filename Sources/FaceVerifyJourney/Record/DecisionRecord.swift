/// The signed record of a journey's decision and its basis, as canonical JSON (RFC 8785); docs/records.md has the
/// format.
///
/// A signature proves who made a record; ``JourneyReplay`` alone proves that its outcome follows from its evidence.
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

  /// Decodes a record without verifying it: see ``verify(trusting:)``.
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

  /// The bytes covered by the signature.
  var signedBytes: [UInt8] {
    guard case .object(var members) = json else { return [] }
    members["signature"] = nil
    return JSONValue.object(members).canonical
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
