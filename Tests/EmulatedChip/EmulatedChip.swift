import IdentityDocuments

/// The block ciphers of an emulated chip: OpenSSL's on single blocks, with modes, codes and key derivation of its own.
struct EmulatedCipher: Sendable {
  let cipher: ChipCipher

  init(_ number: Int) { cipher = ChipCipher(rawValue: number) ?? .aes128 }

  var blockSize: Int { cipher == .tripleDES ? 8 : 16 }
  var keySize: Int { [.tripleDES: 16, .aes128: 16, .aes192: 24, .aes256: 32][cipher] ?? 0 }

  func block(_ data: [UInt8], _ key: [UInt8], encrypts: Bool = true) -> [UInt8] {
    var key = key
    let secret = SecretBytes(moving: &key)
    return (try? encrypts ? cipher.encrypt(data, key: secret) : cipher.decrypt(data, key: secret)) ?? []
  }

  private func blocks(_ data: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: data.count, by: blockSize).map { Array(data[$0..<min($0 + blockSize, data.count)]) }
  }

  private func xor(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { zip(a, b).map { $0 ^ $1 } }

  func encrypt(_ data: [UInt8], _ key: [UInt8], vector: [UInt8]? = nil) -> [UInt8] {
    var state = vector ?? [UInt8](repeating: 0, count: blockSize)
    return blocks(data).flatMap { part in
      state = block(xor(state, part), key)
      return state
    }
  }

  func decrypt(_ data: [UInt8], _ key: [UInt8], vector: [UInt8]? = nil) -> [UInt8] {
    var state = vector ?? [UInt8](repeating: 0, count: blockSize)
    return blocks(data).flatMap { part in
      defer { state = part }
      return xor(state, block(part, key, encrypts: false))
    }
  }

  func padded(_ data: [UInt8]) -> [UInt8] {
    var data = data + [0x80]
    while data.count % blockSize != 0 { data.append(0) }
    return data
  }

  func unpadded(_ data: [UInt8]) -> [UInt8] {
    var data = data
    while data.last == 0 { data.removeLast() }
    precondition(data.last == 0x80)
    return data.dropLast()
  }

  /// ISO/IEC 9797-1, algorithm 3, or the first half of NIST SP 800-38B's CMAC.
  func mac(_ data: [UInt8], _ key: [UInt8]) -> [UInt8] {
    if cipher == .tripleDES {
      let (first, second) = (Array(key.prefix(8)), Array(key.suffix(8)))
      var state = [UInt8](repeating: 0, count: 8)
      for part in blocks(data) { state = block(xor(state, part), first + first) }
      return block(block(state, second + second, encrypts: false), first + first)
    }
    func doubled(_ value: [UInt8]) -> [UInt8] {
      var result = value
      for index in value.indices {
        result[index] = value[index] << 1 | (index + 1 < value.count ? value[index + 1] >> 7 : 0)
      }
      if value[0] & 0x80 != 0 { result[15] ^= 0x87 }
      return result
    }
    var parts = blocks(data)
    var last = parts.popLast() ?? []
    let subkey = doubled(block([UInt8](repeating: 0, count: 16), key))
    last = last.count == 16 ? xor(last, subkey) : xor(padded(last), doubled(subkey))
    var state = [UInt8](repeating: 0, count: 16)
    for part in parts + [last] { state = block(xor(state, part), key) }
    return Array(state.prefix(8))
  }

  func key(_ secret: [UInt8], _ counter: UInt8) -> [UInt8] {
    Array(EmulatedState.hash(secret + [0, 0, 0, counter], keySize > 16 ? "SHA256" : "SHA1").prefix(keySize))
  }
}

/// A group for key agreement, by `Arithmetic.swift`. Elements are encoded: points uncompressed, numbers padded.
struct EmulatedGroup {
  let curve: Curve?
  private let p: Modulus
  private let q: [UInt8]
  var base: [UInt8]

  init(_ number: Int) {
    if number >= 8 {
      let curve = Curve(number)
      (self.curve, p, q, base) = (curve, curve.p, curve.n.bytes, curve.encoded(curve.generator))
    } else {
      let values = StandardParameters.groups[number] ?? []
      (curve, p, q, base) = (nil, Modulus(values[0]), hexBytes(values[1]), hexBytes(values[2]))
    }
  }

  /// nil if the element is not in the group.
  func times(_ secret: [UInt8], _ element: [UInt8]) -> [UInt8]? {
    guard let curve else { return p.bytes(of: p.power(p.number(element), secret)) }
    return curve.decoded(element).map { curve.encoded(curve.multiply(secret, $0)) }
  }

  private func combined(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    guard let curve else { return p.bytes(of: p.multiply(p.number(a), p.number(b))) }
    guard let a = curve.decoded(a), let b = curve.decoded(b) else { return [] }
    return curve.encoded(curve.add(a, b))
  }

