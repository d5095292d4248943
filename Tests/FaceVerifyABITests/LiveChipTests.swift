import CFaceVerify
import EmulatedChip
import Testing

@Suite("C interface: live chips")
struct LiveChipTests {
  /// A chip, and how the program's transport fails.
  private final class Transport {
    let chip: EmulatedChip
    var status = fv_status(FV_OK)
    var after = Int.max
    var count: Int?
    var progress: [(String, Double)] = []
    private var commands = 0

    init(_ chip: EmulatedChip) { self.chip = chip }

    func transmit(_ command: [UInt8], _ response: UnsafeMutableRawBufferPointer) -> (fv_status, Int) {
      commands += 1
      guard commands <= after else { return (status, count ?? 0) }
      guard let bytes = try? chip.transmit(command) else { return (fv_status(FV_E_INTERNAL), 0) }
      response.copyBytes(from: bytes)
      return (fv_status(FV_OK), bytes.count)
    }
  }

  private static func chip(_ change: (inout EmulatedDocument) -> Void = { _ in }) -> EmulatedChip {
    var document = EmulatedDocument()
    change(&document)
    document.issue()
    return EmulatedChip(document)
  }

  private struct Outcome {
    let status: fv_status
    let message: String
    let chip: OpaquePointer?
  }

  private static func read(
    _ transport: Transport, mrz: String? = nil, can: String? = nil, budget: UnsafePointer<fv_budget>? = nil,
    _ change: (inout fv_live_chip_options) -> Void = { _ in }
  ) -> Outcome {
    var made = fv_chip_transport()
    made.struct_size = MemoryLayout<fv_chip_transport>.size
    made.user = Unmanaged.passUnretained(transport).toOpaque()
    made.transmit = { command, count, response, capacity, responseCount, user in
      guard let user, let command, let response, let responseCount else { return fv_status(FV_E_INTERNAL) }
      let transport = Unmanaged<Transport>.fromOpaque(user).takeUnretainedValue()
      let (status, size) = transport.transmit(
        Array(UnsafeRawBufferPointer(start: command, count: count)),
        UnsafeMutableRawBufferPointer(start: response, count: capacity))
      responseCount.pointee = size
      return status
    }
    var options = fv_live_chip_options()
    options.struct_size = MemoryLayout<fv_live_chip_options>.size
    options.progress_user = made.user
    options.progress = { file, part, user in
      guard let user, let file else { return }
      Unmanaged<Transport>.fromOpaque(user).takeUnretainedValue().progress.append((String(cString: file), part))
    }
    var out: OpaquePointer?
    var message = [CChar](repeating: 0, count: Int(FV_MESSAGE_BYTES))
    let status = withUnsafePointer(to: made) { made in
      options.transport = made
      return withText(mrz) { mrz in
        withText(can) { can in
          (options.mrz, options.card_access_number) = (mrz, can)
          change(&options)
          return fv_live_chip_read(&out, &options, budget, &message, message.count)
        }
      }
    }
    let end = message.firstIndex(of: 0) ?? 0
    let text = String(decoding: message[..<end].map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    return Outcome(status: status, message: text, chip: out)
  }

  private static func withText<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    text.map { $0.withCString(body) } ?? body(nil)
  }

  private static func info(_ chip: OpaquePointer?) -> fv_live_chip_info {
    var info = fv_live_chip_info()
    info.struct_size = MemoryLayout<fv_live_chip_info>.size
    #expect(fv_live_chip_describe(&info, chip) == FV_OK)
    return info
  }

  private static let password = "L898902C3,740812,120415"

