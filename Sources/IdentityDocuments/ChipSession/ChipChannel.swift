/// Sends commands to a chip: under secure messaging once it is set, in short or extended length, with command chaining
/// and remaining response data (ISO/IEC 7816-4, 5). Every loop over responses is bounded.
final class ChipChannel {
  private let transport: any ChipTransport
  private let budget: Budget
  /// Nil before access control and after an error.
  var messaging: ChipSecureMessaging?
  /// Whether an error left the state of the chip unknown; only opening it again helps.
  private(set) var isBroken = false
  /// Whether chip and transport support extended length; nil if unknown. It is tried where a short command does not
  /// suffice.
  var hasExtendedLength: Bool? {
    get { maximumDataBytes < ChipCommand.largestShortResponse ? false : chipHasExtendedLength }
    set { chipHasExtendedLength = newValue }
  }
  private var chipHasExtendedLength: Bool?
  /// The limit of the transport; see ``ChipTransport/maximumDataBytes``.
  private let maximumDataBytes: Int
  /// Maximum sizes of APDUs in bytes (ISO/IEC 7816-4, 12.7.1).
  private var largestCommand = ChipCommand.largestExtended
  private var largestResponse = ChipChannel.unstatedResponse
  /// The SHA-256 over the previous one, the command and the response, both preceded by their size in four bytes.
  private(set) var transcript = [UInt8](repeating: 0, count: 32)
  private(set) var commandCount = 0
  /// Maximum number of bytes that the chip accepts in READ BINARY, which may be fewer than it can send.
  var readLimit = Int.max
  /// Whether the chip refuses to read beyond the end of a file, so that the length in the header must be read first.
  var readsHeaderFirst = false
  /// Whether the read that broke the channel may succeed once the chip is opened again.
  private(set) var mayReadAgain = false
  /// Whether SELECT asks for response data, and whether a file was selected by its identifier.
  var (selectsWithData, hasSelectedFile) = (false, false)
  /// The status of a response without data, which ends secure messaging.
  private var emptyStatus: ChipStatus?

  /// Responses to one command: 256 of 256 bytes are the most that it can have.
  private static let maximumResponses = 256
  /// Response size of chips that support extended length without stating one.
  private static let unstatedResponse = 1024

  init(_ transport: any ChipTransport, budget: Budget) {
    (self.transport, self.budget) = (transport, budget)
    maximumDataBytes = transport.maximumDataBytes ?? ChipCommand.largestExtended
  }

  /// Ends secure messaging and clears the error.
  func reset() { (messaging, isBroken, mayReadAgain) = (nil, false, false) }

  /// Bytes that one READ BINARY may request.
  var largestRead: Int {
    let bytes =
      hasExtendedLength == true
      ? min(largestResponse, maximumDataBytes) : ChipCommand.largestShortResponse
    return min(readLimit, messaging?.capacity(of: bytes) ?? bytes)
  }

  /// Adapts to a chip that ended secure messaging because a read requested too many bytes, as Russian and Ukrainian
  /// passports do above 192. Extended length is given up first, which some chips announce without supporting it.
  ///
  /// - Parameter least: no further adaptation is possible if this many bytes were refused.
  func readsLess(than count: Int, atStart: Bool, least: Int) {
    guard hasExtendedLength != true else {
      (hasExtendedLength, mayReadAgain) = (false, true)
      return
    }
    guard emptyStatus?.refusesLength == true, count > least else { return }
    mayReadAgain = true
    if atStart { readsHeaderFirst = true } else { readLimit = count / 2 }
  }

  /// Reads the capabilities in EF.ATR/INFO (ISO/IEC 7816-4, 12.7.1 and 12.1.1.7): in data object 47 whether extended
  /// length is supported, in 7F66 the maximum sizes of commands and responses.
  func readCapabilities(_ file: [UInt8]) {
    var reader = TLVReader(file)
    while let object = try? reader.next() {
      if object.tag == 0x47, object.value.count == 3, let last = object.value.last {
        hasExtendedLength = last & 0x40 != 0
      } else if object.tag == 0x7F66, let sizes = try? object.mapChildren(atMost: 2, { try $0.integer() }),
        sizes.count == 2, sizes.allSatisfy({ $0 >= ChipCommand.largestShortResponse })
      {
        hasExtendedLength = hasExtendedLength ?? true
        (largestCommand, largestResponse) = (sizes[0], sizes[1])
      }
    }
  }

