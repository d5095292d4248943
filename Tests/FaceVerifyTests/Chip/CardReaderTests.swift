import EngineTestSupport
import Testing

@testable import EmulatedChip
@testable import FaceVerify

/// Readers as PC/SC has them, with every state and error that a card may get into.
@Suite(.serialized) struct CardReaderTests {
  private static func chip(_ change: (inout EmulatedDocument) -> Void = { _ in }) -> EmulatedChip {
    var document = EmulatedDocument()
    change(&document)
    document.issue()
    return EmulatedChip(document)
  }

  private static func connect(
    _ name: String? = nil, waiting: Double = 0.2, budget: Budget = .unlimited
  ) throws -> CardConnection {
    try CardConnection(service: ScriptedReaders.service(), reader: name, waiting: waiting, budget: budget)
  }

  /// The error of `body`.
  private static func error(_ body: () throws -> Void) -> VerifyError? {
    do {
      try body()
      return nil
    } catch { return error as? VerifyError }
  }

  @Test func `readers are listed with their cards`() throws {
    ScriptedReaders.reset([.init(name: "ACME One 00 00", card: Self.chip()), .init(name: "ACME Two 01 00")])
    let readers = try CardReader.all(ScriptedReaders.service())
    #expect(readers.map(\.name) == ["ACME One 00 00", "ACME Two 01 00"])
    #expect(readers.map(\.hasCard) == [true, false])
    #expect(readers.map(\.isContactless) == [true, false])
    #expect(readers[0].answerToReset == [0x3B, 0x80, 0x80, 0x01, 0x01] && readers[1].answerToReset.isEmpty)
    ScriptedReaders.reset([])
    #expect(try CardReader.all(ScriptedReaders.service()).isEmpty)
  }

  @Test func `without the service an error names what to install`() throws {
    ScriptedReaders.reset([])
    for (result, code, word) in [
      (PCSC.Result.noService, VerifyError.Code.absent, "pcscd"), (.serviceStopped, .absent, "pcscd"),
      (.securityViolation, .unreadable, "polkit"), (.init(rawValue: 0x8010_0001), .internalFailure, "0x80100001"),
    ] {
      ScriptedReaders.contextResult = result
      let error = Self.error { _ = try ScriptedReaders.service() }
      #expect(error?.code == code && error?.message.contains(word) == true, "\(error?.message ?? "")")
    }
  }

  @Test func `the only reader with a card is used, or one that a part of its name identifies`() throws {
    ScriptedReaders.reset([
      .init(name: "ACME One 00 00"), .init(name: "ACME Two 01 00", card: Self.chip()),
      .init(name: "Other 02 00", card: Self.chip()),
    ])
    #expect(try Self.connect("acme two").reader == "ACME Two 01 00")
    #expect(try Self.connect("Other 02 00").reader == "Other 02 00")
    let several = Self.error { _ = try Self.connect() }
    #expect(several?.code == .badArgument && several?.message.contains("\"Other 02 00\"") == true)
    #expect(Self.error { _ = try Self.connect("ACME") }?.code == .badArgument)
    #expect(Self.error { _ = try Self.connect("none") }?.code == .absent)
    ScriptedReaders.readers[2].card = nil
    #expect(try Self.connect().reader == "ACME Two 01 00")
    #expect(ScriptedReaders.connected == 0)
    ScriptedReaders.reset([])
    #expect(Self.error { _ = try Self.connect() }?.code == .absent)
  }

  @Test func `a reader that is not there is found before a card is awaited`() throws {
    func check(_ name: String?) -> VerifyError.Code? {
      Self.error { try CardConnection.check(reader: name, ScriptedReaders.service()) }?.code
    }
    ScriptedReaders.reset([.init(name: "ACME One 00 00"), .init(name: "ACME Two 01 00")])
    #expect(check(nil) == nil && check("two") == nil && check("acme") == .badArgument && check("none") == .absent)
    #expect(ScriptedReaders.waits == 0)
    ScriptedReaders.reset([])
    #expect(check(nil) == .absent)
  }

  @Test func `a card is awaited`() throws {
    ScriptedReaders.reset([.init(name: "One"), .init(name: "Two")])
    let error = Self.error { _ = try Self.connect() }
    #expect(error?.code == .timeout && error?.message.contains("\"One\", \"Two\"") == true)
    ScriptedReaders.onWait = { if $0 == 3 { ScriptedReaders.readers[1].card = Self.chip() } }
    ScriptedReaders.waits = 0
    #expect(try Self.connect(waiting: 20).reader == "Two")
    #expect(ScriptedReaders.waits == 3)
  }

