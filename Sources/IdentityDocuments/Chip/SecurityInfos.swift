/// The protocols that a chip supports: EF.DG14, EF.CardAccess, or the content of EF.CardSecurity.
public struct SecurityInfos: Sendable, Hashable {
  /// One per protocol, in the order of the chip.
  public let infos: [SecurityInfo]

  /// id-SecurityObject (BSI TR-03110-3, A.1.2.5): the content type of EF.CardSecurity.
  static let contentType = "0.4.0.127.0.7.3.2.1"
  static let contentTypeBytes: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x03, 0x02, 0x01]
  private static let maximumInfos = 100

  /// - Parameter bytes: EF.DG14 with its tag 6E, or a bare set as in EF.CardAccess.
  /// - Throws: ``VerifyError/Code/damaged`` or ``VerifyError/Code/unknownFormat``.
  public init(_ bytes: [UInt8]) throws {
    var reader = TLVReader(bytes)
    guard var object = try reader.next() else { throw VerifyError(.damaged, "the list of protocols is empty") }
    if object.tag == 0x6E { object = try object.requiredChild(.set) }
    guard object.tag == .set else {
      throw VerifyError(.unknownFormat, "the list of protocols begins with the tag \(object.tag), not 31 or 6E")
    }
    let tooMany = VerifyError(.tooLarge, "the list of protocols is too long")
    infos = try object.mapChildren(atMost: Self.maximumInfos, else: tooMany, SecurityInfo.init)
  }
}

