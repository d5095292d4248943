/// What a live chip tells beyond its files: how it was opened, and the results of the protocols that prove that it is
/// not a copy. ``ChipProof`` judges them.
public struct LiveChip: Sendable, JSONConvertible {
  /// The protocol that opened the chip: see ``ChipAccess/opened(_:)``.
  public let access: String
  let paceInfo: SecurityInfo?
  public internal(set) var activeAuthentication: ActiveAuthentication?
  public internal(set) var chipAuthentication: ChipAuthentication?
  /// One per opening: after some errors the session opens the chip again, which may be another one by then.
  public internal(set) var chipAuthenticationMappings: [ChipAuthenticationMapping]
  /// Listed files that the chip does not return, with the reasons.
  public internal(set) var unread: [ElementaryFile: VerifyError] = [:]
  /// The error that ended reading; nil if all was read.
  public internal(set) var interruption: VerifyError?
  /// A hash over all commands and responses since the session began, in hexadecimal: h = SHA-256 (h, size of command,
  /// command, size of response, response), from 32 zero bytes, sizes in four bytes.
  public internal(set) var transcriptSHA256 = ""
  public internal(set) var commandCount = 0

  init(access: String, paceInfo: SecurityInfo?, chipAuthenticationMappings: [ChipAuthenticationMapping]) {
    (self.access, self.paceInfo, self.chipAuthenticationMappings) = (access, paceInfo, chipAuthenticationMappings)
  }

  public var jsonValue: JSONValue {
    [
      "access": .string(access),
      "unread": .object(Dictionary(uniqueKeysWithValues: unread.map { ($0.rawValue, .string($1.message)) })),
      "interruption": .optional(interruption?.message), "commands": .integer(commandCount),
      "transcriptSHA256": .string(transcriptSHA256),
    ]
  }
}

// MARK: Records

extension LiveChip {
  /// What ``ChipProof`` needs besides the files, and the transcript's hash. Anyone can verify active authentication and
  /// chip authentication mapping again; chip authentication convinces only the terminal, which states its result.
  package var recordValue: JSONValue {
    func hex(_ bytes: [UInt8]?) -> JSONValue { .optional(bytes.map { hexadecimal($0) }) }
    return [
      "access": .string(access), "pace": hex(paceInfo?.encoded),
      "activeAuthentication": activeAuthentication?.jsonValue ?? .null,
      "chipAuthentication": chipAuthentication.map {
        [
          "protocol": .string($0.protocolName), "publicKey": hex($0.publicKey), "status": .string($0.status.rawValue),
          "text": .string($0.text),
        ]
      } ?? .null,
      "chipAuthenticationMappings": .array(
        chipAuthenticationMappings.map {
          ["parameters": .integer($0.parameters), "chipKey": hex($0.chipKey), "data": hex($0.data)]
        }),
      "transcriptSHA256": .string(transcriptSHA256), "commands": .integer(commandCount),
    ]
  }

  /// - Throws: ``VerifyError/Code/damaged`` if the value is none of ``recordValue``.
  package init(recorded json: JSONValue) throws {
    let wrong = VerifyError(.damaged, "the session with the chip is not as records have it")
    func require<Value>(_ value: Value?) throws -> Value {
      guard let value else { throw wrong }
      return value
    }
    func bytes(_ json: JSONValue?) throws -> [UInt8] {
      try require(json?.string.flatMap { decodedHexadecimal(Array($0.utf8)) })
    }
    func optional<Value>(_ name: String, _ read: (JSONValue) throws -> Value) throws -> Value? {
      guard let value = json[name], value != .null else { return nil }
      return try read(value)
    }
    self.init(
      access: try require(json["access"]?.string),
      paceInfo: try optional("pace") { value in
        try require(SecurityInfos(BER.object([0x31], bytes(value))).infos.first)
      },
      chipAuthenticationMappings: try require(json["chipAuthenticationMappings"]).elements.map { value in
        ChipAuthenticationMapping(
          parameters: try require(value["parameters"]?.integer), chipKey: try bytes(value["chipKey"]),
          data: value["data"] == .null ? nil : try bytes(value["data"]))
      })
    activeAuthentication = try optional("activeAuthentication") { value in
      ActiveAuthentication(
        challenge: try bytes(value["challenge"]), signature: try bytes(value["signature"]),
        status: value["status"] == .null
          ? nil : try require(value["status"]?.string.flatMap { UInt16($0, radix: 16) }.map(ChipStatus.init)))
    }
    chipAuthentication = try optional("chipAuthentication") { value in
      ChipAuthentication(
        protocolName: try require(value["protocol"]?.string), publicKey: try bytes(value["publicKey"]),
        status: try require(value["status"]?.string.flatMap(CheckStatus.init)), text: try require(value["text"]?.string)
      )
    }
    transcriptSHA256 = try require(json["transcriptSHA256"]?.string)
    commandCount = try require(json["commands"]?.integer)
  }
}