  /// Sends a command. Data that do not fit a short one are sent in extended length or in a chain of commands; under
  /// secure messaging, which a wrong length ends, extended length is used only if the chip is known to support it.
  ///
  /// - Throws: the transport's error, ``VerifyError/Code/damaged``, or an error of the budget. The channel is broken
  ///   then.
  func send(_ command: ChipCommand) throws -> ChipResponse {
    guard needsExtendedLength(command) else { return try exchange(command) }
    // The steps of a protocol, which command chaining links, cannot be chains themselves.
    let isStep = command.classByte & ChipCommand.chaining != 0
    if hasExtendedLength == true || hasExtendedLength == nil && (isStep || messaging == nil) {
      let response = try exchange(command)
      guard hasExtendedLength == nil else { return response }
      hasExtendedLength = response.status != .wrongLength
      if hasExtendedLength == true { return response }
    }
    guard !isStep else {
      throw VerifyError(.unreadable, "the chip supports no extended length, which its domain parameters need")
    }
    var short = command
    short.expected = command.expected.map { min($0, ChipCommand.largestShortResponse) }
    guard needsExtendedLength(short) else { return try exchange(short) }
    let response = try chain(short)
    guard response.status == .chainingNotSupported, hasExtendedLength == nil else { return response }
    return try exchange(command)
  }

  private func needsExtendedLength(_ command: ChipCommand) -> Bool {
    guard let messaging else { return command.needsExtendedLength }
    return command.data.count > messaging.capacity(of: ChipCommand.largestShortData)
      || command.expected ?? 0 > messaging.capacity(of: ChipCommand.largestShortResponse)
        && command.expected ?? 0 != ChipCommand.largestShortResponse
  }

  /// ISO/IEC 7816-4, 5.4.1.
  private func chain(_ command: ChipCommand) throws -> ChipResponse {
    let size = messaging?.capacity(of: ChipCommand.largestShortData) ?? ChipCommand.largestShortData
    var part = command
    part.classByte |= ChipCommand.chaining
    part.expected = nil
    var rest = command.data[...]
    while rest.count > size {
      part.data = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      let response = try exchange(part)
      guard response.status == .success else { return response }
    }
    part = command
    part.data = Array(rest)
    return try exchange(part)
  }

  private func exchange(_ command: ChipCommand) throws -> ChipResponse {
    guard !isBroken else {
      throw VerifyError(.wrongState, "the connection to the chip is lost; open it again")
    }
    do {
      guard let messaging else { return try transmit(command) }
      let response = try messaging.open(transmit(messaging.protect(command)))
      // The right length of a signature, as in ``transmit(_:)``. READ BINARY has its own ways.
      guard response.status.first == 0x6C, command.instruction & ~1 != ChipCommand.readBinary else { return response }
      var again = command
      again.expected = Self.length(response.status)
      return try messaging.open(transmit(messaging.protect(again)))
    } catch {
      isBroken = true
      messaging = nil
      throw error
    }
  }

  /// Sends an APDU and collects its response: 61xx announces more data, 6Cxx the right length (ISO/IEC 7816-4, 5.3.4).
  private func transmit(_ command: ChipCommand) throws -> ChipResponse {
    var response = try transmitOnce(command)
    emptyStatus = response.data.isEmpty ? response.status : nil
    // A protected command cannot be repeated: its code covers the counter.
    if response.status.first == 0x6C, command.expected != nil, command.classByte & ChipCommand.secure == 0 {
      var again = command
      again.expected = Self.length(response.status)
      response = try transmitOnce(again)
    }
    var data = response.data
    for _ in 0..<Self.maximumResponses where response.status.first == 0x61 {
      response = try transmitOnce(
        ChipCommand(instruction: ChipCommand.getResponse, p1: 0, p2: 0, expected: Self.length(response.status)))
      data += response.data
    }
    guard response.status.first != 0x61, data.count <= ChipCommand.largestExtended else {
      throw VerifyError(.damaged, "the chip's response does not end; try again")
    }
    return ChipResponse(data: data, status: response.status)
  }

  private static func length(_ status: ChipStatus) -> Int {
    status.second == 0 ? ChipCommand.largestShortResponse : Int(status.second)
  }

  private func transmitOnce(_ command: ChipCommand) throws -> ChipResponse {
    try budget.check()
    let command = command.encoded
    // A header of four bytes, and two lengths of up to three.
    let limit = min(largestCommand, maximumDataBytes + 9)
    guard command.count <= max(limit, ChipCommand.largestShortResponse + 5) else {
      throw VerifyError(
        .tooLarge, "a command has \(command.count) bytes, and chip and reader accept \(limit)")
    }
    let bytes = try transport.transmit(command)
    func sized(_ bytes: [UInt8]) -> [UInt8] { withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes }
    transcript = sha256Bytes(transcript + sized(command) + sized(bytes))
    commandCount += 1
    return try ChipResponse(bytes)
  }
}
