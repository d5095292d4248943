import ArgumentParser
import FaceVerify

struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Look at a folder of CSCA certificates, master lists and revocation lists.",
    subcommands: [List.self, Check.self])

  struct List: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the certificates that are trusted, by country.",
      discussion: """
        Examples:
          faceverify trust list csca/
          faceverify trust list csca/ --json
        """)

    @Argument(help: "The folder.", completion: .directory)
    var folder: String
    @OptionGroup var pins: PinOption
    @OptionGroup var output: JSONOption

    func run(on console: Console) throws -> ExitStatus {
      let store = try TrustStore(folder: folder, pins: pins.pin)
      guard !output.json else {
        try console.write(store.json)
        return .done
      }
      var table = Table()
      table.add(["country", "valid", "", "serial", "subject", "source"].map { .init($0, .faint) })
      for anchor in store.anchors.sorted(by: {
        ($0.country ?? "", $0.certificate.validFrom) < ($1.country ?? "", $1.certificate.validFrom)
      }) {
        let certificate = anchor.certificate
        table.add(
          .init(anchor.country ?? "-"), .init(certificate.validFrom.calendarDate.description),
          .init(certificate.validTo.calendarDate.description), .init(String(certificate.serialNumber.prefix(16))),
          .init(certificate.subject.description), .init(anchor.source))
      }
      try console.write(table.text(on: console) + TrustText.count(store))
      return .done
    }
  }

  struct Check: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Say what each file brings, whether master lists are signed, and what has expired.",
      discussion: """
        A master list is trusted for a certificate that lies in a file of its
        own, or whose fingerprint is pinned: with --pin, or on a line of pins.txt
        in the folder. Any other list merely agrees with itself, and nothing of
        it is used; ask its publisher for the fingerprint.

        Exit code 1 if a file, or a part of one, is refused or not read; 4 if a
        master list is not pinned, or no certificate is trusted.

        Examples:
          faceverify trust check csca/ --date 2026-01-01
          faceverify trust check csca/ --pin 66b0...cb5b
        """)

    @Argument(help: "The folder.", completion: .directory)
    var folder: String
    @OptionGroup var pins: PinOption
    @OptionGroup var date: DateOption
    @Flag(help: "Forgive the signers of lists nothing that the standards do not allow.")
    var strict = false
    @OptionGroup var output: JSONOption

    func run(on console: Console) throws -> ExitStatus {
      let day = DateTime(try date.day())
      let store = try TrustStore(folder: folder, pins: pins.pin).judged(on: day, by: strict ? .strict : .standard)
      if output.json {
        try console.write(store.json)
      } else {
        var table = Table()
        for source in store.sources {
          let style: Style =
            source.kind == .refused ? .bad : source.kind == .notPinned || source.unreadableCount > 0 ? .caution : .good
          table.add(.init(source.name), .init(source.kind.rawValue, style), .init(source.text))
        }
        let expired = store.anchors.count { !$0.certificate.isValid(at: day) }
        try console.write(
          table.text(on: console) + TrustText.count(store)
            + "\(expired) of the certificates are not valid on \(day.calendarDate)\n")
      }
      if store.sources.contains(where: { $0.kind == .refused || $0.unreadableCount > 0 }) { return .noMatch }
      return store.anchors.isEmpty || store.sources.contains { $0.kind == .notPinned } ? .refused : .done
    }
  }
}
