public import CFaceVerify
internal import FaceVerify

/// The result of opening a chip, and what was read from it; nil if it was not opened.
struct OpenedChip: Sendable {
  let access: ChipAccess
  let files: ChipFiles?
}

final class LiveChipObject: Box<OpenedChip>, @unchecked Sendable {
  var files: ChipObject? { value.files.map { ChipObject(Lock($0)) } }
}

/// A transport that the program provides.
private struct ProgramTransport: ChipTransport {
  private let transmit: fv_chip_transmit_function
  private let user: UnsafeMutableRawPointer?
  let maximumDataBytes: Int?

  init(_ transport: fv_chip_transport) throws {
    guard let transmit = transport.transmit else { throw VerifyError(.badArgument, "transmit is NULL") }
    guard (0...65_536).contains(transport.maximum_data_bytes) else {
      throw VerifyError(.badArgument, "maximum_data_bytes is \(transport.maximum_data_bytes): at most 65536")
    }
    (self.transmit, user) = (transmit, transport.user)
    maximumDataBytes = transport.maximum_data_bytes == 0 ? nil : Int(transport.maximum_data_bytes)
  }

  func transmit(_ command: [UInt8]) throws -> [UInt8] {
    var count = 0
    var status = fv_status(FV_OK)
    let response = [UInt8](unsafeUninitializedCapacity: Self.largestResponse) { buffer, initialized in
      buffer.initialize(repeating: 0)
      status = transmit(command, command.count, buffer.baseAddress, buffer.count, &count, user)
      initialized = min(max(count, 0), buffer.count)
    }
    guard status == FV_OK else {
      throw VerifyError(
        VerifyError.Code(number: status) ?? .internalFailure, "the transport ended the connection to the chip")
    }
    guard (0...Self.largestResponse).contains(count) else {
      throw VerifyError(
        .badArgument, "the transport returned \(UInt(bitPattern: count)) bytes, more than its buffer has")
    }
    return response
  }
}

@c @implementation public func fv_live_chip_read(
  _ out: NewHandle, _ options: In<fv_live_chip_options>, _ budget: In<fv_budget>, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    let options = try Structs.require(options, fv_live_chip_options(), "options")
    let budget = try Budget(budget)
    let password: ChipPassword? =
      switch (options.mrz, options.card_access_number) {
      case (let mrz?, nil): try ChipPassword(mrz: try string(mrz, "zone"))
      case (nil, let number?): try ChipPassword(cardAccessNumber: try string(number, "card access number"))
      case (nil, nil): nil
      default: throw VerifyError(.badArgument, "a chip has one password: mrz or card_access_number")
      }
    let isConfirmed = try flag(options.is_confirmed, "is_confirmed")
    let session = ChipSession(try transport(options, budget), budget: budget)
    let access = try session.open(with: password, isConfirmed: isConfirmed)
    guard case .opened = access else { return LiveChipObject(OpenedChip(access: access, files: nil)) }
    let files = try session.read { file, part in
      guard let progress = options.progress else { return }
      file.rawValue.withCString { progress($0, part, options.progress_user) }
    }
    return LiveChipObject(OpenedChip(access: access, files: files))
  }
}

private func transport(_ options: fv_live_chip_options, _ budget: Budget) throws -> any ChipTransport {
  let reader = try optionalString(options.reader, "reader")
  guard let pointer = options.transport else {
    let time = options.card_timeout
    return try CardConnection(
      reader: reader, waiting: time == 0 ? CardConnection.defaultWaitingTime : time, budget: budget)
  }
  guard reader == nil, options.card_timeout == 0 else {
    throw VerifyError(.badArgument, "reader and card_timeout are for smart card readers, not for a transport")
  }
  return try ProgramTransport(Structs.require(pointer, fv_chip_transport(), "transport"))
}

extension fv_live_chip_info {
  init(_ object: LiveChipObject) {
    self.init()
    attempts_left = .nan
    switch object.value.access {
    case .opened(let name):
      access = fv_chip_access(FV_CHIP_ACCESS_OPENED)
      self.protocol = object.text(name)
    case .passwordRefused(let left):
      access = fv_chip_access(FV_CHIP_ACCESS_PASSWORD_REFUSED)
      attempts_left = left.map(Double.init) ?? .nan
    case .confirmationNeeded(let left):
      access = fv_chip_access(FV_CHIP_ACCESS_CONFIRMATION_NEEDED)
      attempts_left = left.map(Double.init) ?? .nan
    }
    guard let chip = object.value.files?.live else { return }
    interruption = object.text(orNull: chip.interruption?.message)
    transcript_sha256 = object.text(chip.transcriptSHA256)
    command_count = Int64(chip.commandCount)
  }
}

// MARK: Report

final class ChipReportObject: Box<ChipReading>, @unchecked Sendable {
  override var json: String { value.jsonValue.text }
  var steps: [PassiveAuthentication.Step] { value.authentication.steps }
  var proofSteps: [ChipProof.Step] { value.proof?.steps ?? [] }
}

@c @implementation public func fv_live_chip_report(
  _ out: NewHandle, _ chip: Handle, _ trust: Handle, _ date: Text, _ isStrict: fv_bool, _ message: Message,
  _ messageBytes: Int
) -> fv_status {
  create(out, message, messageBytes) {
    guard let files = try LiveChipObject.value(of: chip).files else {
      throw VerifyError(.wrongState, "the chip was not opened; read it with the right password")
    }
    let trust = try TrustStoreObject.store(trust)
    let date = DateTime(try day(date))
    let policy: AuthenticationPolicy = try flag(isStrict, "is_strict") ? .strict : .standard
    return ChipReportObject(ChipReading(files, trust: trust, date: date, policy: policy))
  }
}

extension fv_chip_report_info {
  init(_ object: ChipReportObject) {
    self.init()
    let chip = object.value
    result = chip.status.number
    verdict = chip.authentication.verdict.number
    validity = chip.authentication.validity.number
    proof = (chip.proof?.verdict ?? .notChecked).number
  }
}

// MARK: Readers

final class CardReadersObject: HandleObject, @unchecked Sendable {
  // Sendable: immutable.
  let elements: [CardReader]

  init(_ elements: [CardReader]) { self.elements = elements }

  override var json: String { JSONValue.array(elements.map(\.jsonValue)).text }
}

@c @implementation
public func fv_card_readers_list(_ out: NewHandle, _ message: Message, _ messageBytes: Int) -> fv_status {
  create(out, message, messageBytes) { CardReadersObject(try CardReader.all()) }
}

extension fv_card_reader {
  init(_ reader: CardReader, of owner: HandleObject) {
    self.init()
    name = owner.text(reader.name)
    answer_to_reset = owner.text(hexadecimal(reader.answerToReset))
    has_card = fv_bool(reader.hasCard)
    is_contactless = fv_bool(reader.isContactless)
  }
}
