/// A connection to the card in a reader. Not thread-safe; it ends when it is freed, and the card is reset then.
///
/// ```swift
/// let session = ChipSession(try CardConnection(), budget: budget)
/// ```
public final class CardConnection: ChipTransport {
  /// The reader's full name.
  public let reader: String
  public let maximumDataBytes: Int?
  private let service: PCSC
  private let card: Int

  /// The range of ``init(reader:waiting:budget:)``'s time in seconds, and its default.
  public static let waitingTimes = 10.0...60.0
  public static let defaultWaitingTime = 30.0

  /// Waits for a card, and connects to it exclusively.
  ///
  /// - Parameters:
  ///   - reader: the reader's name or a part of it, in any case; nil for the only reader with a card.
  ///   - waiting: how long to wait for a card that answers, 10 to 60 seconds.
  ///   - budget: ends the waiting, within a quarter of a second.
  /// - Throws: ``VerifyError/Code/absent`` if libpcsclite is not installed, pcscd does not run or there is no such
  ///   reader; ``VerifyError/Code/badArgument`` if several readers fit; ``VerifyError/Code/timeout`` without a card;
  ///   ``VerifyError/Code/busy`` if another program uses it; ``VerifyError/Code/unreadable`` if it does not answer; an
  ///   error of the budget.
  public convenience init(
    reader: String? = nil, waiting: Double = defaultWaitingTime, budget: Budget = .unlimited
  ) throws {
    guard Self.waitingTimes.contains(waiting) else {
      throw VerifyError(.badArgument, "the time to wait for a card is 10 to 60 seconds, not \(waiting)")
    }
    try self.init(service: PCSC(), reader: reader, waiting: waiting, budget: budget)
  }

  init(service: PCSC, reader: String?, waiting: Double, budget: Budget) throws {
    self.service = service
    let deadline = ContinuousClock.now + .seconds(waiting)
    var known: [PCSC.State] = []
    while true {
      try budget.check()
      let names = try Self.candidates(service.readers(), named: reader)
      // What was known of other readers does not help to wait for these.
      let isSame = known.map(\.reader) == names
      known = try service.states(of: names, known: isSame ? known : [], milliseconds: isSame ? Self.slice : 0)
      let present = known.filter(\.hasCard)
      guard present.count <= 1 else {
        throw VerifyError(
          .badArgument, "several readers have a card; name one of: \(Self.listed(present.map(\.reader)))")
      }
      var problem = VerifyError(
        .timeout, "no card within \(Int(waiting)) s; lay the document on \(Self.listed(names)) and keep it there")
      if let state = present.first {
        let (card, result) = service.connect(state.reader)
        if result == .success {
          (self.card, self.reader) = (card, state.reader)
          maximumDataBytes = service.maximumDataBytes(of: card)
          return
        }
        problem = try Self.refusal(result, state.reader) ?? problem
      }
      guard ContinuousClock.now < deadline else { throw problem }
    }
  }

  deinit { service.disconnect(card) }

  /// Checks that ``init(reader:waiting:budget:)`` has a reader to wait at.
  ///
  /// - Throws: ``VerifyError/Code/absent`` or ``VerifyError/Code/badArgument``, as the initialiser.
  package static func check(reader: String?) throws { try check(reader: reader, PCSC()) }

  static func check(reader: String?, _ service: PCSC) throws { _ = try candidates(service.readers(), named: reader) }

  /// Milliseconds between two checks of the budget.
  private static let slice: UInt = 250

  /// - Throws: ``VerifyError/Code/absent``, ``VerifyError/Code/badArgument``.
  private static func candidates(_ names: [String], named name: String?) throws -> [String] {
    guard !names.isEmpty else { throw VerifyError(.absent, "no smart card reader is connected; plug one in") }
    guard let name else { return names }
    if names.contains(name) { return [name] }
    let found = names.filter { $0.lowercased().contains(name.lowercased()) }
    guard !found.isEmpty, !name.isEmpty else {
      throw VerifyError(.absent, "there is no reader \"\(name)\"; connected: \(listed(names))")
    }
    guard found.count == 1 else {
      throw VerifyError(.badArgument, "\"\(name)\" fits several readers; name one of: \(listed(found))")
    }
    return found
  }

  private static func listed(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }

  /// Returns the error of a card that may be connected to later; nil if it was removed.
  ///
  /// - Throws: an error that waiting does not end.
  private static func refusal(_ result: PCSC.Result, _ reader: String) throws -> VerifyError? {
    switch result {
    case .removedCard, .noSmartCard, .unknownReader, .readerUnavailable, .resetCard: return nil
    case .sharingViolation:
      return VerifyError(.busy, "another program uses the card on \"\(reader)\"; end it and try again")
    case .unresponsiveCard, .unpoweredCard, .notTransacted:
      return VerifyError(
        .unreadable, "the card on \"\(reader)\" does not answer; lay the document flat and hold it still")
    case .protocolMismatch, .unsupportedCard:
      throw VerifyError(
        .unreadable, "the card on \"\(reader)\" does not support T=1, as travel documents do; use a contactless reader")
    default:
      try PCSC.check(result)
      return nil
    }
  }

  /// - Throws: ``VerifyError/Code/unreadable`` if the card was removed or replaced, or the reader was unplugged;
  ///   ``VerifyError/Code/absent`` if pcscd was stopped.
  public func transmit(_ command: [UInt8]) throws -> [UInt8] {
    let (response, result) = service.transmit(command, to: card)
    switch result {
    // Some drivers report the removal of a card as a success without status bytes.
    case .success where response.count >= 2: return response
    case .readerUnavailable, .unknownReader, .invalidHandle: throw unplugged
    case .removedCard, .noSmartCard, .unpoweredCard, .unresponsiveCard: throw removed
    case .resetCard:
      throw VerifyError(.unreadable, "the card on \"\(reader)\" was replaced or reset; read it again")
    case .success, .notTransacted, .timeout:
      // Readers notice some milliseconds later that a card has left.
      let state = try service.states(of: [reader])[0]
      if state.isGone { throw unplugged }
      if !state.hasCard { throw removed }
      throw VerifyError(
        .unreadable,
        "the connection to the card on \"\(reader)\" was lost; lay the document flat, hold it still and try again")
    default:
      try PCSC.check(result)
      return response
    }
  }

  private var unplugged: VerifyError {
    VerifyError(.unreadable, "the reader \"\(reader)\" was unplugged; plug it in and read the document again")
  }
  private var removed: VerifyError {
    VerifyError(.unreadable, "the card was removed from \"\(reader)\"; lay the document on it again and hold it still")
  }
}
