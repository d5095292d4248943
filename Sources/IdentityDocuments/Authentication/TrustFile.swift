/// The parts of one file of a ``TrustStore``, by what its name, its labels and its bytes say it is.
///
/// A certificate is trusted because of the file it is in, so only a file that is named as one of certificates
/// contributes anchors. Lists count by their signatures. They are fetched from addresses in certificates over plain
/// HTTP (RFC 5280, 4.2.1.13), so whoever responds chooses their bytes: nothing else in such a file counts.
struct TrustFile {
  /// What a part may contribute.
  private struct Use: OptionSet {
    let rawValue: UInt8
    static let anchors = Self(rawValue: 1)
    /// Certificates that are never trusted by themselves.
    static let signers = Self(rawValue: 2)
    static let revocationLists = Self(rawValue: 4)
    static let signedLists = Self(rawValue: 8)
    static let all: Self = [.anchors, .signers, .revocationLists, .signedLists]
  }

  private(set) var anchors: [Certificate] = []
  private(set) var signers: [Certificate] = []
  private(set) var revocationLists: [CertificateRevocationList] = []
  private(set) var signedLists: [[UInt8]] = []
  /// Number of parts that cannot be read, or are not what the file's extension or their label says.
  private(set) var unreadCount = 0
  /// Why nothing in the file is used.
  private(set) var problem: String?

  private static let extensions: [String: Use] = {
    var uses: [String: Use] = ["crl": .revocationLists, "ldif": [.signers, .revocationLists, .signedLists]]
    for name in ["cer", "cert", "crt", "der", "pem", "p7b", "p7c", "b64", "base64"] { uses[name] = .all }
    return uses
  }()

  /// The labels of PEM blocks (RFC 7468) that are not signed data.
  private static let labels: [String: Use] = [
    "CERTIFICATE": [.anchors, .signers], "X509 CERTIFICATE": [.anchors, .signers],
    "TRUSTED CERTIFICATE": [.anchors, .signers], "X509 CRL": .revocationLists,
  ]

