public import CFaceVerify
internal import FaceVerifyJourney

final class RecordObject: Box<DecisionRecord>, @unchecked Sendable {
  override var json: String { String(decoding: value.bytes, as: UTF8.self) }
}

@c @implementation public func fv_journey_record(
  _ out: NewHandle, _ journey: Handle, _ signer: In<fv_signer>, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let controller = try JourneyObject.of(journey).controller
    let key = try SigningKey(try Structs.require(signer, fv_signer(), "signer"))
    return RecordObject(try DecisionRecord(body: try controller.recordBody(), signedBy: key))
  }
}

@c @implementation public func fv_record_from_bytes(
  _ out: NewHandle, _ start: Bytes, _ byteCount: Int, _ message: Message, _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let limits = JSONValue.Limits()
    // One byte above the maximum is enough to detect an invalid record.
    let bytes = try bytes(start, byteCount, "record").prefix(limits.maximumBytes + 1)
    return RecordObject(try DecisionRecord(bytes: Array(bytes), limits: limits))
  }
}

@c @implementation public func fv_record_verify(
  _ out: Out<fv_record_verification>, _ record: Handle, _ key: Text, _ message: Message, _ messageBytes: Int
) -> fv_status {
  attempt(message, messageBytes) {
    let object = try RecordObject.of(record)
    let keys = try optionalString(key, "key").map { [try PublicKey(pem: $0)] } ?? []
    try Structs.write(out) {
      let checks = object.value.verify(trusting: keys)
      var value = fv_record_verification()
      value.result = DecisionRecord.result(of: checks).number
      value.signer = object.value.signer.map { object.text($0.fingerprint) }
      value.json = UnsafePointer(object.text(object.value.json(of: checks).text))
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