  @Test func `a reader that is plugged in later is used`() throws {
    ScriptedReaders.reset([.init(name: "One")])
    ScriptedReaders.onWait = { number in
      if number == 2 { ScriptedReaders.readers.append(.init(name: "Two", card: Self.chip())) }
    }
    #expect(try Self.connect(waiting: 20).reader == "Two")
    // Unplugged while waiting.
    ScriptedReaders.reset([.init(name: "One")])
    ScriptedReaders.onWait = { _ in ScriptedReaders.readers = [] }
    #expect(Self.error { _ = try Self.connect(waiting: 20) }?.code == .absent)
  }

  @Test func `cancellation and deadline end the waiting`() {
    ScriptedReaders.reset([.init(name: "One")])
    let cancellation = Cancellation()
    ScriptedReaders.onWait = { if $0 == 2 { cancellation.cancel() } }
    let budget = Budget(cancellation: cancellation)
    #expect(Self.error { _ = try Self.connect(waiting: 20, budget: budget) }?.code == .cancelled)
    #expect(ScriptedReaders.waits == 2)
    ScriptedReaders.reset([.init(name: "One")])
    #expect(Self.error { _ = try Self.connect(waiting: 20, budget: Budget(seconds: 0.1)) }?.code == .timeout)
    for waiting in [9.9, 60.1, .nan] {
      #expect(Self.error { _ = try CardConnection(waiting: waiting) }?.code == .badArgument)
    }
  }

  @Test func `a card that is busy or does not answer at first is connected to later`() throws {
    for result in [
      PCSC.Result.sharingViolation, .unresponsiveCard, .unpoweredCard, .notTransacted, .removedCard, .noSmartCard,
    ] {
      ScriptedReaders.reset([.init(name: "One", card: Self.chip())])
      ScriptedReaders.connectResults = [result, result]
      #expect(try Self.connect(waiting: 20).reader == "One", "\(result)")
    }
  }

  @Test func `a card that does not answer is listed without an answer to reset`() throws {
    ScriptedReaders.reset([.init(name: "One", card: Self.chip(), isMute: true)])
    let reader = try #require(try CardReader.all(ScriptedReaders.service()).first)
    #expect(reader.hasCard && reader.answerToReset.isEmpty && !reader.isContactless)
    #expect(Self.error { _ = try Self.connect() }?.code == .unreadable)
  }

  @Test func `a card that stays busy or mute is an error with its cause`() {
    for (result, code) in [
      (PCSC.Result.sharingViolation, VerifyError.Code.busy), (.unresponsiveCard, .unreadable), (.removedCard, .timeout),
    ] {
      ScriptedReaders.reset([.init(name: "One", card: Self.chip())])
      ScriptedReaders.connectResults = [PCSC.Result](repeating: result, count: 1000)
      #expect(Self.error { _ = try Self.connect() }?.code == code)
      #expect(ScriptedReaders.waits > 1)
    }
    for result in [PCSC.Result.protocolMismatch, .unsupportedCard, .noService] {
      ScriptedReaders.reset([.init(name: "One", card: Self.chip())])
      ScriptedReaders.connectResults = [result]
      #expect(Self.error { _ = try Self.connect(waiting: 20) }?.code == (result == .noService ? .absent : .unreadable))
      #expect(ScriptedReaders.waits == 0)
    }
  }

  @Test func `errors of a command name the cause`() throws {
    for (result, code, word) in [
      (PCSC.Result.removedCard, VerifyError.Code.unreadable, "removed"), (.noSmartCard, .unreadable, "removed"),
      (.unpoweredCard, .unreadable, "removed"), (.resetCard, .unreadable, "replaced"),
      (.readerUnavailable, .unreadable, "unplugged"), (.unknownReader, .unreadable, "unplugged"),
      (.notTransacted, .unreadable, "lost"), (.timeout, .unreadable, "lost"), (.serviceStopped, .absent, "pcscd"),
    ] {
      ScriptedReaders.reset([.init(name: "One", card: Self.chip())])
      let connection = try Self.connect()
      ScriptedReaders.beforeCommand = { _ in result }
      let error = Self.error { _ = try connection.transmit([0, 0x84, 0, 0, 8]) }
      #expect(error?.code == code && error?.message.contains(word) == true, "\(result): \(error?.message ?? "")")
    }
    // The reader notices only afterwards that the card or it itself has gone.
    for (readers, word) in [([ScriptedReaders.Reader(name: "One")], "removed"), ([], "unplugged")] {
      ScriptedReaders.reset([.init(name: "One", card: Self.chip())])
      let connection = try Self.connect()
      ScriptedReaders.beforeCommand = { _ in .notTransacted }
      ScriptedReaders.readers = readers
      let error = Self.error { _ = try connection.transmit([0, 0x84, 0, 0, 8]) }
      #expect(error?.code == .unreadable && error?.message.contains(word) == true, "\(error?.message ?? "")")
    }
  }

