import ArgumentParser
import FaceVerify

struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust", abstract: "Inspect a folder of CSCA certificates, master lists and revocation lists.",
    discussion: """
      Examples:
        faceverify trust list csca/
        faceverify trust check csca/
      """,
    subcommands: [List.self, Check.self])

  struct List: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the certificates that are trusted, by country.",
      discussion: """
        Examples:
          faceverify trust list csca/
          faceverify trust list csca/ --json

        Exit codes: 0 listed, 2 usage error, 3 runtime error.
        """)

    @Argument(help: "The folder.", completion: .directory) var folder: String
    @OptionGroup var pins: PinOption
    @OptionGroup var output: OutputOptions

    func run(on console: Console) throws -> ExitStatus {
      let store = try TrustStore(folder: folder, pins: pins.all)
      var table = Table()
      table.head(["country", "valid", "", "serial", "subject", "source"])
      for anchor in store.anchors.sorted(by: {
        ($0.country ?? "", $0.certificate.validFrom) < ($1.country ?? "", $1.certificate.validFrom)
      }) {
        let certificate = anchor.certificate
        table.add(
          .init(anchor.country ?? "-"), .init(certificate.validFrom.calendarDate.description),
          .init(certificate.validTo.calendarDate.description), .init(String(certificate.serialNumber.prefix(16))),
          .init(certificate.subject.description), .init(anchor.source))
      }
      return try console.show(store.jsonValue, table.text(on: console) + TrustCommand.count(store))
    }
  }

  struct Check: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Check each file: content, signatures of master lists, validity.",
      discussion: """
        Trust anchors are the CSCA certificates in files named .cer, .crt, .der,
        .pem or .p7b. A master list is trusted if its CSCA certificate is one of
        these, or its fingerprint is pinned: with --pin, or on a line of pins.txt in
        the folder. Any other list is ignored; ask its publisher for the fingerprint.

        Examples:
          faceverify trust check csca/ --date 2026-01-01
          faceverify trust check csca/ --pin 66b0...cb5b

        Exit codes:
          0  every file is used, and a certificate is trusted
          1  a file, or a part of one, is refused or was not read
          2  usage error
          3  runtime error
          4  a master list is not pinned, or no certificate is trusted
        """)

    @Argument(help: "The folder.", completion: .directory) var folder: String
    @OptionGroup var pins: PinOption
    @OptionGroup var date: DateOption
    @OptionGroup var strictness: StrictOption
    @OptionGroup var output: OutputOptions

    func run(on console: Console) throws -> ExitStatus {
      let day = DateTime(try date.day())
      let store = try TrustStore(folder: folder, pins: pins.all).judged(on: day, by: strictness.policy)
      var table = Table()
      for source in store.sources {
        let style: Style =
          source.kind == .refused ? .bad : source.kind == .notPinned || source.unreadableCount > 0 ? .caution : .good
        table.add(.init(source.name), .init(source.kind.rawValue, style), .init(source.text))
      }
      let expired = store.anchors.count { !$0.certificate.isValid(at: day) }
      try console.show(
        store.jsonValue,
        table.text(on: console) + TrustCommand.count(store)
          + (store.anchors.isEmpty
            ? console.styled("no certificate in \(folder) is trusted", .caution) + "\n"
            : "\(Text.counted(expired, "certificate is", "certificates are")) not valid on \(day.calendarDate)\n"))
      if store.sources.contains(where: { $0.kind == .refused || $0.unreadableCount > 0 }) { return .noMatch }
      return store.anchors.isEmpty || store.sources.contains { $0.kind == .notPinned } ? .refused : .done
    }
  }
  private static func count(_ store: TrustStore) -> String {
    let countries = Set(store.anchors.compactMap(\.country)).count
    return Text.counted(store.anchors.count, "certificate") + " of " + Text.counted(countries, "country", "countries")
      + ", " + Text.counted(store.revocationLists.count, "revocation list") + "\n"
  }
}
