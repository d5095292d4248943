import ArgumentParser
import FaceVerify
import Glibc

/// A document on a smart card reader, and the password that opens its chip.
struct ReaderOptions: ParsableArguments {
  @Option(
    defaultAsFlag: "",
    help: .init(
      "Read the chip of the document on this smart card reader, named by a part of its name; without a name: the only "
        + "reader with a card.", "name"))
  var reader: String?
  @Option(
    help: .init(
      "Open the chip with the machine-readable zone: its lines, or NUMBER,BIRTH,EXPIRY with dates as YYMMDD; - reads it "
        + "from standard input.", "text"))
  var mrz: String?
  @Option(help: .init("Open the chip with the card access number, which is printed on the document.", "digits"))
  var can: String?
  @Option(help: .init("Wait this long for a card, 10 to 60 seconds; default: 30.", "seconds")) var wait: Double?
  @Flag(help: "Use the password even if the chip blocks it after one more wrong attempt.") var lastAttempt = false
  @Option(help: .init("Write the chip's files into a folder, which is new or empty.", "folder"), completion: .directory)
  var saveChip: String?

  func validate() throws {
    try require(
      reader != nil || (mrz ?? can ?? saveChip) == nil && wait == nil && !lastAttempt,
      "--mrz, --can, --wait, --last-attempt and --save-chip need --reader")
    try require(mrz == nil || can == nil, "open the chip with --mrz or with --can, not with both")
    try require(
      CardConnection.waitingTimes.contains(wait ?? CardConnection.defaultWaitingTime), "--wait is 10 to 60 seconds")
  }

  /// The outcome of reading: a chip, or why it stayed closed.
  enum Outcome {
    case read(LiveChip)
    case refused(Refusal)
  }

  struct Refusal: JSONConvertible {
    let reason: String
    let attemptsLeft: Int?
    let advice: String

    var text: String {
      let left = attemptsLeft.map { "; \(Text.counted($0, "attempt")) left" } ?? ""
      return "not checked: \(advice)\(left)"
    }

    var jsonValue: JSONValue {
      [
        "session": [
          "access": .null, "refusal": .string(reason), "attemptsLeft": attemptsLeft.map { .integer($0) } ?? .null,
        ]
      ]
    }
  }

  /// Waits for a card, and reads it.
  ///
  /// - Parameter zone: reads the zone of a photo of the page, without --mrz and --can.
  func read(zone: () throws -> MachineReadableZone, budget: Budget, on console: Console) throws -> Outcome {
    let password = try password(zone)
    try prepareFolder()
    let progress = FileProgress(on: console)
    let name = reader.flatMap { $0.isEmpty ? nil : $0 }
    progress.show("waiting for a document on \(name.map { "the reader \"\($0)\"" } ?? "a reader")")
    let connection = try CardConnection(
      reader: name, waiting: wait ?? CardConnection.defaultWaitingTime, budget: budget)
    progress.show("opening the chip on \"\(connection.reader)\"")
    let session = ChipSession(connection, budget: budget)
    defer { progress.end() }
    switch try session.open(with: password, isConfirmed: lastAttempt) {
    case .passwordRefused(let left):
      return .refused(
        Refusal(
          reason: "password-refused", attemptsLeft: left,
          advice: "the chip refused the \(can == nil ? "zone" : "card access number"); compare it with the document"))
    case .confirmationNeeded(let left):
      return .refused(
        Refusal(
          reason: "confirmation-needed", attemptsLeft: left,
          advice: "one more wrong attempt blocks the chip; check the number, then add --last-attempt"))
    case .opened: break
    }
    let chip = try session.read { file, part in progress.show(file, part) }
    progress.end()
    for (file, error) in chip.unread.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      console.warn("\(file): \(error.message)")
    }
    if let interruption = chip.interruption { console.warn(interruption.message) }
    if let saveChip {
      for (file, bytes) in chip.files.files {
        try RegularFile.write(bytes, to: "\(saveChip)/\(file)", permissions: 0o600)
      }
    }
    return .read(chip)
  }

  private func password(_ zone: () throws -> MachineReadableZone) throws -> ChipPassword {
    if let can { return try ChipPassword(cardAccessNumber: can) }
    guard let mrz else { return try ChipPassword(checked: zone()) }
    guard mrz == "-" else { return try ChipPassword(mrz: mrz) }
    let text = String(decoding: try Input.bytes("-", maximumBytes: 1024), as: UTF8.self)
    return try ChipPassword(mrz: text.trimmingSuffix { $0.isWhitespace })
  }

  /// Reads the zone in a photo of a page.
  ///
  /// - Throws: ``VerifyError/Code/unreadable`` if there is none.
  static func zone(
    of page: String, by engine: FaceEngine, on day: CalendarDate, budget: Budget
  ) throws -> MachineReadableZone {
    guard let reading = try engine.readZone(Input.photo(page), on: day, budget: budget) else {
      throw VerifyError(
        .unreadable, "\(page): no machine-readable zone was read; show the lines with the < signs, sharp and uncut")
    }
    return reading.zone
  }

  /// Files of two chips must not be mixed.
  private func prepareFolder() throws {
    guard let folder = saveChip else { return }
    guard mkdir(folder, 0o700) != 0 else { return }
    guard errno == EEXIST, let entries = opendir(folder) else {
      throw VerifyError(.unwritable, "\(folder): \(RegularFile.reason(errno))")
    }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard [".", ".."].contains(name) else {
        throw VerifyError(.unwritable, "\(folder) is not empty: name a new folder for the chip's files")
      }
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
    var text = self
    while text.last.map(isTrimmed) ?? false { text.removeLast() }
    return text
  }
}

/// Shows what is being read, on standard error: on a terminal in one line that is rewritten, otherwise a line per file.
private struct FileProgress {
  private let console: Console
  private let isTerminal = isatty(2) == 1

  init(on console: Console) { self.console = console }

  func show(_ file: ElementaryFile, _ part: Double) {
    if isTerminal { show("\(file) \(Int(100 * part)) %") } else if part == 1 { show("\(file) read") }
  }

  func show(_ text: String) {
    guard !console.isQuiet else { return }
    console.message(isTerminal ? "\r\u{1B}[K\(text.printable)" : text.printable, newline: !isTerminal)
  }

  func end() {
    if isTerminal && !console.isQuiet { console.message("\r\u{1B}[K", newline: false) }
  }
}