  @Test(arguments: [EmulatedChip.Fault.emptyResponse, .oneByteResponse])
  func `a success without a response is a lost connection`(_ fault: EmulatedChip.Fault) throws {
    let chip = Self.chip()
    chip.fault = fault
    ScriptedReaders.reset([.init(name: "One", card: chip)])
    let session = ChipSession(try Self.connect())
    #expect(try session.open(with: EmulatedDocument.password()) == .opened("BAC"))
    let interruption = try session.read().live?.interruption
    #expect(interruption?.code == .unreadable && interruption?.message.contains("was lost") == true)
  }

  // Rows: J6
  @Test func `a chip is read through a reader`() throws {
    ScriptedReaders.reset([.init(name: "One", card: Self.chip())])
    let session = ChipSession(try Self.connect())
    #expect(try session.open(with: EmulatedDocument.password()) == .opened("BAC"))
    let chip = try session.read()
    #expect(chip.live?.interruption == nil && chip.dataGroups == [1, 2])
    #expect(chip.live?.commandCount == ScriptedReaders.commands.count)
  }

  @Test func `what was read before the card was removed is kept`() throws {
    ScriptedReaders.reset([.init(name: "One", card: Self.chip())])
    let session = ChipSession(try Self.connect())
    _ = try session.open(with: EmulatedDocument.password())
    ScriptedReaders.beforeCommand = { $0 > 14 ? .removedCard : .success }
    let chip = try session.read()
    #expect(
      chip.live?.interruption?.code == .unreadable && chip.live?.interruption?.message.contains("\"One\"") == true)
    #expect(!chip.files.isEmpty && chip.dataGroups.count < 2)
    let report = ChipReading(
      chip, trust: EmulatedState.shared.trust(), date: try DateTime(year: 2026, month: 6, day: 1))
    #expect(report.status == .notChecked)
    #expect(report.jsonValue.text.contains("was removed from"))
  }

  @Test func `extended length is used only as far as the reader supports it`() throws {
    /// The longest command and response, with the given dwMaxAPDUDataSize.
    func longest(_ limit: [UInt8]?) throws -> (data: Int?, command: Int) {
      ScriptedReaders.reset([
        .init(
          name: "One",
          card: Self.chip {
            $0.isExtended = true
            $0.portrait = tlv(0x75, [UInt8](repeating: 1, count: 5000))
          })
      ])
      if let limit {
        ScriptedReaders.controls[0x4200_0000 + 3400] = [0x06, 4, 0, 0, 0, 1, 0x12, 4, 0x42, 0x33, 0x00, 0x12]
        ScriptedReaders.controls[0x4233_0012] = [0x01, 2, 9, 9, 0x0A, 4] + limit
      }
      let connection = try Self.connect()
      let session = ChipSession(connection)
      _ = try session.open(with: EmulatedDocument.password())
      let chip = try session.read()
      #expect(
        chip.live?.interruption == nil && chip.live?.unread.isEmpty == true && chip.files[.dataGroup(2)]?.count == 5004)
      return (connection.maximumDataBytes, ScriptedReaders.commands.count)
    }
    let unknown = try longest(nil)
    let short = try longest([0, 0, 0, 0])
    let some = try longest([0, 4, 0, 0])
    let full = try longest([0, 0, 1, 0])
    #expect([unknown.data, short.data, some.data, full.data] == [nil, 0, 1024, 65_536])
    // No command of the second has the zero byte of an extended length.
    #expect(short.command > some.command && some.command > full.command && full.command == unknown.command)
  }

  @Test func `malformed properties of a reader are ignored`() {
    for list: [UInt8] in [
      [], [0x0A], [0x0A, 4, 0, 0], [0x0A, 0], [0x0A, 5, 0, 0, 0, 0, 0], [0x01, 200, 0x0A, 1, 7],
    ] {
      #expect(PCSC.value(of: 0x0A, in: list, isBigEndian: false) == nil)
    }
    #expect(PCSC.value(of: 0x0A, in: [0x01, 0, 0x0A, 2, 7, 1], isBigEndian: false) == 263)
    #expect(PCSC.value(of: 0x0A, in: [0x0A, 2, 7, 1], isBigEndian: true) == 1793)
  }
}
