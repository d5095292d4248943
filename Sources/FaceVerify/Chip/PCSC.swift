internal import CPCSC
internal import Glibc

/// The PC/SC service, which manages smart card readers: names as in https://pcsclite.apdu.fr/api/.
final class PCSC {
  let functions: cpcsc
  private let context: Int

  /// Connects to the service.
  ///
  /// - Parameter functions: the client library's; nil loads them.
  /// - Throws: ``VerifyError/Code/absent`` if the library is not installed or the service does not run.
  init(functions: cpcsc? = nil) throws {
    guard let functions = functions ?? cpcsc_load()?.pointee else {
      throw VerifyError(
        .absent, "libpcsclite.so.1, which reads smart cards, is not installed; Debian's package is libpcsclite1")
    }
    self.functions = functions
    var context = 0
    try Self.check(Result(functions.establishContext(Self.scopeSystem, nil, nil, &context)))
    self.context = context
  }

  deinit { _ = functions.releaseContext(context) }

  // MARK: Results

  /// The result of a function.
  struct Result: RawRepresentable, Hashable {
    let rawValue: UInt32
    init(rawValue: UInt32) { self.rawValue = rawValue }
    init(_ value: Int) { rawValue = UInt32(truncatingIfNeeded: value) }

    static let success = Self(rawValue: 0)
    static let invalidHandle = Self(rawValue: 0x8010_0003)
    static let insufficientBuffer = Self(rawValue: 0x8010_0008)
    static let unknownReader = Self(rawValue: 0x8010_0009)
    static let timeout = Self(rawValue: 0x8010_000A)
    static let sharingViolation = Self(rawValue: 0x8010_000B)
    static let noSmartCard = Self(rawValue: 0x8010_000C)
    static let protocolMismatch = Self(rawValue: 0x8010_000F)
    static let notTransacted = Self(rawValue: 0x8010_0016)
    static let readerUnavailable = Self(rawValue: 0x8010_0017)
    static let noService = Self(rawValue: 0x8010_001D)
    static let serviceStopped = Self(rawValue: 0x8010_001E)
    static let noReadersAvailable = Self(rawValue: 0x8010_002E)
    static let unsupportedCard = Self(rawValue: 0x8010_0065)
    static let unresponsiveCard = Self(rawValue: 0x8010_0066)
    static let unpoweredCard = Self(rawValue: 0x8010_0067)
    static let resetCard = Self(rawValue: 0x8010_0068)
    static let removedCard = Self(rawValue: 0x8010_0069)
    static let securityViolation = Self(rawValue: 0x8010_006A)
  }

  /// - Throws: an error about the service, unless the result is a success.
  static func check(_ result: Result) throws {
    switch result {
    case .success: return
    case .noService, .serviceStopped:
      throw VerifyError(
        .absent,
        "the smart card service does not run; install Debian's package pcscd, or start it: "
          + "systemctl start pcscd.socket")
    case .securityViolation:
      throw VerifyError(
        .unreadable,
        "pcscd denies this user access to smart cards; run as root, or allow it in polkit "
          + "(org.debian.pcsc-lite)")
    default: throw unexpected(result)
    }
  }

  static func unexpected(_ result: Result) -> VerifyError {
    VerifyError(.internalFailure, "the smart card service failed: 0x\(String(result.rawValue, radix: 16))")
  }

  // SCARD_SCOPE_SYSTEM.
  private static let scopeSystem: UInt = 2

  // MARK: Readers

  /// A reader's state: bits of SCARD_STATE.
  struct State {
    let reader: String
    /// What ``states(of:known:milliseconds:)`` waits to change.
    let value: UInt
    let answerToReset: [UInt8]

    private func has(_ bit: UInt) -> Bool { value & bit != 0 }
    /// The reader was unplugged.
    var isGone: Bool { has(0x0004) || has(0x0008) }
    var hasCard: Bool { has(0x0020) }
  }

