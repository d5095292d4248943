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

  private struct Refusal: JSONConvertible {
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

  /// Waits for a card, and reads it; nil if the chip stays closed, which is shown.
  ///
  /// - Parameters:
  ///   - page: The photo of the page whose zone opens the chip, without --mrz and --can.
  ///   - engine: Reads it.
  func read(
    page: String?, by engine: () throws -> FaceEngine, on day: CalendarDate, budget: Budget, console: Console
  ) throws -> ChipFiles? {
    let password = try password(page, engine, day, budget)
    try prepareFolder()
    let name = reader.flatMap { $0.isEmpty ? nil : $0 }
    defer { console.endProgress() }
    console.progress("waiting for a document on \(name.map { "the reader \"\($0.printable)\"" } ?? "a reader")")
    let connection = try CardConnection(
      reader: name, waiting: wait ?? CardConnection.defaultWaitingTime, budget: budget)
    console.progress("opening the chip on \"\(connection.reader.printable)\"")
    let session = ChipSession(connection, budget: budget)
    switch try session.open(with: password, isConfirmed: lastAttempt) {
    case .passwordRefused(let left):
      try show(
        Refusal(
          reason: "password-refused", attemptsLeft: left,
          advice: "the chip refused the \(can == nil ? "zone" : "card access number"); compare it with the document"),
        on: console)
      return nil
    case .confirmationNeeded(let left):
      try show(
        Refusal(
          reason: "confirmation-needed", attemptsLeft: left,
          advice: "one more wrong attempt blocks the chip; check the number, then add --last-attempt"), on: console)
      return nil
    case .opened: break
    }
    let files = try session.read { file, part in
      if console.showsMessagesOnTerminal {
        console.progress("\(file) \(Int(100 * part)) %")
      } else if part == 1 {
        console.progress("\(file) read")
      }
    }
    console.endProgress()
    for (file, error) in (files.live?.unread ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      console.warn("\(file): \(error.message)")
    }
    if let interruption = files.live?.interruption { console.warn(interruption.message) }
    if let saveChip {
      for (file, bytes) in files.files {
        try RegularFile.write(bytes, to: "\(saveChip)/\(file)", permissions: 0o600)
      }
    }
    return files
  }

  private func show(_ refusal: Refusal, on console: Console) throws {
    console.endProgress()
    try console.show(refusal.jsonValue, console.styled(refusal.text, .caution) + "\n")
  }

  private func password(
    _ page: String?, _ engine: () throws -> FaceEngine, _ day: CalendarDate, _ budget: Budget
  ) throws -> ChipPassword {
    if let can { return try ChipPassword(cardAccessNumber: can) }
    if let mrz, mrz != "-" { return try ChipPassword(mrz: mrz) }
    if mrz != nil {
      let text = String(decoding: try Input.bytes("-", maximumBytes: 1024), as: UTF8.self)
      let end = text.lastIndex { !$0.isWhitespace }
      return try ChipPassword(mrz: end.map { String(text[...$0]) } ?? "")
    }
    let page = page ?? ""
    guard let reading = try engine().readZone(Input.photo(page), on: day, budget: budget) else {
      throw VerifyError(
        .unreadable, "\(page): no machine-readable zone was read; show the lines with the < signs, sharp and uncut")
    }
    return try ChipPassword(checked: reading.zone)
  }

  /// Files of two chips must not be mixed.
  private func prepareFolder() throws {
    guard let folder = saveChip, mkdir(folder, 0o700) != 0 else { return }
    guard errno == EEXIST, Folder.isFolder(folder) else {
      throw VerifyError(.unwritable, "\(folder): \(RegularFile.reason(errno))")
    }
    guard try Folder.entries(of: folder, areHidden: true).isEmpty else {
      throw VerifyError(.unwritable, "\(folder) is not empty: name a new folder for the chip's files")
    }
  }
}
