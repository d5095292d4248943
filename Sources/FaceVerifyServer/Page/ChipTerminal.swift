internal import Dispatch
internal import FaceVerify
internal import FaceVerifyBase

/// The smart card reader of this machine, at which the server itself reads chips, one at a time. Thread-safe.
final class ChipTerminal: Sendable {
  /// Why a chip was not read.
  enum Fault: String, CaseIterable {
    case busy
    case noCard = "no-card"
    case severalCards = "several-cards"
    case cardInUse = "card-in-use"
    case noReader = "no-reader"
    /// Between reader and card: removed, moved, or too slow.
    case connectionLost = "connection-lost"
    /// The card is no travel document, or does not respond as one.
    case unreadable
    case passwordRefused = "password-refused"
    case numberRefused = "number-refused"
    /// The chip has no protocol for the card access number.
    case numberUnsupported = "number-unsupported"
    /// Nothing was tried: another wrong password could block the chip.
    case confirmationNeeded = "confirmation-needed"
  }

  struct Failure: Sendable {
    var fault: Fault
    /// One sentence: the error and its remedy.
    var detail: String
    var attemptsLeft: Int?
  }

  enum Outcome: Sendable {
    case read(ChipFiles)
    case failed(Failure)
    case stopped
  }

  /// The reading of one chip. Thread-safe.
  final class Reading: Sendable {
    struct Progress {
      var hasCard = false
      /// The file that is being read, and the fraction of it that was read; nil until the chip was opened.
      var file: ElementaryFile?
      var fraction = 0.0
    }

    let progress = Lock(Progress())
    fileprivate let cancellation = Cancellation()

    /// Ends the reading soon, between two commands; its outcome is then ``Outcome/stopped``.
    func stop() { cancellation.cancel() }
  }

  /// Seconds for opening and reading a chip: a large portrait takes 10 to 20 at 106 kbit/s.
  private static let longest = 60.0

  /// Waits for a card on the reader.
  private let connect: @Sendable (Budget) throws -> any ChipTransport
  private let isBusy = Lock(false)
  private let queue = DispatchQueue(label: "chip terminal")

  init(connect: @escaping @Sendable (Budget) throws -> any ChipTransport) { self.connect = connect }

  /// - Parameter reader: the reader's name or a part of it; empty for the only one with a card.
  /// - Throws: ``VerifyError/Code/absent`` if PC/SC is not available or has no such reader,
  ///   ``VerifyError/Code/badArgument`` if several fit.
  convenience init(reader: String) throws {
    let name = reader.isEmpty ? nil : reader
    try CardConnection.check(reader: name)
    self.init { try CardConnection(reader: name, budget: $0) }
  }

  /// Starts to read a chip on a thread of its own: waits 30 seconds for it, opens it with one attempt, and reads it.
  ///
  /// - Parameters:
  ///   - isConfirmed: as in `ChipSession.open`.
  ///   - ended: called on that thread, once, when another reading may start.
  /// - Returns: nil if another chip is being read.
  func read(
    with password: ChipPassword, isConfirmed: Bool, ended: @escaping @Sendable (Reading, Outcome) -> Void
  ) -> Reading? {
    let isFree = isBusy.withLock { isBusy in
      defer { isBusy = true }
      return !isBusy
    }
    guard isFree else { return nil }
    let reading = Reading()
    queue.async { [self] in
      let outcome = outcome(of: reading, password, isConfirmed)
      isBusy.withLock { $0 = false }
      ended(reading, outcome)
    }
    return reading
  }

  private func outcome(of reading: Reading, _ password: ChipPassword, _ isConfirmed: Bool) -> Outcome {
    let budget = Budget(
      seconds: CardConnection.defaultWaitingTime + Self.longest, cancellation: reading.cancellation)
    let card: WatchedCard
    do {
      card = WatchedCard(try connect(budget))
    } catch {
      return Self.failure(error) { code in
        switch code {
        case .timeout: .noCard
        case .badArgument: .severalCards
        case .busy: .cardInUse
        case .absent, .internalFailure: .noReader
        default: .connectionLost
        }
      }
    }
    reading.progress.withLock { $0.hasCard = true }
    do {
      let session = ChipSession(card, budget: budget)
      switch try session.open(with: password, isConfirmed: isConfirmed) {
      case .passwordRefused(let left):
        return .failed(
          Failure(
            fault: .passwordRefused,
            detail: "the chip refused the zone of the page; place the document of that page on the reader",
            attemptsLeft: left))
      case .confirmationNeeded(let left):
        return .failed(
          Failure(
            fault: .confirmationNeeded,
            detail: "one more wrong attempt can block the chip; compare the document with its page, then confirm it",
            attemptsLeft: left))
      case .opened: break
      }
      let files = try session.read { file, fraction in
        reading.progress.withLock { ($0.file, $0.fraction) = (file, fraction) }
      }
      // A chip that misbehaves is evidence, a connection that breaks is not.
      if let interruption = files.live?.interruption, card.error != nil { throw interruption }
      return .read(files)
    } catch {
      return Self.failure(error) { code in
        if code == .timeout || card.error != nil { return .connectionLost }
        return code == .badArgument ? .numberUnsupported : .unreadable
      }
    }
  }

  private static func failure(_ error: any Error, _ fault: (VerifyError.Code) -> Fault) -> Outcome {
    let error = error as? VerifyError ?? VerifyError(.unreadable, "the connection to the card failed: \(error)")
    guard error.code != .cancelled else { return .stopped }
    return .failed(Failure(fault: fault(error.code), detail: error.message))
  }
}

/// Keeps the error that ended the connection to a card. Not thread-safe.
private final class WatchedCard: ChipTransport {
  private let card: any ChipTransport
  private(set) var error: (any Error)?

  init(_ card: any ChipTransport) { self.card = card }

  var maximumDataBytes: Int? { card.maximumDataBytes }

  func transmit(_ command: [UInt8]) throws -> [UInt8] {
    do { return try card.transmit(command) } catch {
      self.error = error
      throw error
    }
  }
}