  /// - Parameter isNamedByCaller: whether a name without an extension may be one of certificates; in a folder it may
  ///   be any file.
  init(_ bytes: [UInt8], name: String, isNamedByCaller: Bool) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let use =
      parts.count > 1
      ? Self.extensions[parts[parts.count - 1].lowercased()] ?? .signedLists : isNamedByCaller ? .all : .signedLists
    if let format = Self.format(of: bytes, name) {
      problem = format
      return
    }
    let bytes = PEM.unmarked(bytes)
    if let (values, unread) = LDIF.values(in: bytes) {
      unreadCount = unread
      for value in values { add(value, use.subtracting(.anchors)) }
    } else if let (blocks, unread) = PEM.blocks(in: bytes) {
      unreadCount = unread
      // Also one that is encrypted, which is no block that can be read.
      if bytes.firstRange(of: Array("PRIVATE KEY-----".utf8)) != nil {
        problem = "it has a private key; a trust store needs certificates alone"
      } else {
        for (label, content) in blocks { add(content, use, label) }
      }
    } else {
      add(Base64.decodeLeniently(bytes) ?? bytes, use)
    }
  }

  private mutating func add(_ bytes: [UInt8], _ use: Use, _ label: String? = nil) {
    if bytes.prefix(32).firstRange(of: Self.signedData) != nil {
      let isLabelled = ["PKCS7", "CMS", nil].contains(label)
      if isLabelled, let members = Self.bundle(bytes) {
        for (label, member) in members { add(member, use, label) }
      } else if isLabelled, use.contains(.signedLists) {
        signedLists.append(bytes)
      } else {
        unreadCount += 1
      }
      return
    }
    let use = label.map { use.intersection(Self.labels[$0] ?? []) } ?? use
    guard var (blocks, unread) = Self.sequences(in: bytes) else {
      unreadCount += 1
      return
    }
    // OpenSSL appends what it trusts the certificate for; [0] has what it does not.
    if label == "TRUSTED CERTIFICATE", blocks.count == 2 {
      var reader = TLVReader(blocks.removeLast())
      if (try? reader.next()?.child(0xA0)) != nil { (blocks, unread) = ([], 1) }
    }
    unreadCount += unread
    for block in blocks {
      if let certificate = try? Certificate(block), use.contains(certificate.isAuthority ? .anchors : .signers) {
        if certificate.isAuthority { anchors.append(certificate) } else { signers.append(certificate) }
      } else if use.contains(.revocationLists), let list = try? CertificateRevocationList(block) {
        revocationLists.append(list)
      } else {
        unreadCount += 1
      }
    }
  }

  /// The object identifier of signed data (RFC 5652, 5.1).
  private static let signedData: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]

  /// Returns the certificates and revocation lists of signed data without content and signers (RFC 8551, 3.8), such as
  /// a `.p7b` file; nil for other bytes.
  private static func bundle(_ bytes: [UInt8]) -> [(label: String, bytes: [UInt8])]? {
    let isIndefinite = bytes.dropFirst().first == 0x80
    return try? members(ofBundle: isIndefinite ? BER.definite(bytes) : bytes)
  }

  private static func members(ofBundle bytes: [UInt8]) throws -> [(String, [UInt8])]? {
    var reader = TLVReader(bytes)
    var outer = try reader.next(.sequence).children()
    _ = try outer.next(.objectIdentifier)
    var fields = try outer.next(0xA0).requiredChild(.sequence).children()
    _ = (try fields.next(.integer), try fields.next(.set))
    var content = try fields.next(.sequence).children()
    _ = try content.next(.objectIdentifier)
    guard content.isAtEnd else { return nil }
    let certificates = try fields.nextIfPresent(0xA0)?.mapChildren { ("CERTIFICATE", Array($0.encoded)) } ?? []
    let lists = try fields.nextIfPresent(0xA1)?.mapChildren { ("X509 CRL", Array($0.encoded)) } ?? []
    return try fields.next(.set).value.isEmpty ? certificates + lists : nil
  }

  /// Splits concatenated data objects whose first member is a sequence: certificates or revocation lists, not signed
  /// data. Returns nil for any other bytes.
  private static func sequences(in bytes: [UInt8]) -> (blocks: [[UInt8]], unread: Int)? {
    let padding: Set<UInt8> = [0, 9, 10, 13, 32]
    let end = bytes.lastIndex { !padding.contains($0) } ?? -1
    var reader = TLVReader(bytes)
    var (blocks, read): ([[UInt8]], Int) = ([], 0)
    while let object = try? reader.next() {
      guard object.tag == .sequence, var members = try? object.children(), let first = try? members.next(),
        first.tag == .sequence || !blocks.isEmpty
      else { return nil }
      blocks.append(Array(object.encoded))
      read += object.encoded.count
    }
    return blocks.isEmpty ? nil : (blocks, end < read ? 0 : 1)
  }

  /// Names a format that is not read, and the command that converts it; nil for any other.
  private static func format(of bytes: [UInt8], _ name: String) -> String? {
    func starts(_ start: [UInt8]) -> Bool { bytes.starts(with: start) }
    if starts([0x50, 0x4B, 3, 4]) { return "it is a ZIP archive; unpack it: unzip '\(name)'" }
    if starts([0x1F, 0x8B]) { return "it is compressed; unpack it: gunzip '\(name)'" }
    if starts([0xFF, 0xFE]) || starts([0xFE, 0xFF]) {
      return "it is UTF-16; convert it: iconv -f UTF-16 -t UTF-8 '\(name)' > 'utf8-\(name)'"
    }
    // RFC 7292, 4: version 3, then data.
    if starts([0x30]), bytes.prefix(12).firstRange(of: [2, 1, 3, 0x30]) != nil {
      return "it is PKCS #12; convert it: openssl pkcs12 -in '\(name)' -nokeys -out '\(name).pem'"
    }
    let isMarkup = PEM.unmarked(Array(bytes.prefix(64))).first { !(9...32).contains($0) } == UInt8(ascii: "<")
    return isMarkup ? "it is a web page or XML, not a certificate; download the file itself" : nil
  }
}

/// The LDAP Data Interchange Format (RFC 2849), in which the ICAO PKD publishes certificates and lists.
enum LDIF {
  /// ICAO publishes some 30,000 certificates of document signers.
  private static let maximumValues = 1 << 17

  /// Returns the binary values that begin as DER does, and the number of those that cannot be read. Attribute names are
  /// not compared: the signed value says what it is. Nil for other bytes.
  static func values(in bytes: [UInt8]) -> (values: [[UInt8]], unread: Int)? {
    let start = bytes.prefix(256).drop { (9...32).contains($0) }
    guard ["version:", "dn:", "#"].contains(where: { start.starts(with: $0.utf8) }) else { return nil }
    var (values, unread, isRecord) = ([[UInt8]](), 0, false)
    var value: [UInt8]?
    func finish() {
      guard let text = value else { return }
      value = nil
      guard let found = Base64.decodeLeniently(text), values.count < maximumValues else {
        unread += 1
        return
      }
      if found.first == 0x30 { values.append(found) }
    }
    for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      if line.first == UInt8(ascii: " ") {
        value?.append(contentsOf: line)
        continue
      }
      finish()
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let rest = line[(colon + 1)...]
      isRecord = isRecord || line[..<colon].elementsEqual("dn".utf8)
      if rest.first == UInt8(ascii: ":") { value = Array(rest.dropFirst()) }
      // A URL: nothing is fetched.
      if rest.first == UInt8(ascii: "<") { unread += 1 }
    }
    finish()
    return isRecord ? (values, unread) : nil
  }
}