/// A protocol that a chip supports (ICAO Doc 9303-11, 9.2; BSI TR-03110-3, A.1).
public struct SecurityInfo: Sendable, Hashable, JSONConvertible {
  /// The protocol's object identifier, in dotted form.
  public let objectIdentifier: String
  /// The protocol's name in the standard, such as `id-PACE-ECDH-GM-AES-CBC-CMAC-128`, or the object identifier.
  public let name: String
  public let kind: Kind
  /// The version, if the protocol has one.
  public let version: Int?
  /// The domain parameters of PACE (Doc 9303-11, table 3), or the key's number in chip authentication.
  public let parameter: Int?
  /// The signature algorithm of active authentication, in dotted form.
  public let signatureAlgorithm: String?
  /// The public key of chip authentication.
  public let publicKey: PublicKeyInfo?
  /// The same as SubjectPublicKeyInfo in DER, also if its algorithm is unknown.
  let subjectPublicKeyInfo: [UInt8]?
  /// The protocol's object identifier in DER, without tag and length.
  let protocolBytes: [UInt8]
  /// The whole object as stored.
  let encoded: [UInt8]

  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let pace = Self(rawValue: "pace")
    public static let chipAuthentication = Self(rawValue: "chip-authentication")
    public static let chipAuthenticationPublicKey = Self(rawValue: "chip-authentication-public-key")
    public static let terminalAuthentication = Self(rawValue: "terminal-authentication")
    public static let activeAuthentication = Self(rawValue: "active-authentication")
    public static let restrictedIdentification = Self(rawValue: "restricted-identification")
    public static let other = Self(rawValue: "other")
  }

  init(_ object: TLV) throws {
    var fields = try object.children()
    let identifier = try fields.next(.objectIdentifier)
    objectIdentifier = try identifier.objectIdentifier()
    (protocolBytes, encoded) = (Array(identifier.value), Array(object.encoded))
    let required = try fields.next()
    let optional = try fields.next()
    (name, kind) = Self.named(objectIdentifier)
    version = required?.tag == .integer ? try required?.integer() : nil
    parameter = optional?.tag == .integer ? try? optional?.integer() : nil
    signatureAlgorithm =
      kind == .activeAuthentication && optional?.tag == .objectIdentifier ? try optional?.objectIdentifier() : nil
    subjectPublicKeyInfo = kind == .chipAuthenticationPublicKey ? required.map { Array($0.encoded) } : nil
    publicKey = subjectPublicKeyInfo.flatMap { try? PublicKeyInfo($0) }
  }

  /// The numbers of the object identifier below bsi-de protocols(2) smartcard(2) (BSI TR-03110-3, A.1.1); empty for
  /// other protocols.
  var numbers: [Int] {
    guard objectIdentifier.hasPrefix(Self.bsi) else { return [] }
    return objectIdentifier.dropFirst(Self.bsi.count).split(separator: ".").compactMap { Int($0) }
  }

  private static let bsi = "0.4.0.127.0.7.2.2."

  private static func named(_ identifier: String) -> (String, Kind) {
    switch identifier {
    case "2.23.136.1.1.5": return ("id-icao-mrtd-security-aaProtocolObject", .activeAuthentication)
    case "2.23.136.1.1.13": return ("id-EFDIR", .other)
    case bsi + "1.1": return ("id-PK-DH", .chipAuthenticationPublicKey)
    case bsi + "1.2": return ("id-PK-ECDH", .chipAuthenticationPublicKey)
    case bsi + "2": return ("id-TA", .terminalAuthentication)
    case bsi + "6": return ("id-CI", .other)
    case bsi + "7": return ("id-eIDSecurity", .other)
    case bsi + "8": return ("id-PT", .other)
    default: break
    }
    guard identifier.hasPrefix(bsi) else { return (identifier, .other) }
    let numbers = identifier.dropFirst(bsi.count).split(separator: ".").compactMap { Int($0) }
    let ciphers = [1: "3DES-CBC-CBC", 2: "AES-CBC-CMAC-128", 3: "AES-CBC-CMAC-192", 4: "AES-CBC-CMAC-256"]
    let agreement = [1: "DH", 2: "ECDH"]
    let mapping = [1: "DH-GM", 2: "ECDH-GM", 3: "DH-IM", 4: "ECDH-IM", 6: "ECDH-CAM"]
    // The last number is the cipher; without it, the identifier denotes the domain parameters.
    func name(_ start: String, _ middles: [Int: String]) -> String? {
      guard numbers.count >= 2, numbers.count <= 3, let middle = middles[numbers[1]] else { return nil }
      guard numbers.count == 3 else { return "\(start)-\(middle)" }
      return ciphers[numbers[2]].map { "\(start)-\(middle)-\($0)" }
    }
    switch numbers.first {
    case 2: return (identifier, .terminalAuthentication)
    case 3: return (name("id-CA", agreement) ?? identifier, .chipAuthentication)
    case 4: return (name("id-PACE", mapping) ?? identifier, .pace)
    case 5: return (numbers.count == 1 ? "id-RI" : name("id-RI", agreement) ?? identifier, .restrictedIdentification)
    default: return (identifier, .other)
    }
  }

  public var jsonValue: JSONValue {
    [
      "objectIdentifier": .string(objectIdentifier), "name": .string(name), "kind": .string(kind.rawValue),
      "version": .optional(version), "parameter": .optional(parameter),
      "signatureAlgorithm": .optional(signatureAlgorithm), "publicKey": publicKey?.jsonValue ?? .null,
    ]
  }
}

/// EF.CardSecurity: protocols, signed by a document signer. ``PassiveAuthentication`` verifies the signature.
public struct CardSecurity: Sendable {
  public let infos: SecurityInfos
  let signedData: SignedData

  /// - Throws: ``VerifyError/Code/damaged``, ``VerifyError/Code/unknownFormat`` or ``VerifyError/Code/tooLarge``.
  public init(_ bytes: [UInt8]) throws {
    signedData = try SignedData(file: bytes, mayHaveTag: false)
    guard signedData.contentType == SecurityInfos.contentType else {
      throw VerifyError(.unknownFormat, "the signed content is \(signedData.contentType), not a list of protocols")
    }
    infos = try SecurityInfos(signedData.content)
  }
}