  func shared(_ secret: [UInt8], _ element: [UInt8]) -> [UInt8]? {
    times(secret, element).map { curve == nil ? $0 : Array($0[1...p.bytes.count]) }
  }

  /// 9303-11, 4.4.3.3.1.
  func mappedGenerically(_ nonce: [UInt8], _ secret: [UInt8], _ element: [UInt8]) -> EmulatedGroup? {
    guard let power = times(nonce, base), let shared = times(secret, element) else { return nil }
    var mapped = self
    mapped.base = combined(power, shared)
    return mapped
  }

  /// 9303-11, 4.4.3.3.2 and appendix B; the root by the exponent (p + 1) / 4.
  func mappedIntegrally(_ nonce: [UInt8], _ other: [UInt8], _ cipher: EmulatedCipher) -> EmulatedGroup {
    let isLong = cipher.keySize > 16
    let constants =
      isLong
      ? [
        "d463d65234124ef7897054986dca0a174e28df758cbaa03f240616414d5a1676",
        "54bd7255f0aaf831bec3423fcf39d69b6cbf066677d0faae5aadd99df8e53517",
      ] : ["a668892a7c41e3ca739f40b057d85904", "a4e136ac725f738b01c1f60217c188ad"]
    var key = Array(cipher.encrypt(nonce, other).prefix(cipher.keySize))
    var random: [UInt8] = []
    while 8 * random.count < p.bitCount + 64 {
      random += cipher.encrypt(hexBytes(constants[1]), key)
      key = Array(cipher.encrypt(hexBytes(constants[0]), key).prefix(cipher.keySize))
    }
    var mapped = self
    let u = p.number(random)
    guard let curve else {
      mapped.base = p.bytes(of: p.power(u, p.lessOne(dividedBy: q)))
      return mapped
    }
    let alpha = p.subtract(p.zero, p.multiply(u, u))
    let sum = p.inverse(p.add(alpha, p.multiply(alpha, alpha)))
    let ratio = p.subtract(p.zero, p.multiply(curve.b, p.inverse(curve.a)))
    var x = p.multiply(ratio, p.add(p.unit, sum))
    let h = p.add(p.multiply(p.add(p.multiply(x, x), curve.a), x), curve.b)
    // (p + 1) / 4 = (p - 3) / 4 + 1
    let quarter = Self.shifted(p.minus(3), by: 2)
    let root = p.multiply(p.power(h, quarter), h)
    var y = root
    if p.multiply(root, root) != h {
      x = p.multiply(alpha, x)
      y = p.subtract(p.zero, p.multiply(p.multiply(p.multiply(u, u), u), root))
    }
    mapped.base = [4] + p.bytes(of: x) + p.bytes(of: y)
    return mapped
  }

  private static func shifted(_ bytes: [UInt8], by bits: Int) -> [UInt8] {
    bytes.indices.map { bytes[$0] >> bits | ($0 > 0 ? bytes[$0 - 1] << (8 - bits) : 0) }
  }

  /// As in data objects: numbers without leading zeros.
  func encoded(_ element: [UInt8]) -> [UInt8] { curve == nil ? Array(element.drop { $0 == 0 }) : element }
}

