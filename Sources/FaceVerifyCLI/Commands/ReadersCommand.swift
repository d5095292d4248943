import ArgumentParser
import FaceVerify

struct ReadersCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "readers", abstract: "List the smart card readers, and the cards on them.",
    discussion: """
      Readers are those of PC/SC: the service pcscd must run, and the library
      libpcsclite1 must be installed.

      Examples:
        faceverify readers
        faceverify readers --json

      Exit codes: 0 listed, even if there are none; 2 usage error; 3 runtime
      error: pcscd does not run...
      """, helpNames: .long)

  @OptionGroup var output: OutputOptions

  func run(on console: Console) throws -> ExitStatus {
    let readers = try CardReader.all()
    return try console.show(.array(readers.map(\.jsonValue)), text(readers, on: console))
  }

  private func text(_ readers: [CardReader], on console: Console) -> String {
    guard !readers.isEmpty else { return "no smart card reader is connected\n" }
    var table = Table()
    for reader in readers {
      let answer = hexadecimal(reader.answerToReset)
      let card = !reader.hasCard ? "no card" : reader.isContactless ? "contactless card" : "card"
      table.add(.init(reader.name), .init(card), .init(answer.isEmpty ? "" : "answer to reset \(answer)", .faint))
    }
    return table.text(indent: 0, on: console)
  }
}