  /// Returns the names of the readers.
  func readers() throws -> [String] {
    // A reader may appear between the two calls.
    for _ in 0..<8 {
      var count: UInt = 0
      var result = Result(functions.listReaders(context, nil, nil, &count))
      if result == .noReadersAvailable { return [] }
      try Self.check(result)
      guard count <= Self.maximumListBytes else { throw Self.unexpected(.insufficientBuffer) }
      var names = [CChar](repeating: 0, count: Int(count))
      result = Result(functions.listReaders(context, nil, &names, &count))
      if result == .noReadersAvailable { return [] }
      if result == .insufficientBuffer { continue }
      try Self.check(result)
      return names.prefix(Int(count)).split(separator: 0).map {
        String(decoding: $0.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
      }
    }
    throw Self.unexpected(.insufficientBuffer)
  }

  /// PC/SC lite supports 16 readers, with names of 128 bytes.
  private static let maximumListBytes: UInt = 1 << 16

  /// Returns the states of readers, as soon as one differs from the one known before or the time has passed.
  ///
  /// - Parameter known: the states known before, of the same readers; empty returns immediately.
  func states(of readers: [String], known: [State] = [], milliseconds: UInt = 0) throws -> [State] {
    guard !readers.isEmpty else { return [] }
    let names = readers.map { strdup($0) }
    defer { for name in names { free(name) } }
    var states = names.map { name in
      var state = cpcsc_state()
      state.reader = UnsafePointer(name)
      return state
    }
    for (index, state) in known.enumerated() where index < states.count { states[index].current_state = state.value }
    let result = Result(functions.getStatusChange(context, milliseconds, &states, UInt(states.count)))
    // Unplugged meanwhile: the next list lacks it.
    if result == .unknownReader || result == .noReadersAvailable || result == .readerUnavailable {
      return readers.map { State(reader: $0, value: 0x0004, answerToReset: []) }
    }
    if result != .timeout { try Self.check(result) }
    return zip(readers, states).map { reader, state in
      let answer = withUnsafeBytes(of: state.atr) { $0.prefix(Int(min(state.atr_bytes, 33))).map { $0 } }
      // Without the bit "changed".
      return State(reader: reader, value: state.event_state & ~0x0002, answerToReset: answer)
    }
  }

  // MARK: Cards

  /// Opens a card exclusively: a command of another program would end secure messaging. By T=1, which contactless
  /// readers emulate (PC/SC part 3, 3.1.3.2.3): travel documents are contactless (ICAO Doc 9303-10, 2).
  func connect(_ reader: String) -> (card: Int, result: Result) {
    var (card, active): (Int, UInt) = (0, 0)
    let result = Result(functions.connect(context, reader, Self.exclusive, Self.protocolT1, &card, &active))
    return (card, result)
  }

  func disconnect(_ card: Int) { _ = functions.disconnect(card, Self.resetCard) }

  func transmit(_ command: [UInt8], to card: Int) -> (response: [UInt8], result: Result) {
    var response = [UInt8](repeating: 0, count: CardConnection.largestResponse)
    var count = UInt(response.count)
    var pci = cpcsc_protocol(protocol: Self.protocolT1, byte_count: UInt(MemoryLayout<cpcsc_protocol>.size))
    let result = Result(
      functions.transmit(card, &pci, command, UInt(command.count), nil, &response, &count))
    guard result == .success else { return ([], result) }
    return (Array(response.prefix(Int(min(count, UInt(response.count))))), result)
  }

  /// The largest number of data bytes in an APDU that reader and driver can send: 0 for short APDUs only; nil if they
  /// do not state it (PC/SC part 10: FEATURE_GET_TLV_PROPERTIES, property dwMaxAPDUDataSize).
  func maximumDataBytes(of card: Int) -> Int? {
    // CM_IOCTL_GET_FEATURE_REQUEST, a list of tags with control codes, big-endian.
    guard let features = control(card, 0x4200_0000 + 3400),
      let code = Self.value(of: 0x12, in: features, isBigEndian: true),
      let properties = control(card, UInt(code))
    else { return nil }
    return Self.value(of: 0x0A, in: properties, isBigEndian: false)
  }

  private func control(_ card: Int, _ code: UInt) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: 512)
    var count: UInt = 0
    let result = Result(functions.control(card, code, nil, 0, &output, UInt(output.count), &count))
    guard result == .success, count <= output.count else { return nil }
    return Array(output.prefix(Int(count)))
  }

  /// Returns a number from a list of tag, length and value; nil if it is not there or the list is malformed.
  static func value(of tag: UInt8, in list: [UInt8], isBigEndian: Bool) -> Int? {
    var rest = list[...]
    while let found = rest.popFirst(), let length = rest.popFirst(), rest.count >= length {
      let bytes = rest.prefix(Int(length))
      if found == tag {
        guard (1...4).contains(length) else { return nil }
        return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
      }
      rest = rest.dropFirst(Int(length))
    }
    return nil
  }

  // SCARD_SHARE_EXCLUSIVE, SCARD_PROTOCOL_T1, SCARD_RESET_CARD.
  private static let exclusive: UInt = 1
  private static let protocolT1: UInt = 2
  private static let resetCard: UInt = 1
}