/// A chip as a state machine: it checks what the standard makes a chip check, and misbehaves on demand.
package final class EmulatedChip: ChipTransport {
  /// What the chip does wrong.
  package enum Fault: String, CaseIterable {
    case none
    case wrongMAC, wrongCounter, replayedResponse, wrongStatusObject, missingMAC, missingStatus, dataBehindMAC
    case wrongPadding, wrongPaddingIndicator, truncatedResponse, emptyResponse, oneByteResponse
    case plainStatus, endlessMoreData, endlessMoreDataOfOneByte, endlessWrongLength, longerThanRequested
    case hugeFile, fileOfOtherTag, fileWithoutLength, fileEndsEarly, emptyReads, hugeResponse
    case wrongToken, echoedMappingKey, echoedAgreementKey, pointOffCurve, shortPoint, neutralElement, shortNonce
    case missingNonce, repeatedField, wrongChipAuthenticationData, missingChipAuthenticationData
    case wrongAgreementSecret, refusedAgreement, wrongSignature, refusedSignature, signatureOfOtherChallenge
    case wrongBACMac, wrongBACChallenge, otherBACChallenge, shortBACAnswer
  }

  let document: EmulatedDocument
  package var fault = Fault.none
  /// The commands to let pass before a fault of secure messaging.
  var faultDelay = 4
  /// Whether a wrong CAN costs an attempt, and how many are left; nil without a counter.
  package var attempts: Int?
  /// Whether extended length is supported.
  var isExtended: Bool { document.isExtended && !refusesExtended }
  /// Whether the reader does not support the extended length that the chip announces.
  var refusesExtended = false
  /// The size of response blocks on the transport; the rest is fetched by GET RESPONSE.
  var responseBlock: Int?
  /// Whether longer responses than requested are refused.
  var refusesGetResponse = false
  /// Whether a wrong expected length is answered with 6Cxx.
  var correctsLength = false
  var hasAccessControl = true
  var reads = Reads()
  var selection = Selection.standard
  var signatures = Signatures.standard
  /// The status of MSE:Set AT without the domain parameters (tag 84); nil if they may be missing.
  var parametersMissing: UInt16?
  /// Domain parameters that MSE:Set AT refuses.
  var refusedParameters: Set<Int> = []

  /// How chips of states deviate in READ BINARY.
  struct Reads {
    /// The largest number of bytes that may be requested.
    var limit = Int.max
    /// Whether requests beyond the end of the file are refused.
    var refusesBeyondEnd = false
    /// The status of a refusal; 6C00 with the right length.
    var refusal: UInt16 = 0x6700
    /// Whether a refusal ends secure messaging.
    var endsSession = false
    /// The largest number of bytes in an answer, which may have fewer than were requested.
    var answer = Int.max
  }

  /// How files are selected.
  enum Selection: Equatable {
    case standard
    /// Only with response data (P2 = 00).
    case withData
    /// Only by READ BINARY with a short identifier; SELECT has this status.
    case shortOnly(UInt16)
  }

  /// How chips of states deviate in active authentication.
  enum Signatures: Equatable {
    case standard
    /// ECDSA-Sig-Value in DER, with a redundant zero octet before each number or without.
    case der(redundantZeros: Bool)
    /// Without the leading zeros of r and s, or of the number.
    case withoutLeadingZeros
    /// Cut to the size of a short response.
    case cut
    /// Only with the right expected length: another one is corrected (6Cxx), or refused with the status.
    case exactLength(UInt16)
    /// Nothing is returned in extended length.
    case shortOnly
  }
  var refusesBAC = false
  /// What the chip complained about.
  private(set) var violations: [String] = []
  private(set) var passwordTries = 0
  private(set) var commandCount = 0
  private(set) var protectedCount = 0

  private struct Messaging {
    let cipher: EmulatedCipher
    let encryption, authentication: [UInt8]
    var counter: [UInt8]

    init(_ cipher: EmulatedCipher, _ secret: [UInt8], counter: [UInt8]? = nil) {
      (self.cipher, encryption, authentication) = (cipher, cipher.key(secret, 1), cipher.key(secret, 2))
      self.counter = counter ?? [UInt8](repeating: 0, count: cipher.blockSize)
    }

    mutating func count() {
      var index = counter.count - 1
      while index >= 0 {
        counter[index] &+= 1
        if counter[index] != 0 { break }
        index -= 1
      }
    }

    var vector: [UInt8]? { cipher.cipher == .tripleDES ? nil : cipher.block(counter, encryption) }
  }

  private struct PACE {
    var variant: EmulatedDocument.Variant
    var password: [UInt8]
    var isNumber: Bool
    var step = 0
    var group: EmulatedGroup
    var nonce: [UInt8] = []
    var mappingSecret: [UInt8] = []
    var mapped: EmulatedGroup?
    var ownKey: [UInt8] = []
    var otherKey: [UInt8] = []
    var mappingKey: [UInt8] = []
    var messaging: Messaging?
  }

  private let cardAccessNumber: [UInt8]
  private var messaging: Messaging?
  private var pending: Messaging?
  private var isInApplication = false
  private var isOpen = false
  private var selected: [UInt8]?
  private var pace: PACE?
  private var agreementCipher: Int?
  private var challenge: [UInt8] = []
  private var chained: [UInt8] = []
  private var remaining: [UInt8] = []
  private var remainingStatus: UInt16 = 0x9000
  private var previous: [UInt8] = []
  /// How many random numbers were drawn; they are the same in each run.
  private var drawn = 0

  package init(_ document: EmulatedDocument, cardAccessNumber: String = "123456") {
    self.document = document
    self.cardAccessNumber = Array(cardAccessNumber.utf8)
  }

  /// As a chip that is removed and put back.
  package func reset() {
    endSession()
    isInApplication = false
  }

  private func bytes(_ count: Int) -> [UInt8] {
    drawn += 1
    return Array((0...count / 32).flatMap { EmulatedState.hash(Array("\(drawn) \($0)".utf8)) }.prefix(count))
  }

  // MARK: Transport

  package func transmit(_ command: [UInt8]) throws -> [UInt8] {
    commandCount += 1
    precondition(commandCount < 20_000, "the reader does not stop")
    if fault == .endlessMoreData, isFaulty { return [UInt8](repeating: 7, count: 256) + [0x61, 0x00] }
    if fault == .endlessMoreDataOfOneByte, isFaulty { return [7, 0x61, 0x01] }
    if fault == .endlessWrongLength, isFaulty { return [0x6C, 0x10] }
    guard let parsed = Command(command), parsed.isExtended == false || isExtended else {
      // A wrong length ends secure messaging.
      endSession()
      return [0x67, 0x00]
    }
    if parsed.instruction == 0xC0 {
      return block(of: remaining, remainingStatus, limit: parsed.expected ?? 256)
    }
    let (data, status) = process(parsed)
    var response = data
    if isFaulty, !response.isEmpty {
      switch fault {
      case .truncatedResponse: response.removeLast(min(response.count, 5))
      case .hugeResponse: response = [UInt8](repeating: 0x87, count: 70_000)
      default: break
      }
    }
    if fault == .emptyResponse, isFaulty { return [] }
    if fault == .oneByteResponse, isFaulty { return [0x90] }
    if correctsLength, parsed.classByte & 0x0C == 0, let expected = parsed.expected, !response.isEmpty,
      expected > response.count, response.count < 256, parsed.instruction != 0xB0
    {
      // As with the protocol T=0: the command is repeated with the right length.
      repeated = (command.dropLast() + [UInt8(response.count)], response + [UInt8(status >> 8), UInt8(status & 255)])
      return [0x6C, UInt8(response.count)]
    }
    return block(of: response, status, limit: parsed.expected ?? 0)
  }

  private var repeated: (command: [UInt8], response: [UInt8])?

  private func block(of data: [UInt8], _ status: UInt16, limit: Int) -> [UInt8] {
    let size = min(responseBlock ?? .max, fault == .hugeResponse ? .max : max(limit, 1))
    guard data.count > size else { return data + [UInt8(status >> 8), UInt8(status & 255)] }
    if refusesGetResponse {
      endSession()
      return [0x67, 0x00]
    }
    (remaining, remainingStatus) = (Array(data.dropFirst(size)), status)
    return data.prefix(size) + [0x61, UInt8(remaining.count > 255 ? 0 : remaining.count)]
  }

  /// Whether a fault of the transport or of secure messaging is due.
  private var isFaulty: Bool { protectedCount > faultDelay }

  private func endSession() {
    (messaging, pending, isOpen) = (nil, nil, false)
    (pace, agreementCipher) = (nil, nil)
  }

  // MARK: Commands

  struct Command {
    var classByte, instruction, p1, p2: UInt8
    var data: [UInt8] = []
    var expected: Int?
    var isExtended = false

    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 4 else { return nil }
      (classByte, instruction, p1, p2) = (bytes[0], bytes[1], bytes[2], bytes[3])
      var rest = bytes.dropFirst(4)
      guard let first = rest.popFirst() else { return }
      if rest.isEmpty {
        expected = first == 0 ? 256 : Int(first)
        return
      }
      var count = Int(first)
      if first == 0 {
        isExtended = true
        guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
        count = Int(high) << 8 | Int(low)
        if rest.isEmpty {
          expected = count == 0 ? 65_536 : count
          return
        }
      }
      guard rest.count >= count else { return nil }
      data = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      switch (rest.count, isExtended) {
      case (0, _): break
      case (1, false): expected = rest.first.map { $0 == 0 ? 256 : Int($0) }
      case (2, true):
        let value = rest.reduce(0) { $0 << 8 | Int($1) }
        expected = value == 0 ? 65_536 : value
      default: return nil
      }
    }
  }

  private func process(_ command: Command) -> ([UInt8], UInt16) {
    if let repeated, repeated.command.count > 0, command.instruction == repeated.command[1] {
      self.repeated = nil
      let response = repeated.response
      return (Array(response.dropLast(2)), UInt16(response[response.count - 2]) << 8 | UInt16(response.last ?? 0))
    }
    guard command.classByte & 0x0C == 0x0C else {
      if messaging != nil {
        // A plain command ends secure messaging.
        violations.append("plain command \(command.instruction)")
        endSession()
      }
      return execute(command)
    }
    protectedCount += 1
    guard messaging != nil, let plain = opened(command) else {
      violations.append("unreadable protected command \(command.instruction)")
      endSession()
      return ([], 0x6988)
    }
    if fault == .plainStatus, isFaulty {
      endSession()
      return ([], 0x6A80)
    }
    let (data, status) = execute(plain)
    if reads.endsSession, data.isEmpty, plain.instruction & ~1 == 0xB0, status != 0x9000 {
      endSession()
      return ([], status)
    }
    let response = protected(data, status, isOdd: plain.instruction & 1 == 1)
    if let pending { (messaging, self.pending) = (pending, nil) }
    return (response, status)
  }

  private func opened(_ command: Command) -> Command? {
    messaging?.count()
    guard let messaging else { return nil }
    let cipher = messaging.cipher
    var reader = TLVReader(command.data)
    var (objects, code, cryptogram) = ([UInt8](), [UInt8](), [UInt8]())
    var plain = command
    (plain.data, plain.expected) = ([], nil)
    plain.classByte &= ~0x0C
    while let object = try? reader.next() {
      var value = Array(object.value)
      switch object.tag {
      case 0x87, 0x85:
        guard (object.tag == 0x85) == (command.instruction & 1 == 1) else { return nil }
        if object.tag == 0x87 { guard value.removeFirst() == 1 else { return nil } }
        cryptogram = value
        objects += object.encoded
      case 0x97:
        let expected = value.reduce(0) { $0 << 8 | Int($1) }
        plain.expected = expected == 0 ? value.count == 1 ? 256 : 65_536 : expected
        objects += object.encoded
      case 0x8E: code = value
      default: return nil
      }
    }
    let header = cipher.padded([command.classByte, command.instruction, command.p1, command.p2])
    guard code == cipher.mac(cipher.padded(messaging.counter + header + objects), messaging.authentication) else {
      return nil
    }
    if !cryptogram.isEmpty {
      plain.data = cipher.unpadded(cipher.decrypt(cryptogram, messaging.encryption, vector: messaging.vector))
    }
    return plain
  }

  private func protected(_ data: [UInt8], _ status: UInt16, isOdd: Bool) -> [UInt8] {
    messaging?.count()
    if fault == .wrongCounter, isFaulty { messaging?.count() }
    guard let messaging else { return [] }
    let cipher = messaging.cipher
    var objects: [UInt8] = []
    if !data.isEmpty {
      var padded = cipher.padded(data)
      if fault == .wrongPadding, isFaulty { padded[padded.count - 1] = 0x55 }
      let cryptogram = cipher.encrypt(padded, messaging.encryption, vector: messaging.vector)
      let indicator: UInt8 = fault == .wrongPaddingIndicator && isFaulty ? 2 : 1
      objects += isOdd ? tlv(0x85, cryptogram) : tlv(0x87, [indicator] + cryptogram)
    }
    let shown = fault == .wrongStatusObject && isFaulty ? 0x9001 : status
    if !(fault == .missingStatus && isFaulty) { objects += tlv(0x99, [UInt8(shown >> 8), UInt8(shown & 255)]) }
    var code = cipher.mac(cipher.padded(messaging.counter + objects), messaging.authentication)
    if fault == .wrongMAC, isFaulty { code[7] ^= 1 }
    var response = objects
    if !(fault == .missingMAC && isFaulty) { response += tlv(0x8E, code) }
    if fault == .dataBehindMAC, isFaulty { response += tlv(0x99, [0x90, 0]) }
    if fault == .replayedResponse, isFaulty { response = previous }
    previous = response
    return response
  }

  private func execute(_ command: Command) -> ([UInt8], UInt16) {
    var command = command
    if command.classByte & 0x10 != 0, pace == nil {
      chained += command.data
      return ([], 0x9000)
    }
    if !chained.isEmpty { (command.data, chained) = (chained + command.data, []) }
    switch command.instruction {
    case 0xA4: return select(command)
    case 0xB0, 0xB1: return read(command)
    case 0x84:
      guard !refusesBAC, isInApplication, command.expected == 8 else { return ([], 0x6985) }
      challenge = bytes(8)
      return (challenge, 0x9000)
    case 0x82: return authenticateBasically(command)
    case 0x22: return manage(command)
    case 0x86: return pace == nil ? agree(command) : establish(command)
    case 0x88: return sign(command)
    default: return ([], 0x6D00)
    }
  }

  private func select(_ command: Command) -> ([UInt8], UInt16) {
    selected = nil
    if selection == .withData {
      guard command.p2 == 0, command.expected != nil else { return ([], 0x6A86) }
      var plain = command
      (plain.p2, plain.expected) = (0x0C, nil)
      selection = .standard
      defer { selection = .withData }
      let (_, status) = select(plain)
      return (status == 0x9000 ? tlv(0x6F, tlv(0x83, command.data)) : [], status)
    }
    if case .shortOnly(let status) = selection, command.p1 == 0x02 { return ([], status) }
    if command.p1 == 0x04 {
      guard command.data == [0xA0, 0, 0, 2, 0x47, 0x10, 1] else { return ([], 0x6A82) }
      isInApplication = true
      return ([], 0x9000)
    }
    if command.p1 == 0x00, command.data == [0x3F, 0] {
      isInApplication = false
      return ([], 0x9000)
    }
    guard command.p1 == 0x02, command.p2 == 0x0C, command.data.count == 2 else { return ([], 0x6A86) }
    let identifier = UInt16(command.data[0]) << 8 | UInt16(command.data[1])
    let isFree = !isInApplication && identifier != 0x011D
    guard let file = (isInApplication ? document.application : document.master)[identifier] else { return ([], 0x6A82) }
    guard isFree || isOpen || !hasAccessControl else { return ([], 0x6982) }
    selected = file
    guard isOpen || !hasAccessControl else { return ([], 0x9000) }
    switch fault {
    case .hugeFile: selected = file.prefix(1) + [0x84, 0xFF, 0xFF, 0xFF, 0xFF] + file.dropFirst(4)
    case .fileOfOtherTag: selected = [0x63] + file.dropFirst()
    case .fileWithoutLength: selected = file.prefix(1) + [0x89] + file.dropFirst(2)
    case .fileEndsEarly: selected = Array(file.prefix(file.count / 2))
    default: break
    }
    return ([], 0x9000)
  }

  private func read(_ command: Command) -> ([UInt8], UInt16) {
    var command = command
    if case .shortOnly = selection, command.instruction == 0xB0, command.p1 & 0x80 != 0 {
      let short = UInt16(command.p1 & 0x1F)
      selected = nil
      let choice = selection
      selection = .standard
      defer { selection = choice }
      let identifier: UInt16 = [0x011C, 0x011D, 0x011E, 0x0100 | short].first { $0 & 0x1F == short } ?? 0
      let bytes: [UInt8] = [0, 0xA4, 2, 0x0C, 2, UInt8(identifier >> 8), UInt8(identifier & 255)]
      guard let selecting = Command(bytes) else { return ([], 0x6F00) }
      let (_, status) = select(selecting)
      guard status == 0x9000 else { return ([], status) }
      command.p1 = 0
    }
    guard let selected else { return ([], 0x6986) }
    var offset = Int(command.p1) << 8 | Int(command.p2)
    if command.instruction == 0xB1 {
      guard command.data.count > 2, command.data[0] == 0x54, Int(command.data[1]) == command.data.count - 2 else {
        return ([], 0x6A80)
      }
      offset = command.data.dropFirst(2).reduce(0) { $0 << 8 | Int($1) }
    } else if command.p1 & 0x80 != 0 {
      return ([], 0x6A86)
    }
    guard let expected = command.expected, offset < selected.count || offset == 0 else { return ([], 0x6B00) }
    if fault == .emptyReads, isOpen { return ([], 0x9000) }
    let left = reads.refusesBeyondEnd ? selected.count - offset : .max
    if expected > min(reads.limit, left) {
      return ([], reads.refusal == 0x6C00 ? 0x6C00 | UInt16(min(reads.limit, left, 255)) : reads.refusal)
    }
    var count = min(expected, reads.answer)
    if command.instruction == 0xB1 { count -= expected < 0x82 ? 2 : expected < 0x103 ? 3 : 4 }
    let data = Array(selected.dropFirst(offset).prefix(fault == .longerThanRequested && isOpen ? count + 1 : count))
    let status: UInt16 = data.count < min(expected, reads.answer) && command.instruction == 0xB0 ? 0x6282 : 0x9000
    return (command.instruction == 0xB1 ? tlv(0x53, data) : data, status)
  }

  // MARK: Access control

  /// Document number, dates of birth and expiry with their check digits (9303-11, 4.3.2).
  private var zoneInformation: [UInt8] {
    let line = Array(document.zone.utf8.suffix(44))
    return Array(line[0..<10] + line[13..<20] + line[21..<28])
  }

  private func authenticateBasically(_ command: Command) -> ([UInt8], UInt16) {
    guard challenge.count == 8, command.data.count == 40 else { return ([], 0x6700) }
    let cipher = EmulatedCipher(1)
    let seed = Array(EmulatedState.hash(zoneInformation, "SHA1").prefix(16))
    let (encryption, authentication) = (cipher.key(seed, 1), cipher.key(seed, 2))
    let (cryptogram, code) = (Array(command.data.prefix(32)), Array(command.data.suffix(8)))
    passwordTries += 1
    guard code == cipher.mac(cipher.padded(cryptogram), authentication) else { return ([], 0x6300) }
    let message = cipher.decrypt(cryptogram, encryption)
    guard Array(message[8..<16]) == challenge else { return ([], 0x6300) }
    let material = bytes(16)
    let own = fault == .wrongBACChallenge ? bytes(8) : Array(message[0..<8])
    let echoed = fault == .otherBACChallenge ? bytes(8) : challenge
    let answer = cipher.encrypt(echoed + own + material, encryption)
    var mac = cipher.mac(cipher.padded(answer), authentication)
    if fault == .wrongBACMac { mac[0] ^= 0x80 }
    let secret = zip(message[16..<32], material).map { $0 ^ $1 }
    messaging = Messaging(cipher, secret, counter: Array(challenge.suffix(4)) + message[4..<8])
    (isOpen, challenge) = (true, [])
    return (fault == .shortBACAnswer ? Array(answer.prefix(16)) : answer + mac, 0x9000)
  }

  private func fields(_ data: [UInt8]) -> [TLVTag: [UInt8]] {
    var (reader, fields) = (TLVReader(data), [TLVTag: [UInt8]]())
    while let field = try? reader.next() { fields[field.tag] = Array(field.value) }
    return fields
  }

  private func manage(_ command: Command) -> ([UInt8], UInt16) {
    let fields = fields(command.data)
    if command.p1 == 0x41 { return manageAgreement(command, fields) }
    let candidates = document.variants.filter {
      DER.oidBytes(EmulatedDocument.bsi + "4.\($0.mapping).\($0.cipher)") == fields[0x80] ?? []
    }
    guard command.p1 == 0xC1, command.p2 == 0xA4, let reference = fields[0x83]?.first,
      let variant = candidates.first(where: { fields[0x84] == nil || fields[0x84] == [UInt8($0.parameters)] }),
      candidates.count == 1 || fields[0x84] != nil
    else { return ([], 0x6A88) }
    if let parametersMissing, fields[0x84] == nil { return ([], parametersMissing) }
    guard !refusedParameters.contains(variant.parameters) else { return ([], 0x6A80) }
    let isNumber = reference == 2
    pace = PACE(
      variant: variant,
      password: isNumber ? cardAccessNumber : EmulatedState.hash(zoneInformation, "SHA1"), isNumber: isNumber,
      group: EmulatedGroup(variant.parameters))
    if isNumber, let attempts, attempts < 3 { return ([], 0x63C0 | UInt16(attempts)) }
    return ([], 0x9000)
  }

  private func establish(_ command: Command) -> ([UInt8], UInt16) {
    guard var state = pace else { return ([], 0x6985) }
    if state.isNumber, attempts == 0 { return ([], 0x6983) }
    let cipher = EmulatedCipher(state.variant.cipher)
    let fields = fields(fields(command.data)[0x7C] ?? [])
    state.step += 1
    // Integrated mapping has as many steps as generic mapping.
    guard (command.classByte & 0x10 != 0) == (state.step < 4) else { return ([], 0x6883) }
    defer { if pace != nil { pace = state } }
    func answer(_ tag: UInt32, _ value: [UInt8]) -> ([UInt8], UInt16) { (tlv(0x7C, tlv(tag, value)), 0x9000) }
    func stop(_ status: UInt16) -> ([UInt8], UInt16) {
      pace = nil
      return ([], status)
    }
    /// An element as this chip spoils it.
    func spoiled(_ element: [UInt8]) -> [UInt8] {
      var element = element
      switch fault {
      case .pointOffCurve: element[element.count - 1] ^= 1
      case .shortPoint: element = Array(element.prefix(element.count / 2))
      case .neutralElement: element = state.group.curve == nil ? [1] : [0]
      default: break
      }
      return element
    }
    let isIntegrated = [3, 4].contains(state.variant.mapping)
    switch state.step {
    case 1:
      // Generic mapping allows one block, as OpenPACE has it.
      state.nonce = bytes(cipher.keySize > 16 ? 32 : cipher.cipher == .tripleDES && !isIntegrated ? 8 : 16)
      var encrypted = cipher.encrypt(state.nonce, cipher.key(state.password, 3))
      if fault == .shortNonce { encrypted = Array(encrypted.prefix(8)) }
      if fault == .missingNonce { return (tlv(0x7C, []), 0x9000) }
      if fault == .repeatedField { return (tlv(0x7C, tlv(0x80, encrypted) + tlv(0x80, encrypted)), 0x9000) }
      return answer(0x80, encrypted)
    case 2:
      guard let other = fields[0x81] else { return stop(0x6A80) }
      guard !isIntegrated else {
        guard other.count == cipher.keySize else { return stop(0x6A80) }
        state.mapped = state.group.mappedIntegrally(state.nonce, other, cipher)
        return answer(0x82, [])
      }
      state.mappingSecret = [1] + bytes(18)
      state.mapped = state.group.mappedGenerically(state.nonce, state.mappingSecret, other)
      guard state.mapped != nil, let own = state.group.times(state.mappingSecret, state.group.base) else {
        return stop(0x6A80)
      }
      state.mappingKey = own
      return answer(0x82, fault == .echoedMappingKey ? other : spoiled(state.group.encoded(own)))
    case 3:
      let secret = [1] + bytes(18)
      guard let other = fields[0x83], let mapped = state.mapped, let own = mapped.times(secret, mapped.base),
        let shared = mapped.shared(secret, other)
      else { return stop(0x6A80) }
      (state.ownKey, state.otherKey) = (own, other)
      state.messaging = Messaging(cipher, shared)
      return answer(0x84, fault == .echoedAgreementKey ? other : spoiled(mapped.encoded(own)))
    default:
      guard let messaging = state.messaging, let mapped = state.mapped, let token = fields[0x85] else {
        return stop(0x6A80)
      }
      let identifier = DER.oidBytes(EmulatedDocument.bsi + "4.\(state.variant.mapping).\(state.variant.cipher)")
      func code(_ key: [UInt8]) -> [UInt8] {
        let object = tlv(
          0x7F49, tlv(0x06, identifier) + tlv(mapped.curve == nil ? 0x84 : 0x86, mapped.encoded(key)))
        return cipher.mac(cipher.cipher == .tripleDES ? cipher.padded(object) : object, messaging.authentication)
      }
      passwordTries += 1
      guard token == code(state.ownKey) else {
        guard state.isNumber, let left = attempts else { return stop(0x6300) }
        attempts = max(0, left - 1)
        return stop(0x63C0 | UInt16(max(0, left - 1)))
      }
      if state.isNumber, attempts != nil { attempts = 3 }
      var proof = code(state.otherKey)
      if fault == .wrongToken { proof[3] ^= 4 }
      var response = tlv(0x86, proof)
      if state.variant.mapping == 6, fault != .missingChipAuthenticationData, let curve = mapped.curve {
        // 4.4.3.5: the mapping secret divided by the static one.
        let order = curve.n
        var secret = EmulatedDocument.agreementSecret
        if fault == .wrongChipAuthenticationData { secret[5] ^= 1 }
        let data = order.bytes(
          of: order.multiply(order.number(state.mappingSecret), order.inverse(order.number(secret))))
        let vector = cipher.block([UInt8](repeating: 0xFF, count: 16), messaging.encryption)
        response += tlv(0x8A, cipher.encrypt(cipher.padded(data), messaging.encryption, vector: vector))
      }
      self.messaging = messaging
      (isOpen, pace) = (true, nil)
      return (tlv(0x7C, response), 0x9000)
    }
  }

  // MARK: Proofs

  private func manageAgreement(_ command: Command, _ fields: [TLVTag: [UInt8]]) -> ([UInt8], UInt16) {
    guard isOpen, let agreement = document.agreement, fault != .refusedAgreement else { return ([], 0x6A80) }
    let number = agreement.keyIdentifier.map { [UInt8($0)] }
    guard fields[0x84] == number else { return ([], 0x6A88) }
    let kind = agreement.parameters < 8 ? 1 : 2
    switch command.p2 {
    case 0xA6:
      guard agreement.cipher == 1, let key = fields[0x91] else { return ([], 0x6A80) }
      return agreed(key, cipher: 1) ? ([], 0x9000) : ([], 0x6A80)
    case 0xA4:
      guard fields[0x80] == DER.oidBytes(EmulatedDocument.bsi + "3.\(kind).\(agreement.cipher)") else {
        return ([], 0x6A80)
      }
      agreementCipher = agreement.cipher
      return ([], 0x9000)
    default: return ([], 0x6A86)
    }
  }

  private func agree(_ command: Command) -> ([UInt8], UInt16) {
    guard isOpen, let agreementCipher, let key = fields(fields(command.data)[0x7C] ?? [])[0x80],
      agreed(key, cipher: agreementCipher)
    else { return ([], 0x6A80) }
    self.agreementCipher = nil
    return (tlv(0x7C, []), 0x9000)
  }

  /// The new keys hold from the next command.
  private func agreed(_ key: [UInt8], cipher: Int) -> Bool {
    guard let agreement = document.agreement else { return false }
    var secret = EmulatedDocument.agreementSecret
    if fault == .wrongAgreementSecret { secret[0] ^= 1 }
    guard let shared = EmulatedGroup(agreement.parameters).shared(secret, key) else { return false }
    pending = Messaging(EmulatedCipher(cipher), shared)
    return true
  }

  private func sign(_ command: Command) -> ([UInt8], UInt16) {
    guard isOpen || !hasAccessControl, command.data.count == 8, fault != .refusedSignature else { return ([], 0x6985) }
    let challenge = fault == .signatureOfOtherChallenge ? bytes(8) : command.data
    var signature: [UInt8]
    switch document.signing {
    case .rsa(let bits, let digest):
      signature = EmulatedRSA.key(bits).sign(challenge: challenge, digest: digest, isShortTrailer: digest == "SHA1")
    case .ecdsa(let curve, let digest):
      let name = ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"][digest - 1]
      signature = Curve(curve).sign(
        EmulatedState.hash(challenge, name), secret: EmulatedDocument.signingSecret, nonce: [1] + bytes(18))
    case nil: return ([], 0x6D00)
    }
    if fault == .wrongSignature { signature[signature.count / 2] ^= 1 }
    return formed(signature, expected: command.expected ?? 0)
  }

  private func formed(_ signature: [UInt8], expected: Int) -> ([UInt8], UInt16) {
    let isRSA = if case .rsa = document.signing { true } else { false }
    let half = signature.count / 2
    let numbers = isRSA ? [signature[...]] : [signature[..<half], signature[half...]]
    switch signatures {
    case .standard: return (signature, 0x9000)
    case .der(let redundantZeros):
      let zero: [UInt8] = redundantZeros ? [0] : []
      return (DER.sequence(numbers.flatMap { tlv(0x02, zero + DER.unsigned(Array($0)).dropFirst(2)) }), 0x9000)
    case .withoutLeadingZeros: return (numbers.flatMap { $0.drop { $0 == 0 } }, 0x9000)
    case .cut:
      return (Array(signature.prefix(expected > 256 ? .max : messaging?.cipher.blockSize == 8 ? 231 : 223)), 0x9000)
    case .exactLength(let status):
      if expected == signature.count { return (signature, 0x9000) }
      return ([], status == 0x6C00 ? 0x6C00 | UInt16(signature.count & 255) : status)
    case .shortOnly: return (expected > 256 ? [] : signature, 0x9000)
    }
  }
}
