public import CFaceVerify
internal import FaceVerify

final class RecordObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  override class var name: String { "record" }
  let record: DecisionRecord

  init(_ record: DecisionRecord) { self.record = record }
}

@c @implementation
public func fv_journey_record(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ journey: OpaquePointer?, _ signer: UnsafePointer<fv_signer>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let controller = try Handles.object(journey, JourneyObject.self).controller
    let key = try SigningKey(try Structs.require(signer, fv_signer(), "signer"))
    return RecordObject(try DecisionRecord(body: try controller.recordBody(), signedBy: key))
  }
}

@c @implementation
public func fv_record_from_bytes(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ start: UnsafeRawPointer?, _ byteCount: Int,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let limits = JSONValue.Limits()
    // One byte above the maximum is enough to detect an invalid record.
    let bytes = try bytes(start, byteCount, "record").prefix(limits.maximumBytes + 1)
    return RecordObject(try DecisionRecord(bytes: Array(bytes), limits: limits))
  }
}

@c @implementation
public func fv_record_free(_ record: OpaquePointer?) { Handles.free(record, RecordObject.self) }

@c @implementation
public func fv_record_json(_ record: OpaquePointer?) -> UnsafePointer<CChar>? {
  Handles.find(record, RecordObject.self).map { object in
    object.text("json") { String(decoding: object.record.bytes, as: UTF8.self) }
  }
}

@c @implementation
public func fv_record_verify(
  _ out: UnsafeMutablePointer<fv_record_verification>?, _ record: OpaquePointer?, _ key: UnsafePointer<CChar>?,
  _ message: UnsafeMutablePointer<CChar>?, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try Handles.object(record, RecordObject.self)
    let keys = try key.map { [try PublicKey(pem: try string($0, "key"))] } ?? []
    try Structs.write(out) {
      let checks = object.record.verify(trusting: keys)
      let result = DecisionRecord.result(of: checks)
      let signer = object.record.signer?.fingerprint
      let json: JSONValue = [
        "result": .string(result.rawValue), "id": object.record.body["id"] ?? .null,
        "signer": signer.map(JSONValue.string) ?? .null, "checks": checks.jsonValue,
      ]
      var value = fv_record_verification()
      value.result = result.number
      value.signer = signer.map { object.text($0) }
      value.json = UnsafePointer(object.text(json.text))
      return value
    }
  }
}

extension SigningKey {
  fileprivate init(_ signer: fv_signer) throws {
    switch (signer.private_key, signer.public_key, signer.sign) {
    case (let key?, nil, nil): try self.init(PrivateKey(pem: try string(key, "private key")))
    case (nil, let key?, let sign?):
      let user = UserPointer(address: signer.sign_user)
      try self.init(publicKey: PublicKey(pem: try string(key, "public key"))) { bytes in
        var signature = [UInt8](repeating: 0, count: 64)
        guard sign(bytes, bytes.count, &signature, user.address) == FV_OK else {
          throw VerifyError(.internalFailure, "the signing function did not sign")
        }
        return signature
      }
    default:
      throw VerifyError(.badArgument, "a signer has a private key, or a public key and a function; the rest is NULL")
    }
  }
}