  @Test("a chip is read through the program's transport, with progress, files, report and proof")
  func reading() throws {
    let transport = Transport(
      Self.chip {
        $0.variants = [.init(mapping: 2, cipher: 2, parameters: 12)]
        $0.signing = .ecdsa(curve: 12, digest: 3)
      })
    let outcome = Self.read(transport, mrz: Self.password)
    #expect(outcome.status == FV_OK && outcome.message.isEmpty)
    let info = Self.info(outcome.chip)
    #expect(info.access == Int64(FV_CHIP_ACCESS_OPENED) && info.attempts_left.isNaN && info.interruption == nil)
    #expect(String(cString: try #require(info.protocol)) == "id-PACE-ECDH-GM-AES-CBC-CMAC-128")
    #expect(String(cString: try #require(info.transcript_sha256)).utf8.count == 64)
    #expect(info.command_count > 20)
    #expect(transport.progress.contains { $0 == ("EF.DG2", 1) })
    #expect(transport.progress.allSatisfy { (0...1).contains($0.1) })

    var trust: OpaquePointer?
    #expect(fv_trust_store_create(&trust, nil, nil, 0) == FV_OK)
    let authority = EmulatedState.shared.authority
    #expect(fv_trust_store_add(trust, "csca.cer", authority, authority.count, nil, 0) == FV_OK)
    var report: OpaquePointer?
    #expect(fv_live_chip_report(&report, outcome.chip, trust, "2026-06-01", 0, nil, 0) == FV_OK)
    var judged = fv_chip_report_info()
    judged.struct_size = MemoryLayout<fv_chip_report_info>.size
    #expect(fv_chip_report_describe(&judged, report) == FV_OK)
    #expect(judged.verdict == Int64(FV_VERDICT_AUTHENTIC) && judged.proof == Int64(FV_CHIP_PROOF_NOT_CLONED))
    // EF.DG2 has no portrait.
    #expect(judged.result == Int64(FV_CHECK_STATUS_NOT_CHECKED) && judged.validity == Int64(FV_CHECK_STATUS_PASSED))
    var step = fv_document_check()
    step.struct_size = MemoryLayout<fv_document_check>.size
    #expect(fv_chip_report_proof_step_count(report) == 4)
    #expect(fv_chip_report_proof_step_at(&step, report, 0) == FV_OK)
    #expect(String(cString: try #require(step.name)) == "active-authentication")
    #expect(step.status == Int64(FV_CHECK_STATUS_PASSED))
    #expect(fv_chip_report_step_at(&step, report, 0) == FV_OK)
    #expect(String(cString: try #require(step.name)) == "signature")
    #expect(String(cString: try #require(fv_chip_report_json(report))).contains("\"not-cloned\""))

    // The files are those of a document.
    let files = try #require(fv_live_chip_files(outcome.chip))
    #expect(files == fv_live_chip_files(outcome.chip))
    fv_live_chip_free(outcome.chip)
    #expect(fv_live_chip_files(outcome.chip) == nil)
    #expect(fv_chip_report_step_count(report) > 5)
    fv_chip_report_free(report)
    fv_trust_store_free(trust)
  }

  @Test("a refused password is a result, and the last attempt must be confirmed")
  func refusal() throws {
    let chip = Self.chip { $0.variants = [.init(mapping: 2, cipher: 2, parameters: 12)] }
    chip.attempts = 3
    for (access, left) in [
      (FV_CHIP_ACCESS_PASSWORD_REFUSED, 2.0), (FV_CHIP_ACCESS_PASSWORD_REFUSED, 1),
      (FV_CHIP_ACCESS_CONFIRMATION_NEEDED, 1),
    ] {
      let outcome = Self.read(Transport(chip), can: "654321")
      let info = Self.info(outcome.chip)
      #expect(outcome.status == FV_OK && info.access == Int64(access) && info.attempts_left == left)
      #expect(info.protocol == nil && info.transcript_sha256 == nil && fv_live_chip_files(outcome.chip) == nil)
      var report: OpaquePointer?
      #expect(fv_live_chip_report(&report, outcome.chip, nil, "2026-06-01", 0, nil, 0) == FV_E_WRONG_STATE)
      fv_live_chip_free(outcome.chip)
      chip.reset()
    }
    let confirmed = Self.read(Transport(chip), can: "123456") { $0.is_confirmed = 1 }
    #expect(Self.info(confirmed.chip).access == Int64(FV_CHIP_ACCESS_OPENED))
    fv_live_chip_free(confirmed.chip)
  }

