import ArgumentParser
import FaceVerify

extension RecordCommand {
  struct Replay: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "replay",
      abstract: "Run the evidence behind a record again: it must say the same, byte for byte.",
      discussion: """
        EVIDENCE is a bundle with --key, or the folder that `record open` made of
        it. The models must be those of the record: another set is chosen with
        --models. What was trusted must be given again with --trust.

        A processor with other vector units adds in another order: scores and
        signals may differ by 0.02. They are named, and nothing else may differ.

        Examples:
          faceverify record replay evidence.fvb --key auditor.pem
          faceverify record replay evidence/ --trust csca/ --json

        Exit codes:
          0  the same, byte for byte or but for rounding
          1  not the same: what differs is named
          2  wrong use of the command
          3  could not be done: unreadable file, an input is missing...
        """)

    @Argument(help: "The bundle, or its folder.", completion: .file())
    var evidence: String
    @Option(
      help: ArgumentHelp("The private key that the bundle is encrypted to.", valueName: "file"), completion: .file())
    var key: String?
    @OptionGroup var trust: TrustOption
    @OptionGroup var output: JSONOption
    @OptionGroup var engine: EngineOptions

    func run(on console: Console) throws -> ExitStatus {
      let file = try source()
      guard let bytes = try file(EvidenceBundle.recordName) else {
        throw VerifyError(.unreadable, "\(evidence) has no \(EvidenceBundle.recordName)")
      }
      let record = try DecisionRecord(bytes: bytes)
      let count = record.body["inputs"]?.elements.count ?? 0
      let progress = Progress(record.body["calls"]?.elements.count ?? 0, interval: .seconds(10), on: console)
      let differences = try JourneyReplay.differences(
        of: record, engine: engine.engine(), trust: trust.store(on: console),
        inputs: { try file(EvidenceBundle.inputName($0.index, suffix: $0.isPixels ? "rgb.png" : "bin")) },
        progress: { _, _ in progress.show("calls") })
      progress.end()
      try console.write(
        output.json ? Self.json(differences).text : Self.text(differences, inputs: count, on: console))
      return differences.allSatisfy(\.isRounding) ? .done : .noMatch
    }

    /// Gives the files of the evidence by name. Those of a bundle stay in memory: they are on no disk in the clear.
    private func source() throws -> (String) throws -> [UInt8]? {
      guard let key else {
        return { [evidence] name in
          try RegularFile.read(path: evidence + "/" + name, maximumBytes: 256 << 20)
        }
      }
      var files: [String: [UInt8]] = [:]
      try EvidenceBundle.read(path: evidence, key: PrivateKey(path: key)) { files[$0] = $1 }
      return { [files] in files[$0] }
    }

    private static func json(_ differences: [JourneyReplay.Difference]) -> JSONValue {
      [
        "same": .bool(differences.isEmpty),
        "sameButForRounding": .bool(differences.allSatisfy(\.isRounding)),
        "differences": .array(
          differences.map {
            ["path": .string($0.path), "text": .string($0.text), "isRounding": .bool($0.isRounding)]
          }),
      ]
    }

    private static func text(_ differences: [JourneyReplay.Difference], inputs: Int, on console: Console) -> String {
      guard !differences.isEmpty else {
        return console.styled("the same: \(inputs) inputs give the same record, byte for byte", .good) + "\n"
      }
      var table = Table()
      for difference in differences { table.add(.init(difference.path), .init(difference.text)) }
      let wrong = differences.count { !$0.isRounding }
      let title =
        wrong == 0
        ? console.styled("the same but for rounding, as on a processor with other vector units", .good)
        : console.styled("not the same: \(wrong) difference\(wrong == 1 ? "" : "s")", .bad)
      return title
        + "\n" + table.text(indent: 2, on: console)
    }
  }
}