  @Test("errors of the transport end the call before the chip is open, and the reading after it")
  func failures() throws {
    for status in [FV_E_UNREADABLE, FV_E_TIMEOUT, FV_E_CANCELLED, FV_E_BUSY] {
      let transport = Transport(Self.chip())
      (transport.status, transport.after) = (fv_status(status), 3)
      let outcome = Self.read(transport, mrz: Self.password)
      #expect(outcome.status == status && outcome.chip == nil && outcome.message.contains("transport"))
    }
    let transport = Transport(Self.chip())
    (transport.status, transport.after) = (fv_status(FV_E_UNREADABLE), 14)
    let outcome = Self.read(transport, mrz: Self.password)
    #expect(outcome.status == FV_OK)
    #expect(Self.info(outcome.chip).interruption.map { String(cString: $0) }?.contains("transport") == true)
    fv_live_chip_free(outcome.chip)
    // A number that is no status, and sizes beyond the buffer.
    for (status, count, code) in [
      (77, 0, FV_E_INTERNAL), (0, 65_539, FV_E_BAD_ARGUMENT), (0, -1, FV_E_BAD_ARGUMENT), (0, 1, FV_E_DAMAGED),
    ] {
      let transport = Transport(Self.chip())
      (transport.status, transport.after, transport.count) = (fv_status(status), 0, count)
      #expect(Self.read(transport, mrz: Self.password).status == code, "\(status) \(count)")
    }
  }

  @Test("options are checked before a command is sent")
  func options() {
    func status(_ mrz: String?, _ can: String?, _ change: (inout fv_live_chip_options) -> Void = { _ in }) -> fv_status
    {
      let transport = Transport(Self.chip())
      transport.after = 0
      return Self.read(transport, mrz: mrz, can: can, change).status
    }
    #expect(status(Self.password, "123456") == FV_E_BAD_ARGUMENT)
    #expect(status("L898902C3,740812", nil) == FV_E_BAD_ARGUMENT)
    #expect(status("zone", nil) == FV_E_DAMAGED)
    #expect(status(nil, "12x456") == FV_E_BAD_ARGUMENT)
    // A check digit of the document number is wrong.
    #expect(status(EmulatedDocument.zone.replacing("L898902C36", with: "L898902C37"), nil) == FV_E_BAD_ARGUMENT)
    #expect(status(Self.password, nil) { $0.is_confirmed = 2 } == FV_E_BAD_ARGUMENT)
    #expect(status(Self.password, nil) { $0.card_timeout = 20 } == FV_E_BAD_ARGUMENT)
    #expect(status(Self.password, nil) { $0.struct_size = 0 } == FV_E_BAD_ARGUMENT)
    var out: OpaquePointer?
    #expect(fv_live_chip_read(&out, nil, nil, nil, 0) == FV_E_BAD_ARGUMENT)
    var options = fv_live_chip_options()
    options.struct_size = MemoryLayout<fv_live_chip_options>.size
    options.card_timeout = 5
    #expect(fv_live_chip_read(&out, &options, nil, nil, 0) == FV_E_BAD_ARGUMENT)
  }

  @Test("cancellation ends the reading")
  func cancellation() {
    var cancellation: OpaquePointer?
    #expect(fv_cancellation_create(&cancellation, nil, 0) == FV_OK)
    fv_cancellation_cancel(cancellation)
    var budget = fv_budget()
    budget.struct_size = MemoryLayout<fv_budget>.size
    budget.cancellation = cancellation
    let outcome = withUnsafePointer(to: budget) {
      Self.read(Transport(Self.chip()), mrz: Self.password, budget: $0)
    }
    #expect(outcome.status == FV_E_CANCELLED && outcome.chip == nil)
    fv_cancellation_free(cancellation)
  }
}
